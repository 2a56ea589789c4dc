"""Belief base of a Dribble agent as Boolean variables of a PRISM program (Trang et al., Sect. 4.2).

A slot of :class:`BeliefSlots` is a part of the belief base. It has few values: its initial one and
those that actions can assign. Each value except the first is a Boolean variable; the slot has its
first value if all these variables are false. An atom that is always known is thus one variable, and
an atom that may be unknown is two (``p`` and ``not_p``). The values of a slot with disjunctions are
sets of formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product

from volition.diagnostics import Diagnostic, InputError
from volition.exporters.prism.language import (
    FALSE,
    TRUE,
    BoolVariable,
    Expression,
    Identifiers,
    Reference,
    conjunction,
    disjunction,
    negation,
)
from volition.languages.common.slots import Slot
from volition.languages.dribble.belief_slots import BeliefSlots, Value
from volition.languages.dribble.conditions import BooleanLiteral, Condition
from volition.languages.dribble.propositional import Dnf, Literal, assign, entails, prime_implicants
from volition.languages.dribble.syntax import Action, AgentProgram, Effect

__all__ = ["BeliefVariables", "Beliefs"]

MAX_BASES = 100
"""Maximum number of sets of formulas that one slot with disjunctions may have as values. Each is a
PRISM variable."""
MAX_CONDITIONAL_EFFECTS = 10
"""Maximum number of conditional effects of an action on one slot with disjunctions. All their
combinations are enumerated."""

Cases = Mapping[Value, Expression]
"""Map from each value that a slot of the belief base may have to the condition, over PRISM
variables, under which the slot has this value."""


@dataclass(frozen=True)
class Beliefs:
    """Belief base as conditions on PRISM variables: for each slot and value, when the slot has the
    value. It describes the current state or the state after an action; the variables are always
    those of the current state."""

    slots: BeliefSlots
    cases: Mapping[str, Cases]

    def entail(self, formula: Dnf) -> Expression:
        """Return the PRISM condition that the belief base entails a formula."""
        slots: Sequence[str] = self.slots.slots_of(formula.atoms)
        if entails(frozenset(), formula):
            return TRUE
        if formula.atoms <= self.slots.facts:
            known = all(None not in self.cases[slot] for slot in slots)
            clauses = formula.clauses if known else prime_implicants(formula)
            return disjunction(
                *(
                    conjunction(*map(self._is, sorted(clause)))
                    for clause in sorted(clauses, key=sorted)
                )
            )
        bases = [
            dict(zip(slots, values, strict=True))
            for values in product(*(self.cases[slot] for slot in slots))
        ]
        entailing = [base for base in bases if self.slots.entails(base, formula)]
        # Exactly one of the possible belief bases is the current one. Its condition is longest for
        # the first, in which all variables are false. If the first belief base entails the formula,
        # its condition is avoided: none of the belief bases that do not entail the formula is the
        # current one.
        if bases[0] in entailing:
            return negation(
                disjunction(*(self._are(base) for base in bases if base not in entailing))
            )
        return disjunction(*map(self._are, entailing))

    def assuming(self, slot: str, value: Value) -> Beliefs:
        """Return the beliefs under the assumption that a slot has the given value."""
        return Beliefs(self.slots, {**self.cases, slot: {value: TRUE}})

    def equal(self, base: frozenset[Dnf]) -> Expression:
        """Return the PRISM condition that the belief base consists of exactly these formulas."""
        values = self.slots.values_of(base)
        return FALSE if values is None else self._are(values)

    def _is(self, literal: Literal) -> Expression:
        return self.cases[self.slots.slot_of_atom[literal.atom]].get(literal.positive, FALSE)

    def _are(self, values: Mapping[str, Value]) -> Expression:
        return conjunction(*(self.cases[slot].get(value, FALSE) for slot, value in values.items()))


Translate = Callable[[Condition, Beliefs], Expression]
"""Function that translates a condition of a Dribble program, evaluated on given beliefs, to a PRISM
expression."""


class BeliefVariables:
    """PRISM variables of the belief base of a Dribble agent: their declarations, meaning and
    updates."""

    def __init__(self, agent: AgentProgram, slots: BeliefSlots, identifiers: Identifiers) -> None:
        self.slots = slots
        self._values = {slot: _values(agent, slots, slot) for slot in slots.initial}
        self._names = {
            slot: [identifiers.of(name) for name in self._named(slot)] for slot in slots.initial
        }

    @property
    def flags(self) -> list[BoolVariable]:
        """Boolean PRISM variables of the belief base, with their initial values."""
        return [
            BoolVariable(name, value == self.slots.initial[slot])
            for slot, names in self._names.items()
            for name, value in zip(names, self._values[slot][1:], strict=True)
        ]

    @property
    def remarks(self) -> Iterator[str]:
        """Comments that explain the PRISM variables of slots with disjunctions. Other variables are
        named after their atoms and need no comment."""
        for slot, names in self._names.items():
            if isinstance(self._values[slot][0], frozenset):
                first, *others = (_text(value) for value in self._values[slot])
                yield from (
                    f"{name}: the beliefs are {text}"
                    for name, text in zip(names, others, strict=True)
                )
                yield f"none of {', '.join(names)}: {first}" if names else f"always: {first}"

    def now(self) -> Beliefs:
        """Return the beliefs of the current state."""
        return Beliefs(
            self.slots,
            {
                slot: self._cases(slot, [Reference(name) for name in names])
                for slot, names in self._names.items()
            },
        )

    def after(self, action: Action, translate: Translate) -> Beliefs:
        """Return the beliefs after an action in the current state. The function ``translate``
        translates the conditions of the action's effects to PRISM."""
        now = self.now()
        return Beliefs(
            self.slots,
            {
                **now.cases,
                **{
                    slot: self._changed(slot, now, action, translate)
                    for slot in self.slots_written_by(action)
                },
            },
        )

    def slots_written_by(self, action: Action) -> Sequence[Slot]:
        """Return the slots of the belief base that an action may change."""
        return self.slots.slots_of(
            literal.atom for effect in action.effects for literal in effect.literals
        )

    def assignments(self, action: Action, after: Beliefs) -> list[tuple[str, Expression]]:
        """Return the assignments to PRISM variables that turn the current beliefs into those after
        an action; unchanged variables are left out."""
        assigned = (
            (name, after.cases[slot][value])
            for slot in self.slots_written_by(action)
            for name, value in zip(self._names[slot], self._values[slot][1:], strict=True)
        )
        return [(name, value) for name, value in assigned if value != Reference(name)]

    def _cases(self, slot: Slot, flags: Sequence[Expression]) -> Cases:
        first, *others = self._values[slot]
        return {first: negation(disjunction(*flags)), **dict(zip(others, flags, strict=True))}

    def _named(self, slot: Slot) -> Iterator[str]:
        name = slot.item
        for number, value in enumerate(self._values[slot][1:], 1):
            if isinstance(value, frozenset):
                yield f"base {number} {name.replace(', ', ' ')}"
            else:
                yield name if value else f"not {name}"

    def _changed(self, slot: Slot, now: Beliefs, action: Action, translate: Translate) -> Cases:
        effects = _effects_on(action, self.slots, slot)
        change = _changed_part if isinstance(self._values[slot][0], frozenset) else _changed_fact
        return change(slot, now, effects, translate)


