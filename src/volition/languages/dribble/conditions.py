"""Conditions on beliefs and goals: the language L_BG and its belief part L_B (Trang et al., Sect.
2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

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
    """``B α``: the belief base entails α."""

    formula: Dnf

    def __str__(self) -> str:
        return f"B({self.formula})"


@dataclass(frozen=True, slots=True)
class Desires:
    """``G α``: some single goal of the goal base entails α."""

    formula: Dnf

    def __str__(self) -> str:
        return f"G({self.formula})"


@dataclass(frozen=True, slots=True)
class Not(Negation["Condition"]):
    """``¬β``."""

    def __str__(self) -> str:
        return f"~{self.operand}"


@dataclass(frozen=True, slots=True)
class And(Conjunction["Condition"]):
    """``β1 ∧ β2 ∧ ...``."""

    def __str__(self) -> str:
        return f"({' & '.join(map(str, self.operands))})"


@dataclass(frozen=True, slots=True)
class Or(Disjunction["Condition"]):
    """``β1 ∨ β2 ∨ ...``, which the paper spells with ¬ and ∧."""

    def __str__(self) -> str:
        return f"({' | '.join(map(str, self.operands))})"


Condition = BooleanLiteral | Believes | Desires | Not | And | Or
"""``true`` is the condition that always holds; the paper would write ``B(p ∨ ¬p)``."""


def holds(
    condition: Condition, believed: Callable[[Dnf], bool], desired: Callable[[Dnf], bool]
) -> bool:
    """``⟨δ, γ⟩ ⊨_BG condition``, where ``believed`` answers for δ and ``desired`` for γ; asks as
    little as it can."""
    return evaluate(
        condition, lambda atom: (believed if isinstance(atom, Believes) else desired)(atom.formula)
    )


def formulas_in(condition: Condition) -> Iterator[Believes | Desires]:
    """The formulas ``B α`` and ``G α`` in a condition, from left to right."""
    return atoms_in(condition)


def can_hold(condition: Condition) -> bool:
    """Whether some consistent belief base satisfies a condition of L_B.

    A conjunction of ``B α1``, ..., ``¬B β1``, ... has such a base exactly if {α1, ...} is one.
    """
    return any(
        _has_base(believed, not_believed) for believed, not_believed in _cases(condition, True)
    )


def text_of_test(condition: Condition) -> str:
    """A condition of L_B as programs write it: ``r1`` for ``B r1``."""
    return str(condition.formula) if isinstance(condition, Believes) else str(condition)


_Case = tuple[frozenset[Dnf], frozenset[Dnf]]
"""What must be believed, and what must not."""


def _has_base(believed: frozenset[Dnf], not_believed: frozenset[Dnf]) -> bool:
    return consistent(believed) and not any(entails(believed, formula) for formula in not_believed)


def _cases(condition: Condition, requested: bool) -> Iterator[_Case]:
    """The ways in which a condition of L_B gets the wanted truth value, a disjunction of
    conjunctions."""
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
