"""Answers while the state space is still growing.

- **Invariants and reachability** (``A [ G p ]``, ``E [ F p ]`` and what comes down to them): the
  exploration itself stops at the first state that decides, which is one nearest to the initial
  state (:func:`early_question`).
- **Everything else**: the space is explored in stages, each eight times the last, and the formula
  is checked on each. A run inside the explored part that shows a violation (or a witness) is one of
  the whole system, so a bug near the initial state shows after a small part of a large exploration.
  Each stage goes on where the last one stopped, so no state is explored twice.
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
    """A formula that one state decides: give ``stop_when`` to :func:`explore`, then ask for the
    verdict.

    ``holds_if_hit`` tells reachability (a hit is a witness) from invariants (a hit is a violation).
    """

    formula: Formula
    stop_when: Predicate
    holds_if_found: bool

    def verdict(self, space: StateSpace) -> Verdict:
        """The answer after an exploration that used ``stop_when``."""
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
    """The formula as a question that one state decides, or None if it is not one.

    Fairness of components does not change what can be reached, an assumption does.
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
    """For an invariant (``A``) the formula of the states that break it, for reachability (``E``) of
    those that show it."""
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
    """``p`` if the path formula says ``F p`` (positive) or ``!F p``."""
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
    """Explores only as far as the formula needs, beginning with what was explored ``so_far`` for
    another question about the model.

    With a ``reduction``, a part of the space shows what a run in it shows, and nothing else.
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
        # An invariant that holds may hold vacuously.
        return space, check_qualitative(task, space)
    start = time.perf_counter()
    # What is there is looked at before more is explored.
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
    """Whether an answer needs no more than one run that is there: a witness of ``E``, a violation
    of ``A``."""
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
    """What is explored within the limits: of the space so far, or from the beginning."""
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
