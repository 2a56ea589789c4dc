"""Variables in formulas: each atom has its own, so that a variable in two atoms is refused.

In ``[](loaded(X) -> Bel(a, seen(X)))`` people read one X for the whole formula, and mean all its
values; in ``<>(Bel(a, p(X)) & Bel(b, p(X)))`` they mean some value.  Under negations and temporal
operators neither reading follows from the text. In one atom a variable is what ``_`` is, and the
same value wherever it stands.
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
    """A variable that stands in an atom, at a place, and in another ``before`` it, as that is
    written."""

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
    """Each variable that stands in two atoms of a formula as it was written; ``names_in`` gives
    those of one atom."""
    first: dict[str, Atom | Proposition] = {}
    found: dict[str, SharedVariable] = {}
    for atom in subformulas(formula):
        if not isinstance(atom, Atom | Proposition):
            continue
        for name in dict.fromkeys(names_in(atom)):
            before = first.setdefault(name, atom)
            if _place(before) != _place(atom):
                found.setdefault(name, SharedVariable(name, formula_text(before), atom.span))
    return list(found.values())


def _place(atom: AtomicFormula) -> tuple[Span | None, Any]:
    """Where a leaf was written: what a quantifier over agents has made of one atom was written
    once."""
    return (atom.span, None) if atom.span is not None else (None, id(atom))
