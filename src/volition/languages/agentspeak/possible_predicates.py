"""Predicates that an agent's beliefs and events can have, as far as the programs determine them.
The checks warn about code that refers to any other predicate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from volition.languages.agentspeak.syntax import (
    Achieve,
    Act,
    AddBelief,
    AgentProgram,
    BeliefCondition,
    Broadcast,
    Compare,
    Compute,
    Condition,
    Force,
    Formula,
    NegatedBeliefCondition,
    Print,
    RandomItem,
    RandomNumber,
    RemoveBelief,
    Send,
    Sign,
    Test,
    TriggerKind,
    Unify,
)
from volition.languages.world.interface import World
from volition.languages.world.terms import Structure, constant, is_ground, predicate

__all__ = ["PossiblePredicates"]


@dataclass(frozen=True, eq=False)
class PossiblePredicates:
    """Possible predicates of the beliefs, events and actions in a system, as texts ``name/arity``.
    A method returns None if any predicate is possible, because the world does not declare its
    percepts."""

    agents: Mapping[str, AgentProgram]
    world: World
    _posted: dict[tuple[str, Sign, TriggerKind], set[str] | None] = field(default_factory=dict)

    def believed(self, agent: str) -> set[str] | None:
        """Return the predicates of the beliefs that an agent may have."""
        added = self.posted(agent, "+", "belief")
        return (
            None
            if added is None
            else added | {predicate(atom) for atom, _ in self.agents[agent].beliefs}
        )

    def posted(self, agent: str, sign: Sign, kind: TriggerKind) -> set[str] | None:
        """Return the predicates that an agent's events with the given sign and kind may have."""
        key = agent, sign, kind
        if key not in self._posted:
            self._posted[key] = self._events(agent, sign, kind)
        return self._posted[key]

    def _events(self, agent: str, sign: Sign, kind: TriggerKind) -> set[str] | None:
        if kind == "achieve":
            goals = {
                predicate(each.atom) for each in self._formulas(agent) if isinstance(each, Achieve)
            }
            return (
                goals
                | {predicate(goal) for goal, _ in self.agents[agent].goals}
                | self._sent(agent, "achieve")
            )
        if self.world.predicates is None:
            return None
        update = AddBelief if sign == "+" else RemoveBelief
        own = {predicate(each.atom) for each in self._formulas(agent) if isinstance(each, update)}
        return (
            own
            | {predicate(each) for each in self.world.predicates}
            | self._sent(agent, "tell" if sign == "+" else "untell")
        )

    def queryable(self) -> set[str] | None:
        """Return the predicates that a formula about beliefs or goals may use: those that some
        agent may believe or adopt, and those that plans test."""
        if self.world.predicates is None:
            return None
        named = {predicate(each) for each in self.world.predicates}
        for program in self.agents.values():
            named |= {predicate(atom) for atom, _ in (*program.beliefs, *program.goals)}
            named |= {predicate(plan.trigger.atom) for plan in program.plans}
        for part in self._parts():
            match part:
                case (
                    BeliefCondition(atom)
                    | NegatedBeliefCondition(atom)
                    | Achieve(atom)
                    | Test(atom)
                    | AddBelief(atom)
                    | RemoveBelief(atom)
                ):
                    named.add(predicate(atom))
                case Send(_, _, content) | Broadcast(_, content):
                    named.add(predicate(content))
                case (
                    Compare()
                    | Unify()
                    | Compute()
                    | Act()
                    | Print()
                    | RandomItem()
                    | RandomNumber()
                ):
                    pass
                case _:
                    assert_never(part)
        return named

    def beliefs_used(self, agent: str) -> set[str]:
        """Return the predicates of the beliefs that the plans of an agent read or react to."""
        program = self.agents[agent]
        queried = {
            predicate(plan.trigger.atom) for plan in program.plans if plan.trigger.kind == "belief"
        }
        for plan in program.plans:
            for part in (*plan.context, *plan.body):
                if isinstance(part, BeliefCondition | NegatedBeliefCondition | Test | RemoveBelief):
                    queried.add(predicate(part.atom))
        return queried

    def actions(self) -> set[str]:
        """Return the predicates of the actions that some agent may execute or that the world
        declares."""
        done = {predicate(each.atom) for each in self._parts() if isinstance(each, Act)}
        return done | {predicate(each) for each in self.world.actions or ()}

    def _parts(self) -> Iterator[Condition | Formula]:
        for program in self.agents.values():
            for plan in program.plans:
                yield from (*plan.context, *plan.body)

    def _sent(self, receiver: str, force: Force) -> set[str]:
        return {
            predicate(content)
            for sender in self.agents
            for content in self._messages(sender, receiver, force)
        }

    def _messages(self, sender: str, receiver: str, force: Force) -> Iterator[Structure]:
        for each in self._formulas(sender):
            match each:
                case Broadcast(said, content) if said == force and sender != receiver:
                    yield content
                case Send(to, said, content) if said == force and (
                    not is_ground(to) or to == constant(receiver)
                ):
                    yield content
                case _:
                    pass

    def _formulas(self, agent: str) -> Iterator[Formula]:
        return (formula for plan in self.agents[agent].plans for formula in plan.body)
