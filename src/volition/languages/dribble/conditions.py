"""Conditions on beliefs and goals: the language L_BG and its belief part L_B (Trang et al., Sect.
2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import assert_never

from volition.languages.common.conditions import (
    BooleanLiteral,
    Conjunction,
    Disjunction,
    Negation,
    atoms_in,
    evaluate,
)
from volition.languages.dribble.propositional import Dnf, consistent, entails

__all__ = [
    "And",
    "Believes",
    "BooleanLiteral",
    "Condition",
    "Desires",
    "Not",
    "Or",
    "can_hold",
    "formulas_in",
    "holds",
    "text_of_test",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Believes:
    """Condition ``B α``: the belief base entails α."""

    formula: Dnf

    def __str__(self) -> str:
        return f"B({self.formula})"


@dataclass(frozen=True, slots=True)
class Desires:
    """Condition ``G α``: some single goal of the goal base entails α."""

    formula: Dnf

    def __str__(self) -> str:
        return f"G({self.formula})"


@dataclass(frozen=True, slots=True)
class Not(Negation["Condition"]):
    """Negation ``¬β``."""

    def __str__(self) -> str:
        return f"~{self.operand}"


@dataclass(frozen=True, slots=True)
class And(Conjunction["Condition"]):
    """Conjunction ``β1 ∧ β2 ∧ ...``."""

    def __str__(self) -> str:
        return f"({' & '.join(map(str, self.operands))})"


@dataclass(frozen=True, slots=True)
class Or(Disjunction["Condition"]):
    """Disjunction ``β1 ∨ β2 ∨ ...``, which Trang et al. express with ¬ and ∧."""

    def __str__(self) -> str:
        return f"({' | '.join(map(str, self.operands))})"


Condition = BooleanLiteral | Believes | Desires | Not | And | Or
"""Condition of the language L_BG. ``true`` always holds; Trang et al. would write ``B(p ∨ ¬p)``."""


def holds(
    condition: Condition, believed: Callable[[Dnf], bool], desired: Callable[[Dnf], bool]
) -> bool:
    """Return whether a condition holds for a belief base δ and a goal base γ: ``⟨δ, γ⟩ ⊨_BG
    condition``.

    ``believed`` decides whether δ entails a formula, ``desired`` whether a goal of γ does. They are
    called only as far as the result needs them.
    """
    return evaluate(
        condition, lambda atom: (believed if isinstance(atom, Believes) else desired)(atom.formula)
    )


def formulas_in(condition: Condition) -> Iterator[Believes | Desires]:
    """Yield the subformulas ``B α`` and ``G α`` of a condition from left to right."""
    return atoms_in(condition)


def can_hold(condition: Condition) -> bool:
    """Return whether some consistent belief base satisfies a condition of L_B, the language of
    conditions without goals.

    The condition is brought into disjunctive normal form. For each conjunction ``B α1 ∧ ... ∧ ¬B β1
    ∧ ...`` it suffices to try the base {α1, ...}: if any base satisfies the conjunction, this one
    does.
    """
    return any(
        _has_base(believed, not_believed) for believed, not_believed in _cases(condition, True)
    )


def text_of_test(condition: Condition) -> str:
    """Return a condition without goals in program notation: ``r1`` for ``B r1``."""
    return str(condition.formula) if isinstance(condition, Believes) else str(condition)


_Case = tuple[frozenset[Dnf], frozenset[Dnf]]
"""Conjunction in the disjunctive normal form of a condition without goals: the formulas that must
be believed, and the formulas that must not be believed."""


def _has_base(believed: frozenset[Dnf], not_believed: frozenset[Dnf]) -> bool:
    return consistent(believed) and not any(entails(believed, formula) for formula in not_believed)


def _cases(condition: Condition, requested: bool) -> Iterator[_Case]:
    """Yield the conjunctions of the disjunctive normal form of a condition without goals, or of its
    negation if ``requested`` is False."""
    match condition:
        case BooleanLiteral(value):
            if value == requested:
                yield frozenset(), frozenset()
        case Believes(formula):
            yield (
                (frozenset([formula]), frozenset())
                if requested
                else (frozenset(), frozenset([formula]))
            )
        case Not(operand):
            yield from _cases(operand, not requested)
        case And(parts) | Or(parts) if isinstance(condition, And) == requested:
            for together in product(*(list(_cases(part, requested)) for part in parts)):
                yield (
                    frozenset().union(*(case[0] for case in together)),
                    frozenset().union(*(case[1] for case in together)),
                )
        case And(parts) | Or(parts):
            for part in parts:
                yield from _cases(part, requested)
        case Desires():
            raise ValueError("a condition on goals is not one of L_B")
        case _:
            assert_never(condition)
