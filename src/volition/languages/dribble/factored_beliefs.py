"""A belief base with disjunctions, divided over slots so that rules read, and actions change, only
what is near.

An action changes each formula by itself, and only the signs of its literals.  So the formulas of
one *shape*, which are the same but for signs, have a slot of their own, and so has what is known of
each atom: there an action leaves the literals that it makes true.  A base is one way to fill these
slots, and the other way round.

Whether the base entails a formula is found out by an attempt to refute the formula, which reads the
beliefs about an atom only when it has to settle the atom (:func:`consistently_entails`).
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
"""A formula without its signs: the atoms of each clause."""


@dataclass(frozen=True)
class FactoredBeliefs:
    """The belief base of a state: what it entails, what it is, and how it changes.

    ``parts`` has a slot for each connected part, as :class:`BeliefSlots` says; those with
    disjunctions are divided, and ``shapes`` are the slots of each of these by the shapes of their
    formulas.
    """

    parts: BeliefSlots
    shapes: Mapping[Slot, Mapping[Shape, Slot]]

    @property
    def facts(self) -> Mapping[str, Slot]:
        """The atoms that only stand in conjunctions of literals, and the slot of each."""
        return {atom: self.parts.slot_of_atom[atom] for atom in sorted(self.parts.facts)}

    @cached_property
    def initial(self) -> Mapping[Slot, Value]:
        """The slots and their first values."""
        initial: dict[Slot, Value] = {}
        for part, value in self.parts.initial.items():
            if isinstance(value, frozenset):
                initial |= self._spread(part, value)
            else:
                initial[part] = value
        return initial

    def entails(self, state: SlotView, formula: Dnf) -> bool:
        """``δ ⊨_Prop formula``, where δ is consistent, as it always is (Trang et al., Sect.
        2.3)."""
        if formula.atoms <= self.parts.facts:
            return self.parts.entails(state, formula)
        return entails_if_consistent(lambda atom: self._about(state, atom), formula)

    def after(self, state: SlotView, literals: Collection[Literal]) -> dict[str, Value]:
        """The slots that change when literals are made true (:func:`assign`, slot by slot)."""
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
        """Whether a change of some slots may change what is entailed about some atoms."""
        slots = {
            slot
            for part in self.parts.slots_of(atoms)
            for slot in (self.shapes[part].values() if part in self.shapes else (part,))
        }
        return not slots.isdisjoint(changed)

    def base(self, state: SlotView) -> frozenset[Dnf]:
        """The belief base δ itself, formula by formula."""
        whole: dict[str, Value] = {
            part: frozenset[Dnf]().union(*(state[slot] for slot in shapes.values()))
            for part, shapes in self.shapes.items()
        }
        return self.parts.base(Changed(state, whole))

    # ----------------------------------------------------------------------------------------------

    def _spread(self, part: Slot, formulas: frozenset[Dnf]) -> dict[Slot, Value]:
        return {
            slot: frozenset(each for each in formulas if _shape(each) == shape)
            for shape, slot in self.shapes[part].items()
        }

    def _about(self, state: SlotView, atom: str) -> Iterator[Dnf]:
        """The beliefs that speak of an atom."""
        if atom not in self.parts.facts:
            for slot in self._with_atom[atom]:
                yield from state[slot]
        elif (known := state[self.parts.slot_of_atom[atom]]) is not None:
            yield fact(atom, known)

    @cached_property
    def _known_in(self) -> Mapping[str, Slot]:
        """The slot of what is known of each atom."""
        return {
            atom: shapes[_alone(atom)]
            for shapes in self.shapes.values()
            for shape in shapes
            for atom in _atoms(shape)
        }

    @cached_property
    def _with_atom(self) -> Mapping[str, Sequence[Slot]]:
        """The slots of the formulas that each atom stands in, those with few atoms first."""
        found: dict[str, list[Slot]] = {}
        for shapes in self.shapes.values():
            for shape, slot in sorted(
                shapes.items(), key=lambda each: (len(_atoms(each[0])), each[1])
            ):
                for atom in _atoms(shape):
                    found.setdefault(atom, []).append(slot)
        return found


def divided_beliefs(base: frozenset[Dnf], atoms: Iterable[str]) -> FactoredBeliefs:
    """The slots of a belief base; ``atoms`` are all that a program speaks of, also those the base
    does not mention."""
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
    """A shape as the formula without negations that has it."""
    return str(Dnf(frozenset(frozenset(map(Literal, clause)) for clause in shape)))
