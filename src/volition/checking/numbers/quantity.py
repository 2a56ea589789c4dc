"""What a query comes to: numbers for states, between which bounds they lie, and the choices that attain them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from volition.checking.numbers.bounds import Enclosure
from volition.checking.storm.client import EngineError
from volition.kernel.arrays import Indices, Mask, Numbers
from volition.logic.syntax import Probability, Reward, SteadyState

__all__ = ["Asked", "Optimum", "Quantity", "Undecided", "Wanted", "other_optimum"]

Asked = Probability | Reward | SteadyState
Optimum = Literal["min", "max"]


class Undecided(EngineError):
    """The numbers known so far do not answer the question."""


def other_optimum(optimum: Optimum | None) -> Optimum | None:
    """The worst instead of the best."""
    return None if optimum is None else "min" if optimum == "max" else "max"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The best over which choices (None: there are none), how to take unexplored states, and whether in all states or the initial one."""

    optimum: Optimum | None
    optimistic: bool
    everywhere: bool

    @property
    def opposite(self) -> Wanted:
        """What to ask of the opposite: one minus the least is the greatest."""
        return replace(self, optimum=other_optimum(self.optimum), optimistic=not self.optimistic)

    @property
    def best(self) -> Optimum:
        """Where there are no choices, either is right."""
        return self.optimum or "max"

    @property
    def seeks(self) -> bool:
        """Whether what is asked for is to be large."""
        return self.optimum != "min"


@dataclass(frozen=True)
class Quantity:
    """A number for each state, or for the initial one alone, between ``lower`` and ``upper`` (None: not known), found by a ``method``.

    ``values`` is the best guess.  The choices that attain the optimum are looked for on demand.  Where they are about a goal, it is to be
    reached ``through`` some states, and ``towards`` says whether they seek it.  ``earning`` marks the states that they are about where
    there is no goal.  With a goal to be reached ``within`` some steps there are no choices: they would depend on the steps that are left.
    """

    values: Numbers
    lower: Numbers | None
    upper: Numbers | None
    method: str
    find_choices: Callable[[], Indices | None] = field(default=lambda: None, repr=False)
    through: Mask | None = None
    goal: Mask | None = None
    towards: bool = True
    within: int | None = None
    earning: Mask | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def between(cls, found: Enclosure, method: str) -> Quantity:
        """What was computed together with bounds that were checked."""
        return cls(found.values, found.lower, found.upper, method, found.find_choices)

    @cached_property
    def choices(self) -> Indices | None:
        """The choice of each state that attains the optimum; None where there are no choices, or they depend on more than the state."""
        return self.find_choices()

    def opposite(self) -> Quantity:
        """One minus this: the probability of the opposite."""
        lower = None if self.upper is None else _less(1.0, self.upper, -np.inf)
        upper = None if self.lower is None else _less(1.0, self.lower, np.inf)
        return replace(self, values=1 - self.values, lower=lower, upper=upper)

    def enclosure(self) -> tuple[Numbers, Numbers]:
        """Numbers that the values lie between for certain."""
        if self.values.dtype == np.object_:
            return self.values, self.values
        if self.lower is None or self.upper is None:
            return np.full(len(self.values), -np.inf), np.full(len(self.values), np.inf)
        return self.lower, self.upper

    def at_start(self) -> tuple[Any, Any]:
        """Numbers that the value in the initial state lies between for certain."""
        lower, upper = self.enclosure()
        return lower[0], upper[0]


def _less(minuend: float, subtrahend: Numbers, towards: float) -> Numbers:
    """The difference of floating point numbers, rounded towards a side where it must be rounded."""
    difference = minuend - subtrahend
    exact = (minuend - difference) == subtrahend
    return np.where(exact, difference, np.nextafter(difference, towards))
