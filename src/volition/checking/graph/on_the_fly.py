"""On-the-fly checking: decide a formula while the state space is being explored.

- **Invariants and reachability** (``A [ G p ]``, ``E [ F p ]`` and formulas equivalent to them):
  exploration stops at the first state that violates the invariant or is the target
  (:func:`on_the_fly_query`). Exploration is breadth-first, so no other such state is closer to the
  initial state.
- **All other formulas**: the space is explored in stages, each eight times as large as the one
  before, and the formula is checked after each stage. A counterexample or witness inside the
  explored part is one of the whole system. A bug near the initial state is therefore found early in
  a large exploration. Each stage continues the one before, so no state is explored twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from volition.checking.graph.propositions import predicate
from volition.checking.graph.qualitative import check_qualitative, why_undecided
from volition.checking.graph.witnesses import shortest_run_to
from volition.checking.task import CheckTask
from volition.checking.verdict import Evidence, Lazy, Verdict
from volition.kernel import (
    Limits,
    Predicate,
    Progress,
    StateSpace,
    System,
    explore,
    explore_further,
)
from volition.kernel.reduction import Reduction
from volition.logic.syntax import And, Finally, Formula, Globally, Not, Or, PathQuantifier
from volition.logic.traversal import atomic_formulas, is_ltl, is_propositional

__all__ = ["OnTheFlyQuery", "check_while_exploring", "explore_more", "on_the_fly_query"]

FIRST_STAGE = 10_000
GROWTH = 8


@dataclass(frozen=True, slots=True)
class OnTheFlyQuery:
    """Search for a single state that decides a formula, such as a violation of an invariant. Pass
    ``stop_when`` to :func:`explore`, then call :meth:`verdict`.

    ``holds_if_found`` is true for reachability, where the state found is a witness. It is false for
    an invariant, where the state found is a violation.
    """

    formula: Formula
    stop_when: Predicate
    holds_if_found: bool

    def verdict(self, space: StateSpace) -> Verdict:
        """Return the verdict on the formula, given the space from an exploration that used
        ``stop_when``."""
        verdict = Verdict(self.formula, "decided during exploration", 0.0)
        hit = space.stop_state
        if hit is not None:
            return replace(
                verdict,
                holds=self.holds_if_found,
                evidence=Evidence(run=Lazy(lambda: shortest_run_to(space, hit))),
            )
        if space.complete:
            return replace(verdict, holds=not self.holds_if_found)
        return replace(verdict, unknown=why_undecided(space, "E" if self.holds_if_found else "A"))


def on_the_fly_query(task: CheckTask) -> OnTheFlyQuery | None:
    """Return the search for a formula that a single state decides (an invariant or reachability);
    None for other formulas.

    Under fairness the result is the same, because fair runs reach all reachable states. With an
    assumption the result is None: runs that satisfy the assumption may not reach all states.
    """
    formula = task.formula
    if task.assumption is not None:
        return None
    for quantifier, holds_if_hit in (("A", False), ("E", True)):
        searched = _target_formula(formula, quantifier)
        if searched is not None and all(
            atom in task.resolved_atoms for atom in atomic_formulas(formula)
        ):
            return OnTheFlyQuery(
                task.original_formula, predicate(searched, task.resolved_atoms), holds_if_hit
            )
    return None


def _target_formula(formula: Formula, quantifier: str) -> Formula | None:
    """Return a propositional formula for the states to search for. For an invariant (quantifier
    ``A``) they are the states that violate it. For reachability (quantifier ``E``) they are the
    states to be reached. None if ``formula`` is neither."""
    match formula:
        case PathQuantifier() if formula.quantifier == quantifier:
            return _on_path(formula.path, positive=quantifier == "E")
        case Not():
            return _target_formula(formula.operand, "E" if quantifier == "A" else "A")
        case And() if quantifier == "A":
            return _either(formula, lambda part: _target_formula(part, quantifier))
        case Or() if quantifier == "E":
            return _either(formula, lambda part: _target_formula(part, quantifier))
        case _:
            return None


def _on_path(path: Formula, *, positive: bool) -> Formula | None:
    """Return ``p`` if the path formula is equivalent to ``F p`` (if ``positive``) or to ``!F p``
    (if not); None otherwise."""
    match path:
        case Not():
            return _on_path(path.operand, positive=not positive)
        case Finally(bound=None) if positive and is_propositional(path.operand):
            return path.operand
        case Globally(bound=None) if not positive and is_propositional(path.operand):
            return Not(path.operand)
        case Or() if positive:
            return _either(path, lambda part: _on_path(part, positive=True))
        case And() if not positive:
            return _either(path, lambda part: _on_path(part, positive=False))
        case _:
            return None


def _either(formula: And | Or, search: Callable[[Formula], Formula | None]) -> Formula | None:
    left, right = search(formula.left), search(formula.right)
    return None if left is None or right is None else Or(left, right)


def check_while_exploring(
    task: CheckTask,
    progress: Callable[[Progress], None] | None = None,
    so_far: StateSpace | None = None,
    *,
    reduction: Reduction | None = None,
) -> tuple[StateSpace, Verdict]:
    """Explore a model only as far as a formula needs, and return the space and the verdict.

    ``so_far`` is the part of the model that was explored for earlier properties; exploration
    continues from it. With a partial-order ``reduction``, the verdict on a partly explored space is
    unknown unless a run inside this space proves it.
    """
    limits = task.settings.limits
    query = on_the_fly_query(task)
    if query is not None:
        space = explore_more(
            task.model.system, so_far, limits, query.stop_when, progress, reduction
        )
        verdict = query.verdict(space)
        if verdict.holds is not True or query.holds_if_found:
            return space, verdict
        # The invariant holds. Check it on the complete space to find out whether it holds
        # vacuously.
        return space, check_qualitative(task, space)
    start = time.perf_counter()
    # If the part explored so far is larger than the first stage, the first limit on states is below
    # the size of this part. Then nothing is explored before this part has been checked.
    stage = FIRST_STAGE if so_far is None else max(FIRST_STAGE, so_far.num_states - 1)
    while True:
        so_far = space = explore_more(
            task.model.system,
            so_far,
            _stage_limits(limits, stage, start),
            None,
            progress,
            reduction,
        )
        verdict = check_qualitative(task, space)
        if (
            reduction is not None
            and not space.complete
            and not _shown_by_a_run(task.formula, verdict)
        ):
            why = space.stopped.text if space.stopped is not None else ""
            verdict = Verdict(
                task.original_formula,
                verdict.method,
                verdict.seconds,
                unknown=f"no run in the explored part shows it ({why})",
            )
        ours = (
            space.stopped is not None
            and space.stopped.reason == "states"
            and (limits.states is None or stage < limits.states)
        )
        if verdict.unknown is None or not ours:
            return space, verdict
        stage *= GROWTH


def _shown_by_a_run(formula: Formula, verdict: Verdict) -> bool:
    """Return whether a single run proves the verdict: a witness of ``E``, or a counterexample of
    ``A``."""
    return (
        isinstance(formula, PathQuantifier)
        and is_ltl(formula.path)
        and verdict.holds is (formula.quantifier == "E")
    )


def explore_more(
    system: System,
    space: StateSpace | None,
    limits: Limits,
    stop_when: Predicate | None,
    progress: Callable[[Progress], None] | None,
    reduction: Reduction | None,
) -> StateSpace:
    """Explore a system within the limits and return the space. Continue ``space``, or start from
    the initial state if it is None."""
    if space is None:
        return explore(
            system, limits=limits, stop_when=stop_when, progress=progress, reduction=reduction
        )
    return explore_further(space, limits=limits, stop_when=stop_when, progress=progress)


def _stage_limits(limits: Limits, stage: int, start: float) -> Limits:
    states = stage if limits.states is None else min(stage, limits.states)
    seconds = (
        None if limits.seconds is None else max(0.0, limits.seconds - (time.perf_counter() - start))
    )
    return replace(limits, states=states, seconds=seconds)
