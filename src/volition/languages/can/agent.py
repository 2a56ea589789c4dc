"""Agent-level semantics of CAN: the rules A_event, A_step and A_update of Fig. 2 of Archibald et
al., one function each.

A configuration ⟨E, B, Γ⟩ is stored in slots: one per belief and one per external event. The slot of
an event holds its whole life cycle: the event is pending in E, becomes an intention in Γ under its
number, and is removed together with the intention. The branches of a ``∥`` in an intention may have
their own slots (:mod:`volition.languages.can.branch_slots`).
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
"""Slot that records which action was executed in the last step. It exists only if a formula has an
atom ``Does(action)``."""


class EventStatus(Enum):
    """Value of the slot of an external event while the event has no intention: pending before the
    event is adopted, removed after its intention is removed."""

    PENDING = "waiting"
    REMOVED = "gone"


@cache
def intention_slot(number: int) -> Slot:
    """Return the slot of the external event with this number. It also holds the intention that the
    event becomes."""
    return Slot(f"intention {number}", "intention", item=str(number))


def remaining_after(choice: Choice) -> tuple[tuple[str, Hashable], ...]:
    """Return pairs of a slot of an intention and the value that an outcome of a choice writes to
    it, for all outcomes. The value is usually the remaining program."""
    return tuple(
        (slot, writes[slot])
        for _, writes in choice.outcomes
        for slot in slots_of_kind(writes, "intention")
    )


class AgentRules:
    """Rules of the agent level (Fig. 2 of Archibald et al.), which give the choices of an agent in
    a state.

    - ``update`` says when A_update may remove a blocked intention.
    - ``observed`` are the actions that are recorded in :data:`LAST_ACTION`.
    - ``nesting`` is the maximum number of nested plans in an intention. If an intention exceeds it,
      an error is raised.
    - With ``split_parallel``, each branch of a ``∥`` has its own slot.
    """

    def __init__(
        self,
        name: str,
        library: PlanLibrary,
        events: Sequence[ExternalEvent],
        rewards: RewardTable,
        *,
        update: DropPolicy = "any",
        observed: frozenset[str] = frozenset(),
        nesting: int = DEFAULT_MAX_NESTING,
        split_parallel: bool = False,
    ) -> None:
        self._name = name
        self._library = library
        self._rewards = rewards
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
                if split_parallel
                else []
            )

        self.slots = {
            event.number: allocate_slots(intention_slot(event.number), event.name, bodies_for)
            for event in events
        }
        """Slots of each external event and of the intention that it becomes, by event number."""

    # --- rules of the agent level -----------------------------------------------------------------

    def a_event(self, number: int, state: SlotView) -> list[Choice]:
        r"""Return the choice to adopt the external event n, if it is pending.

        A_event(n): ⟨n, e⟩ ∈ E ⟹ ⟨E, B, Γ⟩ ⇒ ⟨E \ {⟨n, e⟩}, B, Γ ∪ {⟨n, e⟩}⟩.
        """
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

    def a_step(
        self, number: int, state: SlotView, branch: BranchSlot | None = None
    ) -> list[Choice]:
        r"""Return the choices in which intention n makes a step.

        A_step(n): ⟨n, P⟩ ∈ Γ, ⟨B, P⟩ →p ⟨B', P'⟩ ⟹ ⟨E, B, Γ⟩ ⇒p ⟨E, B', (Γ \ {⟨n, P⟩}) ∪ {⟨n,
        P'⟩}⟩. With ``branch``, return only the steps of the program in that branch slot.
        """
        branch = branch or self.slots[number]
        held = state[branch.slot]
        if not isinstance(held, FocusedProgram):
            return []
        self._check_nesting(number, held)
        steps = Configuration(self._library, state, branch).steps()
        return [self._step_choice(step, branch, held) for step in steps]

    def a_update(self, number: int, state: SlotView) -> list[Choice]:
        r"""Return the choice to remove intention n, if it cannot make a step and the setting
        ``update`` allows the removal.

        A_update(n): ⟨n, P⟩ ∈ Γ, ⟨B, P⟩ ↛ ⟹ ⟨E, B, Γ⟩ ⇒ ⟨E, B, Γ \ {⟨n, P⟩}⟩. The program's
        background changes (:class:`BackgroundChange`), which change beliefs after A_event and
        A_step, are not made after this rule.
        """
        left = self._remaining(number, state)
        if (
            left is None
            or self.can_step(number, state)
            or not self._may_remove(number, left, state)
        ):
            return []
        event = self.events[number]
        text = f"{'remove finished' if left.is_finished else 'drop blocked'} intention {event.name}"
        removed: dict[str, Hashable] = {
            **self.slots[number].clearing_writes(left),
            intention_slot(number): EventStatus.REMOVED,
        }
        return [self._choice(f"A_update({number})", text, removed, event.span, reacts=False)]

    def progress(self, number: int, state: SlotView) -> list[Choice]:
        """Return the choices of the intention with this number: those of A_step or, if there are
        none, that of A_update."""
        return self.a_step(number, state) or self.a_update(number, state)

    # --- premises of the rules --------------------------------------------------------------------

    def program(self, number: int, state: SlotView) -> Body | None:
        """Return the remaining program of the intention with this number. Return None if the
        agent's intentions Γ contain no such intention."""
        return (
            None if self._remaining(number, state) is None else self.slots[number].as_program(state)
        )

    def is_finished(self, number: int, state: SlotView) -> bool:
        """Return whether the intention with this number is among the agent's intentions Γ and its
        remaining program is ``nil``."""
        left = self._remaining(number, state)
        return left is not None and left.is_finished

    def can_step(self, number: int, state: SlotView) -> bool:
        """Return whether intention n, ``number``, can make a step: ⟨n, P⟩ ∈ Γ and ⟨B, P⟩ →."""
        left = self._remaining(number, state)
        if left is None:
            return False
        self._check_nesting(number, left)
        return Configuration(self._library, state, self.slots[number]).can_step()

    def _remaining(self, number: int, state: SlotView) -> FocusedProgram | None:
        """Return the program that the slot of the intention with this number holds. Return None if
        the agent's intentions Γ contain no such intention."""
        held: FocusedProgram | EventStatus = state[intention_slot(number)]
        return None if isinstance(held, EventStatus) else held

    def _check_nesting(self, number: int, left: FocusedProgram) -> None:
        """Raise :class:`InputError` if the intention with this number has more nested plans than
        the setting ``nesting`` allows."""
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
        """Return whether A_update may remove an intention that cannot step, according to the
        setting ``update``."""
        if left.is_finished or self._update == "any":
            return True
        return self._update == "stuck" and not any(
            self._can_move(other, state) for other in self.events if other != number
        )

    def _can_move(self, number: int, state: SlotView) -> bool:
        """Return whether the external event with this number can move: it can be adopted, or its
        intention can make a step, or its finished intention can be removed. Dropping a blocked
        intention does not count."""
        return (
            state[intention_slot(number)] is EventStatus.PENDING
            or self.is_finished(number, state)
            or self.can_step(number, state)
        )

    # --- choices of the MDP -----------------------------------------------------------------------

    def _step_choice(self, step: Transition, branch: BranchSlot, before: FocusedProgram) -> Choice:
        """Return the choice of the MDP for one step of the program in a branch slot. ``before`` is
        the program that the slot held before the step."""
        outcomes = [
            (probability, {**writes, **branch.writes_for(left, instead_of=before)})
            for probability, left, writes in step.outcomes
        ]
        return Choice(
            self._origin(step, branch),
            self._with_last_action(outcomes, step.action),
            self._reward(step),
        )

    def _origin(self, step: Transition, branch: BranchSlot) -> Origin:
        plan = self._library.plans[step.plan].title if step.plan else None
        among = tuple(
            replace(self._origin(each, branch), resulting_slots=_remaining_in(branch, each))
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

    def _reward(self, step: Transition) -> Mapping[str, RewardValue]:
        """Return the rewards of a step, by name. If the step selects one of several plans at
        random, these are the expected rewards."""
        if step.alternatives:
            return expected([(share, self._reward(each)) for share, each in step.alternatives])
        return self._rewards.step_reward(step.rules, step.action)

    def _choice(
        self,
        rule: str,
        text: str,
        writes: Mapping[str, Hashable],
        span: Span | None,
        *,
        reacts: bool = True,
    ) -> Choice:
        """Return the choice for an application of A_event or A_update. If ``reacts`` is set, the
        program's background changes (conditional changes of beliefs) are made after it."""
        outcomes = self._with_last_action([(Fraction(1), writes)], None)
        return Choice(
            Origin(self._name, (rule,), text, span=span),
            outcomes,
            self._rewards.step_reward((rule,), None),
            reacts,
        )

    def _with_last_action(
        self, outcomes: Sequence[tuple[Fraction, Mapping[str, Hashable]]], action: str | None
    ) -> Sequence[tuple[Fraction, Mapping[str, Hashable]]]:
        """Return the outcomes of a step, with a write to the slot :data:`LAST_ACTION` added to
        each. The written value is ``action`` if a formula observes this action, otherwise None. If
        no formula observes actions, return the outcomes unchanged."""
        if not self._observed:
            return outcomes
        remembered = action if action in self._observed else None
        return [
            (probability, {**writes, LAST_ACTION: remembered}) for probability, writes in outcomes
        ]


def _remaining_in(branch: BranchSlot, step: Transition) -> tuple[tuple[str, Hashable], ...]:
    """Return one pair for each outcome of a step: the slot of ``branch``, and the remaining program
    that the outcome writes to it."""
    return tuple(
        (branch.slot, branch.writes_for(left)[branch.slot]) for _, left, _ in step.outcomes
    )
