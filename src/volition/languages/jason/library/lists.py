"""Internal actions on lists. Those that also accept strings treat them as lists of characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from volition.languages.jason.library.aggregates import instances
from volition.languages.jason.library.arguments import (
    Action,
    gives,
    items_of,
    values_of,
    whole_number,
)
from volition.languages.jason.ordering import annotation_set, sort_key
from volition.languages.jason.queries import ActionError, QueryContext
from volition.languages.jason.terms import Bindings, List, Term, Text, Variable
from volition.languages.jason.unification import unify

__all__ = ["LISTS"]

Arguments = tuple[Term, ...]
_Parts = Sequence[Term] | str


def member(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.member(X, L)``: X is each item of the list L that unifies with it, in order."""
    pattern, items = values_of(arguments, bindings, knowledge, 2)
    for each in items_of(items):
        yield from gives(pattern, each, bindings)


def length(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.length(L, N)``: N is the length of the list or string L."""
    whole, result = values_of(arguments, bindings, knowledge, 2)
    return gives(result, len(_parts(whole)), bindings)


def nth(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.nth(I, L, X)``: X is the item at index I, counted from 0, of the list or string
    L. An index out of range is an error. If I is unbound, it is each index whose item unifies with
    X."""
    position, whole, item = values_of(arguments, bindings, knowledge, 3)
    parts = _parts(whole)
    items = (
        [_part(parts, each, each + 1) for each in range(len(parts))]
        if isinstance(parts, str)
        else parts
    )
    if isinstance(position, Variable):
        for index, each in enumerate(items):
            found = unify(item, each, bindings)
            if found is not None:
                yield from gives(position, index, found)
        return
    index = whole_number(position)
    if not 0 <= index < len(items):
        raise ActionError(f"index {index} is out of range for {whole}")
    yield from gives(item, items[index], bindings)


def reverse(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.reverse(L, R)``: R is the list or string L in reverse order."""
    whole, result = values_of(arguments, bindings, knowledge, 2)
    parts = _parts(whole)
    return gives(
        Text(parts[::-1]) if isinstance(parts, str) else List(tuple(reversed(parts))),
        result,
        bindings,
    )


def sort(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.sort(L, S)``: S is the list L, sorted in Jason's order of terms. Duplicates are
    kept."""
    items, result = values_of(arguments, bindings, knowledge, 2)
    return gives(List(tuple(sorted(items_of(items), key=sort_key))), result, bindings)


def least(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.min(L, X)``: X is the least item of the list L. ``.min(T, query, X)``: X is the
    least value of the term T under all solutions of the query. Fail without items or solutions."""
    items, result = _candidates(arguments, bindings, knowledge)
    return gives(result, min(items, key=sort_key), bindings) if items else iter(())


def greatest(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.max(L, X)``: X is the greatest item of the list L. ``.max(T, query, X)``: X is
    the greatest value of the term T under all solutions of the query. Fail without items or
    solutions."""
    items, result = _candidates(arguments, bindings, knowledge)
    return gives(result, max(items, key=sort_key), bindings) if items else iter(())


def _candidates(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> tuple[Sequence[Term], Term]:
    if len(arguments) == 3:
        pattern, query, result = arguments
        return instances(pattern, query, bindings, knowledge), result
    items, result = values_of(arguments, bindings, knowledge, 2, 3)
    return items_of(items), result


def in_range(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.range(X, First, Last[, Step])``: X is each number from First to Last in turn. If
    X is bound, test whether it is between First and Last."""
    value, *limits = values_of(arguments, bindings, knowledge, 3, 4)
    first, last, step = map(whole_number, (*limits, 1)[:3])
    if not isinstance(value, Variable):
        if first <= whole_number(value) <= last:
            yield bindings
        return
    if not step:
        raise ActionError("a range with step 0 never ends")
    for each in range(first, last + (1 if step > 0 else -1), step):
        yield from gives(value, each, bindings)


def delete(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.delete(X, L, R)``: R is the list or string L without the items that unify with X
    or, if X is a number, without the item at that index. ``.delete(I, J, L, R)``: R is L without
    the items from index I to before J."""
    what, *between, whole, result = values_of(arguments, bindings, knowledge, 3, 4)
    parts = _text(whole) if isinstance(what, Text) else _parts(whole)
    if isinstance(what, int | float):
        start = whole_number(what)
        end = whole_number(between[0]) if between else start + 1
        return gives(result, _without(parts, start, end), bindings)
    if between:
        raise ActionError(f"{what} is not a number")
    if isinstance(what, Text) and isinstance(parts, str):
        return gives(result, Text(parts.replace(what.value, "")), bindings)
    return gives(
        result,
        List(tuple(each for each in items_of(whole) if unify(what, each, bindings) is None)),
        bindings,
    )


def _without(parts: _Parts, start: int, end: int) -> Term:
    if isinstance(parts, str):
        return Text(
            parts[:start] + parts[end:]
            if 0 <= start <= len(parts) and 0 <= end <= len(parts)
            else parts
        )
    return List(tuple(each for index, each in enumerate(parts) if not start <= index < end))


def empty(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.empty(L)``: succeed if the list or string L is empty."""
    (whole,) = values_of(arguments, bindings, knowledge, 1)
    if not _parts(whole):
        yield bindings


# --- sublists and substrings ----------------------------------------------------------------------


def prefix(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.prefix(P, L)``: P is each prefix of the list or string L, the longest first, the
    empty one last."""
    pattern, whole = values_of(arguments, bindings, knowledge, 2)
    parts = _parts(whole)
    for end in range(len(parts), -1, -1):
        yield from gives(pattern, _part(parts, 0, end), bindings)


def suffix(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.suffix(S, L)``: S is each suffix of the list or string L, the longest first, the
    empty one last."""
    pattern, whole = values_of(arguments, bindings, knowledge, 2)
    parts = _parts(whole)
    for start in range(len(parts) + 1):
        yield from gives(pattern, _part(parts, start, len(parts)), bindings)


def sublist(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.sublist(S, L)``: S is each contiguous sublist of the list L, by start index,
    longer before shorter, the empty one last."""
    pattern, whole = values_of(arguments, bindings, knowledge, 2)
    items = items_of(whole)
    for start in range(len(items)):
        for end in range(len(items), start, -1):
            yield from gives(pattern, List(items[start:end]), bindings)
    yield from gives(pattern, List(), bindings)


def _parts(term: Term) -> _Parts:
    return term.value if isinstance(term, Text) else items_of(term)


def _text(term: Term) -> _Parts:
    return term.value if isinstance(term, Text) else str(term)


def _part(parts: _Parts, start: int, end: int) -> Term:
    return Text(parts[start:end]) if isinstance(parts, str) else List(tuple(parts[start:end]))


# --- lists as sets --------------------------------------------------------------------------------


def union(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.union(A, B, C)``: C is the list of the items of A or B, sorted and without
    duplicates."""
    one, other, result = values_of(arguments, bindings, knowledge, 3)
    return gives(result, List(annotation_set((*items_of(one), *items_of(other)))), bindings)


def intersection(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.intersection(A, B, C)``: C is the list of the items that are in A and in B,
    sorted and without duplicates."""
    one, other, result = values_of(arguments, bindings, knowledge, 3)
    shared = set(items_of(other))
    return gives(
        result, List(annotation_set(each for each in items_of(one) if each in shared)), bindings
    )


def difference(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.difference(A, B, C)``: C is the list of the items of A that are not in B, sorted
    and without duplicates."""
    one, other, result = values_of(arguments, bindings, knowledge, 3)
    away = set(items_of(other))
    return gives(
        result, List(annotation_set(each for each in items_of(one) if each not in away)), bindings
    )


LISTS: Mapping[str, Action] = {
    ".member": member,
    ".length": length,
    ".nth": nth,
    ".reverse": reverse,
    ".sort": sort,
    ".min": least,
    ".max": greatest,
    ".range": in_range,
    ".delete": delete,
    ".empty": empty,
    ".prefix": prefix,
    ".suffix": suffix,
    ".sublist": sublist,
    ".union": union,
    ".intersection": intersection,
    ".difference": difference,
}
