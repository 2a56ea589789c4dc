"""Path formulas as what a probabilistic engine can answer: one step, one until, or an LTL formula; perhaps of the opposite.

``G``, ``W`` and ``R`` are negations of until, so ``Pmax [ G a ]`` is ``1 - Pmin [ F !a ]``.  This keeps the engine's answers within
reachability wherever possible, where it has sound bounds and strategies without memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from volition.logic.shape import is_state_formula
from volition.logic.syntax import (
    And,
    Constant,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Or,
    Release,
    StepBound,
    Until,
    WeakUntil,
)

__all__ = ["Linear", "OneStep", "Reach", "Reduced", "is_about_a_goal", "reduce_path"]


@dataclass(frozen=True, slots=True)
class OneStep:
    """``X goal``, with a state formula."""

    goal: Formula


@dataclass(frozen=True, slots=True)
class Reach:
    """``through U goal``, with state formulas."""

    through: Formula
    goal: Formula
    bound: StepBound | None = None


@dataclass(frozen=True, slots=True)
class Linear:
    """Any other path formula."""

    path: Formula


@dataclass(frozen=True, slots=True)
class Reduced:
    """A path formula that holds where ``question`` holds, or, if ``opposite``, where it fails."""

    question: OneStep | Reach | Linear
    opposite: bool = False


def reduce_path(path: Formula) -> Reduced:
    """The path formula as one of the engine's questions; quantifiers over agents must be expanded before."""
    if is_state_formula(path):
        return Reduced(Reach(Constant(False), path))
    match path:
        case Not():
            inner = reduce_path(path.operand)
            if not isinstance(inner.question, Linear):
                return Reduced(inner.question, not inner.opposite)
        case Next() if is_state_formula(path.operand):
            return Reduced(OneStep(path.operand))
        case Finally() if is_state_formula(path.operand):
            return Reduced(Reach(Constant(True), path.operand, path.bound))
        case Globally() if is_state_formula(path.operand):
            return Reduced(Reach(Constant(True), Not(path.operand), path.bound), opposite=True)
        case Until() | WeakUntil() | Release() if is_state_formula(path.left) and is_state_formula(path.right):
            return _reduce_until(path)
    return Reduced(Linear(path))


def is_about_a_goal(path: Formula) -> bool:
    """Whether a path formula asks for a goal at some time, or within some steps, perhaps for missing it."""
    question = reduce_path(path).question
    return isinstance(question, Reach) and (question.bound is None or question.bound.lower == 0)


def _reduce_until(path: Until | WeakUntil | Release) -> Reduced:
    match path:
        case Until():
            return Reduced(Reach(path.left, path.right, path.bound))
        case Release():
            return Reduced(Reach(Not(path.left), Not(path.right), path.bound), opposite=True)
        case WeakUntil():
            neither = Not(Or(path.left, path.right))
            return Reduced(Reach(And(path.left, Not(path.right)), neither, path.bound), opposite=True)
