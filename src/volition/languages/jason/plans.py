"""Plan library of an agent: finding the relevant plans for an event and selecting an applicable one
(rules RelPl, ApplPl and SelAppl of the reasoning cycle)."""

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
"""Name and arity of the goal that represents a message to be handled by a plan."""


@dataclass(frozen=True, slots=True)
class ApplicablePlan:
    """Plan that may handle an event, with bindings of the plan's variables. The bindings are the
    unifier of the plan's trigger and the event. Once the plan is selected, they also contain the
    first solution of its context."""

    plan: Plan
    body: Continuation
    bindings: dict[str, Term]


@dataclass(frozen=True)
class PlanLibrary:
    """Plans of an agent in order: those of its program, then the default plans for messages."""

    program_plans: Sequence[Plan]
    default_plans: Sequence[Plan] = ()

    def candidates(
        self, operator: Operator, kind: TriggerKind, literal: Literal
    ) -> Sequence[tuple[Plan, Continuation]]:
        """Return the plans that may be relevant for an event: those whose trigger has the operator,
        kind, name and arity of the event, or is a variable. Each comes with its body."""
        return (
            self._index.get((operator, kind, indicator(literal)))
            or self._index.get((operator, kind, None))
            or ()
        )

    def relevant(self, event: Event) -> Iterator[ApplicablePlan]:
        """Yield the plans whose trigger unifies with the event (rule RelPl)."""
        for plan, body in self.candidates(event.operator, event.kind, event.literal):
            found = unify(plan.trigger.literal, event.literal, {})
            if found is not None:
                yield ApplicablePlan(plan, body, found)

    def applicable(self, event: Event, knowledge: QueryContext) -> ApplicablePlan | None:
        """Return the first relevant plan whose context holds, with the first solution of the
        context (rules ApplPl and SelAppl), or None if there is none."""
        for option in self.relevant(event):
            if option.plan.context == TRUE:
                return option
            found = first_solution(option.plan.context, option.bindings, knowledge)
            if found is not None:
                return ApplicablePlan(option.plan, option.body, dict(found))
        return None

    @cached_property
    def has_atomic(self) -> bool:
        """Whether some plan is atomic, so that an atomic intention can exist."""
        return any(each.is_atomic for each in (*self.program_plans, *self.default_plans))

    @cached_property
    def has_loops(self) -> bool:
        """Whether some plan of the program contains a ``for`` loop, whose body may change the
        beliefs over which the loop iterates."""
        return any(isinstance(step, For) for plan in self.program_plans for step in all_steps(plan))

    @cached_property
    def has_goal_state_plans(self) -> bool:
        """Whether some plan handles a meta event ``^!g[state(S)]``."""
        return any(each.trigger.operator == "^" for each in self.program_plans)

    @cached_property
    def waits_for_events(self) -> bool:
        """Whether some ``.wait`` may wait for an event or a query, not only for time to pass."""
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
        """Whether the program has its own plan for the goal ``kqml_received/4``. In that case every
        message becomes an event of this goal."""
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
        """Map from operator, kind and indicator (name and arity) of an event to the candidate plans
        in the order of the library. The indicator None stands for all events with a name that
        occurs in no trigger.

        A plan whose trigger is a variable is in each list of its operator and kind, at its position
        in the program.
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
