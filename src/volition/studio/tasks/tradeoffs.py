"""Tasks of a studio worker: compute Pareto fronts, and the success probability of a mission against
its cost."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import volition
from volition.analysis.tradeoffs.pareto import ParetoResult, number_text
from volition.diagnostics import Diagnostic, InputError, plural
from volition.kernel import Progress
from volition.logic.numbers import exact_number
from volition.reporting.strategies.strategy_table import tabulate_strategy
from volition.studio.tasks.strategies import strategy_data
from volition.studio.view_data import ProgressData, StrategyData
from volition.studio.workbench import Workbench

__all__ = [
    "MissionData",
    "ParetoFrontData",
    "ParetoPointData",
    "corner_strategy",
    "front",
    "mission",
    "mission_strategy",
]

FRONT, MISSION = "front", "mission"
"""Keys of the results that are cached on the workbench, so that their strategies can be shown
later."""


@dataclass(frozen=True, slots=True)
class ParetoPointData:
    """Corner of a Pareto front, with the value of each objective as a number (None if infinite) and
    as text."""

    number: int
    name: str
    values: tuple[float | None, ...]
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParetoFrontData:
    """Pareto front of several objectives, as data for the page."""

    objectives: tuple[str, ...]
    maximised: tuple[bool, ...]
    corners: tuple[ParetoPointData, ...]
    chosen: str
    """Sentence that says how to meet the bounds in the formulas, or that it is impossible; empty if
    the formulas have no bounds."""
    remark: str
    csv: str


@dataclass(frozen=True, slots=True)
class MissionData:
    """Result of a mission: a table with a row for each strategy, and a curve with the probability
    of success for each budget."""

    reward: str
    rows: tuple[tuple[str, str, str, str], ...]
    """For each strategy: its name, success probability, cost, and the meaning of the cost."""
    curve: tuple[tuple[float, float], ...]
    budget: float | None
    remark: str
    csv: str


def front(bench: Workbench, formulas: Sequence[str]) -> ParetoFrontData:
    """Compute the Pareto front of two or more objectives."""
    found = volition.pareto(
        bench.program, list(formulas), progress=_progress_callback(bench, FRONT)
    )
    bench.cache[FRONT] = found
    corners = tuple(
        ParetoPointData(
            each.number,
            each.name,
            tuple(map(_finite, each.values)),
            tuple(map(number_text, each.values)),
        )
        for each in found
    )
    rows = [[each.name, *(float(value) for value in each.values)] for each in found]
    remark = (
        f"{len(found)} {plural(len(found), 'corner')} in {found.seconds:.1f} s, "
        f"{'exact' if found.exact else 'floating point'}"
    )
    return ParetoFrontData(
        found.objectives,
        found.maximised,
        corners,
        _chosen(found),
        remark,
        _csv(["strategy", *found.objectives], rows),
    )


def corner_strategy(bench: Workbench, number: int) -> StrategyData:
    """Return the strategy that attains a corner of the last Pareto front, by the number of the
    corner."""
    found: ParetoResult = _cached(bench, FRONT)
    corner = next(each for each in found if each.number == number)
    return strategy_data(tabulate_strategy(found.model, corner.strategy))


def mission(bench: Workbench, formula: str, cost: str | None, budget: str) -> MissionData:
    """Compute how the success probability of ``formula``, such as ``Pmax=? [ F done ]``, trades off
    against cost. The result has a table with one row per strategy: its success probability and
    cost.

    ``cost`` is the name of the reward that counts as cost. It may be None if the program has only
    one reward. ``budget`` is the text of a number, or empty. With a budget, the table also has the
    best strategy that spends at most the budget. The result then also has a curve: the maximum
    success probability for each budget up to this one.
    """
    found = volition.mission(
        bench.program,
        formula,
        cost=cost,
        budget=_budget(budget),
        progress=_progress_callback(bench, MISSION),
    )
    bench.cache[MISSION] = found
    budgeted = found.budgeted
    curve = (
        ()
        if budgeted is None
        else tuple((float(funds), float(chance)) for funds, chance in budgeted.curve)
    )
    plans, *_ = found.tables()
    rows = tuple((row[0], row[1], row[2], row[3]) for row in plans.rows)
    remark = "exact" if found.exact else "floating point"
    if budgeted is not None:
        chance = number_text(budgeted.probability)
        rows += (
            (
                "within the budget",
                chance,
                f"at most {number_text(budgeted.budget)}",
                "success without spending more than the budget",
            ),
        )
    table = (
        _csv([f"{found.reward} at most", "success"], curve)
        if curve
        else _csv(plans.columns, plans.rows)
    )
    return MissionData(
        found.reward,
        rows,
        curve,
        None if budgeted is None else float(budgeted.budget),
        remark,
        table,
    )


def mission_strategy(bench: Workbench, name: str) -> StrategyData:
    """Return the strategy in a row of the last mission's table, by its name."""
    found = _cached(bench, MISSION)
    return strategy_data(tabulate_strategy(found.model, found.strategies()[name]))


def _progress_callback(bench: Workbench, query: str) -> Any:
    def heard(update: Progress) -> None:
        bench.report_progress(ProgressData(query, update.states, update.seconds))

    return heard


def _cached(bench: Workbench, what: str) -> Any:
    if what not in bench.cache:
        raise InputError(
            [
                Diagnostic(
                    "STU011",
                    "the program has changed since this result was computed",
                    hint="compute it again",
                )
            ]
        )
    return bench.cache[what]


def _chosen(found: ParetoResult) -> str:
    if not any(found.bounds):
        return ""
    chosen = found.bound_meeting_point
    if chosen is None:
        return (
            "The bounds cannot be met together."
            if found.attainable is False
            else "Because of rounding it is unknown whether the bounds can be met."
        )
    return f"To meet the bounds, {chosen.sentence()}: {', '.join(map(number_text, chosen.values))}."


def _budget(text: str) -> Fraction | None:
    if not text.strip():
        return None
    number = exact_number(text.strip())
    if number is None:
        raise InputError(
            [Diagnostic("STU012", f"the budget '{text}' is not a number", hint="such as 4.5")]
        )
    return number


def _finite(value: Any) -> float | None:
    return float(value) if math.isfinite(value) else None


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
