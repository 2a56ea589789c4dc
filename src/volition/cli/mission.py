"""``volition mission``: success and cost of a mission that may fail."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from volition.analysis.tradeoffs.missions import (
    Budgeted,
    Mission,
    Plan,
    cheapest_of_the_best,
    cheapest_success,
    open_mission,
    within_budget,
)
from volition.checking.numbers.queries import Settings
from volition.checking.storm.client import EngineError
from volition.cli.evidence import show_strategy
from volition.cli.exits import Exit
from volition.cli.formulas import asked_once
from volition.cli.options import ProgramCommand, display_options, limit_options, program_argument
from volition.cli.progress import shown_progress
from volition.cli.rendering import model_line, number, program_table
from volition.cli.screen import Screen
from volition.kernel import Limits
from volition.languages import load
from volition.languages.model import Table
from volition.logic.numbers import exact_number
from volition.telling.strategies.table import tabulated

__all__ = ["command"]


def _amount(text: str) -> Fraction:
    amount = exact_number(text.strip())
    if amount is None:
        raise click.BadParameter(f"'{text[:100]}' is not a number, or one with too many digits; write it like 12, 2.5 or 1/3")
    return amount


@click.command("mission", cls=ProgramCommand)
@program_argument
@click.option("-p", "--property", "formula", metavar="FORMULA", required=True, help="What is to be achieved, such as 'Pmax=? [ F done ]'.")
@click.option("--cost", metavar="NAME", help="The reward that counts as cost; needed if the program has several.")
@click.option("--budget", type=_amount, metavar="AMOUNT", help="Also ask how likely success is without spending more than this.")
@click.option("--strategy", is_flag=True, help="Tell the strategy of each answer.")
@click.option("--exact/--float", "exact", default=None, help="Compute with fractions, or with floating point (default: by size).")
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
    limits: Limits,
    screen: Screen,
) -> None:
    """Weigh the success of PROGRAM against its cost, where success is not certain.

    The expected cost up to a goal that may be missed is infinite, so the question is asked in three ways: the cheapest strategy among
    those that succeed most often; what a successful run costs under such a strategy; and how likely success is within a budget.

    \b
    Examples:
      volition mission examples/can/rescue.can -p 'Pmax=? [ F Bel(rescued) ]' --budget 12
      volition mission examples/can/rover.can -p 'Pmax=? [ F (SS1 & SS2) ]' --cost distance --strategy
    """
    loaded = load(program, settings)
    screen.diagnostics(loaded.warnings)
    asked = asked_once(loaded, formula, screen)
    try:
        with shown_progress(screen.messages) as progress:
            numerics = Settings(exact=exact, seconds=limits.seconds)
            mission = open_mission(loaded, asked, cost, limits=limits, settings=numerics, progress=progress)
        plans = {"cheapest of the best": cheapest_of_the_best(mission), "cheapest success": cheapest_success(mission)}
        budgeted = None if budget is None else within_budget(mission, budget)
    except EngineError as error:
        screen.note(str(error))
        screen.document({"unknown": str(error)})
        ctx.exit(Exit.STOPPED)
    screen.print(model_line(loaded.language, mission.space), "", program_table(_plans_table(mission, plans)))
    if budgeted is not None:
        screen.print("", program_table(_budget_table(mission, budgeted)))
    if strategy:
        told = {name: plan.strategy for name, plan in plans.items()} | (
            {} if budgeted is None else {"within the budget": budgeted.strategy}
        )
        for name, each in told.items():
            show_strategy(screen, tabulated(mission.model, each), name)
    screen.document(_document(mission, plans, budgeted, strategies=strategy))


def _plans_table(mission: Mission, plans: Mapping[str, Plan]) -> Table:
    rows = [[name, number(plan.probability), _cost(plan.cost), plan.reading] for name, plan in plans.items()]
    return Table(mission.formula, ["", "success", mission.reward, "which is the"], rows)


def _budget_table(mission: Mission, budgeted: Budgeted) -> Table:
    rows = [[number(funds), number(probability)] for funds, probability in budgeted.curve]
    return Table("Within a budget", [f"{mission.reward} at most", "success"], rows)


def _cost(cost: Any) -> str:
    return "success is impossible" if cost is None else number(cost)


def _document(mission: Mission, plans: Mapping[str, Plan], budgeted: Budgeted | None, *, strategies: bool) -> dict[str, Any]:
    def strategy_of(plan: Plan | Budgeted) -> dict[str, Any]:
        return {"strategy": tabulated(mission.model, plan.strategy).as_json()} if strategies else {}

    document: dict[str, Any] = {"formula": mission.formula, "cost": mission.reward, "exact": mission.exact}
    for name, plan in plans.items():
        document[name.replace(" ", "_")] = {
            "probability": float(plan.probability),
            "cost": None if plan.cost is None else float(plan.cost),
            **strategy_of(plan),
        }
    if budgeted is not None:
        document["within_budget"] = {
            "budget": float(budgeted.budget),
            "probability": float(budgeted.probability),
            "curve": [[float(funds), float(probability)] for funds, probability in budgeted.curve],
            **strategy_of(budgeted),
        }
    return document
