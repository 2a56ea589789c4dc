"""Questions about probabilities and rewards: PCTL with step bounds, LTL under ``P``, rewards, long runs; answered by Storm.

One direction only.  The formulas about numbers that stand inside of others are answered first, innermost first, and become sets of states
(:func:`_learn_inner`).  Then the outermost one is asked: its numbers come from :func:`quantity_of`, which knows nothing of formulas
around it; a formula *around* numbers is one about runs (:mod:`volition.checking.graph.qualitative`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from volition.checking.graph.qualitative import verdict_of
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.numbers.computation import Asked, Computation, LoadedMdp, Optimum, Quantity, Undecided, Wanted
from volition.checking.numbers.extreme_strategies import extreme_run, extreme_strategy
from volition.checking.numbers.fronts.multi import check_multi
from volition.checking.numbers.long_run import average_gain
from volition.checking.numbers.probabilities import decided_on_graph, probability
from volition.checking.numbers.rewards import expected_reward
from volition.checking.storm.client import EngineError
from volition.checking.strategy import Strategy
from volition.checking.task import CheckTask
from volition.checking.verdict import Evidence, OnDemand, Run, Verdict
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import TooLarge
from volition.kernel.arrays import Mask
from volition.logic.numbers import rounded_text
from volition.logic.printing import as_typed
from volition.logic.syntax import Formula, Multi, Probability, Reward, SteadyState
from volition.logic.tree import children

__all__ = ["all_values", "check_quantitative", "computation_for", "optimum_of", "quantity_of", "strategy_behind"]


def quantity_of(on: Computation, asked: Asked, *, optimistic: bool = False, everywhere: bool = True) -> Quantity:
    """The numbers that a formula asks for, whatever it compares them with: ``everywhere``, or in the initial state alone.

    The choices behind them are the same in both cases.
    """
    wanted = Wanted(optimum_of(on, asked), optimistic, everywhere)
    match asked:
        case Probability():
            return probability(on, asked.path, wanted)
        case Reward():
            return expected_reward(on, asked, wanted)
        case SteadyState():
            if on.why_partial is not None:
                raise Undecided(f"the long run needs the whole state space ({on.why_partial})")
            there = on.states(asked.operand)
            return average_gain(on, there[on.mdp.choice_states].astype(np.float64), "LRA{best}=? [{0}]", there, wanted=wanted)


def optimum_of(on: Computation, asked: Asked) -> Optimum | None:
    """Over which strategies: None where there is only one."""
    if on.mdp.deterministic:
        return None
    if asked.optimum is not None:
        return asked.optimum
    letter = {Probability: "P", Reward: "R", SteadyState: "S"}[type(asked)]
    if asked.relation in (">", ">="):
        return "min"
    if asked.relation in ("<", "<="):
        return "max"
    message = f"'{as_typed(asked)}' has no single value: the program is nondeterministic"
    raise InputError([Diagnostic("CHK013", message, asked.span, f"use {letter}min or {letter}max")])


LITTLE = 1e-4
"""A number that is not certain up to this part of it, or of itself, is no answer to a query."""


def check_quantitative(task: CheckTask, loaded: LoadedMdp) -> Verdict:
    """The value of a query in the initial state, or whether a formula with thresholds holds there.

    A threshold without min or max holds if every strategy meets it; ``Pmax>=0.9`` holds if some strategy does.  Raises
    :class:`InputError` for questions that have no meaning for this program; what Storm cannot answer is ``unknown``.
    """
    start = time.perf_counter()
    try:
        verdict = _answered(task.unrestricted(), loaded)
    except (EngineError, TooLarge) as error:
        verdict = Verdict(task.stated, "Storm", 0.0, unknown=str(error))
    return replace(verdict, formula=task.stated, seconds=time.perf_counter() - start)


def all_values(task: CheckTask, loaded: LoadedMdp) -> Quantity:
    """The numbers that a query asks for in every state, with the choices behind them."""
    on = computation_for(task, loaded)
    return quantity_of(on, _asked(task))


def strategy_behind(task: CheckTask, loaded: LoadedMdp) -> Strategy | None:
    """The strategy that attains the value of a query, with all the memory that it was found with."""
    on = computation_for(task, loaded)
    asked = _asked(task)
    return extreme_strategy(on, asked, quantity_of(on, asked, everywhere=False))


def computation_for(task: CheckTask, loaded: LoadedMdp) -> Computation:
    """What is needed to compute the numbers of a task: the formulas inside its own are answered."""
    task = task.unrestricted()
    on = Computation(loaded, Satisfaction(task, loaded.space), task.settings)
    for part in children(task.formula):
        _learn_inner(on, part)
    return on


def _asked(task: CheckTask) -> Asked:
    assert isinstance(task.formula, Asked), "only queries have numbers"
    return task.formula


def _answered(task: CheckTask, loaded: LoadedMdp) -> Verdict:
    formula = task.formula
    if task.settings.exact and not loaded.rational:
        hint = "leave the arithmetic to Volition, or write the probabilities as decimals or fractions"
        raise InputError([Diagnostic("CHK010", "exact answers need rational probabilities", formula.span, hint)])
    if isinstance(formula, Multi):
        return check_multi(task, loaded)
    if isinstance(formula, Asked):
        return _numbers_at_start(computation_for(task, loaded), formula)
    on = Computation(loaded, Satisfaction(task, loaded.space), task.settings)
    methods = _learn_inner(on, formula)

    def holds_at_start(changed: Formula) -> bool | None:
        _learn_inner(on, changed)  # a formula that vacuity asks about may have other formulas inside
        return on.satisfaction.at(changed, 0)

    verdict = verdict_of(on.satisfaction, holds_at_start)
    return replace(verdict, method=f"{verdict.method}; numbers: {methods[-1]}") if methods else verdict


# --- inside other formulas -------------------------------------------------------------------------------------------------


def _learn_inner(on: Computation, formula: Any) -> list[str]:
    """Answer the formulas about numbers in a formula, innermost first, for those around them; the methods by which they are answered."""
    if isinstance(formula, Multi):
        raise InputError([Diagnostic("CHK011", f"'{as_typed(formula)}' cannot be nested in another formula", formula.span)])
    if isinstance(formula, Asked) and formula.relation is None:
        message = f"expected a condition, but '{as_typed(formula)}' is a number"
        raise InputError([Diagnostic("CHK012", message, formula.span, "compare it with a number, as in P>=0.9")])
    methods = [method for part in children(formula) for method in _learn_inner(on, part)]
    if isinstance(formula, Asked) and not on.satisfaction.knows(formula):
        holding, method = _holding(on, formula)
        on.satisfaction.learn(formula, holding)
        methods.append(method)
    return methods


def _holding(on: Computation, formula: Asked) -> tuple[Mask | None, str]:
    """The states in which a formula with a threshold holds, and by which method they were found; None if that is not known."""
    assert formula.relation is not None, "only what is compared with a threshold is true or false"
    assert formula.threshold is not None, "a relation comes with a threshold"
    if on.why_partial is not None:
        return None, ""  # probabilities may depend on any state that was not explored
    on_graph = decided_on_graph(on, formula, optimum_of(on, formula)) if isinstance(formula, Probability) else None
    if on_graph is not None:
        return on_graph
    found = quantity_of(on, formula)
    lower, upper = _in_range(formula, *found.enclosure())
    answers = [_decide(formula.relation, formula.threshold, low, high) for low, high in zip(lower.tolist(), upper.tolist(), strict=True)]
    if None in answers:
        raise Undecided(f"some value of '{as_typed(formula)}' is too close to its threshold; ask for exact arithmetic")
    return np.array(answers, dtype=np.bool_), found.method


# --- the whole formula -----------------------------------------------------------------------------------------------------


def _numbers_at_start(on: Computation, asked: Asked) -> Verdict:
    """The answer in the initial state."""
    quantity, lower, upper = _enclosed(on, asked)
    found = _with_value(on, Verdict(asked, quantity.method, 0.0, said=quantity.notes), quantity, lower, upper)
    holds = None if asked.relation is None else _decided(on, asked, lower, upper)
    if (found.value if asked.relation is None else holds) is None:
        found = replace(found, value=None, unknown=_why_undecided(on, lower, upper)).between(lower, upper)
    else:
        found = replace(found, holds=holds)
    if found.unknown is not None:
        return found

    def strategy() -> Strategy | None:
        behind = extreme_strategy(on, asked, quantity)
        return None if behind is None else behind.simplest

    def run() -> Run | None:
        # One run shows where a value comes from; that it is large enough, only the strategy can show.
        try:
            return extreme_run(on, quantity) if asked.relation is None else None
        except EngineError:
            return None  # a run is one of many that could be shown

    return replace(found, evidence=Evidence(run=OnDemand(run), strategy=OnDemand(strategy)))


def _enclosed(on: Computation, asked: Asked) -> tuple[Quantity, Any, Any]:
    """The numbers asked for, and those between which the initial state's lies: what is certain, and what is possible."""
    pessimistic = quantity_of(on, asked, everywhere=False)
    lower, upper = pessimistic.at_start()
    if on.why_partial is not None:
        if on.loaded.space.num_expanded == 0:
            raise Undecided(f"nothing was explored ({on.why_partial})")
        if not isinstance(asked, Probability):
            return pessimistic, lower, np.inf
        _, upper = quantity_of(on, asked, optimistic=True, everywhere=False).at_start()
    return pessimistic, *_in_range(asked, lower, upper)


