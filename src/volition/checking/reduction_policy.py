"""Policy for partial-order reduction: decides which properties a reduced state space can answer,
and what the reduction must preserve (``docs/explanation/reduction.md``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from volition.checking.graph.propositions import DEADLOCK
from volition.checking.task import CheckTask
from volition.kernel import SlotView
from volition.kernel.reduction import Reduction, irreducible_reason
from volition.logic.syntax import (
    AtomicFormula,
    Formula,
    Multi,
    Next,
    PathQuantifier,
    Probability,
    Reward,
    SteadyState,
)
from volition.logic.traversal import atomic_formulas, children, is_quantitative, subformulas

__all__ = [
    "REDUCTION_THRESHOLD",
    "Reduce",
    "build_reduction",
    "is_branching",
    "no_reduction_reason",
]

Reduce = Literal["auto", "off", "static", "lookahead"]
"""Kind of partial-order reduction to use.

``auto`` reduces only large spaces and ``off`` none. ``static`` derives the independence of steps
from the slots that components have read and written in any state. ``lookahead`` also uses what each
component can do in the future of a state.
"""

REDUCTION_THRESHOLD = 10_000
"""Number of states up to which the setting ``auto`` explores without partial-order reduction. Full
exploration of so few states is fast, gives the exact size of the space, and finds short runs."""

NATIVE_ON_RUNS, NATIVE_ON_NUMBERS = ("auto", "native"), ("auto", "storm")


def no_reduction_reason(task: CheckTask) -> str | None:
    """Return why a property needs the full state space, as text for users; None if a reduced space
    decides it."""
    settings, formula = task.settings, task.formula
    numeric = is_quantitative(formula)
    if settings.engine not in (NATIVE_ON_NUMBERS if numeric else NATIVE_ON_RUNS):
        return f"the engine {settings.engine} needs the whole space"
    if settings.fairness is not None and not numeric:
        return "fairness depends on the moves of every component"
    formulas = [formula] if task.assumption is None else [formula, task.assumption]
    parts = [part for each in formulas for part in subformulas(each)]
    if any(isinstance(part, Next) or getattr(part, "bound", None) is not None for part in parts):
        return "the property counts steps"
    if any(isinstance(part, Reward | SteadyState | Multi) for part in parts):
        return "rewards, long-run averages and trade-offs depend on every step"
    if any(
        isinstance(part, Probability)
        and part.optimum is None
        and part.relation in (None, "=", "!=")
        for part in parts
    ):
        return "whether the probability is unique depends on every choice"
    return irreducible_reason(task.model.system)


def is_branching(formula: Formula) -> bool:
    """Return whether a formula is about more than one run at a time: it has nested path
    quantifiers, or probabilities."""
    return is_quantitative(formula) or any(
        isinstance(inner, PathQuantifier)
        for part in subformulas(formula)
        if isinstance(part, PathQuantifier)
        for child in children(part)
        for inner in subformulas(child)
    )


def build_reduction(tasks: Iterable[CheckTask], *, branching: bool, futures: bool) -> Reduction:
    """Return the partial-order reduction that preserves the properties of all tasks. ``branching``
    says whether they are branching formulas, and ``futures`` selects the ``lookahead`` reduction.

    The proposition ``"deadlock"`` needs no care in a formula that has no other atom and is about
    one run at a time, because reduction never loses a deadlock state or an infinite run. In any
    other formula with ``"deadlock"``, the reduction must treat steps into deadlock states as
    visible.
    """
    functions: dict[AtomicFormula, Callable[[SlotView], Any]] = {}
    deadlock = False
    for task in tasks:
        functions.update(task.resolved_atoms)
        formulas = {
            *atomic_formulas(task.formula),
            *(() if task.assumption is None else atomic_formulas(task.assumption)),
        }
        deadlock = deadlock or (
            DEADLOCK in formulas
            and DEADLOCK not in task.resolved_atoms
            and (branching or len(formulas) > 1)
        )
    return Reduction(
        tuple(functions.values()), deadlock_visible=deadlock, branching=branching, lookahead=futures
    )
