"""Unification of Jason's terms, with annotations, and the instance of a term under bindings.

``p[A] = q[B]`` asks that the arguments agree and that each annotation of the left agrees with a different one of the right: left ⊆ right.
The left is a plan's trigger against an event, a query against a belief or the head of a rule, the left of ``=``.
"""

from __future__ import annotations

from collections.abc import Iterator

from volition.languages.jason.terms import Bindings, Literal, Term

__all__ = ["apply", "is_ground", "settled", "unifications", "unify", "variables", "without_annotations"]


def unify(left: Term, right: Term, bindings: Bindings) -> dict[str, Term] | None:
    """The bindings extended so that the terms agree, with the annotations of the left among those of the right; None if that cannot be."""
    raise NotImplementedError


def unifications(left: Term, right: Term, bindings: Bindings) -> Iterator[dict[str, Term]]:
    """As :func:`unify`, in every way in which the annotations of the left can be taken from those of the right (what queries go through)."""
    raise NotImplementedError


def apply(term: Term, bindings: Bindings, knowledge: object | None = None) -> Term:
    """The term with the values of its variables, its arithmetic and functions evaluated where nothing in them is unknown.

    Functions over beliefs (``.count(q)``, registered ones) need the knowledge, and stay as they are without it.
    """
    raise NotImplementedError


def settled(bindings: Bindings, names: Iterator[str]) -> dict[str, Term]:
    """The values of these variables alone, with nothing left to look up in the bindings; other free variables are called by their order."""
    raise NotImplementedError


def variables(term: Term) -> Iterator[str]:
    """The names of a term's variables, from left to right, as often as they occur."""
    raise NotImplementedError


def is_ground(term: Term) -> bool:
    """Whether a term has no variables."""
    raise NotImplementedError


def without_annotations(literal: Literal) -> Literal:
    """The literal alone."""
    raise NotImplementedError
