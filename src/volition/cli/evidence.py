"""The evidence of an answer on the screen: its run, its strategy."""

from __future__ import annotations

from typing import Literal

from volition.checking.check import Answer
from volition.checking.verdict import Run
from volition.cli.rendering import program_table, result, run_table
from volition.cli.screen import Screen, Words
from volition.diagnostics import Diagnostic
from volition.telling.runs import Level, rows, tell
from volition.telling.stories import story
from volition.telling.strategies.table import StrategyTable

__all__ = ["TraceLevel", "show_evidence", "show_strategy", "show_tables", "tells_run"]

TraceLevel = Level | Literal["story", "none"]

LONGEST_RUN_TOLD = 30
"""Runs of more steps are shortened to their story unless a level was asked for."""


def tells_run(answer: Answer, level: TraceLevel | None) -> bool:
    """Whether the run of an answer is to be told.

    That of a yes/no property is its proof and told unless ``level`` is "none"; that of a query is one of many that the strategy allows,
    and told where a level was asked for.
    """
    return level != "none" and (level is not None or answer.verdict.value is None)


def show_evidence(screen: Screen, answer: Answer, level: TraceLevel | None, strategy: StrategyTable | Diagnostic | None) -> None:
    """Tell the run, where it is to be told, and the strategy of an answer."""
    verdict = answer.verdict
    title = f"{answer.question.name or answer.question.text}: {result(verdict)}"
    run = verdict.run if tells_run(answer, level) else None
    if run is not None and level != "none":
        _show_run(screen, answer, run, level or _level_for(run), f"{title}, as this run shows")
    if isinstance(strategy, Diagnostic):
        screen.note(strategy.message)
    elif strategy is not None:
        show_strategy(screen, strategy, f"{title}, with this strategy")


def show_strategy(screen: Screen, strategy: StrategyTable, title: str) -> None:
    """A strategy in tables, under a title."""
    screen.print("", Words(title, "bold"))
    show_tables(screen, strategy)


def show_tables(screen: Screen, strategy: StrategyTable) -> None:
    """What a strategy depends on, and its tables."""
    screen.print(Words(strategy.summary()))
    for table in strategy.tables():
        screen.print("", program_table(table))


def _level_for(run: Run) -> Literal["changes", "story"]:
    return "changes" if len(run.choices) <= LONGEST_RUN_TOLD else "story"


def _show_run(screen: Screen, answer: Answer, run: Run, level: Level | Literal["story"], title: str) -> None:
    model = answer.exploration.model
    if level != "story":
        screen.print("", run_table(rows(tell(run, model), level), title))
        return
    screen.print("", run_table(story(run, model, answer.verdict.formula), title))
    screen.print(
        Words("Only the steps that matter to the formula: --trace changes shows all steps, --trace full also whole states.", "dim")
    )
