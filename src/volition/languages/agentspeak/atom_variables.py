"""AgentSpeak(F) atoms inside the modalities of formulas, and their variables.

Variables are local to an atom: ``Bel(a, p(X,X))`` holds if a believes some ``p`` with two equal
arguments. The logic of Bordini et al., Sect. 4.2, has no variables except those over agents.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, assert_never

from volition.diagnostics import Diagnostic, InputError
from volition.languages.common.shared_variables import shared_variables
from volition.languages.world.property_terms import atom_of, fact_in
from volition.languages.world.terms import Structure, variables
from volition.logic.syntax import Atom, AtomicFormula, Formula, Identifier, Proposition

__all__ = ["check_shared_variables", "parse_atom", "parse_percept"]


class AtomReader(Protocol):
    """Parser for the arguments of a modality such as ``Bel(...)``."""

    def parse_agent_and_atom(self, atom: Atom) -> tuple[str, Structure]: ...


def parse_percept(atom: Atom) -> Structure:
    """Return the percept in an atom such as ``Percept(p(1))``, which does not name an agent. Raises
    :class:`InputError` if the atom does not have exactly one argument or the argument is not an
    atom."""
    if len(atom.arguments) != 1:
        raise InputError(
            [
                Diagnostic(
                    "ASP041",
                    f"{atom.modality} expects 1 argument, got {len(atom.arguments)}",
                    atom.span,
                )
            ]
        )
    return atom_of(atom.arguments[0])


def parse_atom(atom: AtomicFormula, reader: AtomReader) -> Structure | None:
    """Return the AgentSpeak(F) atom inside an atomic formula, such as ``p(1)`` in ``Bel(ag1,
    p(1))``. Return None if there is no such atom or it cannot be parsed."""
    try:
        match atom:
            case Atom("Percept"):
                return parse_percept(atom)
            case Atom():
                return reader.parse_agent_and_atom(atom)[1]
            case Proposition():
                return fact_in(atom)
            case Identifier():
                pass
            case _:
                assert_never(atom)
    except InputError:
        return None  # resolve() reports the error
    return None


def check_shared_variables(formula: Formula, reader: AtomReader) -> list[Diagnostic]:
    """Return an error for each variable that occurs in two atoms of a formula."""

    def names_in(atomic: AtomicFormula) -> Iterator[str]:
        atom = parse_atom(atomic, reader)
        return (name for name in (variables(atom) if atom is not None else ()) if name != "_")

    errors = []
    for each in shared_variables(formula, names_in):
        message = (
            f"{each.name} also occurs in '{each.first_use}', but variables are local to an "
            "atom: this would be another variable"
        )
        errors.append(Diagnostic("ASP045", message, each.span, each.hint))
    return errors
