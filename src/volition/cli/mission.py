"""``volition mission``: success and cost of a mission that may fail."""

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
    help="The reward that counts as cost; needed if the program has several.",
)
@click.option(
    "--budget",
    type=_amount,
    metavar="AMOUNT",
    help="Also compute the probability of success within this budget.",
)
@click.option("--strategy", is_flag=True, help="Show the strategy of each answer.")
@click.option(
    "--exact/--float",
    "exact",
    default=None,
    help="Compute with fractions, or with floating point (default: by size).",
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
    """Weigh the success of PROGRAM against its cost, where success is not certain.

    The expected cost up to a goal that may be missed is infinite, so the question is asked in three
    ways: the cheapest strategy among those that succeed most often; what a successful run costs
    under such a strategy; and how likely success is within a budget.

    \b
    Examples:
      volition mission examples/can/rescue.can -p 'Pmax=? [ F Bel(rescued) ]' --budget 12 volition
      mission examples/can/rover.can -p 'Pmax=? [ F (SS1 & SS2) ]' --cost distance --strategy
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
