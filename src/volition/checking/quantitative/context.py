"""Context, specification and result of a quantitative computation on an MDP.

:class:`QuantitativeContext` holds the MDP, the states that satisfy the subformulas, and the
connection to Storm. :class:`SolveSpec` says whether to minimise or maximise, and in which states.
:class:`StateValues` is the result: values, bounds, and the choices that attain the values.

Storm knows nothing about agents. It gets the MDP as arrays, loaded once for exact and once for
floating-point arithmetic (:class:`LoadedMdp`), and sets of states in place of state formulas.

On a partly explored space, a value is computed *pessimistically*, as if unexplored states never led
to the goal, or *optimistically*, as if they always did. The two results enclose the true value.
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
"""Exact arithmetic is used by default if none of four limits is exceeded: the number of transitions
(``CHEAP_TRANSITIONS``), the number of states in a strongly connected component
(``CHEAP_COMPONENT``), the step bound times the number of transitions (``CHEAP_STEPS``), and the
number of digits of an exact number (``CHEAP_DIGITS``). Each step adds digits."""


class LoadedMdp:
    """MDP of an explored space, with the models of it that are loaded into Storm.

    ``is_rational`` says whether all probabilities are rational, so that exact results are possible;
    ``exact_is_cheap`` says whether exact results are cheap to compute. The MDP has the states of
    the space, but may have other probabilities or fewer choices.
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
        """MDP without transitions of probability 0."""
        return self.mdp.without_zero_transitions()

    def use_exact(self, requested: bool | None, steps: int = 0) -> bool:
        """Return whether to compute exactly: as ``requested``, or if it is None, whether that is
        cheap. ``steps`` is a step bound; exact numbers become longer with each step."""
        if requested is not None:
            return requested
        few = (
            steps * self.mdp.num_transitions <= CHEAP_STEPS
            and steps * self._digits_per_step <= CHEAP_DIGITS
        )
        return self.is_rational and self.exact_is_cheap and few

    def storm(self, exact: bool) -> StormModel:
        """Return the model of the MDP in Storm, for exact or floating-point arithmetic. It is
        loaded on first use."""
        if exact not in self._loaded:
            self._loaded[exact] = StormModel(self.mdp, exact=exact)
        return self._loaded[exact]


QuantitativeFormula = Probability | Reward | SteadyState
Optimum = Literal["min", "max"]


class UndecidedError(EngineError):
    """Raised if the computed values and bounds do not decide a formula."""


def opposite_optimum(optimum: Optimum | None) -> Optimum | None:
    """Return ``max`` for ``min``, ``min`` for ``max``, and None for None."""
    return None if optimum is None else "min" if optimum == "max" else "max"


@dataclass(frozen=True, slots=True)
class SolveSpec:
    """Specification of a quantitative computation.

    - ``optimum`` says whether to compute the minimum or the maximum over all strategies. It is None
      for a Markov chain, where both are the same.
    - ``optimistic`` says how to treat unexplored states: as if they always led to the goal (True),
      or as if they never did (False).
    - ``all_states`` says whether values are needed in all states or only in the initial state.
    """

    optimum: Optimum | None
    optimistic: bool
    all_states: bool

    @property
    def complement(self) -> SolveSpec:
        """Specification for the complementary event, with the opposite optimum: the maximum
        probability of an event is one minus the minimum probability of its complement."""
        return replace(self, optimum=opposite_optimum(self.optimum), optimistic=not self.optimistic)

    @property
    def optimum_or_max(self) -> Optimum:
        """Optimum over all strategies; ``max`` for a Markov chain, where minimum and maximum are
        the same."""
        return self.optimum or "max"

    @property
    def maximises(self) -> bool:
        """Whether the value is to be maximised; true for a Markov chain."""
        return self.optimum != "min"


