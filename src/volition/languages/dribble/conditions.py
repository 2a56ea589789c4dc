"""Conditions on beliefs and goals: the language L_BG and its belief part L_B (seed 004, Sect. 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from volition.languages.dribble.propositional import Dnf, consistent, entails

__all__ = [
    "Believes", "Both", "Condition", "Desires", "Either", "Not", "Truth", "can_hold", "formulas_in", "holds", "text_of_test",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Truth:
    """The condition that always holds; the paper would write ``B(p ∨ ¬p)``."""

    def __str__(self) -> str:
        return "true"


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
class Not:
    """``¬β``."""

    operand: Condition

    def __str__(self) -> str:
        return f"~{self.operand}"


@dataclass(frozen=True, slots=True)
class Both:
    """``β ∧ β'``."""

    left: Condition
    right: Condition

    def __str__(self) -> str:
        return f"({self.left} & {self.right})"


@dataclass(frozen=True, slots=True)
class Either:
    """``β ∨ β'``, which the paper spells with ¬ and ∧."""

    left: Condition
    right: Condition

    def __str__(self) -> str:
        return f"({self.left} | {self.right})"


Condition = Truth | Believes | Desires | Not | Both | Either


def holds(condition: Condition, believed: Callable[[Dnf], bool], desired: Callable[[Dnf], bool]) -> bool:
    """``⟨δ, γ⟩ ⊨_BG condition``, where ``believed`` answers for δ and ``desired`` for γ; asks as little as it can."""
    match condition:
        case Truth():
            return True
        case Believes(formula):
            return believed(formula)
        case Desires(formula):
            return desired(formula)
        case Not(operand):
            return not holds(operand, believed, desired)
        case Both(left, right):
            return holds(left, believed, desired) and holds(right, believed, desired)
        case Either(left, right):
            return holds(left, believed, desired) or holds(right, believed, desired)


def formulas_in(condition: Condition) -> Iterator[Believes | Desires]:
    """The formulas ``B α`` and ``G α`` in a condition, from left to right."""
    match condition:
        case Believes() | Desires():
            yield condition
        case Not(operand):
            yield from formulas_in(operand)
        case Both(left, right) | Either(left, right):
            yield from formulas_in(left)
            yield from formulas_in(right)


def can_hold(condition: Condition) -> bool:
    """Whether some consistent belief base satisfies a condition of L_B.

    A conjunction of ``B α1``, ..., ``¬B β1``, ... has such a base exactly if {α1, ...} is one.
    """
    return any(_has_base(believed, not_believed) for believed, not_believed in _cases(condition, True))


def text_of_test(condition: Condition) -> str:
    """A condition of L_B as programs write it: ``r1`` for ``B r1``."""
    return str(condition.formula) if isinstance(condition, Believes) else str(condition)


_Case = tuple[frozenset[Dnf], frozenset[Dnf]]
"""What must be believed, and what must not."""


def _has_base(believed: frozenset[Dnf], not_believed: frozenset[Dnf]) -> bool:
    return consistent(believed) and not any(entails(believed, formula) for formula in not_believed)


def _cases(condition: Condition, wanted: bool) -> Iterator[_Case]:
    """The ways in which a condition of L_B gets the wanted truth value, a disjunction of conjunctions."""
    match condition:
        case Truth():
            if wanted:
                yield frozenset(), frozenset()
        case Believes(formula):
            yield (frozenset([formula]), frozenset()) if wanted else (frozenset(), frozenset([formula]))
        case Not(operand):
            yield from _cases(operand, not wanted)
        case Both(left, right) | Either(left, right):
            if isinstance(condition, Both) == wanted:
                for one in _cases(left, wanted):
                    for other in _cases(right, wanted):
                        yield one[0] | other[0], one[1] | other[1]
            else:
                yield from _cases(left, wanted)
                yield from _cases(right, wanted)
        case Desires():
            raise ValueError("a condition on goals is not one of L_B")
