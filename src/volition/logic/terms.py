"""What stands between the brackets of an atom, as a tree that belongs to no language: ``Does(ag1,
bid(ag2, 4))``.

=====================  ================================================================ ``ag1``,
``X``, ``_``   :class:`Name` ``4``, ``0.5``          :class:`Numeral` ``"hello"``, ``'b'``
:class:`Quotation` ``bid(ag2, 4)``         :class:`Call` ``(..)  [..]  {..}``    :class:`Group`,
with what its commas part ``*``, ``->``           :class:`Symbol` anything else
:class:`Phrase`: some of these in a row, such as ``a & b`` or ``Sea state is high``
=====================  ================================================================

The tree says where one argument ends and the next begins, and what is a name, a number or a
quotation.  What a phrase means is a matter of the language: it reads its ``span`` with its own
grammar.  A tree may be nested as deep as a user likes: :func:`terms_in` walks it without recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

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
        """The term as it was written."""
        return self.span.text


@dataclass(frozen=True, slots=True, eq=False)
class NameTerm(_Term):
    """A word, or something that begins like one: ``ag1``, ``_``, ``2nd``."""


@dataclass(frozen=True, slots=True, eq=False)
class NumberTerm(_Term):
    """Digits, perhaps with a decimal point; a sign before it is a :class:`Symbol`."""


@dataclass(frozen=True, slots=True, eq=False)
class QuotedTerm(_Term):
    """Anything in quotation marks, double or single."""

    @property
    def content(self) -> str:
        """What stands between the quotation marks."""
        return self.span.text[1:-1]


@dataclass(frozen=True, slots=True, eq=False)
class SymbolTerm(_Term):
    """What is neither a word nor a bracket nor a comma."""


@dataclass(frozen=True, slots=True, eq=False)
class BracketTerm(_Term):
    """Brackets and the arguments between them."""

    bracket: Bracket
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CallTerm(_Term):
    """A name with arguments in round brackets."""

    functor: NameTerm
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TermSequence(_Term):
    """Several terms in a row; none where a comma has nothing on one of its sides."""

    parts: tuple[Term, ...]


Term = NameTerm | NumberTerm | QuotedTerm | SymbolTerm | BracketTerm | CallTerm | TermSequence


def terms_in(terms: Sequence[Term]) -> Iterator[Term]:
    """Some terms and everything inside of them, in the order of the text."""
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


def span_of_arguments(terms: Sequence[Term]) -> Span:
    """From the first of some arguments to the last, with the commas between them."""
    first, last = terms[0].span, terms[-1].span
    return first.source.span(first.start, last.end)