def _in_range(asked: Asked, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Return bounds, or arrays of them, cut to the numbers that an answer can be at all."""
    return (lower, upper) if isinstance(asked, Reward) else (np.maximum(lower, 0), np.minimum(upper, 1))


def _with_value(on: Computation, found: Verdict, quantity: Quantity, lower: Any, upper: Any) -> Verdict:
    """Return an answer with the value in the initial state: exact, with bounds, or with bounds alone where they say too little."""
    value = quantity.values[0]
    if (on.why_partial is not None and lower != upper) or (quantity.lower is not None and _says_little(lower, upper)):
        return found.between(lower, upper)
    if quantity.values.dtype == np.object_ or quantity.lower is None:
        return replace(found, value=value if isinstance(value, Fraction) else float(value))
    return replace(found, value=float(value)).between(lower, upper)


def _decided(on: Computation, asked: Asked, lower: Any, upper: Any) -> bool | None:
    assert asked.relation is not None, "queries are not decided"
    assert asked.threshold is not None, "a relation comes with a threshold"
    holds = _decide(asked.relation, asked.threshold, lower, upper)
    if holds is None and isinstance(asked, Probability):
        on_graph = decided_on_graph(on, asked, optimum_of(on, asked))
        return None if on_graph is None else bool(on_graph[0][0])
    return holds


def _why_undecided(on: Computation, lower: Any, upper: Any) -> str:
    if lower == -np.inf and on.why_partial is None:
        return "in floating point there are no bounds on this value that could decide it; ask for exact arithmetic"
    low, high = rounded_text(lower), rounded_text(upper)
    value = f"the value is about {low}" if low == high else f"the value lies between {low} and {high}"
    if on.why_partial is not None:
        return f"{value} ({on.why_partial})"
    if _says_little(lower, upper):
        return f"{value}, no more can be said in floating point; ask for exact arithmetic"
    return f"{value}, too close to the threshold to decide; ask for exact arithmetic"


def _says_little(lower: Any, upper: Any) -> bool:
    """Whether numbers are so far apart that nobody would take one of them for the other."""
    return lower != upper and not (upper != np.inf and upper - lower <= LITTLE * max(abs(lower), abs(upper), LITTLE))


def _decide(relation: str, threshold: Fraction, lower: Any, upper: Any) -> bool | None:
    """Whether a number between two others meets the threshold; None if it depends on which."""
    match relation:
        case ">=":
            return True if lower >= threshold else False if upper < threshold else None
        case ">":
            return True if lower > threshold else False if upper <= threshold else None
        case "<=" | "<":
            opposite = _decide(">" if relation == "<=" else ">=", threshold, lower, upper)
            return None if opposite is None else not opposite
        case "=":
            return True if lower == upper == threshold else False if lower > threshold or upper < threshold else None
        case _:
            opposite = _decide("=", threshold, lower, upper)
            return None if opposite is None else not opposite
