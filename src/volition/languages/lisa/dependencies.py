"""Dependencies of a LISA program, the input of slicing: the beliefs and plans that each of its
parts reads and writes (:mod:`volition.languages.common.dependencies`).

The model of an agent consists of modules that move at the same time, and each module reads only
some variables. There is a module for each percept, each rule, the feedbacks of each action, and
each group of plans (of which at most one runs at a time). If no other module reads the variables of
a module, it can be removed without changing the others.

Two things are replaced instead of removed. If a plan stays and writes a mental note that no
remaining module reads, its step writes another note instead, which is never held. If a plan is
removed, a stub that never starts takes its place, so that the other plans keep their numbers.
``docs/explanation/slicing.md`` has the proof.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from volition.diagnostics import Source, Span
from volition.languages.common.dependencies import (
    Dependencies,
    Edit,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolKind,
    SymbolPattern,
    UnitStep,
    Write,
    symbol,
)
from volition.languages.lisa.atoms import (
    BelAtom,
    DesAtom,
    DoesAtom,
    IntAtom,
    ParsedAtom,
    VariableAtom,
    Variables,
    parse_atom,
)
from volition.languages.lisa.messages import UNKNOWN
from volition.languages.lisa.names import name_of
from volition.languages.lisa.project import AgentFiles
from volition.languages.lisa.resolved import (
    MessagePercept,
    Percept,
    Plan,
    PlanGroup,
    PlanPosition,
    ResolvedAgent,
)
from volition.languages.lisa.syntax import (
    ActionCall,
    Condition,
    MentalAction,
    PlanEntry,
    PlanStep,
    WithdrawPlan,
    beliefs_in,
)
from volition.logic.syntax import Formula, Reward
from volition.logic.traversal import atomic_formulas, subformulas

__all__ = ["dependencies_of"]

_MENTAL_ACT = re.compile(r"[-+]\s*\^\s*\[[^\[\]]*\]")
_REST_OF_STEP = re.compile(r"[ \t]*(?:\{[^{}]*\})?[ \t]*\.?")


def dependencies_of(
    agents: Sequence[ResolvedAgent],
    projects: Sequence[AgentFiles],
    properties: Sequence[Source],
    variables: Variables,
    formulas: Sequence[Formula],
) -> Dependencies:
    """Return what each part of a program reads and writes, as input of slicing. The slice has to
    preserve the truth of ``formulas``.

    ``variables`` are the variables of the program's model, ``properties`` the property files of the
    project.
    """
    queries = [
        parse_atom(agents, atom, variables=variables)
        for each in formulas
        for atom in atomic_formulas(each)
    ]
    done = [agent.name for agent, parsed_atom in queries if isinstance(parsed_atom, DoesAtom)]
    modules = [
        _Modules(agent, project, agent.name in done)
        for agent, project in zip(agents, projects, strict=True)
    ]
    return Dependencies(
        parts=tuple(part for each in modules for part in each.parts()),
        roots=tuple(root for each in modules for root in each.roots()),
        queried=tuple(dict.fromkeys(_queried_symbols(agents, variables, formulas))),
        properties=tuple(each.span(0, len(each.text)) for each in properties),
    )


# --- symbols of the formulas ----------------------------------------------------------------------


def _queried_symbols(
    agents: Sequence[ResolvedAgent], variables: Variables, formulas: Sequence[Formula]
) -> Iterator[QueriedSymbol]:
    for formula in formulas:
        for atom in atomic_formulas(formula):
            text = atom.span.text if atom.span else ""
            yield from (
                QueriedSymbol(name, text)
                for name in _names(*parse_atom(agents, atom, variables=variables))
            )
        for part in subformulas(formula):
            if isinstance(part, Reward):
                yield from (queried for agent in agents for queried in _reward_symbols(agent, part))


def _names(agent: ResolvedAgent, atom: ParsedAtom) -> Iterator[SymbolPattern]:
    match atom:
        case VariableAtom(name):
            known = {plan.name for plan in agent.plans}
            if name in agent.beliefs:
                yield symbol("belief", name, agent.prefix)
            elif name in known:
                yield symbol("plan", name, agent.prefix)
            elif (
                name != "x"
            ):  # a counter or memory slot, whose name depends on the other beliefs and plans
                yield from (symbol("belief", each, agent.prefix) for each in agent.beliefs)
                yield from (symbol("plan", each, agent.prefix) for each in known)
        case BelAtom(condition):
            yield from _reads(agent, condition)
        case DesAtom(plan) | IntAtom(plan):
            yield symbol("plan", plan.name, agent.prefix)
        case DoesAtom(action):
            doing = (
                plan for plan in agent.plans if any(step.is_called(action) for step in plan.steps)
            )
            yield from (symbol("plan", plan.name, agent.prefix) for plan in doing)
        case _:
            assert_never(atom)


def _reward_symbols(agent: ResolvedAgent, query: Reward) -> Iterator[QueriedSymbol]:
    for reward, items in agent.rewards.items():
        if query.name in (None, reward, agent.prefix + reward):
            for item in items:
                where = item.where
                name = (
                    symbol("plan", where.plan, agent.prefix)
                    if isinstance(where, PlanPosition)
                    else symbol("belief", where.belief, agent.prefix)
                )
                yield QueriedSymbol(name, f'R{{"{query.name or reward}"}}')


def _reads(agent: ResolvedAgent, condition: Condition) -> tuple[SymbolPattern, ...]:
    return tuple(
        dict.fromkeys(
            symbol("belief", sentence.name, agent.prefix) for sentence in beliefs_in(condition)
        )
    )


# --- dependencies of modules ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Modules:
    """Builder of the dependencies (reads and writes) of one agent. There is an entry for each plan,
    percept, message and rule, and for the feedbacks of each action. ``has_does_atoms`` is true if a
    formula contains ``Does`` atoms of this agent."""

    agent: ResolvedAgent
    project: AgentFiles
    has_does_atoms: bool

    def parts(self) -> Iterator[ProgramUnit]:
        for group in self.agent.groups:
            yield from (self._plan(group, plan) for plan in group.plans)
        for action in self.agent.actions:
            called = tuple(
                dict.fromkeys(self._named("plan", position.plan) for position in action.called_at)
            )
            updates = tuple(
                Write(self._named("belief", each.name), f"^[{each.text}]", action.span, called)
                for each in action.feedbacks
            )
            if updates:
                yield self._module(
                    f"feedback of [{action.text}.]", action.name, action.span, updates
                )
        for percept in self.agent.percepts:
            reads = _reads(self.agent, percept.condition)
            update = Write(
                self._named("belief", percept.name), f"^[{percept.text}]", percept.span, reads
            )
            yield self._module(f"percept ^[{percept.text}]", percept.name, percept.span, (update,))
        for message in self.agent.messages:
            sent = tuple(
                dict.fromkeys(
                    symbol("plan", each.position.plan, each.prefix)
                    for each in message.sent
                    if each.position
                )
            )
            update = Write(
                self._named("belief", message.name), f"^[{message.text}]", message.span, sent
            )
            yield self._module(f"message ^[{message.text}]", message.name, message.span, (update,))
        for number, rule in enumerate(self.project.reasoning.rules, start=1):
            text = f"{'' if rule.adds else '~'}^[{rule.belief.text}]"
            update = Write(
                self._named("belief", rule.belief.name),
                text,
                rule.span,
                _reads(self.agent, rule.condition),
            )
            yield self._module(f"rule {number}", f"rule {number}", rule.span, (update,))

    def roots(self) -> Iterator[EntryPoint]:
        for group in self.agent.groups:
            label = (
                f"plan{'s' if len(group.plans) > 1 else ''} "
                f"{', '.join(str(plan.number) for plan in group.plans)}"
            )
            yield self._root(label, group.name, tuple(self._stub(plan) for plan in group.plans))
        for action in self.agent.actions:
            if action.feedbacks:
                yield self._root(
                    f"feedback of [{action.text}.]",
                    action.name,
                    tuple(self._initial_calls(action.name)),
                )
        for percept in self.agent.percepts:
            yield self._root(
                f"percept ^[{percept.text}]", percept.name, (Edit(self._line_of(percept)),)
            )
        for message in self.agent.messages:
            # If the agent declares *Unknown message received*, the declaration of this message has
            # to stay. Without it, the message would become an unknown one.
            edits = (
                None
                if any(each.name == UNKNOWN for each in self.agent.messages)
                else (Edit(self._line_of(message)),)
            )
            yield self._root(f"message ^[{message.text}]", message.name, edits)
        for number, rule in enumerate(self.project.reasoning.rules, start=1):
            yield self._root(f"rule {number}", f"rule {number}", (Edit(rule.span),))

    # --- symbols of modules -----------------------------------------------------------------------

    def _named(self, kind: SymbolKind, name: str) -> SymbolPattern:
        return symbol(kind, name, self.agent.prefix)

    def _moving(self, module: str) -> SymbolPattern:
        return self._named("event", f"the module {module}")

    def _label(self, text: str) -> str:
        return f"{self.agent.name}: {text}" if self.agent.prefix else text

    def _root(self, label: str, module: str, edits: tuple[Edit, ...] | None) -> EntryPoint:
        return EntryPoint(self._label(label), self._moving(module), edits)

    def _module(self, label: str, name: str, span: Span, updates: tuple[Write, ...]) -> ProgramUnit:
        reads = tuple(dict.fromkeys(each for update in updates for each in update.reads))
        step = UnitStep(", ".join(each.text for each in updates), span, updates=updates)
        return ProgramUnit(
            self._label(label), span, self._moving(name), reads, (step,), is_plan=False
        )

    # --- dependencies of plans --------------------------------------------------------------------

    def _plan(self, group: PlanGroup, plan: Plan) -> ProgramUnit:
        reads = (self._named("belief", plan.event.belief.name), *_reads(self.agent, plan.context))
        steps = []
        for written, step in zip(self._entry(plan).steps, plan.steps, strict=True):
            position = Write(self._named("plan", plan.name), step.text, step.span)
            awaited = tuple(self._named("belief", each) for each in step.feedbacks)
            steps.append(
                UnitStep(step.text, step.span, awaited, (position, *self._changes(written)))
            )
        label, moving = self._label(f"plan {plan.number}"), self._moving(group.name)
        return ProgramUnit(
            label, plan.span, moving, tuple(dict.fromkeys(reads)), tuple(steps), edits=()
        )

    def _changes(self, step: PlanStep) -> Iterator[Write]:
        """Yield the writes of a step of a plan, except the write of the plan's index (which step
        the plan is at)."""
        if isinstance(step, MentalAction):
            yield self._note(step)
        elif isinstance(step, WithdrawPlan):
            # Withdrawing a plan affects all plans of its group, because at most one of them runs at
            # a time.
            group = next(
                each
                for each in self.agent.groups
                if any(plan.number == step.number for plan in each.plans)
            )
            yield from (
                Write(self._named("plan", plan.name), str(step), step.span) for plan in group.plans
            )

    def _note(self, act: MentalAction) -> Write:
        name, written = self._named("belief", act.belief.name), _MENTAL_ACT.search(act.span.text)
        if written is None or self.has_does_atoms:
            reason = "the property uses Does" if self.has_does_atoms else None
            return Write(name, str(act), act.span, reason_not_removable=reason)
        span = act.span.source.span(
            act.span.start + written.start(), act.span.start + written.end()
        )
        return Write(name, str(act), act.span, edits=(Edit(span, f"-^[{self._unused_word}]"),))

    def _stub(self, plan: Plan) -> Edit:
        """Return the edit that replaces a plan by a stub, a plan that never starts because nothing
        adds the belief in its trigger. The stub keeps the original text as a comment."""
        entry = self._entry(plan)
        source, start = entry.span.source, entry.span.start
        last = entry.steps[-1].span.end if entry.steps else entry.span.end
        rest = _REST_OF_STEP.match(source.text, last)
        whole = source.span(start, rest.end() if rest else last)
        sentence = f"{self._unused_word} {plan.number}"
        comment = re.sub(r"(?m)^", "// ", whole.text)
        return Edit(whole, f"If ^[{sentence}] while true then -^[{sentence}]. {comment}")

    def _entry(self, plan: Plan) -> PlanEntry:
        return next(each for each in self.project.reasoning.plans if each.number == plan.number)

    @property
    def _unused_word(self) -> str:
        """Word with which no belief of the agent begins. It is the first word of the beliefs that
        slicing adds, so that they differ from all others."""
        used = {name.partition("_")[0] for name in self.agent.beliefs}
        return next(
            word for word in ("Skip", "Skipped", "Nothing", "Never") if name_of(word) not in used
        )

    # --- text of percepts, messages and initial actions -------------------------------------------

    def _line_of(self, percept: Percept | MessagePercept) -> Span:
        return next(
            each.span
            for each in self.project.reasoning.percepts
            if each.sentence.name == percept.name
        )

    def _initial_calls(self, action: str) -> Iterator[Edit]:
        """Yield edits of the program text that delete every initial call of an action. Initial
        calls are executed before the first reasoning cycle."""
        found = next(each for each in self.agent.actions if each.name == action)
        if not found.called_initially:
            return
        file = next(each for each in self.project.actions if each.sentences[0].name == action)
        names = {each.name for each in file.sentences}
        for step in self.project.reasoning.initial_actions:
            if isinstance(step, ActionCall) and step.sentence.name in names:
                line = re.compile(r"[^\n]*").match(step.span.source.text, step.span.end)
                yield Edit(
                    step.span.source.span(step.span.start, line.end() if line else step.span.end)
                )
