"""``volition mission``: success probability and cost of a goal that may be missed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import click

from volition.api.inputs import load_subject
from volition.api.property_input import single_property
from volition.api.strategies import mission
from volition.checking.storm.client import EngineError
from volition.cli.exit_and_files import Exit
from volition.cli.options import (
    LimitOptions,
    ProgramCommand,
    display_options,
    limit_options,
    program_argument,
)
from volition.cli.rendering import model_line, program_table, show_strategy
from volition.cli.screen import Screen
from volition.logic.numbers import exact_number
from volition.reporting.strategies.strategy_table import tabulate_strategy

__all__ = ["command"]


def _amount(text: str) -> Fraction:
    amount = exact_number(text.strip())
    if amount is None:
        raise click.BadParameter(
            f"'{text[:100]}' is not a number, or has too many digits; write it like 12, 2.5 or 1/3"
        )
    return amount


@click.command("mission", cls=ProgramCommand)
@program_argument
@click.option(
    "-p",
    "--property",
    "formula",
    metavar="FORMULA",
    required=True,
    help="The goal to reach, such as 'Pmax=? [ F done ]'.",
)
@click.option(
    "--cost",
    metavar="NAME",
    help="Name of the reward that is the cost; needed if the program has several rewards.",
)
@click.option(
    "--budget",
    type=_amount,
    metavar="AMOUNT",
    help="Also compute the probability of success at a cost of at most AMOUNT.",
)
@click.option("--strategy", is_flag=True, help="Show the strategy behind each of these values.")
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute with fractions, or in floating point (default: depends on the size of the "
    "model).",
)
@limit_options
@display_options
@click.pass_context
def command(
    ctx: click.Context,
    program: Path,
    settings: Mapping[str, str],
    formula: str,
    cost: str | None,
    budget: Fraction | None,
    strategy: bool,
    exact: bool | None,
    limits: LimitOptions,
    screen: Screen,
) -> None:
    """Compute the success probability and the cost of a goal of PROGRAM that may be missed.

    The expected cost of reaching such a goal is infinite. This command computes finite values
    instead. Two of them are for the strategies with the highest success probability: the lowest
    expected cost of all runs, and the lowest expected cost of successful runs. With --budget, it
    also computes the highest probability of success within a budget.

    \b
    Examples:
      volition mission examples/can/rescue.can -p 'Pmax=? [ F Bel(rescued) ]' --budget 12
      volition mission examples/can/rover.can \\
        -p 'Pmax=? [ F (SS1 & SS2) ]' --cost distance --strategy
    """
    given = load_subject(program, settings=settings)
    screen.diagnostics(given.warnings)
    with screen.collecting_warnings() as warnings:
        prop = single_property(given.program, formula, warnings)
    try:
        with screen.progress() as progress:
            found = mission(
                given.subject,
                prop,
                cost=cost,
                budget=budget,
                exact=exact,
                **limits,
                progress=progress,
            )
    except EngineError as error:
        screen.note(str(error))
        unknown = {"unknown": str(error)}
        screen.document(lambda: unknown)
        ctx.exit(Exit.INCOMPLETE)
    screen.print(model_line(given.program.language, found.space))
    for table in found.tables():
        screen.print("", program_table(table))
    if strategy:
        for name, each in found.strategies().items():
            show_strategy(screen, tabulate_strategy(found.model, each), name)
    screen.document(lambda: found.to_json(strategies=strategy))
