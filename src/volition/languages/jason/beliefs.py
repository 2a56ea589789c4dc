"""Belief base of an agent: lookup, changes, and the events that the changes raise.

A belief base is a tuple sorted by predicate; the beliefs and rules of one predicate are stored
newest first. A belief has at least one annotation ``source(..)``; it is removed when it has none
left. The functions of this module return the literals of the raised events; the caller posts the
events.
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
"""Predicate of a literal: its namespace, whether it is strongly negated, its functor and its arity.
"""
_MAX_ORDERS = 5_040


class RemovalResult(NamedTuple):
    """Result of the belief removal ``-b``.

    ``beliefs`` is the new belief base. ``event`` is the literal of the raised event ``-b``, or None
    if no event is raised. ``bindings`` are the given bindings, extended by those of the removed
    belief.
    """

    beliefs: Beliefs
    event: Literal | None
    bindings: Bindings


class BeliefUpdate(NamedTuple):
    """Result of updating the belief base to the current percepts.

    ``beliefs`` is the new belief base. ``removed`` are the literals ``b[source(percept)]`` of the
    beliefs that are no longer perceived, in order. The caller posts an event ``-b`` only for those
    that a plan or a waiting intention may handle. ``added`` are the literals of the events ``+b``,
    in order. The caller posts them after the removals.
    """

    beliefs: Beliefs
    removed: tuple[Literal, ...]
    added: tuple[Literal, ...]


def literal_of(entry: Literal | BeliefRule) -> Literal:
    """Return the literal of an entry of the belief base: a belief itself, or the head of a rule."""
    return entry.head if isinstance(entry, BeliefRule) else entry


def sources(literal: Literal) -> tuple[Term, ...]:
    """Return the annotations ``source(..)`` of a literal."""
    return tuple(
        each
        for each in literal.known_annotations
        if isinstance(each, Literal) and each.functor == "source"
    )


def with_source(literal: Literal, source: Literal) -> Literal:
    """Return the literal with the annotation ``source`` added, unless it already has a source."""
    return literal if sources(literal) else join_annotations(literal, [source])


def _instance(literal: Literal, bindings: Bindings) -> Literal:
    instance = apply(literal, bindings)
    assert isinstance(instance, Literal), "a belief is not a function"
    return instance


# --- lookup of beliefs ----------------------------------------------------------------------------


def predicate_of(entry: Literal | BeliefRule) -> Predicate:
    """Return the predicate of a belief or rule."""
    literal = literal_of(entry)
    return literal.namespace or "", literal.negated, literal.functor, len(literal.arguments)


def _range(beliefs: Beliefs, literal: Literal) -> range:
    """Return the indices of the beliefs and rules in a belief base that have the predicate of a
    literal."""
    return _range_of(beliefs, predicate_of(literal))


def _range_of(beliefs: Beliefs, predicate: Predicate) -> range:
    return range(
        bisect_left(beliefs, predicate, key=predicate_of),
        bisect_right(beliefs, predicate, key=predicate_of),
    )


def believed_of(beliefs: Beliefs, predicate: Predicate) -> Beliefs:
    """Return the beliefs and rules of a belief base that have a given predicate, newest first."""
    positions = _range_of(beliefs, predicate)
    return beliefs[positions.start : positions.stop]


def entries_for(beliefs: Beliefs, query: Literal | Variable) -> Iterator[Literal | BeliefRule]:
    """Yield the beliefs and rules that may match a query: those with the predicate of a literal,
    newest first, or all entries if the query is a variable."""
    if isinstance(query, Variable):
        return iter(beliefs)
    requested = predicate_of(query)
    return takewhile(
        lambda each: predicate_of(each) == requested,
        islice(beliefs, bisect_left(beliefs, requested, key=predicate_of), None),
    )


def _index_of(beliefs: Beliefs, literal: Literal) -> int | None:
    """Return the index of the belief that is equal to a literal except for annotations, or None if
    there is none."""
    alone = without_annotations(literal)
    for index in _range(beliefs, literal):
        entry = beliefs[index]
        if isinstance(entry, Literal) and entry.arguments == alone.arguments:
            return index
    return None


# --- belief changes by the agent ------------------------------------------------------------------


def add(
    beliefs: Beliefs, literal: Literal, *, last: bool = False
) -> tuple[Beliefs, Literal | None]:
    """Execute the belief addition ``+b``. Return the new belief base, and the literal of the event
    ``+b``, or None if b adds nothing new.

    A new belief becomes the first of the beliefs with its predicate, or the last one if ``last`` is
    True (``+>b``). Its source is ``self`` unless the literal names one. If the base contains a
    belief that is equal except for annotations, that belief gets the new annotations, and the event
    carries only those. A belief with variables holds for all their values: it is stored as a rule
    with the body true.
    """
    literal = _instance(with_source(literal, SELF), {})
    index = _index_of(beliefs, literal)
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
    """Add beliefs and rules one after the other. Return the new belief base and the literals of the
    events ``+b`` in that order. Rules raise no event."""
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
    """Execute the belief removal ``-b``: the matching belief loses the annotations of b, and
    disappears if it has no source left. The source in b is ``self`` unless b names one. If nothing
    matches, nothing changes; this is not a failure.

    - If b is ground, it matches the belief that is equal to b and has all annotations of b. There
      is an event even if another source remains.
    - If b has variables, it matches the first belief that unifies with it, which binds the
      variables. There is an event only if the belief disappears.
    """
    instance = _instance(with_source(literal, SELF), bindings)
    if is_ground(instance):
        index = _index_of(beliefs, instance)
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
    """Return a belief or rule without the given annotations, or None if no source is left."""
    known = literal_of(entry)
    rest = changed(
        known,
        annotations=tuple(each for each in known.known_annotations if each not in annotations),
    )
    if not sources(rest):
        return None
    return changed(entry, head=rest) if isinstance(entry, BeliefRule) else rest


def replaced_by(literal: Literal) -> Literal:
    """Return the pattern of the belief that ``-+b`` removes before it adds b: the predicate of b
    with any arguments. The source is ``self`` unless b names one."""
    anything = tuple(Variable(f"?{number}") for number in range(len(literal.arguments)))
    return changed(with_source(literal, SELF), arguments=anything)


def abolish(
    beliefs: Beliefs, pattern: Literal | Variable, bindings: Bindings
) -> tuple[Beliefs, tuple[Literal, ...]]:
    """Execute ``.abolish(pattern)``: remove all matching beliefs, whatever their sources. Return
    the new belief base and the literals of the external events ``-b``, without annotations."""
    instance = apply(pattern, bindings)
    assert isinstance(instance, Literal | Variable)
    remaining: list[Literal | BeliefRule] = []
    removed: list[Literal] = []
    positions = _range(beliefs, instance) if isinstance(instance, Literal) else range(len(beliefs))
    for index in positions:
        entry = beliefs[index]
        if isinstance(entry, Literal) and unify(instance, entry, bindings) is not None:
            removed.append(without_annotations(entry))
        else:
            remaining.append(entry)
    return (*beliefs[: positions.start], *remaining, *beliefs[positions.stop :]), tuple(removed)


# --- belief update from percepts ------------------------------------------------------------------


def update(beliefs: Beliefs, percepts: Sequence[Literal]) -> BeliefUpdate:
    """Update the belief base to the current percepts.

    First, beliefs that are no longer perceived lose ``source(percept)``, in the order of the belief
    base. Then new percepts are added, in the order of ``percepts``. Percepts are compared without
    annotations.
    """
    return _updated(beliefs, *_changes(beliefs, percepts))


def update_orders(
    beliefs: Beliefs, percepts: Sequence[Literal], noticed: Callable[[str, Literal], bool]
) -> Iterator[BeliefUpdate]:
    """Yield the results of updating the belief base to the current percepts, one for each order of
    the changes that makes a difference. Jason does not specify the order.

    ``noticed`` takes the operator (``"-"`` or ``"+"``) and the literal of a belief event. It
    returns whether a plan may handle the event or an intention may wait for it. If no event of
    several changes is noticed, their order matters only among new percepts with the same predicate.
    Raises :class:`BoundExceeded` if there are more than 5,040 orders.
    """
    gone, new = _changes(beliefs, percepts)
    repeated = {
        predicate for predicate, times in Counter(map(predicate_of, new)).items() if times > 1
    }
    removed, other_removed = _partition(gone, lambda each: noticed("-", each))
    added, other_added = _partition(
        new, lambda each: noticed("+", each) or predicate_of(each) in repeated
    )
    if factorial(len(removed)) * factorial(len(added)) > _MAX_ORDERS:
        message = (
            f"{len(removed) + len(added)} percepts change at the same time, which allows more "
            f"than {_MAX_ORDERS:,} orders"
        )
        raise BoundExceeded(
            "JSN052",
            message,
            "set percept_order = world, or let fewer percepts change at the same time",
        )
    seen: set[BeliefUpdate] = set()
    for removals in permutations(removed):
        for additions in permutations(added):
            result = _updated(beliefs, [*removals, *other_removed], [*additions, *other_added])
            if result not in seen:
                seen.add(result)
                yield result


def _partition(
    literals: Iterable[Literal], matters: Callable[[Literal], bool]
) -> tuple[list[Literal], list[Literal]]:
    marked = [(each, matters(each)) for each in literals]
    return [each for each, mark in marked if mark], [each for each, mark in marked if not mark]


def _changes(beliefs: Beliefs, percepts: Sequence[Literal]) -> tuple[list[Literal], list[Literal]]:
    """Return what an update to the current percepts changes: the beliefs with ``source(percept)``
    that are no longer perceived, and the percepts that are not yet believed."""
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
