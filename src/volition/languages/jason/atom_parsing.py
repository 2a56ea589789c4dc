"""Parser for the arguments of modalities in formulas, which use Jason syntax: ``Bel(bob,
~locked(door)[source(percept)])``, ``Int(bob, go(_))``."""

from __future__ import annotations

from collections.abc import Sequence

from volition.diagnostics import Diagnostic, Diagnostics, InputError, did_you_mean
from volition.languages.jason.parsing.statements import read_term
from volition.languages.jason.terms import And, Literal, Not, Or, Term, Variable
from volition.languages.world.property_terms import atom_of
from volition.languages.world.terms import Structure
from volition.logic.syntax import Atom

__all__ = ["MODALITIES", "agent_and_query", "parse_percept"]

MODALITIES = ("Bel", "Des", "Int", "Does", "Percept")


def agent_and_query(atom: Atom, agents: Sequence[str]) -> tuple[str, Term]:
    """Return the agent and the query of an atom such as ``Bel(bob, p & q)``.

    The agent may be omitted if the system has only one. The query of ``Bel`` may be any formula
    that is allowed in a context condition; the other modalities take a literal or a variable.
    Raises :class:`InputError` for an invalid atom.
    """
    if atom.modality not in MODALITIES:
        hint = did_you_mean(atom.modality, MODALITIES) or f"expected one of {', '.join(MODALITIES)}"
        raise InputError(
            [
                Diagnostic(
                    "JSN040", f"{atom.modality}(...) is not supported for Jason", atom.span, hint
                )
            ]
        )
    *named, last = atom.arguments or (None,)
    if last is None or len(named) > 1 or (not named and len(agents) > 1):
        hint = f"write {atom.modality}(agent, atom), such as {atom.modality}({agents[0]}, p)"
        raise InputError(
            [
                Diagnostic(
                    "JSN041",
                    f"{atom.modality} expects 2 arguments, got {len(atom.arguments)}",
                    atom.span,
                    hint,
                )
            ]
        )
    agent = named[0].text if named else agents[0]
    if agent not in agents:
        raise InputError(
            [
                Diagnostic(
                    "JSN043", f"unknown agent '{agent}'", named[0].span, did_you_mean(agent, agents)
                )
            ]
        )
    diagnostics = Diagnostics()
    query = read_term(last.span.source, diagnostics, last.span.start, last.span.end)
    diagnostics.raise_errors()
    kinds = Literal | And | Or | Not if atom.modality == "Bel" else Literal | Variable
    if not isinstance(query, kinds) or (isinstance(query, Literal) and query.is_internal):
        raise InputError(
            [
                Diagnostic(
                    "JSN042",
                    f"'{last.text}' is not an atom",
                    last.span,
                    "write a literal such as p(1) or p[source(bob)]",
                )
            ]
        )
    return agent, query


def parse_percept(atom: Atom) -> Structure:
    """Return the fact in an atom such as ``Percept(p(1))``: here ``p(1)``. The atom holds if the
    fact holds in the world, no matter which agent perceives it. Raises :class:`InputError` for an
    invalid atom."""
    if len(atom.arguments) != 1:
        raise InputError(
            [
                Diagnostic(
                    "JSN041", f"Percept expects 1 argument, got {len(atom.arguments)}", atom.span
                )
            ]
        )
    return atom_of(atom.arguments[0])
