"""Grammar of terms, shared by all languages with terms, and conversion of parse trees to
:mod:`.terms`.

A language adds :data:`TERM_GRAMMAR` to its grammar and reads parse trees with :class:`TermReader`
or a subclass.
"""

from __future__ import annotations

from typing import Any, cast

from lark import Token, Tree

from volition.diagnostics import Diagnostics, Source, Span
from volition.languages.world.terms import (
    EMPTY_LIST,
    MAX_NESTED,
    Structure,
    Term,
    Text,
    Variable,
    list_of,
    number,
)
from volition.parsing import span_of

__all__ = [
    "MAX_DIGITS",
    "MAX_LEVELS",
    "TERM_GRAMMAR",
    "TERM_NAMES",
    "TermReader",
    "is_nested_too_deeply",
]

TERM_GRAMMAR = r"""
?term: structure | variable | number | text | list
structure: NAME [ "(" term ("," term)* ")" ]
variable: VARIABLE
number: NUMBER
text: TEXT
list: "[" [ term ("," term)* [ "|" term ] ] "]"

NAME: /[a-z]\w*/
VARIABLE: /[A-Z_]\w*/
NUMBER: /-?\d+(\.\d+)?/
TEXT: /"[^"\n]*"/

%ignore /\s+/
%ignore /\/\/[^\n]*/
%ignore /\/\*(.|\n)*?\*\//
"""

TERM_NAMES = {
    "NAME": "a name",
    "VARIABLE": "a variable",
    "NUMBER": "a number",
    "TEXT": "a quotation",
    "LPAR": "'('",
    "LSQB": "'['",
}
"""Names of the terminals of the term grammar in error messages."""


MAX_LEVELS = 150
MAX_DIGITS = 300


def is_nested_too_deeply(tree: Tree[Token], source: Source, diagnostics: Diagnostics) -> bool:
    """Return whether the parse tree of a statement is nested too deeply, and report an error if so.

    Call this before any recursive function walks the tree.
    """
    level: list[Any] = [tree]
    for _ in range(MAX_LEVELS):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
        if not level:
            return False
    span = source.span(tree.meta.start_pos, tree.meta.start_pos + 1)
    diagnostics.error(
        "WLD004",
        f"this is nested more than {MAX_LEVELS} levels deep",
        span,
        hint="split it into several statements",
    )
    return True


class TermReader:
    """Converter from parse trees to terms. It knows the source text, to give positions and report
    errors."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics

    def span(self, node: Tree[Token] | Token) -> Span:
        return span_of(self.source, node)

    def term(self, tree: Tree[Token]) -> Term:
        match tree.data:
            case "structure":
                return self.structure(tree)
            case "variable":
                return Variable(str(tree.children[0]))
            case "number":
                return self._number(tree)
            case "text":
                return Text(str(tree.children[0])[1:-1])
            case "list":
                return self._list(tree)
            case _:
                pass
        raise AssertionError(f"no term: {tree.data}")

    def structure(self, tree: Tree[Token]) -> Structure:
        name, *arguments = tree.children
        return Structure(
            str(name),
            tuple(self.term(cast("Tree[Token]", each)) for each in arguments if each is not None),
        )

    def _number(self, tree: Tree[Token]) -> Term:
        digits = str(tree.children[0])
        if len(digits) > MAX_DIGITS:
            self.diagnostics.error(
                "WLD005",
                f"number too long: {len(digits)} digits, the limit is {MAX_DIGITS}",
                self.span(tree),
            )
            return 0
        return number(digits)

    def _list(self, tree: Tree[Token]) -> Term:
        # The last child is the tail after '|', or None for a list without a tail: with the Lark
        # option maybe_placeholders, an omitted optional part is None instead of missing.
        *items, tail = tree.children
        terms = [self.term(cast("Tree[Token]", each)) for each in items if each is not None]
        if len(terms) > MAX_NESTED:
            self.diagnostics.error(
                "WLD006",
                f"list too long: {len(terms)} items, the limit is {MAX_NESTED}",
                self.span(tree),
            )
            return EMPTY_LIST
        return (
            list_of(terms, self.term(cast("Tree[Token]", tail)))
            if tail is not None
            else list_of(terms)
        )
