"""What depends on what in a Jason system, as :mod:`volition.languages.common.dependencies` has it.

A plan goes that no event can be for: events are told apart by their operator, kind, name and arity,
and whatever is the value of a variable may be any.  Nobody can tell that such a plan was there, but
for where ``cycle = exact`` cuts the cycle: there a formula that counts steps keeps all plans.
Changes of facts of the world that nobody perceives become nothing, as in every language with a
world. All changes of beliefs are told here, by their patterns: where nothing that is asked can
change, all plans go.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from volition.diagnostics import Source, Span
from volition.languages.common import dependencies as kit
from volition.languages.common.dependencies import (
    Dependencies,
    DerivationRule,
    Edit,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    Write,
    including_full_stop,
)
from volition.languages.jason.atom_parsing import agent_and_query
from volition.languages.jason.base_model import JasonModelBase
from volition.languages.jason.dependency_patterns import AgentNames
from volition.languages.jason.environment import from_world
from volition.languages.jason.events import trigger_of
from volition.languages.jason.messages import default_plans
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefRule,
    Constraint,
    For,
    If,
    InitialBelief,
    InternalAction,
    Plan,
    RemoveBelief,
    ReplaceBelief,
    Step,
    Test,
    TriggerKind,
    VariableStep,
    While,
)
from volition.languages.jason.terms import Literal, Term, Text, Variable, indicator
from volition.languages.jason.traversal import all_steps
from volition.languages.world import terms as worldly
from volition.languages.world.dependencies import asked_of_world, world_dependencies
from volition.languages.world.interface import World
from volition.languages.world.terms import constant
from volition.logic.syntax import Atom, Formula
from volition.logic.traversal import atomic_formulas, counts_steps

__all__ = ["MultiAgentSystem", "dependencies_of"]

_EVENT = "every change of a belief may be an event, which takes a turn"
_INCLUDE = re.compile(r"\{\s*include\b")


@dataclass(frozen=True)
class MultiAgentSystem:
    """Agents, how they are run, their world, and the file that states properties, if there is
    one."""

    agents: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    beside: Source | None


def dependencies_of(
    system: MultiAgentSystem,
    model: JasonModelBase,
    formulas: Sequence[Formula],
    properties: Sequence[Span],
) -> Dependencies:
    """The system for the sake of some formulas."""
    counts = any(counts_steps(each) for each in formulas) and any(
        each.cycle == "exact" for each in system.settings.values()
    )
    agents = [_AgentDependencies(system, name, may_go=not counts) for name in system.agents]
    world = world_dependencies(system.world)
    remark = (
        "no plan was left out: where a cycle is cut depends on them, and the property counts "
        "steps (see cycle = parts)"
    )
    return Dependencies(
        parts=(*(part for each in agents for part in each.parts()), *world.parts),
        roots=(
            *(EntryPoint(f"agent {each.name}", _being(each.name)) for each in agents),
            *world.roots,
        ),
        queried=tuple(dict.fromkeys(_asked(system, model, formulas))),
        derived=(*(rule for each in agents for rule in each.rules()), *_perceived(system)),
        writes_are_complete=True,
        properties=tuple(properties),
        heading=None if system.beside is None else (system.beside, "properties"),
        limitations=(remark,) if counts else (),
    )


# --- names ----------------------------------------------------------------------------------------


def _being(agent: str) -> SymbolPattern:
    """That there is the agent."""
    return SymbolPattern("event", constant("starts"), agent)


def _asked(
    system: MultiAgentSystem, model: JasonModelBase, formulas: Sequence[Formula]
) -> Iterator[QueriedSymbol]:
    for atom in (atomic for formula in formulas for atomic in atomic_formulas(formula)):
        model.resolve(atom)  # says what is wrong with it
        if not isinstance(atom, Atom) or atom.modality == "Percept":
            yield from asked_of_world(system.world, atom)
            continue
        agent, query = agent_and_query(atom, model.agents)
        text = atom.span.text if atom.span else f"{atom.modality}({agent}, {query})"
        names = AgentNames(agent)
        match atom.modality:
            case "Bel":
                yield from (QueriedSymbol(each, text) for each in names.asked_by(query))
            case "Does":
                action = (
                    constant(indicator(query))
                    if isinstance(query, Literal)
                    else worldly.Variable("_")
                )
                yield QueriedSymbol(SymbolPattern("action", action, agent), text)
            case _:
                yield from (
                    QueriedSymbol(each, text) for each in names.events("+", "achieve", query)
                )


def _perceived(system: MultiAgentSystem) -> Iterator[DerivationRule]:
    """Percepts become beliefs; where a world does not say which there are, any."""
    known = system.world.predicates
    for percept in [worldly.Variable("_")] if known is None else known:
        yield from (
            DerivationRule(
                SymbolPattern("belief", percept, agent), (SymbolPattern("fact", percept),)
            )
            for agent in system.agents
        )


_BY_DEFAULT = {
    plan.trigger.literal: None for plan in default_plans() if plan.trigger.operator == "+"
}
"""What the plans for messages want, which others may be for as well."""


# --- agents ---------------------------------------------------------------------------------------


class _AgentDependencies:
    """One agent: what it begins with, its rules, and its plans."""

    def __init__(self, system: MultiAgentSystem, name: str, *, may_go: bool) -> None:
        self.name = name
        self._system = system
        self._program = system.agents[name]
        self._names = AgentNames(name)
        source = self._program.source
        is_shared = sum(other.source is source for other in system.agents.values()) > 1
        self._may_go = may_go and not is_shared and _INCLUDE.search(source.text) is None

    @property
    def _statements(self) -> tuple[InitialBelief | BeliefRule, ...]:
        return (*self._program.beliefs, *self._program.project_beliefs)

    def rules(self) -> Iterator[DerivationRule]:
        for rule in self._statements:
            if isinstance(rule, BeliefRule):
                (head,) = self._names.beliefs(rule.head)
                yield DerivationRule(
                    head, tuple(dict.fromkeys(self._names.asked_by(rule.body))), str(rule)
                )

    # --- what it begins with ----------------------------------------------------------------------

    def parts(self) -> Iterator[ProgramUnit]:
        begins = kit.UnitStep(
            "initial beliefs and goals, and percepts",
            None,
            updates=tuple(self._sees()),
            posts=tuple(self._begins()),
        )
        yield ProgramUnit(
            f"agent {self.name}",
            None,
            _being(self.name),
            (),
            (begins,),
            self.name,
            is_plan=False,
            extra_symbols=tuple(self._written()),
        )
        for plan in self._program.plans:
            yield self._plan(plan)

    def _sees(self) -> Iterator[Write]:
        """What is perceived at first; and beliefs said to come from elsewhere, which may not be
        perceived."""
        world = self._system.world
        for percept in world.percepts(world.slots, self.name):
            yield Write(
                SymbolPattern("belief", percept, self.name),
                f"perceives {percept}",
                None,
                reason_not_removable=_EVENT,
            )
        for each in self._statements:
            if not isinstance(each, BeliefRule) and each.literal.annotations:
                (name,) = self._names.beliefs(each.literal)
                yield Write(name, str(each.literal), each.span, reason_not_removable=_EVENT)

    def _written(self) -> Iterator[SymbolPattern]:
        """The events of what the program itself says that it believes and wants at first."""
        for belief in self._statements:
            if not isinstance(belief, BeliefRule):
                yield from self._names.events("+", "belief", belief.literal)
        for goal in (*self._program.goals, *self._program.project_goals):
            yield from self._names.events("+-", "achieve", goal.literal)

    def _begins(self) -> Iterator[SymbolPattern]:
        program, world, names = self._program, self._system.world, self._names
        yield from self._written()
        for goal in _BY_DEFAULT:
            yield from names.events("+-", "achieve", goal)
        for percept in world.predicates or ():
            yield from names.events("+-", "belief", from_world(percept))
        if world.predicates is None:
            yield names.any_event
        for plan in program.plans:  # what becomes of a goal is an event if there is a plan for it
            if plan.trigger.operator == "^":
                yield names.trigger("^", plan.trigger.kind, plan.trigger.literal)

    # --- plans ------------------------------------------------------------------------------------

    def _plan(self, plan: Plan) -> ProgramUnit:
        label = f"plan {plan.label}" + (f" of {self.name}" if len(self._system.agents) > 1 else "")
        trigger = self._names.trigger(
            plan.trigger.operator, plan.trigger.kind, plan.trigger.literal
        )
        reads = tuple(dict.fromkeys(self._names.asked_by(plan.context)))
        steps = tuple(self._step(each) for each in all_steps(plan))
        whole = (
            including_full_stop(plan.span)
            if self._may_go and plan.span.source is self._program.source
            else None
        )
        return ProgramUnit(
            label,
            plan.span,
            trigger,
            reads,
            steps,
            self.name,
            None if whole is None else (Edit(whole),),
        )

    def _step(self, step: Step) -> kit.UnitStep:
        reads: tuple[SymbolPattern, ...] = ()
        match step:
            case Test(query) | Constraint(query) | If(query) | For(query) | While(query):
                reads = tuple(dict.fromkeys(self._names.asked_by(query)))
        updates = tuple(
            Write(name, str(step), step.span, reason_not_removable=_EVENT)
            for name in dict.fromkeys(self._changes(step))
        )
        return kit.UnitStep(
            str(step), step.span, reads, updates, tuple(dict.fromkeys(self._posts(step)))
        )

    def _changes(self, step: Step) -> Iterator[SymbolPattern]:
        """The beliefs that a step may change, its own agent's and others'."""
        match step:
            case AddBelief(belief) | RemoveBelief(belief):
                yield from self._names.beliefs(belief)
            case ReplaceBelief(belief):  # whatever is believed with the same name and arity
                yield from self._names.of_one_predicate(belief)
            case InternalAction(Literal(".abolish", (belief,))):
                yield from self._names.beliefs(belief)
            case InternalAction(Literal(".df_subscribe")):
                yield from self._names.beliefs(_PROVIDER)
            case InternalAction(Literal(".send" | ".broadcast") as action):
                message = self._message(action)
                if message.may_be("tell", "untell"):
                    yield from (
                        name for each in message.receivers for name in each.beliefs(message.content)
                    )
                if message.may_be(*_ASKS):  # the answer is told
                    yield from self._names.beliefs(message.content)
            case VariableStep():
                yield from (each.any_belief for each in self._everybody())

    def _posts(self, step: Step) -> Iterator[SymbolPattern]:
        match step:
            case Act(action):
                yield SymbolPattern("action", constant(indicator(action)), self.name)
                yield SymbolPattern("action", constant(action.functor))
            case VariableStep():
                yield from (each.any_event for each in self._everybody())
                yield from (
                    SymbolPattern("action", worldly.Variable("_"), self.name),
                    SymbolPattern("action", worldly.Variable("_")),
                )
            case Achieve(goal):
                yield from self._names.events("+-", "achieve", goal)
            case Test(Literal() | Variable() as query):
                yield from self._names.events("+-", "test", query)
            case AddBelief(belief):
                yield from self._names.events("+", "belief", belief)
            case RemoveBelief(belief):
                yield from self._names.events("-", "belief", belief)
            case ReplaceBelief(belief):
                yield from self._names.events("+-", "belief", belief)
            case InternalAction(action):
                yield from self._called(action)

    def _called(self, action: Literal) -> Iterator[SymbolPattern]:
        match action:
            case Literal(".abolish", (belief,)):
                yield from self._names.events("-", "belief", belief)
            case Literal(".signal", (content, *_)):
                yield from self._names.events("+", "belief", content)
            case Literal(".at", (_, later)) if (trigger := trigger_of(later)) is not None:
                yield from self._names.events(f"{trigger.operator}-", trigger.kind, trigger.literal)
            case Literal(".at"):
                yield self._names.any_event
            case Literal(".df_subscribe"):
                yield from self._names.events("+-", "belief", _PROVIDER)
            case Literal(".send" | ".broadcast"):
                message = self._message(action)
                for force, (operators, kind) in _POSTED.items():
                    if message.may_be(force):
                        yield from (
                            name
                            for each in message.receivers
                            for name in each.events(operators, kind, message.content)
                        )
                if message.may_be(*_ASKS):
                    yield from self._names.events("+-", "belief", message.content)

    def _message(self, action: Literal) -> _Message:
        if action.functor == ".broadcast":
            force, content = action.arguments[:2]
            return _Message(self._everybody(), force, content)
        receiver, force, content = action.arguments[:3]
        match receiver:
            case Literal(name) | Text(name):
                names: Collection[str] = {name}
            case _:
                names = self._system.agents
        return _Message([each for each in self._everybody() if each.agent in names], force, content)

    def _everybody(self) -> list[AgentNames]:
        return [AgentNames(each) for each in self._system.agents]


class _Message(NamedTuple):
    receivers: Sequence[AgentNames]
    force: Term
    content: Term

    def may_be(self, *forces: str) -> bool:
        """Whether it may have one of these performatives; one that is not written there may be
        any."""
        return not isinstance(self.force, Literal) or self.force.functor in forces


_ASKS = ("askOne", "askAll")
_POSTED: Mapping[str, tuple[str, TriggerKind]] = {
    "tell": ("+", "belief"),
    "signal": ("+", "belief"),
    "untell": ("-", "belief"),
    "achieve": ("+-", "achieve"),
    "askOne": ("+-", "test"),
    "askAll": ("+-", "test"),
}
"""What a message is for those who get it, by its performative."""
_PROVIDER = Literal("provider", (Variable("_"), Variable("_")))
