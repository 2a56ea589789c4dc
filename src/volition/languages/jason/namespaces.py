"""Namespaces of modules: to which namespace a name in a program belongs.

A module is the text between ``{begin namespace(n)}`` and ``{end}``, or a file included with a
namespace. In a module, an unqualified belief, goal, event or query gets the namespace of the
module. Terms do not: arguments of literals, annotations, items of lists, and both sides of a
relation. Everywhere in the module, ``::p`` and ``this_ns::p`` are in its namespace. Keywords such
as ``source(..)`` and ``self``, and actions, have no namespace.

A namespace that a file declares as local is distinct from those of the same name in other files.
Its internal name cannot be written in a program.
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
"""Name and arity of the terms that never have a namespace, even if the program writes one before
them."""


class Namespaces:
    """Namespaces that one file declares. None stands for the default namespace.

    ``numbers`` make the internal names of local namespaces unique in all files of an agent.
    ``this`` is the namespace of unqualified names at the position that is being parsed.
    """

    def __init__(self, numbers: Iterator[int] | None = None, this: str | None = None) -> None:
        self.this = this
        self._numbers = count(1) if numbers is None else numbers
        self._local: dict[str, str] = {}

    def named(self, word: str) -> str | None:
        """Return the namespace that the prefix ``word::`` of a name denotes, or None for the
        default namespace."""
        if word == "this_ns":
            return self.this
        return None if word == DEFAULT else word

    def declare(self, name: str, manner: str | None) -> str:
        """Return the namespace that a directive ``namespace(name, manner)`` declares. ``manner`` is
        ``local``, ``global`` or None."""
        if manner == "global":
            self._local.pop(name, None)
        if manner == "local" and name not in self._local:
            self._local[name] = new_name(self._numbers, name)
        return self._local[name] if manner == "local" else name

    def of(self, literal: Literal, namespace: str | None) -> str | None:
        """Return the namespace to which a literal belongs. ``namespace`` is the namespace that is
        written before the literal or, if none is written, the one that applies at its position.
        Local namespaces are replaced by their internal names."""
        if (
            namespace is None
            or literal.is_internal
            or (literal.functor, len(literal.arguments)) in _KEYWORDS
        ):
            return None
        return self._local.get(namespace, namespace)


def new_name(numbers: Iterator[int], name: str = "") -> str:
    """Return a new internal name for a local namespace. It begins with a character that programs
    cannot write in a namespace."""
    return f"{_LOCAL}{next(numbers)}{name}"


def has_local_names(term: Term) -> bool:
    """Return whether a term contains a literal of a local namespace."""
    return any(
        isinstance(part, Literal) and (part.namespace or "").startswith(_LOCAL)
        for part in subterms(term)
    )
