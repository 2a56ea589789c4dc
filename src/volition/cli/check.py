"""``volition check``: check properties of a program and show the evidence."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from volition.api.checks import Slicing, check, strategy_of, trace
from volition.api.inputs import LoadedSubject, initial_belief_bases, load_subject
from volition.api.property_input import properties_to_check
from volition.checking.check import Answer, Report
from volition.checking.engines import ENGINES
from volition.checking.graph.fairness import Fairness
from volition.checking.reduction_policy import Reduce
from volition.cli.exit_and_files import Exit, exit_code, expect_writable, most_severe, write_file
from volition.cli.hints import with_options
from volition.cli.json_output import report_json
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    depth_option,
    display_options,
    limit_options,
    program_argument,
    stats_option,
)
from volition.cli.rendering import (
    TraceLevel,
    model_line,
    show_evidence,
    shows_run,
    statistics,
    verdict_table,
)
from volition.cli.screen import SafeText, Screen, json_text
from volition.diagnostics import Diagnostic, Diagnostics, InputError, render
from volition.languages.protocols import HasInitialStates, Program

__all__ = ["command"]


class CheckCommand(ProgramCommand):
    """Class of the command ``volition check``, whose option ``--slice`` has an optional value:
    ``--slice`` without a value means ``--slice=sound``, even if the argument PROGRAM follows it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        following = [*args, ""][1:]
        expanded = [
            "--slice=sound" if each == "--slice" and then not in get_args(Slicing) else each
            for each, then in zip(args, following, strict=True)
        ]
        return super().parse_args(ctx, expanded)