def _changed_fact(
    slot: str, now: Beliefs, effects: Sequence[Effect], translate: Translate
) -> Cases:
    """Return the conditions under which an atom has each of its values after an action. The atom
    has a value if an effect assigns this value. It keeps its value if no effect assigns another
    one."""
    true, false = (
        disjunction(
            *(
                translate(each.condition, now)
                for each in effects
                if each.literals[0].positive is sign
            )
        )
        for sign in (True, False)
    )
    given: dict[Value, Expression] = {None: FALSE, False: false, True: true}
    taken: dict[Value, Expression] = {None: disjunction(true, false), False: true, True: false}
    return {
        value: disjunction(given[value], conjunction(held, negation(taken[value])))
        for value, held in now.cases[slot].items()
    }


def _changed_part(
    slot: str, now: Beliefs, effects: Sequence[Effect], translate: Translate
) -> Cases:
    """Return for each value of a slot the condition under which the slot has this value after an
    action. The function is for slots whose values are sets of formulas, some of which are
    disjunctions.

    Each pair of a previous value and a set of effects leads to one new value. The condition for a
    value is the disjunction over all pairs that lead to it.
    """
    origins: dict[Value, list[Expression]] = {value: [] for value in now.cases[slot]}
    for value, held in now.cases[slot].items():
        known = now.assuming(slot, value)
        for active in _activations(effects):
            conditions = (translate(each.condition, known) for each in effects)
            met = (
                condition if each in active else negation(condition)
                for each, condition in zip(effects, conditions, strict=True)
            )
            origins[_assigned(value, active)].append(conjunction(held, *met))
    return {value: disjunction(*conditions) for value, conditions in origins.items()}


