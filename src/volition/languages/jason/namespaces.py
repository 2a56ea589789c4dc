"""Namespaces of modules: what a name means that is written without one, or with ``this_ns::`` or
``::``, and names that are local.

A module is what stands between ``{begin namespace(n)}`` and ``{end}``, or in a file that is
included with a namespace.  There a belief, a goal, an event and what is asked gets the namespace
where it is written without any; terms do not, as the arguments of literals, annotations, the items
of lists and both sides of a relation.  In all of them ``::p`` and ``this_ns::p`` are the module's
own. Words of the language itself, such as ``source(..)`` and ``self``, have no namespace, nor do
actions.

A namespace that a file declares as local is another one than what others call so, and nobody else
can write its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from volition.languages.jason.terms import Literal, Term
from volition.languages.jason.traversal import subterms

__all__ = ["DEFAULT", "Namespaces", "has_local_names", "new_name"]

DEFAULT = "default"
_LOCAL = "#"
_KEYWORDS = frozenset(
    [
        ("atomic", 0),
        ("breakpoint", 0),
        ("all_unifs", 0),
        ("default", 0),
        ("this_ns", 0),
        ("source", 1),
        ("self", 0),
        ("percept", 0),
        ("tell", 0),
        ("untell", 0),
        ("achieve", 0),
        ("unachieve", 0),
        ("askOne", 0),
        ("askAll", 0),
        ("askHow", 0),
        ("tellHow", 0),
        ("untellHow", 0),
    ]
)
"""Name and arity of what has no namespace, whatever is written before it."""


class Namespaces:
    """The namespaces of one file; None is the default namespace.

    ``numbers`` make local names differ in all files of an agent, and ``this`` is the module that is
    read at present.
    """

    def __init__(self, numbers: Iterator[int] | None = None, this: str | None = None) -> None:
        self.this = this
        self._numbers = count(1) if numbers is None else numbers
        self._local: dict[str, str] = {}

    def named(self, word: str) -> str | None:
        """What ``word::`` stands for."""
        if word == "this_ns":
            return self.this
        return None if word == DEFAULT else word

    def declare(self, name: str, manner: str | None) -> str:
        """The namespace that a directive speaks of, ``local``, ``global`` or without saying so."""
        if manner == "global":
            self._local.pop(name, None)
        if manner == "local" and name not in self._local:
            self._local[name] = new_name(self._numbers, name)
        return self._local[name] if manner == "local" else name

    def of(self, literal: Literal, namespace: str | None) -> str | None:
        """The namespace of a literal that is written in one."""
        if (
            namespace is None
            or literal.is_internal
            or (literal.functor, len(literal.arguments)) in _KEYWORDS
        ):
            return None
        return self._local.get(namespace, namespace)


def new_name(numbers: Iterator[int], name: str = "") -> str:
    """A namespace that nobody can write."""
    return f"{_LOCAL}{next(numbers)}{name}"


def has_local_names(term: Term) -> bool:
    """Whether something in a term is of a namespace that nobody else can write."""
    return any(
        isinstance(part, Literal) and (part.namespace or "").startswith(_LOCAL)
        for part in subterms(term)
    )
