"""What an atom of a formula asks of a program with one agent, whose name may stand before it: ``Bel(robot, p)`` is ``Bel(p)``."""

from __future__ import annotations

from volition.diagnostics import Source, Span
from volition.logic.syntax import Atom
from volition.logic.terms import Term, place_of

__all__ = ["asked_of", "place_of_arguments"]


def asked_of(atom: Atom, agent: str) -> tuple[Term, ...]:
    """The arguments of an atom without the name of the agent, where it is the first of several."""
    first, *others = atom.arguments or (None,)
    return tuple(others) if first is not None and others and first.text == agent else atom.arguments


def place_of_arguments(atom: Atom, arguments: tuple[Term, ...]) -> Span:
    """Where some arguments of an atom stand, for a language's own grammar; an empty place where there are none."""
    return place_of(arguments) if arguments else Source("<formula>", atom.text).span(0, 0)
