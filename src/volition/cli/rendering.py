"""Results of commands as text on the terminal: rich tables and sentences, with the run or the
strategy behind an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.cells import cell_len

from volition.checking.check import Answer
from volition.checking.verdict import Run, Verdict
from volition.cli.screen import SafeTable, SafeText, Screen
from volition.diagnostics import Diagnostic, escape_control_characters, plural
from volition.reporting import formatting
from volition.reporting.annotated_runs import Change, Level, TraceRow, annotate_run, trace_rows
from volition.reporting.formatting import duration
from volition.reporting.run_summary import summarise_run
from volition.reporting.strategies.strategy_table import StrategyTable

if TYPE_CHECKING:
    from volition.kernel import StateSpace
    from volition.languages.protocols import Table
    from volition.reporting.coverage import Coverage
    from volition.reporting.replay import Replay, ReplayedStep

__all__ = [
    "TraceLevel",
    "coverage_table",
    "model_line",
    "program_result_line",
    "program_table",
    "replay_table",
    "result",
    "run_table",
    "show_evidence",
    "show_strategy",
    "show_tables",
    "shows_run",
    "statistics",
    "verdict_table",
]


def program_table(table: Table) -> SafeTable:
    """Return a table of strings, such as a language's description of a parsed program, as a rich
    table."""
    grid = _grid(table.title)
    for column in table.columns:
        grid.add_column(column, overflow="fold")
    for row in table.rows:
        grid.add_row(*(SafeText(cell) for cell in row))
    return grid


def model_line(language: str, space: StateSpace) -> SafeText:
    """Return one line of text with the numbers of states, choices and transitions of a state
    space."""
    line = SafeText(f"{language}: ")
    counts = {
        "state": space.num_states,
        "choice": space.num_choices,
        "transition": space.num_transitions,
    }
    for index, (noun, count) in enumerate(counts.items()):
        line.append(", " if index else "").append(f"{count:,}", "bold").append(
            f" {plural(count, noun)}"
        )
    if space.reduction is not None:
        line.append(" stored, after partial-order reduction")
    return line if space.complete else line.append(", ").append("incomplete", "yellow")


def statistics(space: StateSpace, times: Mapping[str, float]) -> SafeTable:
    """Return a table with the size of a state space and the time of each phase of a command.

    ``times`` are the seconds of phases other than exploration, by name.
    """
    stats = space.stats
    grid = _grid("Statistics")
    grid.add_column("quantity")
    grid.add_column("value", justify="right")
    counted = {
        "states": stats.states,
        "choices": stats.choices,
        "transitions": stats.transitions,
        "Python calls": stats.python_calls,
    }
    for what, count in counted.items():
        grid.add_row(what, f"{count:,}")
    if space.reduction is not None:
        grid.add_row("states evaluated", f"{space.num_evaluated:,}")
    grid.add_row("bytes per state", f"{stats.bytes_per_state:.1f}")
    for phase, seconds in {**stats.seconds, **times}.items():
        grid.add_row(f"time: {phase}", duration(seconds))
    return grid


def verdict_table(answers: Sequence[Answer]) -> SafeTable:
    """Return a table with one row per answer. If some answers have an expected result, ✓ or ✗ marks
    whether the answer agrees with it."""
    grid = _grid(None)
    stated = any(answer.prop.expected is not None for answer in answers)
    grid.add_column("property", overflow="fold", ratio=1)
    grid.add_column("result")
    if stated:
        grid.add_column("expected")
    grid.add_column("time", justify="right")
    for answer in answers:
        expected = [_expected(answer)] if stated else []
        grid.add_row(
            _property(answer), result(answer.verdict), *expected, duration(answer.verdict.seconds)
        )
    return grid


def result(verdict: Verdict) -> SafeText:
    """Return the result of a check as coloured text: "holds", "violated", "unknown" or a value."""
    styles = {"unknown": "yellow", "holds": "bold green", "violated": "bold red"}
    word = formatting.verdict_text(verdict)
    return SafeText(word, styles.get(word, "bold"))


def run_table(rows: Sequence[TraceRow], title: str) -> SafeTable:
    """Return a table with one row per step of a run. Below the text of a step are the changes it
    makes."""
    grid = _grid(title)
    agents = {row.agent for row in rows if row.agent}
    grid.add_column("step", justify="right")
    if len(agents) > 1:
        grid.add_column("agent")
    grid.add_column("what happens", overflow="fold", ratio=1)
    grid.add_column("rules", style="dim", overflow="fold")
    grid.add_column("source", style="dim", no_wrap=True)
    for row in rows:
        agent = [row.agent] if len(agents) > 1 else []
        positions = "\n".join(position.rpartition("/")[2] for position in row.positions)
        grid.add_row(row.number, *agent, _row_cells(row), SafeText(row.rules), SafeText(positions))
    return grid


def program_result_line(path: Path, answers: Sequence[Answer], seconds: float) -> SafeText:
    """Return one line of text on how many results of a program are as expected, and a further line
    for each result that is not."""
    met = sum(answer.as_expected is True for answer in answers)
    mark, style = (
        ("·", "dim")
        if not answers
        else ("✓", "green")
        if met == len(answers)
        else ("✗", "bold red")
    )
    counted = (
        f"{met} of {len(answers)} {plural(len(answers), 'result')} as expected"
        if answers
        else "has no expected results"
    )
    text = SafeText().append(mark, style).append(f" {path}: {counted}, {duration(seconds)}")
    for answer in answers:
        if answer.as_expected is not True:
            requested = (
                f"{answer.verdict.unknown or result(answer.verdict)}, expected "
                f"{answer.prop.expected}"
            )
            text.append(f"\n    {answer.prop.text}: {requested}", "red")
    return text


def coverage_table(found: Coverage) -> SafeTable:
    """Return a table of the program parts that some run uses and those that no run uses."""
    grid = _grid("Coverage" if found.complete else "Coverage so far")
    grid.add_column("section")
    grid.add_column("used", overflow="fold", ratio=1)
    grid.add_column("never used", overflow="fold", ratio=1)
    for section in dict.fromkeys([*found.used, *found.unused]):
        used, unused = found.used.get(section, ()), found.unused.get(section, ())
        # Names are separated by dots, because plan names may contain commas, and rules semicolons.
        grid.add_row(section, SafeText(" · ".join(used)), SafeText(" · ".join(unused), "yellow"))
    return grid


def replay_table(replayed: Replay) -> SafeTable:
    """Return a table of the steps of a recorded run that was replayed: whether each step is still
    possible, and has the same effect."""
    grid = _grid(replayed.summary())
    grid.add_column("step", justify="right")
    grid.add_column("what happened", overflow="fold", ratio=1)
    grid.add_column("now", overflow="fold", ratio=1)
    if replayed.start:
        grid.add_row(
            "0", "initial state", SafeText(f"differs: {_join_changes(replayed.start)}", "yellow")
        )
    for step in replayed.steps:
        grid.add_row(str(step.number), SafeText(step.text), _replay_status(step))
    if replayed.loop_closes is False:
        grid.add_row(
            "", "back to an earlier state", SafeText("the run no longer returns to it", "red")
        )
    return grid


def _replay_status(step: ReplayedStep) -> SafeText:
    if step.outcome == "same":
        return SafeText("possible, same effect", "green")
    if step.outcome == "other effect":
        return SafeText(
            f"possible, but changes {_join_changes(step.differences) or 'nothing'}", "yellow"
        )
    return SafeText(f"impossible; possible are: {'; '.join(step.alternatives)}", "red")


def _join_changes(changes: Sequence[Change]) -> str:
    return ", ".join(f"{change.section}: {change}" for change in changes)


def _row_cells(row: TraceRow) -> SafeText:
    text = SafeText(row.text)
    for section, change in row.details:
        text.append(f"\n{section}: ", "dim").append(change, "cyan")
    return text


def _property(answer: Answer) -> SafeText:
    text = SafeText(answer.prop.text)
    text = (
        SafeText(f"{answer.prop.name}\n", "bold").append(answer.prop.text, "not bold dim")
        if answer.prop.name
        else text
    )
    for remark in formatting.verdict_notes(answer.verdict):
        text.append(f"\n{remark}", "not bold yellow")
    return text


def _expected(answer: Answer) -> SafeText:
    written = answer.prop.expected or ""
    mark = {True: ("✓", "green"), False: ("✗", "bold red"), None: (" ", "")}[answer.as_expected]
    return SafeText().append(*mark).append(f" {written}")


def _grid(title: str | None) -> SafeTable:
    """Return an empty table that is at least as wide as its title.

    Rich wraps a title at the width of its table.
    """
    wide = None if title is None else cell_len(escape_control_characters(title))
    return SafeTable(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        header_style="dim",
        show_edge=False,
        min_width=wide,
    )


TraceLevel = Level | Literal["summary", "none"]

MAX_STEPS_SHOWN = 30
"""Maximum number of steps of a run that is shown completely without ``--trace``; a longer run is
shown as a summary."""


def shows_run(answer: Answer, level: TraceLevel | None) -> bool:
    """Return whether to show the run of an answer.

    The run of a yes/no property proves the answer, so it is shown unless ``level`` is "none". The
    run of a query is one of many under the strategy; it is shown only if a level is given.
    """
    return level != "none" and (level is not None or answer.verdict.holds is not None)


def show_evidence(
    screen: Screen,
    answer: Answer,
    level: TraceLevel | None,
    strategy: StrategyTable | Diagnostic | None,
) -> None:
    """Print the strategy of an answer, and its run if :func:`shows_run` says so."""
    verdict = answer.verdict
    title = f"{answer.prop.name or answer.prop.text}: {result(verdict)}"
    run = verdict.run if shows_run(answer, level) else None
    if run is not None and level != "none":
        _show_run(screen, answer, run, level or _level_for(run), f"{title}. {_run_kind(verdict)}:")
    if isinstance(strategy, Diagnostic):
        screen.note(strategy.message)
    elif strategy is not None:
        show_strategy(screen, strategy, f"{title}. Strategy:")


def _run_kind(verdict: Verdict) -> str:
    return {False: "Counterexample", True: "Witness", None: "Example run"}[verdict.holds]


def show_strategy(screen: Screen, strategy: StrategyTable, title: str) -> None:
    """Print a title and below it the tables of a strategy."""
    screen.print("", SafeText(title, "bold"))
    show_tables(screen, strategy)


def show_tables(screen: Screen, strategy: StrategyTable) -> None:
    """Print a summary of a strategy, such as what it depends on, and its tables."""
    screen.print(SafeText(strategy.summary()))
    for table in strategy.tables():
        screen.print("", program_table(table))


def _level_for(run: Run) -> Literal["changes", "summary"]:
    return "changes" if len(run.choices) <= MAX_STEPS_SHOWN else "summary"


def _show_run(
    screen: Screen, answer: Answer, run: Run, level: Level | Literal["summary"], title: str
) -> None:
    model = answer.exploration.model
    if level != "summary":
        screen.print("", run_table(trace_rows(annotate_run(run, model), level), title))
        return
    screen.print("", run_table(summarise_run(run, model, answer.verdict.formula), title))
    screen.print(
        SafeText(
            "This summary has only the steps that matter to the formula. --trace changes shows all "
            "steps, --trace full also complete states.",
            "dim",
        )
    )
