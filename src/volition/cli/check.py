"""``volition check``: properties of a program, answered with evidence."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from volition.checking.check import Report, check
from volition.checking.engines import Engine, OutsideEngine
from volition.checking.generic_questions import generic_properties
from volition.checking.graph.fairness import Fairness
from volition.checking.numbers.quantitative import Settings
from volition.cli.documents import models_of, report_document, trace_document
from volition.cli.evidence import TraceLevel, show_evidence, strategy_of
from volition.cli.exits import Exit, exit_code, worst
from volition.cli.files import expect_writable, write_file
from volition.cli.options import ProgramCommand, display_options, limit_options, program_argument, stats_option
from volition.cli.progress import shown_progress
from volition.cli.rendering import model_line, statistics, verdict_table
from volition.cli.screen import Screen, Words, json_text
from volition.diagnostics import Diagnostic, Diagnostics, InputError, render
from volition.kernel import Limits
from volition.languages import load
from volition.languages.kit.property_files import properties_in, properties_of
from volition.languages.model import AlternativeProgram, Program, StatedProperty

__all__ = ["command"]


@click.command("check", cls=ProgramCommand)
@program_argument
@click.option("-p", "--property", "formulas", metavar="FORMULA", multiple=True, help="A formula to answer; may be repeated.")
@click.option("--props", "file", type=click.Path(path_type=Path), metavar="FILE", help="Answer the properties of a property file.")
@click.option("--generic", is_flag=True, help="Ask also whether the program always or ever ends in success and in failure (CAN).")
@click.option("--per-event", is_flag=True, help="As --generic, and the same of each external event: does it always succeed? (CAN)")
@click.option("--all-bases", is_flag=True, help="Answer for every initial belief base of the program, one after the other (CAN).")
@click.option(
    "--trace",
    "level",
    type=click.Choice(["story", "changes", "full", "actions", "none"]),
    help="How runs are told: the steps that matter to the formula (default for long runs), all steps with what changed "
    "(default for short ones), all steps with whole states, only actions, or not at all. "
    "Runs of queries are told only if this is given.",
)
@click.option("--strategy", is_flag=True, help="Tell the strategy behind each extreme value.")
@click.option(
    "--write-trace", "trace_file", type=click.Path(path_type=Path), metavar="FILE", help="Write the first run as JSON, for replay."
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option("--fair", "fairness", type=click.Choice(["weak", "strong"]), help="Consider only runs that are fair to every component.")
@click.option("--assume", metavar="FORMULA", help="Consider only runs on which this holds, such as 'G F p'.")
@click.option("--exact/--float", "exact", default=None, help="Answer with fractions, or with floating point and bounds (default: by size).")
@click.option(
    "--engine",
    type=click.Choice(["auto", "native", "storm", "spin", "cross"]),
    default="auto",
    help="Who answers: our own algorithms for runs and Storm for numbers (auto), one of them, or all that can, which must agree (cross).",
)
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
    engine: Engine,
    limits: Limits,
    stats: bool,
    screen: Screen,
) -> None:
    """Answer properties of PROGRAM, with evidence.

    Without -p and --props these are the properties that the file of the program carries.

    Where a file or -p states the result that it expects (// RESULT: 0.6561 above a property, or behind it), exit code 0 means that
    the result is as expected, also where a property is expected to be violated.  A formula without an expected result gives exit
    code 1 if it is violated; a query (=?) gives 0.

    \b
    Examples:
      volition check examples/can/smart_manufacturing.can
      volition check examples/can/smart_manufacturing.can -p 'Pmax=? [ F (PS1 & PS2) ]' --strategy
      volition check examples/dribble/vacuum.dribble -p 'A [ F (B(c1) & B(c2)) ]' --trace full
      volition check examples/agentspeak/auction --json --timeout 5m
    """
    expect_writable(trace_file, force=force)
    start = time.perf_counter()
    loaded = load(program, settings)
    screen.diagnostics(loaded.warnings)
    doubts = Diagnostics()
    asked = _asked(loaded, program, formulas, file, doubts, generic=generic, per_event=per_event)
    screen.diagnostics(doubts.warnings)
    read = time.perf_counter() - start
    numerics = Settings(exact=exact, seconds=limits.seconds)
    reports: list[Report] = []
    documents: dict[str, Any] = {}
    mistakes = Diagnostics()
    for base, each in (_from_each_base(loaded, settings) if all_bases else {"": loaded}).items():
        with shown_progress(screen.messages) as progress:
            report = check(
                each,
                asked,
                limits=limits,
                fairness=fairness,
                assume=assume,
                exact=exact,
                engine=engine,
                strategies=strategy,
                outside=_outside(engine),
                progress=progress,
                mistakes=mistakes,
            )
        reports.append(report)
        screen.diagnostics(report.warnings)
        if all_bases:
            screen.print("", Words(f"Initial belief base {base}", "bold"))
        models = models_of(report)
        for exploration in models if engine != "spin" else ():  # Spin explores on its own
            screen.print(model_line(loaded.language, exploration.space))
        screen.print("", verdict_table(report.answers))
        strategies = [strategy_of(answer, numerics) if strategy else None for answer in report.answers]
        for answer, told in zip(report.answers, strategies, strict=True):
            show_evidence(screen, answer, level, told)
        if stats:
            answering = sum(answer.verdict.seconds for answer in report.answers)
            for exploration in models:
                screen.print("", statistics(exploration.space, {"reading": read, "answering": answering, "in all": read + report.seconds}))
        documents[base] = report_document(report, program, strategies)
    if trace_file is not None:
        _write_first_run(trace_file, reports, program)
    wrong = tuple({render(each): each for each in mistakes.errors}.values())  # each once, however many bases there are
    screen.diagnostics(wrong)
    noted = {"diagnostics": [each.as_json() for each in wrong]} if wrong else {}
    screen.document(({"bases": documents} if all_bases else documents[""]) | noted)
    ctx.exit(Exit.BAD_INPUT if wrong else worst(exit_code(report) for report in reports))


def _from_each_base(program: Program, settings: Mapping[str, str]) -> Mapping[str, Program]:
    if not isinstance(program, AlternativeProgram):
        raise InputError([Diagnostic("CLI019", f"a program in {program.language} has one beginning only", hint="leave out --all-bases")])
    if (chosen := settings.get(program.base_setting)) is not None:
        message = f"'{program.base_setting}' is set to '{chosen}', and --all-bases varies it"
        raise InputError([Diagnostic("CLI014", message, hint="leave one of the two out")])
    return program.from_each_base()


def _asked(
    program: Program, path: Path, formulas: Sequence[str], file: Path | None, doubts: Diagnostics, *, generic: bool, per_event: bool
) -> list[StatedProperty]:
    """The questions of the command line, or else those that the program carries; the generic ones come on top."""
    asked = properties_of(formulas, program, doubts)
    if file is not None:
        asked += properties_in(file, program, doubts)
    if not asked:
        asked += program.properties
    if generic or per_event:
        asked += generic_properties(program, per_event=per_event)
    if not asked:
        raise InputError(
            [Diagnostic("CLI002", f"'{path}' carries no properties", hint="ask one with -p, or name a file of them with --props")]
        )
    return asked


def _outside(engine: Engine) -> Sequence[OutsideEngine]:
    """The engines that read a translation of the program; the translators are imported where one may be used."""
    if engine not in ("spin", "cross"):
        return ()
    from volition.checking.spin.engine import Spin
    from volition.export.promela import model_for_spin

    return [Spin(model_for_spin)]


def _write_first_run(file: Path, reports: Iterable[Report], program: Path) -> None:
    answers = ((report, answer) for report in reports for answer in report.answers)
    traces = [trace for report, answer in answers if (trace := trace_document(answer, report.program, program)) is not None]
    if not traces:
        raise InputError([Diagnostic("CLI005", f"no answer has a run that could be written to '{file}'")])
    write_file(file, json_text(traces[0]) + "\n")
