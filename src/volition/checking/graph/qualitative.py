"""Yes-or-no questions about runs: LTL, CTL and CTL* on an explored state space, with evidence."""

from __future__ import annotations

import time
from collections.abc import Callable

from volition.checking.graph.fairness import Fairness
from volition.checking.graph.satisfaction import Satisfaction, Translator
from volition.checking.graph.vacuity import vacuous_implications
from volition.checking.graph.witnesses import evidence
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.kernel.arrays import Mask
from volition.languages.model import Model
from volition.logic.automata.translation import translate
from volition.logic.shape import is_ctl, is_ltl, is_propositional
from volition.logic.syntax import Formula, PathQuantifier
from volition.logic.tree import expand_agents

__all__ = ["check_qualitative"]


def check_qualitative(
    model: Model,
    space: StateSpace,
    formula: Formula,
    *,
    fairness: Fairness | None = None,
    assume: Formula | None = None,
    translator: Translator = translate,
    quantitative: Callable[[Formula], Mask] | None = None,
    evidenced: bool = True,
) -> Verdict:
    """Whether the formula holds in the initial state, with a run where one run shows why.

    ``fairness`` ("weak" or "strong") restricts all runs to those that are fair to every component, ``assume`` (a path formula, or
    ``A [path]`` as a bare formula is parsed) to those on which it holds.  ``translator`` makes automata of path formulas.
    ``quantitative`` answers for ``P`` and ``R`` inside the formula.  ``evidenced`` asks for the run and for remarks on vacuity.

    On a space that was not explored to its end the answer is given where the explored part decides, else it is unknown.
    """
    start = time.perf_counter()
    asked = expand_agents(formula, model.agents)
    assumption = None if assume is None else _assumption(expand_agents(assume, model.agents))
    satisfaction = Satisfaction(model, space, asked, fairness=fairness, assume=assumption, translator=translator, quantitative=quantitative)
    holds = satisfaction.at(asked, 0)
    run = None
    notes: list[str] = []
    if holds is not None and evidenced:
        run = evidence(satisfaction, asked, holds)
        notes = _notes(satisfaction, asked, holds)
    return Verdict(
        formula=formula,
        method=_method(asked, satisfaction.restricted),
        seconds=time.perf_counter() - start,
        holds=holds,
        run=run,
        notes=tuple(notes),
        unknown=None if holds is not None else f"the explored part of the state space does not decide it ({_why_partial(space)})",
    )


def _assumption(assume: Formula) -> Formula:
    """The path formula of an assumption."""
    if isinstance(assume, PathQuantifier) and assume.quantifier == "A":
        return assume.path
    if isinstance(assume, PathQuantifier):
        hint = "such as G F p -> G F q"
        raise InputError([Diagnostic("CHK005", "an assumption is a path formula and cannot contain E", assume.span, hint)])
    return assume


def _notes(satisfaction: Satisfaction, formula: Formula, holds: bool) -> list[str]:
    if not holds:
        return []
    return vacuous_implications(formula, lambda changed: satisfaction.at(changed, 0))


def _why_partial(space: StateSpace) -> str:
    return "it may depend on unexplored states" if space.stopped is None else space.stopped.text


def _method(formula: Formula, restricted: bool) -> str:
    if is_propositional(formula):
        return "evaluated in the initial state"
    if is_ctl(formula) and not restricted:
        return "CTL, by fixpoints on the graph"
    if isinstance(formula, PathQuantifier) and is_ltl(formula.path):
        return "LTL, by an automaton and strongly connected components"
    return "CTL*, by automata and fixpoints, innermost formulas first"
