"""What queries of an agent may ask: its beliefs and rules, the standard library, its own mind, and what the project declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from volition.languages.jason.attitudes import QUERIES
from volition.languages.jason.beliefs import believed
from volition.languages.jason.library import CHOICES, PURE
from volition.languages.jason.library.sources import SOURCES
from volition.languages.jason.mind import Mind
from volition.languages.jason.queries import Knowledge, by_rules
from volition.languages.jason.settings import InternalAction
from volition.languages.jason.syntax import Rule
from volition.languages.jason.terms import Bindings, Literal, Variable
from volition.languages.jason.unification import apply, unify

__all__ = ["MindKnowledge", "is_choice"]


class MindKnowledge(Knowledge):
    """Implements :class:`volition.languages.jason.queries.Knowledge` for an agent in the middle of a step.

    Internal actions that choose have the one solution that the agent draws: see :mod:`volition.languages.jason.chances`.  Where a project
    says that it is a repeated choice, the others follow.
    """

    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    @property
    def agent(self) -> str:
        return self._mind.agent.name

    @property
    def agents(self) -> tuple[str, ...]:
        return self._mind.agent.agents

    def candidates(self, query: Literal | Variable) -> Iterable[Literal | Rule]:
        return believed(self._mind.beliefs, query)

    def function(self, name: str, arity: int) -> str | None:
        return self._mind.agent.functions.get((name, arity))

    def call(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """The solutions of an internal action that only asks; one that nobody knows has none."""
        if not is_choice(self._mind, action):
            return self._solutions(action, bindings)
        declared = self._mind.agent.settings.internal.get(action.functor)
        if declared is None or not declared.is_repeated:
            return self._drawn(action, _drawn_place(action, declared), bindings)
        several = list(self._solutions(action, bindings))
        first = self._mind.draw(len(several))
        return iter((*several[first : first + 1], *several[:first], *several[first + 1 :]))

    def _drawn(self, action: Literal, place: int | None, bindings: Bindings) -> Iterator[Bindings]:
        """One of the solutions; where the argument at a place is known, none if another value is drawn for it."""
        if place is None or isinstance(known := apply(action.arguments[place], bindings), Variable):
            several = list(self._solutions(action, bindings))
            return iter(several[self._mind.draw(len(several)) :][:1])
        unknown = (*action.arguments[:place], Variable(_VALUE), *action.arguments[place + 1 :])
        values = [apply(Variable(_VALUE), each) for each in self._solutions(replace(action, arguments=unknown), bindings)]
        drawn = values[self._mind.draw(len(values)) :][:1]
        return (found for value in drawn if (found := unify(known, value, bindings)) is not None)

    def _solutions(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        name = action.functor
        if name in PURE:
            return PURE[name](action.arguments, bindings, self)
        if name in SOURCES:
            return SOURCES[name](action.arguments, bindings, self)
        if name in CHOICES:
            return CHOICES[name](action.arguments, bindings, self)
        if name in QUERIES:
            return QUERIES[name](action.arguments, bindings, self._mind)
        declared = self._mind.agent.settings.internal.get(name)
        if declared is None:
            return iter(())
        return by_rules(action, declared.rules, bindings, self) if declared.rules else iter((bindings,))


_VALUE = "?value"


def _drawn_place(action: Literal, declared: InternalAction | None) -> int | None:
    """Which argument is what is drawn: that of ``choice X in ..``, and the second one of ``.random`` and ``.shuffle``."""
    if declared is None:
        return 1
    match declared.rules[0]:
        case Rule(Literal(_, arguments), Literal(".member" | ".range", (Variable() as drawn, *_))) if len(arguments) == len(
            action.arguments
        ):
            return next((place for place, each in enumerate(arguments) if each == drawn), None)
    return None


def is_choice(mind: Mind, action: Literal) -> bool:
    """Whether any solution of an internal action may come, and nobody knows which."""
    declared = mind.agent.settings.internal.get(action.functor)
    return action.functor in CHOICES or (declared is not None and declared.is_choice)
