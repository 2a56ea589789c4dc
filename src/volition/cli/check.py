"""``volition check``: properties of a program, answered with evidence."""

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
    """``--slice`` may stand without a word, also before the program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        following = [*args, ""][1:]
        alone = [
            each == "--slice" and then not in get_args(Slicing)
            for each, then in zip(args, following, strict=True)
        ]
        given = [
            "--slice=sound" if is_alone else each
            for each, is_alone in zip(args, alone, strict=True)
        ]
        return super().parse_args(ctx, given)


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
    help="Check the properties in a file; FILE:NAME: only NAME.",
)
@click.option(
    "--generic",
    is_flag=True,
    help="Also check whether the program always, or ever, ends in success or failure (CAN).",
)
@click.option(
    "--per-event", is_flag=True, help="As --generic, and also for each external event (CAN)."
)
@click.option(
    "--all-bases",
    is_flag=True,
    help="Check from every initial belief base of the program, one after the other (CAN).",
)
@click.option(
    "--trace",
    "level",
    type=click.Choice(["story", "changes", "full", "actions", "none"]),
    help="How runs are shown: the steps that matter to the formula (default for long runs), all steps with what changed "  # noqa: E501
    "(default for short ones), all steps with whole states, only actions, or not at all. "
    "Runs of queries are only shown if this is given.",
)
@click.option("--strategy", is_flag=True, help="Show the strategy behind each optimal value.")
@click.option(
    "--write-trace",
    "trace_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the first run as JSON, for 'volition replay'.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--fair",
    "fairness",
    type=click.Choice(["weak", "strong"]),
    help="Consider only runs that are fair to every component.",
)
@click.option(
    "--assume", metavar="FORMULA", help="Consider only runs on which this holds, such as 'G F p'."
)
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Answer with fractions, or with floating point and bounds (default: by size).",
)
@click.option(
    "--engine",
    type=click.Choice(["auto", "native", "storm", *ENGINES, "cross"]),
    default="auto",
    help="The engine: native for paths and Storm for numbers (auto), one of them, or all that "
    "apply, which must agree (cross).",
)
@click.option(
    "--reduce",
    type=click.Choice(get_args(Reduce)),
    default="auto",
    help="Leave out orders of steps that the properties cannot tell apart: in models of more than 10,000 states (auto), not at all, "  # noqa: E501
    "by what components read and write (static), or also by what they can do next (full).",
)
@click.option(
    "--slice",
    "sliced",
    type=click.Choice(get_args(Slicing)),
    help="Answer on the part of the program that matters to the properties (sound, also without a word), or on an over-approximation of "  # noqa: E501
    "the program where that is enough (guided).",
)
@click.option(
    "--generated",
    is_flag=True,
    help="Check the agent that runs: with the beliefs that its run file makes of queries (LISA).",
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
    all_bases: bool,
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
    generated: bool,
    depth: int | None,
    limits: LimitOptions,
    stats: bool,
    screen: Screen,
) -> None:
    """Answer properties of PROGRAM, with evidence.

    Without -p and --props these are the properties that the file of the program carries.

    Where a file or -p states the result that it expects (// RESULT: 0.6561 above a property, or
    behind it), exit code 0 means that the result is as expected, also where a property is expected
    to be violated.  A formula without an expected result gives exit code 1 if it is violated; a
    query (=?) gives 0.

    PROGRAM can also be a state space that 'volition explore --save' wrote: nothing is explored
    then.

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
        message = "a run of a slice cannot be replayed on the program"
        raise InputError([Diagnostic("SLC006", message, hint="leave out --slice or --write-trace")])
    if sliced is not None and generated:
        message = "beliefs made of queries depend on the whole state, of which a slice is a part"
        raise InputError([Diagnostic("SLC006", message, hint="leave out --slice or --generated")])
    start = time.perf_counter()
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.program.warnings)  # those of its states are in the report
    with screen.collecting_warnings() as warnings:
        if generated:
            from volition.api.verification import (
                with_generated_beliefs,
            )  # brings all that runs agents: only where it is asked for

            given = LoadedSubject(with_generated_beliefs(given.program, warnings=warnings))
        properties = properties_to_check(
            given.program, formulas, warnings, props=file, generic=generic, per_event=per_event
        )
    read = time.perf_counter() - start
    reports: list[Report] = []
    documents: dict[str, Any] = {}
    errors = Diagnostics()

    def look_for_evidence(answer: Answer) -> None:
        """What will be shown is looked for at once, so that what it is found from is not kept until
        all questions are answered."""
        _ = answer.verdict.notes
        if screen.as_json or trace_file is not None or shows_run(answer, level):
            _ = answer.verdict.run

    for base, each in (
        _from_each_base(given, settings) if all_bases else {"": given.subject}
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
                answered=look_for_evidence,
                errors=errors,
            )
        reports.append(report)
        screen.diagnostics(report.warnings)
        if all_bases:
            screen.print("", SafeText(f"Initial belief base {base}", "bold"))
        for exploration in (
            report.models if engine not in ENGINES else ()
        ):  # they explore on their own
            screen.print(model_line(given.program.language, exploration.space))
        screen.print("", verdict_table(report.answers))
        strategies = [
            strategy_of(each, exact=exact, timeout=limits["timeout"]) if strategy else None
            for each in report.answers
        ]
        for answer, reported in zip(report.answers, strategies, strict=True):
            show_evidence(screen, answer, level, reported)
        if stats:
            answering = sum(answer.verdict.seconds for answer in report.answers)
            for exploration in report.models:
                screen.print(
                    "",
                    statistics(
                        exploration.space,
                        {"reading": read, "answering": answering, "in all": read + report.seconds},
                    ),
                )
        if screen.as_json:
            documents[base] = report_json(report, program, strategies)
    if trace_file is not None:
        _write_first_run(trace_file, reports, program)
    wrong = tuple(
        {render(each): each for each in errors.errors}.values()
    )  # each once, however many bases there are
    screen.diagnostics(wrong)
    noted = {"diagnostics": [with_options(each).as_json() for each in wrong]} if wrong else {}
    screen.document(lambda: ({"bases": documents} if all_bases else documents[""]) | noted)
    ctx.exit(Exit.BAD_INPUT if wrong else most_severe([exit_code(report) for report in reports]))


def _from_each_base(given: LoadedSubject, settings: Mapping[str, str]) -> Mapping[str, Program]:
    program = given.program
    if (
        isinstance(program, HasInitialStates)
        and (chosen := settings.get(program.initial_state_setting)) is not None
    ):
        message = (
            f"'{program.initial_state_setting}' is set to '{chosen}', but --all-bases varies it"
        )
        raise InputError([Diagnostic("CLI014", message, hint="remove one of them")])
    return initial_belief_bases(given.subject)


def _write_first_run(file: Path, reports: Iterable[Report], program: Path) -> None:
    traces = (
        found
        for report in reports
        for answer in report
        if (found := trace(answer, program=str(program))) is not None
    )
    first = next(traces, None)
    if first is None:
        raise InputError([Diagnostic("CLI005", f"no answer has a run to write to '{file}'")])
    write_file(file, json_text(first) + "\n")
