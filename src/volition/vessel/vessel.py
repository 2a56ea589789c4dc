"""The simulated vessel and its interface to an agent: it executes the actions that the agent calls,
and reports feedbacks and percepts. It moves in lock-step with the agent: after each reasoning
cycle, simulated time advances by the duration of one cycle.

Each part runs at its own rate: the dynamics at 20 Hz, control and the record of the vessel's heave
at 10 Hz, the sensor and the percepts once per cycle. Within a cycle, the vessel first moves, then
its sensors measure, and the percepts are computed. Then the agent reasons. Finally, its actions are
executed and the controllers compute their commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, dist, exp, hypot, radians, sin, tan
from random import Random
from typing import Any, Literal

import shapely
from shapely import Polygon

from volition.vessel.actuators import Actuators
from volition.vessel.anchor import DroppedAnchor
from volition.vessel.control import Point, SpeedControl, angle_between, rudder_for, turn_away
from volition.vessel.coverage import CellRun, Dropouts, SeaBedCoverage
from volition.vessel.dynamics import Dynamics, State, at_rest
from volition.vessel.mission import Mission
from volition.vessel.operator import Operator
from volition.vessel.percepts import HeaveLog, Observation, PerceptProcess
from volition.vessel.planner import Planner
from volition.vessel.route import Leg, MotionPlanner, Route, plan_route
from volition.vessel.survey_tracks import blocks_of
from volition.vessel.waves import Wave, irregular_sea

__all__ = ["Mode", "Pose", "Vessel", "VesselEvent"]

Mode = Literal["adrift", "park", "drive"]

RATE = 20
"""Number of simulation steps of the dynamics per second."""
CONTROL_EVERY, CYCLE_EVERY = 2, 20
HEAVE_SECONDS = 60
TURNING_ROUND = radians(90)
PARKED_BELOW, DRIVING_ABOVE = 0.2, 0.5
SPEED_FILTER = 2.0
"""Time constant, in seconds, of the filter for the speed over ground by which the vessel detects
that it is parked. Without the filter, waves would keep the vessel in motion."""


@dataclass(frozen=True)
class VesselEvent:
    """Event that is written to the record of a run but is not a percept. Its ``kind`` is
    ``interlock`` (the vessel waits for the operator before it drives) or ``unreachable`` (a point
    of the survey has no path)."""

    time: float
    kind: str
    text: str


@dataclass(frozen=True)
class Pose:
    """Position and motion of the vessel. ``eta`` has the position and the angles, ``velocity`` the
    velocity, both in north-east-down axes. ``nu`` has the velocities and angular rates in body
    axes. The other fields are the state of the motor, the rudder, the anchor and the control."""

    time: float
    eta: tuple[float, ...]
    nu: tuple[float, ...]
    velocity: tuple[float, float, float]
    thrust: float
    rudder: float
    anchor: Point | None
    mode: Mode
    set_speed: float
    target: Point | None
    """The end of the track that the vessel follows, or None."""


class Vessel:
    """A vessel on its mission. The same mission, seed and calls give the same voyage.

    ``step`` is the step size of the dynamics in seconds. A tenth of a second must be a whole number
    of steps.
    """

    def __init__(self, mission: Mission, *, seed: int = 0, step: float = 1 / RATE) -> None:
        self.mission = mission
        survey, voyage, sea = mission.survey, mission.voyage, mission.sea
        self._seconds = step
        self._control_every, self._cycle_every = (
            round(each / RATE / step) for each in (CONTROL_EVERY, CYCLE_EVERY)
        )
        height = 1.0 if any(each for _, each in sea.profile) else 0.0
        waves = irregular_sea(
            height,
            sea.peak_period,
            radians(sea.direction),
            Random(f"{seed}/waves"),
            profile=sea.profile,
        )
        self._dynamics = Dynamics(mission.hull, waves)
        self._state: State = at_rest(
            mission.hull,
            north=voyage.start[0],
            east=voyage.start[1],
            heading=radians(voyage.heading),
        )
        self._steps = 0
        self._actuators = Actuators(mission.propulsion)
        self._command = (0.0, 0.0)
        self._set_speed = 0.0
        self._speed_control = SpeedControl(mission.hull, mission.propulsion)
        self._anchor: DroppedAnchor | None = None
        self._drift = (0.0, 0.0)
        self._mode: Mode = "adrift"
        self._planner = Planner(survey.obstacles, voyage.clearance)
        inset = survey.inset * survey.reach
        self.blocks = blocks_of(
            survey.area, survey.reach, overlap=survey.overlap, inset=inset, start=voyage.start
        )
        self.coverage = SeaBedCoverage(survey.area, survey.obstacles, self.blocks, survey.reach)
        self._finished: set[int] = set()
        self._route = Route(())
        self._motion = MotionPlanner(voyage.acceptance)
        self._waypoint: Point | None = None
        """The global waypoint at which the vessel perceives itself to be, or None."""
        self._reached: Point | None = None
        """The last global waypoint that was reached, or None."""
        self._dropouts = Dropouts(
            mission.sensor.dropout_every, mission.sensor.dropout_mean, Random(f"{seed}/sensor")
        )
        self._heave = HeaveLog(round(HEAVE_SECONDS / (step * self._control_every)))
        self._process = PerceptProcess(mission.percepts)
        self._observed = Observation(0.0, 0, 0, 0.0, 0.0, 0.0)
        self._operator = Operator(mission.operator, Random(f"{seed}/operator"))
        self._drive_on_consent = False
        self._waiting: dict[str, list[str]] = {}
        self._reports: list[tuple[str, str]] = []
        self._events: list[VesselEvent] = []
        self._actions = {
            mission.names.generate_waypoints: self._generate_waypoints,
            mission.names.park: self._park,
            mission.names.drive: self._drive,
            mission.names.wait_for_instructions: self._ask_operator,
        }
        self.distance_travelled = 0.0
        self.min_distance = float("inf")

    # --- interface for the agent ------------------------------------------------------------------

    @property
    def actions(self) -> tuple[str, ...]:
        """The sentences of the agent program for the actions that the vessel can execute."""
        return tuple(self._actions)

    def call(self, identity: str, action: str, objects: Mapping[str, Any] | None = None) -> None:
        """Start an action. ``identity`` identifies the call: the one feedback that the action gives
        to this call has the same identity. ``objects`` must be empty, because the actions of the
        vessel have no arguments. Raise :class:`ValueError` otherwise, and for an unknown action."""
        known = {_plain(name): name for name in self._actions}
        if (name := known.get(_plain(action))) is None:
            raise ValueError(f"the vessel has no action '{action}'")
        if objects:
            raise ValueError(f"the action '{name}' takes no objects")
        self._waiting.setdefault(name, []).append(identity)
        self._actions[name]()

    def stop(self, action: str) -> None:
        """Stop an action. If the action has only one possible feedback and has not given it yet,
        the feedback is given now. A request to the operator stays open."""
        names = self.mission.names
        for name, feedback in (
            (names.generate_waypoints, names.waypoints_generated),
            (names.park, names.parked),
            (names.drive, names.driving),
        ):
            if _plain(name) == _plain(action):
                self._report(name, feedback)

    def advance(self, seconds: float) -> None:
        """Advance the simulation by a number of seconds. Raise
        :class:`~volition.vessel.dynamics.Capsized` if the vessel capsizes."""
        for _ in range(round(seconds / self._seconds)):
            if self._steps % self._control_every == 0:
                self._steer()
            self._actuators.follow(*self._command, self._seconds)
            before = self._state
            self._state = self._dynamics.step(
                before,
                self.time,
                self._seconds,
                thrust=self._actuators.thrust,
                rudder=self._actuators.rudder,
                anchor=self._anchor,
            )
            self._steps += 1
            self.distance_travelled += hypot(self._state[0] - before[0], self._state[1] - before[1])
            if self._steps % self._control_every == 0:
                self._sense()
            if self._steps % self._cycle_every == 0:
                self._ping()
                self._perceive()

    # --- percepts and data for the record ---------------------------------------------------------

    @property
    def time(self) -> float:
        """The simulated time since the start of the mission, in seconds."""
        return self._steps * self._seconds

    def percepts(self) -> dict[str, bool]:
        """Return the truth value of each percept in this cycle, by the sentence that names the
        percept in the agent program."""
        names = vars(self.mission.names)
        return {names[key]: held for key, held in self._process.held().items() if names[key]}

    def why(self) -> dict[str, dict[str, float]]:
        """Return the measurements from which each percept was computed, by the sentence of the
        percept in the agent program."""
        seen = self._observed
        numbers = {
            "sea_too_high": {"hs": seen.wave_height},
            "at_waypoint": {"distance": seen.from_waypoint},
            "areas_left": {"unseen": float(seen.unseen)},
            "last_waypoint": {"legs": float(seen.legs_left)},
            "at_desired_speed": {"speed": seen.speed, "set_speed": seen.set_speed},
            "approaching": {"distance": seen.distance},
        }
        names = vars(self.mission.names)
        return {names[key]: each for key, each in numbers.items() if names[key]}

    def feedbacks(self) -> list[tuple[str, str]]:
        """Return the feedbacks since the last call of this method: pairs of the identity of the
        action's call and the sentence of the feedback."""
        reports, self._reports = self._reports, []
        return reports

    def events(self) -> list[VesselEvent]:
        """Return the events of the vessel since the last call of this method."""
        events, self._events = self._events, []
        return events

    def pose(self) -> Pose:
        """Return the current position and motion of the vessel."""
        anchor = None if self._anchor is None else (self._anchor.north, self._anchor.east)
        return Pose(
            self.time,
            tuple(self._state[:6]),
            tuple(self._state[6:]),
            self._velocity(),
            self._actuators.thrust,
            self._actuators.rudder,
            anchor,
            self._mode,
            self._set_speed if self._mode == "drive" else 0.0,
            None if self._motion.track is None else self._motion.track.end,
        )

    def route(self) -> Sequence[Leg]:
        """Return the legs of the last planned route. Each new route is a different object."""
        return self._route.legs

    def coverage_changes(self) -> list[CellRun]:
        """Return the cells of the sea bed that the sensor has seen for the first time since the
        last call of this method."""
        return self.coverage.changes()

    @property
    def inflated_obstacles(self) -> Sequence[Polygon]:
        """The obstacles, enlarged by the clearance that paths keep from them."""
        return [
            each for each in shapely.get_parts(self._planner.inflated).tolist() if each.exterior
        ]

    @property
    def waves(self) -> Sequence[Wave]:
        """The wave components of the sea, for a significant wave height of one metre."""
        return self._dynamics.sea.waves

    def sea(self) -> dict[str, float]:
        """Return the significant wave height in metres (``hs``), and the vessel's estimate of it
        (``hs_estimated``)."""
        return {
            "hs": self._dynamics.sea.height(self.time),
            "hs_estimated": self._observed.wave_height,
        }

    # --- actions ----------------------------------------------------------------------------------

    def _generate_waypoints(self) -> None:
        self._route = plan_route(
            self._position, self.blocks, self._finished, self.coverage, self._planner
        )
        self._motion.follow(self._route.legs, self._position)
        self._waypoint = None
        for place in self._route.unreachable:
            self._log_event(
                "unreachable",
                f"there is no path to {place[0]:.0f} m north, {place[1]:.0f} m east that keeps "
                "clear of the obstacles",
            )
        self._report(self.mission.names.generate_waypoints, self.mission.names.waypoints_generated)

    def _park(self) -> None:
        self._report(
            self.mission.names.drive, self.mission.names.driving
        )  # superseded, so it would never report by itself
        self._drive_on_consent = False
        self._mode = "park"
        if self._anchor is None:
            self._anchor = DroppedAnchor(self.mission.anchor, *self._position)
        self._speed_control.clear()
        self._command = (0.0, 0.0)

    def _drive(self) -> None:
        if self._operator.has_question and self._mode == "park":
            self._drive_on_consent = True
            self._log_event("interlock", "the vessel stays parked until the operator answers")
            self._report(self.mission.names.drive, self.mission.names.driving)
            return
        self._start_driving()

    def _start_driving(self) -> None:
        self._report(self.mission.names.park, self.mission.names.parked)
        self._mode = "drive"
        self._anchor = None

    def _ask_operator(self) -> None:
        self._operator.ask(self.time)

    def _report(self, action: str, feedback: str) -> None:
        """Send a feedback to all open calls of an action."""
        self._reports += [(identity, feedback) for identity in self._waiting.pop(action, ())]

    def _log_event(self, kind: str, text: str) -> None:
        self._events.append(VesselEvent(self.time, kind, text))

    # --- sequencing and control -------------------------------------------------------------------

    def _steer(self) -> None:
        if self._mode != "drive":
            return
        voyage, seconds, place = (
            self.mission.voyage,
            self._seconds * self._control_every,
            self._position,
        )
        for leg in self._motion.advance(place):
            if leg.block is not None:
                self._finished.add(leg.block)
            if leg.is_global:
                self._waypoint = self._reached = leg.points[-1]
        heading, ahead, yaw_rate = self._state[5], self._state[6], self._state[11]
        track = self._motion.track
        if track is None:
            self._set_speed = 0.0
            self._command = (self._speed_control.thrust(0.0, ahead, seconds), 0.0)
            return
        turn = angle_between(track.heading_from(place), heading)
        self._set_speed = (
            voyage.turning_speed if abs(turn) > radians(voyage.turning_error) else voyage.speed
        )
        if abs(turn) > TURNING_ROUND:
            turn = self._turn_away_from_obstacle(turn, heading)
        self._command = (
            self._speed_control.thrust(self._set_speed, ahead, seconds),
            rudder_for(turn, yaw_rate),
        )

    def _turn_away_from_obstacle(self, turn: float, heading: float) -> float:
        """Return the given turn, unless an obstacle is within the clearance and the turn goes
        towards it. In that case return the turn the other way round. This is needed because the
        planner of paths ignores headings."""
        near = self._planner.nearest(self._position)
        if near is None or dist(near, self._position) > self.mission.voyage.clearance:
            return turn
        return turn_away(
            turn, heading, atan2(near[1] - self._position[1], near[0] - self._position[0])
        )

    # --- sensing and abstraction ------------------------------------------------------------------

    @property
    def _position(self) -> Point:
        return self._state[0], self._state[1]

    def _velocity(self) -> tuple[float, float, float]:
        north, east, down, *_ = self._dynamics.derivatives()(self._state, self.time)
        return north, east, down

    def _sense(self) -> None:
        names = self.mission.names
        self._heave.add(self._state[2])
        north, east, _ = self._velocity()
        share = 1 - exp(-self._seconds * self._control_every / SPEED_FILTER)
        self._drift = (
            self._drift[0] + share * (north - self._drift[0]),
            self._drift[1] + share * (east - self._drift[1]),
        )
        if self._mode == "park" and hypot(*self._drift) < PARKED_BELOW:
            self._report(names.park, names.parked)
        if self._mode == "drive" and (
            hypot(north, east) > DRIVING_ABOVE or self._motion.track is None
        ):
            self._report(names.drive, names.driving)
        if (answer := self._operator.answer(self.time)) is not None:
            self._report(
                names.wait_for_instructions,
                names.consent if answer == "continue" else names.refusal,
            )
            if answer == "continue" and self._drive_on_consent:
                self._start_driving()
            self._drive_on_consent = False

    def _ping(self) -> None:
        sensor, depth = self.mission.sensor, self.mission.survey.depth
        north, east, _, roll, pitch, heading = self._state[:6]
        tilt = radians(sensor.tilt)
        if not self._dropouts.is_down(self.time) and abs(roll) <= tilt and abs(pitch) <= tilt:
            ahead, starboard = depth * tan(pitch), -depth * tan(roll)
            self.coverage.mark(
                north + ahead * cos(heading) - starboard * sin(heading),
                east + ahead * sin(heading) + starboard * cos(heading),
            )

    def _perceive(self) -> None:
        if (
            self._waypoint is not None
            and hypot(self._position[0] - self._waypoint[0], self._position[1] - self._waypoint[1])
            > self.mission.voyage.release
        ):
            self._waypoint = None
        track = self._motion.track
        ahead = 0.0 if track is None else dist(track.end, self._position)
        self._observed = Observation(
            self._heave.height,
            int(self.coverage.unseen(self._finished).sum()),
            self._motion.legs_left,
            ahead,
            self._state[6],
            self._set_speed,
            ahead if self._reached is None else dist(self._reached, self._position),
        )
        self._process.tick(self._observed, self._waypoint is not None)
        if (near := self._planner.nearest(self._position)) is not None:
            self.min_distance = min(self.min_distance, dist(near, self._position))


def _plain(sentence: str) -> str:
    """Return the normal form of a LISA sentence: case, spaces, underscores and the final dot do not
    matter (docs/reference/lisa.md)."""
    return " ".join(sentence.replace("_", " ").rstrip(" .").casefold().split())
