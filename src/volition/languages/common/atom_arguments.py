"""What an atom of a formula asks of a program with one agent, whose name may stand before it:
``Bel(robot, p)`` is ``Bel(p)``.

What stands between the brackets reaches a language as a tree (:mod:`volition.logic.terms`): names,
numbers, quotations, terms.  A language whose atoms say more than that, such as CAN's conditions,
Dribble's plans and LISA's sentences, reads it with the grammar of its programs where
:func:`own_words` says, so that every caret points into the formula.
"""

from __future__ import annotations

from volition.diagnostics import Source, Span
from volition.logic.syntax import Atom
from volition.logic.terms import Term, span_of_arguments

__all__ = ["argument_span", "arguments_without_agent"]


def arguments_without_agent(atom: Atom, agent: str) -> tuple[Term, ...]:
    """The arguments of an atom without the name of the agent, where it is the first of several."""
    first, *others = atom.arguments or (None,)
    return tuple(others) if first is not None and others and first.text == agent else atom.arguments


def argument_span(atom: Atom, agent: str) -> Span:
    """Where that stands which an atom asks of the agent, for a language's own grammar; an empty
    place where there is nothing."""
    if queried := arguments_without_agent(atom, agent):
        return span_of_arguments(queried)
    if atom.span is None:
        return Source("<formula>", atom.text).span(0, 0)
    return atom.span.source.span(atom.span.end - 1, atom.span.end - 1)
