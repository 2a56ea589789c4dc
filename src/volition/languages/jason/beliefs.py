"""The belief base, and which events its changes raise.

A belief base is a plain tuple, sorted by predicate; the beliefs and rules of one predicate stand
newest first.  A belief has at least one ``source`` and exists as long as one is left.  Events are
returned as the literals that they are about, never posted here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace as changed
from itertools import islice, permutations, takewhile
from math import factorial
from typing import NamedTuple

from volition.diagnostics import Source
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.jason.substitution import (
    apply,
    is_ground,
    join_annotations,
    renamed,
    variables,
    without_annotations,
)
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import PERCEPT, SELF, TRUE, Bindings, Literal, Term, Variable
from volition.languages.jason.unification import unify

__all__ = [
    "BeliefUpdate",
    "Beliefs",
    "Predicate",
    "RemovalResult",
    "abolish",
    "add",
    "add_all",
    "believed_of",
    "entries_for",
    "literal_of",
    "predicate_of",
    "remove",
    "replaced_by",
    "sources",
    "update",
    "update_orders",
    "with_source",
]  # fmt: skip

Beliefs = tuple[Literal | BeliefRule, ...]
Predicate = tuple[str, bool, str, int]
"""Namespace, whether it is negated, functor and arity."""
_MAX_ORDERS = 5_040


class RemovalResult(NamedTuple):
    """``event``: the literal of ``-b``, None if there is no event; ``bindings``: with the values
    that the first match gave."""

    beliefs: Beliefs
    event: Literal | None
    bindings: Bindings


class BeliefUpdate(NamedTuple):
    """Literals in the order of their events: ``removed`` of ``-b[source(percept)]``, of which only
    those with a plan become events, then ``added`` of ``+b``."""

    beliefs: Beliefs
    removed: tuple[Literal, ...]
    added: tuple[Literal, ...]


def literal_of(entry: Literal | BeliefRule) -> Literal:
    """A belief, or what a rule is about."""
    return entry.head if isinstance(entry, BeliefRule) else entry


def sources(literal: Literal) -> tuple[Term, ...]:
    """Its annotations ``source(..)``."""
    return tuple(
        each
        for each in literal.known_annotations
        if isinstance(each, Literal) and each.functor == "source"
    )


def with_source(literal: Literal, source: Literal) -> Literal:
    """The literal with this source if it names none of its own."""
    return literal if sources(literal) else join_annotations(literal, [source])


def _instance(literal: Literal, bindings: Bindings) -> Literal:
    instance = apply(literal, bindings)
    assert isinstance(instance, Literal), "what is believed is no function"
    return instance


# --- looking up -----------------------------------------------------------------------------------


def predicate_of(entry: Literal | BeliefRule) -> Predicate:
    """The predicate in whose list an entry stands."""
    literal = literal_of(entry)
    return literal.namespace or "", literal.negated, literal.functor, len(literal.arguments)


def _range(beliefs: Beliefs, literal: Literal) -> range:
    """Where beliefs of a literal's predicate stand."""
    return _range_of(beliefs, predicate_of(literal))


def _range_of(beliefs: Beliefs, predicate: Predicate) -> range:
    return range(
        bisect_left(beliefs, predicate, key=predicate_of),
        bisect_right(beliefs, predicate, key=predicate_of),
    )


def believed_of(beliefs: Beliefs, predicate: Predicate) -> Beliefs:
    """Return the beliefs and rules of a predicate, newest first."""
    positions = _range_of(beliefs, predicate)
    return beliefs[positions.start : positions.stop]


def entries_for(beliefs: Beliefs, query: Literal | Variable) -> Iterator[Literal | BeliefRule]:
    """Beliefs and rules of a predicate, newest first; all that there are for a variable."""
    if isinstance(query, Variable):
        return iter(beliefs)
    requested = predicate_of(query)
    return takewhile(
        lambda each: predicate_of(each) == requested,
        islice(beliefs, bisect_left(beliefs, requested, key=predicate_of), None),
    )


def _place(beliefs: Beliefs, literal: Literal) -> int | None:
    """Where an equal literal stands, annotations aside."""
    alone = without_annotations(literal)
    for index in _range(beliefs, literal):
        entry = beliefs[index]
        if isinstance(entry, Literal) and entry.arguments == alone.arguments:
            return index
    return None


# --- changes by the agent -------------------------------------------------------------------------


