"""Formulas that an over-approximation can prove: those about all runs (ACTL*, which contains
LTL)."""

from __future__ import annotations

from volition.checking.graph.propositions import DEADLOCK
from volition.checking.task import CheckTask
from volition.logic.syntax import And, Formula, Iff, Implies, Not, PathQuantifier
from volition.logic.traversal import (
    QUANTITATIVE,
    atomic_formulas,
    children,
    is_ltl,
    is_propositional,
    is_quantitative,
)

__all__ = ["has_linear_counterexamples", "reason_not_universal"]


def reason_not_universal(task: CheckTask) -> str | None:
    """Return why a property cannot be decided on an over-approximation, as a clause for users; None
    if it can."""
    formula, assumption = task.formula, task.assumption
    if task.settings.engine not in ("auto", "native"):
        return f"engine {task.settings.engine} was requested"
    if is_quantitative(formula):
        return "it is about probabilities or rewards"
    if task.settings.fairness is not None:
        return "an over-approximation does not preserve fairness"
    if assumption is not None and not is_ltl(assumption):
        return "the assumption is not an LTL formula"
    if any(
        leaf == DEADLOCK and leaf not in task.resolved_atoms for leaf in atomic_formulas(formula)
    ):
        return "an over-approximation does not preserve deadlocks"
    if not _is_universal(formula, positive=True):
        return "it states that some run exists"
    return None


def _is_universal(formula: Formula, *, positive: bool) -> bool:
    """Return whether a formula is about all runs: every ``A`` is below an even number of negations,
    and every ``E`` below an odd number. ``positive`` states that the formula itself is below an
    even number."""
    if is_propositional(formula):
        return True
    match formula:
        case Not():
            return _is_universal(formula.operand, positive=not positive)
        case Implies():
            return _is_universal(formula.left, positive=not positive) and _is_universal(
                formula.right, positive=positive
            )
        case Iff():
            return all(
                _is_universal(part, positive=sign)
                for part in children(formula)
                for sign in (True, False)
            )
        case PathQuantifier():
            return (formula.quantifier == "A") == positive and _is_universal(
                formula.path, positive=positive
            )
        case _:
            pass
    return not isinstance(formula, QUANTITATIVE) and all(
        _is_universal(part, positive=positive) for part in children(formula)
    )


def has_linear_counterexamples(formula: Formula) -> bool:
    """Return whether every violation of a formula has a single run as counterexample. This holds
    for conjunctions of LTL formulas and of propositional formulas about the initial state."""
    match formula:
        case And():
            return has_linear_counterexamples(formula.left) and has_linear_counterexamples(
                formula.right
            )
        case PathQuantifier():
            return formula.quantifier == "A" and is_ltl(formula.path)
        case _:
            pass
    return is_propositional(formula)