@dataclass(frozen=True)
class StateValues:
    """Result of a quantitative computation: the value of each state, or of the initial state only.

    - ``lower`` and ``upper`` are bounds on the values; None if unknown.
    - ``method`` is the name of the method that was used.
    - ``find_choices`` computes on demand the choices that attain the values.
    - ``goal`` and ``through`` are set if the values are about reaching a goal through some states.
      ``seeks_goal`` then says whether the choices lead to the goal or avoid it.
    - ``reward_states`` is set for a total reward: the states in which choices can influence it.
    - ``step_bound`` is set if the formula has one. Choices are then not available, because they
      would depend on the number of steps left.
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
        """Return the values and certified bounds of an enclosure as :class:`StateValues`."""
        return cls(found.values, found.lower, found.upper, method, found.find_choices)

    @cached_property
    def choices(self) -> Indices | None:
        """Choice of each state that attains the optimum; None in a Markov chain, or if the choices
        depend on more than the state."""
        return self.find_choices()

    def opposite(self) -> StateValues:
        """Return one minus the values: the probabilities of the complementary event."""
        lower = None if self.upper is None else _less(1.0, self.upper, -np.inf)
        upper = None if self.lower is None else _less(1.0, self.lower, np.inf)
        return replace(self, values=1 - self.values, lower=lower, upper=upper)

    def off_by(self, error: float) -> StateValues:
        """Return the values with bounds widened by the relative ``error`` of their inputs. The
        values must not be negative."""
        if error == 0 or self.lower is None or self.upper is None:
            return self
        margin = error + 2.0**-51  # covers the rounding of the products as well
        return replace(
            self, lower=np.maximum(self.lower * (1 - margin), 0.0), upper=self.upper * (1 + margin)
        )

    def bounds(self) -> tuple[NumberArray, NumberArray]:
        """Return certified lower and upper bounds of the values. Exact values are their own bounds;
        values without bounds get infinite ones."""
        if self.values.dtype == np.object_:
            return self.values, self.values
        if self.lower is None or self.upper is None:
            return np.full(len(self.values), -np.inf), np.full(len(self.values), np.inf)
        return self.lower, self.upper

    def initial_bounds(self) -> tuple[Any, Any]:
        """Return certified lower and upper bounds of the value in the initial state."""
        lower, upper = self.bounds()
        return lower[0], upper[0]


def _less(minuend: float, subtrahend: NumberArray, towards: float) -> NumberArray:
    """Return ``minuend - subtrahend`` in floating point. If the difference is inexact, it is
    rounded towards ``towards``."""
    difference = minuend - subtrahend
    exact = (minuend - difference) == subtrahend
    return np.where(exact, difference, np.nextafter(difference, towards))


@dataclass(frozen=True)
class QuantitativeContext:
    """Inputs of quantitative computations for one formula: the MDP, the states that satisfy the
    subformulas, and the settings of the check."""

    loaded: LoadedMdp
    satisfaction: Satisfaction
    settings: CheckSettings

    @property
    def mdp(self) -> Mdp:
        """MDP on which values are computed."""
        return self.loaded.mdp

    @property
    def partial_reason(self) -> str | None:
        """Reason why the space is only partly explored, as text; None if it is complete."""
        stopped = self.loaded.space.stopped
        return None if stopped is None else stopped.text

    def use_exact(self, steps: int = 0) -> bool:
        """Return whether to compute with fractions. ``steps`` is a step bound; fractions become
        longer with each step."""
        return self.loaded.use_exact(self.settings.exact, steps)

    def states(self, formula: Formula, *, optimistic: bool = False) -> Mask:
        """Return the states in which a formula certainly holds or, if ``optimistic``, may hold. Any
        formula may hold in an unexplored state."""
        known = self.satisfaction.states(formula)
        return known.possible | self.mdp.frontier if optimistic else known.definite

    def solve_with_storm(
        self, spec: SolveSpec, template: str, *masks: Mask, steps: int = 0, how: str | None = None
    ) -> StateValues:
        """Return Storm's result for a formula ``template``, in which ``{0}``, ``{1}``, ... stand
        for the sets of states ``masks``, and ``{best}`` stands for min or max.

        ``steps`` is the step bound of the formula, and ``how`` is added to the name of the method.
        Storm's floating-point bounds are not used, because they ignore rounding errors.
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
