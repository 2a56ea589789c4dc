"""Properties that hold for the wrong reason.

``G (a -> b)`` holds of every system in which ``a`` never happens: *antecedent failure* (Beer, Ben-David, Eisner and Rodeh,
"Efficient detection of vacuity in ACTL formulas", CAV 1997).  An implication in a formula that holds is vacuous if the formula
still holds with the right side replaced by false: then the left side is never true where it would matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from volition.logic.printing import show
from volition.logic.syntax import Constant, Formula, Iff, Implies, Not, Or
from volition.logic.tree import children, rebuild

__all__ = ["vacuous_implications"]


def vacuous_implications(formula: Formula, holds: Callable[[Formula], bool | None]) -> list[str]:
    """Remarks on the implications of a formula that holds; ``holds`` decides a changed formula.

    An implication inside one that is vacuous already is not mentioned.
    """
    remarks = []
    vacuous: list[Formula] = []
    for implication, condition, consequence in _implications(formula):
        if any(_contains(outer, implication) for outer in vacuous):
            continue
        if holds(_with(formula, implication, Not(condition))):
            vacuous.append(implication)
            remarks.append(
                f"holds vacuously: '{show(condition)}' is never true where it matters, so '{show(consequence)}' is never asked for"
            )
    return remarks


def _implications(formula: Any, positive: bool = True) -> Iterator[tuple[Formula, Formula, Formula]]:
    """The implications that stand under an even number of negations, outermost first, with their two sides.

    One whose right side is false is a negation in other words: its left side is meant never to hold.
    """
    match formula:
        case Implies(left=left, right=right) | Or(left=Not(operand=left), right=right) if positive and right != Constant(False):
            yield formula, left, right
        case Iff():
            return
    for part in children(formula):
        negates = isinstance(formula, Not) or (isinstance(formula, Implies) and part is formula.left)
        yield from _implications(part, positive != negates)


def _contains(formula: Any, part: Any) -> bool:
    return formula is part or any(_contains(each, part) for each in children(formula))


def _with(formula: Any, part: Any, instead: Formula) -> Any:
    """The formula with one part, known by identity, replaced."""
    return instead if formula is part else rebuild(formula, lambda each: _with(each, part, instead))
