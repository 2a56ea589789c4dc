"""Qualitative checking: LTL, CTL and CTL* on an explored state space, with evidence."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from volition.checking.graph.satisfaction import Satisfaction, Translator
from volition.checking.graph.vacuity import vacuous_implications
from volition.checking.graph.witnesses import find_evidence
from volition.checking.task import CheckTask
from volition.checking.verdict import Evidence, Lazy, Verdict
from volition.diagnostics import plural
from volition.kernel import StateSpace, TooLarge
from volition.logic.automata.translation import translate
from volition.logic.syntax import Formula, PathQuantifier
from volition.logic.traversal import is_ctl, is_ltl, is_propositional

__all__ = ["check_qualitative", "verdict_of", "why_undecided"]


def check_qualitative(
    task: CheckTask, space: StateSpace, *, translator: Translator = translate
) -> Verdict:
    """Return whether the formula of a task holds in the initial state of a space. The verdict has a
    run as evidence if a single run shows the result.

    ``translator`` turns path formulas into automata. On a partly explored space, the verdict is
    unknown unless the explored part decides the formula.
    """
    start = time.perf_counter()
    satisfaction = Satisfaction(task, space, translator=translator)
    found = verdict_of(satisfaction, lambda changed: satisfaction.at(changed, 0))
    return replace(found, seconds=time.perf_counter() - start)


def verdict_of(
    satisfaction: Satisfaction, holds_at_start: Callable[[Formula], bool | None]
) -> Verdict:
    """Return the verdict on the formula of a task. Its evidence is computed on demand.

    ``holds_at_start`` decides a formula in the initial state. It is called for the formula of the
    task and for the modified formulas that the vacuity check tries.
    """
    task, space = satisfaction.task, satisfaction.space
    formula = task.formula
    method = _method(formula, satisfaction.restricted)
    try:
        holds = holds_at_start(formula)
    except TooLarge as error:
        return Verdict(task.original_formula, method, 0.0, unknown=str(error))
    if holds is None:
        quantifier = (
            formula.quantifier
            if isinstance(formula, PathQuantifier) and is_ltl(formula.path)
            else None
        )
        return Verdict(task.original_formula, method, 0.0, unknown=why_undecided(space, quantifier))
    shown = Evidence(
        run=Lazy(lambda: find_evidence(satisfaction, formula, holds)),
        remarks=Lazy(lambda: tuple(vacuous_implications(formula, holds_at_start)) if holds else ()),
    )
    return Verdict(task.original_formula, method, 0.0, holds=holds, evidence=shown)


def why_undecided(space: StateSpace, quantifier: Literal["A", "E"] | None) -> str:
    """Return why a partly explored space does not decide a formula, as text for users.

    If exploration stopped at a depth limit, the text says what all runs up to this depth have in
    common. ``quantifier`` is the outermost path quantifier of the formula: for ``A`` no such run is
    a counterexample, and for ``E`` no such run is a witness.
    """
    if space.stopped is None:
        return (
            "the explored part of the state space does not decide it (it may depend on "
            "unexplored states)"
        )
    if space.stopped.reason != "depth":
        return f"the explored part of the state space does not decide it ({space.stopped.text})"
    runs = f"of at most {space.depth} {plural(space.depth, 'step')}"
    reason = {
        "A": f"no run {runs} violates it",
        "E": f"no run {runs} shows it",
        None: f"the runs {runs} do not decide it",
    }[quantifier]
    return f"{reason} ({space.stopped.text})"


def _method(formula: Formula, restricted: bool) -> str:
    if is_propositional(formula):
        return "evaluated in the initial state"
    if is_ctl(formula) and not restricted:
        return "CTL, by fixpoints on the graph"
    if isinstance(formula, PathQuantifier) and is_ltl(formula.path):
        return "LTL, by an automaton and strongly connected components"
    return "CTL*, by automata and fixpoints, innermost formulas first"
