"""Scheduling of agents, one call of the reasoning cycle at a time (point 28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.state import AgentSlots, mind_slot

__all__ = ["ENVIRONMENT", "TURN", "TurnScheduler"]

TURN = Slot("turn", "turn")
ENVIRONMENT = "environment"
"""Name of the component of a world with spontaneous transitions; it is scheduled like an agent."""


class Turn(NamedTuple):
    """Scheduler state: the component that moved last, whether any other component may move next,
    and the number of calls since that was last so."""

    last: str | None = None
    any_may_follow: bool = True
    calls: int = 0


@dataclass(frozen=True)
class TurnScheduler:
    """Scheduler. ``components`` are the agents, sorted by name, and the environment if it has
    spontaneous transitions."""

    components: Sequence[str]
    options: Settings

    @property
    def slots(self) -> Mapping[str, object]:
        """Return the scheduler's slot; a system with one component needs none."""
        return {TURN: Turn()} if len(self.components) > 1 else {}

    def is_enabled(self, component: str, state: SlotView) -> bool:
        """Return whether a component may move now; a sleeping agent may not."""
        if not _is_awake(component, state):
            return False
        if len(self.components) == 1:
            return True
        turn: Turn = state[TURN]
        if self.options.scheduler == "round_robin":
            return component == self._next(turn.last, state)
        return turn.any_may_follow or turn.last == component

    def _next(self, last: str | None, state: SlotView) -> str | None:
        """Return the next awake component in cyclic order, or None."""
        start = 0 if last is None else self.components.index(last) + 1
        order = [*self.components[start:], *self.components[:start]]
        return next((each for each in order if _is_awake(each, state)), None)

    def record_turn(self, mind: AgentSlots, component: str, something_changed: bool) -> None:
        """Record that a component has moved. After a change any component may move next."""
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
            case _:
                after = Turn() if something_changed else Turn(component, False)
        mind.write(TURN, after)


def _is_awake(component: str, state: SlotView) -> bool:
    return component == ENVIRONMENT or not state[mind_slot(component, "asleep")]
