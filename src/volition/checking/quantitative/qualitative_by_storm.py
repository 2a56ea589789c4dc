"""Formulas about runs, answered by Storm.

Where chance is turned into choice, a run is what some strategy does with certainty, so the least
probability of a path formula is 1 if it holds on all runs and else 0, and the greatest is 1 if it
holds on some run.
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
    """Whether a formula about runs holds in the initial state, without evidence; ``graph`` is a
    process without chance."""
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
    """``A [..]`` and ``E [..]`` as bounds on extreme probabilities, which are 0 or 1: one half
    keeps clear of all rounding."""
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
