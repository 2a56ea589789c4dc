"""CTL operators on the state graph, for sets of states that may be only partly known.

Three operators (EX, EU and EG) decide every CTL formula, each in time linear in the graph (Clarke,
Emerson and Sistla, "Automatic verification of finite-state concurrent systems using temporal logic
specifications", 1986). Universal operators are negations of existential ones. An unexplored state
has no successors in the pessimistic computation and any successor in the optimistic one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from volition.kernel import StateSpace, _native
from volition.kernel.arrays import Mask
from volition.logic.syntax import (
    And,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Release,
    StepBound,
    Until,
    WeakUntil,
)
from volition.logic.traversal import TEMPORAL, children, is_state_formula

__all__ = ["CtlGraph", "CtlOperators", "ThreeValuedSet", "is_ctl_path", "negation"]


@dataclass(frozen=True, slots=True, eq=False)
class ThreeValuedSet:
    """Set of states in which a formula holds, of which some members may be unknown.

    ``definite`` are the states in which the formula certainly holds, ``possible`` those in which it
    may hold. Both are the same array if the space is complete.
    """

    definite: npt.NDArray[np.bool_]
    possible: npt.NDArray[np.bool_]

    @classmethod
    def exactly(cls, states: npt.NDArray[np.bool_]) -> ThreeValuedSet:
        return cls(states, states)

    @property
    def exact(self) -> bool:
        return self.definite is self.possible

    def at(self, state: int) -> bool | None:
        """Return whether a state is in the set; None if that is unknown."""
        return bool(self.definite[state]) if self.definite[state] == self.possible[state] else None

    def __invert__(self) -> ThreeValuedSet:
        if self.exact:
            return ThreeValuedSet.exactly(~self.definite)
        return ThreeValuedSet(~self.possible, ~self.definite)

    def __and__(self, other: ThreeValuedSet) -> ThreeValuedSet:
        if self.exact and other.exact:
            return ThreeValuedSet.exactly(self.definite & other.definite)
        return ThreeValuedSet(self.definite & other.definite, self.possible & other.possible)

    def __or__(self, other: ThreeValuedSet) -> ThreeValuedSet:
        return ~(~self & ~other)


class CtlGraph:
    """Successor relation of a state space, regardless of choices and probabilities (Clarke, Emerson
    and Sistla 1986)."""

    def __init__(self, space: StateSpace) -> None:
        self.space = space

    @cached_property
    def _backward(self) -> _native.BackwardGraph:
        return _native.reversed_graph(self.space.transition_matrix)

    @cached_property
    def everywhere(self) -> Mask:
        return np.ones(self.space.num_states, dtype=np.bool_)

    @cached_property
    def frontier(self) -> Mask:
        """States of the space that were found but not explored."""
        result = np.zeros(self.space.num_states, dtype=np.bool_)
        result[self.space.num_expanded :] = True
        return result

    def exists_next(self, inside: Mask) -> Mask:
        """Return the states with a successor in ``inside`` (EX)."""
        return _native.exists_next(self.space.transition_matrix, inside)

    def exists_until(self, through: Mask, goal: Mask, steps: int | None = None) -> Mask:
        """Return the states with a path through states of ``through`` to a state of ``goal`` (EU).
        With ``steps``, the path must have at most this number of steps."""
        return _native.exists_until(self._backward, goal, through, steps)

    def exists_globally(self, inside: Mask) -> Mask:
        """Return the states with an infinite path that stays in ``inside`` (EG)."""
        return _native.exists_globally(self.space.transition_matrix, self._backward, inside)


def is_ctl_path(path: Formula) -> bool:
    """Return whether a path formula is a CTL path formula: one temporal operator applied to state
    formulas."""
    return isinstance(path, TEMPORAL) and all(is_state_formula(part) for part in children(path))


def negation(path: Formula) -> Formula:
    """Return the negation of a CTL path formula as another CTL path formula."""
    match path:
        case Next():
            return Next(Not(path.operand))
        case Finally():
            return Globally(Not(path.operand), path.bound)
        case Globally():
            return Finally(Not(path.operand), path.bound)
        case Until():
            return Release(Not(path.left), Not(path.right), path.bound)
        case Release():
            return Until(Not(path.left), Not(path.right), path.bound)
        case WeakUntil():
            return Until(
                And(path.left, Not(path.right)), And(Not(path.left), Not(path.right)), path.bound
            )
        case _:
            raise TypeError(f"{type(path).__name__} is not a path of CTL")


class CtlOperators:
    """Existential CTL operators on a state graph: ``exists(path, of)`` returns the states that
    satisfy ``E [ path ]``, where ``of`` returns the states that satisfy a state formula of the
    path."""

    def __init__(self, graph: CtlGraph) -> None:
        self._graph = graph

    def exists(self, path: Formula, of: Callable[[Formula], ThreeValuedSet]) -> ThreeValuedSet:
        everywhere = ThreeValuedSet.exactly(self._graph.everywhere)
        match path:
            case Next():
                return self._on_both_bounds(self._next, of(path.operand))
            case Finally():
                return self._until(everywhere, of(path.operand), path.bound)
            case Globally():
                return self._release(~everywhere, of(path.operand), path.bound)
            case Until():
                return self._until(of(path.left), of(path.right), path.bound)
            case Release():
                return self._release(of(path.left), of(path.right), path.bound)
            case WeakUntil():
                # a W b is the negation of (a & !b) U (!a & !b), for every bound.
                left, right = of(path.left), of(path.right)
                return self._release(~left | right, left | right, path.bound)
            case _:
                raise TypeError(f"{type(path).__name__} is not a path of CTL")

    def _on_both_bounds(
        self, compute: Callable[..., Mask], *parts: ThreeValuedSet
    ) -> ThreeValuedSet:
        """Return the three-valued set that results from applying ``compute`` to the definite sets
        and to the possible sets. If both are the same, ``compute`` is called only once."""
        certain = compute(*(part.definite for part in parts), optimistic=False)
        if self._graph.space.complete and all(part.exact for part in parts):
            return ThreeValuedSet.exactly(certain)
        return ThreeValuedSet(certain, compute(*(part.possible for part in parts), optimistic=True))

    def _until(
        self, through: ThreeValuedSet, goal: ThreeValuedSet, bound: StepBound | None
    ) -> ThreeValuedSet:
        return self._on_both_bounds(
            lambda a, b, optimistic: self._bounded_until(a, b, bound or StepBound(), optimistic),
            through,
            goal,
        )

    def _release(
        self, left: ThreeValuedSet, right: ThreeValuedSet, bound: StepBound | None
    ) -> ThreeValuedSet:
        return self._on_both_bounds(
            lambda a, b, optimistic: self._bounded_release(a, b, bound or StepBound(), optimistic),
            left,
            right,
        )

    def _next(self, inside: Mask, optimistic: bool) -> Mask:
        successors = self._graph.exists_next(inside)
        return successors | self._graph.frontier if optimistic else successors

    def _bounded_until(self, through: Mask, goal: Mask, bound: StepBound, optimistic: bool) -> Mask:
        if optimistic:
            goal = goal | (self._graph.frontier & through)
        # Every reachable state is reached within as many steps as there are states.
        steps = None if bound.upper is None else min(bound.upper - bound.lower, len(goal))
        result = self._graph.exists_until(through, goal, steps)
        return self._iterate(
            lambda later: through & self._next(later, optimistic), result, bound.lower
        )

    def _bounded_release(self, left: Mask, right: Mask, bound: StepBound, optimistic: bool) -> Mask:
        if bound.upper is None:
            released = self._bounded_until(right, left & right, StepBound(), optimistic)
            result = released | self._graph.exists_globally(right)
        else:
            result = self._iterate(
                lambda sofar: right & (left | self._next(sofar, optimistic)),
                right,
                bound.upper - bound.lower,
            )
        return self._iterate(
            lambda later: left | self._next(later, optimistic), result, bound.lower
        )

    @staticmethod
    def _iterate(step: Callable[[Mask], Mask], start: Mask, times: int) -> Mask:
        """Apply ``step`` to a set of states the given number of times. ``times`` can be arbitrarily
        large: the sequence of sets is eventually periodic, so most applications are skipped."""
        result = start
        power, since = 1, 0  # cycle detection by Brent (1980)
        compared = start
        while times > 0:
            result, times, since = step(result), times - 1, since + 1
            if np.array_equal(result, compared):
                times %= since
            elif since == power:
                compared, power, since = result, 2 * power, 0
        return result
