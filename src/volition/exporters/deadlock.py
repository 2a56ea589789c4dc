"""Rejection of the label ``"deadlock"`` in formulas that are exported to PRISM or Promela."""

from __future__ import annotations

from volition.checking.graph.propositions import DEADLOCK, resolve_atoms
from volition.diagnostics import Diagnostic, InputError
from volition.languages.protocols import Model
from volition.logic.syntax import Formula
from volition.logic.traversal import atomic_formulas, expand_agents

__all__ = ["refuse_deadlock"]


def refuse_deadlock(model: Model, formula: Formula, tool: str) -> None:
    """Raise :class:`InputError` if a formula contains ``"deadlock"`` in Volition's meaning: no
    component is enabled.

    A program may define a belief or a label with this name; it is then translated like any other.
    In Volition's meaning it cannot be translated: Promela has no expression for it, and a PRISM
    model need not stop where the program does.
    """
    expanded = expand_agents(formula, model.agents)
    resolved = resolve_atoms(model, expanded)
    if any(atom == DEADLOCK and atom not in resolved for atom in atomic_formulas(expanded)):
        hint = "check the program with the engine 'native', which answers it"
        raise InputError(
            [Diagnostic("EXP014", f'"deadlock" cannot be translated to {tool}', formula.span, hint)]
        )
