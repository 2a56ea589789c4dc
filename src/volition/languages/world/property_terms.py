"""Conversion of the arguments of atoms in formulas (:mod:`volition.logic.terms`) to terms of the
agent languages (:mod:`.terms`).

The syntax of formulas also allows arguments that are not terms, such as ``p & q`` or ``{1}``. This
module reports them as errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from volition.diagnostics import Diagnostic, InputError, Source, Span, did_you_mean
from volition.languages.world.term_grammar import MAX_DIGITS, MAX_LEVELS
from volition.languages.world.terms import (
    MAX_NESTED,
    Structure,
    Term,
    Text,
    Variable,
    list_of,
    negation,
    number,
    show,
)
from volition.logic import terms as tree
from volition.logic.parsing.term_parser import parse_arguments
from volition.logic.syntax import Atom, Proposition

__all__ = ["agent_and_term", "atom_of", "fact_in", "term_of"]

_NAME = re.compile(r"[a-z]\w*")
_VARIABLE = re.compile(r"[A-Z_]\w*")


def term_of(written: tree.Term) -> Term:
    """Return the term that an argument of an atom denotes; raise :class:`InputError` if it is not a
    term."""
    level: list[tree.Term] = [written]
    for _ in range(MAX_LEVELS):
        level = [inner for each in level for inner in _inside(each)]
    if level:
        first = written.span.source.span(written.span.start, written.span.start + 1)
        raise _error("WLD004", f"this is nested more than {MAX_LEVELS} levels deep", first)
    return _term(written)


def atom_of(written: tree.Term) -> Structure:
    """Return the atom that an argument denotes, such as ``winner(ag3)``.

    Raise :class:`InputError` if it is not an atom.
    """
    term = term_of(written)
    if not isinstance(term, Structure) or isinstance(written, tree.BracketTerm):
        raise _unexpected(written.span, "expected a name, perhaps with arguments")
    return term


def agent_and_term(
    atom: Atom, agents: Sequence[str], *, miscounted: str, unknown: str
) -> tuple[str, Term]:
    """Return the agent and the term of an atom such as ``Bel(ag2, p(1))``. The agent may be omitted
    if there is only one.

    Raise :class:`InputError` with the code ``miscounted`` for a wrong number of arguments, and
    ``unknown`` for an unknown agent.
    """
    parts = [(term_of(each), each.span) for each in atom.arguments]
    if len(parts) == 1 and len(agents) == 1:
        parts = [(Structure(agents[0]), parts[0][1]), *parts]
    if len(parts) != 2:
        hint = f"write {atom.modality}(agent, atom), such as {atom.modality}({agents[0]}, p)"
        raise InputError(
            [
                Diagnostic(
                    miscounted,
                    f"{atom.modality} expects 2 arguments, got {len(parts)}",
                    atom.span,
                    hint,
                )
            ]
        )
    (agent, span), (query, _) = parts
    if show(agent) not in agents:
        raise InputError(
            [
                Diagnostic(
                    unknown,
                    f"unknown agent '{show(agent)}'",
                    span,
                    did_you_mean(show(agent), agents),
                )
            ]
        )
    return show(agent), query


def fact_in(atom: Proposition) -> Structure:
    """Return the fact that a proposition such as ``winner(ag3)`` denotes. Raise :class:`InputError`
    if it is not a single fact.

    In quotation marks, ``~`` is the strong negation of percepts; without them it is the negation of
    the formula.
    """
    written = atom.span
    if written is not None and written.text == f'"{atom.name}"':
        written = written.source.span(written.start + 1, written.end - 1)
    if (
        written is None or written.text != atom.name
    ):  # a quantified variable was replaced by an agent
        written = Source("<formula>", atom.name).span(0, len(atom.name))
    is_negated = written.text.startswith("~")
    arguments = parse_arguments(
        written.source.span(written.start + 1, written.end) if is_negated else written
    )
    if len(arguments) != 1:
        raise InputError(
            [
                Diagnostic(
                    "WLD002",
                    f"'{atom.name}' is not a single fact",
                    atom.span,
                    "write it like winner(ag3)",
                )
            ]
        )
    return negation(atom_of(arguments[0])) if is_negated else atom_of(arguments[0])


def _inside(term: tree.Term) -> Sequence[tree.Term]:
    match term:
        case tree.CallTerm() | tree.BracketTerm():
            return term.arguments
        case tree.TermSequence():
            return term.parts
        case tree.NameTerm() | tree.NumberTerm() | tree.QuotedTerm() | tree.SymbolTerm():
            pass
        case _:
            assert_never(term)
    return ()


def _term(written: tree.Term) -> Term:
    match written:
        case tree.NameTerm() if _NAME.fullmatch(written.text):
            return Structure(written.text)
        case tree.NameTerm() if _VARIABLE.fullmatch(written.text):
            return Variable(written.text)
        case tree.NumberTerm():
            return _number(written.span)
        case tree.QuotedTerm() if written.text[0] == '"' and "\n" not in written.text:
            return Text(written.content)
        case tree.CallTerm() if written.arguments and _NAME.fullmatch(written.functor.text):
            return Structure(written.functor.text, tuple(map(_term, written.arguments)))
        case tree.CallTerm():
            no_arguments = written.span.source.span(written.functor.span.end, written.span.end)
            raise _unexpected(
                no_arguments if _NAME.fullmatch(written.functor.text) else written.functor.span
            )
        case tree.BracketTerm(bracket="["):
            return _list(written)
        case tree.TermSequence(
            parts=(tree.SymbolTerm(text="-") as sign, tree.NumberTerm() as digits)
        ) if sign.span.end == digits.span.start:
            return _number(written.span)
        case tree.TermSequence(
            parts=(
                tree.NameTerm() | tree.NumberTerm() | tree.QuotedTerm() | tree.CallTerm() as first,
                second,
                *_,
            )
        ):
            _term(first)
            raise _unexpected(second.span, "an argument is a single term")
        case tree.TermSequence(parts=(first, *_)):
            raise _unexpected(first.span)
        case (
            tree.NameTerm()
            | tree.QuotedTerm()
            | tree.SymbolTerm()
            | tree.BracketTerm()
            | tree.TermSequence()
        ):
            pass
        case _:
            assert_never(written)
    raise _unexpected(written.span)


def _list(written: tree.BracketTerm) -> Term:
    """Return the term of a list ``[a, b]`` or ``[a, b | Rest]``. In the second form, the last
    argument of ``written`` is a sequence that contains the bar."""
    *items, last = written.arguments or (None,)
    if last is None:
        return list_of([])
    if len(items) >= MAX_NESTED:
        raise _error(
            "WLD006",
            f"list too long: {len(items) + 1} items, the limit is {MAX_NESTED}",
            written.span,
        )
    parts = last.parts if isinstance(last, tree.TermSequence) else ()
    bar = next((index for index, part in enumerate(parts) if part.text == "|"), None)
    terms = [_term(each) for each in items]
    if bar is None:
        return list_of([*terms, _term(last)])
    return list_of(
        [*terms, _term(_row(parts[:bar], parts[bar].span))],
        _term(_row(parts[bar + 1 :], parts[bar].span)),
    )


def _row(parts: Sequence[tree.Term], span: Span) -> tree.Term:
    """Return one term for several terms in sequence. A single term is returned as it is; several
    become a sequence term. Raise :class:`InputError` at ``span`` if there are none."""
    if not parts:
        raise _unexpected(span)
    return (
        parts[0]
        if len(parts) == 1
        else tree.TermSequence(tree.span_of_arguments(parts), tuple(parts))
    )


def _number(span: Span) -> Term:
    if len(span.text) > MAX_DIGITS:
        raise _error(
            "WLD005", f"number too long: {len(span.text)} digits, the limit is {MAX_DIGITS}", span
        )
    return number(span.text)


def _unexpected(
    span: Span, hint: str = "expected a name, a number, a quotation, a variable or a list"
) -> InputError:
    what = repr(span.text) if span.text else "end"
    return _error("WLD002", f"unexpected {what}", span, hint)


def _error(code: str, message: str, span: Span, hint: str | None = None) -> InputError:
    return InputError([Diagnostic(code, message, span, hint)])
