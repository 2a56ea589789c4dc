"""Quantitative checking: PCTL with step bounds, LTL under ``P``, rewards and long-run averages.

Quantitative formulas inside another formula are evaluated first, innermost first, and become sets
of states (:func:`_check_subformulas`). Then the outermost formula is evaluated. If it is
quantitative, :func:`compute_values` computes its values, independently of any enclosing formula.
Otherwise it is checked as a qualitative formula (:mod:`volition.checking.graph.qualitative`).
"""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from typing import Any, assert_never

import numpy as np

from volition.checking.graph.qualitative import verdict_of
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.quantitative.context import (
    LoadedMdp,
    Optimum,
    QuantitativeContext,
    QuantitativeFormula,
    SolveSpec,
    StateValues,
    UndecidedError,
)
from volition.checking.quantitative.long_run import average_gain
from volition.checking.quantitative.optimal_strategies import (
    optimal_strategy,
    run_under_optimal_strategy,
)
from volition.checking.quantitative.pareto.multi import check_multi
from volition.checking.quantitative.probabilities import decide_0_1_threshold, probability
from volition.checking.quantitative.rewards import expected_reward
from volition.checking.storm.client import EngineError
from volition.checking.strategy import Strategy
from volition.checking.task import CheckTask
from volition.checking.verdict import Evidence, Lazy, Run, Verdict
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import TooLarge
from volition.kernel.arrays import Mask
from volition.logic.numbers import rounded_text
from volition.logic.printing import as_typed
from volition.logic.syntax import Formula, Multi, Probability, Reward, SteadyState
from volition.logic.traversal import children

__all__ = [
    "all_values",
    "check_quantitative",
    "computation_for",
    "compute_values",
    "optimal_strategy_for",
    "optimum_of",
]


def compute_values(
    on: QuantitativeContext,
    query: QuantitativeFormula,
    *,
    optimistic: bool = False,
    everywhere: bool = True,
) -> StateValues:
    """Return the values of a quantitative formula, ignoring its threshold: in all states with
    ``everywhere``, else in the initial state. With ``optimistic``, unexplored states count as if
    they always led to the goal.

    ``everywhere`` decides only in which states values are computed. The choices in the result are
    the same with and without it.
    """
    spec = SolveSpec(optimum_of(on, query), optimistic, everywhere)
    match query:
        case Probability():
            return probability(on, query.path, spec)
        case Reward():
            return expected_reward(on, query, spec)
        case SteadyState():
            if on.partial_reason is not None:
                raise UndecidedError(
                    f"a long-run average needs the whole state space ({on.partial_reason})"
                )
            there = on.states(query.operand)
            return average_gain(
                on,
                there[on.mdp.choice_states].astype(np.float64),
                "LRA{best}=? [{0}]",
                there,
                spec=spec,
            )
        case _:
            assert_never(query)


def optimum_of(on: QuantitativeContext, query: QuantitativeFormula) -> Optimum | None:
    """Return whether a formula is about the minimum or the maximum over all strategies; None for a
    Markov chain.

    Raise :class:`InputError` if the program is nondeterministic and the formula does not determine
    which.
    """
    if on.mdp.is_markov_chain:
        return None
    if query.optimum is not None:
        return query.optimum
    letter = {Probability: "P", Reward: "R", SteadyState: "S"}[type(query)]
    if query.relation in (">", ">="):
        return "min"
    if query.relation in ("<", "<="):
        return "max"
    message = f"'{as_typed(query)}' has no single value: the program is nondeterministic"
    raise InputError([Diagnostic("CHK013", message, query.span, f"use {letter}min or {letter}max")])


RELATIVE_TOLERANCE = 1e-4
"""Largest relative width of the bounds on a value with which the value is reported as an answer.
This is the width divided by the value or, if the value is below ``RELATIVE_TOLERANCE``, the width
divided by ``RELATIVE_TOLERANCE``."""


def check_quantitative(task: CheckTask, loaded: LoadedMdp) -> Verdict:
    """Return the verdict on a quantitative formula: its value in the initial state if it is a
    query, or whether it holds there if it has thresholds.

    A threshold without min or max holds if every strategy meets it; ``Pmax>=0.9`` holds if some
    strategy does. Raise :class:`InputError` for formulas that have no meaning for this program. The
    verdict is unknown if Storm cannot compute the value.
    """
    start = time.perf_counter()
    try:
        verdict = _compute_verdict(task.unrestricted(), loaded)
    except (EngineError, TooLarge) as error:
        verdict = Verdict(task.original_formula, "Storm", 0.0, unknown=str(error))
    return replace(verdict, formula=task.original_formula, seconds=time.perf_counter() - start)


def all_values(task: CheckTask, loaded: LoadedMdp) -> StateValues:
    """Return the value of a query in every state, with the choices that attain it."""
    on = computation_for(task, loaded)
    return compute_values(on, _quantitative_formula(task))


