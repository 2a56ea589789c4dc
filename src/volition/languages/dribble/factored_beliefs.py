"""Storage of a belief base with disjunctions in slots (state variables), chosen so that rules read,
and actions change, as few slots as possible.

An action changes each formula separately, and only the signs of its literals. Two formulas that
differ only in signs have the same *shape*. Each shape has a slot, which holds the formulas of this
shape. Each atom also has a slot of its own for the literal that is known about it. If an action
makes a literal true that the formulas do not entail, the literal is stored there. Each belief base
corresponds to exactly one combination of values of these slots.

Whether the base entails a formula is decided by trying to refute the formula. The search reads the
beliefs about an atom only when it has to decide that atom (:func:`entails_if_consistent`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot
from volition.languages.dribble.belief_slots import BeliefSlots, Changed, Value, belief_slots
from volition.languages.dribble.propositional import (
    Dnf,
    Literal,
    assigned,
    entails_if_consistent,
    fact,
)

__all__ = ["FactoredBeliefs", "divided_beliefs"]

Shape = frozenset[frozenset[str]]
"""Shape of a formula in disjunctive normal form: the set of atoms of each clause, without signs."""


@dataclass(frozen=True)
class FactoredBeliefs:
    """Belief base stored in slots, with functions for entailment, contents and updates.

    The base consists of parts that have no atoms in common. ``parts`` stores each part in slots, as
    described in :class:`BeliefSlots`. There, a part with disjunctions has a single slot. ``shapes``
    maps this slot to the slots that replace it, one for each shape. Formulas have the same shape if
    they differ only in the signs of their literals.
    """

    parts: BeliefSlots
    shapes: Mapping[Slot, Mapping[Shape, Slot]]

    @property
    def facts(self) -> Mapping[str, Slot]:
        """Return the atoms that occur only in conjunctions of literals, with their slots."""
        return {atom: self.parts.slot_of_atom[atom] for atom in sorted(self.parts.facts)}

    @cached_property
    def initial(self) -> Mapping[Slot, Value]:
        """Return all slots of the belief base with their initial values."""
        initial: dict[Slot, Value] = {}
        for part, value in self.parts.initial.items():
            if isinstance(value, frozenset):
                initial |= self._spread(part, value)
            else:
                initial[part] = value
        return initial

    def entails(self, state: SlotView, formula: Dnf) -> bool:
        """Return whether the belief base δ of a state entails a formula: ``δ ⊨_Prop formula``. δ is
        always consistent (Trang et al., Sect. 2.3)."""
        if formula.atoms <= self.parts.facts:
            return self.parts.entails(state, formula)
        return entails_if_consistent(lambda atom: self._about(state, atom), formula)

    def after(self, state: SlotView, literals: Collection[Literal]) -> dict[str, Value]:
        """Return the slot writes of an action that makes ``literals`` true in ``state``. The belief
        base after these writes is the one that :func:`assign` returns."""
        others = [literal for literal in literals if literal.atom not in self.parts.facts]
        slots = sorted({slot for literal in others for slot in self._with_atom[literal.atom]})
        formulas: dict[str, frozenset[Dnf]] = {
            slot: assigned(state[slot], others) for slot in slots
        }
        changed = Changed(state, dict(formulas))
        joining = [
            literal
            for literal in others
            if not self.entails(changed, fact(literal.atom, literal.positive))
        ]
        for literal in joining:
            formulas[self._known_in[literal.atom]] |= {fact(literal.atom, literal.positive)}
        facts: dict[str, Value] = {
            self.parts.slot_of_atom[literal.atom]: literal.positive
            for literal in literals
            if literal.atom in self.parts.facts
        }
        return {**facts, **formulas}

    def touched_by(self, changed: Iterable[str], atoms: Iterable[str]) -> bool:
        """Return whether a write to one of the slots ``changed`` can affect formulas over
        ``atoms``: it may change whether the base entails them."""
        slots = {
            slot
            for part in self.parts.slots_of(atoms)
            for slot in (self.shapes[part].values() if part in self.shapes else (part,))
        }
        return not slots.isdisjoint(changed)

    def base(self, state: SlotView) -> frozenset[Dnf]:
        """Return the belief base δ of a state as a set of formulas."""
        whole: dict[str, Value] = {
            part: frozenset[Dnf]().union(*(state[slot] for slot in shapes.values()))
            for part, shapes in self.shapes.items()
        }
        return self.parts.base(Changed(state, whole))

    # --- slots of shapes and atoms ----------------------------------------------------------------

    def _spread(self, part: Slot, formulas: frozenset[Dnf]) -> dict[Slot, Value]:
        return {
            slot: frozenset(each for each in formulas if _shape(each) == shape)
            for shape, slot in self.shapes[part].items()
        }

    def _about(self, state: SlotView, atom: str) -> Iterator[Dnf]:
        """Yield the beliefs of a state in which an atom occurs."""
        if atom not in self.parts.facts:
            for slot in self._with_atom[atom]:
                yield from state[slot]
        elif (known := state[self.parts.slot_of_atom[atom]]) is not None:
            yield fact(atom, known)

    @cached_property
    def _known_in(self) -> Mapping[str, Slot]:
        """Return, for each atom that is connected with a disjunctive belief, the slot that holds
        the literal known about this atom."""
        return {
            atom: shapes[_alone(atom)]
            for shapes in self.shapes.values()
            for shape in shapes
            for atom in _atoms(shape)
        }

    @cached_property
    def _with_atom(self) -> Mapping[str, Sequence[Slot]]:
        """Return, for each atom that is connected with a disjunctive belief, the slots of the
        formulas in which this atom occurs. Slots whose formulas have the fewest atoms come first.
        """
        found: dict[str, list[Slot]] = {}
        for shapes in self.shapes.values():
            for shape, slot in sorted(
                shapes.items(), key=lambda each: (len(_atoms(each[0])), each[1])
            ):
                for atom in _atoms(shape):
                    found.setdefault(atom, []).append(slot)
        return found


def divided_beliefs(base: frozenset[Dnf], atoms: Iterable[str]) -> FactoredBeliefs:
    """Return the slots for a program whose initial belief base is ``base``. Formulas connected with
    a disjunction get one slot for each shape (the formula without the signs of its literals).
    ``atoms`` are all atoms of the program, including those that do not occur in the base."""
    parts = belief_slots(base, atoms)
    divided = {part: value for part, value in parts.initial.items() if isinstance(value, frozenset)}
    shapes: dict[Slot, dict[Shape, Slot]] = {}
    for part, formulas in divided.items():
        alone = [_alone(atom) for atom, home in parts.slot_of_atom.items() if home == part]
        found = {_text(shape): shape for shape in {*alone, *map(_shape, formulas)}}
        shapes[part] = {
            shape: Slot(f"belief {text}", "belief", item=text)
            for text, shape in sorted(found.items())
        }
    return FactoredBeliefs(parts, shapes)


def _shape(formula: Dnf) -> Shape:
    return frozenset(frozenset(literal.atom for literal in clause) for clause in formula.clauses)


def _alone(atom: str) -> Shape:
    return frozenset([frozenset([atom])])


def _atoms(shape: Shape) -> frozenset[str]:
    return frozenset[str]().union(*shape)


def _text(shape: Shape) -> str:
    """Return the text of a shape: the formula of this shape in which no literal is negated."""
    return str(Dnf(frozenset(frozenset(map(Literal, clause)) for clause in shape)))
