"""Internal actions that the file beside a project declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from tests.languages.jason.reference.queries import Action, Query, solutions
from tests.languages.jason.reference.terms import Substitution, renamed, unified
from volition.diagnostics import Diagnostics, Source
from volition.languages.jason.parsing.statements import read_term
from volition.languages.jason.terms import List, Term

__all__ = ["declared"]

_CHOICE = re.compile(
    r"internal (?P<name>[\w.]+)\((?P<arguments>.*)\) = (?P<again>repeated )?choice (?P<chosen>\w+) "
    r"in (?P<first>\d+) \.\. (?P<last>\d+)"
)
_NOTHING = re.compile(r"internal (?P<name>[\w.]+) = nothing")
_ROW = re.compile(r"internal (?P<head>(?P<name>[\w.]+)\(.*?\))(?: :- (?P<body>.*))?")


def declared(lines: Iterable[str]) -> Mapping[str, Action]:
    actions: dict[str, Action] = {}
    rows: dict[str, list[tuple[Term, Term]]] = {}
    for line in lines:
        if found := _CHOICE.fullmatch(line):
            index = [each.strip() for each in found["arguments"].split(",")].index(found["chosen"])
            actions[found["name"]] = _choice(
                index,
                range(int(found["first"]), int(found["last"]) + 1),
                again=bool(found["again"]),
            )
        elif found := _NOTHING.fullmatch(line):
            actions[found["name"]] = lambda _arguments, bindings, _query: iter([bindings])
        elif found := _ROW.fullmatch(line):
            head, body = (_term(found[part] or "true") for part in ("head", "body"))
            rows.setdefault(found["name"], []).append((List(head.arguments), body))  # type: ignore[union-attr]
    return {**actions, **{name: _table(some) for name, some in rows.items()}}


def _choice(index: int, values: Iterable[int], *, again: bool) -> Action:
    """One of the values, and if it does not fit there is no solution; or another one, ``again`` and
    again."""

    def action(
        arguments: tuple[Term, ...], bindings: Substitution, query: Query
    ) -> Iterator[Substitution]:
        left = list(values)
        while left:
            value = left.pop(query.mind.choose(len(left)))
            found = unified(arguments[index], value, bindings)
            if found is not None:
                yield found
            if not again:
                return

    return action


def _table(rows: Iterable[tuple[Term, Term]]) -> Action:
    def action(
        arguments: tuple[Term, ...], bindings: Substitution, query: Query
    ) -> Iterator[Substitution]:
        for row in rows:
            head, body = renamed(row)
            found = unified(List(arguments), head, bindings)
            if found is not None:
                yield from solutions(body, found, query)

    return action


def _term(text: str) -> Term:
    diagnostics = Diagnostics()
    term = read_term(Source("<internal>", text), diagnostics, 0, len(text))
    diagnostics.raise_errors()
    return term
