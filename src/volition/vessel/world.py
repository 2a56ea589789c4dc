"""The vessel as the world of a running LISA agent. It executes the actions of Izzo, Table 6.4.
Simulated time advances only between two reasoning cycles of the agent (lock-step).

The vessel is part of Volition and does not fail, so its code is called without a timeout, unlike
the code of users. The record of the run gets the position of the vessel in every cycle, the
coverage of the sea bed every ten cycles, each new route, and a summary of the voyage at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.languages.lisa.names import name_of
from volition.languages.lisa.resolved import ResolvedAgent
from volition.runtime.messages import (
    ActionFeedback,
    ActionRequest,
    Inbox,
    PerceptReading,
    StopRequest,
)
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State
from volition.vessel.coverage import CellRun
from volition.vessel.dynamics import Capsized
from volition.vessel.mission import Mission, StopConditions
from volition.vessel.mission_file import load_mission
from volition.vessel.vessel import Vessel

__all__ = ["VesselWorld", "vessel_world"]

COVERAGE_EVERY = 10
"""Number of cycles between two lines about coverage in the record."""


def vessel_world(agent: ResolvedAgent, mission: Path | None, seed: int) -> VesselWorld:
    """Return a world with the vessel on the mission of a file, or on the default mission of
    docs/explanation/vessel.md. Raise :class:`InputError` if the mission file has errors or does not
    fit the agent."""
    return VesselWorld(
        agent, Vessel(Mission() if mission is None else load_mission(mission), seed=seed)
    )


class VesselWorld:
    """World of a LISA agent that controls the simulated vessel."""

    name = "vessel"

    def __init__(self, agent: ResolvedAgent, vessel: Vessel) -> None:
        self._agent = agent
        self.vessel = vessel
        self._texts = {action.name: action.text for action in agent.actions}
        self._actions: dict[int, str] = {}
        """The action of each call that has not received its feedback, by the id of the call."""
        self._route: object = None
        self._cycle, self._time = 0, 0.0
        """The cycle and the time up to which the vessel has been simulated."""
        known = {name_of(each) for each in vessel.actions}
        if unknown := [each.text for each in agent.actions if each.name not in known]:
            hint = (
                f"its actions are {', '.join(vessel.actions)}; the table [names] of the mission "
                "file can give them other names"
            )
            raise InputError(
                [
                    Diagnostic(
                        "VES010",
                        f"the simulated vessel does not know the action '{each}'",
                        hint=hint,
                    )
                    for each in unknown
                ]
            )
        if (notes := vessel.mission.end.notes) not in (
            (),
            StopConditions().notes,
        ) and not self.ends:  # only for notes other than the defaults
            hint = (
                did_you_mean(notes[0], agent.beliefs.values())
                or "set 'notes' in the table [end] of the mission to beliefs of the agent"
            )
            raise InputError(
                [
                    Diagnostic(
                        "VES011",
                        f"the agent never believes '{notes[0]}', which should end the mission",
                        hint=hint,
                    )
                ]
            )

    @property
    def ends(self) -> tuple[str, ...]:
        """The beliefs that end the mission. Beliefs that do not occur in the agent program are left
        out: the agent as printed in Izzo's thesis has no belief for an aborted mission."""
        return tuple(
            note for note in self.vessel.mission.end.notes if name_of(note) in self._agent.beliefs
        )

    @property
    def cycles(self) -> int:
        return self.vessel.mission.end.cycles

    def begin(self, journal: RunLog) -> None:
        self._journal = journal
        survey, voyage, hull = (
            self.vessel.mission.survey,
            self.vessel.mission.voyage,
            self.vessel.mission.hull,
        )
        journal.write(
            "world",
            area=survey.area,
            obstacles=survey.obstacles,
            strips=[
                [_rounded_list(corner) for corner in block.strip.exterior.coords]
                for block in self.vessel.blocks
            ],
            tracks=[[_rounded_list(end) for end in block.track] for block in self.vessel.blocks],
            reach=survey.reach,
            origin=self.vessel.coverage.origin,
            rows=self.vessel.coverage.cells.shape[0],
            columns=self.vessel.coverage.cells.shape[1],
            clearance=voyage.clearance,
            inflated=[
                [_rounded_list(corner) for corner in each.exterior.coords]
                for each in self.vessel.inflated_obstacles
            ],
            acceptance=voyage.acceptance,
            release=voyage.release,
            hull={"length": hull.length, "beam": hull.beam, "draft": hull.draft},
            mission=asdict(self.vessel.mission),
        )
        components = [
            [each.amplitude, each.north, each.east, each.frequency, each.phase]
            for each in self.vessel.waves
        ]
        journal.write("waves", t=0.0, components=[_rounded_list(each) for each in components])

    def receive(self, state: State, cycle: int) -> Mapping[str, Inbox]:  # noqa: ARG002
        why = self.vessel.why()
        known = {percept.name for percept in self._agent.percepts}
        percepts = self.vessel.percepts()
        sights = [
            PerceptReading(name, held, _rounded(why.get(text, {})))
            for text, held in percepts.items()
            if (name := name_of(text)) in known
        ]
        reports = [
            ActionFeedback(int(call), self._actions.pop(int(call)), name_of(feedback))
            for call, feedback in self.vessel.feedbacks()
        ]
        return {self._agent.name: Inbox(tuple(sights), tuple(reports))}

    def call(self, call: ActionRequest, cycle: int) -> None:  # noqa: ARG002
        self._actions[call.id] = call.action
        self.vessel.call(str(call.id), self._texts[call.action])

    def stop(self, stop: StopRequest, cycle: int) -> None:  # noqa: ARG002
        self.vessel.stop(self._texts[stop.action])

    def advance(self, start: float, end: float, cycle: int) -> str | None:
        self._log_route(start)
        try:
            self.vessel.advance(end - start)
        except Capsized:
            return "capsized"
        finally:
            self._cycle, self._time = cycle, end
            self._log_state(end, cycle)
        return None

    def close(self) -> None:
        vessel = self.vessel
        nearest = vessel.min_distance if isfinite(vessel.min_distance) else None
        seen = vessel.coverage.fraction
        text = f"{vessel.distance_travelled:,.0f} m, {seen:.2%} of the area seen"
        text += "" if nearest is None else f", at least {nearest:.1f} m from obstacles"
        if runs := vessel.coverage_changes():
            self._log_coverage(self._time, runs)
        self._journal.write(
            "voyage",
            cycle=self._cycle,
            t=self._time,
            path=round(vessel.distance_travelled, 2),
            seen=round(seen, 5),
            least_distance=None if nearest is None else round(nearest, 3),
            text=text,
        )

    # --- the record -------------------------------------------------------------------------------

    def _log_state(self, time: float, cycle: int) -> None:
        pose = self.vessel.pose()
        self._journal.write(
            "pose",
            t=time,
            eta=_rounded_list(pose.eta),
            nu=_rounded_list(pose.nu),
            vel_n=_rounded_list(pose.velocity),
            thrust=round(pose.thrust, 3),
            rudder=round(pose.rudder, 5),
            anchor=None if pose.anchor is None else _rounded_list(pose.anchor),
            mode=pose.mode,
            set_speed=pose.set_speed,
            target=None if pose.target is None else _rounded_list(pose.target),
        )
        for event in self.vessel.events():
            if event.kind == "interlock":
                self._journal.write("interlock", cycle=cycle, t=event.time, text=event.text)
            else:
                self._journal.write(
                    "refused", cycle=cycle, what="vessel", name=event.kind, text=event.text
                )
        if (cycle + 1) % COVERAGE_EVERY == 0:
            self._log_coverage(time, self.vessel.coverage_changes())
            self._journal.write(
                "sea",
                t=time,
                **{name: round(value, 4) for name, value in self.vessel.sea().items()},
            )

    def _log_coverage(self, time: float, runs: Sequence[CellRun]) -> None:
        self._journal.write(
            "coverage", t=time, runs=runs, share=round(self.vessel.coverage.fraction, 5)
        )

    def _log_route(self, time: float) -> None:
        route = self.vessel.route()
        if route is not self._route:
            self._route = route
            legs = [
                {
                    "points": [_rounded_list(point) for point in leg.points],
                    "block": leg.block,
                    "global": leg.is_global,
                }
                for leg in route
            ]
            self._journal.write("route", t=time, legs=legs)


def _rounded_list(numbers: Any) -> list[float]:
    return [round(each, 5) for each in numbers]


def _rounded(why: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in why.items()}
