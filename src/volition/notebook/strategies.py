"""HTML rendering of strategies, Pareto fronts, missions and estimates for notebooks."""

from __future__ import annotations

from volition.analysis.smc.estimate import Estimate
from volition.analysis.strategy_simulation import Simulation
from volition.analysis.synthesis.synthesise import Synthesis
from volition.analysis.tradeoffs.missions import MissionResult
from volition.analysis.tradeoffs.pareto import ParetoResult
from volition.analysis.tradeoffs.plots import draw_budget, draw_pareto
from volition.checking.explored_model import ModelFactory, rebuild_model
from volition.checking.strategy import Strategy
from volition.notebook.markup import (
    HtmlCell,
    badge,
    details_block,
    paragraph,
    table,
    tables,
    title,
    warning_list,
)
from volition.notebook.plots import picture
from volition.notebook.rendering import rendered
from volition.reporting.formatting import number, verdict_text
from volition.reporting.strategies.strategy_table import StrategyTable, tabulate_strategy

__all__ = ["estimate", "front", "mission", "simulation", "strategy", "strategy_table", "synthesis"]


@rendered.register
def strategy_table(shown: StrategyTable) -> str:
    """Render the tables of a strategy, below a line that names what the choices depend on."""
    return paragraph(shown.summary()) + tables(shown.tables())


@rendered.register
def synthesis(shown: Synthesis) -> str:
    """Render the result of a synthesis: the value of the property, and a strategy for it."""
    prop, verdict = shown.answer.prop, shown.answer.verdict
    if verdict.unknown is not None:
        return title(prop.text) + paragraph(f"unknown: {verdict.unknown}")
    return (
        title(f"{prop.text} is {verdict_text(verdict)}, by this strategy")
        + strategy_table(shown)
        + warning_list(shown.warnings)
    )


@rendered.register
def strategy(shown: Strategy) -> str:
    """Render a strategy as decision tables if its program is known, otherwise its ``repr``."""
    if not isinstance(shown.space.system_factory, ModelFactory):
        return paragraph(repr(shown))
    return strategy_table(tabulate_strategy(rebuild_model(shown.space), shown))


@rendered.register
def simulation(shown: Simulation) -> str:
    """Render the result of a simulation as a sentence."""
    return paragraph(shown.sentence())


@rendered.register
def estimate(shown: Estimate) -> str:
    """Render an estimate: a sentence with the result, and sentences about its guarantee."""
    unknown = [f"unknown: {shown.unknown}"] if shown.unknown is not None else []
    return title(f"{shown.prop.text} {shown.sentence()}") + "".join(
        map(paragraph, [*shown.guarantee_text(), *unknown])
    )


@rendered.register
def front(shown: ParetoResult) -> str:
    """Render a Pareto front: a plot, a table of its corner points, and the strategy of each corner
    point."""
    rows = shown.table()
    parts = [picture(lambda: draw_pareto(shown))] if len(shown.objectives) in (2, 3) else []
    parts.append(table(rows.columns, rows.rows, values=True))
    if shown.attainable is False:
        parts.append(f"<p>{badge('no strategy meets the bounds', 'bad').markup}</p>")
    if (chosen := shown.bound_meeting_point) is not None:
        parts.append(
            paragraph(
                f"within the bounds: {', '.join(map(number, chosen.values))}: {chosen.sentence()}"
            )
        )
    parts += [details_block(corner.name, strategy(corner.strategy)) for corner in shown.corners]
    return "".join(parts) + warning_list(shown.warnings)


@rendered.register
def mission(shown: MissionResult) -> str:
    """Render the trade-off between success and cost (``volition mission``): the best solution for
    each criterion, the probability of success as a function of the budget, and the strategies."""
    plans, *curve = shown.tables()
    rows: list[list[str | HtmlCell]] = [list(row) for row in plans.rows]
    parts = [title(shown.formula), table(plans.columns, rows, values=True)]
    if shown.budgeted is not None:
        parts += [
            picture(lambda: draw_budget(shown)),
            *(title(each.title) + table(each.columns, each.rows, values=True) for each in curve),
        ]
    parts += [
        details_block(f"strategy: {name}", strategy(each))
        for name, each in shown.strategies().items()
    ]
    return "".join(parts) + warning_list(shown.warnings)