def optimal_strategy_for(task: CheckTask, loaded: LoadedMdp) -> Strategy | None:
    """Return the strategy that attains the value of a query. Its memory is not removed even if the
    choices do not depend on it. None if no strategy is known."""
    on = computation_for(task, loaded)
    query = _quantitative_formula(task)
    return optimal_strategy(on, query, compute_values(on, query, everywhere=False))


def computation_for(task: CheckTask, loaded: LoadedMdp) -> QuantitativeContext:
    """Return what is needed to compute the values of a task's formula: the MDP, the settings, and
    the states that satisfy the subformulas. The quantitative subformulas are evaluated in this
    call."""
    task = task.unrestricted()
    on = QuantitativeContext(loaded, Satisfaction(task, loaded.space), task.settings)
    for part in children(task.formula):
        _check_subformulas(on, part)
    return on


def _quantitative_formula(task: CheckTask) -> QuantitativeFormula:
    assert isinstance(task.formula, QuantitativeFormula), "only quantitative formulas have values"
    return task.formula


def _compute_verdict(task: CheckTask, loaded: LoadedMdp) -> Verdict:
    formula = task.formula
    if task.settings.exact and not loaded.is_rational:
        hint = (
            "leave the arithmetic to Volition, or write the probabilities as decimals or fractions"
        )
        raise InputError(
            [Diagnostic("CHK010", "exact answers need rational probabilities", formula.span, hint)]
        )
    if isinstance(formula, Multi):
        return check_multi(task, loaded)
    if isinstance(formula, QuantitativeFormula):
        return _verdict_at_start(computation_for(task, loaded), formula)
    on = QuantitativeContext(loaded, Satisfaction(task, loaded.space), task.settings)
    methods = _check_subformulas(on, formula)

    def holds_at_start(changed: Formula) -> bool | None:
        # A formula modified by the vacuity check may have other subformulas.
        _check_subformulas(on, changed)
        return on.satisfaction.at(changed, 0)

    verdict = verdict_of(on.satisfaction, holds_at_start)
    return (
        replace(verdict, method=f"{verdict.method}; values: {methods[-1]}") if methods else verdict
    )


# --- evaluation of quantitative subformulas -------------------------------------------------------


def _check_subformulas(on: QuantitativeContext, formula: Any) -> list[str]:
    """Evaluate the quantitative subformulas of a formula, innermost first. Return the names of the
    methods used."""
    if isinstance(formula, Multi):
        raise InputError(
            [
                Diagnostic(
                    "CHK011",
                    f"'{as_typed(formula)}' cannot be nested in another formula",
                    formula.span,
                )
            ]
        )
    if isinstance(formula, QuantitativeFormula) and formula.relation is None:
        message = f"expected a condition, but '{as_typed(formula)}' is a number"
        raise InputError(
            [Diagnostic("CHK012", message, formula.span, "compare it with a number, as in P>=0.9")]
        )
    methods = [method for part in children(formula) for method in _check_subformulas(on, part)]
    if isinstance(formula, QuantitativeFormula) and not on.satisfaction.is_known(formula):
        holding, method = _satisfying_states(on, formula)
        on.satisfaction.set_states(formula, holding)
        methods.append(method)
    return methods


def _satisfying_states(
    on: QuantitativeContext, formula: QuantitativeFormula
) -> tuple[Mask | None, str]:
    """Return the states that satisfy a quantitative formula with a threshold (None if unknown), and
    the name of the method used."""
    assert formula.relation is not None, "only what is compared with a threshold is true or false"
    assert formula.threshold is not None, "a relation comes with a threshold"
    if on.partial_reason is not None:
        return None, ""  # any unexplored state may affect the probabilities
    on_graph = (
        decide_0_1_threshold(on, formula, optimum_of(on, formula))
        if isinstance(formula, Probability)
        else None
    )
    if on_graph is not None:
        return on_graph
    found = compute_values(on, formula)
    lower, upper = _in_range(formula, *found.bounds())
    answers = [
        _compare_interval(formula.relation, formula.threshold, low, high)
        for low, high in zip(lower.tolist(), upper.tolist(), strict=True)
    ]
    if None in answers:
        raise UndecidedError(
            f"some value of '{as_typed(formula)}' is too close to its threshold; use exact "
            "arithmetic"
        )
    return np.array(answers, dtype=np.bool_), found.method


# --- verdict in the initial state -----------------------------------------------------------------


