"""Language-independent syntax tree for the arguments of an atom, such as ``Does(ag1, bid(ag2,
4))``.

- ``ag1``, ``X``, ``_``: :class:`NameTerm`
- ``4``, ``0.5``: :class:`NumberTerm`
- ``"hello"``, ``'b'``: :class:`QuotedTerm`
- ``bid(ag2, 4)``: :class:`CallTerm`
- ``(..)``, ``[..]``, ``{..}``: :class:`BracketTerm`, with the arguments between its commas
- ``*``, ``->``: :class:`SymbolTerm`
- ``a & b``, ``Sea state is high``: :class:`TermSequence`, several of these in a row

The tree separates the arguments and classifies names, numbers and quotations. The meaning of a term
sequence depends on the language, which parses its ``span`` with its own grammar. Trees may be
nested to any depth: :func:`terms_in` traverses them without recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from volition.diagnostics import Span

__all__ = [
    "Bracket",
    "BracketTerm",
    "CallTerm",
    "NameTerm",
    "NumberTerm",
    "QuotedTerm",
    "SymbolTerm",
    "Term",
    "TermSequence",
    "span_of_arguments",
    "terms_in",
]

Bracket = Literal["(", "[", "{"]


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    span: Span

    @property
    def text(self) -> str:
        """Text of the term as written in the formula."""
        return self.span.text


@dataclass(frozen=True, slots=True, eq=False)
class NameTerm(_Term):
    """Name in the arguments of an atom: letters, digits and underscores that are not a number, such
    as ``ag1``, ``_`` or ``2nd``."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberTerm(_Term):
    """Number in the arguments of an atom: digits, optionally with a decimal point. A sign before
    them is a :class:`SymbolTerm`."""


@dataclass(frozen=True, slots=True, eq=False)
class QuotedTerm(_Term):
    """Text in double or single quotation marks, in the arguments of an atom."""

    @property
    def content(self) -> str:
        """Text between the quotation marks."""
        return self.span.text[1:-1]


@dataclass(frozen=True, slots=True, eq=False)
class SymbolTerm(_Term):
    """Token in the arguments of an atom that is not a word, a number, a quotation, a bracket or a
    comma."""


@dataclass(frozen=True, slots=True, eq=False)
class BracketTerm(_Term):
    """Pair of brackets in the arguments of an atom, and the arguments between them."""

    bracket: Bracket
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CallTerm(_Term):
    """Name followed by arguments in round brackets, such as ``bid(ag2, 4)``."""

    functor: NameTerm
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TermSequence(_Term):
    """Several terms in a row that form one argument of an atom. The sequence is empty if the
    argument is empty, as after the comma in ``Bel(a,)``."""

    parts: tuple[Term, ...]


Term = NameTerm | NumberTerm | QuotedTerm | SymbolTerm | BracketTerm | CallTerm | TermSequence


def terms_in(terms: Sequence[Term]) -> Iterator[Term]:
    """Yield the terms and all their subterms, in the order of the text."""
    waiting = list(reversed(terms))
    while waiting:
        term = waiting.pop()
        yield term
        match term:
            case CallTerm():
                waiting += (*reversed(term.arguments), term.functor)
            case BracketTerm():
                waiting += reversed(term.arguments)
            case TermSequence():
                waiting += reversed(term.parts)
            case NameTerm() | NumberTerm() | QuotedTerm() | SymbolTerm():
                pass
            case _:
                assert_never(term)


def span_of_arguments(terms: Sequence[Term]) -> Span:
    """Return the span from the first argument to the last, including the commas between them."""
    first, last = terms[0].span, terms[-1].span
    return first.source.span(first.start, last.end)
