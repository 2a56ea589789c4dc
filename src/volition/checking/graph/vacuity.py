"""Vacuity detection: finds implications that hold only because their left side is never true.

``G (a -> b)`` holds in every system in which ``a`` never happens: *antecedent failure* (Beer,
Ben-David, Eisner and Rodeh, "Efficient detection of vacuity in ACTL formulas", CAV 1997).
Definition: an implication (``l -> r``, or ``!l | r``) under an even number of negations in a
formula that holds is *vacuous* if the formula still holds with the right side replaced by false.
Then the left side is never true in a state where it matters.

Three kinds of implication are skipped. One below ``<->`` occurs with both polarities. One inside a
vacuous implication is covered by it. One whose right side is ``false`` (or ``!true``) is a negation
in another notation, and its left side is not meant to hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from volition.logic.printing import as_typed
from volition.logic.syntax import Constant, Formula, Iff, Implies, Not, Or
from volition.logic.traversal import children, map_children, subformulas

__all__ = ["vacuous_implications"]

_FALSE = (Constant(False), Not(Constant(True)))


def vacuous_implications(formula: Formula, holds: Callable[[Formula], bool | None]) -> list[str]:
    """Return a remark for users about each vacuous implication of a formula that holds. ``holds``
    decides a modified formula."""
    remarks = []
    within_vacuous: set[int] = set()
    for implication, condition, consequence in _implications(formula):
        if id(implication) in within_vacuous:
            continue
        if holds(_with(formula, implication, Not(condition))):
            within_vacuous.update(id(part) for part in subformulas(implication))
            remarks.append(
                f"holds vacuously: '{as_typed(condition)}' is never true where it matters, so "
                f"'{as_typed(consequence)}' is never required"
            )
    return remarks


def _implications(
    formula: Any, positive: bool = True
) -> Iterator[tuple[Formula, Formula, Formula]]:
    """Yield the implications under an even number of negations, outermost first, each as a triple
    of the implication, its left side and its right side."""
    if isinstance(formula, Iff):
        return
    if positive:
        match formula:
            case Implies(left=left, right=right) | Or(left=Not(operand=left), right=right) if (
                right not in _FALSE
            ):
                yield formula, left, right
            case _:
                pass
    for part in children(formula):
        negates = isinstance(formula, Not) or (
            isinstance(formula, Implies) and part is formula.left
        )
        yield from _implications(part, positive != negates)


def _with(formula: Any, part: Any, instead: Formula) -> Any:
    """Return the formula with the subformula ``part`` replaced by ``instead``. The subformula is
    found by identity."""
    return (
        instead
        if formula is part
        else map_children(formula, lambda each: _with(each, part, instead))
    )
