"""Splits a formula into conjuncts that can be checked separately."""

from __future__ import annotations

from collections.abc import Iterator

from volition.logic.syntax import And, Formula, Globally, PathQuantifier

__all__ = ["conjuncts", "split_conjunction"]


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Yield the conjuncts of a path formula, without a leading ``A``: ``A [ G (f & g) ]`` gives ``G
    f`` and ``G g``. A formula that is not a conjunction is yielded unchanged."""
    match formula:
        case PathQuantifier(quantifier="A", path=path):
            yield from conjuncts(path)
        case Globally(operand=And(left=left, right=right), bound=bound):
            yield from conjuncts(Globally(left, bound, span=formula.span))
            yield from conjuncts(Globally(right, bound, span=formula.span))
        case And(left=left, right=right):
            yield from conjuncts(left)
            yield from conjuncts(right)
        case _:
            yield formula


def split_conjunction(formula: Formula) -> list[Formula]:
    """Return formulas that all hold if and only if ``formula`` does. For example, ``A (f & g)``
    gives ``A f`` and ``A g``."""
    match formula:
        case And(left=left, right=right):
            return [*split_conjunction(left), *split_conjunction(right)]
        case PathQuantifier(quantifier="A", path=path):
            return [PathQuantifier("A", each, span=formula.span) for each in conjuncts(path)]
        case Globally():
            return list(conjuncts(formula))
        case _:
            pass
    return [formula]
