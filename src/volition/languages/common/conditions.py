"""Boolean conditions (negation, conjunction, disjunction) over atoms that each language defines.

A language subclasses the connectives, so that they print in its own notation, and adds its atoms.
Dribble and LISA do so. Two languages use other trees: CAN's conditions may be nested to any depth,
compare numbers and are values in states; conditions of a world are solved for the values of their
variables instead of being only true or false.
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
    """Condition that is the constant ``true`` or ``false``."""

    value: bool = True

    def __str__(self) -> str:
        return "true" if self.value else "false"


@dataclass(frozen=True, slots=True)
class Negation(Generic[C]):
    """Condition that is true if its operand is false."""

    operand: C


@dataclass(frozen=True, slots=True)
class Conjunction(Generic[C]):
    """Condition that is true if all operands are true; with no operands it is true."""

    operands: tuple[C, ...]


@dataclass(frozen=True, slots=True)
class Disjunction(Generic[C]):
    """Condition that is true if at least one operand is true; with no operands it is false."""

    operands: tuple[C, ...]


def evaluate(condition: object, truth: Callable[[Any], bool]) -> bool:
    """Return whether a condition is true.

    ``truth`` gives the value of an atom. Atoms are evaluated from left to right, and evaluation
    stops as soon as the result is known.
    """
    match condition:
        case BooleanLiteral(value):
            return value
        case Negation(operand):
            return not evaluate(operand, truth)
        case Conjunction(operands):
            return all(evaluate(each, truth) for each in operands)
        case Disjunction(operands):
            return any(evaluate(each, truth) for each in operands)
        case _:
            pass
    return truth(condition)


def atoms_in(condition: object) -> Iterator[Any]:
    """Yield the atoms of a condition from left to right, including repetitions."""
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
    """Return a condition simplified with the atoms whose values are known: each of these atoms is
    replaced by ``true`` or ``false``, and operands that then have no effect are removed.

    ``known`` returns the value of an atom, or None if it is not known. Atoms whose value is not
    known stay in the condition.
    """
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
        case _:
            pass
    truth = known(condition)
    return condition if truth is None else BooleanLiteral(truth)
