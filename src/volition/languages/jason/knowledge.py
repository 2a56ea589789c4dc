"""What queries of an agent may ask: its beliefs and rules, the standard library, its own mind, and what the project declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from volition.languages.jason.attitudes import QUERIES
from volition.languages.jason.beliefs import believed
from volition.languages.jason.library import CHOICES, PURE
from volition.languages.jason.library.sources import SOURCES
from volition.languages.jason.mind import Mind
from volition.languages.jason.queries import Knowledge, by_rules
from volition.languages.jason.syntax import Rule
from volition.languages.jason.terms import Bindings, Literal, Variable

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
        if is_choice(self._mind, action):
            several = list(self._solutions(action, bindings))
            first = self._mind.draw(len(several))
            declared = self._mind.agent.settings.internal.get(action.functor)
            again = several[:first] + several[first + 1 :] if declared is not None and declared.is_repeated else []
            return iter((*several[first : first + 1], *again))
        return self._solutions(action, bindings)

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


def is_choice(mind: Mind, action: Literal) -> bool:
    """Whether any solution of an internal action may come, and nobody knows which."""
    declared = mind.agent.settings.internal.get(action.functor)
    return action.functor in CHOICES or (declared is not None and declared.is_choice)
