"""The evidence of an answer on the screen: its run, its strategy."""

from __future__ import annotations

from typing import Literal

from volition.checking.check import Answer
from volition.checking.strategies import decisions
from volition.checking.telling import Level, rows, tell
from volition.cli.rendering import result, run_table, strategy_table
from volition.cli.screen import Screen

__all__ = ["TraceLevel", "show_evidence"]

TraceLevel = Level | Literal["none"]


def show_evidence(screen: Screen, answer: Answer, level: TraceLevel | None, strategy: bool) -> None:
    """Tell the run and the strategy of an answer.

    The run of a yes/no property is its proof and told unless ``level`` is "none"; that of a query is one of many that the
    strategy allows, and told where a level was asked for.
    """
    verdict, model = answer.verdict, answer.exploration.model
    title = f"{answer.question.name or answer.question.text}: {result(verdict)}"
    if verdict.run is not None and level != "none" and (level is not None or verdict.value is None):
        screen.print("", run_table(rows(tell(verdict.run, model), level or "changes"), f"{title}, because of this run"))
    if verdict.strategy is not None and strategy:
        screen.print("", strategy_table(decisions(model, verdict.strategy), f"{title}, by this strategy"))
