"""Scheduling of agents, one call of the reasoning cycle at a time (point 28 of
``docs/reference/gwendolen.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.state import AgentSlots, mind_slot

__all__ = ["ENVIRONMENT", "TURN", "TurnScheduler"]

TURN = Slot("turn", "turn")
ENVIRONMENT = "environment"
"""Name of the component that performs the spontaneous transitions of the world. It is scheduled
like an agent."""


class Turn(NamedTuple):
    """State of the scheduler, which decides which agent moves next.

    ``last`` is the component that moved last. If ``any_may_follow`` is set, any component may move
    next, otherwise only ``last``. ``calls`` is the number of moves since ``any_may_follow`` was
    last set.
    """

    last: str | None = None
    any_may_follow: bool = True
    calls: int = 0


@dataclass(frozen=True)
class TurnScheduler:
    """Scheduler of agents, according to the option ``scheduler``.

    ``components`` are the agents, sorted by name, and the environment if the world has spontaneous
    transitions.
    """

    components: Sequence[str]
    options: Settings

    @property
    def slots(self) -> Mapping[str, object]:
        """Return the slot of the scheduler with its initial value. A system with one component has
        no such slot.

        With ``round_robin`` the initial value is the same as after a move of the last component. So
        the states before the first round are not distinguished from the same states between two
        rounds.
        """
        if len(self.components) == 1:
            return {}
        last = self.components[-1] if self.options.scheduler == "round_robin" else None
        return {TURN: Turn(last)}

    def is_enabled(self, component: str, state: SlotView) -> bool:
        """Return whether a component may move in a state. A sleeping agent may not."""
        if not _is_awake(component, state):
            return False
        if len(self.components) == 1:
            return True
        turn: Turn = state[TURN]
        if self.options.scheduler == "round_robin":
            assert turn.last is not None, "with round_robin some component always moved last"
            return component == self._next(turn.last, state)
        return turn.any_may_follow or turn.last == component

    def _next(self, last: str, state: SlotView) -> str | None:
        """Return the next awake component after ``last`` in cyclic order, or None if all sleep."""
        start = self.components.index(last) + 1
        order = [*self.components[start:], *self.components[:start]]
        return next((each for each in order if _is_awake(each, state)), None)

    def record_turn(self, mind: AgentSlots, component: str, something_changed: bool) -> None:
        """Record that ``component`` has moved. ``something_changed`` says whether the move changed
        something that other agents may notice. If so, any component may move next, unless agents
        move in turn (``round_robin``)."""
        if len(self.components) == 1:
            return
        before: Turn = mind.read(TURN)
        match self.options.scheduler:
            case "round_robin":
                after = Turn(component)
            case "n_actions":
                calls = before.calls + 1
                after = (
                    Turn()
                    if something_changed or calls >= self.options.turns
                    else Turn(component, False, calls)
                )
            case "action" | "single":
                after = Turn() if something_changed else Turn(component, False)
            case _:
                assert_never(self.options.scheduler)
        mind.write(TURN, after)


def _is_awake(component: str, state: SlotView) -> bool:
    return component == ENVIRONMENT or not state[mind_slot(component, "asleep")]
