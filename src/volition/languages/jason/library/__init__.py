"""The internal actions and functions of Jason's standard library that only compute, by their names.

An action gets its arguments as written, the bindings, and the agent's knowledge, and gives its solutions; none is failure.
Actions that change or read intentions, events and messages are no part of this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from volition.languages.jason.queries import Knowledge
from volition.languages.jason.terms import Bindings, Term

__all__ = ["CHOICES", "PURE", "Action"]

Action = Callable[[tuple[Term, ...], Bindings, Knowledge], Iterator[Bindings]]

PURE: Mapping[str, Action] = {}
"""Name with its dot ▶ what it computes; several solutions are backtracked over in queries, the first is taken in a body."""

CHOICES: Mapping[str, Action] = {}
"""Internal actions among whose solutions nobody decides (``.random(List,X)``): each is a choice of the step."""
