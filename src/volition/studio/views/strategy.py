"""Panel that shows a strategy: its decisions as tables and trees, the states in which it decides,
and the value of the alternatives in each of them."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from volition.studio.session import Session
from volition.studio.tasks.strategies import alternatives
from volition.studio.view_data import AlternativeData, DecisionPointData, StrategyData
from volition.studio.views.widgets import decision_table, decision_tree, placeholder

__all__ = ["strategy_panel"]

PAGE = 4
"""Number of decision points that are listed at a time."""


def strategy_panel(session: Session, query: str, strategy: StrategyData) -> None:
    """Show a strategy for a query: its decisions on the left, its decision points on the right."""
    ui.label(strategy.remark).classes("remark")
    if not strategy.decisions:
        return
    with ui.element("div").classes("strategy-panes"):
        with ui.column().classes("pane gap-1"):
            explorer: _DecisionPoints | None = None

            def chosen(decision: int, row: int) -> None:
                if explorer is not None:
                    explorer.show(strategy.decisions[decision].rows[row].decision_points)

            for number, decision in enumerate(strategy.decisions):
                decision_table(decision, partial(chosen, number))
                decision_tree(decision)
        with ui.column().classes("pane gap-1"):
            explorer = _DecisionPoints(session, query, strategy)


class _DecisionPoints:
    """List of the decision points to which a row of a decision table applies, and the alternatives
    in the selected one."""

    def __init__(self, session: Session, query: str, strategy: StrategyData) -> None:
        self._session = session
        self._query = query
        self._strategy = strategy
        self._numbers: tuple[int, ...] = ()
        self._page = 0
        self._at: int | None = None
        self._found: tuple[AlternativeData, ...] | None = None
        ui.label("Decision points").classes("pane-title")
        self._list()
        ui.label("Alternatives").classes("pane-title")
        self._alternatives()

    def show(self, numbers: tuple[int, ...]) -> None:
        """List the decision points with these numbers."""
        self._numbers, self._page, self._at, self._found = numbers, 0, None, None
        self._list.refresh()
        self._alternatives.refresh()

    async def choose(self, number: int) -> None:
        """Show the alternatives in the decision point with this number."""
        point = self._strategy.points[number]
        self._at, self._found = number, None
        self._list.refresh()
        found = await self._session.ask(alternatives, self._query, point.state, point.choice)
        if found is not None and self._at == number:
            self._found = found
            self._alternatives.refresh()

    def _turn(self, by: int) -> None:
        self._page += by
        self._list.refresh()

    @ui.refreshable_method
    def _list(self) -> None:
        with ui.column().classes("decision-points gap-0 w-full"):
            if not self._numbers:
                placeholder(
                    "Choose a row of the table to list the states in which it decides.",
                    "touch_app",
                )
                return
            first = self._page * PAGE
            for number in self._numbers[first : first + PAGE]:
                point = self._strategy.points[number]
                row = ui.element("div").classes(
                    f"decision-point clickable{' here' if number == self._at else ''}"
                )
                row.props('tabindex=0 role="button"').on(
                    "click", lambda number=number: self.choose(number)
                )
                row.on("keydown.enter", lambda number=number: self.choose(number))
                with row:
                    ui.label(f"state {point.state}: {point.component}, {point.step}").classes(
                        "step-text"
                    )
                    ui.label(_situation(point)).classes("step-details")
        pages = -(-len(self._numbers) // PAGE)
        if pages > 1:
            with ui.row().classes("items-center gap-2"):
                ui.button(icon="chevron_left", on_click=lambda: self._turn(-1)).props(
                    'flat dense aria-label="previous states"'
                ).set_enabled(self._page > 0)
                ui.label(f"page {self._page + 1} of {pages}").classes("quiet")
                ui.button(icon="chevron_right", on_click=lambda: self._turn(1)).props(
                    'flat dense aria-label="next states"'
                ).set_enabled(self._page < pages - 1)

    @ui.refreshable_method
    def _alternatives(self) -> None:
        if self._found is None:
            placeholder(
                "Choose a state above to see the value of each choice in it.",
                "call_split",
            )
            return
        for each in self._found:
            _alternative(each)


def _situation(point: DecisionPointData) -> str:
    sections = point.situation.items()
    return "; ".join(
        f"{item}: {value}" if value else item
        for _, items in sections
        for item, value in items.items()
    )


def _alternative(each: AlternativeData) -> None:
    with ui.element("div").classes(f"alternative{' taken' if each.is_taken else ''}"):
        with ui.row().classes("w-full no-wrap items-center gap-2"):
            ui.label(each.text).classes("step-text grow")
            if each.is_taken:
                ui.label("the strategy's choice").classes("chip")
            elif each.is_best:
                ui.label("also optimal").classes("chip")
            if each.value:
                ui.label(each.value).classes(f"worth {'good' if each.is_best else 'bad'}")
        for outcome in each.outcomes:
            chance = f"{outcome.probability}: " if len(each.outcomes) > 1 else ""
            changes = ", ".join(outcome.changes) or "nothing changes"
            value = f" (value {outcome.value})" if len(each.outcomes) > 1 else ""
            ui.label(f"{chance}{changes}{value}").classes("step-details")
