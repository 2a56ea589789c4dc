"""Effect of the confidence intervals of learned parameters on the value of a property: verification
at the ends of the intervals, and robust bounds.

The value is computed at the estimates, with each parameter in turn at both ends of its interval,
and with all relevant parameters at all combinations of their ends. If the value is monotone in each
parameter for all values of the others, its extremes over all intervals are at these combinations.
Monotonicity is checked at the computed points, not proved. The robust bounds hold for all values in
the intervals but may be wider than necessary.
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
"""The largest number of parameters whose interval ends are combined. Each parameter doubles the
number of combinations."""

_SAME = 1e-12
"""Values of a property with a smaller difference count as equal, because the engine computes in
floating point."""

Direction = Literal["none", "rises", "falls", "neither"]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The effect of one learned parameter on the value of a property: the confidence interval of
    the parameter, the values at its ends with all other parameters at their estimates, and whether
    the value rises or falls with the parameter at all computed points."""

    name: str
    lower: Fraction
    upper: Fraction
    at_lower: float
    at_upper: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The values of a formula at the ends of the confidence intervals of learned parameters.

    ``value`` is the value at the estimates; ``minimum`` and ``maximum`` are the extremes over all
    ``points`` computed points, reached at ``min_at`` and ``max_at``. ``robust`` is None if there
    are no robust bounds, and ``why_not`` is the reason.
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
        """Whether the value is monotone in each parameter at all computed points."""
        return all(each.direction != "neither" for each in self.influences)

    def sentences(self) -> tuple[str, ...]:
        """Return sentences about the range of values, the effect of each parameter, and how
        reliable the range is."""
        texts = [
            (
                f"{_short(self.value)} at the estimates, {_short(self.minimum)} to "
                f"{_short(self.maximum)} at {self.points:,} points"
            )
        ]
        texts[0] += (
            " (all ends of the intervals)"
            if len(self._moving) <= MAX_VARIED
            else f" ({MAX_VARIED} parameters at all ends, the others one at a time)"
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
                f"{_short(each.at_upper)} if only this parameter changes"
            )
        texts.append(
            (
                "monotone at all computed points: between the ends, the value should be in this "
                "range (not proved)"
            )
            if self.monotone
            else "not monotone: between the ends, the value may be outside of this range"
        )
        if self.robust is not None:
            bounds = f"{_short(self.robust.lower)} to {_short(self.robust.upper)}"
            texts.append(
                f"robust: {bounds} for all values in the intervals (interval MDP, Storm's value "
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
            "minimum": self.minimum,
            "maximum": self.maximum,
            "minimum_at": {name: float(value) for name, value in self.min_at.items()},
            "maximum_at": {name: float(value) for name, value in self.max_at.items()},
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
            "no_robust_bounds_reason": self.why_not,
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
    """Return, for each property, the range of its value over the ends of the learned parameters'
    confidence intervals. Return an empty list if no parameter has an interval.

    The parameters of the program are first set to their estimates. Raise :class:`InputError` if the
    program has no parameters.
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
    """Evaluator of one property at several parameter points, with as few explorations of the state
    space as possible."""

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
    """Return whether the value of a property rises or falls with one parameter.

    First, three values are compared, for the parameter at its estimate and at both ends of its
    interval. The other parameters are then at their estimates. If the parameter is in ``varied``,
    values with all parameters at ends of their intervals are compared as well, in pairs that differ
    only in this parameter.
    """
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
