"""Interpretation cycle of one agent (Bordini et al., Sect. 4.1, Fig. 2): four stages, each an
atomic step.

The stages of one agent come in this order: mail, belief revision, event, intention. The stages of
different agents and the steps of the environment interleave.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from volition.diagnostics import Span
from volition.kernel.system import Choice, SlotView
from volition.languages.agentspeak.formulas import FormulaResult, execute
from volition.languages.agentspeak.plans import applicable, rename_free_variables, resolve_bindings
from volition.languages.agentspeak.rules import STAGES
from volition.languages.agentspeak.selection import enqueue, put_back, select
from volition.languages.agentspeak.settings import Settings
from volition.languages.agentspeak.state import (
    NO_EVENT,
    NO_INTENTION,
    NO_MAIL,
    NOTHING_NEW,
    AgentState,
    Event,
    IntendedMeans,
)
from volition.languages.agentspeak.syntax import Achieve, AgentProgram, Plan
from volition.languages.world.interface import World
from volition.languages.world.terms import Bindings, Structure, Term, is_ground, substitute, unify
from volition.origin import Origin

__all__ = ["Interpreter"]


@dataclass(frozen=True)
class Interpreter:
    """Interpreter of one agent. Its method :meth:`step` is the step function of the agent's
    component in the system."""

    name: str
    program: AgentProgram
    settings: Settings
    world: World
    agents: Sequence[str]

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Return the choices of the next stage of the interpretation cycle. An agent without work
        does not start a cycle, unless the project sets ``idle = cycle``."""
        mind = AgentState(self.name, state, self.settings.bounds)
        part = mind.part
        if part == 0 and self.settings.idle == "block" and not self._has_something_to_do(mind):
            return ()
        mind.part = (part + 1) % len(STAGES)
        return (
            self.check_mail,
            self.belief_revision,
            self.event_selection,
            self.intention_selection,
        )[part](mind)

    def _has_something_to_do(self, mind: AgentState) -> bool:
        return bool(mind.mail or mind.events or mind.ready or any(self._percept_changes(mind)))

    def _choice(
        self,
        mind: AgentState,
        part: int,
        text: str,
        plan: Plan | None = None,
        span: Span | None = None,
    ) -> Choice:
        source_span = span or (plan.span if plan else None)
        origin = Origin(
            self.name, (STAGES[part],), text, plan=plan.name if plan else None, span=source_span
        )
        return Choice(origin, [(Fraction(1), mind.writes)])

    # --- stage 1: mail ----------------------------------------------------------------------------

    def check_mail(self, mind: AgentState) -> Sequence[Choice]:
        """Return the choices of the stage ``CheckMail``: process the first message in the mailbox,
        if the agent trusts its sender."""
        if not mind.mail:
            return [self._choice(mind, 0, NO_MAIL)]
        message, mind.mail = mind.mail[0], mind.mail[1:]
        if not self.settings.trust.trusts(self.name, message.sender, message.performative):
            return [self._choice(mind, 0, f"does not trust {message.sender} and ignores {message}")]
        believed, events = mind.beliefs, mind.events
        match message.performative:
            case "tell":
                mind.add_belief(message.content, "other")
            case "untell":
                mind.remove_belief(message.content)
            case "achieve":
                mind.post(Event("+", "achieve", message.content))
            case _:
                assert_never(message.performative)
        changed = (mind.beliefs, mind.events) != (believed, events)
        return [
            self._choice(
                mind, 0, f"gets {message}" + ("" if changed else ", which changes nothing")
            )
        ]

    # --- stage 2: belief revision -----------------------------------------------------------------

    def belief_revision(self, mind: AgentState) -> Sequence[Choice]:
        """Return the choices of the stage ``BRF``: add percepts that are not believed, then remove
        beliefs that came from percepts which have disappeared."""
        new, gone = self._percept_changes(mind)
        for percept in new:
            mind.add_belief(percept, "percept")
        for percept in gone:
            mind.remove_belief(percept)
        seen = [f"sees {', '.join(map(str, new))}"] if new else []
        missed = [f"no longer sees {', '.join(map(str, gone))}"] if gone else []
        return [self._choice(mind, 1, "; ".join(seen + missed) or NOTHING_NEW)]

    def _percept_changes(self, mind: AgentState) -> tuple[list[Structure], list[Structure]]:
        percepts = self.world.percepts(mind.state, self.name)
        new = [each for each in percepts if not mind.believes(each)]
        gone = [
            each.atom
            for each in mind.beliefs
            if each.source == "percept" and each.atom not in percepts
        ]
        return new, gone

    # --- stage 3: event selection -----------------------------------------------------------------

    def event_selection(self, mind: AgentState) -> Sequence[Choice]:
        """Return the choices of the stage ``SelectEvent``: select an event and remove it. If a plan
        is applicable, create an instance of the plan (an intended means) for the event."""
        if not mind.events:
            return [self._choice(mind, 2, NO_EVENT)]
        positions = select(
            self.settings.select_event, mind.events, lambda event: event.atom.functor
        )
        return [self._handle(mind.copy(), position) for position in positions]

    def _handle(self, mind: AgentState, position: int) -> Choice:
        event = mind.events[position]
        mind.events = mind.events[:position] + mind.events[position + 1 :]
        found = applicable(self.program.plans, event, mind.beliefs)
        if found is None:
            span = self._goal_span(mind, event)
            return self._choice(
                mind,
                2,
                f"has no applicable plan for {event}{self._discard_event(mind, event)}",
                span=span,
            )
        number, bindings = found
        means = IntendedMeans(number, 0, event.intention, _stored(bindings))
        mind.ready = enqueue(
            self.settings.select_intention, mind.ready, mind.find_free_space(means)
        )
        plan = self.program.plans[number]
        return self._choice(mind, 2, f"takes plan {plan.name} for {event}", plan)

    def _goal_span(self, mind: AgentState, event: Event) -> Span | None:
        """Return the span of the goal that posted an event, or None for an external event."""
        means = None if event.intention is None else mind.means[event.intention]
        if means is None or means.counter >= len(self.program.plans[means.plan].body):
            return None
        return self.program.plans[means.plan].body[means.counter].span

    def _discard_event(self, mind: AgentState, event: Event) -> str:
        """Discard an event that has no applicable plan. Return a text that says what happened, for
        the end of the step's text.

        As in Bordini et al., an intention that waits for the event stays suspended, and its plan
        instances stay in ``i_data``. Exception: if the project sets ``on_failure = event`` and the
        event is about an achievement goal, the goal fails.
        """
        if self.settings.on_failure == "event" and event.kind == "achieve":
            if event.sign == "+":
                mind.post(Event("-", "achieve", event.atom, event.intention))
                return ": the goal fails"
            return self._fail(mind, event.intention)
        return ": the event is discarded" + (
            "" if event.intention is None else ", and its intention stays suspended"
        )

    # --- stage 4: intention selection -------------------------------------------------------------

    def intention_selection(self, mind: AgentState) -> Sequence[Choice]:
        """Return the choices of the stage ``SelectIntention``: select a runnable plan instance
        (intended means) and execute one formula of its body."""
        if not mind.ready:
            return [self._choice(mind, 3, NO_INTENTION)]
        positions = select(
            self.settings.select_intention, mind.ready, lambda index: self._functor(mind, index)
        )
        return [choice for position in positions for choice in self._run(mind.copy(), position)]

    def _functor(self, mind: AgentState, index: int) -> str:
        means = mind.means[index]
        return "" if means is None else self.program.plans[means.plan].trigger.atom.functor

    def _run(self, mind: AgentState, position: int) -> Sequence[Choice]:
        index = mind.ready[position]
        mind.ready = mind.ready[:position] + mind.ready[position + 1 :]
        means = mind.means[index]
        assert means is not None, "an index in channel i belongs to an intended means"
        plan = self.program.plans[means.plan]
        if means.counter == len(plan.body):
            self._finish(mind, index, means)
            return [self._choice(mind, 3, f"ends plan {plan.name}", plan)]
        formula = plan.body[means.counter]
        steps = execute(formula, mind, index, dict(means.bindings), self.agents)
        choices = []
        for step in steps:
            after = mind.copy()
            remark = self._continue_means(after, index, means, step)
            choices.append(self._choice(after, 3, step.text + remark, plan, formula.span))
        return choices

    def _continue_means(
        self, mind: AgentState, index: int, means: IntendedMeans, step: FormulaResult
    ) -> str:
        """Update a plan instance after one of its formulas was executed. Return a remark for the
        text of the step, which may be empty."""
        match step.outcome:
            case "suspend":
                return ""
            case "fail":
                return (
                    f": {self._fail(mind, index)}"
                    if self.settings.on_failure == "event"
                    else ": the intention stays suspended"
                )
            case "advance":
                pass
            case _:
                assert_never(step.outcome)
        advanced = means._replace(counter=means.counter + 1, bindings=_stored(step.bindings))
        if advanced.counter == len(self.program.plans[means.plan].body):
            self._finish(mind, index, advanced)
        else:
            mind.set_means(index, advanced)
            mind.ready = put_back(self.settings.select_intention, mind.ready, index)
        return ""

    def _finish(self, mind: AgentState, index: int, means: IntendedMeans) -> None:
        """Remove a finished plan instance. The instance that waits for it advances and becomes
        runnable again, with the values that the goal's variables got."""
        mind.set_means(index, None)
        if means.parent is None:
            return
        waiting = mind.means[means.parent]
        assert waiting is not None, "an intended means outlives its subplans"
        mind.set_means(
            means.parent,
            waiting._replace(
                counter=waiting.counter + 1, bindings=self._merge_bindings(waiting, means)
            ),
        )
        mind.ready = put_back(self.settings.select_intention, mind.ready, means.parent)

    def _merge_bindings(
        self, waiting: IntendedMeans, ended: IntendedMeans
    ) -> tuple[tuple[str, Term], ...]:
        """Return the variable bindings of the plan instance that waits for a goal, extended by the
        values that the finished plan gave to the goal's variables."""
        goal = self.program.plans[waiting.plan].body[waiting.counter]
        if not isinstance(goal, Achieve):
            return waiting.bindings
        bindings = dict(waiting.bindings)
        query = substitute(goal.atom, bindings)
        if is_ground(query):
            return waiting.bindings
        answer = substitute(self.program.plans[ended.plan].trigger.pattern, dict(ended.bindings))
        found = unify(query, rename_free_variables(answer, bindings), bindings)
        return waiting.bindings if found is None else _stored(resolve_bindings(found))

    def _fail(self, mind: AgentState, index: int | None) -> str:
        """Let the plan instance with this index fail, for projects that set ``on_failure = event``.
        Return a text that says what happened.

        The instance is removed. If its plan was for a goal ``+!g``, the failure event ``-!g`` is
        posted for its parent, the instance that waits for g. If its plan was for another event, the
        parent fails in the same way. If the instance does not have a parent, the intention ends.
        """
        while index is not None and (means := mind.means[index]) is not None:
            mind.set_means(index, None)
            trigger = self.program.plans[means.plan].trigger
            if trigger.is_goal:
                goal = rename_free_variables(substitute(trigger.pattern, dict(means.bindings)))
                mind.post(Event("-", "achieve", goal, means.parent))
                return f"the goal {goal} fails"
            index = means.parent
        return "the intention is dropped"


def _stored(bindings: Bindings) -> tuple[tuple[str, Term], ...]:
    return tuple(sorted(bindings.items()))
