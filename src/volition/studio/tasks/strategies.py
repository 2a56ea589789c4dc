"""Tasks of a studio worker: return the strategy behind the value of a query, with its decision
points, and the value of the alternatives in them."""

from __future__ import annotations

from typing import Any

import volition
from volition.analysis.walking import Walk
from volition.api.checks import strategy_of
from volition.checking.check import Answer
from volition.diagnostics import Diagnostic
from volition.kernel.arrays import NumberArray
from volition.logic.numbers import rounded_text
from volition.logic.syntax import Formula
from volition.reporting.strategies.decision_points import DecisionPoint, DecisionTable
from volition.reporting.strategies.decision_tree import (
    OPTIONS,
    Tree,
    TreeLeaf,
    feature_test_text,
    table_rows,
)
from volition.reporting.strategies.strategy_table import StrategyTable
from volition.studio.tasks.check import answer_to
from volition.studio.view_data import (
    AlternativeData,
    DecisionData,
    DecisionPointData,
    OutcomeData,
    RowData,
    StrategyData,
    TreeData,
)
from volition.studio.workbench import Workbench

__all__ = ["alternatives", "strategy_behind", "strategy_data"]

MAX_DECISION_POINTS = 300
"""Largest number of decision points that are sent to the page."""


def strategy_behind(bench: Workbench, query: str) -> StrategyData:
    """Return the strategy behind the answer for a query as data for the page. If there is none, the
    data contain only a remark that says why."""
    found = strategy_of(answer_to(bench, query))
    if found is None:
        return StrategyData("there are no nondeterministic choices, so there is no strategy")
    return StrategyData(found.message) if isinstance(found, Diagnostic) else strategy_data(found)


def strategy_data(table: StrategyTable) -> StrategyData:
    """Return a strategy as plain data for the page, with at most ``MAX_DECISION_POINTS`` decision
    points."""
    points = table.decision_points[:MAX_DECISION_POINTS]
    return StrategyData(
        remark=table.summary(),
        decisions=tuple(_decision(each, points) for each in table.decision_tables),
        points=tuple(
            DecisionPointData(
                each.state,
                each.component,
                each.action,
                each.choice_numbers[each.component, each.action],
                each.state_view,
            )
            for each in points
        ),
    )


def _decision(decision: DecisionTable, points: tuple[DecisionPoint, ...]) -> DecisionData:
    remaining = {
        number: each for number, each in enumerate(points) if _needs_decision(decision, each)
    }
    found: list[RowData] = []
    for row in table_rows(decision.tree):  # the first matching row applies
        matching = [
            number
            for number, each in remaining.items()
            if all(predicate.holds(_tree_input(decision, each)) for predicate in row.tests)
        ]
        remaining = {number: each for number, each in remaining.items() if number not in matching}
        found.append(RowData(row.text, row.answer, row.alternatives, tuple(matching)))
    tree = TreeData(decision.text, "decision", children=(_tree(decision.tree),))
    return DecisionData(decision.text, tuple(found), tree)


def _needs_decision(decision: DecisionTable, point: DecisionPoint) -> bool:
    """Return whether a decision table applies in a decision point: the table selects a component
    and several can move, or it selects a choice of a component that has several choices."""
    if decision.component is None:
        return len(point.options) > 1
    return point.component == decision.component and len(point.options[decision.component]) > 1


def _tree_input(decision: DecisionTable, point: DecisionPoint) -> dict[str, Any]:
    """Return the state view of a decision point, extended by the available options: the input that
    the decision tree of a decision table tests."""
    possible = point.options if decision.component is None else point.options[decision.component]
    return {**point.state_view, OPTIONS: dict.fromkeys(possible, "")}


def _tree(tree: Tree, edge: str = "") -> TreeData:
    if isinstance(tree, TreeLeaf):
        return TreeData(tree.answer, "choice", edge)
    return TreeData(
        feature_test_text(tree.test),
        "predicate",
        edge,
        (_tree(tree.yes, "yes"), _tree(tree.no, "no")),
    )


# --- values of the alternatives in a decision point -----------------------------------------------


def alternatives(
    bench: Workbench, query: str, state: int, taken: int
) -> tuple[AlternativeData, ...]:
    """Return every choice in a state, each with the value of the query if it is taken. ``taken`` is
    the number of the choice that the strategy takes."""
    answer = answer_to(bench, query)
    walk = _walk(bench, answer)
    values = walk.values(answer.prop.formula)
    value = values.of_choices
    best = values.of_states[state]
    return tuple(
        AlternativeData(
            agent=option.agent,
            text=option.text,
            value="" if value is None else _number(value, option.choice),
            is_best=value is not None and _is_close(value[option.choice], best),
            is_taken=option.choice == taken,
            outcomes=tuple(
                OutcomeData(
                    str(each.probability),
                    tuple(map(str, each.changes)),
                    _number(values.of_states, each.state),
                )
                for each in option.outcomes
            ),
        )
        for option in walk.options_of(state)
    )


def _walk(bench: Workbench, answer: Answer) -> Walk:
    """Return a walk through the state space of an answer. If partial-order reduction was used, the
    walk uses the complete state space instead, to which the strategy belongs."""
    walks: dict[Formula, Walk] = bench.cache.setdefault("walks", {})
    formula, space = answer.prop.formula, answer.exploration.space
    if formula not in walks:
        walks[formula] = volition.walk(
            space
            if space.reduction is None
            else volition.explore(bench.program, formulas=[formula])
        )
    return walks[formula]


def _number(values: NumberArray, index: int) -> str:
    return rounded_text(values[index])


def _is_close(value: Any, best: Any) -> bool:
    return bool(
        value == best or abs(float(value) - float(best)) <= 1e-9 * max(1.0, abs(float(best)))
    )
