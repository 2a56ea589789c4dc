"""The evidence of an answer on the screen: its run, its strategy."""

from __future__ import annotations

from typing import Literal

from volition.analysis.synthesis.synthesise import Asked, is_extreme_value, told
from volition.checking.check import Answer
from volition.checking.numbers.quantitative import Settings
from volition.checking.verdict import Run
from volition.cli.rendering import program_table, result, run_table
from volition.cli.screen import Screen, Words
from volition.diagnostics import Diagnostic
from volition.telling.runs import Level, rows, tell
from volition.telling.stories import story
from volition.telling.strategies.table import ANY_CHOICE, StrategyTable, tabulated

__all__ = ["TraceLevel", "show_evidence", "show_strategy", "show_tables", "strategy_of"]

TraceLevel = Level | Literal["story", "none"]

LONGEST_RUN_TOLD = 30
"""Runs of more steps are shortened to their story unless a level was asked for."""


def strategy_of(answer: Answer, settings: Settings) -> StrategyTable | Diagnostic | None:
    """The strategy behind an answer, told as ``volition strategy`` does, or why it cannot be told; None if there is none to it."""
    verdict, asked = answer.verdict, answer.question.formula
    strategy = verdict.strategy or verdict.remembering
    if isinstance(asked, Asked) and is_extreme_value(asked) and verdict.unknown is None:
        return told(answer, asked, settings)
    return None if strategy is None else tabulated(answer.exploration.model, strategy)


def show_evidence(screen: Screen, answer: Answer, level: TraceLevel | None, strategy: StrategyTable | Diagnostic | None) -> None:
    """Tell the run and the strategy of an answer.

    The run of a yes/no property is its proof and told unless ``level`` is "none"; that of a query is one of many that the
    strategy allows, and told where a level was asked for.
    """
    verdict = answer.verdict
    title = f"{answer.question.name or answer.question.text}: {result(verdict)}"
    if verdict.run is not None and level != "none" and (level is not None or verdict.value is None):
        _show_run(screen, answer, verdict.run, level or _level_for(verdict.run), f"{title}, because of this run")
    if isinstance(strategy, Diagnostic):
        screen.note(strategy.message)
    elif strategy is not None:
        show_strategy(screen, strategy, f"{title}, by this strategy")


def show_strategy(screen: Screen, strategy: StrategyTable, title: str) -> None:
    """A strategy in tables, under a title."""
    screen.print("", Words(title, "bold"))
    show_tables(screen, strategy)


def show_tables(screen: Screen, strategy: StrategyTable) -> None:
    """What a strategy depends on, and its tables."""
    if not strategy.questions:
        screen.print(ANY_CHOICE)
        return
    items = ", ".join(strategy.depends_on())
    screen.print(Words(f"the choices depend on {items}" if items else "the choices are the same in every situation"))
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
    screen.print(Words("Only what matters to the formula: --trace changes tells all steps, --trace full with whole states.", "dim"))
