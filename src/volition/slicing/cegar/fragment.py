"""Which formulas an over-approximation can prove: those that speak of all runs, never of some
(ACTL*, with LTL in it)."""

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
    """Why a question cannot be answered on an over-approximation, None if it can."""
    formula, assumption = task.formula, task.assumption
    if task.settings.engine not in ("auto", "native"):
        return f"engine {task.settings.engine} was asked for"
    if is_quantitative(formula):
        return "it asks for probabilities or rewards"
    if task.settings.fairness is not None:
        return "an over-approximation knows nothing of fairness"
    if assumption is not None and not is_ltl(assumption):
        return "the assumption is not a formula about one run"
    if any(
        leaf == DEADLOCK and leaf not in task.resolved_atoms for leaf in atomic_formulas(formula)
    ):
        return "where nothing can move is not known of an over-approximation"
    if not _is_universal(formula, positive=True):
        return "it says that some run exists"
    return None


def _is_universal(formula: Formula, *, positive: bool) -> bool:
    """Whether every ``A`` is below an even number of negations, and every ``E`` below an odd
    one."""
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
    return not isinstance(formula, QUANTITATIVE) and all(
        _is_universal(part, positive=positive) for part in children(formula)
    )


def has_linear_counterexamples(formula: Formula) -> bool:
    """Whether one run shows each violation: conjunctions of LTL and of what holds of the initial
    state."""
    match formula:
        case And():
            return has_linear_counterexamples(formula.left) and has_linear_counterexamples(
                formula.right
            )
        case PathQuantifier():
            return formula.quantifier == "A" and is_ltl(formula.path)
    return is_propositional(formula)
