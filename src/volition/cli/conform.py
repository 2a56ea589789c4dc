"""``volition conform``: check whether recorded runs are runs of the verified model."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from volition.api.recorded_runs import conform
from volition.api.verification import as_it_runs
from volition.cli.exit_and_files import Exit, expect_writable, most_severe, write_file
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    limit_options,
    program_argument,
)
from volition.cli.screen import SafeText, Screen
from volition.diagnostics import Diagnostic, InputError, plural
from volition.languages import load
from volition.runtime.conformance import Conformance, Deviation, record_as_trace
from volition.runtime.record import read_record

__all__ = ["command"]


@click.command("conform", cls=ProgramCommand)
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@program_argument
@click.option(
    "--explore",
    is_flag=True,
    help="Also explore the model and look up every step in its state space.",
)
@click.option(
    "--write-trace",
    "trace_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the run to FILE as a trace, for 'volition replay'.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    runs: Sequence[Path],
    program: Path,
    settings: Mapping[str, str],
    explore: bool,
    trace_file: Path | None,
    force: bool,
    limits: LimitOptions,
    screen: Screen,
) -> None:
    """Check whether the recorded runs in the files RUN are runs of the model of PROGRAM.

    'volition run --record' writes the records. The command follows each record in the model and
    reports three levels. Logic: did the agent do what the model prescribes? Support: does every
    event of the world have a positive probability in its state? Likelihood: what is the probability
    of all these events together, without nondeterministic choices? If a level fails, the command
    shows the first step that deviates and what the model allows instead.

    Exit code 0 means that all runs are runs of the model, 1 that one is not, 3 that the exploration
    stopped at a limit.

    \b
    Examples:
      volition conform run.jsonl examples/lisa/vessel_mdp
      volition conform monday.jsonl tuesday.jsonl examples/lisa/vessel_mdp --set drive_mode.mu=2
      volition conform run.jsonl examples/can/courier.can --explore
    """
    if trace_file is not None and len(runs) > 1:
        raise InputError(
            [
                Diagnostic(
                    "CLI013", "--write-trace needs a single run", hint="give one record at a time"
                )
            ]
        )
    expect_writable(trace_file, force=force)
    loaded = load(program, settings)
    screen.diagnostics(loaded.warnings)
    records = [read_record(each) for each in runs]
    found = conform(records, loaded, explore=explore, **limits)
    for each in found:
        screen.diagnostics(each.remarks)
        screen.print(*_result_lines(each))
    if len(found) > 1:
        screen.print("", _total(found))
    if trace_file is not None:
        write_file(
            trace_file, json.dumps(record_as_trace(records[0], as_it_runs(loaded)), indent=2) + "\n"
        )
    screen.document(
        lambda: {"language": loaded.language, "records": [each.as_json() for each in found]}
    )
    ctx.exit(most_severe(_exit_code(each) for each in found))


def _exit_code(found: Conformance) -> Exit:
    return {True: Exit.SUCCESS, False: Exit.VIOLATED, None: Exit.INCOMPLETE}[found.conforms]


def _result_lines(found: Conformance) -> list[SafeText | str]:
    """Return the lines of output for one recorded run: the answer, its three levels, and for each
    level that fails the first deviation."""
    colour = {True: "bold green", False: "bold red", None: "bold yellow"}[found.conforms]
    lines: list[SafeText | str] = [SafeText(found.summary(), colour)]
    for name, passed, why in found.levels():
        lines.append(
            SafeText("  ")
            .append("✓" if passed else "✗", "green" if passed else "red")
            .append(f" {name:<11}{why}")
        )
        lines += _deviation_lines([each for each in found.deviations if each.level == name])
    if (visits := found.visits) is not None:
        size = f"{visits.visited:,} of {visits.states:,} {plural(visits.states, 'state')}"
        outside = (
            "" if visits.outside is None else f"; step {visits.outside} is not in the explored part"
        )
        lines.append(
            "    explored   the run visits "
            f"{size}{'' if visits.complete else ' of an incomplete state space'}{outside}"
        )
    return lines


def _deviation_lines(deviations: Sequence[Deviation]) -> list[SafeText | str]:
    """Return the lines of output for the deviations of one level: the first deviation in full, and
    the number of further ones."""
    if not deviations:
        return []
    first, *others = deviations
    lines: list[SafeText | str] = [
        SafeText(f"      {line}", "" if index else "bold")
        for index, line in enumerate(first.sentences())
    ]
    return (
        [*lines, f"      and {len(others):,} more {plural(len(others), 'deviation')}"]
        if others
        else lines
    )


def _total(found: Sequence[Conformance]) -> str:
    conforming = sum(each.conforms is True for each in found)
    steps = sum(each.recorded for each in found)
    return (
        f"{conforming} of {len(found)} runs are runs of the model: {steps:,} steps, "
        f"log-likelihood {sum(each.log_likelihood for each in found):.4f}"
    )
