"""The evidence of an answer on the screen: its run, its strategy."""

from __future__ import annotations

from typing import Literal

from rich.text import Text

from volition.checking.check import Answer
from volition.checking.story import story
from volition.checking.strategies import decisions
from volition.checking.telling import Level, rows, tell
from volition.checking.verdict import Run
from volition.cli.rendering import result, run_table, strategy_table
from volition.cli.screen import Screen

__all__ = ["TraceLevel", "show_evidence"]

TraceLevel = Level | Literal["story", "none"]

LONGEST_RUN_TOLD = 30
"""Runs of more steps are shortened to their story unless a level was asked for."""


def show_evidence(screen: Screen, answer: Answer, level: TraceLevel | None, strategy: bool) -> None:
    """Tell the run and the strategy of an answer.

    The run of a yes/no property is its proof and told unless ``level`` is "none"; that of a query is one of many that the
    strategy allows, and told where a level was asked for.
    """
    verdict, model = answer.verdict, answer.exploration.model
    title = f"{answer.question.name or answer.question.text}: {result(verdict)}"
    if verdict.run is not None and level != "none" and (level is not None or verdict.value is None):
        _show_run(screen, answer, verdict.run, level or _level_for(verdict.run), f"{title}, because of this run")
    found = verdict.strategy or verdict.remembering
    if found is not None and strategy:
        screen.print("", strategy_table(decisions(model, found), f"{title}, by this strategy"))


def _level_for(run: Run) -> Literal["changes", "story"]:
    return "changes" if len(run.choices) <= LONGEST_RUN_TOLD else "story"


def _show_run(screen: Screen, answer: Answer, run: Run, level: Level | Literal["story"], title: str) -> None:
    model = answer.exploration.model
    if level != "story":
        screen.print("", run_table(rows(tell(run, model), level), title))
        return
    screen.print("", run_table(story(run, model, answer.verdict.formula), title))
    screen.print(Text("Only what matters to the formula: --trace changes tells all steps, --trace full with whole states.", "dim"))
