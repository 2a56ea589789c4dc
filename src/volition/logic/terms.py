"""What stands between the brackets of an atom, as a tree that belongs to no language: ``Does(ag1, bid(ag2, 4))``.

=====================  ================================================================
``ag1``, ``X``, ``_``   :class:`Name`
``4``, ``0.5``          :class:`Numeral`
``"hello"``, ``'b'``    :class:`Quotation`
``bid(ag2, 4)``         :class:`Call`
``(..)  [..]  {..}``    :class:`Group`, with what its commas part
``*``, ``->``           :class:`Symbol`
anything else           :class:`Phrase`: some of these in a row, such as ``a & b`` or ``Sea state is high``
=====================  ================================================================

The tree says where one argument ends and the next begins, and what is a name, a number or a quotation.  What a phrase means is a
matter of the language: it reads its ``span`` with its own grammar.  A tree may be nested as deep as a user likes: :func:`terms_in`
walks it without recursion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from volition.diagnostics import Span

__all__ = ["Bracket", "Call", "Group", "Name", "Numeral", "Phrase", "Quotation", "Symbol", "Term", "place_of", "terms_in"]

Bracket = Literal["(", "[", "{"]


@dataclass(frozen=True, slots=True, eq=False)
class _Written:
    span: Span

    @property
    def text(self) -> str:
        """The term as it was written."""
        return self.span.text


@dataclass(frozen=True, slots=True, eq=False)
class Name(_Written):
    """A word, or something that begins like one: ``ag1``, ``_``, ``2nd``."""


@dataclass(frozen=True, slots=True, eq=False)
class Numeral(_Written):
    """Digits, perhaps with a decimal point; a sign before it is a :class:`Symbol`."""


@dataclass(frozen=True, slots=True, eq=False)
class Quotation(_Written):
    """Anything in quotation marks, double or single."""

    @property
    def content(self) -> str:
        """What stands between the quotation marks."""
        return self.span.text[1:-1]


@dataclass(frozen=True, slots=True, eq=False)
class Symbol(_Written):
    """What is neither a word nor a bracket nor a comma."""


@dataclass(frozen=True, slots=True, eq=False)
class Group(_Written):
    """Brackets and the arguments between them."""

    bracket: Bracket
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call(_Written):
    """A name with arguments in round brackets."""

    functor: Name
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Phrase(_Written):
    """Several terms in a row; none where a comma has nothing on one of its sides."""

    parts: tuple[Term, ...]


Term = Name | Numeral | Quotation | Symbol | Group | Call | Phrase


def terms_in(terms: Sequence[Term]) -> Iterator[Term]:
    """Some terms and everything inside of them, in the order of the text."""
    waiting = list(reversed(terms))
    while waiting:
        term = waiting.pop()
        yield term
        match term:
            case Call():
                waiting += (*reversed(term.arguments), term.functor)
            case Group():
                waiting += reversed(term.arguments)
            case Phrase():
                waiting += reversed(term.parts)


def place_of(terms: Sequence[Term]) -> Span:
    """From the first of some arguments to the last, with the commas between them."""
    first, last = terms[0].span, terms[-1].span
    return first.source.span(first.start, last.end)
