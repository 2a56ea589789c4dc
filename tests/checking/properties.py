"""Formulas asked of a model and its space, by one checker at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from volition.checking.explored_model import Exploration
from volition.checking.graph.on_the_fly import check_while_exploring
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.graph.satisfaction import Translator
from volition.checking.quantitative.check import check_quantitative
from volition.checking.quantitative.pareto.multi import MultiObjectiveResult, solve_multi_objective
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Verdict
from volition.kernel import Limits, StateSpace
from volition.languages.protocols import Model
from volition.logic.automata.translation import translate
from volition.logic.syntax import Formula, Multi


def on_graph(
    model: Model,
    space: StateSpace,
    formula: Formula,
    *,
    translator: Translator = translate,
    **settings: Any,
) -> Verdict:
    """The answer of the graph algorithms."""
    return check_qualitative(
        CheckTask(model, formula, CheckSettings(**settings)), space, translator=translator
    )


def while_exploring(
    model: Model, formula: Formula, *, so_far: StateSpace | None = None, **settings: Any
) -> tuple[StateSpace, Verdict]:
    """The answer with as little exploration as it needs."""
    return check_while_exploring(
        CheckTask(model, formula, CheckSettings(**settings)), so_far=so_far
    )


def by_numbers(
    model: Model,
    space: StateSpace,
    formula: Formula,
    *,
    seconds: float | None = None,
    **settings: Any,
) -> Verdict:
    """The answer of the quantitative checker."""
    task = CheckTask(model, formula, CheckSettings(**settings, limits=Limits(seconds=seconds)))
    return check_quantitative(task, Exploration(model, space).mdp_model)


def traded(
    model: Model,
    space: StateSpace,
    objectives: Sequence[Formula],
    *,
    seconds: float | None = None,
    exact: bool | None = None,
) -> MultiObjectiveResult:
    """The trade-off between objectives."""
    settings = CheckSettings(exact=exact, limits=Limits(seconds=seconds))
    return solve_multi_objective(
        CheckTask(model, Multi(tuple(objectives)), settings), Exploration(model, space).mdp_model
    )
