"""Dependencies between the plans, beliefs and events of a Jason system. Slicing uses them to remove
plans that cannot influence the checked formulas. They have the form of
:mod:`volition.languages.common.dependencies`.

A plan is removed if no reachable event can trigger it. Events are distinguished by operator, kind,
name and arity. An event that is the value of a variable may be any event.

Removing such a plan is unobservable, with one exception: it can change where ``cycle = exact``
divides the reasoning cycle into transitions. Therefore all plans are kept if a formula counts
steps.

Changes of world facts that no agent perceives are removed too, as in every language with a world.
Every possible change of a belief is listed as a write. So slicing can detect that no queried atom
ever changes, and then it removes all plans.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, assert_never

from volition.diagnostics import Source, Span
from volition.languages.common.dependencies import (
    Dependencies,
    DerivationRule,
    Edit,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    UnitStep,
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
    Fork,
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

_EVENT = "every belief change may raise an event, which takes a reasoning cycle"
_INCLUDE = re.compile(r"\{\s*include\b")


@dataclass(frozen=True)
class MultiAgentSystem:
    """Agents of a Jason system with their settings and their world. ``beside`` is the options file,
    which may contain properties, or None."""

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
    """Return the dependencies of a Jason system that are relevant to ``formulas``. ``properties``
    are the source positions of the properties that a slice keeps."""
    counts = any(counts_steps(each) for each in formulas) and any(
        each.cycle == "exact" for each in system.settings.values()
    )
    agents = [_AgentDependencies(system, name, is_removable=not counts) for name in system.agents]
    world = world_dependencies(system.world)
    remark = (
        "no plan was removed: plans determine where a cycle is cut, and the property counts "
        "steps (see cycle = parts)"
    )
    return Dependencies(
        parts=(*(part for each in agents for part in each.parts()), *world.parts),
        roots=(
            *(EntryPoint(f"agent {each.name}", _agent_symbol(each.name)) for each in agents),
            *world.roots,
        ),
        queried=tuple(dict.fromkeys(_queried_symbols(system, model, formulas))),
        derived=(*(rule for each in agents for rule in each.rules()), *_percept_rules(system)),
        writes_are_complete=True,
        properties=tuple(properties),
        heading=None if system.beside is None else (system.beside, "properties"),
        limitations=(remark,) if counts else (),
    )


# --- symbols of agents and formulas ---------------------------------------------------------------


def _agent_symbol(agent: str) -> SymbolPattern:
    """Return the pattern of the event that stands for the start of an agent. In the dependency
    analysis, this event triggers the initial beliefs and goals of the agent."""
    return SymbolPattern("event", constant("starts"), agent)


def _queried_symbols(
    system: MultiAgentSystem, model: JasonModelBase, formulas: Sequence[Formula]
) -> Iterator[QueriedSymbol]:
    for atom in (atomic for formula in formulas for atomic in atomic_formulas(formula)):
        model.resolve(atom)  # raises InputError if the atom is invalid
        if not isinstance(atom, Atom) or atom.modality == "Percept":
            yield from asked_of_world(system.world, atom)
            continue
        agent, query = agent_and_query(atom, model.agents)
        text = atom.span.text if atom.span else f"{atom.modality}({agent}, {query})"
        names = AgentNames(agent)
        match atom.modality:
            case "Bel":
                yield from (QueriedSymbol(each, text) for each in names.queried_by(query))
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


def _percept_rules(system: MultiAgentSystem) -> Iterator[DerivationRule]:
    """Yield the derivation rules by which facts of the world become beliefs of agents. If the world
    does not declare its predicates, any fact may become a belief."""
    known = system.world.predicates
    for percept in [worldly.Variable("_")] if known is None else known:
        yield from (
            DerivationRule(
                SymbolPattern("belief", percept, agent), (SymbolPattern("fact", percept),)
            )
            for agent in system.agents
        )


_DEFAULT_GOALS = {
    plan.trigger.literal: None for plan in default_plans() if plan.trigger.operator == "+"
}
"""Goals that the default plans for messages handle. A program may contain plans for these goals
too."""


# --- dependencies of one agent --------------------------------------------------------------------


class _AgentDependencies:
    """Dependencies of one agent, for slicing. A :class:`ProgramUnit` lists what the initial state,
    or one plan, reads, writes and triggers. A :class:`DerivationRule` lists the beliefs from which
    a belief rule derives another belief."""

    def __init__(self, system: MultiAgentSystem, name: str, *, is_removable: bool) -> None:
        self.name = name
        self._system = system
        self._program = system.agents[name]
        self._names = AgentNames(name)
        source = self._program.source
        is_shared = sum(other.source is source for other in system.agents.values()) > 1
        self._is_removable = is_removable and not is_shared and _INCLUDE.search(source.text) is None

    @property
    def _statements(self) -> tuple[InitialBelief | BeliefRule, ...]:
        return (*self._program.beliefs, *self._program.project_beliefs)

    def rules(self) -> Iterator[DerivationRule]:
        for rule in self._statements:
            if isinstance(rule, BeliefRule):
                (head,) = self._names.beliefs(rule.head)
                yield DerivationRule(
                    head, tuple(dict.fromkeys(self._names.queried_by(rule.body))), str(rule)
                )

    # --- initial state ----------------------------------------------------------------------------

    def parts(self) -> Iterator[ProgramUnit]:
        begins = UnitStep(
            "initial beliefs and goals, and percepts",
            None,
            updates=tuple(self._initial_beliefs()),
            posts=tuple(self._initial_posts()),
        )
        yield ProgramUnit(
            f"agent {self.name}",
            None,
            _agent_symbol(self.name),
            (),
            (begins,),
            self.name,
            is_plan=False,
            extra_symbols=tuple(self._initial_events()),
        )
        for plan in self._program.plans:
            yield self._plan(plan)

    def _initial_beliefs(self) -> Iterator[Write]:
        """Yield the changes of beliefs that the agent's first belief update may make. The update
        adds the initial percepts as beliefs. It may remove initial beliefs with the annotation
        ``source(percept)``. As an over-approximation, all initial beliefs with annotations are
        listed as removed."""
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

    def _initial_events(self) -> Iterator[SymbolPattern]:
        """Yield the events of the initial beliefs and goals, from the program and from the project
        file."""
        for belief in self._statements:
            if not isinstance(belief, BeliefRule):
                yield from self._names.events("+", "belief", belief.literal)
        for goal in (*self._program.goals, *self._program.project_goals):
            yield from self._names.events("+-", "achieve", goal.literal)

    def _initial_posts(self) -> Iterator[SymbolPattern]:
        program, world, names = self._program, self._system.world, self._names
        yield from self._initial_events()
        for goal in _DEFAULT_GOALS:
            yield from names.events("+-", "achieve", goal)
        for percept in world.predicates or ():
            yield from names.events("+-", "belief", from_world(percept))
        if world.predicates is None:
            yield names.any_event
        for plan in program.plans:  # a goal state change is an event if a plan exists for it
            if plan.trigger.operator == "^":
                yield names.trigger("^", plan.trigger.kind, plan.trigger.literal)

    # --- plans ------------------------------------------------------------------------------------

    def _plan(self, plan: Plan) -> ProgramUnit:
        label = f"plan {plan.label}" + (f" of {self.name}" if len(self._system.agents) > 1 else "")
        trigger = self._names.trigger(
            plan.trigger.operator, plan.trigger.kind, plan.trigger.literal
        )
        reads = tuple(dict.fromkeys(self._names.queried_by(plan.context)))
        steps = tuple(self._step(each) for each in all_steps(plan))
        whole = (
            including_full_stop(plan.span)
            if self._is_removable and plan.span.source is self._program.source
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

    def _step(self, step: Step) -> UnitStep:
        reads: tuple[SymbolPattern, ...] = ()
        match step:
            case Test(query) | Constraint(query) | If(query) | For(query) | While(query):
                reads = tuple(dict.fromkeys(self._names.queried_by(query)))
            case (
                Act()
                | InternalAction()
                | Achieve()
                | AddBelief()
                | RemoveBelief()
                | ReplaceBelief()
                | Fork()
                | VariableStep()
            ):
                pass
            case _:
                assert_never(step)
        updates = tuple(
            Write(name, str(step), step.span, reason_not_removable=_EVENT)
            for name in dict.fromkeys(self._changes(step))
        )
        return UnitStep(
            str(step), step.span, reads, updates, tuple(dict.fromkeys(self._posts(step)))
        )

    def _changes(self, step: Step) -> Iterator[SymbolPattern]:
        """Yield the beliefs that a step may change: beliefs of its own agent and, by messages, of
        other agents."""
        match step:
            case AddBelief(belief) | RemoveBelief(belief):
                yield from self._names.beliefs(belief)
            case ReplaceBelief(belief):  # any belief with the same name and arity
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
                if message.may_be(*_ASKS):  # the answer arrives as a tell
                    yield from self._names.beliefs(message.content)
            case VariableStep():
                yield from (each.any_belief for each in self._all_agents())
            case (
                Act()
                | InternalAction()
                | Achieve()
                | Test()
                | Constraint()
                | If()
                | For()
                | While()
                | Fork()
            ):
                pass
            case _:
                assert_never(step)

    def _posts(self, step: Step) -> Iterator[SymbolPattern]:
        match step:
            case Act(action):
                yield SymbolPattern("action", constant(indicator(action)), self.name)
                yield SymbolPattern("action", constant(action.functor))
            case VariableStep():
                yield from (each.any_event for each in self._all_agents())
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
                yield from self._posts_of_call(action)
            case Test() | Constraint() | If() | For() | While() | Fork():
                pass
            case _:
                assert_never(step)

    def _posts_of_call(self, action: Literal) -> Iterator[SymbolPattern]:
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
            case Literal():
                pass
            case _:
                assert_never(action)

    def _message(self, action: Literal) -> _Message:
        if action.functor == ".broadcast":
            force, content = action.arguments[:2]
            return _Message(self._all_agents(), force, content)
        receiver, force, content = action.arguments[:3]
        match receiver:
            case Literal(name) | Text(name):
                names: Collection[str] = {name}
            case _:
                names = self._system.agents
        return _Message(
            [each for each in self._all_agents() if each.agent in names], force, content
        )

    def _all_agents(self) -> list[AgentNames]:
        return [AgentNames(each) for each in self._system.agents]


class _Message(NamedTuple):
    receivers: Sequence[AgentNames]
    force: Term
    content: Term

    def may_be(self, *forces: str) -> bool:
        """Return whether the message may have one of the performatives ``forces``. If its
        performative is not a constant, it may have any."""
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
"""Map from a performative to the operators and the kind of the events that a message with this
performative causes at its receivers."""
_PROVIDER = Literal("provider", (Variable("_"), Variable("_")))
