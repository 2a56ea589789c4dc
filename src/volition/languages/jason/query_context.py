"""Data that the queries of an agent can access: its beliefs and rules, the standard library, its
own intentions, and the internal actions that the project declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from volition.languages.jason.agent_state import AgentState
from volition.languages.jason.beliefs import entries_for
from volition.languages.jason.goal_queries import GOAL_QUERIES
from volition.languages.jason.library import NONDETERMINISTIC_ACTIONS, PURE_ACTIONS
from volition.languages.jason.library.annotations import SOURCES
from volition.languages.jason.queries import QueryContext, solve_by_rules
from volition.languages.jason.settings import InternalActionModel
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import Bindings, Literal, Variable
from volition.languages.jason.unification import apply, unify

__all__ = ["AgentQueryContext", "is_nondeterministic"]


class AgentQueryContext(QueryContext):
    """Query context of an agent while one of its transitions is computed.

    A nondeterministic internal action has one solution, chosen by :meth:`AgentState.choose`: see
    :mod:`volition.languages.jason.outcomes`. If the action is declared as a repeated choice, its
    other solutions follow on backtracking.
    """

    def __init__(self, mind: AgentState) -> None:
        self._mind = mind

    @property
    def agent(self) -> str:
        return self._mind.agent.name

    @property
    def agents(self) -> tuple[str, ...]:
        return self._mind.agent.agents

    def candidates(self, query: Literal | Variable) -> Iterable[Literal | BeliefRule]:
        return entries_for(self._mind.beliefs, query)

    def function(self, name: str, arity: int) -> str | None:
        return self._mind.agent.functions.get((name, arity))

    def call(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """Return the solutions of an internal action without side effects. An unknown action has
        none."""
        if not is_nondeterministic(self._mind, action):
            return self._solutions(action, bindings)
        declared = self._mind.agent.settings.internal.get(action.functor)
        if declared is None or not declared.is_repeated:
            return self._chosen_solution(action, _chosen_index(action, declared), bindings)
        several = list(self._solutions(action, bindings))
        first = self._mind.choose(len(several))
        return iter((*several[first : first + 1], *several[:first], *several[first + 1 :]))

    def _chosen_solution(
        self, action: Literal, index: int | None, bindings: Bindings
    ) -> Iterator[Bindings]:
        """Return one solution of a nondeterministic internal action. If the argument at ``index``,
        which receives the chosen value, is already bound to a different value, there is no
        solution."""
        if index is None or isinstance(known := apply(action.arguments[index], bindings), Variable):
            several = list(self._solutions(action, bindings))
            return iter(several[self._mind.choose(len(several)) :][:1])
        unknown = (*action.arguments[:index], Variable(_VALUE), *action.arguments[index + 1 :])
        values = [
            apply(Variable(_VALUE), each)
            for each in self._solutions(replace(action, arguments=unknown), bindings)
        ]
        drawn = values[self._mind.choose(len(values)) :][:1]
        return (found for value in drawn if (found := unify(known, value, bindings)) is not None)

    def _solutions(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        name = action.functor
        if name in PURE_ACTIONS:
            return PURE_ACTIONS[name](action.arguments, bindings, self)
        if name in SOURCES:
            return SOURCES[name](action.arguments, bindings, self)
        if name in NONDETERMINISTIC_ACTIONS:
            return NONDETERMINISTIC_ACTIONS[name](action.arguments, bindings, self)
        if name in GOAL_QUERIES:
            return GOAL_QUERIES[name](action.arguments, bindings, self._mind)
        declared = self._mind.agent.settings.internal.get(name)
        if declared is None:
            return iter(())
        return (
            solve_by_rules(action, declared.rules, bindings, self)
            if declared.rules
            else iter((bindings,))
        )


_VALUE = "?value"


def _chosen_index(action: Literal, declared: InternalActionModel | None) -> int | None:
    """Return the index of the argument of a nondeterministic internal action that receives the
    chosen value: X of ``choice X in ..``, or the second of ``.random`` and ``.shuffle``. Return
    None if there is no such argument."""
    if declared is None:
        return 1
    match declared.rules[0]:
        case BeliefRule(
            Literal(_, arguments), Literal(".member" | ".range", (Variable() as drawn, *_))
        ) if len(arguments) == len(action.arguments):
            return next((index for index, each in enumerate(arguments) if each == drawn), None)
        case _:
            pass
    return None


def is_nondeterministic(mind: AgentState, action: Literal) -> bool:
    """Return whether an internal action chooses nondeterministically which of its solutions comes
    first."""
    declared = mind.agent.settings.internal.get(action.functor)
    return action.functor in NONDETERMINISTIC_ACTIONS or (
        declared is not None and declared.is_choice
    )
