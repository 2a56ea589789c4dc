"""A strategy as tables: the one account that ``check --strategy``, ``strategy``, ``pareto``, ``mission``, JSON and Python have in common.

How a table is read stands in :mod:`volition.telling.strategies.decision_table` for the computer and in ``docs/guides/strategies.md`` for people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from volition.checking.strategy import Memory, Strategy
from volition.display import Shown, data_frame
from volition.languages.model import Model, Ruling, Table
from volition.telling.strategies.decision_points import Decision, Occasion, decisions, occasions, with_details
from volition.telling.strategies.decision_table import DETAILS, OPTIONS, Row, rows

__all__ = ["ANY_CHOICE", "StrategyTable", "tabulated"]

ANY_CHOICE = "any choice achieves the value"


@dataclass(frozen=True, repr=False)
class StrategyTable(Shown):
    """What a strategy decides, in the agent's words: every state with something to decide, and the decisions that it makes there."""

    occasions: tuple[Occasion, ...]
    decisions: tuple[Decision, ...]
    memory: Memory | None
    """What the strategy remembers, and how that changes; None where the state says all that it needs."""

    def __len__(self) -> int:
        """How many rows its tables have."""
        return len(list(self.rows()))

    def __bool__(self) -> bool:
        return True  # any choice is a strategy, too

    def __iter__(self) -> Iterator[tuple[Decision, Row]]:
        return self.rows()

    def __getitem__(self, place: int) -> tuple[Decision, Row]:
        return list(self.rows())[place]

    def __repr__(self) -> str:
        return f"<Strategy: {self.summary()}>"

    def summary(self) -> str:
        """What it depends on, in one line."""
        if not self.decisions:
            return ANY_CHOICE
        items = ", ".join(self.depends_on())
        return f"the choices depend on {items}" if items else "the choices are the same in every situation"

    def to_dataframe(self) -> Any:
        """The rows of all tables, for pandas."""
        columns = ["decision", "who", "when", "choose", "rather than", "states"]
        rows = [
            [decision.text, decision.mover, row.text, row.answer, "; ".join(row.others), row.situations] for decision, row in self.rows()
        ]
        return data_frame(columns, rows)

    def rows(self) -> Iterator[tuple[Decision, Row]]:
        """The rows of all tables, decision after decision; in each the first row that fits counts."""
        for decision in self.decisions:
            for row in rows(decision.tree):
                yield decision, row

    def tables(self) -> list[Table]:
        """A table for each kind of decision: who goes on, and by which step.

        Where several have steps to choose, the first column says who.
        """
        turns = [_cells(row) for decision, row in self.rows() if decision.mover is None]
        steps = [(decision.mover or "", _cells(row)) for decision, row in self.rows() if decision.mover is not None]
        columns = ["when", "choose", "rather than", "states"]
        found = [Table("Who goes on", columns, turns)] if turns else []
        if len({mover for mover, _ in steps}) > 1:
            found.append(Table("By which step", ["who", *columns], [[mover, *cells] for mover, cells in steps]))
        elif steps:
            found.append(Table("By which step", columns, [cells for _, cells in steps]))
        return found

    def markdown(self) -> str:
        """The tables as Markdown."""
        return "\n".join(_markdown(table) for table in self.tables()) or f"{ANY_CHOICE}\n"

    def depends_on(self) -> tuple[str, ...]:
        """Every item that matters for some choice."""
        return tuple(dict.fromkeys(item for decision in self.decisions for item in decision.depends_on))

    def rulings(self) -> list[Ruling]:
        """The rows of all tables, as a language takes them: that what a ruling says must be possible goes without saying."""
        return [
            Ruling(
                tuple(finding for finding in row.findings if finding.section != OPTIONS),
                row.answer if decision.mover is None else decision.mover,
                None if decision.mover is None else row.answer,
            )
            for decision, row in self.rows()
        ]

    def as_json(self) -> dict[str, Any]:
        """The compact tables, and what they say in each state that the strategy reaches."""
        memory = None if self.memory is None else self.memory.as_json()
        return {
            **({} if memory is None else {"memory": memory}),
            "depends_on": list(self.depends_on()),
            "questions": [_decision_json(each) for each in self.decisions],
            "states": [_occasion_json(each) for each in self.occasions],
        }


def tabulated(model: Model, strategy: Strategy) -> StrategyTable:
    """A strategy in tables."""
    strategy = strategy.simplest
    decided = tuple(occasions(model, strategy))
    made = tuple(decisions(model, strategy.space, decided))
    if any(finding.section == DETAILS for decision in made for finding in decision.findings):
        decided = tuple(with_details(model, strategy.space, each) for each in decided)
    return StrategyTable(decided, made, strategy.memory)


def _cells(row: Row) -> list[str]:
    return [row.text, row.answer, "; ".join(row.others), str(row.situations)]


def _markdown(table: Table) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
    lines = [f"## {table.title}", "", *(f"| {' | '.join(row)} |" for row in (table.columns, ["---"] * len(table.columns), *cells)), ""]
    return "\n".join(lines)


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "question": decision.text,
        "mover": decision.mover,
        "options": list(decision.options),
        "depends_on": list(decision.depends_on),
        "rows": [
            {
                "when": [
                    {"section": each.section, "item": each.item, "relation": each.relation, "value": each.value} for each in row.findings
                ],
                "text": row.text,
                "choose": row.answer,
                "instead_of": list(row.others),
                "states": row.situations,
            }
            for row in rows(decision.tree)
        ],
    }


def _occasion_json(occasion: Occasion) -> dict[str, Any]:
    return {
        "state": occasion.state,
        **({} if occasion.memory is None else {"memory": occasion.memory}),
        "situation": {section: dict(items) for section, items in occasion.situation.items()},
        "options": {mover: list(steps) for mover, steps in occasion.options.items()},
        "mover": occasion.mover,
        "step": occasion.step,
    }
