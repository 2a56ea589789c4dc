"""Stage A of the reasoning cycle: selection of the next intention (points 11 and 31 of
``docs/reference/gwendolen.md``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from volition.languages.gwendolen.agent_state import AgentState, is_action
from volition.languages.gwendolen.state import Intention
from volition.languages.gwendolen.syntax import Cycle

__all__ = ["select"]


def select(mind: AgentState, cycle: Cycle) -> bool:
    """Run stage A (Select Intention). Return whether there is an intention to continue with."""
    current, others = mind.current, mind.others
    idle = current is None or not current.rows or current.suspended
    if idle and all(each.suspended for each in others):
        if current is not None and not current.rows:
            mind.current = None
        return False
    if current is not None and current.rows and current.locked:
        mind.record("A:locked")
        return True
    runs_on = current is not None and bool(current.rows) and not current.suspended
    candidates = (*others, current) if runs_on and current is not None else others
    chosen, runnable = _ORDERS[cycle]([each for each in candidates if not each.suspended])
    waiting = [each for each in others if each.suspended]
    if current is not None and current.suspended:
        waiting.append(current)
    mind.current, mind.others = chosen, (*runnable, *waiting)
    mind.record("A:select")
    return True


def _round_robin(runnable: Sequence[Intention]) -> tuple[Intention, Sequence[Intention]]:
    """Return the intention that Gwendolen's cycle selects, and the remaining runnable intentions.

    The first of ``runnable`` is selected. The previously selected intention is at the end of
    ``runnable``, so that intentions take turns.
    """
    return runnable[0], runnable[1:]


def _actions_last(runnable: Sequence[Intention]) -> tuple[Intention, Sequence[Intention]]:
    """Return the intention to select in EASS's cycle and the remaining ones.

    The first intention whose next deed is not an action is selected, else the first one. Intentions
    whose next deed is an action go to the end of the remaining ones.
    """
    ordered = [each for each in runnable if not is_action(each)] + [
        each for each in runnable if is_action(each)
    ]
    return ordered[0], ordered[1:]


_ORDERS: dict[Cycle, Callable[[Sequence[Intention]], tuple[Intention, Sequence[Intention]]]] = {
    "gwendolen": _round_robin,
    "eass": _actions_last,
}
