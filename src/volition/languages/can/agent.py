"""The agent-level semantics of CAN: the rules A_event, A_step and A_update of Fig. 2 of Archibald
et al., one function each.

A configuration ⟨E, B, Γ⟩ is spread over slots: one per belief, and one per external event, which
goes through its whole life there: it waits in E, becomes an intention in Γ under its number, and is
gone when the intention is removed.  The sides of a ``∥`` in an intention may have slots of their
own (:mod:`volition.languages.can.branch_slots`).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from functools import cache

from volition.diagnostics import Diagnostic, InputError, Span
from volition.kernel import Choice, RewardValue, SlotView
from volition.languages.can.branch_slots import BranchSlot, allocate_slots
from volition.languages.can.contexts import EvaluationContext, FocusedProgram, IntentionFrame
from volition.languages.can.plan_library import PlanLibrary
from volition.languages.can.rewards import RewardTable, expected
from volition.languages.can.semantics import Configuration, Transition
from volition.languages.can.settings import DEFAULT_MAX_NESTING
from volition.languages.can.syntax import (
    Body,
    DropPolicy,
    EventGoal,
    ExternalEvent,
    Parallel,
    plan_nesting,
)
from volition.languages.common.slots import Slot, slots_of_kind
from volition.origin import Origin

__all__ = ["LAST_ACTION", "AgentRules", "EventStatus", "intention_slot", "remaining_after"]

LAST_ACTION = Slot("last action", "memory")
"""The slot that remembers the action of the step into a state; there only if someone asks for
it."""


class EventStatus(Enum):
    """What the slot of an external event holds before and after it holds an intention."""

    PENDING = "waiting"
    REMOVED = "gone"


@cache
def intention_slot(number: int) -> Slot:
    """The slot of an external event and of the intention that it becomes."""
    return Slot(f"intention {number}", "intention", item=str(number))


def remaining_after(choice: Choice) -> tuple[tuple[str, Hashable], ...]:
    """What a choice may leave of the intention that it is about."""
    return tuple(
        (slot, writes[slot])
        for _, writes in choice.outcomes
        for slot in slots_of_kind(writes, "intention")
    )


class AgentRules:
    """What an agent can do next.

    ``update`` says when A_update may remove a blocked intention.  ``observed`` are the actions that
    states remember.  ``nesting`` is how many plans may be inside of each other before that is taken
    for a mistake.  ``divided`` says whether the sides of a ``∥`` stand in slots of their own.
    """

    def __init__(
        self,
        name: str,
        library: PlanLibrary,
        events: Sequence[ExternalEvent],
        earnings: RewardTable,
        *,
        update: DropPolicy = "any",
        observed: frozenset[str] = frozenset(),
        nesting: int = DEFAULT_MAX_NESTING,
        divided: bool = False,
    ) -> None:
        self._name = name
        self._library = library
        self._earnings = earnings
        self._update = update
        self._observed = observed
        self._nesting = nesting
        self.events = {event.number: event for event in events}
        self._contexts = {
            event.number: EvaluationContext(IntentionFrame(event.number)) for event in events
        }

        def bodies_for(event: str) -> list[Body]:
            return (
                [library.plans[number].body for number in library.relevant(event)]
                if divided
                else []
            )

        self.slots = {
            event.number: allocate_slots(intention_slot(event.number), event.name, bodies_for)
            for event in events
        }
        """The slots of each external event: of what waits, and of the intention that it becomes."""

    # --- the rules --------------------------------------------------------------------------------

    def a_event(self, number: int, state: SlotView) -> list[Choice]:
        """A_event(n): ⟨n, e⟩ ∈ E ⟹ ⟨E, B, Γ⟩ ⇒ ⟨E \\ {⟨n, e⟩}, B, Γ ∪ {⟨n, e⟩}⟩."""
        if state[intention_slot(number)] is not EventStatus.PENDING:
            return []
        event = self.events[number]
        adopted: dict[str, Hashable] = {
            intention_slot(number): FocusedProgram(
                EventGoal(event.name, span=event.span), self._contexts[number]
            )
        }
        return [
            self._choice(f"A_event({number})", f"adopt event {event.name}", adopted, event.span)
        ]

    def a_step(self, number: int, state: SlotView, room: BranchSlot | None = None) -> list[Choice]:
        """A_step(n): ⟨n, P⟩ ∈ Γ, ⟨B, P⟩ →p ⟨B', P'⟩ ⟹ ⟨E, B, Γ⟩ ⇒p ⟨E, B', (Γ \\ {⟨n, P⟩}) ∪ {⟨n,
        P'⟩}⟩.

        Of what stands in a room: the sides of a ``∥`` that have rooms of their own make their steps
        there.
        """
        room = room or self.slots[number]
        held = state[room.slot]
        if not isinstance(held, FocusedProgram):
            return []
        self._check_nesting(number, held)
        steps = Configuration(self._library, state, room).steps()
        return [self._stepping(step, room, held) for step in steps]

    def a_update(self, number: int, state: SlotView) -> list[Choice]:
        """A_update(n): ⟨n, P⟩ ∈ Γ, ⟨B, P⟩ ↛ ⟹ ⟨E, B, Γ⟩ ⇒ ⟨E, B, Γ \\ {⟨n, P⟩}⟩.  Background change
        does not follow it."""
        left = self._remaining(number, state)
        if (
            left is None
            or self.can_step(number, state)
            or not self._may_remove(number, left, state)
        ):
            return []
        event = self.events[number]
        text = f"{'remove finished' if left.is_finished else 'drop blocked'} intention {event.name}"
        gone: dict[str, Hashable] = {
            **self.slots[number].clearing_writes(left),
            intention_slot(number): EventStatus.REMOVED,
        }
        return [self._choice(f"A_update({number})", text, gone, event.span, reacts=False)]

    def progress(self, number: int, state: SlotView) -> list[Choice]:
        """What an intention can do: A_step, or else A_update."""
        return self.a_step(number, state) or self.a_update(number, state)

    # --- premises ---------------------------------------------------------------------------------

    def program(self, number: int, state: SlotView) -> Body | None:
        """What is left of the intention with a number, if it is in Γ."""
        return (
            None if self._remaining(number, state) is None else self.slots[number].as_program(state)
        )

    def is_finished(self, number: int, state: SlotView) -> bool:
        """Whether nothing is left to do of the intention with a number, which is in Γ."""
        left = self._remaining(number, state)
        return left is not None and left.is_finished

    def can_step(self, number: int, state: SlotView) -> bool:
        """Whether ⟨n, P⟩ ∈ Γ and ⟨B, P⟩ →."""
        left = self._remaining(number, state)
        if left is None:
            return False
        self._check_nesting(number, left)
        return Configuration(self._library, state, self.slots[number]).can_step()

    def _remaining(self, number: int, state: SlotView) -> FocusedProgram | None:
        """What the slot of an intention holds, if it is in Γ."""
        held: FocusedProgram | EventStatus = state[intention_slot(number)]
        return None if isinstance(held, EventStatus) else held

    def _check_nesting(self, number: int, left: FocusedProgram) -> None:
        """Raises :class:`InputError` for an intention that has more plans inside of each other than
        are allowed."""
        plans = left.context.plans + (
            plan_nesting(left.focus) if isinstance(left.focus, Parallel) else 0
        )
        if plans <= self._nesting:
            return
        event = self.events[number]
        message = (
            f"the intention for event '{event.name}' is nested too deeply: more than "
            f"{self._nesting} plans inside each other"
        )
        hint = "if an event raises itself, use a declarative goal for repetition; "
        hint += f"if this depth is intended, allow it with the setting nesting={10 * self._nesting}"
        raise InputError([Diagnostic("CAN065", message, event.span, hint)])

    def _may_remove(self, number: int, left: FocusedProgram, state: SlotView) -> bool:
        """Whether the option ``update`` allows to remove an intention that cannot step."""
        if left.is_finished or self._update == "any":
            return True
        return self._update == "stuck" and not any(
            self._can_move(other, state) for other in self.events if other != number
        )

    def _can_move(self, number: int, state: SlotView) -> bool:
        """Whether something else than dropping a blocked intention can be done for a number."""
        return (
            state[intention_slot(number)] is EventStatus.PENDING
            or self.is_finished(number, state)
            or self.can_step(number, state)
        )

    # ----------------------------------------------------------------------------------------------

    def _stepping(self, step: Transition, room: BranchSlot, before: FocusedProgram) -> Choice:
        """The choice that a step of what stands in a room is."""
        outcomes = [
            (probability, {**writes, **room.writes_for(left, instead_of=before)})
            for probability, left, writes in step.outcomes
        ]
        return Choice(
            self._origin(step, room), self._remembering(outcomes, step.action), self._earned(step)
        )

    def _origin(self, step: Transition, room: BranchSlot) -> Origin:
        plan = self._library.plans[step.plan].title if step.plan else None
        among = tuple(
            replace(self._origin(each, room), resulting_slots=_remaining_in(room, each))
            for _, each in step.alternatives
        )
        return Origin(
            self._name,
            step.rules,
            step.text,
            action=step.action,
            plan=plan,
            span=step.span,
            alternatives=among,
        )

    def _earned(self, step: Transition) -> Mapping[str, RewardValue]:
        """What a step earns; where chance selects a plan, what the selection of each plan earns, on
        average."""
        if step.alternatives:
            return expected([(share, self._earned(each)) for share, each in step.alternatives])
        return self._earnings.step_reward(step.rules, step.action)

    def _choice(
        self,
        rule: str,
        text: str,
        writes: Mapping[str, Hashable],
        span: Span | None,
        *,
        reacts: bool = True,
    ) -> Choice:
        """A choice that is no step of an intention."""
        outcomes = self._remembering([(Fraction(1), writes)], None)
        return Choice(
            Origin(self._name, (rule,), text, span=span),
            outcomes,
            self._earnings.step_reward((rule,), None),
            reacts,
        )

    def _remembering(
        self, outcomes: Sequence[tuple[Fraction, Mapping[str, Hashable]]], action: str | None
    ) -> Sequence[tuple[Fraction, Mapping[str, Hashable]]]:
        """The outcomes of a step that executes an action, with the action where someone asks for
        it."""
        if not self._observed:
            return outcomes
        remembered = action if action in self._observed else None
        return [
            (probability, {**writes, LAST_ACTION: remembered}) for probability, writes in outcomes
        ]


def _remaining_in(room: BranchSlot, step: Transition) -> tuple[tuple[str, Hashable], ...]:
    """What a step may leave in the slot of a room."""
    return tuple((room.slot, room.writes_for(left)[room.slot]) for _, left, _ in step.outcomes)
