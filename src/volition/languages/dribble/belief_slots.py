"""How a belief base lies in the slots of a state, so that a condition reads only what it is about.

Formulas that share no atoms have nothing to do with each other: whether the base entails α depends
only on the formulas connected with α through shared atoms, and an action changes formulas without
connecting them.  So the base falls into parts that stay apart for ever.  The common part is made of
conjunctions of literals only: there each atom has a slot of its own, which holds True, False or
None (not known).  Any other part is one slot that holds its set of formulas.
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
"""Of a slot for an atom: whether it is believed, None if neither it nor its negation is.  Of
another slot: its formulas."""


@dataclass(frozen=True)
class Changed:
    """A state as it will be once some slots were written."""

    before: SlotView
    writes: Mapping[str, Hashable]

    def __getitem__(self, slot: str, /) -> Any:
        return self.writes[slot] if slot in self.writes else self.before[slot]


@dataclass(frozen=True)
class BeliefSlots:
    """The belief base of a state: what it entails, what it is, and how it changes.

    ``home`` is the slot of each atom.  ``conjunctions`` are the atoms of each conjunction in the
    parts of literals, which stand in ``facts``; actions change signs, never these groups.
    """

    initial: Mapping[Slot, Value]
    slot_of_atom: Mapping[str, Slot]
    facts: frozenset[str]
    conjunctions: frozenset[frozenset[str]]

    def entails(self, state: SlotView, formula: Dnf) -> bool:
        """``δ ⊨_Prop formula``; reads the slots of the formula's atoms only, and of a conjunction
        of facts up to the first doubt."""
        conjunct = conjunct_of(formula)
        if conjunct is not None and all(literal.atom in self.facts for literal in conjunct):
            return all(
                state[self.slot_of_atom[literal.atom]] is literal.positive
                for literal in sorted(conjunct)
            )
        return entails(self._formulas(state, formula.atoms), formula)

    def slots_of(self, atoms: Iterable[str]) -> list[Slot]:
        """The slots that speak of the atoms, each once, in a fixed order."""
        return sorted({self.slot_of_atom[atom] for atom in atoms})

    def after(self, state: SlotView, literals: Collection[Literal]) -> dict[str, Value]:
        """The slots that change when literals are made true (:func:`assign`, part by part)."""
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
        """The belief base δ itself, formula by formula."""
        grouped = frozenset[str]().union(*self.conjunctions)
        joined = (
            frozenset(Literal(atom, state[self.slot_of_atom[atom]]) for atom in atoms)
            for atoms in self.conjunctions
        )
        return self._formulas(state, self.slot_of_atom.keys() - grouped) | {
            Dnf(frozenset([clause])) for clause in joined
        }

    def values_of(self, base: frozenset[Dnf]) -> dict[str, Value] | None:
        """The values of the slots where δ is exactly this set of formulas, or None if it can never
        be."""
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
        """What the slots of some atoms hold, as formulas: facts one by one, and the other parts."""
        formulas: set[Dnf] = set()
        for atom in sorted(atoms):
            value = state[self.slot_of_atom[atom]]
            if atom not in self.facts:
                formulas |= value
            elif value is not None:
                formulas.add(fact(atom, value))
        return frozenset(formulas)


def belief_slots(base: frozenset[Dnf], atoms: Iterable[str]) -> BeliefSlots:
    """The slots of a belief base; ``atoms`` are all that a program speaks of, also those the base
    does not mention."""
    initial: dict[Slot, Value] = {}
    home: dict[str, Slot] = {}
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
                home[atom] = Slot(f"belief {atom}", "belief", item=atom)
                initial[home[atom]] = known.get(atom)
        else:
            item = ", ".join(sorted(part_atoms))
            slot = Slot(f"belief {item}", "belief", item=item)
            home |= dict.fromkeys(part_atoms, slot)
            initial[slot] = formulas
    return BeliefSlots(
        dict(sorted(initial.items())), home, frozenset(facts), frozenset(conjunctions)
    )


def _parts(
    base: frozenset[Dnf], atoms: Iterable[str]
) -> list[tuple[frozenset[str], frozenset[Dnf]]]:
    """The connected parts of the base: their atoms and their formulas."""
    parts = [(frozenset([atom]), frozenset[Dnf]()) for atom in atoms]
    for formula in base:
        touching = [part for part in parts if part[0] & formula.atoms]
        parts = [part for part in parts if part not in touching]
        merged_atoms = formula.atoms.union(*(part[0] for part in touching))
        parts.append((merged_atoms, frozenset([formula]).union(*(part[1] for part in touching))))
    return parts
