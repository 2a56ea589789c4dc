"""Internal actions on strings. A term that is not a string is converted to its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from volition.languages.jason.library.arguments import (
    Action,
    gives,
    items_of,
    plain_text,
    values_of,
    whole_number,
)
from volition.languages.jason.printing import printed
from volition.languages.jason.queries import ActionError, QueryContext
from volition.languages.jason.terms import Bindings, List, Term, Text, Variable
from volition.languages.jason.unification import unify

__all__ = ["STRINGS"]

Arguments = tuple[Term, ...]


def concat(arguments: Arguments, bindings: Bindings, knowledge: QueryContext) -> Iterator[Bindings]:
    """Implement ``.concat(A, B, .., R)``: R is the concatenation of lists, or of the texts of other
    terms."""
    if len(arguments) < 2:
        raise ActionError("takes 2 arguments or more")
    *some, result = values_of(arguments, bindings, knowledge, len(arguments))
    if isinstance(some[0], List):
        if not isinstance(result, List | Variable):
            raise ActionError(f"{result} is not a list")
        return gives(
            List(tuple(item for each in some for item in items_of(each))), result, bindings
        )
    reported = result if isinstance(result, Text | Variable) else Text(printed(result, bindings))
    return gives(Text("".join(plain_text(each, bindings) for each in some)), reported, bindings)


def substring(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.substring(S, T)``: succeed if the string S occurs in T. ``.substring(S, T, I,
    J)``: I and J are the indices of the first and the last character of each occurrence. If S is
    unbound and I is bound, S is the part of T from I to before J, or to the end."""
    part, whole, *positions = values_of(arguments, bindings, knowledge, 2, 3, 4)
    if positions and isinstance(positions[0], int | float):
        for unknown, known in ((part, whole), (whole, part)):
            if isinstance(unknown, Variable):
                yield from gives(unknown, _cut(plain_text(known, bindings), positions), bindings)
                return
    requested, text = plain_text(part, bindings), plain_text(whole, bindings)
    if not positions:
        if requested in text:
            yield bindings
        return
    for match in re.finditer(f"(?={re.escape(requested)})", text):
        start = match.start()
        found = unify(positions[0], start, bindings) if start < len(text) else None
        if found is not None and len(positions) > 1:
            found = unify(positions[1], start + len(requested) - 1, found)
        if found is not None:
            yield found


def _cut(text: str, positions: list[Term]) -> Text:
    start = whole_number(positions[0])
    end = (
        whole_number(positions[1])
        if len(positions) > 1 and isinstance(positions[1], int | float)
        else len(text)
    )
    if not 0 <= start <= end <= len(text):
        raise ActionError(f'"{text}" has no part from {start} to {end}')
    return Text(text[start:end])


def replace(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.replace(T, Old, New, R)``: R is the string T with all matches of the regular
    expression Old replaced by New."""
    whole, old, new, result = values_of(arguments, bindings, knowledge, 4)
    if not isinstance(old, Text) or not isinstance(new, Text):
        raise ActionError(f"{old} and {new} must be strings")
    try:
        changed = re.sub(old.value, lambda _: new.value, plain_text(whole, bindings))
    except re.error:
        raise ActionError(f"{old} is not a regular expression") from None
    return gives(Text(changed), result, bindings)


def lower_case(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.lower_case(T, R)``: R is the string T in lower case."""
    whole, result = values_of(arguments, bindings, knowledge, 2)
    return gives(Text(plain_text(whole, bindings).lower()), result, bindings)


def upper_case(
    arguments: Arguments, bindings: Bindings, knowledge: QueryContext
) -> Iterator[Bindings]:
    """Implement ``.upper_case(T, R)``: R is the string T in upper case."""
    whole, result = values_of(arguments, bindings, knowledge, 2)
    return gives(Text(plain_text(whole, bindings).upper()), result, bindings)


STRINGS: Mapping[str, Action] = {
    ".concat": concat,
    ".substring": substring,
    ".replace": replace,
    ".lower_case": lower_case,
    ".upper_case": upper_case,
}
