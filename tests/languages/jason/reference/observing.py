"""An agent that knows its plans, and tells what becomes of goals if there are plans for that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.languages.jason.reference import intentions
from tests.languages.jason.reference.messages import RECEIVED, default_plans
from tests.languages.jason.reference.queries import Action, Query
from tests.languages.jason.reference.state import Due, Event, Intention, Means, Mind
from tests.languages.jason.reference.terms import Unspecified, annotated, renamed
from volition.languages.jason.syntax import AgentProgram, Plan
from volition.languages.jason.terms import Literal, Variable, indicator

__all__ = ["Observer", "may_be_about"]


class Observer:
    """An agent's program; its methods change the mind that they are given."""

    def __init__(self, name: str, program: AgentProgram, agents: list[str]) -> None:
        self.name = name
        self.agents = agents
        self.program = program
        self.plans = (*program.plans, *default_plans())
        self.handles_messages = any(
            (each.trigger.operator, each.trigger.kind) == ("+", "achieve")
            and isinstance(each.trigger.literal, Literal)
            and indicator(each.trigger.literal) == f"{RECEIVED}/4"
            for each in program.plans
        )

    internals: Mapping[str, Action] = {}
    is_time_free = True
    requeues = False
    has_new_focus = False

    def query(self, mind: Mind) -> Query:
        return Query(mind, self.agents, mind.current, internals=self.internals)

    def planned(self, sign: str, kind: str, literal: Literal) -> bool:
        """Whether there is any plan for such an event: name and arity count."""
        return any(may_be_about(each, sign, kind, literal) for each in self.plans)

    # --- states of goals --------------------------------------------------------------------------

    def goal_state(self, mind: Mind, means: Means, *states: str) -> None:
        """``^!g[state(..)]`` at the beginning of the next cycle, if it is planned for."""
        if (
            means.sign != "^"
            and means.kind != "belief"
            and self.planned("^", means.kind, means.trigger)
        ):
            for state in states:
                literal = annotated(means.trigger, Literal("state", (Literal(state),)))
                mind.tasks.append(Due("meta", Event("^", means.kind, renamed(literal))))

    def observe_top(self, mind: Mind, intention: Intention, state: str) -> None:
        """The goal on top of an intention that waits, or goes on."""
        if intention[-1].sign == "+":
            self.goal_state(mind, intention[-1], state)

    def achieved(self, mind: Mind, means: Means) -> None:
        self.goal_state(mind, means, "achieved", "finished")

    def cleared(self, mind: Mind, intention: Intention) -> Intention:
        """ClrInt: goals whose plans have ended are achieved."""
        return intentions.cleared(intention, lambda means: self.achieved(mind, means))

    def tell_dropped(self, mind: Mind) -> None:
        """Goals whose intentions were dropped are finished."""
        dropped = [each for each in mind.dropped if self.observes(each)]
        mind.dropped = []
        if len(dropped) > 1:
            raise Unspecified("in which order intentions are dropped")
        for intention in dropped:
            for means in reversed(intention):
                if means.sign == "+":
                    self.goal_state(mind, means, "dropped", "finished")

    def observes(self, intention: Intention) -> bool:
        return any(
            each.kind != "belief" and self.planned("^", each.kind, each.trigger)
            for each in intention
        )

    def expect_unobserved(self, mind: Mind, events: Callable[[Event], bool]) -> None:
        """It is not said what is told of goals that are still pending when they are dropped."""
        pending = [
            each for each in (*mind.E, *mind.AE, *mind.PE) if each.kind != "belief" and events(each)
        ]
        if any(self.planned("^", each.kind, each.literal) for each in pending):
            raise Unspecified("the state of a pending goal that is dropped")

    def observe_failure(
        self, mind: Mind, failed: Means, below: Intention, is_handled: bool
    ) -> None:
        self.goal_state(mind, failed, "failed")
        if is_handled:
            self.goal_state(mind, failed, "executing")
        else:
            self.goal_state(mind, failed, "finished")
            for means in reversed(below):
                self.goal_state(mind, means, "failed", "finished")


def may_be_about(plan: Plan, sign: str, kind: str, literal: Literal) -> bool:
    trigger = plan.trigger
    if (trigger.operator, trigger.kind) != (sign, kind):
        return False
    return isinstance(trigger.literal, Variable) or indicator(trigger.literal) == indicator(literal)
