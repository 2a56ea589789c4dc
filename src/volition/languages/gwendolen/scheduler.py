"""Who goes on: agents take turns call by call (point 28)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from volition.kernel.system import View
from volition.languages.gwendolen.options import Options
from volition.languages.gwendolen.state import Slots, mind_slot
from volition.languages.kit.slots import Slot

__all__ = ["ENVIRONMENT", "TURN", "Turns"]

TURN = Slot("turn", "turn")
ENVIRONMENT = "environment"
"""What a world is called that moves by itself, where it takes its turn like an agent."""


class Turn(NamedTuple):
    """Who went on last, unless anybody may be next, and how many calls ago that was so."""

    last: str | None = None
    free: bool = True
    calls: int = 0


@dataclass(frozen=True)
class Turns:
    """``movers`` are the agents in the order of their names and, where the world moves by itself, the environment."""

    movers: Sequence[str]
    options: Options

    @property
    def slots(self) -> Mapping[str, object]:
        """Nothing has to be remembered where there is nobody to take turns with."""
        return {TURN: Turn()} if len(self.movers) > 1 else {}

    def may_go_on(self, mover: str, state: View) -> bool:
        """Whether it is somebody's turn; who sleeps has none."""
        if not _is_awake(mover, state):
            return False
        if len(self.movers) == 1:
            return True
        turn: Turn = state[TURN]
        if self.options.scheduler == "round_robin":
            return mover == self._next(turn.last, state)
        return turn.free or turn.last == mover

    def _next(self, last: str | None, state: View) -> str | None:
        """The first after the last one who is awake, round and round."""
        start = 0 if last is None else self.movers.index(last) + 1
        order = [*self.movers[start:], *self.movers[:start]]
        return next((each for each in order if _is_awake(each, state)), None)

    def after(self, mind: Slots, mover: str, something_changed: bool) -> None:
        """Remembers who went on; after a change anybody may be next."""
        if len(self.movers) == 1:
            return
        before: Turn = mind.read(TURN)
        match self.options.scheduler:
            case "round_robin":
                after = Turn(mover)
            case "n_actions":
                calls = before.calls + 1
                after = Turn() if something_changed or calls >= self.options.turns else Turn(mover, False, calls)
            case _:
                after = Turn() if something_changed else Turn(mover, False)
        mind.write(TURN, after)


def _is_awake(mover: str, state: View) -> bool:
    return mover == ENVIRONMENT or not state[mind_slot(mover, "asleep")]
