"""The plan library: which plans an event could be for, and which one is taken (RelPl, ApplPl,
SelAppl)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from typing import TYPE_CHECKING

from volition.languages.jason.continuations import Continuation
from volition.languages.jason.queries import QueryContext, first_solution
from volition.languages.jason.syntax import For, InternalAction, Plan, TriggerKind
from volition.languages.jason.terms import TRUE, Arithmetic, Literal, Term, indicator
from volition.languages.jason.traversal import all_steps, steps_in
from volition.languages.jason.unification import unify

if TYPE_CHECKING:
    from volition.languages.jason.state import Event, Operator

__all__ = ["KQML_RECEIVED", "ApplicablePlan", "PlanLibrary"]

KQML_RECEIVED = "kqml_received/4"
"""The goal that a message becomes that has no effect by itself."""


@dataclass(frozen=True, slots=True)
class ApplicablePlan:
    """A plan that is applicable, with the first unifier of its trigger and its context."""

    plan: Plan
    body: Continuation
    bindings: dict[str, Term]


@dataclass(frozen=True)
class PlanLibrary:
    """The plans of an agent in their order: those of its program first, then ``defaults``, those
    for messages."""

    program_plans: Sequence[Plan]
    default_plans: Sequence[Plan] = ()

    def candidates(
        self, operator: Operator, kind: TriggerKind, literal: Literal
    ) -> Sequence[tuple[Plan, Continuation]]:
        """The plans whose trigger has the event's name and arity, or is a variable."""
        return (
            self._index.get((operator, kind, indicator(literal)))
            or self._index.get((operator, kind, None))
            or ()
        )

    def relevant(self, event: Event) -> Iterator[ApplicablePlan]:
        """RelPl: the plans whose trigger unifies with the event."""
        for plan, body in self.candidates(event.operator, event.kind, event.literal):
            found = unify(plan.trigger.literal, event.literal, {})
            if found is not None:
                yield ApplicablePlan(plan, body, found)

    def applicable(self, event: Event, knowledge: QueryContext) -> ApplicablePlan | None:
        """ApplPl and SelAppl: the first relevant plan whose context follows, with its first
        solution."""
        for option in self.relevant(event):
            if option.plan.context == TRUE:
                return option
            found = first_solution(option.plan.context, option.bindings, knowledge)
            if found is not None:
                return ApplicablePlan(option.plan, option.body, dict(found))
        return None

    @cached_property
    def has_atomic(self) -> bool:
        """Whether there can be an atomic intention at all."""
        return any(each.is_atomic for each in (*self.program_plans, *self.default_plans))

    @cached_property
    def has_loops(self) -> bool:
        """Whether some plan may go through beliefs while it changes them (``for``)."""
        return any(isinstance(step, For) for plan in self.program_plans for step in all_steps(plan))

    @cached_property
    def has_goal_state_plans(self) -> bool:
        """Whether some plan is for what becomes of goals."""
        return any(each.trigger.operator == "^" for each in self.program_plans)

    @cached_property
    def waits_for_events(self) -> bool:
        """Whether some ``.wait`` may be for more than time to pass."""
        steps = (
            step
            for plan in (*self.program_plans, *self.default_plans)
            for step in steps_in(plan.body)
        )
        waits = [
            step.action
            for step in steps
            if isinstance(step, InternalAction) and step.action.functor == ".wait"
        ]
        return any(not isinstance(each.arguments[0], int | float | Arithmetic) for each in waits)

    @cached_property
    def handles_messages(self) -> bool:
        """Whether the program has a plan of its own for messages, which then all become events."""
        triggers = [
            each.trigger
            for each in self.program_plans
            if (each.trigger.operator, each.trigger.kind) == ("+", "achieve")
        ]
        return any(
            isinstance(each.literal, Literal) and indicator(each.literal) == KQML_RECEIVED
            for each in triggers
        )

    @cached_property
    def _index(self) -> dict[tuple[str, str, str | None], list[tuple[Plan, Continuation]]]:
        """Operator, kind and indicator ▶ plans in their order; None for events whose name no plan
        knows.

        Plans whose trigger is a variable stand in each list of their kind, at their place.
        """
        indices: dict[tuple[str, str, str | None], list[int]] = {}
        plans = [
            (each, Continuation(each.body)) for each in (*self.program_plans, *self.default_plans)
        ]
        for position, (plan, _) in enumerate(plans):
            trigger = plan.trigger
            name = indicator(trigger.literal) if isinstance(trigger.literal, Literal) else None
            indices.setdefault((trigger.operator, trigger.kind, name), []).append(position)
        index = {}
        for (operator, kind, name), own in indices.items():
            anything = () if name is None else indices.get((operator, kind, None), ())
            index[operator, kind, name] = [plans[place] for place in merge(own, anything)]
        return index