def add(
    beliefs: Beliefs, literal: Literal, *, last: bool = False
) -> tuple[Beliefs, Literal | None]:
    """``+b`` (``last``: ``+>b``), from oneself unless it names a source; the literal of the event
    ``+b``, None if nothing is new.

    An equal literal that is there gets the annotations in addition, and the event has the new ones
    only.  A belief with variables is believed of everything: a rule whose body is true.
    """
    literal = _instance(with_source(literal, SELF), {})
    index = _place(beliefs, literal)
    if index is None:
        positions = _range(beliefs, literal)
        entry = literal if is_ground(literal) else _fact(literal)
        if isinstance(entry, BeliefRule) and entry in beliefs[positions.start : positions.stop]:
            return beliefs, None
        index = positions.stop if last else positions.start
        return (*beliefs[:index], entry, *beliefs[index:]), literal
    known = literal_of(beliefs[index])
    new = tuple(each for each in literal.known_annotations if each not in known.known_annotations)
    if not new:
        return beliefs, None
    return (*beliefs[:index], join_annotations(known, new), *beliefs[index + 1 :]), changed(
        literal, annotations=new
    )


def add_all(
    beliefs: Beliefs, entries: Iterable[Literal | BeliefRule]
) -> tuple[Beliefs, tuple[Literal, ...]]:
    """As if each was added in turn; the literals of the events ``+b`` in this order.  Rules raise
    none."""
    placed: dict[Literal | BeliefRule, Literal | BeliefRule] = {
        _bare_entry(each): each for each in reversed(beliefs)
    }
    events: list[Literal] = []
    for entry in entries:
        if isinstance(entry, BeliefRule):
            placed.setdefault(entry, entry)
            continue
        known = placed.get(without_annotations(entry))
        (after,), event = add(() if known is None else (known,), entry)
        placed[_bare_entry(after)] = after
        events += [] if event is None else [event]
    newest_first = list(placed.values())[::-1]
    return tuple(sorted(newest_first, key=predicate_of)), tuple(events)


def _bare_entry(entry: Literal | BeliefRule) -> Literal | BeliefRule:
    return entry if isinstance(entry, BeliefRule) else without_annotations(entry)


def _fact(literal: Literal) -> BeliefRule:
    names = {name: f"_{number}" for number, name in enumerate(dict.fromkeys(variables(literal)), 1)}
    head = renamed(literal, names)
    return BeliefRule(head, TRUE, span=Source("<belief>", str(head)).span(0, len(str(head))))


def remove(beliefs: Beliefs, literal: Literal, bindings: Bindings) -> RemovalResult:
    """``-b``, from oneself unless it names a source.

    A ground literal loses its annotations if it has all of them, and there is an event even if a
    source is left.  Otherwise the first that matches loses them, its values are bound, and there is
    an event only if it disappears.  Nothing to remove is no failure.
    """
    instance = _instance(with_source(literal, SELF), bindings)
    if is_ground(instance):
        index = _place(beliefs, instance)
        if index is None or not set(instance.known_annotations) <= set(
            literal_of(beliefs[index]).known_annotations
        ):
            return RemovalResult(beliefs, None, bindings)
        return RemovalResult(
            _without(beliefs, index, instance.known_annotations), instance, bindings
        )
    for index in _range(beliefs, instance):
        found = unify(instance, literal_of(beliefs[index]), bindings)
        if found is not None:
            removed = _instance(instance, found)
            after = _without(beliefs, index, removed.known_annotations)
            return RemovalResult(after, removed if len(after) < len(beliefs) else None, found)
    return RemovalResult(beliefs, None, bindings)


def _without(beliefs: Beliefs, index: int, annotations: Collection[Term]) -> Beliefs:
    left = _remove_annotations(beliefs[index], annotations)
    return (*beliefs[:index], *([] if left is None else [left]), *beliefs[index + 1 :])


def _remove_annotations(
    entry: Literal | BeliefRule, annotations: Collection[Term]
) -> Literal | BeliefRule | None:
    """A belief without these annotations, None if no source is left."""
    known = literal_of(entry)
    rest = changed(
        known,
        annotations=tuple(each for each in known.known_annotations if each not in annotations),
    )
    if not sources(rest):
        return None
    return changed(entry, head=rest) if isinstance(entry, BeliefRule) else rest


