"""The belief base, and which events its changes raise.

A belief base is a plain tuple, sorted by indicator; the beliefs and rules of one indicator stand newest first.  A belief has at least one
``source`` and exists as long as one is left.  Events are returned as the literals they are about, never posted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from volition.languages.jason.syntax import Rule
from volition.languages.jason.terms import Bindings, Literal

__all__ = ["Beliefs", "Removal", "Replacement", "Update", "abolish", "add", "believed", "initial", "remove", "replace", "sources",
           "update", "updates", "with_source"]  # fmt: skip

Beliefs = tuple[Literal | Rule, ...]


class Removal(NamedTuple):
    """``event``: the literal of ``-b``, None if there is no event; ``bindings``: with the values that the first match gave."""

    beliefs: Beliefs
    event: Literal | None
    bindings: Bindings


class Replacement(NamedTuple):
    """``removed``: the literal of the external event ``-b``, ``added``: that of ``+b``; None where there is no event."""

    beliefs: Beliefs
    removed: Literal | None
    added: Literal | None


class Update(NamedTuple):
    """``removed``: literals of ``-b[source(percept)]``, of which only those with a plan become events; ``added``: those of ``+b``; in order."""

    beliefs: Beliefs
    removed: tuple[Literal, ...]
    added: tuple[Literal, ...]


def with_source(literal: Literal, source: Literal) -> Literal:
    """The literal with this source if it names none of its own."""
    raise NotImplementedError


def sources(literal: Literal) -> tuple[Literal, ...]:
    """Its annotations ``source(..)``."""
    raise NotImplementedError


def initial(statements: Sequence[Literal | Rule]) -> Beliefs:
    """The belief base of statements in the order in which they are to stand: no events."""
    raise NotImplementedError


def believed(beliefs: Beliefs, literal: Literal) -> Iterator[Literal | Rule]:
    """Beliefs and rules of a literal's predicate, newest first."""
    raise NotImplementedError


def add(beliefs: Beliefs, literal: Literal, *, last: bool = False) -> tuple[Beliefs, Literal | None]:
    """``+b`` (``last``: ``+>b``), from oneself unless it names a source; the literal of the event ``+b``, None if nothing is new.

    An equal literal that is there gets the annotations in addition, and the event has the new ones only.
    """
    raise NotImplementedError


def remove(beliefs: Beliefs, literal: Literal, bindings: Bindings) -> Removal:
    """``-b``, from oneself unless it names a source."""
    raise NotImplementedError


def replace(beliefs: Beliefs, literal: Literal) -> Replacement:
    """``-+b``: one own belief of the same predicate goes, whatever its arguments, then ``+b``."""
    raise NotImplementedError


def abolish(beliefs: Beliefs, pattern: Literal, bindings: Bindings) -> tuple[Beliefs, tuple[Literal, ...]]:
    """``.abolish(pattern)``: all that match go with all their sources, and one event each, without annotations."""
    raise NotImplementedError


def update(beliefs: Beliefs, percepts: Sequence[Literal]) -> Update:
    """Belief update: what is no longer perceived loses ``source(percept)``, then what is new is added, in the order of the percepts."""
    raise NotImplementedError


def updates(beliefs: Beliefs, percepts: Iterable[Literal]) -> Iterator[Update]:
    """The belief update for each order of percepts that makes a difference (``percept_order = any``)."""
    raise NotImplementedError
