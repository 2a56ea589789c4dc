"""``volition run``: run a program and record what happens."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from volition.api.running import run
from volition.cli.exit_and_files import Exit, expect_writable
from volition.cli.options import ProgramCommand, display_options, program_argument, whole_number
from volition.cli.screen import SafeText, Screen
from volition.diagnostics import Diagnostics
from volition.reporting.annotated_runs import TraceRow

__all__ = ["command"]


@click.command("run", cls=ProgramCommand)
@program_argument
@click.option(
    "--seed",
    type=whole_number(0),
    default="1",
    metavar="S",
    help="Seed of all random choices (default: 1).",
)
@click.option(
    "--cycles",
    "--steps",
    "cycles",
    type=whole_number(1),
    metavar="N",
    help="Stop after N reasoning cycles of a LISA agent, or N steps of any other program (default: "
    "1000).",
)
@click.option(
    "--until",
    metavar="BELIEF",
    help="Stop when BELIEF is true: a sentence of a LISA agent, or a formula about one state.",
)
@click.option(
    "--selector",
    type=click.Choice(["first", "random", "verified"]),
    help="How to decide if the agent has several choices: the first one, a random one (default), "
    "or the one with the best verified value.",
)
@click.option(
    "--objective",
    metavar="QUERY",
    help="Follow the optimal strategy of QUERY, such as 'Pmax=? [ F done ]'.",
)
@click.option(
    "--world",
    type=click.Choice(["simulated", "vessel", "bridge", "python"]),
    help="The world in which the agent runs (default: simulated).",
)
@click.option(
    "--mission",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Run the mission in FILE, in the world 'vessel'.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write a record of the run to FILE, one JSON object per line.",
)
@click.option("--force", is_flag=True, help="Overwrite an existing FILE.")
@click.option(
    "--real-time",
    is_flag=True,
    help="Wait for the duration of each cycle instead of only counting it.",
)
@click.option("--quiet", "-q", is_flag=True, help="Show only how the run ended.")
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    seed: int,
    cycles: int | None,
    until: str | None,
    selector: str | None,
    objective: str | None,
    world: str | None,
    mission: Path | None,
    record: Path | None,
    force: bool,
    real_time: bool,
    quiet: bool,
    screen: Screen,
) -> None:
    """Run PROGRAM in a simulated or external world.

    The run executes the same code that 'volition check' verifies: each cycle of a LISA agent, and
    each step of any other program, is a step of the model. A simulated world has the probabilities
    of the model. A run file NAME.run next to the program configures its runs; options of the
    command line override it. The same seed gives the same run and the same record, byte for byte.

    Ctrl-C stops the run between two cycles. The record is complete up to there, and the exit code
    is 3.

    \b
    Examples:
      volition run examples/lisa/vessel_mdp --seed 7 --until 'Mission complete'
      volition run examples/lisa/pipeline_drone --cycles 60 --record run.jsonl
      volition run examples/can/rover.can --seed 3 --steps 100
      volition run examples/can/rover.can --objective 'Pmax=? [ F Bel(done_1) ]'
      volition run examples/gwendolen/rescue --quiet --json
      volition run examples/lisa/vessel_repaired --mission examples/lisa/vessel_repaired/storm.toml
    """
    expect_writable(record, force=force)
    warnings = Diagnostics()
    warnings_shown = False

    def show_warnings() -> None:
        nonlocal warnings_shown
        if not warnings_shown:
            screen.diagnostics(warnings.warnings)
            warnings_shown = True

    def show_row(row: TraceRow) -> None:
        show_warnings()
        if not quiet:
            screen.print(_line(row))

    result = run(
        program,
        settings=settings,
        seed=seed,
        cycles=cycles,
        until=until,
        selector=selector,
        objective=objective,
        world=world,
        mission=mission,
        record=record,
        overwrite=force,
        real_time=real_time,
        report=show_row,
        warnings=warnings,
    )
    show_warnings()
    screen.print(SafeText(result.sentence(), "bold"))
    screen.document(result.as_json)
    ctx.exit(Exit.INCOMPLETE if result.interrupted else Exit.SUCCESS)


def _line(row: TraceRow) -> SafeText:
    line = SafeText(f"{row.number:>6}  ", "dim")
    if row.agent:
        line.append(f"{row.agent}: ", "cyan")
    return line.append(row.text)
