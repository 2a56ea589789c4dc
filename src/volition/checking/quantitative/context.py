"""A question about the numbers of one process: what it works on, what is wanted, and what it comes
to.

It works on the process, sets of states for state formulas, and Storm (:class:`Computation`).  What
is wanted is the best over which choices (:class:`Wanted`), and it comes to numbers for states,
bounds, and the choices that attain them (:class:`Quantity`).

Storm sees bare numbers: the process as arrays, loaded once for each kind of arithmetic however many
questions are asked (:class:`LoadedMdp`), and sets of states in the places of state formulas.

On a space that was not explored to its end a question is asked *pessimistically*, as if unexplored
states never did what is hoped for, or *optimistically*, as if they always did; the two answers
enclose the true value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import lcm, log10
from typing import Any, Literal

import numpy as np

from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.certified_bounds import Enclosure
from volition.checking.storm.client import EngineAnswer, EngineError, StormModel
from volition.checking.task import CheckSettings
from volition.kernel import StateSpace
from volition.kernel.arrays import Indices, Mask, NumberArray
from volition.logic.syntax import Formula, Probability, Reward, SteadyState

__all__ = [
    "CHEAP_STEPS",
    "METHOD_POLICY_ITERATION",
    "LoadedMdp",
    "Optimum",
    "QuantitativeContext",
    "QuantitativeFormula",
    "SolveSpec",
    "StateValues",
    "UndecidedError",
    "opposite_optimum",
]

METHOD_POLICY_ITERATION = "policy iteration, floating point with checked bounds"

CHEAP_TRANSITIONS = 30_000
CHEAP_COMPONENT = 300
CHEAP_STEPS = 2_000_000
CHEAP_DIGITS = 3_000
"""Exact arithmetic is used unasked up to this many transitions, states on a common cycle, steps
times transitions, and digits, which each step adds to."""


class LoadedMdp:
    """The process of a space, and whether its probabilities allow exact answers (``rational``), at
    a low price (``cheap``).

    The process may have other probabilities than the space, or some of its choices only, but it has
    the same states.
    """

    def __init__(self, space: StateSpace, mdp: Mdp) -> None:
        self.space = space
        self.mdp = mdp.at_nominal_values()
        self.is_rational = all(isinstance(weight, int | Fraction) for weight in self.mdp.weights)
        self.exact_is_cheap = (
            self.mdp.num_transitions <= CHEAP_TRANSITIONS
            and self.mdp.largest_strong_component() <= CHEAP_COMPONENT
        )
        self._digits_per_step = (
            log10(lcm(*(weight.denominator for weight in self.mdp.weights)))
            if self.is_rational
            else 0.0
        )
        self._loaded: dict[bool, StormModel] = {}

    @cached_property
    def without_zero_transitions(self) -> Mdp:
        """The process without what has probability 0."""
        return self.mdp.without_zero_transitions()

    def use_exact(self, requested: bool | None, steps: int = 0) -> bool:
        """Whether to compute exactly: as wanted, or where it is cheap.  Exact numbers get longer
        with each of ``steps``."""
        if requested is not None:
            return requested
        few = (
            steps * self.mdp.num_transitions <= CHEAP_STEPS
            and steps * self._digits_per_step <= CHEAP_DIGITS
        )
        return self.is_rational and self.exact_is_cheap and few

    def storm(self, exact: bool) -> StormModel:
        """The process as Storm has it."""
        if exact not in self._loaded:
            self._loaded[exact] = StormModel(self.mdp, exact=exact)
        return self._loaded[exact]


QuantitativeFormula = Probability | Reward | SteadyState
Optimum = Literal["min", "max"]


class UndecidedError(EngineError):
    """The numbers known so far do not answer the question."""


def opposite_optimum(optimum: Optimum | None) -> Optimum | None:
    """The worst instead of the best."""
    return None if optimum is None else "min" if optimum == "max" else "max"


@dataclass(frozen=True, slots=True)
class SolveSpec:
    """The best over which choices (None: there are none), how to take unexplored states, and
    whether in all states or the initial one."""

    optimum: Optimum | None
    optimistic: bool
    all_states: bool

    @property
    def complement(self) -> SolveSpec:
        """What to ask of the opposite: one minus the least is the greatest."""
        return replace(self, optimum=opposite_optimum(self.optimum), optimistic=not self.optimistic)

    @property
    def optimum_or_max(self) -> Optimum:
        """Where there are no choices, either is right."""
        return self.optimum or "max"

    @property
    def maximises(self) -> bool:
        """Whether what is asked for is to be large."""
        return self.optimum != "min"


@dataclass(frozen=True)
class StateValues:
    """A number for each state, or for the initial one alone, between ``lower`` and ``upper`` (None:
    not known), found by a ``method``.

    ``values`` is the best guess.  The choices that attain the optimum are looked for on demand.
    Where they are about a goal, it is to be reached ``through`` some states, and ``towards`` says
    whether they seek it.  ``earning`` marks the states that they are about where there is no goal.
    With a goal to be reached ``within`` some steps there are no choices: they would depend on the
    steps that are left.
    """

    values: NumberArray
    lower: NumberArray | None
    upper: NumberArray | None
    method: str
    find_choices: Callable[[], Indices | None] = field(default=lambda: None, repr=False)
    through: Mask | None = None
    goal: Mask | None = None
    seeks_goal: bool = True
    step_bound: int | None = None
    reward_states: Mask | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def between(cls, found: Enclosure, method: str) -> StateValues:
        """What was computed together with bounds that were checked."""
        return cls(found.values, found.lower, found.upper, method, found.find_choices)

    @cached_property
    def choices(self) -> Indices | None:
        """The choice of each state that attains the optimum; None where there are no choices, or
        they depend on more than the state."""
        return self.find_choices()

    def opposite(self) -> StateValues:
        """One minus this: the probability of the opposite."""
        lower = None if self.upper is None else _less(1.0, self.upper, -np.inf)
        upper = None if self.lower is None else _less(1.0, self.lower, np.inf)
        return replace(self, values=1 - self.values, lower=lower, upper=upper)

    def off_by(self, error: float) -> StateValues:
        """Return the same with bounds that hold if each of these numbers, which are not negative,
        is off by this part of itself."""
        if error == 0 or self.lower is None or self.upper is None:
            return self
        margin = error + 2.0**-51  # and what the products are rounded by
        return replace(
            self, lower=np.maximum(self.lower * (1 - margin), 0.0), upper=self.upper * (1 + margin)
        )

    def bounds(self) -> tuple[NumberArray, NumberArray]:
        """Numbers that the values lie between for certain."""
        if self.values.dtype == np.object_:
            return self.values, self.values
        if self.lower is None or self.upper is None:
            return np.full(len(self.values), -np.inf), np.full(len(self.values), np.inf)
        return self.lower, self.upper

    def initial_bounds(self) -> tuple[Any, Any]:
        """Numbers that the value in the initial state lies between for certain."""
        lower, upper = self.bounds()
        return lower[0], upper[0]


def _less(minuend: float, subtrahend: NumberArray, towards: float) -> NumberArray:
    """The difference of floating point numbers, rounded towards a side where it must be rounded."""
    difference = minuend - subtrahend
    exact = (minuend - difference) == subtrahend
    return np.where(exact, difference, np.nextafter(difference, towards))


@dataclass(frozen=True)
class QuantitativeContext:
    """A process, where the formulas in a question hold in it, and the settings."""

    loaded: LoadedMdp
    satisfaction: Satisfaction
    settings: CheckSettings

    @property
    def mdp(self) -> Mdp:
        """The process itself."""
        return self.loaded.mdp

    @property
    def partial_reason(self) -> str | None:
        """Why the space was not explored to its end; None if it was."""
        stopped = self.loaded.space.stopped
        return None if stopped is None else stopped.text

    def use_exact(self, steps: int = 0) -> bool:
        """Whether to compute with fractions, which get longer with each of so many steps."""
        return self.loaded.use_exact(self.settings.exact, steps)

    def states(self, formula: Formula, *, optimistic: bool = False) -> Mask:
        """Where a state formula holds, for certain or perhaps; an unexplored state could be
        anything."""
        known = self.satisfaction.states(formula)
        return known.possible | self.mdp.frontier if optimistic else known.definite

    def solve_with_storm(
        self, spec: SolveSpec, template: str, *masks: Mask, steps: int = 0, how: str | None = None
    ) -> StateValues:
        """Storm's answer to a question with sets of states in the places of ``{0}``, ``{1}``, and
        min or max in that of ``{best}``.

        ``steps`` is a bound on the steps.  Bounds that Storm gives in floating point are none: they
        leave out what it rounds away.
        """
        arithmetic = (
            "exact arithmetic" if self.use_exact(steps) else "floating point without bounds"
        )
        answer = self._call_storm(spec, template, masks, steps=steps)
        return StateValues(
            answer.values,
            None,
            None,
            f"Storm, {how}, {arithmetic}" if how else f"Storm, {arithmetic}",
            lambda: (
                self._call_storm(
                    replace(spec, all_states=False), template, masks, steps=steps, strategy=True
                ).choices
            ),
        )

    def _call_storm(
        self,
        spec: SolveSpec,
        template: str,
        masks: tuple[Mask, ...],
        *,
        steps: int = 0,
        strategy: bool = False,
    ) -> EngineAnswer:
        storm = self.loaded.storm(self.use_exact(steps))
        return storm.check(
            template.format(*map(storm.label, masks), best=spec.optimum or ""),
            strategy=strategy,
            everywhere=spec.all_states,
            precision=self.settings.precision,
            seconds=self.settings.seconds,
        )