def replaced_by(literal: Literal) -> Literal:
    """Return the pattern of the belief that ``-+b`` removes first: an own one of the same
    predicate, whatever its arguments."""
    anything = tuple(Variable(f"?{number}") for number in range(len(literal.arguments)))
    return changed(with_source(literal, SELF), arguments=anything)


def abolish(
    beliefs: Beliefs, pattern: Literal | Variable, bindings: Bindings
) -> tuple[Beliefs, tuple[Literal, ...]]:
    """``.abolish(pattern)``: all that match go with all their sources, one external event each,
    without annotations."""
    instance = apply(pattern, bindings)
    assert isinstance(instance, Literal | Variable)
    kept: list[Literal | BeliefRule] = []
    gone: list[Literal] = []
    positions = _range(beliefs, instance) if isinstance(instance, Literal) else range(len(beliefs))
    for index in positions:
        entry = beliefs[index]
        if isinstance(entry, Literal) and unify(instance, entry, bindings) is not None:
            gone.append(without_annotations(entry))
        else:
            kept.append(entry)
    return (*beliefs[: positions.start], *kept, *beliefs[positions.stop :]), tuple(gone)


# --- belief update --------------------------------------------------------------------------------


def update(beliefs: Beliefs, percepts: Sequence[Literal]) -> BeliefUpdate:
    """Belief update: what is no longer perceived loses ``source(percept)``, in the order of the
    belief base; then what is new is added, in the order of the percepts.  Percepts are equal
    whatever their annotations."""
    return _updated(beliefs, *_changes(beliefs, percepts))


def update_orders(
    beliefs: Beliefs, percepts: Sequence[Literal], noticed: Callable[[str, Literal], bool]
) -> Iterator[BeliefUpdate]:
    """The belief update in each order of percepts that makes a difference, as their order is
    unspecified.

    Whether somebody notices an event tells ``noticed``, for ``"-"`` or ``"+"`` and its literal;
    otherwise only beliefs of the same predicate have an order.
    """
    gone, new = _changes(beliefs, percepts)
    several = {
        predicate for predicate, times in Counter(map(predicate_of, new)).items() if times > 1
    }
    moved, still = _partition(gone, lambda each: noticed("-", each))
    shown, other = _partition(new, lambda each: noticed("+", each) or predicate_of(each) in several)
    if factorial(len(moved)) * factorial(len(shown)) > _MAX_ORDERS:
        message = (
            f"{len(moved) + len(shown)} percepts change at once, in more than "
            f"{_MAX_ORDERS:,} orders"
        )
        raise BoundExceeded(
            "JSN052", message, "set percept_order = world, or let the world show less at once"
        )
    seen: set[BeliefUpdate] = set()
    for first in permutations(moved):
        for then in permutations(shown):
            one = _updated(beliefs, [*first, *still], [*then, *other])
            if one not in seen:
                seen.add(one)
                yield one


def _partition(
    literals: Iterable[Literal], matters: Callable[[Literal], bool]
) -> tuple[list[Literal], list[Literal]]:
    marked = [(each, matters(each)) for each in literals]
    return [each for each, mark in marked if mark], [each for each, mark in marked if not mark]


def _changes(beliefs: Beliefs, percepts: Sequence[Literal]) -> tuple[list[Literal], list[Literal]]:
    """What is believed from percepts and no longer there, and what is there and not yet believed
    from percepts."""
    shown = {without_annotations(each): each for each in reversed(percepts)}
    perceived = [
        without_annotations(each)
        for each in beliefs
        if isinstance(each, Literal) and PERCEPT in each.known_annotations
    ]
    known = set(perceived)
    new = dict.fromkeys(
        alone for each in percepts if (alone := without_annotations(each)) not in known
    )
    return [each for each in perceived if each not in shown], [shown[each] for each in new]


def _updated(beliefs: Beliefs, gone: Sequence[Literal], new: Sequence[Literal]) -> BeliefUpdate:
    if not gone and not new:
        return BeliefUpdate(beliefs, (), ())
    away = set(gone)
    left = [
        _remove_annotations(each, (PERCEPT,))
        if isinstance(each, Literal) and without_annotations(each) in away
        else each
        for each in beliefs
    ]
    after, added = add_all(
        tuple(each for each in left if each is not None),
        [join_annotations(each, [PERCEPT]) for each in new],
    )
    return BeliefUpdate(after, tuple(changed(each, annotations=(PERCEPT,)) for each in gone), added)
