"""Conditions: negations, conjunctions and disjunctions of whatever atoms a language has, with what
does not depend on the atoms.

A language derives its connectives from these, so that they are printed as it writes them, and adds
its atoms.  Dribble and LISA do.  Two languages have trees of another kind: CAN's conditions are
nested as deep as a user likes, compare numbers and are values in states, and a world's are searched
for the values of their variables instead of being true or false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

__all__ = [
    "BooleanLiteral",
    "Conjunction",
    "Disjunction",
    "Negation",
    "atoms_in",
    "evaluate",
    "simplify",
]

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class BooleanLiteral:
    """``true`` or ``false``."""

    value: bool = True

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True)
class Negation(Generic[C]):
    """True where its operand is false."""

    operand: C


@dataclass(frozen=True, slots=True)
class Conjunction(Generic[C]):
    """True where all of its operands are, of which there may be any number."""

    operands: tuple[C, ...]


@dataclass(frozen=True, slots=True)
class Disjunction(Generic[C]):
    """True where one of its operands is, of which there may be any number."""

    operands: tuple[C, ...]


def evaluate(condition: object, truth: Callable[[Any], bool]) -> bool:
    """Whether a condition is true, given the truth of its atoms; asks from left to right, and for
    no more of them than it needs."""
    match condition:
        case BooleanLiteral(value):
            return value
        case Negation(operand):
            return not evaluate(operand, truth)
        case Conjunction(operands):
            return all(evaluate(each, truth) for each in operands)
        case Disjunction(operands):
            return any(evaluate(each, truth) for each in operands)
    return truth(condition)


def atoms_in(condition: object) -> Iterator[Any]:
    """The atoms of a condition, from left to right, as often as they stand there."""
    match condition:
        case BooleanLiteral():
            pass
        case Negation(operand):
            yield from atoms_in(operand)
        case Conjunction(operands) | Disjunction(operands):
            for each in operands:
                yield from atoms_in(each)
        case _:
            yield condition


def simplify(condition: Any, known: Callable[[Any], bool | None]) -> Any:
    """What is left of a condition where the truth of some atoms is known, and that of others (None)
    is not."""
    match condition:
        case BooleanLiteral():
            return condition
        case Negation(operand):
            rest = simplify(operand, known)
            return (
                BooleanLiteral(not rest.value)
                if isinstance(rest, BooleanLiteral)
                else replace(condition, operand=rest)
            )
        case Conjunction(operands) | Disjunction(operands):
            decisive, neutral = (
                BooleanLiteral(isinstance(condition, Disjunction)),
                BooleanLiteral(isinstance(condition, Conjunction)),
            )
            parts = tuple(part for each in operands if (part := simplify(each, known)) != neutral)
            if decisive in parts:
                return decisive
            return replace(condition, operands=parts) if parts else neutral
    truth = known(condition)
    return condition if truth is None else BooleanLiteral(truth)
