"""Random systems of components that mostly mind their own business: what partial-order reduction is
made for.

Each component walks through a small program of its own.  Most of its steps touch only its own
slots; some read or write a slot that others use too, some are a choice, and some are left to
chance.  Atoms read a second slot only where a first one has some value, which it may have for a
moment only: a reduction that does not look at them in every state takes them for blind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Choice, Component, SlotView, System
from volition.languages.protocols import StateView
from volition.logic.syntax import (
    And,
    AtomicFormula,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Not,
    Or,
    PathQuantifier,
    Proposition,
    Release,
    Until,
    WeakUntil,
)

__all__ = ["LooseSystem", "branching_formula", "linear_formula", "loose_system"]

VALUES = 3
NAMES = ("a", "b", "c")

Guard = tuple[str, int] | None
"""A slot and the value that it must have."""

Step = tuple[Guard, tuple[tuple[tuple[Fraction, tuple[tuple[str, int], ...]], ...], ...]]
"""When it is possible, and its choices: each with outcomes of a probability and what is written."""


@dataclass(frozen=True)
class Looks:
    """An atom: whether a slot has a value, where another slot decides which slot that is."""

    first: str
    when: int
    then: tuple[str, int]
    otherwise: tuple[str, int] | None

    def __call__(self, view: SlotView) -> bool:
        looked_at = self.then if view[self.first] == self.when else self.otherwise
        return looked_at is not None and bool(view[looked_at[0]] == looked_at[1])


@dataclass(frozen=True)
class LooseSystem:
    """Programs of components and atoms over their slots; it implements
    :class:`volition.languages.protocols.Model`."""

    slots: tuple[str, ...]
    programs: tuple[tuple[Step, ...], ...]
    atoms: tuple[Looks, ...]
    agents: Sequence[str] = ("agent",)

    @cached_property
    def system(self) -> System:
        components = [
            Component(f"component {number}", self._step(number))
            for number in range(len(self.programs))
        ]
        return System(dict.fromkeys(self.slots, 0), components)

    def _step(self, number: int) -> Callable[[SlotView], list[Choice]]:
        program = self.programs[number]

        def step(view: SlotView) -> list[Choice]:
            position = view[f"at {number}"]
            if position >= len(program):
                return []
            guard, choices = program[position]
            if guard is not None and view[guard[0]] != guard[1]:
                return []
            return [
                Choice(
                    (number, position, which),
                    [(weight, dict(writes)) for weight, writes in outcomes],
                )
                for which, outcomes in enumerate(choices)
            ]

        return step

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if not isinstance(atom, Proposition) or atom.name not in NAMES:
            raise InputError([Diagnostic("TST001", "unknown", atom.span)])
        return self.atoms[NAMES.index(atom.name)]

    def describe(self, state: SlotView) -> StateView:
        return {"slots": {slot: str(state[slot]) for slot in self.slots}}


def loose_system(dice: random.Random) -> LooseSystem:
    """A random system of two to five components."""
    components = dice.randint(3, 5)
    shared = [f"shared {number}" for number in range(dice.randint(1, 2))]
    own = {
        number: [f"own {number} {each}" for each in range(dice.randint(0, 2))]
        for number in range(components)
    }
    slots = (
        *(f"at {number}" for number in range(components)),
        *shared,
        *(slot for each in own.values() for slot in each),
    )
    programs = tuple(_program(dice, number, own[number], shared) for number in range(components))
    return LooseSystem(slots, programs, tuple(_atom(dice, slots) for _ in NAMES))


def _program(
    dice: random.Random, number: int, own: Sequence[str], shared: Sequence[str]
) -> tuple[Step, ...]:
    length = dice.randint(1, 4)
    return tuple(_step(dice, number, index, length, own, shared) for index in range(length))


def _step(
    dice: random.Random,
    number: int,
    index: int,
    length: int,
    own: Sequence[str],
    shared: Sequence[str],
) -> Step:
    guard: Guard = None
    if dice.random() < 0.15:
        guard = (dice.choice([*own, *shared]), dice.randrange(VALUES - 1))
    choices = []
    for _ in range(1 if dice.random() < 0.85 else 2):
        writes = [
            _writes(dice, number, index, length, own, shared)
            for _ in range(1 if dice.random() < 0.85 else 2)
        ]
        choices.append(tuple((Fraction(1, len(writes)), each) for each in writes))
    return guard, tuple(choices)


def _writes(
    dice: random.Random,
    number: int,
    index: int,
    length: int,
    own: Sequence[str],
    shared: Sequence[str],
) -> tuple[tuple[str, int], ...]:
    onwards = index + 1 if dice.random() < 0.85 else dice.randrange(length)
    written = {f"at {number}": onwards}
    for slot in own:
        if dice.random() < 0.4:
            written[slot] = dice.randrange(VALUES)
    if dice.random() < 0.12:
        written[dice.choice(shared)] = dice.randrange(VALUES)
    return tuple(written.items())


def _atom(dice: random.Random, slots: Sequence[str]) -> Looks:
    def looked_at() -> tuple[str, int]:
        return dice.choice(slots), dice.randrange(VALUES)

    return Looks(
        dice.choice(slots),
        dice.randrange(VALUES),
        looked_at(),
        looked_at() if dice.random() < 0.4 else None,
    )


# --- formulas without the next step ---------------------------------------------------------------


def linear_formula(dice: random.Random) -> Formula:
    """``A`` or ``E`` over a random formula of LTL."""
    return PathQuantifier(
        dice.choice(["A", "E"]), _path(dice, dice.randint(1, 3), lambda _: _literal(dice))
    )


def branching_formula(dice: random.Random, depth: int = 2) -> Formula:
    """A random formula of CTL*, with quantifiers within quantifiers."""

    def part(_: int) -> Formula:
        if depth > 0 and dice.random() < 0.6:
            inner = branching_formula(dice, depth - 1)
            return Not(inner) if dice.random() < 0.3 else inner
        return _literal(dice)

    return PathQuantifier(dice.choice(["A", "E"]), _path(dice, dice.randint(1, 2), part))


def _literal(dice: random.Random) -> Formula:
    atom = Proposition("deadlock") if dice.random() < 0.05 else Proposition(dice.choice(NAMES))
    return Not(atom) if dice.random() < 0.4 else atom


def _path(dice: random.Random, depth: int, part: Callable[[int], Formula]) -> Formula:
    def below() -> Formula:
        return (
            part(depth - 1) if depth == 1 or dice.random() < 0.4 else _path(dice, depth - 1, part)
        )

    kind = dice.randrange(9)
    if kind < 2:
        return Finally(below())
    if kind < 4:
        return Globally(below())
    operators: list[Callable[[Formula, Formula], Formula]] = [
        Until,
        WeakUntil,
        Release,
        And,
        Or,
        Implies,
        Iff,
    ]
    return operators[dice.randrange(7)](below(), below())