def _verdict_at_start(on: QuantitativeContext, query: QuantitativeFormula) -> Verdict:
    """Return the verdict on a quantitative formula in the initial state."""
    quantity, lower, upper = _values_and_bounds(on, query)
    found = _set_value(
        on, Verdict(query, quantity.method, 0.0, fixed_notes=quantity.notes), quantity, lower, upper
    )
    holds = None if query.relation is None else _decide_threshold(on, query, lower, upper)
    if (found.value if query.relation is None else holds) is None:
        found = replace(found, value=None, unknown=_why_undecided(on, lower, upper)).with_bounds(
            lower, upper
        )
    else:
        found = replace(found, holds=holds)
    if found.unknown is not None:
        return found

    def strategy() -> Strategy | None:
        behind = optimal_strategy(on, query, quantity)
        return None if behind is None else behind.memoryless_if_possible

    def run() -> Run | None:
        # A run illustrates a value. It cannot show that a threshold is met; only the strategy can.
        try:
            return run_under_optimal_strategy(on, quantity) if query.relation is None else None
        except EngineError:
            return None  # the run is optional: many others would do

    return replace(found, evidence=Evidence(run=Lazy(run), strategy=Lazy(strategy)))


def _values_and_bounds(
    on: QuantitativeContext, query: QuantitativeFormula
) -> tuple[StateValues, Any, Any]:
    """Return the values of a formula, and lower and upper bounds on its value in the initial state.
    On a partly explored space, the lower bound is pessimistic and the upper bound optimistic about
    unexplored states."""
    pessimistic = compute_values(on, query, everywhere=False)
    lower, upper = pessimistic.initial_bounds()
    if on.partial_reason is not None:
        if on.loaded.space.num_expanded == 0:
            raise UndecidedError(f"nothing was explored ({on.partial_reason})")
        if not isinstance(query, Probability):
            return pessimistic, lower, np.inf
        _, upper = compute_values(on, query, optimistic=True, everywhere=False).initial_bounds()
    return pessimistic, *_in_range(query, lower, upper)


def _in_range(query: QuantitativeFormula, lower: Any, upper: Any) -> tuple[Any, Any]:
    """Return bounds, or arrays of bounds, clipped to [0, 1] unless the formula is a reward."""
    return (
        (lower, upper)
        if isinstance(query, Reward)
        else (np.maximum(lower, 0), np.minimum(upper, 1))
    )


def _set_value(
    on: QuantitativeContext, found: Verdict, quantity: StateValues, lower: Any, upper: Any
) -> Verdict:
    """Return the verdict ``found`` with the value in the initial state: an exact value, a value
    with bounds, or only the bounds if they are too wide."""
    value = quantity.values[0]
    if (on.partial_reason is not None and lower != upper) or (
        quantity.lower is not None and _exceeds_tolerance(lower, upper)
    ):
        return found.with_bounds(lower, upper)
    if quantity.values.dtype == np.object_ or quantity.lower is None:
        return replace(found, value=value if isinstance(value, Fraction) else float(value))
    return replace(found, value=float(value)).with_bounds(lower, upper)


def _decide_threshold(
    on: QuantitativeContext, query: QuantitativeFormula, lower: Any, upper: Any
) -> bool | None:
    assert query.relation is not None, "queries are not decided"
    assert query.threshold is not None, "a relation comes with a threshold"
    holds = _compare_interval(query.relation, query.threshold, lower, upper)
    if holds is None and isinstance(query, Probability):
        on_graph = decide_0_1_threshold(on, query, optimum_of(on, query))
        return None if on_graph is None else bool(on_graph[0][0])
    return holds


def _why_undecided(on: QuantitativeContext, lower: Any, upper: Any) -> str:
    if lower == -np.inf and on.partial_reason is None:
        return "floating point gives no bounds on this value that decide it; use exact arithmetic"
    low, high = rounded_text(lower), rounded_text(upper)
    value = (
        f"the value is about {low}" if low == high else f"the value lies between {low} and {high}"
    )
    if on.partial_reason is not None:
        return f"{value} ({on.partial_reason})"
    if _exceeds_tolerance(lower, upper):
        return f"{value}, and floating point gives no tighter bounds; use exact arithmetic"
    return f"{value}, too close to the threshold to decide; use exact arithmetic"


def _exceeds_tolerance(lower: Any, upper: Any) -> bool:
    """Return whether two bounds on a value differ by more than ``RELATIVE_TOLERANCE``."""
    return lower != upper and not (
        upper != np.inf
        and upper - lower <= RELATIVE_TOLERANCE * max(abs(lower), abs(upper), RELATIVE_TOLERANCE)
    )


def _compare_interval(relation: str, threshold: Fraction, lower: Any, upper: Any) -> bool | None:
    """Return whether a value between ``lower`` and ``upper`` meets the threshold; None if that
    depends on the value."""
    match relation:
        case ">=":
            return True if lower >= threshold else False if upper < threshold else None
        case ">":
            return True if lower > threshold else False if upper <= threshold else None
        case "<=" | "<":
            opposite = _compare_interval(">" if relation == "<=" else ">=", threshold, lower, upper)
            return None if opposite is None else not opposite
        case "=":
            return (
                True
                if lower == upper == threshold
                else False
                if lower > threshold or upper < threshold
                else None
            )
        case _:
            opposite = _compare_interval("=", threshold, lower, upper)
            return None if opposite is None else not opposite
