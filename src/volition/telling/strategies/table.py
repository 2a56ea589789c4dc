"""A strategy as tables: the one account that ``check --strategy``, ``strategy``, ``pareto``, ``mission``, JSON and Python have in common.

How a table is read stands in :mod:`volition.telling.strategies.decision_table` for the computer and in ``docs/strategies.md`` for people.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from volition.checking.strategy import Memory, RememberingStrategy, Strategy
from volition.languages.model import Model, Ruling, Table
from volition.telling.strategies.decision_points import Occasion, Question, occasions, questions, with_details
from volition.telling.strategies.decision_table import DETAILS, OPTIONS, Row, rows

__all__ = ["ANY_CHOICE", "StrategyTable", "tabulated"]

ANY_CHOICE = "any choice attains the value"


@dataclass(frozen=True)
class StrategyTable:
    """What a strategy decides, in the agent's words: every state with something to decide, and the questions that it answers there."""

    occasions: tuple[Occasion, ...]
    questions: tuple[Question, ...]
    memory: Memory | None
    """What the strategy remembers, and how that changes; None where the state says all that it needs."""

    def rows(self) -> Iterator[tuple[Question, Row]]:
        """The rows of all tables, question after question; in each the first row that fits counts."""
        for question in self.questions:
            for row in rows(question.tree):
                yield question, row

    def tables(self) -> list[Table]:
        """A table for each kind of question: who goes on, and by which step.

        Where several have steps to choose, the first column says who.
        """
        turns = [_cells(row) for question, row in self.rows() if question.mover is None]
        steps = [(question.mover or "", _cells(row)) for question, row in self.rows() if question.mover is not None]
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
        return tuple(dict.fromkeys(item for question in self.questions for item in question.depends_on))

    def rulings(self) -> list[Ruling]:
        """The rows of all tables, as a language takes them: that what a ruling says must be possible goes without saying."""
        return [
            Ruling(
                tuple(finding for finding in row.findings if finding.section != OPTIONS),
                row.answer if question.mover is None else question.mover,
                None if question.mover is None else row.answer,
            )
            for question, row in self.rows()
        ]

    def as_json(self) -> dict[str, Any]:
        """The compact tables, and what they say in each state that the strategy reaches."""
        return {
            **({} if self.memory is None else {"memory": self.memory.as_json()}),
            "depends_on": list(self.depends_on()),
            "questions": [_question_json(each) for each in self.questions],
            "states": [_occasion_json(each) for each in self.occasions],
        }


def tabulated(model: Model, strategy: Strategy | RememberingStrategy) -> StrategyTable:
    """A strategy in tables."""
    if isinstance(strategy, RememberingStrategy) and strategy.without_memory is not None:
        strategy = strategy.without_memory
    decided = tuple(occasions(model, strategy))
    asked = tuple(questions(model, strategy.space, decided))
    if any(finding.section == DETAILS for question in asked for finding in question.findings):
        decided = tuple(with_details(model, strategy.space, each) for each in decided)
    memory = strategy.memory if isinstance(strategy, RememberingStrategy) else None
    return StrategyTable(decided, asked, memory)


def _cells(row: Row) -> list[str]:
    return [row.text, row.answer, "; ".join(row.others), str(row.situations)]


def _markdown(table: Table) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in table.rows]
    lines = [f"## {table.title}", "", *(f"| {' | '.join(row)} |" for row in (table.columns, ["---"] * len(table.columns), *cells)), ""]
    return "\n".join(lines)


def _question_json(question: Question) -> dict[str, Any]:
    return {
        "question": question.text,
        "mover": question.mover,
        "options": list(question.options),
        "depends_on": list(question.depends_on),
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
            for row in rows(question.tree)
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
