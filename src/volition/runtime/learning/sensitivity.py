"""What the intervals of learned numbers mean for a value: verification over their ends, and robust bounds.

The value is computed at the learned numbers, with each number in turn at both ends of its interval, and with all that matter at all
combinations of their ends.  Where it rises or falls with each number alone, wherever the others are, its extremes in the box are at these
corners; that is looked at there, not proved.  The robust bounds hold in the whole box, and may be wider than need be.
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

MOST_VARIED = 6
"""Numbers whose ends are combined: twice as many points for each."""

_SAME = 1e-12
"""Values that differ by less are the same; the engine computes in floating point."""

Direction = Literal["none", "rises", "falls", "neither"]


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What a number does to a value: its interval, the values at its ends alone, and how the value goes with it wherever it was looked."""

    name: str
    lower: Fraction
    upper: Fraction
    at_lower: float
    at_upper: float
    direction: Direction


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The values of a formula over the ends of intervals.

    ``value`` is that at the learned numbers, ``least`` and ``most`` the extremes at the points looked at, of which there were ``points``.
    ``robust`` is None where there are no robust bounds; ``why_not`` says why.
    """

    formula: str
    value: float
    least: float
    most: float
    least_at: Point
    most_at: Point
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
        told = [f"{_short(self.value)} at the learned numbers, {_short(self.least)} to {_short(self.most)} at {self.points:,} points"]
        told[0] += (
            " (all ends of the intervals)"
            if len(self._moving) <= MOST_VARIED
            else f" ({MOST_VARIED} numbers at all ends, the others alone)"
        )
        for each in sorted(self._moving, key=lambda each: -abs(each.at_upper - each.at_lower)):
            how = {"rises": "rises with", "falls": "falls with", "neither": "neither rises nor falls steadily with"}[each.direction]
            interval = f"{_short(float(each.lower))} to {_short(float(each.upper))}"
            told.append(f"{how} {each.name} in {interval}: {_short(each.at_lower)} to {_short(each.at_upper)} by it alone")
        told.append(
            "monotone wherever it was looked: between the ends it should be in this range (looked at, not proved)"
            if self.monotone
            else "not monotone: between the ends it may be outside of this range"
        )
        if self.robust is not None:
            bounds = f"{_short(self.robust.lower)} to {_short(self.robust.upper)}"
            told.append(f"robust: {bounds} for all numbers in the intervals (interval MDP, Storm's value iteration without a proven error)")
        elif self.why_not is not None:
            told.append(f"no robust bounds: {self.why_not}")
        return tuple(told)

    @property
    def _moving(self) -> list[Sensitivity]:
        return [each for each in self.influences if each.direction != "none"]

    def as_json(self) -> dict[str, Any]:
        return {
            "formula": self.formula,
            "value": self.value,
            "least": self.least,
            "most": self.most,
            "least_at": {name: float(value) for name, value in self.least_at.items()},
            "most_at": {name: float(value) for name, value in self.most_at.items()},
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
            "robust": None if self.robust is None else {"lower": self.robust.lower, "upper": self.robust.upper},
            "why_not_robust": self.why_not,
        }


def value_ranges(
    program: Program,
    learned: LearningResult,
    questions: Sequence[Property],
    *,
    settings: CheckSettings | None = None,
    processes: int | None = None,
    robust: bool = True,
) -> list[ValueRange]:
    """The range of each question's value over the ends of the learned intervals; raises :class:`InputError` where there are none.

    The program gets the learned numbers first.
    """
    parametric = as_parametric(program)
    exact = {
        each.name: each.exact if each.exact is not None else Fraction(each.value) for each in learned.parameters if each.value is not None
    }
    free = {name: value for name, value in exact.items() if name not in learned.dependent_parameters}
    fitted = parametric.with_parameters(free)
    intervals = {name: ends for name, ends in learned.intervals.items() if ends[0] < ends[1]}
    if not intervals:
        return []
    return [_range(fitted, free, intervals, question, settings, processes, robust) for question in questions]


def _range(
    program: ParametricProgram,
    learned: Mapping[str, Fraction],
    intervals: Mapping[str, tuple[Fraction, Fraction]],
    question: Property,
    settings: CheckSettings | None,
    processes: int | None,
    robust: bool,
) -> ValueRange:
    centre = {name: learned[name] for name in intervals}
    alone = [{**centre, name: end} for name, ends in intervals.items() for end in ends]
    values = _Values(program, question, settings, processes)
    at_centre, *at_ends = values.at([centre, *alone])
    pairs = {name: (at_ends[2 * place], at_ends[2 * place + 1]) for place, name in enumerate(intervals)}
    size = {name: max(abs(low - at_centre), abs(high - at_centre), abs(high - low)) for name, (low, high) in pairs.items()}
    moving = sorted((name for name in intervals if size[name] > _SAME), key=lambda name: -size[name])
    varied = moving[:MOST_VARIED]
    corners = [{**centre, **dict(zip(varied, ends, strict=True))} for ends in itertools.product(*(intervals[name] for name in varied))]
    at_corners = values.at(corners)
    looked = [(at_centre, centre), *zip(at_ends, alone, strict=True), *zip(at_corners, corners, strict=True)]
    influences = [
        Sensitivity(name, *intervals[name], *pairs[name], _direction(name, varied, pairs[name], at_centre, at_corners)) for name in intervals
    ]
    least, most = min(looked, key=lambda each: each[0]), max(looked, key=lambda each: each[0])
    bounds, why_not = (
        _robust(program, {name: intervals[name] for name in moving}, question, settings) if robust and moving else (None, None)
    )
    return ValueRange(question.text, at_centre, least[0], most[0], least[1], most[1], len(looked), tuple(influences), bounds, why_not)


class _Values:
    """The values of one question at points, explored as seldom as possible."""

    def __init__(self, program: ParametricProgram, question: Property, settings: CheckSettings | None, processes: int | None) -> None:
        self._program, self._question, self._settings, self._processes = program, question, settings, processes

    def at(self, wanted: Sequence[Point]) -> list[float]:
        experiment = open_experiment(self._program, [self._question.formula], wanted[0], self._settings)
        while True:
            try:
                found, _ = values_at(experiment, wanted, processes=self._processes)
                break
            except ParameterValueNeeded as needed:
                experiment = experiment.with_fixed(needed.parameters)
        return [self._number(found[number][0], wanted[number]) for number in range(len(wanted))]

    def _number(self, found: tuple[Any, str | None], point: Point) -> float:
        value, unknown = found
        if value is None:
            raise EngineError(f"{self._question.text} for {point_text(point)}: {unknown}")
        return float(value)


def _direction(name: str, varied: Sequence[str], ends: tuple[float, float], at_centre: float, at_corners: Sequence[float]) -> Direction:
    """How the value goes with one number: from end to end by way of the learned one, and between corners that differ in it alone."""
    steps = [at_centre - ends[0], ends[1] - at_centre]
    if name in varied:
        far = 2 ** (len(varied) - 1 - varied.index(name))
        steps += [at_corners[place + far] - at_corners[place] for place in range(len(at_corners)) if not place // far % 2]
    if all(abs(step) <= _SAME for step in steps):
        return "none"
    if all(step >= -_SAME for step in steps):
        return "rises"
    return "falls" if all(step <= _SAME for step in steps) else "neither"


def _robust(
    program: ParametricProgram, box: Mapping[str, tuple[Fraction, Fraction]], question: Property, settings: CheckSettings | None
) -> tuple[RobustBounds | None, str | None]:
    try:
        return robust_bounds(program, box, question.formula, settings=settings), None
    except InputError as error:
        return None, error.diagnostics[0].message
    except EngineError as error:
        return None, str(error)


def _short(value: float) -> str:
    return f"{value:.4g}"
