"""Path formulas in simpler shapes: negation normal form, and without step bounds.

Both keep the meaning on infinite runs.  Below a path quantifier nothing is touched: ``A [..]`` and ``E [..]`` inside a path
formula are leaves here, as in the reduction of CTL* (Emerson and Lei 1987).
"""

from __future__ import annotations

from volition.logic.shape import QUANTITATIVE, STATE_LEAVES
from volition.logic.syntax import (
    And,
    Constant,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    PathQuantifier,
    Release,
    StepBound,
    Until,
    WeakUntil,
)
from volition.logic.tree import rebuild

__all__ = ["negation_normal_form", "without_bounds"]


def negation_normal_form(formula: Formula, *, negated: bool = False) -> Formula:
    """The formula, or its negation, over ``& | X U R`` with ``!`` in front of leaves only.

    Bounds must be gone (:func:`without_bounds`) and quantifiers over agents expanded.  ``F a`` becomes ``true U a``,
    ``G a`` becomes ``false R a`` and ``a W b`` becomes ``b R (a | b)``.
    """

    def same(part: Formula) -> Formula:
        return negation_normal_form(part, negated=negated)

    def opposite(part: Formula) -> Formula:
        return negation_normal_form(part, negated=not negated)

    match formula:
        case Constant():
            return Constant(formula.value != negated)
        case Not():
            return opposite(formula.operand)
        case And():
            return (Or if negated else And)(same(formula.left), same(formula.right))
        case Or():
            return (And if negated else Or)(same(formula.left), same(formula.right))
        case Implies():
            return (And if negated else Or)(opposite(formula.left), same(formula.right))
        case Iff():
            both = And(same(formula.left), negation_normal_form(formula.right))
            neither = And(opposite(formula.left), negation_normal_form(formula.right, negated=True))
            return Or(both, neither)
        case Next():
            return Next(same(formula.operand))
        case Finally():
            return (Release if negated else Until)(Constant(not negated), same(formula.operand))
        case Globally():
            return (Until if negated else Release)(Constant(negated), same(formula.operand))
        case Until():
            return (Release if negated else Until)(same(formula.left), same(formula.right))
        case Release():
            return (Until if negated else Release)(same(formula.left), same(formula.right))
        case WeakUntil():
            return same(Release(formula.right, Or(formula.left, formula.right)))
        case _:
            return Not(formula) if negated else formula


def without_bounds(path: Formula) -> Formula:
    """The path formula with step bounds unrolled into ``X``; its size grows with the bounds.

    ``a U[m,n] b`` holds if b holds after i steps, for some i from m to n, and a until then.
    """
    if isinstance(path, STATE_LEAVES | PathQuantifier | QUANTITATIVE):
        return path
    inner: Formula = rebuild(path, without_bounds)
    match inner:
        case Finally(bound=StepBound() as bound):
            return _bounded_until(Constant(True), inner.operand, bound)
        case Globally(bound=StepBound() as bound):
            return Not(_bounded_until(Constant(True), Not(inner.operand), bound))
        case Until(bound=StepBound() as bound):
            return _bounded_until(inner.left, inner.right, bound)
        case Release(bound=StepBound() as bound):
            return Not(_bounded_until(Not(inner.left), Not(inner.right), bound))
        case WeakUntil(bound=StepBound() as bound):
            neither = And(Not(inner.left), Not(inner.right))
            return Not(_bounded_until(And(inner.left, Not(inner.right)), neither, bound))
        case _:
            return inner


def _bounded_until(left: Formula, right: Formula, bound: StepBound) -> Formula:
    result = right if bound.upper is not None else Until(left, right)
    for _ in range((bound.upper or 0) - bound.lower if bound.upper is not None else 0):
        result = Or(right, And(left, Next(result)))
    for _ in range(bound.lower):
        result = And(left, Next(result))
    return result
