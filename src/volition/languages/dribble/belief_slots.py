"""Storage of a belief base in slots (state variables), chosen so that a condition reads only the
beliefs it depends on.

Formulas without common atoms are independent: whether the base entails α depends only on the
formulas connected with α through shared atoms, and an action never connects formulas. The base
therefore splits into parts that stay separate. In most parts all formulas are conjunctions of
literals; there each atom has its own slot, with the value True, False or None (unknown). Any other
part is one slot with its set of formulas.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot
from volition.languages.dribble.propositional import (
    Dnf,
    Literal,
    assign,
    conjunct_of,
    entails,
    fact,
)

__all__ = ["BeliefSlots", "Changed", "Value", "belief_slots"]

Value = bool | None | frozenset[Dnf]
"""Value of a slot of the belief base. The slot of an atom holds True or False if the atom or its
negation is believed, else None. Any other slot holds a set of formulas."""


@dataclass(frozen=True)
class Changed:
    """View of a state after the slot writes ``writes``."""

    before: SlotView
    writes: Mapping[str, Hashable]

    def __getitem__(self, slot: str, /) -> Any:
        return self.writes[slot] if slot in self.writes else self.before[slot]


@dataclass(frozen=True)
class BeliefSlots:
    """Belief base stored in slots, with functions for entailment, contents and updates.

    - ``initial`` are the slots with their initial values.
    - ``slot_of_atom`` maps each atom to the slot that stores the beliefs about it.
    - ``facts`` are the atoms that have a slot of their own.
    - ``conjunctions`` has one set of atoms for each belief that is a conjunction of literals over
      ``facts``. Actions change the signs of the literals, never these sets.
    """

    initial: Mapping[Slot, Value]
    slot_of_atom: Mapping[str, Slot]
    facts: frozenset[str]
    conjunctions: frozenset[frozenset[str]]

    def entails(self, state: SlotView, formula: Dnf) -> bool:
        """Return whether the belief base δ of a state entails a formula: ``δ ⊨_Prop formula``.

        This reads only the slots of the formula's atoms. For a conjunction of facts it stops at the
        first one that is not believed.
        """
        conjunct = conjunct_of(formula)
        if conjunct is not None and all(literal.atom in self.facts for literal in conjunct):
            return all(
                state[self.slot_of_atom[literal.atom]] is literal.positive
                for literal in sorted(conjunct)
            )
        return entails(self._formulas(state, formula.atoms), formula)

    def slots_of(self, atoms: Iterable[str]) -> list[Slot]:
        """Return the slots of the given atoms without duplicates, in a fixed order."""
        return sorted({self.slot_of_atom[atom] for atom in atoms})

    def after(self, state: SlotView, literals: Collection[Literal]) -> dict[str, Value]:
        """Return the slot writes of an action that makes ``literals`` true in ``state``. An atom
        with a slot of its own is set to True or False. In each other slot, :func:`assign` updates
        the set of formulas."""
        writes: dict[str, Value] = {
            self.slot_of_atom[literal.atom]: literal.positive
            for literal in literals
            if literal.atom in self.facts
        }
        others = [literal for literal in literals if literal.atom not in self.facts]
        for slot in self.slots_of(literal.atom for literal in others):
            writes[slot] = assign(
                state[slot],
                [literal for literal in others if self.slot_of_atom[literal.atom] == slot],
            )
        return writes

    def base(self, state: SlotView) -> frozenset[Dnf]:
        """Return the belief base δ of a state as a set of formulas."""
        grouped = frozenset[str]().union(*self.conjunctions)
        joined = (
            frozenset(Literal(atom, state[self.slot_of_atom[atom]]) for atom in atoms)
            for atoms in self.conjunctions
        )
        return self._formulas(state, self.slot_of_atom.keys() - grouped) | {
            Dnf(frozenset([clause])) for clause in joined
        }

    def values_of(self, base: frozenset[Dnf]) -> dict[str, Value] | None:
        """Return the slot values of a state whose belief base is exactly ``base``, or None if these
        slots cannot represent it."""
        if not all(formula.atoms <= self.slot_of_atom.keys() for formula in base):
            return None
        values: dict[str, Any] = {
            slot: frozenset() if isinstance(value, frozenset) else None
            for slot, value in self.initial.items()
        }
        for formula in base:
            if formula.atoms <= self.facts:
                values |= {
                    self.slot_of_atom[literal.atom]: literal.positive
                    for clause in formula.clauses
                    for literal in clause
                }
            else:
                values[self.slot_of_atom[min(formula.atoms - self.facts)]] |= {formula}
        return values if self.base(values) == base else None

    def _formulas(self, state: SlotView, atoms: Iterable[str]) -> frozenset[Dnf]:
        """Return the formulas that the slots of the given atoms hold in a state."""
        formulas: set[Dnf] = set()
        for atom in sorted(atoms):
            value = state[self.slot_of_atom[atom]]
            if atom not in self.facts:
                formulas |= value
            elif value is not None:
                formulas.add(fact(atom, value))
        return frozenset(formulas)


def belief_slots(base: frozenset[Dnf], atoms: Iterable[str]) -> BeliefSlots:
    """Return the slots for a program whose initial belief base is ``base``. ``atoms`` are all atoms
    of the program, including those that do not occur in the base."""
    initial: dict[Slot, Value] = {}
    slot_of_atom: dict[str, Slot] = {}
    facts: set[str] = set()
    conjunctions: set[frozenset[str]] = set()
    for part_atoms, formulas in _parts(base, atoms):
        clauses = [conjunct_of(formula) for formula in formulas]
        if all(clause is not None for clause in clauses):
            known = {
                literal.atom: literal.positive for clause in clauses for literal in clause or ()
            }
            conjunctions |= {formula.atoms for formula in formulas}
            facts |= part_atoms
            for atom in part_atoms:
                slot_of_atom[atom] = Slot(f"belief {atom}", "belief", item=atom)
                initial[slot_of_atom[atom]] = known.get(atom)
        else:
            item = ", ".join(sorted(part_atoms))
            slot = Slot(f"belief {item}", "belief", item=item)
            slot_of_atom |= dict.fromkeys(part_atoms, slot)
            initial[slot] = formulas
    return BeliefSlots(
        dict(sorted(initial.items())), slot_of_atom, frozenset(facts), frozenset(conjunctions)
    )


def _parts(
    base: frozenset[Dnf], atoms: Iterable[str]
) -> list[tuple[frozenset[str], frozenset[Dnf]]]:
    """Return the connected parts of the base: formulas with a common atom are in the same part.
    Each part is a pair of its atoms and its formulas. An atom that occurs in no formula is a part
    of its own."""
    parts = [(frozenset([atom]), frozenset[Dnf]()) for atom in atoms]
    for formula in base:
        touching = [part for part in parts if part[0] & formula.atoms]
        parts = [part for part in parts if part not in touching]
        merged_atoms = formula.atoms.union(*(part[0] for part in touching))
        parts.append((merged_atoms, frozenset([formula]).union(*(part[1] for part in touching))))
    return parts
