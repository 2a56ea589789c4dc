"""Semantics of the atoms ``Bel``, ``Des``, ``Int``, ``ItD`` and ``Percept`` in formulas (points 6
to 8 of ``docs/reference/gwendolen.md``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from volition.kernel.system import SlotView
from volition.languages.gwendolen.agent_state import AgentState
from volition.languages.gwendolen.environment import AgentEnvironment
from volition.languages.gwendolen.inference import RuleBase, solutions
from volition.languages.gwendolen.observation import action_aliases
from volition.languages.gwendolen.state import NO_PLAN_YET, AgentSlots, Intention, PseudoDeed
from volition.languages.gwendolen.syntax import (
    PERFORMATIVE_NUMBERS,
    Act,
    AddBelief,
    AddGoal,
    DropGoal,
    Lock,
    RemoveBelief,
    Send,
    Unlock,
    WaitFor,
)
from volition.languages.world.terms import Structure, Term, rename, unify

__all__ = ["ATOMS"]

Predicate = Callable[[SlotView], bool]


def believes(environment: AgentEnvironment, agent: str, atom: Term) -> Predicate:
    """Return the function that evaluates ``Bel(agent, atom)`` in a state: the atom follows from the
    agent's beliefs and reasoning rules. Variables of the atom are existential."""
    rules = RuleBase.of(environment.agents[agent].rules)

    def believed(state: SlotView) -> bool:
        return (
            next(solutions(atom, AgentState(agent, state, environment.predicates, rules), {}), None)
            is not None
        )

    return believed


def desires(environment: AgentEnvironment, agent: str, atom: Term) -> Predicate:
    """Return the function that evaluates ``Des(agent, atom)`` in a state: the atom unifies with an
    achieve or perform goal in the agent's goal base."""
    return lambda state: any(
        _unifies(atom, goal.atom) for goal in AgentSlots(agent, state, environment.predicates).goals
    )


def intends(environment: AgentEnvironment, agent: str, atom: Term) -> Predicate:
    """Return the function that evaluates ``Int(agent, atom)`` in a state: an intention of the agent
    pursues a goal that unifies with the atom, and a plan for this goal has been chosen."""

    def intended(state: SlotView) -> bool:
        rows = [
            row
            for each in _intentions(AgentSlots(agent, state, environment.predicates))
            for row in each.rows
        ]
        return any(
            row.event.is_goal_addition
            and row.deed != NO_PLAN_YET
            and row.event.content is not None
            and _unifies(atom, row.event.content)
            for row in rows
        )

    return intended


def is_intended_action(environment: AgentEnvironment, agent: str, atom: Term) -> Predicate:
    """Return the function that evaluates ``ItD(agent, atom)`` in a state: an intention of the agent
    still has to do an action that unifies with the atom.

    A message counts as an action ``send(recipient, n, content)`` with n = 1 for ``:tell``, 2 for
    ``:perform`` and 3 for ``:achieve``.
    """

    def is_still_to_do(state: SlotView) -> bool:
        return any(
            _unifies(atom, deed)
            for each in _intentions(AgentSlots(agent, state, environment.predicates))
            for deed in _deeds(each)
        )

    return is_still_to_do


def _deeds(intention: Intention) -> Iterator[Term]:
    for row in intention.rows:
        match row.deed:
            case Act(action):
                yield from action_aliases(action)
            case Send(recipient, performative, content):
                yield Structure("send", (recipient, PERFORMATIVE_NUMBERS[performative], content))
            case (
                AddBelief()
                | RemoveBelief()
                | AddGoal()
                | DropGoal()
                | Lock()
                | Unlock()
                | WaitFor()
                | PseudoDeed()
            ):
                pass
            case _:
                assert_never(row.deed)


def is_unread_percept(environment: AgentEnvironment, _: str, atom: Term) -> Predicate:
    """Return the function that evaluates ``Percept(atom)`` in a state: at least one agent can
    perceive the atom and has not read its current percepts yet."""

    def is_unread(state: SlotView) -> bool:
        return any(
            not AgentSlots(agent, state, environment.predicates).informed
            and any(_unifies(atom, each) for each in environment.percepts(state, agent))
            for agent in environment.agents
        )

    return is_unread


def _intentions(mind: AgentSlots) -> list[Intention]:
    return [*(() if mind.current is None else (mind.current,)), *mind.others]


def _unifies(pattern: Term, term: Term) -> bool:
    return unify(pattern, rename(term, {}, "?t."), {}) is not None


ATOMS: Mapping[str, Callable[[AgentEnvironment, str, Term], Predicate]] = {
    "Bel": believes,
    "Des": desires,
    "Int": intends,
    "ItD": is_intended_action,
    "Percept": is_unread_percept,
}
