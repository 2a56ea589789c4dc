"""Queries: left to right, depth first, with backtracking; and the internal actions that only
look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cmp_to_key

from tests.languages.jason.reference.state import Acting, Event, Intention, Mind, Waiting
from tests.languages.jason.reference.terms import (
    Substitution,
    Unspecified,
    annotated,
    applied,
    compared,
    free_variables,
    is_ground,
    items_of,
    renamed,
    sources,
    unified,
    unifiers,
    with_annotations,
)
from volition.languages.jason.syntax import BeliefRule
from volition.languages.jason.terms import (
    FALSE,
    TRUE,
    And,
    Compare,
    List,
    Literal,
    Not,
    Or,
    Term,
    Text,
    Variable,
    indicator,
    source,
)

__all__ = ["PURE", "Action", "Failed", "Query", "nested", "service", "solutions"]


class Failed(Exception):
    """An internal action that ends with an error; the text is what ``error(..)`` says."""


class Query:
    """Who asks: an agent, the intention that it runs, and the event for which it chooses a plan."""

    def __init__(
        self,
        mind: Mind,
        agents: list[str],
        current: Intention | None = None,
        selected: Event | None = None,
        internals: Mapping[str, Action] | None = None,
    ) -> None:
        self.mind = mind
        self.agents = agents
        self._internals = internals or {}
        self.current = current
        self.selected = selected

    def action(self, name: str) -> Action:
        return self._internals[name] if name in self._internals else PURE[name]

    def goals(self, *, desires: bool) -> Iterator[Literal]:
        """Triggers ``+!g``: of intentions that are not suspended or, if ``desires``, of all
        intentions and of pending events."""
        mind = self.mind
        events = [*([self.selected] if self.selected else []), *mind.E, *mind.AE]
        intentions = [self.current, *(each.intention for each in events), *mind.I, *mind.AI]
        waiting: list[Acting | Waiting] = [*mind.PA, *mind.FA, *mind.PI]
        intentions += [each.intention for each in waiting if desires or not each.suspended]
        if desires:
            events += mind.PE
            intentions += [each.intention for each in mind.PE]
            yield from (
                each.literal for each in events if (each.sign, each.kind) == ("+", "achieve")
            )
        for intention in intentions:
            yield from (
                each.trigger
                for each in reversed(intention or ())
                if (each.sign, each.kind) == ("+", "achieve")
            )


def solutions(formula: Term, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    match formula:
        case And(left, right):
            for found in solutions(left, bindings, query):
                yield from solutions(right, found, query)
        case Or(left, right):
            yield from solutions(left, bindings, query)
            yield from solutions(right, bindings, query)
        case Not(operand):
            if next(solutions(operand, bindings, query), None) is None:
                yield bindings
        case Compare(relation, left, right):
            yield from _compared(
                relation, applied(left, bindings), applied(right, bindings), bindings
            )
        case Variable():
            value = applied(formula, bindings)
            if isinstance(value, Variable):
                raise Unspecified("a variable without a value as a query")
            yield from solutions(value, bindings, query)
        case Literal():
            yield from _literal(formula, bindings, query)
        case _:
            raise Unspecified(f"the query {formula}")


def _compared(
    relation: str, left: Term, right: Term, bindings: Substitution
) -> Iterator[Substitution]:
    if relation == "=":
        found = unified(left, right, bindings)
        if found is not None:
            yield found
        return
    if relation == "=..":
        raise Unspecified("=..")
    if not is_ground((left, right)):
        raise Unspecified(f"{left} {relation} {right}")
    if relation in ("==", "\\=="):
        holds = (left == right) == (relation == "==")
    else:
        order = compared(left, right)
        holds = {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[relation]
    if holds:
        yield bindings


def _literal(literal: Literal, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    if literal == TRUE:
        yield bindings
        return
    if literal == FALSE:
        return
    if literal.is_internal:
        with suppress(Failed):
            yield from query.action(literal.functor)(literal.arguments, bindings, query)
        return
    queried = applied(literal, bindings)
    for entry in tuple(query.mind.BB.get(indicator(queried), ())):
        if isinstance(entry, BeliefRule):
            head, body = renamed((entry.head, entry.body))
            for found in unifiers(queried, head, bindings):
                yield from solutions(body, found, query)
        else:
            yield from unifiers(queried, entry, bindings)


# --- internal actions -----------------------------------------------------------------------------

Arguments = tuple[Term, ...]
Action = Callable[[Arguments, Substitution, Query], Iterator[Substitution]]


def _if(found: Substitution | None) -> Iterator[Substitution]:
    return iter(() if found is None else (found,))


def _list(term: Term, bindings: Substitution) -> tuple[Term, ...]:
    value = applied(term, bindings)
    if isinstance(value, List) and value.tail is None:
        return value.items
    if isinstance(value, List | Variable):
        raise Unspecified("a list that is not known to its end")
    raise Failed("wrong_arguments")


def _member(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    for each in _list(arguments[1], bindings):
        yield from _if(unified(arguments[0], each, bindings))


def _length(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    return _if(unified(arguments[1], len(_list(arguments[0], bindings)), bindings))


def _nth(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    position, items = applied(arguments[0], bindings), _list(arguments[1], bindings)
    if isinstance(position, Variable):
        for number, each in enumerate(items):
            found = unified(arguments[2], each, {**bindings, position.name: number})
            yield from _if(found)
    elif not 0 <= int(position) < len(items):
        raise Failed("wrong_arguments")
    else:
        yield from _if(unified(arguments[2], items[int(position)], bindings))


def _concat(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    joined = tuple(each for some in arguments[:-1] for each in _list(some, bindings))
    return _if(unified(arguments[-1], List(joined), bindings))


def _reverse(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    return _if(unified(arguments[1], List(_list(arguments[0], bindings)[::-1]), bindings))


def _sort(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    items = sorted(_list(arguments[0], bindings), key=cmp_to_key(compared))
    return _if(unified(arguments[1], List(tuple(items)), bindings))


def _extreme(index: int) -> Action:
    def action(
        arguments: Arguments, bindings: Substitution, _query: Query
    ) -> Iterator[Substitution]:
        items = sorted(_list(arguments[0], bindings), key=cmp_to_key(compared))
        return _if(unified(arguments[1], items[index], bindings) if items else None)

    return action


def _range(arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    first, last = (int(applied(each, bindings)) for each in arguments[1:3])
    for number in range(first, last + 1):
        yield from _if(unified(arguments[0], number, bindings))


def _random(arguments: Arguments, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    items = tuple(dict.fromkeys(_list(arguments[0], bindings)))
    return _if(unified(arguments[1], items[query.mind.choose(len(items))], bindings))


def _df_search(
    arguments: Arguments, bindings: Substitution, query: Query
) -> Iterator[Substitution]:
    providers, _ = query.mind.directory
    found = tuple(
        Literal(each)
        for each in query.agents
        if (each, service(applied(arguments[0], bindings))) in providers
    )
    return _if(unified(arguments[1], List(found), bindings))


def service(term: Term) -> str:
    return term.value if isinstance(term, Text) else str(term)


def _findall(arguments: Arguments, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    found = tuple(applied(arguments[0], each) for each in solutions(arguments[1], bindings, query))
    return _if(unified(arguments[2], List(found), bindings))


def _count(arguments: Arguments, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    return _if(
        unified(arguments[1], sum(1 for _ in solutions(arguments[0], bindings, query)), bindings)
    )


def _my_name(arguments: Arguments, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    return _if(unified(arguments[0], Literal(query.mind.name), bindings))


def _all_names(
    arguments: Arguments, bindings: Substitution, query: Query
) -> Iterator[Substitution]:
    return _if(unified(arguments[0], List(tuple(Literal(each) for each in query.agents)), bindings))


def _goal(*, desires: bool) -> Action:
    def action(
        arguments: Arguments, bindings: Substitution, query: Query
    ) -> Iterator[Substitution]:
        queried = applied(arguments[0], bindings)
        if free_variables(queried):
            queried = renamed(
                queried
            )  # the order among goals is not said, so that programs must not look at it
        for each in query.goals(desires=desires):
            if unified(queried, renamed(each), {}) is not None:
                yield bindings

    return action


def _test(holds: Callable[[Term], bool]) -> Action:
    def action(
        arguments: Arguments, bindings: Substitution, _query: Query
    ) -> Iterator[Substitution]:
        return _if(bindings if holds(applied(arguments[0], bindings)) else None)

    return action


def _print(_arguments: Arguments, bindings: Substitution, _query: Query) -> Iterator[Substitution]:
    return _if(bindings)


def nested(content: Literal, sender: str) -> Literal:
    """``b[source(x)]`` said by y is ``b[source(y)[source(x)]]``."""
    old = sources(content)
    others = tuple(each for each in items_of(content.annotations) if each not in old)
    return with_annotations(content, (*others, annotated(source(sender), *old)))


def _add_nested_source(
    arguments: Arguments, bindings: Substitution, _query: Query
) -> Iterator[Substitution]:
    content, sender = (applied(each, bindings) for each in arguments[:2])
    if not isinstance(content, Literal) or not isinstance(sender, Literal):
        raise Unspecified(f"the source of {content}")
    return _if(unified(arguments[2], nested(content, sender.functor), bindings))


def _remove_source_annot(
    arguments: Arguments, bindings: Substitution, _query: Query
) -> Iterator[Substitution]:
    content = applied(arguments[0], bindings)
    kept = tuple(each for each in items_of(content.annotations) if each not in sources(content))
    return _if(unified(arguments[1], with_annotations(content, kept), bindings))


def _believed(arguments: Arguments, bindings: Substitution, query: Query) -> Iterator[Substitution]:
    """What asks are answered with: instances that are believed, with all their annotations but
    ``source(self)``."""
    queried = applied(arguments[0], bindings)
    if not isinstance(queried, Literal):
        raise Unspecified(f"an ask for {queried}")
    for entry in tuple(query.mind.BB.get(indicator(queried), ())):
        head, body = (
            renamed((entry.head, entry.body)) if isinstance(entry, BeliefRule) else (entry, TRUE)
        )
        for found in unifiers(queried, head, bindings):
            for proved in solutions(body, found, query):
                literal = applied(head, proved)
                kept = tuple(
                    each for each in items_of(literal.annotations) if each != source("self")
                )
                yield from _if(unified(arguments[1], with_annotations(literal, kept), proved))


PURE: dict[str, Action] = {
    ".member": _member,
    ".length": _length,
    ".nth": _nth,
    ".concat": _concat,
    ".reverse": _reverse,
    ".sort": _sort,
    ".max": _extreme(-1),
    ".random": _random,
    ".df_search": _df_search,
    ".min": _extreme(0),
    ".range": _range,
    ".findall": _findall,
    ".count": _count,
    ".my_name": _my_name,
    ".all_names": _all_names,
    ".desire": _goal(desires=True),
    ".intend": _goal(desires=False),
    ".print": _print,
    ".println": _print,
    ".ground": _test(is_ground),
    ".list": _test(lambda term: isinstance(term, List)),
    ".string": _test(lambda term: isinstance(term, Text)),
    ".literal": _test(lambda term: isinstance(term, Literal)),
    ".number": _test(lambda term: isinstance(term, int | float)),
    ".atom": _test(
        lambda term: (
            isinstance(term, Literal)
            and not term.arguments
            and not term.annotations
            and not term.negated
        )
    ),
    ".add_nested_source": _add_nested_source,
    ".remove_source_annot": _remove_source_annot,
    ".believed": _believed,
}
