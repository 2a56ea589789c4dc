"""Who answers: our own graph algorithms, Storm, or another model checker; or all that can, compared.

Left alone (``auto``), formulas about runs are answered by our own algorithms and numbers by Storm.  Storm can also answer for runs: where
chance is turned into choice, a run is what some strategy does with certainty, so the least probability of a path formula is 1 if it
holds on all runs and else 0, and the greatest is 1 if it holds on some run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from volition.checking.mdp.process import Mdp
from volition.checking.numbers.quantitative import Settings, check_quantitative
from volition.checking.storm.loaded_model import Process
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.languages.model import Model, Program
from volition.logic.printing import show
from volition.logic.shape import is_quantitative
from volition.logic.syntax import Formula, PathQuantifier, Probability
from volition.logic.tree import expand_agents, rebuild, subformulas

__all__ = ["Engine", "OutsideEngine", "agreed", "check_by_storm", "outside_engine", "refuse_unfit"]

Engine = Literal["auto", "native", "storm", "spin", "cross"]


class OutsideEngine(Protocol):
    """A model checker that reads the program itself, through a translation of it, and not the states that we explored."""

    @property
    def name(self) -> str:
        """Its name for people, such as ``Spin``."""

    def why_not(self, program: Program, formula: Formula) -> str | None:
        """Why it cannot answer this, in words (another language, another logic, not installed); None if it can."""

    def check(self, program: Program, formula: Formula, *, seconds: float | None = None) -> Verdict:
        """Its answer; unknown where it did not come to one."""


def refuse_unfit(engine: Engine, formula: Formula, *, restricted: bool) -> None:
    """Raise :class:`InputError` where the engine cannot answer such a formula; ``restricted`` to fair runs, or by an assumption."""
    if engine == "native" and is_quantitative(formula):
        hint = "--engine storm computes probabilities and rewards, and auto chooses for you"
        raise InputError([Diagnostic("CHK090", f"our own engine has no numbers: '{show(formula)}'", formula.span, hint)])
    if engine in ("storm", "spin") and restricted and not is_quantitative(formula):
        hint = "--engine native respects them"
        raise InputError([Diagnostic("CHK091", "fairness and assumptions are known to our own engine only", formula.span, hint)])
    if restricted and is_quantitative(formula) and any(isinstance(part, PathQuantifier) for part in subformulas(formula)):
        # The sets of states that A and E describe are found without the restriction where numbers are asked for as well.
        message = "fairness and assumptions are not known where a formula speaks of runs and of numbers"
        raise InputError([Diagnostic("CHK095", message, formula.span, "ask the two parts one by one")])


def outside_engine(name: str, engines: Sequence[OutsideEngine], program: Program, formula: Formula) -> OutsideEngine:
    """The engine of that name; raises :class:`InputError` where it is not there or cannot answer."""
    engine = next((each for each in engines if each.name.lower() == name), None)
    why_not = f"there is no engine '{name}' here" if engine is None else engine.why_not(program, formula)
    if engine is None or why_not is not None:
        hint = "--engine auto answers everything"
        raise InputError([Diagnostic("CHK092", f"'{show(formula)}' cannot be answered by {name}: {why_not}", formula.span, hint)])
    return engine


# --- Storm, for runs -----------------------------------------------------------------------------------------------------

_graphs: WeakKeyDictionary[StateSpace, Process] = WeakKeyDictionary()


def check_by_storm(model: Model, space: StateSpace, formula: Formula, settings: Settings | None = None) -> Verdict:
    """Whether a formula about runs holds in the initial state, according to Storm, without evidence."""
    if space not in _graphs:
        _graphs[space] = Process(_without_chance(Mdp.of(space)))
    asked = _in_probabilities(expand_agents(formula, model.agents))
    bare = replace(settings or Settings(), evidenced=False)
    verdict = check_quantitative(model, space, asked, bare, process=_graphs[space])
    return replace(verdict, formula=formula, method="Storm, by extreme probabilities on the graph", lower=None, upper=None)


def _without_chance(mdp: Mdp) -> Mdp:
    """The same graph with each outcome as a choice of its own."""
    return replace(
        mdp,
        first_choice=mdp.first_transition[mdp.first_choice],
        first_transition=np.arange(mdp.num_transitions + 1),
        weight_ids=np.zeros(mdp.num_transitions, dtype=np.int64),
        weights=(Fraction(1),),
        rewards={},
        original_choices=mdp.original_choices[mdp.transition_choices],
    )


def _in_probabilities(formula: Formula) -> Formula:
    """``A [..]`` and ``E [..]`` as bounds on extreme probabilities, which are 0 or 1: one half keeps clear of all rounding."""
    changed: Formula = rebuild(formula, _in_probabilities)
    if isinstance(changed, PathQuantifier):
        return Probability(changed.path, "min" if changed.quantifier == "A" else "max", ">=", Fraction(1, 2), span=changed.span)
    return changed


# --- several at once -----------------------------------------------------------------------------------------------------


def agreed(own: Verdict, others: Sequence[tuple[str, Verdict]]) -> Verdict:
    """Our own answer, with a note of who gave it too; raises :class:`InputError` where another engine disagrees."""
    known = [(name, verdict) for name, verdict in others if verdict.unknown is None]
    if own.unknown is None:
        wrong = [f"{name} that it {_said(verdict)}" for name, verdict in known if verdict.holds != own.holds]
        if wrong:
            message = f"the engines disagree about '{show(own.formula)}': ours says that it {_said(own)}, {', '.join(wrong)}"
            raise InputError([Diagnostic("CHK093", message, own.formula.span, "one of them is wrong: please report the program")])
    silent = [f"{name} does not know: {verdict.unknown}" for name, verdict in others if verdict.unknown is not None]
    agreeing = [f"{name} agrees" for name, _ in known] if own.unknown is None else []
    alone = [] if others else ["no other engine can answer this"]
    return replace(own, notes=(*own.notes, *agreeing, *silent, *alone))


def _said(verdict: Verdict) -> str:
    return "holds" if verdict.holds else "is violated"
