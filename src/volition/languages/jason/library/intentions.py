"""Internal actions about the agent's own mind: desires, intentions, events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from volition.languages.jason.state import Mind
from volition.languages.jason.terms import Bindings, Term

__all__ = ["QUERIES"]

QUERIES: Mapping[str, Callable[[tuple[Term, ...], Bindings, Mind], Iterator[Bindings]]] = {}
