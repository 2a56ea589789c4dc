"""The strategy behind a value: what it decides and where, and what would become of it if one chose
otherwise."""

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
    AlternativeShown,
    DecisionPointData,
    DecisionShown,
    OutcomeShown,
    RowData,
    StrategyData,
    TreeData,
)
from volition.studio.workbench import Workbench

__all__ = ["alternatives", "strategy_behind", "strategy_shown"]

MAX_DECISION_POINTS = 300
"""States that are shown of those in which a strategy decides."""


def strategy_behind(bench: Workbench, query: str) -> StrategyData:
    """The strategy behind an answer."""
    found = strategy_of(answer_to(bench, query))
    if found is None:
        return StrategyData("there is nothing to choose: chance alone decides")
    return StrategyData(found.message) if isinstance(found, Diagnostic) else strategy_shown(found)


def strategy_shown(table: StrategyTable) -> StrategyData:
    """What a strategy decides, with the first of the occasions on which it does."""
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


def _decision(decision: DecisionTable, points: tuple[DecisionPoint, ...]) -> DecisionShown:
    made = [(number, each) for number, each in enumerate(points) if _is_made(decision, each)]
    left = dict(made)
    found: list[RowData] = []
    for row in table_rows(decision.tree):  # the first row that fits counts
        fitting = [
            number
            for number, each in left.items()
            if all(predicate.holds(_seen(decision, each)) for predicate in row.tests)
        ]
        left = {number: each for number, each in left.items() if number not in fitting}
        found.append(RowData(row.text, row.answer, row.alternatives, tuple(fitting)))
    tree = TreeData(decision.text, "question", children=(_tree(decision.tree),))
    return DecisionShown(decision.text, tuple(found), tree)


def _is_made(decision: DecisionTable, point: DecisionPoint) -> bool:
    """Whether an occasion calls for a decision: several could go on, or the one that does could in
    several ways."""
    if decision.component is None:
        return len(point.options) > 1
    return point.component == decision.component and len(point.options[decision.component]) > 1


def _seen(decision: DecisionTable, point: DecisionPoint) -> dict[str, Any]:
    """The situation with what is possible in it, as a tree looks at it."""
    possible = point.options if decision.component is None else point.options[decision.component]
    return {**point.state_view, OPTIONS: dict.fromkeys(possible, "")}


def _tree(tree: Tree, edge: str = "") -> TreeData:
    if isinstance(tree, TreeLeaf):
        return TreeData(tree.answer, "answer", edge)
    return TreeData(
        feature_test_text(tree.test),
        "finding",
        edge,
        (_tree(tree.yes, "yes"), _tree(tree.no, "no")),
    )


# --- what if --------------------------------------------------------------------------------------


def alternatives(
    bench: Workbench, query: str, state: int, taken: int
) -> tuple[AlternativeShown, ...]:
    """Everything that could be done in a state, with what the query is worth then; ``taken`` is the
    choice of the strategy."""
    answer = answer_to(bench, query)
    walk = _walk(bench, answer)
    values = walk.values(answer.prop.formula)
    value = values.of_choices
    best = values.of_states[state]
    return tuple(
        AlternativeShown(
            agent=option.agent,
            text=option.text,
            value="" if value is None else _number(value, option.choice),
            is_best=value is not None and _is_close(value[option.choice], best),
            is_taken=option.choice == taken,
            outcomes=tuple(
                OutcomeShown(
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
    """A walk through the states of an answer, which knows their values; of a reduced space the
    whole one, as its strategy is."""
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
