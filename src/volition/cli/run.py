"""``volition run``: a program that runs."""

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
    help="The seed of everything that is random (default: 1).",
)
@click.option(
    "--cycles",
    "--steps",
    "cycles",
    type=whole_number(1),
    metavar="N",
    help="End after N reasoning cycles, or N steps of a program without cycles (default: 1000).",
)
@click.option(
    "--end",
    metavar="BELIEF",
    help="End when this is believed: a sentence of a LISA agent, or a formula about one state.",
)
@click.option(
    "--select",
    type=click.Choice(["first", "random", "verified"]),
    help="Who decides where the agent has several choices (default: random).",
)
@click.option(
    "--objective",
    metavar="QUERY",
    help="Decide by the optimal strategy of a query, such as Pmax=? [ F done ].",
)
@click.option(
    "--world",
    type=click.Choice(["simulated", "vessel", "bridge", "python"]),
    help="Which world to run in (default: simulated).",
)
@click.option(
    "--mission",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Sail the mission of FILE in the world 'vessel'.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the record of the run, one JSON object per line.",
)
@click.option("--force", is_flag=True, help="Overwrite the record if it exists.")
@click.option(
    "--real-time", is_flag=True, help="Let each cycle take its time, instead of counting it."
)
@click.option("--quiet", "-q", is_flag=True, help="Tell only how the run ended.")
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    seed: int,
    cycles: int | None,
    end: str | None,
    select: str | None,
    objective: str | None,
    world: str | None,
    mission: Path | None,
    record: Path | None,
    force: bool,
    real_time: bool,
    quiet: bool,
    screen: Screen,
) -> None:
    """Run PROGRAM.

    What runs are the functions that 'check' verifies: each cycle of a LISA agent, each step of any
    other, is a step of the model.  The world is simulated by the chances of the model, or
    connected.  A file NAME.run beside the program says how it is to be run; options count more.
    The same seed gives the same run and the same record, byte for byte.

    Ctrl-C ends the run between two cycles, with the record intact and exit code 3.

    \b
    Examples:
      volition run examples/lisa/vessel_mdp --seed 7 --end 'Mission complete'
      volition run examples/lisa/pipeline_drone --cycles 60 --record run.jsonl
      volition run examples/can/rover.can --seed 3 --steps 100
      volition run examples/can/rover.can --objective 'Pmax=? [ F Bel(done_1) ]'
      volition run examples/gwendolen/rescue --quiet --json
      volition run examples/lisa/vessel_repaired --mission examples/lisa/vessel_repaired/storm.toml
    """
    expect_writable(record, force=force)
    warnings = Diagnostics()
    untold = True

    def tell(row: TraceRow) -> None:
        nonlocal untold
        if untold:
            screen.diagnostics(warnings.warnings)
            untold = False
        if not quiet:
            screen.print(_line(row))

    ran = run(
        program,
        settings=settings,
        seed=seed,
        cycles=cycles,
        end=end,
        select=select,
        objective=objective,
        world=world,
        mission=mission,
        record=record,
        overwrite=force,
        real_time=real_time,
        report=tell,
        warnings=warnings,
    )
    if untold:
        screen.diagnostics(warnings.warnings)
    screen.print(SafeText(ran.sentence(), "bold"))
    screen.document(ran.as_json)
    ctx.exit(Exit.INCOMPLETE if ran.interrupted else Exit.SUCCESS)


def _line(row: TraceRow) -> SafeText:
    line = SafeText(f"{row.number:>6}  ", "dim")
    if row.agent:
        line.append(f"{row.agent}: ", "cyan")
    return line.append(row.text)
