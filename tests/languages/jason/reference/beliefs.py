"""The belief base: each function changes it as one row of the description says, and gives the
literal of the event, if there is one."""

from __future__ import annotations

from typing import Any

from tests.languages.jason.reference.loops import append, strike
from tests.languages.jason.reference.state import Mind
from tests.languages.jason.reference.terms import (
    Substitution,
    Unspecified,
    annotated,
    applied,
    fresh,
    is_ground,
    items_of,
    sources,
    unified,
    with_annotations,
)
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import Literal, indicator, source

__all__ = ["abolish", "add", "from_self", "pattern", "remove", "remove_percept"]


def from_self(literal: Literal) -> Literal:
    """Where no source is said it is the agent itself."""
    return literal if sources(literal) else annotated(literal, source("self"))


def bare(literal: Literal) -> Literal:
    return with_annotations(literal, ())


def _place(mind: Mind, literal: Literal) -> tuple[list[Any], int | None]:
    entries = mind.BB.setdefault(indicator(literal), [])
    equal = [
        index
        for index, each in enumerate(entries)
        if not isinstance(each, BeliefRule) and bare(each) == bare(literal)
    ]
    return entries, equal[0] if equal else None


def add(mind: Mind, literal: Literal, *, last: bool = False) -> Literal | None:
    """The event says what is new: all annotations, or those that the belief did not have."""
    if not is_ground(literal):
        raise Unspecified(f"to believe {literal}")
    entries, index = _place(mind, literal)
    if index is None:
        if last and entries:
            append(mind, bare(literal))
        entries.insert(len(entries) if last else 0, literal)
        return literal
    known = items_of(entries[index].annotations)
    new = tuple(each for each in items_of(literal.annotations) if each not in known)
    if not new:
        return None
    entries[index] = annotated(entries[index], *new)
    return with_annotations(literal, new)


def _lose(
    mind: Mind,
    entries: list[Any],
    index: int,
    annotations: tuple[object, ...],
    *,
    by_pattern: bool = False,
) -> bool:
    """Takes annotations away; whether the belief is gone, as no source is left.  An empty list is
    given up, but not ``by_pattern``."""
    belief = entries[index]
    rest = with_annotations(
        belief, tuple(each for each in items_of(belief.annotations) if each not in annotations)
    )
    if sources(rest):
        entries[index] = rest
        return False
    del entries[index]
    strike(mind, bare(rest), rest, was_first=index == 0, is_given_up=not entries and not by_pattern)
    return True


def remove(mind: Mind, literal: Literal) -> tuple[Literal | None, Substitution]:
    """``-b``: the event, and the values that the variables of a literal that is not ground get."""
    if is_ground(literal):
        entries, index = _place(mind, literal)
        if index is None or any(
            each not in items_of(entries[index].annotations)
            for each in items_of(literal.annotations)
        ):
            return None, {}
        _lose(mind, entries, index, items_of(literal.annotations))
        return literal, {}
    entries = mind.BB.get(indicator(literal), [])
    for index, each in enumerate(entries):
        if isinstance(each, BeliefRule):
            raise Unspecified("to remove what a rule says")
        found = unified(literal, each, {})
        if found is not None:
            instance = applied(literal, found)
            gone = _lose(mind, entries, index, items_of(instance.annotations), by_pattern=True)
            return (instance if gone else None), found
    return None, {}


def pattern(literal: Literal) -> Literal:
    """``b(_, .., _)[source(self)]``: what ``-+b(..)`` removes one of."""
    return Literal(
        literal.functor,
        tuple(fresh() for _ in literal.arguments),
        (source("self"),),
        literal.negated,
        literal.namespace,
    )


def abolish(mind: Mind, query: Literal) -> list[Literal]:
    """All that match are gone, whatever their sources; events without annotations."""
    entries = mind.BB.get(indicator(query), [])
    if any(isinstance(each, BeliefRule) for each in entries):
        raise Unspecified("to abolish a rule")
    gone = [each for each in entries if unified(query, each, {}) is not None]
    for each in gone:
        index = entries.index(each)
        del entries[index]
        strike(mind, bare(each), bare(each), was_first=index == 0, is_given_up=not entries)
    return [bare(each) for each in gone]


def remove_percept(mind: Mind, belief: Literal) -> Literal:
    """It is no longer perceived."""
    entries, index = _place(mind, belief)
    assert index is not None
    _lose(mind, entries, index, (source("percept"),))
    return with_annotations(belief, (source("percept"),))
