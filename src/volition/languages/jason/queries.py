"""Logical consequence: the solutions of a formula over beliefs and rules, left to right, depth first, lazily."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from volition.languages.jason.syntax import Rule
from volition.languages.jason.terms import Bindings, Literal, Term

__all__ = ["Knowledge", "first_solution", "solutions"]


class Knowledge(Protocol):
    """What a query may ask: beliefs with rules, and the agent's mind."""

    @property
    def agent(self) -> str:
        """The agent's name."""

    @property
    def agents(self) -> tuple[str, ...]:
        """All names, in the order of their declaration."""

    def candidates(self, literal: Literal) -> Iterable[Literal | Rule]:
        """Beliefs and rules of the predicate, newest first."""

    def call(self, action: Literal, bindings: Bindings) -> Iterator[Bindings]:
        """The solutions of an internal action; its arguments are as written, with values in the bindings."""

    def function(self, name: str, arity: int) -> str | None:
        """The predicate that is registered as a function of this name (``register_function``)."""


def solutions(formula: Term, bindings: Bindings, knowledge: Knowledge) -> Iterator[Bindings]:
    """The bindings under which a formula follows, in Jason's order."""
    raise NotImplementedError


def first_solution(formula: Term, bindings: Bindings, knowledge: Knowledge) -> Bindings | None:
    """What contexts, ``?q``, constraints and ``if`` take."""
    return next(solutions(formula, bindings, knowledge), None)