def _values(agent: AgentProgram, slots: BeliefSlots, slot: Slot) -> list[Value]:
    """Return every value that a slot of the belief base may have, assuming that conditional effects
    may always occur. For a slot with disjunctions, the initial value comes first."""
    initial = slots.initial[slot]
    actions = [_effects_on(action, slots, slot) for action in agent.actions.values()]
    if not isinstance(initial, frozenset):
        signs = {
            literal.positive
            for effects in actions
            for effect in effects
            for literal in effect.literals
        }
        return [value for value in (None, False, True) if value in {initial, *signs}]
    activations = [active for effects in actions for active in _activations(effects)]
    values: dict[Value, None] = {initial: None}
    unvisited: list[Value] = [initial]
    while unvisited:
        value = unvisited.pop(0)
        for active in activations:
            changed = _assigned(value, active)
            if changed not in values:
                values[changed] = None
                unvisited.append(changed)
            if len(values) > MAX_BASES:
                raise _limit_error(
                    f"the beliefs about {slot.item} can take more than {MAX_BASES} values"
                )
    return list(values)


def _assigned(value: Value, active: Iterable[Effect]) -> frozenset[Dnf]:
    assert isinstance(value, frozenset)
    return assign(value, [literal for effect in active for literal in effect.literals])


def _effects_on(action: Action, slots: BeliefSlots, slot: str) -> list[Effect]:
    """Return the effects of an action on a slot of the belief base. Each effect has only its
    literals about atoms of this slot."""
    about = (
        replace(
            each,
            literals=tuple(
                literal for literal in each.literals if slots.slot_of_atom[literal.atom] == slot
            ),
        )
        for each in action.effects
    )
    return [effect for effect in about if effect.literals]


def _activations(effects: Sequence[Effect]) -> Iterator[list[Effect]]:
    """Yield the sets of effects of an action that may occur together. Each set has all
    unconditional effects and some of the conditional ones. Sets with contradictory effects are left
    out."""
    certain = [effect for effect in effects if effect.condition == BooleanLiteral()]
    possible = [effect for effect in effects if effect not in certain]
    if len(possible) > MAX_CONDITIONAL_EFFECTS:
        raise _limit_error(
            f"an action has more than {MAX_CONDITIONAL_EFFECTS} effects with conditions on beliefs "
            "with disjunctions"
        )
    for some in chain.from_iterable(
        combinations(possible, size) for size in range(len(possible) + 1)
    ):
        active = [*certain, *some]
        literals = [literal for effect in active for literal in effect.literals]
        if not any(literal.complement in literals for literal in literals):
            yield active


def _limit_error(message: str) -> InputError:
    hint = "this limit does not apply to beliefs without disjunctions, nor to 'volition check'"
    return InputError([Diagnostic("EXP003", message, hint=hint)])


def _text(base: Value) -> str:
    assert isinstance(base, frozenset)
    return "{" + ", ".join(sorted(map(str, base))) + "}"
