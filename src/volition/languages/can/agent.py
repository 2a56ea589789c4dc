"""The agent-level semantics of CAN: the rules A_event, A_step and A_update of Fig. 2 of Archibald et al., one function each.

A configuration ⟨E, B, Γ⟩ is spread over slots: one per belief, and one per external event, which goes through its whole
life there: it waits in E, becomes an intention in Γ under its number, and is gone when the intention is removed.  The sides of a
``∥`` in an intention may have slots of their own (:mod:`volition.languages.can.rooms`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import cache

from volition.diagnostics import Diagnostic, InputError, Span
from volition.kernel import Amount, Choice, View
from volition.languages.can.library import Library
from volition.languages.can.rewards import Earnings, expected
from volition.languages.can.rooms import Room, rooms_for
from volition.languages.can.running import Context, Intention, Running
from volition.languages.can.semantics import Configuration, Step
from volition.languages.can.settings import NESTING
from volition.languages.can.syntax import Body, Event, ExternalEvent, Parallel, Update, plans_inside
from volition.languages.kit.slots import Slot, slots_of_kind
from volition.origin import Origin

__all__ = ["DID", "AgentRules", "Life", "intention_slot", "left_by"]

DID = Slot("last action", "memory")
"""The slot that remembers the action of the step into a state; there only if someone asks for it."""


class Life(Enum):
    """What the slot of an external event holds before and after it holds an intention."""

    WAITING = "waiting"
    GONE = "gone"


@cache
def intention_slot(number: int) -> Slot:
    """The slot of an external event and of the intention that it becomes."""
    return Slot(f"intention {number}", "intention", item=str(number))


def left_by(choice: Choice) -> tuple[tuple[str, Hashable], ...]:
    """What a choice may leave of the intention that it is about."""
    return tuple((slot, writes[slot]) for _, writes in choice.outcomes for slot in slots_of_kind(writes, "intention"))


class AgentRules:
    """What an agent can do next.

    ``update`` says when A_update may remove a blocked intention.  ``observed`` are the actions that states remember.  ``nesting`` is
    how many plans may be inside of each other before that is taken for a mistake.  ``divided`` says whether the sides of a ``∥``
    stand in slots of their own.
    """

    def __init__(
        self,
        name: str,
        library: Library,
        events: Sequence[ExternalEvent],
        earnings: Earnings,
        *,
        update: Update = "any",
        observed: frozenset[str] = frozenset(),
        nesting: int = NESTING,
        divided: bool = False,
    ) -> None:
        self._name = name
        self._library = library
        self._earnings = earnings
        self._update = update
        self._observed = observed
        self._nesting = nesting
        self.events = {event.number: event for event in events}
        self._contexts = {event.number: Context(Intention(event.number)) for event in events}

        def bodies_for(event: str) -> list[Body]:
            return [library.plans[number].body for number in library.relevant(event)] if divided else []

        self.rooms = {event.number: rooms_for(intention_slot(event.number), event.name, bodies_for) for event in events}
        """The slots of each external event: of what waits, and of the intention that it becomes."""

    # --- the rules ---------------------------------------------------------------------------------------------------------

    def a_event(self, number: int, state: View) -> list[Choice]:
        """A_event(n): ⟨n, e⟩ ∈ E ⟹ ⟨E, B, Γ⟩ ⇒ ⟨E \\ {⟨n, e⟩}, B, Γ ∪ {⟨n, e⟩}⟩."""
        if state[intention_slot(number)] is not Life.WAITING:
            return []
        event = self.events[number]
        adopted: dict[str, Hashable] = {intention_slot(number): Running(Event(event.name, span=event.span), self._contexts[number])}
        return [self._choice(f"A_event({number})", f"adopt event {event.name}", adopted, event.span)]

    def a_step(self, number: int, state: View, room: Room | None = None) -> list[Choice]:
        """A_step(n): ⟨n, P⟩ ∈ Γ, ⟨B, P⟩ →p ⟨B', P'⟩ ⟹ ⟨E, B, Γ⟩ ⇒p ⟨E, B', (Γ \\ {⟨n, P⟩}) ∪ {⟨n, P'⟩}⟩.

        Of what stands in a room: the sides of a ``∥`` that have rooms of their own make their steps there.
        """
        room = room or self.rooms[number]
        held = state[room.slot]
        if not isinstance(held, Running):
            return []
        self._check_nesting(number, held)
        steps = Configuration(self._library, state, room).steps()
        return [self._stepping(step, room, held) for step in steps]

    def a_update(self, number: int, state: View) -> list[Choice]:
        """A_update(n): ⟨n, P⟩ ∈ Γ, ⟨B, P⟩ ↛ ⟹ ⟨E, B, Γ⟩ ⇒ ⟨E, B, Γ \\ {⟨n, P⟩}⟩.  Background change does not follow it."""
        left = self._left(number, state)
        if left is None or self.can_step(number, state) or not self._may_remove(number, left, state):
            return []
        event = self.events[number]
        text = f"{'remove finished' if left.is_finished else 'drop blocked'} intention {event.name}"
        gone: dict[str, Hashable] = {**self.rooms[number].emptied(left), intention_slot(number): Life.GONE}
        return [self._choice(f"A_update({number})", text, gone, event.span, reacts=False)]

    def progress(self, number: int, state: View) -> list[Choice]:
        """What an intention can do: A_step, or else A_update."""
        return self.a_step(number, state) or self.a_update(number, state)

    # --- premises ----------------------------------------------------------------------------------------------------------

    def program(self, number: int, state: View) -> Body | None:
        """What is left of the intention with a number, if it is in Γ."""
        return None if self._left(number, state) is None else self.rooms[number].program(state)

    def is_finished(self, number: int, state: View) -> bool:
        """Whether nothing is left to do of the intention with a number, which is in Γ."""
        left = self._left(number, state)
        return left is not None and left.is_finished

    def can_step(self, number: int, state: View) -> bool:
        """Whether ⟨n, P⟩ ∈ Γ and ⟨B, P⟩ →."""
        left = self._left(number, state)
        if left is None:
            return False
        self._check_nesting(number, left)
        return Configuration(self._library, state, self.rooms[number]).can_step()

    def _left(self, number: int, state: View) -> Running | None:
        """What the slot of an intention holds, if it is in Γ."""
        held: Running | Life = state[intention_slot(number)]
        return None if isinstance(held, Life) else held

    def _check_nesting(self, number: int, left: Running) -> None:
        """Raises :class:`InputError` for an intention that has more plans inside of each other than are allowed."""
        plans = left.context.plans + (plans_inside(left.focus) if isinstance(left.focus, Parallel) else 0)
        if plans <= self._nesting:
            return
        event = self.events[number]
        message = f"the intention for event '{event.name}' is nested too deeply: more than {self._nesting} plans inside each other"
        hint = "if an event raises itself, use a declarative goal for repetition; "
        hint += f"if this depth is intended, allow it with the setting nesting={10 * self._nesting}"
        raise InputError([Diagnostic("CAN065", message, event.span, hint)])

    def _may_remove(self, number: int, left: Running, state: View) -> bool:
        """Whether the option ``update`` allows to remove an intention that cannot step."""
        if left.is_finished or self._update == "any":
            return True
        return self._update == "stuck" and not any(self._can_move(other, state) for other in self.events if other != number)

    def _can_move(self, number: int, state: View) -> bool:
        """Whether something else than dropping a blocked intention can be done for a number."""
        return state[intention_slot(number)] is Life.WAITING or self.is_finished(number, state) or self.can_step(number, state)

    # -----------------------------------------------------------------------------------------------------------------------

    def _stepping(self, step: Step, room: Room, before: Running) -> Choice:
        """The choice that a step of what stands in a room is."""
        outcomes = [(probability, {**writes, **room.put(left, instead_of=before)}) for probability, left, writes in step.outcomes]
        return Choice(self._origin(step, room), self._remembering(outcomes, step.action), self._earned(step))

    def _origin(self, step: Step, room: Room) -> Origin:
        plan = self._library.plans[step.plan].title if step.plan else None
        among = tuple(replace(self._origin(each, room), leaves=_left_in(room, each)) for _, each in step.among)
        return Origin(self._name, step.rules, step.text, action=step.action, plan=plan, span=step.span, among=among)

    def _earned(self, step: Step) -> Mapping[str, Amount]:
        """What a step earns; where chance selects a plan, what the selection of each plan earns, on average."""
        if step.among:
            return expected([(share, self._earned(each)) for share, each in step.among])
        return self._earnings.of_step(step.rules, step.action)

    def _choice(self, rule: str, text: str, writes: Mapping[str, Hashable], span: Span | None, *, reacts: bool = True) -> Choice:
        """A choice that is no step of an intention."""
        outcomes = self._remembering([(Fraction(1), writes)], None)
        return Choice(Origin(self._name, (rule,), text, span=span), outcomes, self._earnings.of_step((rule,), None), reacts)

    def _remembering(
        self, outcomes: Sequence[tuple[Fraction, Mapping[str, Hashable]]], action: str | None
    ) -> Sequence[tuple[Fraction, Mapping[str, Hashable]]]:
        """The outcomes of a step that executes an action, with the action where someone asks for it."""
        if not self._observed:
            return outcomes
        remembered = action if action in self._observed else None
        return [(probability, {**writes, DID: remembered}) for probability, writes in outcomes]


def _left_in(room: Room, step: Step) -> tuple[tuple[str, Hashable], ...]:
    """What a step may leave in the slot of a room."""
    return tuple((room.slot, room.put(left)[room.slot]) for _, left, _ in step.outcomes)
