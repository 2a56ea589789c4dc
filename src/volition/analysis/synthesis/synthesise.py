"""Strategies for optimal values, in a form that a person can read and an agent can execute.

A strategy makes two kinds of decisions. If several components of the system could move (intentions
of a CAN agent, agents of an AgentSpeak system): *which component moves?* If that component has
several choices: *which action does it take?* Each decision is represented by a decision tree over
state views (:mod:`volition.reporting.strategies.decision_tree`). Tables, JSON, pictures, Python
code and the rules that a language compiles into a program are all derived from these trees; see
:mod:`volition.reporting.strategies.strategy_table`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from volition.analysis.synthesis.table_minimisation import with_minimised_strategy
from volition.checking.check import Answer, check
from volition.checking.properties import PropertyLike, parse_properties
from volition.checking.quantitative.check import check_quantitative
from volition.checking.quantitative.probabilities import is_reachability
from volition.checking.storm.client import EngineError
from volition.checking.strategy import Strategy
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import verdict_phrase
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace
from volition.languages.protocols import Model, Program
from volition.logic.printing import as_typed
from volition.logic.syntax import Formula, Probability, Reward, SteadyState
from volition.reporting.strategies.decision_points import DecisionTable
from volition.reporting.strategies.strategy_table import StrategyTable, tabulate_strategy

__all__ = [
    "DecisionTable",
    "Query",
    "Synthesis",
    "is_optimum_query",
    "opposite_query",
    "strategy_for",
    "synthesise",
]

Query = Probability | Reward | SteadyState


@dataclass(frozen=True, repr=False)
class Synthesis(StrategyTable):
    """Answer to a query, with the decision tables of a strategy that attains the optimal value.
    ``choices_irrelevant`` is set if every strategy attains it; there are then no tables."""

    answer: Answer
    choices_irrelevant: bool
    warnings: tuple[Diagnostic, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<Strategy for {self.answer.prop.text}, which "
            f"{verdict_phrase(self.answer.verdict)}: {self.summary()}>"
        )

    @property
    def model(self) -> Model:
        return self.answer.exploration.model

    @property
    def strategy(self) -> Strategy | None:
        return self.answer.verdict.strategy

    def as_json(self) -> dict[str, Any]:
        """Return the decision tables as JSON data; ``any_choice`` says whether every strategy
        attains the value."""
        return {"any_choice": self.choices_irrelevant, **super().as_json()}


def synthesise(
    program: Program,
    formula: PropertyLike,
    *,
    space: StateSpace | None = None,
    limits: Limits | None = None,
    exact: bool | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Synthesis:
    """Answer a query such as ``Pmax=? [ F done ]`` and return a strategy that attains the value.

    The memory of the strategy may be the number of remaining steps, or the state of an automaton
    for the formula. Raise :class:`InputError` if the formula does not ask for an optimal value, or
    if its strategy needs another kind of memory.
    """
    (prop,) = parse_properties([formula], Diagnostics())
    query = _query(prop.formula)
    # A strategy needs every state, so partial-order reduction is off.
    report = check(
        program, [prop], space=space, limits=limits, exact=exact, reduce="off", progress=progress
    )
    (answer,) = report.answers
    found = strategy_for(answer, query, CheckSettings(exact=exact, limits=limits or Limits()))
    if isinstance(found, Diagnostic):
        raise InputError([found])
    return found


def strategy_for(answer: Answer, query: Query, settings: CheckSettings) -> Synthesis | Diagnostic:
    """Return the strategy that attains the value of an answer, or a diagnostic that says why there
    is none. ``query`` is the formula of the answer."""
    exploration, value = answer.exploration, answer.verdict.value
    if answer.verdict.unknown is not None:
        return Synthesis((), (), None, answer, choices_irrelevant=False)
    opposite = CheckTask(exploration.model, opposite_query(query), settings)
    other = check_quantitative(opposite, exploration.mdp_model).value
    if (
        value is not None and value == other
    ) or exploration.space.num_choices == exploration.space.num_states:
        return Synthesis((), (), None, answer, choices_irrelevant=True)
    try:
        answer = with_minimised_strategy(answer, CheckTask(exploration.model, query, settings))
        strategy = answer.verdict.strategy
    except EngineError as error:
        answer = replace(answer, verdict=replace(answer.verdict, unknown=str(error)))
        return Synthesis((), (), None, answer, choices_irrelevant=False)
    if strategy is None:
        return _no_strategy_reason(query)
    table = tabulate_strategy(exploration.model, strategy)
    return Synthesis(
        table.decision_points,
        table.decision_tables,
        table.memory,
        answer,
        choices_irrelevant=not table.decision_points,
    )


def _no_strategy_reason(query: Query) -> Diagnostic:
    """Return a diagnostic that says why no strategy can be shown for a query."""
    if isinstance(query, Probability) and is_reachability(query.path):
        message = (
            f"the optimal strategy for '{as_typed(query)}' depends on the number of remaining "
            "steps, and the step bound is too large for a model with this many states"
        )
        return Diagnostic("CHK087", message, query.span, "use a smaller step bound, or none")
    hint = (
        "use P with F, G or U, with Boolean combinations of these, of G F p and of F G p, or a "
        "reward until F"
    )
    message = (
        f"an optimal strategy for '{as_typed(query)}' needs a kind of memory that is not supported"
    )
    return Diagnostic("CHK081", message, query.span, hint)


# --- queries that have a strategy -----------------------------------------------------------------


def _query(formula: Formula) -> Query:
    if not isinstance(formula, Query) or not is_optimum_query(formula):
        hint = (
            "use a query for an optimal value, such as Pmax=? [ F done ] or "
            'R{"cost"}min=? [ F done ]'
        )
        raise InputError(
            [
                Diagnostic(
                    "CHK082",
                    f"the formula '{as_typed(formula)}' does not ask for an optimal value",
                    formula.span,
                    hint,
                )
            ]
        )
    return formula


def is_optimum_query(formula: Formula) -> bool:
    """Return whether a formula asks for a minimum or maximum over strategies, without a
    threshold."""
    return isinstance(formula, Query) and formula.optimum is not None and formula.relation is None


def opposite_query(query: Query) -> Formula:
    """Return the query with minimum and maximum exchanged. If both queries have the same value, the
    choices of a strategy do not matter."""
    return replace(query, optimum="min" if query.optimum == "max" else "max")
