"""Strategy tables: the decisions of a strategy as rows "when these tests hold, choose this". The
command line (``check --strategy``, ``strategy``, ``pareto``, ``mission``), JSON and Python share
this representation.

:mod:`volition.reporting.strategies.decision_tree` defines the meaning of a table;
``docs/guides/strategies.md`` explains it to users.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from volition.checking.strategy import Memory, Strategy
from volition.display import HtmlDisplay, data_frame
from volition.languages.protocols import DecisionRule, Model, Table
from volition.reporting.strategies.decision_points import (
    DecisionPoint,
    DecisionTable,
    decision_points,
    decision_tables,
    with_details,
)
from volition.reporting.strategies.decision_tree import DETAILS, OPTIONS, TableRow, table_rows

__all__ = ["ANY_CHOICE", "StrategyTable", "tabulate_strategy"]

ANY_CHOICE = "any choice achieves the value"


@dataclass(frozen=True, repr=False)
class StrategyTable(HtmlDisplay):
    """Decisions of a strategy in terms of the program: all its decision points, and the decision
    tables that summarise them."""

    decision_points: tuple[DecisionPoint, ...]
    decision_tables: tuple[DecisionTable, ...]
    memory: Memory | None
    """The memory of the strategy and how it is updated; None if the strategy depends on the state
    only."""

    def __len__(self) -> int:
        """Return the number of rows in all decision tables together."""
        return len(list(self.rows()))

    def __bool__(self) -> bool:
        return True  # a strategy without tables, where any choice is optimal, is not false

    def __iter__(self) -> Iterator[tuple[DecisionTable, TableRow]]:
        return self.rows()

    def __getitem__(self, index: int) -> tuple[DecisionTable, TableRow]:
        return list(self.rows())[index]

    def __repr__(self) -> str:
        return f"<StrategyTable: {self.summary()}>"

    def summary(self) -> str:
        """Return a line of text that names the items of the state that the choices depend on."""
        if not self.decision_tables:
            return ANY_CHOICE
        items = ", ".join(self.depends_on())
        return (
            f"the choices depend on {items}"
            if items
            else "the choices are the same in every situation"
        )

    def to_dataframe(self) -> Any:
        """Return the rows of all decision tables as a pandas data frame."""
        columns = ["decision", "component", "when", "choose", "rather than", "states"]
        rows = [
            [
                decision.text,
                decision.component,
                row.text,
                row.answer,
                "; ".join(row.alternatives),
                row.num_states,
            ]
            for decision, row in self.rows()
        ]
        return data_frame(columns, rows)

    def rows(self) -> Iterator[tuple[DecisionTable, TableRow]]:
        """Yield the rows of all decision tables, each with its table. In each table the first
        matching row applies."""
        for decision in self.decision_tables:
            for row in table_rows(decision.tree):
                yield decision, row

    def tables(self) -> list[Table]:
        """Return a printable table for each kind of decision: which component moves, and which
        action it takes.

        If several components have actions to choose from, the first column names the component.
        """
        turns = [_cells(row) for decision, row in self.rows() if decision.component is None]
        steps = [
            (decision.component or "", _cells(row))
            for decision, row in self.rows()
            if decision.component is not None
        ]
        columns = ["when", "choose", "rather than", "states"]
        found = [Table("Which component moves", columns, turns)] if turns else []
        if len({component for component, _ in steps}) > 1:
            found.append(
                Table(
                    "Which action it takes",
                    ["component", *columns],
                    [[moving_component, *cells] for moving_component, cells in steps],
                )
            )
        elif steps:
            found.append(Table("Which action it takes", columns, [cells for _, cells in steps]))
        return found

    def markdown(self) -> str:
        """Return the decision tables as Markdown text."""
        return "\n".join(_markdown(table) for table in self.tables()) or f"{ANY_CHOICE}\n"

    def depends_on(self) -> tuple[str, ...]:
        """Return the items of the state view that some choice depends on."""
        return tuple(
            dict.fromkeys(item for decision in self.decision_tables for item in decision.depends_on)
        )

    def decision_rules(self) -> list[DecisionRule]:
        """Return the rows of all decision tables as rules that a language can insert into a
        program. Tests for enabled answers are left out, because a rule applies only if its
        component and action are enabled."""
        return [
            DecisionRule(
                tuple(predicate for predicate in row.tests if predicate.section != OPTIONS),
                row.answer if decision.component is None else decision.component,
                None if decision.component is None else row.answer,
            )
            for decision, row in self.rows()
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the decision tables, and the decision in each state that the strategy reaches, as
        JSON data."""
        memory = None if self.memory is None else self.memory.as_json()
        return {
            **({} if memory is None else {"memory": memory}),
            "depends_on": list(self.depends_on()),
            "decisions": [_decision_json(each) for each in self.decision_tables],
            "states": [_decision_point_json(each) for each in self.decision_points],
        }


def tabulate_strategy(model: Model, strategy: Strategy) -> StrategyTable:
    """Return the decision points and decision tables of a strategy."""
    strategy = strategy.memoryless_if_possible
    decided = tuple(decision_points(model, strategy))
    made = tuple(decision_tables(model, strategy.space, decided))
    if any(predicate.section == DETAILS for decision in made for predicate in decision.predicates):
        decided = tuple(with_details(model, strategy.space, each) for each in decided)
    return StrategyTable(decided, made, strategy.memory)


def _cells(row: TableRow) -> list[str]:
    return [row.text, row.answer, "; ".join(row.alternatives), str(row.num_states)]


def _markdown(table: Table) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
    lines = [
        f"## {table.title}",
        "",
        *(
            f"| {' | '.join(row)} |"
            for row in (table.columns, ["---"] * len(table.columns), *cells)
        ),
        "",
    ]
    return "\n".join(lines)


def _decision_json(decision: DecisionTable) -> dict[str, Any]:
    return {
        "text": decision.text,
        "component": decision.component,
        "options": list(decision.options),
        "depends_on": list(decision.depends_on),
        "rows": [
            {
                "when": [
                    {
                        "section": each.section,
                        "item": each.item,
                        "relation": each.relation,
                        "value": each.value,
                    }
                    for each in row.tests
                ],
                "text": row.text,
                "choose": row.answer,
                "alternatives": list(row.alternatives),
                "states": row.num_states,
            }
            for row in table_rows(decision.tree)
        ],
    }


def _decision_point_json(point: DecisionPoint) -> dict[str, Any]:
    return {
        "state": point.state,
        **({} if point.memory is None else {"memory": point.memory}),
        "view": {section: dict(items) for section, items in point.state_view.items()},
        "options": {component: list(steps) for component, steps in point.options.items()},
        "component": point.component,
        "action": point.action,
    }
