"""A small agent without beliefs or plans that carries a mission out: the vessel's actions in the
order of the repaired LISA agent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from volition.vessel.mission import Mission
from volition.vessel.vessel import Vessel

Gaps = Literal["at once", "later"]


@dataclass(frozen=True)
class Voyage:
    """How a mission went."""

    cycles: int
    path: float
    coverage: float
    min_distance: float
    outcome: str
    longest_stay: int
    properties: int


class ScriptedAgent:
    """One decision in every cycle; a feedback is waited for before the next action."""

    def __init__(
        self, mission: Mission, *, seed: int = 0, gaps: Gaps = "at once", step: float = 0.05
    ) -> None:
        self.vessel = Vessel(mission, seed=seed, step=step)
        self.names = mission.names
        self.gaps = gaps
        self.properties = 0
        self.stays: list[int] = []

    def sail(self, limit: int = 3000) -> Voyage:
        """The mission from beginning to end."""
        vessel, plan, stay = self.vessel, self._mission(), 0
        outcome, cycle = "", 0
        for _ in range(limit):
            cycle += 1
            vessel.advance(1.0)
            stay = stay + 1 if vessel.percepts()[self.names.at_waypoint] else 0
            self.stays.append(stay)
            if (outcome := next(plan, "over")) != "":
                break
        return Voyage(
            cycle,
            vessel.distance_travelled,
            vessel.coverage.fraction,
            vessel.min_distance,
            outcome,
            max(self.stays),
            self.properties,
        )

    def _act(self, action: str) -> Iterator[str]:
        """Call an action and wait for its feedback, which is left in ``self.answer``."""
        self.vessel.call(f"call of {action}", action)
        while True:
            yield ""
            if reports := self.vessel.feedbacks():
                self.answer = reports[-1][1]
                return

    def _mission(self) -> Iterator[str]:
        names, vessel = self.names, self.vessel
        yield from self._act(names.generate_waypoints)
        yield from self._act(names.drive)
        consented = decided = False
        while True:
            seen = vessel.percepts()
            decided = decided and seen[names.at_waypoint]
            consented = consented and seen[names.sea_too_high]
            if seen[names.sea_too_high] and not consented:
                yield from self._act(names.park)
                self.properties += 1
                yield from self._act(names.wait_for_instructions)
                if self.answer == names.refusal:
                    yield "aborted"
                consented = True
                yield from self._act(names.drive)
            elif seen[names.last_waypoint] and not seen[names.areas_left] and decided:
                yield from self._act(names.park)
                yield "complete"
            elif seen[names.at_waypoint] and not decided:
                decided = True
                yield ""
                yield ""
                seen = vessel.percepts()
                if seen[names.areas_left] and (self.gaps == "at once" or seen[names.last_waypoint]):
                    decided = False
                    yield from self._act(names.park)
                    yield from self._act(names.generate_waypoints)
                    yield from self._act(names.drive)
            else:
                yield ""
