"""Variables in formulas: each atom has its own.

In ``[](loaded(X) -> Bel(a, seen(X)))`` people read one X for the whole formula, and mean all its values; in
``<>(Bel(a, p(X)) & Bel(b, p(X)))`` they mean some value.  Under negations and temporal operators neither reading follows from the text, and
the logic of Bordini et al., Sect. 4.2, has no variables but those over agents.  So a variable in two atoms is refused.  In one atom it is
what ``_`` is, and the same value wherever it stands: ``Bel(a, p(X,X))`` holds where a believes some ``p`` of two equal things.
"""

from __future__ import annotations

from typing import Any, Protocol

from volition.diagnostics import Diagnostic, InputError, Span
from volition.languages.world.formula_terms import atom_of, fact_in
from volition.languages.world.terms import Structure, variables
from volition.logic.printing import show
from volition.logic.syntax import Atom, Formula, Leaf, Proposition
from volition.logic.tree import subformulas

__all__ = ["atom_in", "percept_in", "read_variables"]


class AtomReader(Protocol):
    """Who knows what stands between the brackets of ``Bel(...)``."""

    def agent_and_atom(self, leaf: Atom) -> tuple[str, Structure]: ...


def percept_in(leaf: Atom) -> Structure:
    """``Percept(p(1))``: what is perceived, whoever perceives it; raises :class:`InputError`."""
    if len(leaf.arguments) != 1:
        raise InputError([Diagnostic("ASP041", f"{leaf.modality} expects 1 argument, got {len(leaf.arguments)}", leaf.span)])
    return atom_of(leaf.arguments[0])


def atom_in(leaf: Leaf, reader: AtomReader) -> Structure | None:
    """The AgentSpeak(F) atom inside a leaf of a formula, None if there is none that can be read."""
    try:
        match leaf:
            case Atom("Percept"):
                return percept_in(leaf)
            case Atom():
                return reader.agent_and_atom(leaf)[1]
            case Proposition():
                return fact_in(leaf)
    except InputError:
        return None  # whoever resolves the leaf says what is wrong with it
    return None


def read_variables(formula: Formula, reader: AtomReader) -> list[Diagnostic]:
    """An error for each variable that stands in two atoms of a formula as it was written."""
    first: dict[str, Atom | Proposition] = {}
    mistakes: dict[str, Diagnostic] = {}
    for leaf in subformulas(formula):
        if not isinstance(leaf, Atom | Proposition) or (atom := atom_in(leaf, reader)) is None:
            continue
        for name in dict.fromkeys(variables(atom)):
            before = first.setdefault(name, leaf)
            if name != "_" and _place(before) != _place(leaf):
                hint = f"write the formula once for each value of {name}, or use _ where any value will do"
                message = f"{name} also occurs in '{show(before)}', but variables are local to an atom: this would be another variable"
                mistakes.setdefault(name, Diagnostic("ASP045", message, leaf.span, hint))
    return list(mistakes.values())


def _place(leaf: Leaf) -> tuple[Span | None, Any]:
    """Where a leaf was written: what a quantifier over agents has made of one atom was written once."""
    return (leaf.span, None) if leaf.span is not None else (None, id(leaf))
