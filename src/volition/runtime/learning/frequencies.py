"""Frequencies of the outcomes of probabilistic steps in recorded runs, and estimates of the
parameters in the probabilities of these outcomes.

Steps are distinguished by their position in the program and by their text. A parameter x is
estimated if the probabilities that contain it depend on no other parameter. The estimate is a
relative frequency if these probabilities are x and 1 - x, otherwise a maximum-likelihood estimate.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from volition.diagnostics import Span
from volition.kernel.system import Choice, System
from volition.languages.protocols import ParametricProgram
from volition.reporting.annotated_runs import origins_of
from volition.runtime.conformance import ConformanceStep
from volition.runtime.learning.intervals import exact_interval, profile_interval
from volition.runtime.successor import enabled_choices

__all__ = [
    "ChoiceSite",
    "FittedParameter",
    "OutcomeFrequency",
    "fit_parameters",
    "frequencies_of",
    "parametric_counts",
]

_GRID = 2000


@dataclass(frozen=True, slots=True)
class ChoiceSite:
    """A probabilistic step of a program: its text, its position in the program, and the
    probabilities of its outcomes."""

    text: str
    span: Span | None
    probabilities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OutcomeFrequency:
    """One outcome of a probabilistic step: how often it happened in the recorded runs, the
    confidence interval of its probability, and its probability in the program."""

    number: int
    probability: str
    count: int
    total: int
    lower: float
    upper: float

    @property
    def expected(self) -> bool:
        """Whether the outcome's probability in the program is in the confidence interval."""
        return self.lower <= float(Fraction(self.probability)) <= self.upper


@dataclass(frozen=True, slots=True)
class FittedParameter:
    """An estimated parameter with its confidence interval. ``exact`` means that the estimate is a
    relative frequency with a Clopper-Pearson interval."""

    name: str
    value: float
    fraction: Fraction | None
    lower: float
    upper: float
    trials: int
    events: int | None

    @property
    def exact(self) -> bool:
        return self.events is not None


def frequencies_of(
    runs: Iterable[Iterable[ConformanceStep]], *, confidence: float
) -> dict[ChoiceSite, tuple[OutcomeFrequency, ...]]:
    """Return the steps with several outcomes that the recorded runs executed, each with the
    frequencies of its outcomes."""
    counts: dict[ChoiceSite, Counter[int]] = {}
    for choice, outcome in _draws(runs):
        origin = next(iter(origins_of(choice.label)), None)
        chances = tuple(str(chance) for chance, _ in choice.outcomes)
        site = ChoiceSite(str(origin) if origin else "", origin.span if origin else None, chances)
        counts.setdefault(site, Counter())[outcome] += 1
    return {site: tuple(_frequencies(site, found, confidence)) for site, found in counts.items()}


def _frequencies(
    site: ChoiceSite, found: Counter[int], confidence: float
) -> Iterable[OutcomeFrequency]:
    total = found.total()
    for number, chance in enumerate(site.probabilities):
        yield OutcomeFrequency(
            number, chance, found[number], total, *exact_interval(found[number], total, confidence)
        )


def _draws(runs: Iterable[Iterable[ConformanceStep]]) -> Iterable[tuple[Choice, int]]:
    """Yield each executed choice that has several outcomes, with the index of the outcome that
    happened."""
    for step in (step for run in runs for step in run):
        for move in step.moves:
            if (
                move.occurrence.choice is not None
                and len(move.occurrence.choice.outcomes) > 1
                and move.outcome is not None
            ):
                yield move.occurrence.choice, move.outcome


# --- estimation of parameters ---------------------------------------------------------------------


def parametric_counts(
    program: ParametricProgram, runs: Iterable[Iterable[ConformanceStep]]
) -> Counter[Any]:
    """Count the outcomes that happened in the recorded runs and whose probability contains
    parameters. The keys are these probabilities, as symbolic expressions."""
    from volition.kernel.weights import (
        ParameterValueNeeded,
        ParametricWeight,
    )  # imports SymPy, which is slow

    open_ones = set(program.parameters)
    while open_ones:
        try:
            return _counted(program.model(symbolic=open_ones).system, runs, ParametricWeight)
        except ParameterValueNeeded as needed:
            if not needed.parameters & open_ones:
                break
            open_ones -= needed.parameters
    return Counter()


def _counted(
    system: System, runs: Iterable[Iterable[ConformanceStep]], parametric: type
) -> Counter[Any]:
    counts: Counter[Any] = Counter()
    for step in (step for run in runs for step in run):
        for move in step.moves:
            if (
                move.occurrence.choice is None
                or move.outcome is None
                or len(move.occurrence.choice.outcomes) < 2
            ):
                continue
            index = next(
                number for number, each in enumerate(move.choices) if each is move.occurrence.choice
            )
            alike = [
                each.choice
                for each in enabled_choices(system, step.before)
                if each.component.name == move.component.name
            ]
            weight = alike[index].outcomes[move.outcome][0]
            if isinstance(weight, parametric):
                counts[weight] += 1
    return counts


def fit_parameters(
    counts: Counter[Any], *, confidence: float
) -> tuple[list[FittedParameter], list[str]]:
    """Estimate the parameters in the probabilities of counted outcomes. Return the estimates of all
    parameters that do not occur together with another one in a probability, and the names of the
    parameters that do, which are not estimated."""
    mixed = {name for weight in counts if len(weight.parameters) > 1 for name in weight.parameters}
    alone = sorted({name for weight in counts for name in weight.parameters} - mixed)
    own = {
        name: {weight: count for weight, count in counts.items() if weight.parameters == {name}}
        for name in alone
    }
    return [_fitted(name, own[name], confidence) for name in alone], sorted(mixed)


def _fitted(name: str, counts: Mapping[Any, int], confidence: float) -> FittedParameter:
    total = sum(counts.values())
    hits = {weight: count for weight, count in counts.items() if weight == weight.space[name]}
    misses = {weight: count for weight, count in counts.items() if weight == 1 - weight.space[name]}
    if len(hits) + len(misses) == len(counts):
        events = sum(hits.values())
        share = Fraction(events, total)
        return FittedParameter(
            name, float(share), share, *exact_interval(events, total, confidence), total, events
        )

    def log_likelihood(value: float) -> float:
        chances = [
            (float(weight.at({name: Fraction(value)})), count) for weight, count in counts.items()
        ]
        return (
            sum(count * math.log(chance) for chance, count in chances)
            if all(0 < chance <= 1 for chance, _ in chances)
            else -math.inf
        )

    points = np.linspace(0, 1, _GRID + 1)
    index = int(np.argmax([log_likelihood(value) for value in points]))
    low, high = float(points[max(0, index - 1)]), float(points[min(_GRID, index + 1)])
    best = _highest(log_likelihood, low, high)
    return FittedParameter(
        name, best, None, *profile_interval(log_likelihood, best, confidence), total, None
    )


def _highest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the point between ``low`` and ``high`` at which a unimodal function is greatest, by
    ternary search."""
    for _ in range(80):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if function(left) < function(right) else (low, right)
    return (low + high) / 2
