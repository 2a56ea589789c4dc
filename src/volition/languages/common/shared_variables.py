"""Detection of variables that occur in several atoms of a formula, which is an error.

The scope of a variable is one atom, so two atoms never share a variable, although readers would
expect it. In ``[](loaded(X) -> Bel(a, seen(X)))`` they expect a universal quantifier over the whole
formula, in ``<>(Bel(a, p(X)) & Bel(b, p(X)))`` an existential one. The formula does not say which
one is meant, and under negations and temporal operators the two differ. Therefore shared variables
are not allowed.

Within one atom a variable matches any value, as ``_`` does, but the same value at each occurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from volition.diagnostics import Span
from volition.logic.printing import formula_text
from volition.logic.syntax import Atom, AtomicFormula, Formula, Proposition
from volition.logic.traversal import subformulas

__all__ = ["SharedVariable", "shared_variables"]


@dataclass(frozen=True, slots=True)
class SharedVariable:
    """Variable that occurs in two atoms of a formula. ``first_use`` is the text of the first atom,
    ``span`` the span of the second."""

    name: str
    first_use: str
    span: Span | None

    @property
    def hint(self) -> str:
        return (
            f"write the formula once for each value of {self.name}, or use _ where any value "
            "will do"
        )


def shared_variables(
    formula: Formula, names_in: Callable[[AtomicFormula], Iterable[str]]
) -> list[SharedVariable]:
    """Return each variable that occurs in two different atoms of a formula. Copies of an atom that
    the expansion of a quantifier over agents created count as one atom.

    ``names_in`` returns the variables of one atom.
    """
    first: dict[str, Atom | Proposition] = {}
    found: dict[str, SharedVariable] = {}
    for atom in subformulas(formula):
        if not isinstance(atom, Atom | Proposition):
            continue
        for name in dict.fromkeys(names_in(atom)):
            earlier = first.setdefault(name, atom)
            if _atom_identity(earlier) != _atom_identity(atom):
                found.setdefault(name, SharedVariable(name, formula_text(earlier), atom.span))
    return list(found.values())


def _atom_identity(atom: AtomicFormula) -> tuple[Span | None, Any]:
    """Return a key that identifies an atom in the text of a formula.

    The copies of an atom that the expansion of a quantifier over agents creates have the same key,
    because they have the same span.
    """
    return (atom.span, None) if atom.span is not None else (None, id(atom))
