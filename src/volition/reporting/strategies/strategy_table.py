"""A strategy as tables: the one account that ``check --strategy``, ``strategy``, ``pareto``,
``mission``, JSON and Python have in common.

How a table is read stands in :mod:`volition.reporting.strategies.decision_tree` for the computer
and in ``docs/guides/strategies.md`` for people.
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
    """What a strategy decides, in the agent's words: every state with something to decide, and the
    decisions that it makes there."""

    decision_points: tuple[DecisionPoint, ...]
    decision_tables: tuple[DecisionTable, ...]
    memory: Memory | None
    """What the strategy remembers, and how that changes; None where the state says all that it
    needs."""

    def __len__(self) -> int:
        """How many rows its tables have."""
        return len(list(self.rows()))

    def __bool__(self) -> bool:
        return True  # any choice is a strategy, too

    def __iter__(self) -> Iterator[tuple[DecisionTable, TableRow]]:
        return self.rows()

    def __getitem__(self, index: int) -> tuple[DecisionTable, TableRow]:
        return list(self.rows())[index]

    def __repr__(self) -> str:
        return f"<Strategy: {self.summary()}>"

    def summary(self) -> str:
        """What it depends on, in one line."""
        if not self.decision_tables:
            return ANY_CHOICE
        items = ", ".join(self.depends_on())
        return (
            f"the choices depend on {items}"
            if items
            else "the choices are the same in every situation"
        )

    def to_dataframe(self) -> Any:
        """The rows of all tables, for pandas."""
        columns = ["decision", "who", "when", "choose", "rather than", "states"]
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
        """The rows of all tables, decision after decision; in each the first row that fits
        counts."""
        for decision in self.decision_tables:
            for row in table_rows(decision.tree):
                yield decision, row

    def tables(self) -> list[Table]:
        """A table for each kind of decision: who goes on, and by which step.

        Where several have steps to choose, the first column says who.
        """
        turns = [_cells(row) for decision, row in self.rows() if decision.component is None]
        steps = [
            (decision.component or "", _cells(row))
            for decision, row in self.rows()
            if decision.component is not None
        ]
        columns = ["when", "choose", "rather than", "states"]
        found = [Table("Who goes on", columns, turns)] if turns else []
        if len({component for component, _ in steps}) > 1:
            found.append(
                Table(
                    "By which step",
                    ["who", *columns],
                    [[moving_component, *cells] for moving_component, cells in steps],
                )
            )
        elif steps:
            found.append(Table("By which step", columns, [cells for _, cells in steps]))
        return found

    def markdown(self) -> str:
        """The tables as Markdown."""
        return "\n".join(_markdown(table) for table in self.tables()) or f"{ANY_CHOICE}\n"

    def depends_on(self) -> tuple[str, ...]:
        """Every item that matters for some choice."""
        return tuple(
            dict.fromkeys(item for decision in self.decision_tables for item in decision.depends_on)
        )

    def decision_rules(self) -> list[DecisionRule]:
        """The rows of all tables, as a language takes them: that what a ruling says must be
        possible goes without saying."""
        return [
            DecisionRule(
                tuple(predicate for predicate in row.tests if predicate.section != OPTIONS),
                row.answer if decision.component is None else decision.component,
                None if decision.component is None else row.answer,
            )
            for decision, row in self.rows()
        ]

    def as_json(self) -> dict[str, Any]:
        """The compact tables, and what they say in each state that the strategy reaches."""
        memory = None if self.memory is None else self.memory.as_json()
        return {
            **({} if memory is None else {"memory": memory}),
            "depends_on": list(self.depends_on()),
            "questions": [_decision_json(each) for each in self.decision_tables],
            "states": [_occasion_json(each) for each in self.decision_points],
        }


def tabulate_strategy(model: Model, strategy: Strategy) -> StrategyTable:
    """A strategy in tables."""
    strategy = strategy.memoryless_if_possible
    decided = tuple(decision_points(model, strategy))
    made = tuple(decision_tables(model, strategy.space, decided))
    if any(predicate.section == DETAILS for decision in made for predicate in decision.findings):
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
        "question": decision.text,
        "mover": decision.component,
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
                "instead_of": list(row.alternatives),
                "states": row.num_states,
            }
            for row in table_rows(decision.tree)
        ],
    }


def _occasion_json(point: DecisionPoint) -> dict[str, Any]:
    return {
        "state": point.state,
        **({} if point.memory is None else {"memory": point.memory}),
        "situation": {section: dict(items) for section, items in point.state_view.items()},
        "options": {component: list(steps) for component, steps in point.options.items()},
        "mover": point.component,
        "step": point.action,
    }
