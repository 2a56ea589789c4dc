"""The logical structure of a formula: what has to hold of a program altogether, part by part."""

from __future__ import annotations

from collections.abc import Iterator

from volition.logic.syntax import And, Formula, Globally, PathQuantifier

__all__ = ["conjuncts", "split_conjunction"]


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """``A [ G (f & g) ]`` as ``G f`` and ``G g``; any other formula as it is."""
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
    """Formulas that all hold if and only if this one does: ``A (f & g)`` is ``A f`` and ``A g``,
    since all runs satisfy both."""
    match formula:
        case And(left=left, right=right):
            return [*split_conjunction(left), *split_conjunction(right)]
        case PathQuantifier(quantifier="A", path=path):
            return [PathQuantifier("A", each, span=formula.span) for each in conjuncts(path)]
        case Globally():
            return list(conjuncts(formula))
    return [formula]
