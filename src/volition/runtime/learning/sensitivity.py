"""What the intervals of learned numbers mean for a value: verification over their ends, and robust
bounds.

The value is computed at the learned numbers, with each number in turn at both ends of its interval,
and with all that matter at all combinations of their ends.  Where it rises or falls with each
number alone, wherever the others are, its extremes in the box are at these corners; that is looked
at there, not proved.  The robust bounds hold in the whole box, and may be wider than need be.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from volition.analysis.sweeps.experiment import open_experiment
from volition.analysis.sweeps.grid import Point, point_text
from volition.analysis.sweeps.robust import RobustBounds, robust_bounds
from volition.analysis.sweeps.sweep import as_parametric, values_at
from volition.checking.properties import Property
from volition.checking.storm.client import EngineError
from volition.checking.task import CheckSettings
from volition.diagnostics import InputError
from volition.kernel.weights import ParameterValueNeeded
from volition.languages.protocols import ParametricProgram, Program
from volition.runtime.learning.results import LearningResult

__all__ = ["Sensitivity", "ValueRange", "value_ranges"]

MAX_VARIED = 6
"""Numbers whose ends are combined: twice as many points for each."""

_SAME = 1e-12
"""Values that differ by less are the same; the engine computes in floating point."""

Direction = Literal["none", "rises", "falls", "neither"]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What a number does to a value: its interval, the values at its ends alone, and how the value
    goes with it wherever it was looked."""

    name: str
    lower: Fraction
    upper: Fraction
    at_lower: float
    at_upper: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The values of a formula over the ends of intervals.

    ``value`` is that at the learned numbers, ``least`` and ``most`` the extremes at the points
    looked at, of which there were ``points``. ``robust`` is None where there are no robust bounds;
    ``why_not`` says why.
    """

    formula: str
    value: float
    minimum: float
    maximum: float
    min_at: Point
    max_at: Point
    points: int
    influences: tuple[Sensitivity, ...]
    robust: RobustBounds | None
    why_not: str | None = None

    @property
    def monotone(self) -> bool:
        """Whether the value rises or falls with each number, wherever it was looked."""
        return all(each.direction != "neither" for each in self.influences)

    def sentences(self) -> tuple[str, ...]:
        """The range, where it comes from, and how far it can be trusted."""
        texts = [
            (
                f"{_short(self.value)} at the learned numbers, {_short(self.minimum)} to "
                f"{_short(self.maximum)} at {self.points:,} points"
            )
        ]
        texts[0] += (
            " (all ends of the intervals)"
            if len(self._moving) <= MAX_VARIED
            else f" ({MAX_VARIED} numbers at all ends, the others alone)"
        )
        for each in sorted(self._moving, key=lambda each: -abs(each.at_upper - each.at_lower)):
            how = {
                "rises": "rises with",
                "falls": "falls with",
                "neither": "neither rises nor falls steadily with",
            }[each.direction]
            interval = f"{_short(float(each.lower))} to {_short(float(each.upper))}"
            texts.append(
                f"{how} {each.name} in {interval}: {_short(each.at_lower)} to "
                f"{_short(each.at_upper)} by it alone"
            )
        texts.append(
            (
                "monotone wherever it was looked: between the ends it should be in this range (looked "  # noqa: E501
                "at, not proved)"
            )
            if self.monotone
            else "not monotone: between the ends it may be outside of this range"
        )
        if self.robust is not None:
            bounds = f"{_short(self.robust.lower)} to {_short(self.robust.upper)}"
            texts.append(
                f"robust: {bounds} for all numbers in the intervals (interval MDP, Storm's value "
                "iteration without a proven error)"
            )
        elif self.why_not is not None:
            texts.append(f"no robust bounds: {self.why_not}")
        return tuple(texts)

    @property
    def _moving(self) -> list[Sensitivity]:
        return [each for each in self.influences if each.direction != "none"]

    def as_json(self) -> dict[str, Any]:
        return {
            "formula": self.formula,
            "value": self.value,
            "least": self.minimum,
            "most": self.maximum,
            "least_at": {name: float(value) for name, value in self.min_at.items()},
            "most_at": {name: float(value) for name, value in self.max_at.items()},
            "points": self.points,
            "monotone": self.monotone,
            "influences": [
                {
                    "name": each.name,
                    "lower": float(each.lower),
                    "upper": float(each.upper),
                    "at_lower": each.at_lower,
                    "at_upper": each.at_upper,
                    "direction": each.direction,
                }
                for each in self.influences
            ],
            "robust": None
            if self.robust is None
            else {"lower": self.robust.lower, "upper": self.robust.upper},
            "why_not_robust": self.why_not,
        }


def value_ranges(
    program: Program,
    learned: LearningResult,
    properties: Sequence[Property],
    *,
    settings: CheckSettings | None = None,
    processes: int | None = None,
    robust: bool = True,
) -> list[ValueRange]:
    """The range of each question's value over the ends of the learned intervals; raises
    :class:`InputError` where there are none.

    The program gets the learned numbers first.
    """
    parametric = as_parametric(program)
    exact = {
        each.name: each.exact if each.exact is not None else Fraction(each.value)
        for each in learned.parameters
        if each.value is not None
    }
    free = {
        name: value for name, value in exact.items() if name not in learned.dependent_parameters
    }
    fitted = parametric.with_parameters(free)
    intervals = {name: ends for name, ends in learned.intervals.items() if ends[0] < ends[1]}
    if not intervals:
        return []
    return [
        _range(fitted, free, intervals, prop, settings, processes, robust) for prop in properties
    ]


def _range(
    program: ParametricProgram,
    learned: Mapping[str, Fraction],
    intervals: Mapping[str, tuple[Fraction, Fraction]],
    prop: Property,
    settings: CheckSettings | None,
    processes: int | None,
    robust: bool,
) -> ValueRange:
    centre = {name: learned[name] for name in intervals}
    alone = [{**centre, name: end} for name, ends in intervals.items() for end in ends]
    values = _Values(program, prop, settings, processes)
    at_centre, *at_ends = values.at([centre, *alone])
    pairs = {
        name: (at_ends[2 * index], at_ends[2 * index + 1]) for index, name in enumerate(intervals)
    }
    size = {
        name: max(abs(low - at_centre), abs(high - at_centre), abs(high - low))
        for name, (low, high) in pairs.items()
    }
    moving = sorted(
        (name for name in intervals if size[name] > _SAME), key=lambda name: -size[name]
    )
    varied = moving[:MAX_VARIED]
    corners = [
        {**centre, **dict(zip(varied, ends, strict=True))}
        for ends in itertools.product(*(intervals[name] for name in varied))
    ]
    at_corners = values.at(corners)
    looked = [
        (at_centre, centre),
        *zip(at_ends, alone, strict=True),
        *zip(at_corners, corners, strict=True),
    ]
    influences = [
        Sensitivity(
            name,
            *intervals[name],
            *pairs[name],
            _direction(name, varied, pairs[name], at_centre, at_corners),
        )
        for name in intervals
    ]
    minimum, maximum = min(looked, key=lambda each: each[0]), max(looked, key=lambda each: each[0])
    bounds, why_not = (
        _robust(program, {name: intervals[name] for name in moving}, prop, settings)
        if robust and moving
        else (None, None)
    )
    return ValueRange(
        prop.text,
        at_centre,
        minimum[0],
        maximum[0],
        minimum[1],
        maximum[1],
        len(looked),
        tuple(influences),
        bounds,
        why_not,
    )


class _Values:
    """The values of one question at points, explored as seldom as possible."""

    def __init__(
        self,
        program: ParametricProgram,
        prop: Property,
        settings: CheckSettings | None,
        processes: int | None,
    ) -> None:
        self._program, self.prop, self._settings, self._processes = (
            program,
            prop,
            settings,
            processes,
        )

    def at(self, requested: Sequence[Point]) -> list[float]:
        experiment = open_experiment(
            self._program, [self.prop.formula], requested[0], self._settings
        )
        while True:
            try:
                found, _ = values_at(experiment, requested, processes=self._processes)
                break
            except ParameterValueNeeded as needed:
                experiment = experiment.with_fixed(needed.parameters)
        return [
            self._number(found[number][0], requested[number]) for number in range(len(requested))
        ]

    def _number(self, found: tuple[Any, str | None], point: Point) -> float:
        value, unknown = found
        if value is None:
            raise EngineError(f"{self.prop.text} for {point_text(point)}: {unknown}")
        return float(value)


def _direction(
    name: str,
    varied: Sequence[str],
    ends: tuple[float, float],
    at_centre: float,
    at_corners: Sequence[float],
) -> Direction:
    """How the value goes with one number: from end to end by way of the learned one, and between
    corners that differ in it alone."""
    steps = [at_centre - ends[0], ends[1] - at_centre]
    if name in varied:
        far = 2 ** (len(varied) - 1 - varied.index(name))
        steps += [
            at_corners[index + far] - at_corners[index]
            for index in range(len(at_corners))
            if not index // far % 2
        ]
    if all(abs(step) <= _SAME for step in steps):
        return "none"
    if all(step >= -_SAME for step in steps):
        return "rises"
    return "falls" if all(step <= _SAME for step in steps) else "neither"


def _robust(
    program: ParametricProgram,
    box: Mapping[str, tuple[Fraction, Fraction]],
    prop: Property,
    settings: CheckSettings | None,
) -> tuple[RobustBounds | None, str | None]:
    try:
        return robust_bounds(program, box, prop.formula, settings=settings), None
    except InputError as error:
        return None, error.diagnostics[0].message
    except EngineError as error:
        return None, str(error)


def _short(value: float) -> str:
    return f"{value:.4g}"
