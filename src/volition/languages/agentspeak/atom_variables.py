"""The atoms inside of formulas, and their variables: each atom has its own, as the logic of Bordini
et al., Sect. 4.2, has none but those over agents.

``Bel(a, p(X,X))`` holds where a believes some ``p`` of two equal things.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from volition.diagnostics import Diagnostic, InputError
from volition.languages.common.shared_variables import shared_variables
from volition.languages.world.property_terms import atom_of, fact_in
from volition.languages.world.terms import Structure, variables
from volition.logic.syntax import Atom, AtomicFormula, Formula, Proposition

__all__ = ["check_shared_variables", "parse_atom", "percept_in"]


class AtomReader(Protocol):
    """Who knows what stands between the brackets of ``Bel(...)``."""

    def parse_agent_and_atom(self, atom: Atom) -> tuple[str, Structure]: ...


def percept_in(atom: Atom) -> Structure:
    """``Percept(p(1))``: what is perceived, whoever perceives it; raises :class:`InputError`."""
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
    """The AgentSpeak(F) atom inside a leaf of a formula, None if there is none that can be read."""
    try:
        match atom:
            case Atom("Percept"):
                return percept_in(atom)
            case Atom():
                return reader.parse_agent_and_atom(atom)[1]
            case Proposition():
                return fact_in(atom)
    except InputError:
        return None  # whoever resolves the leaf says what is wrong with it
    return None


def check_shared_variables(formula: Formula, reader: AtomReader) -> list[Diagnostic]:
    """An error for each variable that stands in two atoms of a formula as it was written."""

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
