"""The mission of a vessel: the survey area, the start, the sea, and the agent's names for actions,
feedbacks and percepts.

Everything has a default; together, the defaults are the mission of docs/explanation/vessel.md.
Positions are north and east in metres, angles are in degrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import cos, pi, radians, sin, tan
from typing import Any

from shapely import Polygon
from shapely.validation import explain_validity

from volition.vessel.control import Point
from volition.vessel.operator import OperatorModel
from volition.vessel.parameters import SEA_STATES, Anchor, Hull, Propulsion, hull_errors
from volition.vessel.percepts import Thresholds

__all__ = [
    "AgentVocabulary",
    "Mission",
    "Navigation",
    "SeaConditions",
    "Sensor",
    "StopConditions",
    "Survey",
    "mission_errors",
]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """The area to survey, its obstacles, and the layout of the tracks."""

    area: tuple[Point, ...] = (
        (-100.0, -60.0),
        (100.0, -60.0),
        (100.0, 40.0),
        (60.0, 60.0),
        (-100.0, 60.0),
    )
    obstacles: tuple[tuple[Point, ...], ...] = (
        tuple((20 + 6 * cos(each * pi / 4), -8 + 6 * sin(each * pi / 4)) for each in range(8)),
        ((-45.0, 26.0), (-35.0, 26.0), (-35.0, 34.0), (-45.0, 34.0)),
    )
    depth: float = 10.0
    cone: float = 50.0
    """Half of the sensor's opening angle, in degrees."""
    overlap: float = 0.16
    inset: float = 0.3
    """The distance between the end of a track and the edge of the survey area, as a fraction of
    ``reach``."""

    @property
    def reach(self) -> float:
        """The distance to each side that the sensor sees on the sea bed, in metres."""
        return self.depth * tan(radians(self.cone))


@dataclass(frozen=True, kw_only=True)
class Navigation:
    """Start position and heading of the vessel, its speeds, its clearance to obstacles, and its
    distances for reaching and leaving waypoints."""

    start: Point = (-130.0, 0.0)
    heading: float = 0.0
    speed: float = 1.5
    turning_speed: float = 0.8
    turning_error: float = 45.0
    """The heading error in degrees above which the vessel goes at its turning speed."""
    clearance: float = 10.0
    acceptance: float = 4.0
    release: float = 8.0
    """The distance from a waypoint, in metres, beyond which the vessel is no longer at that
    waypoint."""


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """When the vessel's sensor loses pings: during dropouts, and while roll or pitch exceeds
    ``tilt`` degrees.

    ``dropout_every`` is the mean time between dropouts in seconds (0: never), ``dropout_mean``
    their mean duration.
    """

    dropout_every: float = 0.0
    dropout_mean: float = 20.0
    tilt: float = 10.0


@dataclass(frozen=True, kw_only=True)
class SeaConditions:
    """The sea of a mission. ``heights`` are pairs of a time in seconds and a significant wave
    height in metres, with linear interpolation. A sea state (``state``) replaces heights and
    period."""

    heights: tuple[tuple[float, float], ...] = ((0.0, 0.0),)
    period: float = 5.0
    direction: float = 0.0
    state: int | None = None

    @property
    def profile(self) -> tuple[tuple[float, float], ...]:
        """The significant wave heights over time; constant if a sea state is given."""
        return self.heights if self.state is None else ((0.0, SEA_STATES[self.state].height),)

    @property
    def peak_period(self) -> float:
        """The peak period of the waves, taken from the sea state if one is given."""
        return self.period if self.state is None else SEA_STATES[self.state].period


@dataclass(frozen=True, kw_only=True)
class AgentVocabulary:
    """The English sentences that the LISA agent program uses as names of the vessel's actions,
    feedbacks and percepts. A percept whose sentence is empty is not reported to the agent."""

    generate_waypoints: str = "Generate set of waypoints"
    park: str = "Activate park mode"
    drive: str = "Activate drive mode"
    wait_for_instructions: str = "Wait for instructions"
    waypoints_generated: str = "Waypoints generated"
    parked: str = "Park mode"
    driving: str = "Drive mode"
    consent: str = "Continue"
    refusal: str = "Abort"
    sea_too_high: str = "Sea state is too high"
    at_waypoint: str = "I am at global waypoint"
    areas_left: str = "Areas left unexplored"
    last_waypoint: str = "Last waypoint reached"
    at_desired_speed: str = ""
    approaching: str = ""


@dataclass(frozen=True, kw_only=True)
class StopConditions:
    """Conditions that end a run of a mission: a belief that the agent adds itself (a mental note),
    or a number of reasoning cycles."""

    notes: tuple[str, ...] = ("Mission complete", "Mission aborted")
    cycles: int = 4000


@dataclass(frozen=True, kw_only=True)
class Mission:
    """A complete mission of the vessel. Each field corresponds to one TOML table of a mission
    file."""

    survey: Survey = field(default_factory=Survey)
    voyage: Navigation = field(default_factory=Navigation)
    sensor: Sensor = field(default_factory=Sensor)
    sea: SeaConditions = field(default_factory=SeaConditions)
    percepts: Thresholds = field(default_factory=Thresholds)
    operator: OperatorModel = field(default_factory=OperatorModel)
    names: AgentVocabulary = field(default_factory=AgentVocabulary)
    end: StopConditions = field(default_factory=StopConditions)
    hull: Hull = field(default_factory=Hull)
    propulsion: Propulsion = field(default_factory=Propulsion)
    anchor: Anchor = field(default_factory=Anchor)


