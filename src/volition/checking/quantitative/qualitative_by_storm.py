"""Checking of qualitative formulas by Storm, by reduction to probabilities.

If every probabilistic outcome is a separate choice, each strategy has exactly one run. The minimum
probability of a path formula is then 1 if all runs satisfy it, else 0. The maximum is 1 if some run
satisfies it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from volition.checking.quantitative.check import check_quantitative
from volition.checking.quantitative.context import LoadedMdp
from volition.checking.task import CheckTask
from volition.checking.verdict import Verdict
from volition.logic.syntax import Formula, PathQuantifier, Probability
from volition.logic.traversal import map_children

__all__ = ["check_qualitative_by_storm"]


def check_qualitative_by_storm(task: CheckTask, graph: LoadedMdp) -> Verdict:
    """Return the verdict on a qualitative formula in the initial state, without evidence. ``graph``
    is an MDP in which every probabilistic outcome is a separate choice."""
    verdict = check_quantitative(
        replace(task, original_formula=_as_probability_bounds(task.formula)), graph
    )
    return Verdict(
        task.original_formula,
        "Storm, by extreme probabilities on the graph",
        verdict.seconds,
        verdict.holds,
        unknown=verdict.unknown,
    )


def _as_probability_bounds(formula: Formula) -> Formula:
    """Return the formula with ``A [..]`` and ``E [..]`` replaced by bounds on minimum and maximum
    probabilities. These probabilities are 0 or 1, so the threshold one half is safe from rounding.
    """
    changed: Formula = map_children(formula, _as_probability_bounds)
    if isinstance(changed, PathQuantifier):
        return Probability(
            changed.path,
            "min" if changed.quantifier == "A" else "max",
            ">=",
            Fraction(1, 2),
            span=changed.span,
        )
    return changed
