"""Who goes on: agents take turns call by call (point 28)."""

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
"""What a world is called that moves by itself, where it takes its turn like an agent."""


class Turn(NamedTuple):
    """Who went on last, unless anybody may be next, and how many calls ago that was so."""

    last: str | None = None
    any_may_follow: bool = True
    calls: int = 0


@dataclass(frozen=True)
class TurnScheduler:
    """``movers`` are the agents in the order of their names and, where the world moves by itself,
    the environment."""

    components: Sequence[str]
    options: Settings

    @property
    def slots(self) -> Mapping[str, object]:
        """Nothing has to be remembered where there is nobody to take turns with."""
        return {TURN: Turn()} if len(self.components) > 1 else {}

    def is_enabled(self, component: str, state: SlotView) -> bool:
        """Whether it is somebody's turn; who sleeps has none."""
        if not _is_awake(component, state):
            return False
        if len(self.components) == 1:
            return True
        turn: Turn = state[TURN]
        if self.options.scheduler == "round_robin":
            return component == self._next(turn.last, state)
        return turn.any_may_follow or turn.last == component

    def _next(self, last: str | None, state: SlotView) -> str | None:
        """The first after the last one who is awake, round and round."""
        start = 0 if last is None else self.components.index(last) + 1
        order = [*self.components[start:], *self.components[:start]]
        return next((each for each in order if _is_awake(each, state)), None)

    def record_turn(self, mind: AgentSlots, component: str, something_changed: bool) -> None:
        """Remembers who went on; after a change anybody may be next."""
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