def mission_errors(mission: Mission) -> Iterator[tuple[str, str, str]]:
    """Yield the errors of a mission. Each error has the TOML table and the key of the invalid
    value, and a text that says what is wrong."""
    for table, key, minimum, maximum in _RANGES:
        value = getattr(getattr(mission, table), key)
        if not minimum <= value <= maximum:
            yield table, key, f"must be {_range(minimum, maximum)}, not {value:g}"
    yield from (("hull", key, message) for key, message in hull_errors(mission.hull))
    yield from _survey_errors(mission)
    if mission.voyage.release < mission.voyage.acceptance:
        yield (
            "voyage",
            "release",
            "must not be less than 'acceptance': the vessel would leave a waypoint before it "
            "reaches it",
        )
    if mission.percepts.sea_calm > mission.percepts.sea_high:
        yield "percepts", "sea_calm", "must not be more than 'sea_high'"
    if mission.percepts.areas_end > mission.percepts.areas_begin:
        yield "percepts", "areas_end", "must not be more than 'areas_begin'"
    yield from _sea_errors(mission.sea)
    low, high = mission.operator.delay
    if not 0 <= low <= high:
        yield "operator", "delay", "must be two numbers of seconds, the smaller one first"
    if any(delay < 0 for delay, _ in mission.operator.script):
        yield "operator", "script", "has a delay below 0"


def _survey_errors(mission: Mission) -> Iterator[tuple[str, str, str]]:
    survey = mission.survey
    for key, polygon in (
        ("area", survey.area),
        *(("obstacles", each) for each in survey.obstacles),
    ):
        if problem := _polygon_error(polygon):
            yield "survey", key, problem
            return
    if (cells := _bounding_cells(survey.area)) > MAX_CELLS:
        yield (
            "survey",
            "area",
            f"has a bounding box of {cells:,.0f} square metres, but at most {MAX_CELLS:,} are "
            "possible",
        )
    start = Polygon([*_square(mission.voyage.start, 0.01)])
    if any(Polygon(each).intersects(start) for each in survey.obstacles):
        yield "voyage", "start", "is inside an obstacle"


def _bounding_cells(area: Sequence[Point]) -> float:
    """Return the size of the bounding box of a polygon in square metres, which is the number of
    cells of its map (:class:`volition.vessel.coverage.SeaBedCoverage`)."""
    south, west, north, east = Polygon(area).bounds
    return float((north - south) * (east - west))


def _sea_errors(sea: SeaConditions) -> Iterator[tuple[str, str, str]]:
    if sea.state is not None and not 0 <= sea.state < len(SEA_STATES):
        yield "sea", "state", f"must be from 0 to {len(SEA_STATES) - 1}, not {sea.state}"
    times = [time for time, _ in sea.heights]
    if not times or any(later <= earlier for earlier, later in pairwise(times)):
        yield "sea", "heights", "must be a list of times and heights with increasing times"
    if any(height < 0 for _, height in sea.heights):
        yield "sea", "heights", "has a height below 0"


def _polygon_error(corners: Sequence[Point]) -> str | None:
    if len(corners) < 3:
        return "has a polygon of fewer than three corners"
    polygon: Any = Polygon(corners)
    if not polygon.is_valid:
        return f"has an invalid polygon: {explain_validity(polygon)}"
    return None


def _square(place: Point, half: float) -> Iterator[Point]:
    for north, east in ((-1, -1), (-1, 1), (1, 1), (1, -1)):
        yield place[0] + north * half, place[1] + east * half


SMALL = 1e-6
MAX_CELLS = 4_000_000
"""Maximum number of cells, of one square metre each, in the map of the survey area."""
ANY = float("inf")

_RANGES: tuple[tuple[str, str, float, float], ...] = (
    ("survey", "depth", SMALL, ANY),
    ("survey", "cone", 1.0, 85.0),
    ("survey", "overlap", 0.0, 0.95),
    ("survey", "inset", 0.0, ANY),
    ("voyage", "speed", SMALL, ANY),
    ("voyage", "turning_speed", SMALL, ANY),
    ("voyage", "turning_error", 0.0, 180.0),
    ("voyage", "clearance", 0.0, ANY),
    ("voyage", "acceptance", SMALL, ANY),
    ("sensor", "dropout_every", 0.0, ANY),
    ("sensor", "dropout_mean", SMALL, ANY),
    ("sensor", "tilt", 0.0, 90.0),
    ("sea", "period", 0.1, ANY),
    ("operator", "consent", 0.0, 1.0),
    ("end", "cycles", 1, ANY),
    ("propulsion", "thrust_astern", 0.0, ANY),
    ("propulsion", "thrust_ahead", SMALL, ANY),
    ("propulsion", "thrust_lag", 0.0, ANY),
    ("propulsion", "rudder_limit", 0.0, 90.0),
    ("propulsion", "rudder_rate", SMALL, ANY),
    ("anchor", "stiffness", 0.0, ANY),
    ("anchor", "damping", 0.0, ANY),
    ("anchor", "yaw_damping", 0.0, ANY),
    ("anchor", "strength", SMALL, ANY),
)


def _range(minimum: float, maximum: float) -> str:
    lower = "more than 0" if minimum == SMALL else f"at least {minimum:g}"
    return lower if maximum == ANY else f"between {minimum:g} and {maximum:g}"