@click.command("check", cls=CheckCommand)
@program_argument
@click.option(
    "-p",
    "--property",
    "formulas",
    metavar="FORMULA",
    multiple=True,
    help="A formula to check; may be repeated.",
)
@click.option(
    "--props",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Check the properties in FILE; FILE:NAME checks only the property NAME.",
)
@click.option(
    "--generic",
    is_flag=True,
    help="Also check whether every run, or some run, ends in success or in failure (CAN).",
)
@click.option(
    "--per-event", is_flag=True, help="Like --generic, and also for each external event (CAN)."
)
@click.option(
    "--all-belief-bases",
    is_flag=True,
    help="Check the program once for each of its initial belief bases (CAN).",
)
@click.option(
    "--trace",
    "level",
    type=click.Choice(["summary", "changes", "full", "actions", "none"]),
    help="How to show runs: summary (the steps that matter to the formula; default for long runs), "
    "changes (every step with what it changes; default for short runs), full (every step with the "
    "complete state), actions (only actions) or none. Without this option, the runs of queries "
    "(=?) are not shown.",
)
@click.option("--strategy", is_flag=True, help="Show the strategy behind each optimal value.")
@click.option(
    "--write-trace",
    "trace_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the first counterexample or witness as JSON, for 'volition replay'.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--fair",
    "fairness",
    type=click.Choice(["weak", "strong"]),
    help="Consider only runs that are fair to every component.",
)
@click.option(
    "--assume", metavar="FORMULA", help="Consider only runs that satisfy FORMULA, such as 'G F p'."
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute with fractions, or in floating point with error bounds (default: depends on the "
    "size of the model).",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "native", "storm", *ENGINES, "cross"]),
    default="auto",
    help="Engine that checks the properties. auto (default): native for formulas about runs, storm "
    "for probabilities and rewards. spin: translate to Promela (AgentSpeak(F)). cross: use every "
    "engine that supports the formula, and fail if they disagree.",
)
@click.option(
    "--reduce",
    type=click.Choice(get_args(Reduce)),
    default="auto",
    help="Partial-order reduction. auto (default): static, for models of more than 10,000 states. "
    "static: based on what components read and write. lookahead: also based on what they can do "
    "next.",
)
@click.option(
    "--slice",
    "sliced",
    type=click.Choice(get_args(Slicing)),
    help="Check a slice, the part of the program that matters to the properties. sound "
    "(default if no value is given): a slice that gives the same results. guided: an "
    "over-approximation of the program, where that is sufficient.",
)
@click.option(
    "--derived-beliefs",
    is_flag=True,
    help="Check the agent as it runs, with the beliefs that its run file derives from queries "
    "(LISA).",
)
@depth_option
@limit_options
@stats_option
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    formulas: Sequence[str],
    file: Path | None,
    generic: bool,
    per_event: bool,
    all_belief_bases: bool,
    level: TraceLevel | None,
    strategy: bool,
    trace_file: Path | None,
    force: bool,
    fairness: Fairness | None,
    assume: str | None,
    exact: bool | None,
    engine: str,
    reduce: Reduce,
    sliced: Slicing | None,
    derived_beliefs: bool,
    depth: int | None,
    limits: LimitOptions,
    stats: bool,
    screen: Screen,
) -> None:
    """Check properties of PROGRAM and show a counterexample, witness or strategy for each.

    Without -p and --props, the properties in the program's own file are checked.

    A property can state its expected result in a comment such as // RESULT: 0.6561, above or after
    it in a file, or after it in -p. Exit code 0 then means that the result is as expected, even if
    the property is expected to be violated. A property without an expected result gives exit code 1
    if it is violated; a query (=?) gives exit code 0.

    PROGRAM can also be a state space written by 'volition explore --save'; then nothing is
    explored.

    \b
    Examples:
      volition check examples/can/smart_manufacturing.can
      volition check examples/can/smart_manufacturing.can -p 'Pmax=? [ F (PS1 & PS2) ]' --strategy
      volition check examples/dribble/vacuum.dribble -p 'A [ F (B(c1) & B(c2)) ]' --trace full
      volition check examples/agentspeak/auction --json --timeout 5m
      volition check examples/agentspeak/auction --depth 40
      volition check auction.vsp
    """
    expect_writable(trace_file, force=force)
    if sliced == "sound" and trace_file is not None:
        message = "the run of a slice cannot be written: it cannot be replayed on the program"
        raise InputError([Diagnostic("SLC006", message, hint="leave out --slice or --write-trace")])
    if sliced is not None and derived_beliefs:
        message = (
            "a program with derived beliefs cannot be sliced: derived beliefs depend on the "
            "complete state, and a slice has only a part of it"
        )
        hint = "leave out --slice or --derived-beliefs"
        raise InputError([Diagnostic("SLC006", message, hint=hint)])
    start = time.perf_counter()
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.program.warnings)  # warnings about its states are in the report
    with screen.collecting_warnings() as warnings:
        if derived_beliefs:
            # Imported only here, because it imports the whole run-time system.
            from volition.api.verification import with_derived_beliefs

            given = LoadedSubject(with_derived_beliefs(given.program, warnings=warnings))
        properties = properties_to_check(
            given.program, formulas, warnings, props=file, generic=generic, per_event=per_event
        )
    read = time.perf_counter() - start
    reports: list[Report] = []
    documents: dict[str, Any] = {}
    errors = Diagnostics()

    def compute_evidence(answer: Answer) -> None:
        """Compute the evidence of an answer that will be shown later, so that the data it is
        computed from can be freed before the next property is checked."""
        _ = answer.verdict.notes
        if screen.as_json or trace_file is not None or shows_run(answer, level):
            _ = answer.verdict.run

    for base, each in (
        _subject_per_base(given, settings) if all_belief_bases else {"": given.subject}
    ).items():
        with screen.progress() as progress:
            report = check(
                each,
                properties,
                fair=fairness,
                assume=assume,
                exact=exact,
                engine=engine,
                reduce=reduce,
                slice=sliced or False,
                depth=depth,
                **limits,
                progress=progress,
                answered=compute_evidence,
                errors=errors,
            )
        reports.append(report)
        screen.diagnostics(report.warnings)
        if all_belief_bases:
            screen.print("", SafeText(f"Initial belief base {base}", "bold"))
        if engine not in ENGINES:  # external engines explore on their own
            for exploration in report.models:
                screen.print(model_line(given.program.language, exploration.space))
        screen.print("", verdict_table(report.answers))
        strategies = [
            strategy_of(each, exact=exact, timeout=limits["timeout"]) if strategy else None
            for each in report.answers
        ]
        for answer, reported in zip(report.answers, strategies, strict=True):
            show_evidence(screen, answer, level, reported)
        if stats:
            checking = sum(answer.verdict.seconds for answer in report.answers)
            for exploration in report.models:
                screen.print(
                    "",
                    statistics(
                        exploration.space,
                        {"reading": read, "checking": checking, "total": read + report.seconds},
                    ),
                )
        if screen.as_json:
            documents[base] = report_json(report, program, strategies)
    if trace_file is not None:
        _write_first_run(trace_file, reports, program)
    # Each belief base reports the same errors; show each error once.
    distinct = tuple({render(each): each for each in errors.errors}.values())
    screen.diagnostics(distinct)
    noted = {"diagnostics": [with_options(each).as_json() for each in distinct]} if distinct else {}
    screen.document(lambda: ({"bases": documents} if all_belief_bases else documents[""]) | noted)
    ctx.exit(Exit.BAD_INPUT if distinct else most_severe([exit_code(each) for each in reports]))


def _subject_per_base(given: LoadedSubject, settings: Mapping[str, str]) -> Mapping[str, Program]:
    """Return the program once for each of its initial belief bases, by the name of the belief base.

    Raise :class:`InputError` if a setting already selects one belief base.
    """
    program = given.program
    if (
        isinstance(program, HasInitialStates)
        and (chosen := settings.get(program.initial_state_setting)) is not None
    ):
        setting = program.initial_state_setting
        message = f"the setting '{setting}' is set to '{chosen}', but --all-belief-bases varies it"
        raise InputError([Diagnostic("CLI014", message, hint="remove one of them")])
    return initial_belief_bases(given.subject)


def _write_first_run(file: Path, reports: Iterable[Report], program: Path) -> None:
    """Write the first counterexample or witness of the reports to a file, as a trace; raise
    :class:`InputError` if they have none."""
    traces = (
        found
        for report in reports
        for answer in report
        if (found := trace(answer, program=str(program))) is not None
    )
    first = next(traces, None)
    if first is None:
        raise InputError(
            [Diagnostic("CLI005", f"there is no counterexample or witness to write to '{file}'")]
        )
    write_file(file, json_text(first) + "\n")
