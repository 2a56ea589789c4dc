"""Dependencies between the plans, actions and background changes of a CAN program, for slicing
(:mod:`volition.languages.common.dependencies`).

Slicing removes changes of beliefs that are never read. The number of steps stays the same: ``+b``
becomes ``?true``, which takes the same step, and an action or a background change loses one element
of its list of changes. An external event is removed as a whole if the rest of the program cannot
observe the removal: see :class:`_ExternalEvents`. ``docs/explanation/slicing.md`` has the proofs.
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
    """Arguments that all functions of this module share: the program with its settings and model,
    and the formulas that will be checked."""

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
    """Return the dependencies between the parts of a CAN program, and the names that ``formulas``
    query. ``model`` must have been created with the atoms of ``formulas`` as observed atoms."""
    builder = _DependencyBuilder(
        agent,
        source,
        policies,
        update,
        model,
        tuple(expand_agents(each, model.agents) for each in formulas),
    )
    events = _ExternalEvents(builder)
    changes = _Changes(builder)
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
        queried=tuple(dict.fromkeys(_queried_symbols(builder))),
        properties=tuple(
            source.span(each.start, each.end)
            for each in split(source, Diagnostics())
            if each.kind == "properties"
        ),
        heading=(source, f"// {HEADERS['properties']}"),
        limitations=events.remarks,
    )


# --- symbols of the formulas ----------------------------------------------------------------------


def _queried_symbols(builder: _DependencyBuilder) -> Iterator[QueriedSymbol]:
    for formula in builder.formulas:
        for atom in atomic_formulas(formula):
            about = builder.model.atom_dependencies(atom)
            text = atom.span.text if atom.span else getattr(atom, "name", "")
            for condition in about.conditions:
                yield from (QueriedSymbol(name, text) for name in _reads(condition))
                yield from (
                    QueriedSymbol(symbol("event", each), text)
                    for each in _events_in(condition, builder.agent)
                )
            yield from (QueriedSymbol(symbol("event", each), text) for each in about.events)
            yield from (QueriedSymbol(symbol("action", each), text) for each in about.actions)
        for part in subformulas(formula):
            if isinstance(part, Reward):
                yield from _reward_symbols(part, builder.agent)


def _reward_symbols(query: Reward, agent: AgentProgram) -> Iterator[QueriedSymbol]:
    for reward in agent.rewards:
        if query.name not in (None, reward.name):
            continue
        for item in reward.items:
            if isinstance(item.target, StateTarget):
                yield from (
                    QueriedSymbol(name, f'R{{"{reward.name}"}}')
                    for name in _reads(item.target.condition)
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
    """Yield the names of the external events whose phases, such as ``finished(e)``, occur in a
    condition."""
    for node in nodes(condition):
        if isinstance(node, EventPhase):
            yield from (
                event.name
                for event in agent.events
                if node.event in (event.name, str(event.number))
            )


# --- plans, actions and background change ---------------------------------------------------------


class _Changes:
    """Builder of a :class:`ProgramUnit` for each plan and action. A unit states what the plan or
    action reads and changes, and which edits of the text remove it.

    ``_why_changes_matter`` is None if slicing may replace a step ``+b`` by ``?true``, otherwise the
    reason why not. ``_numbers_matter`` is set if the program refers to plans by number. Then no
    plan is removed, because that would change the numbers.
    """

    def __init__(self, builder: _DependencyBuilder) -> None:
        agent = builder.agent
        targets = [
            each.target
            for reward in agent.rewards
            for each in reward.items
            if isinstance(each.target, RuleTarget)
        ]
        self._rewarded = {each.name for each in targets}
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
                "a decision or a label depends on the text of a remaining program"
            )
        items = [
            item
            for policy in (builder.policies[each] for each in POLICY_TARGETS)
            for item in policy.weights
        ]
        steps = [each for each in agent.decisions if isinstance(each, ActionDecision)]
        fixed = builder.policies["plans"].kind != "nondeterministic"
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
            case _:
                pass
        return None

    def _written(self, change: Change) -> Written:
        assert change.span is not None
        edits = None if self._why_changes_matter else (Edit(change.span, "?true"),)
        return _update(change, edits, self._why_changes_matter)

    def action(self, action: Action) -> ProgramUnit:
        steps = tuple(_outcome(each) for each in action.outcomes)
        probabilities = [each.probability for each in action.outcomes]
        stays = self._numbers_matter or action.name in self._rewarded
        edits = None if stays or action.span is None else (Edit(action.span),)
        reads = _reads(action.precondition, *probabilities)
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
    """Return the :class:`ProgramUnit` of a background change, a list of belief changes with a
    condition. Each element of the list can be removed separately, and each depends on the
    condition."""
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
    """External events of a program, with the decision which of them slicing may remove, together
    with everything that they trigger.

    An external event can be removed only if all of these hold:

    - Nothing that it triggers affects the formulas.
    - The order in which intentions take their steps is nondeterministic.
    - The program has no background change, which would follow each step of the intention.
    - The formulas neither count steps nor observe the last action.
    - Its intention terminates: its events do not raise themselves, and it has no declarative goal,
      which may retry without end.
    """

    def __init__(self, builder: _DependencyBuilder) -> None:
        self._builder = builder
        self._agent = builder.agent

    @property
    def remarks(self) -> tuple[str, ...]:
        return (
            (f"no external event was removed: {self._reason_not_removable}",)
            if self._reason_not_removable and len(self._agent.events) > 1
            else ()
        )

    @cached_property
    def _reason_not_removable(self) -> str | None:
        """Reason why no external event of the program may be removed, or None if some may be."""
        builder, agent = self._builder, self._agent
        if any(counts_steps(each) for each in builder.formulas):
            return "the property counts steps or rewards"
        if any(
            getattr(atom, "modality", None) == "Does"
            for each in builder.formulas
            for atom in atomic_formulas(each)
        ):
            return "the property depends on the last action"
        if agent.background:
            return "background change follows every step"
        if (
            not (
                builder.policies["events"].is_nondeterministic
                and builder.policies["intentions"].is_nondeterministic
            )
            or agent.decisions
        ):
            return "events or intentions are selected by a policy or a decision"
        if builder.policies["plans"].kind == "round-robin":
            return "the round-robin order of plans is shared by all intentions"
        return (
            "blocked intentions are dropped only when nothing else can move"
            if builder.update == "stuck"
            else None
        )

    def roots(self) -> Iterator[EntryPoint]:
        spans = tuple(event.span for event in self._agent.events if event.span is not None)
        items = ListSpan(spans, whole=self._list_span(spans))
        for event in self._agent.events:
            may_go = (
                self._reason_not_removable is None
                and event.span is not None
                and self._terminates(event.name)
                and event.name not in self._referenced_events
            )
            edits = (Edit(event.span, items=items),) if may_go and event.span is not None else None
            yield EntryPoint(f"external event {event.name}", symbol("event", event.name), edits)

    def _list_span(self, spans: Sequence[Span]) -> Span | None:
        """Return the position of the list of external events in the source, including the full stop
        after the list if there is one. ``spans`` are the positions of the events."""
        if not spans:
            return None
        stop = re.compile(r"\s*\.").match(self._builder.source.text, spans[-1].end)
        return self._builder.source.span(spans[0].start, stop.end() if stop else spans[-1].end)

    def _terminates(self, event: str) -> bool:
        """Return whether every intention for an event takes finitely many steps."""
        above: list[str] = []

        def terminates(name: str) -> bool:
            if name in above:
                return False
            above.append(name)
            bodies = [
                part
                for plan in self._agent.plans
                if plan.event == name
                for part in parts(plan.body)
            ]
            finite = not any(isinstance(part, DeclarativeGoal) for part in bodies)
            finite = finite and all(
                terminates(part.name) for part in bodies if isinstance(part, EventGoal)
            )
            above.pop()
            return finite

        return terminates(event)

    @cached_property
    def _referenced_events(self) -> frozenset[str]:
        """Names of the external events to which labels, decisions, policies, rewards or the
        formulas refer. If one of them refers to an event by number, these are all events, because
        removing an event changes the numbers."""
        agent = self._agent
        reported = [
            *(label.condition for label in agent.labels),
            *(each.condition for each in agent.decisions),
        ]
        references = [
            node.event for each in reported for node in nodes(each) if isinstance(node, EventPhase)
        ]
        references += [
            item.name
            for policy in agent.policies
            if policy.selection != "plans"
            for item in policy.items
        ]
        targets = [
            each.target
            for reward in agent.rewards
            for each in reward.items
            if isinstance(each.target, RuleTarget)
        ]
        references += [each.argument for each in targets if each.argument]
        formulas = [atom for formula in self._builder.formulas for atom in atomic_formulas(formula)]
        references += [
            name
            for atomic in formulas
            for name in self._builder.model.atom_dependencies(atomic).labels
        ]
        if any(word.isdecimal() for word in references):
            return frozenset(event.name for event in agent.events)
        return frozenset(references)
