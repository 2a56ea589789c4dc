"""Arguments of the atoms in formulas about a program with one agent.

The agent's name may come first: ``Bel(robot, p)`` means ``Bel(p)``.

Arguments reach a language as a tree (:mod:`volition.logic.terms`) of names, numbers, quotations and
terms. Some languages have richer arguments: CAN's conditions, Dribble's plans, LISA's sentences.
Such a language parses the text in :func:`argument_span` with its own grammar, so that every error
position points into the formula.
"""

from __future__ import annotations

from volition.diagnostics import Source, Span
from volition.logic.syntax import Atom
from volition.logic.terms import Term, span_of_arguments

__all__ = ["argument_span", "arguments_without_agent"]


def arguments_without_agent(atom: Atom, agent: str) -> tuple[Term, ...]:
    """Return the arguments of an atom without the agent's name.

    The name is dropped only if it is the first of at least two arguments.
    """
    first, *others = atom.arguments or (None,)
    return tuple(others) if first is not None and others and first.text == agent else atom.arguments


def argument_span(atom: Atom, agent: str) -> Span:
    """Return the span of an atom's arguments, without the agent's name.

    The span is empty if the atom has no arguments.
    """
    if queried := arguments_without_agent(atom, agent):
        return span_of_arguments(queried)
    if atom.span is None:
        return Source("<formula>", atom.text).span(0, 0)
    return atom.span.source.span(atom.span.end - 1, atom.span.end - 1)
