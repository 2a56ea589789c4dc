"""What depends on what in a CAN program: plans, actions and background change, as
:mod:`volition.languages.common.dependencies` has it.

A change of a belief that nobody reads is left out in its place: ``+b`` becomes ``?true``, which
takes the same step; an action and background change lose an element of a list.  An external event
is left out as a whole where others cannot tell: see
:class:`_ExternalEvents`.  ``docs/explanation/slicing.md`` has the proofs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from volition.diagnostics import Diagnostics, Source, Span
from volition.languages.can.conditions import (
    BeliefAtom,
    Condition,
    EventPhase,
    Expression,
    NumericBelief,
    nodes,
)
from volition.languages.can.model import CanModel
from volition.languages.can.plan_library import ResolvedPolicy
from volition.languages.can.sections import HEADERS, split
from volition.languages.can.syntax import (
    POLICY_TARGETS,
    Act,
    Action,
    ActionDecision,
    AddBelief,
    AgentProgram,
    Assign,
    BackgroundChange,
    Change,
    DeclarativeGoal,
    DropPolicy,
    EventGoal,
    Outcome,
    Plan,
    PolicyTarget,
    RemoveBelief,
    RuleTarget,
    StateTarget,
    Test,
    parts,
)
from volition.languages.common.dependencies import (
    Dependencies,
    Edit,
    EntryPoint,
    ListSpan,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    UnitStep,
    symbol,
)
from volition.languages.common.dependencies import Write as Written
from volition.logic.syntax import Formula, Reward
from volition.logic.traversal import atomic_formulas, counts_steps, expand_agents, subformulas

__all__ = ["dependencies_of"]

_CHANGE_RULES = ("+b", "-b", ":=", "?")
_TICK = symbol("event", "background change")


@dataclass(frozen=True)
class _DependencyBuilder:
    """A program with what was chosen for it, and the formulas that are asked."""

    agent: AgentProgram
    source: Source
    policies: dict[PolicyTarget, ResolvedPolicy]
    update: DropPolicy
    model: CanModel
    formulas: tuple[Formula, ...]


def dependencies_of(
    agent: AgentProgram,
    source: Source,
    policies: dict[PolicyTarget, ResolvedPolicy],
    update: DropPolicy,
    model: CanModel,
    formulas: Sequence[Formula],
) -> Dependencies:
    """The program for the sake of some formulas; ``model`` is one that observes their atoms."""
    reading = _DependencyBuilder(
        agent,
        source,
        policies,
        update,
        model,
        tuple(expand_agents(each, model.agents) for each in formulas),
    )
    events = _ExternalEvents(reading)
    changes = _Changes(reading)
    background = [
        _background(each, number) for number, each in enumerate(agent.background, start=1)
    ]
    return Dependencies(
        parts=(
            *(changes.plan(each) for each in agent.plans),
            *(changes.action(each) for each in agent.actions),
            *background,
        ),
        roots=(*events.roots(), *([EntryPoint("time", _TICK)] if background else [])),
        queried=tuple(dict.fromkeys(_asked(reading))),
        properties=tuple(
            source.span(each.start, each.end)
            for each in split(source, Diagnostics())
            if each.kind == "properties"
        ),
        heading=(source, f"// {HEADERS['properties']}"),
        limitations=events.remarks,
    )


# --- what is asked --------------------------------------------------------------------------------


def _asked(reading: _DependencyBuilder) -> Iterator[QueriedSymbol]:
    for formula in reading.formulas:
        for atom in atomic_formulas(formula):
            about = reading.model.asked_about(atom)
            text = atom.span.text if atom.span else getattr(atom, "name", "")
            for condition in about.conditions:
                yield from (QueriedSymbol(name, text) for name in _reads(condition))
                yield from (
                    QueriedSymbol(symbol("event", each), text)
                    for each in _events_in(condition, reading.agent)
                )
            yield from (QueriedSymbol(symbol("event", each), text) for each in about.events)
            yield from (QueriedSymbol(symbol("action", each), text) for each in about.actions)
        for part in subformulas(formula):
            if isinstance(part, Reward):
                yield from _earning(part, reading.agent)


def _earning(query: Reward, agent: AgentProgram) -> Iterator[QueriedSymbol]:
    for reward in agent.rewards:
        if query.name not in (None, reward.name):
            continue
        for earning in reward.earnings:
            if isinstance(earning.target, StateTarget):
                yield from (
                    QueriedSymbol(name, f'R{{"{reward.name}"}}')
                    for name in _reads(earning.target.condition)
                )


def _reads(*conditions: Condition | Expression) -> tuple[SymbolPattern, ...]:
    found = (
        node.name
        for condition in conditions
        for node in nodes(condition)
        if isinstance(node, BeliefAtom | NumericBelief)
    )
    return tuple(dict.fromkeys(symbol("belief", name) for name in found))


def _events_in(condition: Condition, agent: AgentProgram) -> Iterator[str]:
    """The external events whose phases a condition asks about, by name."""
    for node in nodes(condition):
        if isinstance(node, EventPhase):
            yield from (
                event.name
                for event in agent.events
                if node.event in (event.name, str(event.number))
            )


# --- plans, actions and background change ---------------------------------------------------------


class _Changes:
    """``changes_matter`` says why a step ``+b`` cannot be another one, and ``numbers_matter`` that
    plans are called by their numbers."""

    def __init__(self, reading: _DependencyBuilder) -> None:
        agent = reading.agent
        targets = [
            each.target
            for reward in agent.rewards
            for each in reward.earnings
            if isinstance(each.target, RuleTarget)
        ]
        self._paid = {each.name for each in targets}
        reported = [
            *(label.condition for label in agent.labels),
            *(decision.condition for decision in agent.decisions),
        ]
        self._why_changes_matter: str | None = None
        if any(each.name in _CHANGE_RULES for each in targets):
            self._why_changes_matter = "a reward is earned by changes of beliefs"
        elif agent.decisions or any(
            isinstance(node, EventPhase) and node.phase == "left"
            for each in reported
            for node in nodes(each)
        ):
            self._why_changes_matter = (
                "a decision or a label asks what is left of an intention, by its text"
            )
        items = [
            item
            for policy in (reading.policies[each] for each in POLICY_TARGETS)
            for item in policy.weights
        ]
        steps = [each for each in agent.decisions if isinstance(each, ActionDecision)]
        fixed = reading.policies["plans"].manner != "nondeterministic"
        self._numbers_matter = bool(
            fixed or steps or items or any(each.argument for each in targets)
        )

    def plan(self, plan: Plan) -> ProgramUnit:
        steps = tuple(step for part in parts(plan.body) if (step := self._step(part)) is not None)
        span = plan.span
        edits = None if self._numbers_matter or span is None else (Edit(span),)
        return ProgramUnit(
            f"plan {plan.number}",
            span,
            symbol("event", plan.event),
            _reads(plan.context),
            steps,
            edits=edits,
        )

    def _step(self, part: object) -> UnitStep | None:
        match part:
            case AddBelief() | RemoveBelief() | Assign():
                return UnitStep(_text(part), part.span, updates=(self._written(part),))
            case Test(condition):
                return UnitStep(_text(part), part.span, reads=_reads(condition))
            case Act(name):
                return UnitStep(name, part.span, posts=(symbol("action", name),))
            case EventGoal(name):
                return UnitStep(name, part.span, posts=(symbol("event", name),))
            case DeclarativeGoal(success, _, failure):
                return UnitStep("goal(...)", part.span, reads=_reads(success, failure))
        return None

    def _written(self, change: Change) -> Written:
        assert change.span is not None
        edits = None if self._why_changes_matter else (Edit(change.span, "?true"),)
        return _update(change, edits, self._why_changes_matter)

    def action(self, action: Action) -> ProgramUnit:
        steps = tuple(_outcome(each) for each in action.outcomes)
        chances = [each.probability for each in action.outcomes]
        stays = self._numbers_matter or action.name in self._paid
        edits = None if stays or action.span is None else (Edit(action.span),)
        reads = _reads(action.precondition, *chances)
        return ProgramUnit(
            f"action {action.name}",
            action.span,
            symbol("action", action.name),
            reads,
            steps,
            edits=edits,
            is_plan=False,
            steps_are_alternatives=True,
        )


def _outcome(outcome: Outcome) -> UnitStep:
    updates: list[Written] = []
    for changes in (outcome.deleted, outcome.added):
        items = ListSpan(tuple(each.span for each in changes if each.span is not None))
        updates += [
            _update(each, (Edit(each.span, items=items),) if each.span else None)
            for each in changes
        ]
    return UnitStep(_text(outcome), outcome.span, updates=tuple(updates))


def _background(background: BackgroundChange, number: int) -> ProgramUnit:
    """Every change is looked at by itself; the condition decides about each of them."""
    queried = _reads(background.condition)
    items = ListSpan(
        tuple(each.span for each in background.changes if each.span is not None),
        whole=background.span,
    )
    updates = tuple(
        _update(each, (Edit(each.span, items=items),) if each.span else None, reads=queried)
        for each in background.changes
    )
    return ProgramUnit(
        f"background {number}",
        background.span,
        _TICK,
        steps=(UnitStep(_text(background), background.span, updates=updates),),
        is_plan=False,
    )


def _update(
    change: Change,
    edits: tuple[Edit, ...] | None,
    why_kept: str | None = None,
    *,
    reads: tuple[SymbolPattern, ...] = (),
) -> Written:
    value = _reads(change.expression) if isinstance(change, Assign) else ()
    return Written(
        symbol("belief", change.name), _text(change), change.span, (*reads, *value), edits, why_kept
    )


def _text(node: Outcome | BackgroundChange | Change | Test) -> str:
    return " ".join(node.span.text.split()) if node.span else ""


# --- external events ------------------------------------------------------------------------------


class _ExternalEvents:
    """Which external events may be left out with everything that they lead to, if none of it can
    influence the formula.

    Intentions take their steps in any order, and background change follows each of them.  So nobody
    misses the steps of an intention where the order is open, nothing changes in the background,
    nothing asks what was done last, the formula counts no steps, and the intention comes to an end:
    events do not raise themselves, and there is no declarative goal, which tries for ever.
    """

    def __init__(self, reading: _DependencyBuilder) -> None:
        self._reading = reading
        self._agent = reading.agent

    @property
    def remarks(self) -> tuple[str, ...]:
        return (
            (f"no external event was left out: {self._objection}",)
            if self._objection and len(self._agent.events) > 1
            else ()
        )

    @cached_property
    def _objection(self) -> str | None:
        """Why none may be left out."""
        reading, agent = self._reading, self._agent
        if any(counts_steps(each) for each in reading.formulas):
            return "the property counts steps or rewards"
        if any(
            getattr(atom, "modality", None) == "Does"
            for each in reading.formulas
            for atom in atomic_formulas(each)
        ):
            return "the property asks what was done in the last step"
        if agent.background:
            return "background change follows every step"
        if (
            not (
                reading.policies["events"].is_nondeterministic
                and reading.policies["intentions"].is_nondeterministic
            )
            or agent.decisions
        ):
            return "events or intentions are selected by a policy or a decision"
        if reading.policies["plans"].manner == "round-robin":
            return "plans take turns, whoever selects them"
        return (
            "blocked intentions are dropped only when nothing else can move"
            if reading.update == "stuck"
            else None
        )

    def roots(self) -> Iterator[EntryPoint]:
        spans = tuple(event.span for event in self._agent.events if event.span is not None)
        items = ListSpan(spans, whole=self._whole(spans))
        for event in self._agent.events:
            may_go = (
                self._objection is None
                and event.span is not None
                and self._ends(event.name)
                and event.name not in self._called
            )
            edits = (Edit(event.span, items=items),) if may_go and event.span is not None else None
            yield EntryPoint(f"external event {event.name}", symbol("event", event.name), edits)

    def _whole(self, spans: Sequence[Span]) -> Span | None:
        """The list with the full stop that may end it."""
        if not spans:
            return None
        stop = re.compile(r"\s*\.").match(self._reading.source.text, spans[-1].end)
        return self._reading.source.span(spans[0].start, stop.end() if stop else spans[-1].end)

    def _ends(self, event: str) -> bool:
        """Whether every intention for an event takes finitely many steps."""
        above: list[str] = []

        def comes_to_an_end(name: str) -> bool:
            if name in above:
                return False
            above.append(name)
            bodies = [
                part
                for plan in self._agent.plans
                if plan.event == name
                for part in parts(plan.body)
            ]
            fine = not any(isinstance(part, DeclarativeGoal) for part in bodies)
            fine = fine and all(
                comes_to_an_end(part.name) for part in bodies if isinstance(part, EventGoal)
            )
            above.pop()
            return fine

        return comes_to_an_end(event)

    @cached_property
    def _called(self) -> frozenset[str]:
        """Events that something else calls by name; where something calls one by its number, all of
        them."""
        agent = self._agent
        reported = [
            *(label.condition for label in agent.labels),
            *(each.condition for each in agent.decisions),
        ]
        words = [
            node.event for each in reported for node in nodes(each) if isinstance(node, EventPhase)
        ]
        words += [
            item.name
            for policy in agent.policies
            if policy.selection != "plans"
            for item in policy.items
        ]
        targets = [
            each.target
            for reward in agent.rewards
            for each in reward.earnings
            if isinstance(each.target, RuleTarget)
        ]
        words += [each.argument for each in targets if each.argument]
        formulas = [atom for formula in self._reading.formulas for atom in atomic_formulas(formula)]
        words += [
            name for atomic in formulas for name in self._reading.model.asked_about(atomic).labels
        ]
        if any(word.isdecimal() for word in words):
            return frozenset(event.name for event in agent.events)
        return frozenset(words)
