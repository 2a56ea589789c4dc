"""Export of linear-time formulas as automata in the Hanoi omega-automata format (HOA)."""

from __future__ import annotations

from volition.diagnostics import Diagnostic, InputError
from volition.exporters.formats import ExportRequest, ExportResult
from volition.logic.automata.hoa import to_hoa
from volition.logic.automata.translation import translate
from volition.logic.printing import as_typed, formula_text
from volition.logic.syntax import PathQuantifier
from volition.logic.traversal import is_ltl

__all__ = ["export_to_hoa"]


def export_to_hoa(request: ExportRequest) -> ExportResult:
    """Return the automata of the formulas, one after the other.

    Raise :class:`InputError` if there is no formula, or if one is not an LTL formula.
    """
    if not request.formulas:
        message = "no formula given to translate into an automaton"
        raise InputError([Diagnostic("CLI008", message, hint="give one")])
    paths = [
        formula.path if isinstance(formula, PathQuantifier) else formula
        for formula in request.formulas.values()
    ]
    others = [path for path in paths if not is_ltl(path)]
    if others:
        raise InputError(
            [
                Diagnostic("CLI010", f"'{as_typed(path)}' is not an LTL formula", path.span)
                for path in others
            ]
        )
    text = "".join(to_hoa(translate(path), name=formula_text(path)) for path in paths)
    return ExportResult("hoa", text)
