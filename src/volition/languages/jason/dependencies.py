"""What depends on what in a Jason system, as :mod:`volition.languages.kit.dependencies` has it.

A plan goes that no event can be for: events are told apart by their operator, kind, name and arity, and whatever is the value of a
variable may be any.  Nobody can tell that such a plan was there, but for where ``cycle = exact`` cuts the cycle: there a formula that
counts steps keeps all plans.  Changes of facts of the world that nobody perceives become nothing, as in every language with a world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from volition.diagnostics import Source, Span
from volition.languages.jason.asked import agent_and_query
from volition.languages.jason.environment import from_world
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import (
    MARKS,
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    Call,
    Plan,
    RemoveBelief,
    ReplaceBelief,
    Rule,
    Step,
    Test,
    Trigger,
    TriggerKind,
    ValueOf,
)
from volition.languages.jason.telling import TellingModel
from volition.languages.jason.terms import Block, List, Literal, Term, Text, indicator
from volition.languages.jason.walk import all_steps, contexts_in, proved_in
from volition.languages.kit import dependencies as kit
from volition.languages.kit.dependencies import Asked, Dependencies, Derived, Edit, Name, Part, Root, Update, with_stop
from volition.languages.world.dependencies import asked_of_world, fact_name, world_dependencies
from volition.languages.world.interface import World
from volition.languages.world.terms import Variable, constant
from volition.logic.syntax import Atom, Formula
from volition.logic.tree import counts_steps, leaves

__all__ = ["System", "dependencies_of"]

_EVENT = "every change of a belief may be an event, which takes a turn"
_INCLUDE = re.compile(r"\{\s*include\b")


@dataclass(frozen=True)
class System:
    """Agents, how they are run, their world, and the file that states properties, if there is one."""

    agents: Mapping[str, AgentProgram]
    settings: Mapping[str, Settings]
    world: World
    beside: Source | None


def dependencies_of(system: System, model: TellingModel, formulas: Sequence[Formula], properties: Sequence[Span]) -> Dependencies:
    """The system for the sake of some formulas."""
    counts = any(counts_steps(each) for each in formulas) and any(each.cycle == "exact" for each in system.settings.values())
    agents = [_Agent(system, name, may_go=not counts) for name in system.agents]
    world = world_dependencies(system.world)
    remark = "no plan was left out: where a cycle is cut depends on them, and the property counts steps (see cycle = parts)"
    return Dependencies(
        parts=(*(part for each in agents for part in each.parts()), *world.parts),
        roots=(*(Root(f"agent {each.name}", _being(each.name)) for each in agents), *world.roots),
        asked=tuple(dict.fromkeys(_asked(system, model, formulas))),
        derived=(*(rule for each in agents for rule in each.rules()), *_perceived(system)),
        properties=tuple(properties),
        heading=None if system.beside is None else (system.beside, "properties"),
        remarks=(remark,) if counts else (),
    )


# --- names -----------------------------------------------------------------------------------------------------------------


def _being(agent: str) -> Name:
    """That there is the agent."""
    return Name("event", constant("starts"), agent)


def _event(agent: str, operators: str, kind: TriggerKind, term: Term) -> Iterator[Name]:
    """Events about a literal, or each of a list; what is not known yet may be any."""
    match term:
        case Literal():
            for operator in operators:
                yield Name("event", constant(f"{operator}{MARKS[kind]}{indicator(term)}"), agent)
        case List(items, None):
            for each in items:
                yield from _event(agent, operators, kind, each)
        case _:
            yield Name("event", Variable("_"), agent)


def _belief(agent: str, literal: Literal) -> Name:
    return Name("belief", constant(indicator(literal)), agent)


def _asked(system: System, model: TellingModel, formulas: Sequence[Formula]) -> Iterator[Asked]:
    for leaf in (leaf for formula in formulas for leaf in leaves(formula)):
        model.resolve(leaf)  # says what is wrong with it
        if not isinstance(leaf, Atom) or leaf.modality == "Percept":
            yield from asked_of_world(system.world, leaf)
            continue
        agent, query = agent_and_query(leaf, model.agents)
        text = leaf.span.text if leaf.span else f"{leaf.modality}({agent}, {query})"
        match leaf.modality:
            case "Bel":
                yield from (Asked(_belief(agent, each), text) for each in proved_in(query))
            case "Does":
                action = constant(indicator(query)) if isinstance(query, Literal) else Variable("_")
                yield Asked(Name("action", action, agent), text)
            case _:
                yield from (Asked(name, text) for name in _event(agent, "+", "achieve", query))


def _perceived(system: System) -> Iterator[Derived]:
    for percept in system.world.predicates or ():
        literal = from_world(percept)
        if isinstance(literal, Literal):
            yield from (Derived(_belief(agent, literal), (fact_name(percept.functor),)) for agent in system.agents)


# --- agents ----------------------------------------------------------------------------------------------------------------


class _Agent:
    """One agent: what it begins with, its rules, and its plans."""

    def __init__(self, system: System, name: str, *, may_go: bool) -> None:
        self.name = name
        self._system = system
        self._program = system.agents[name]
        source = self._program.source
        is_shared = sum(other.source is source for other in system.agents.values()) > 1
        self._may_go = may_go and not is_shared and _INCLUDE.search(source.text) is None

    def rules(self) -> Iterator[Derived]:
        for rule in (*self._program.beliefs, *self._program.project_beliefs):
            if isinstance(rule, Rule):
                body = tuple(_belief(self.name, each) for each in proved_in(rule.body) if not each.is_internal)
                yield Derived(_belief(self.name, rule.head), body, str(rule))

    def parts(self) -> Iterator[Part]:
        begins = kit.Step("initial beliefs and goals, and percepts", None, posts=tuple(self._begins()))
        yield Part(f"agent {self.name}", None, _being(self.name), (), (begins,), self.name, is_plan=False)
        for plan in self._program.plans:
            yield self._plan(plan)

    def _begins(self) -> Iterator[Name]:
        program, world = self._program, self._system.world
        for belief in (*program.beliefs, *program.project_beliefs):
            if not isinstance(belief, Rule):
                yield from _event(self.name, "+", "belief", belief.literal)
        goals = [each.literal for each in (*program.goals, *program.project_goals)]
        for goal in (*goals, Literal("kqml_received", (0, 0, 0, 0))):
            yield from _event(self.name, "+-", "achieve", goal)
        for percept in world.predicates or ():
            yield from _event(self.name, "+-", "belief", from_world(percept))
        if world.predicates is None:
            yield Name("event", Variable("_"), self.name)
        for plan in program.plans:  # what becomes of a goal is an event if there is a plan for it
            if plan.trigger.operator == "^":
                yield from _event(self.name, "^", plan.trigger.kind, plan.trigger.literal)

    def _plan(self, plan: Plan) -> Part:
        label = f"plan {plan.label}" + (f" of {self.name}" if len(self._system.agents) > 1 else "")
        (trigger,) = _event(self.name, plan.trigger.operator, plan.trigger.kind, plan.trigger.literal)
        context, _ = next(contexts_in(plan))
        reads = tuple(_belief(self.name, each) for each in proved_in(context) if not each.is_internal)
        steps = tuple(self._step(each) for each in all_steps(plan))
        whole = with_stop(plan.span) if self._may_go and plan.span.source is self._program.source else None
        return Part(label, plan.span, trigger, reads, steps, self.name, None if whole is None else (Edit(whole),))

    def _step(self, step: Step) -> kit.Step:
        reads: tuple[Name, ...] = ()
        updates: list[Update] = []
        match step:
            case AddBelief(Literal() as belief) | RemoveBelief(Literal() as belief) | ReplaceBelief(Literal() as belief):
                updates.append(Update(_belief(self.name, belief), str(step), step.span, why_kept=_EVENT))
            case Test(query):
                reads = tuple(_belief(self.name, each) for each in proved_in(query) if not each.is_internal)
        return kit.Step(str(step), step.span, reads, tuple(updates), tuple(self._posts(step)))

    def _posts(self, step: Step) -> Iterator[Name]:
        match step:
            case Act(action):
                yield Name("action", constant(indicator(action)), self.name)
                yield Name("action", constant(action.functor))
            case ValueOf():
                yield from (
                    Name("event", Variable("_"), self.name),
                    Name("action", Variable("_"), self.name),
                    Name("action", Variable("_")),
                )
            case Achieve(goal):
                yield from _event(self.name, "+-", "achieve", goal)
            case Test(query) if isinstance(query, Literal):
                yield from _event(self.name, "+-", "test", query)
            case AddBelief(belief):
                yield from _event(self.name, "+", "belief", belief)
            case RemoveBelief(belief):
                yield from _event(self.name, "-", "belief", belief)
            case ReplaceBelief(belief):
                yield from _event(self.name, "+-", "belief", belief)
            case Call(action):
                yield from self._called(action)

    def _called(self, action: Literal) -> Iterator[Name]:
        match action:
            case Literal(".abolish", (belief,)):
                yield from _event(self.name, "-", "belief", belief)
            case Literal(".at", (_, Block(Trigger(operator, kind, literal)))):
                yield from _event(self.name, f"{operator}-", kind, literal)
            case Literal(".at", (_, _)):
                yield Name("event", Variable("_"), self.name)
            case Literal(".df_subscribe"):
                yield from _event(self.name, "+-", "belief", Literal("provider", (0, 0)))
            case Literal(".send", (receiver, force, content, *_)):
                yield from self._message(self._receivers(receiver), force, content)
            case Literal(".broadcast", (force, content)):
                yield from self._message(self._system.agents, force, content)

    def _receivers(self, receiver: Term) -> Iterable[str]:
        match receiver:
            case Literal(name) | Text(name):
                return [name] if name in self._system.agents else []
        return self._system.agents

    def _message(self, receivers: Iterable[str], force: Term, content: Term) -> Iterator[Name]:
        """What a message may be for those who get it, and its answer for who sends it."""
        said = force.functor if isinstance(force, Literal) else None
        for receiver in receivers:
            if said in ("tell", "signal", None):
                yield from _event(receiver, "+", "belief", content)
            if said in ("untell", None):
                yield from _event(receiver, "-", "belief", content)
            if said in ("achieve", None):
                yield from _event(receiver, "+-", "achieve", content)
            if said in ("askOne", "askAll", None):
                yield from _event(receiver, "+-", "test", content)
        if said in ("askOne", "askAll", None):
            yield from _event(self.name, "+-", "belief", content)
