"""Which questions a reduced space answers, and what it must be reduced for
(``docs/explanation/reduction.md``)."""

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

Reduce = Literal["auto", "off", "static", "full"]
"""How hard to look for steps whose order does not matter: where a space is large, not at all, by
what components were ever seen to read and write, or also by what they can do from each state on.
"""

REDUCTION_THRESHOLD = 10_000
"""Left alone, a space of up to so many states is explored as a whole: that takes no time, tells its
size, and finds short runs."""

NATIVE_ON_RUNS, NATIVE_ON_NUMBERS = ("auto", "native"), ("auto", "storm")


def no_reduction_reason(task: CheckTask) -> str | None:
    """Why a question needs the whole space, in words; None if a reduced one answers it."""
    settings, formula = task.settings, task.formula
    numeric = is_quantitative(formula)
    if settings.engine not in (NATIVE_ON_NUMBERS if numeric else NATIVE_ON_RUNS):
        return f"the engine {settings.engine} is given the whole space"
    if settings.fairness is not None and not numeric:
        return "fairness is about the turns of every component"
    formulas = [formula] if task.assumption is None else [formula, task.assumption]
    parts = [part for each in formulas for part in subformulas(each)]
    if any(isinstance(part, Next) or getattr(part, "bound", None) is not None for part in parts):
        return "the property counts steps"
    if any(isinstance(part, Reward | SteadyState | Multi) for part in parts):
        return "rewards, long runs and trade-offs depend on every step"
    if any(
        isinstance(part, Probability)
        and part.optimum is None
        and part.relation in (None, "=", "!=")
        for part in parts
    ):
        return "whether there is one probability depends on every choice"
    return irreducible_reason(task.model.system)


def is_branching(formula: Formula) -> bool:
    """Whether a formula looks at more than one run at a time: quantifiers within quantifiers, and
    probabilities."""
    return is_quantitative(formula) or any(
        isinstance(inner, PathQuantifier)
        for part in subformulas(formula)
        if isinstance(part, PathQuantifier)
        for child in children(part)
        for inner in subformulas(child)
    )


def build_reduction(tasks: Iterable[CheckTask], *, branching: bool, futures: bool) -> Reduction:
    """What a space must be reduced for so that it answers all the questions; ``branching`` if one
    of them is.

    That a state is terminal is seen as a fact among others by a formula that speaks of other things
    too, or of more than one run. Else it decides alone: terminal states and endless runs are never
    lost.
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
