"""Map of states: the states around the current one, drawn in layers by their distance and coloured
by a formula or by the value of a query."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from volition.studio.session import Session
from volition.studio.tasks import simulate
from volition.studio.tasks.simulate import MapData, NodeData
from volition.studio.view_data import ProgressData
from volition.studio.views.charts import Chart, Palette
from volition.studio.views.query_form import formula_field
from volition.studio.views.widgets import placeholder

__all__ = ["StateGraphView"]

ALL = 0
DEPTHS = {1: "1 step", 2: "2 steps", 3: "3 steps", 5: "5 steps", 8: "8 steps", ALL: "all states"}
LONG_NAME = 34
WIDE = 3.0
"""Ratio of width to height of the map of states."""

FEW_NODES = 24
"""Largest number of states in a map in which the names of the states are shown."""


class StateGraphView:
    """Map of the states around the current state. It is drawn only while it is visible."""

    def __init__(
        self,
        session: Session,
        bench: str,
        queries: list[str],
        do: Callable[..., Awaitable[None]],
        on_status: Callable[[str], object],
    ) -> None:
        """Create the map. ``do`` calls a task that changes the simulated run; ``on_status``
        receives a text that says how much of the state space is explored."""
        self._session = session
        self._bench = bench
        self._do = do
        self._on_status = on_status
        self._seen = False
        self._map: MapData | None = None
        self._picture: Chart | None = None
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            self._depth = (
                ui.select(DEPTHS, label="distance", value=3, on_change=self.moved)
                .classes("depth")
                .props("dense outlined options-dense")
            )
            self._colour = formula_field("colour by a formula or a value", queries, clearable=True)
            self._colour.on_value_change(self.moved)
            self._menu = ui.element("div")
        self._remark = ui.label().classes("text-caption map-remark")
        self._position = ui.element("div").classes("w-full map-place")
        with self._position:
            placeholder("The states around the current state are drawn here.", "hub")

    async def seen(self, is_seen: bool) -> None:
        """Set whether the map is visible, and draw it if it is."""
        self._seen = is_seen
        await self.moved()

    async def moved(self, *_: object) -> None:
        """Draw the map again after a step or a change of its settings."""
        if not self._seen:
            return
        depth = None if self._depth.value == ALL else self._depth.value
        found = await self._session.ask(
            simulate.draw_map,
            depth,
            self._colour.value or "",
            bench=self._bench,
            on_progress=self._heard,
        )
        if found is None or self._position.is_deleted:
            return
        self._map = found
        self._on_status(found.exploration_status)
        by_truth = any(isinstance(node.value, bool) for node in found.nodes)
        notes = ["green: the formula holds"] * by_truth + ["click a state to go there"] * (
            len(found.nodes) > 1
        )
        self._remark.text = "; ".join([found.remark, *notes])
        if self._picture is None:
            self._position.clear()
            with self._position:
                self._picture = Chart(
                    self._session,
                    "map",
                    self._options,
                    self._csv,
                    classes="picture-map",
                    clicked=self._clicked,
                )
            with self._menu:
                self._picture.menu()
        else:
            self._picture.draw()

    def _heard(self, progress: ProgressData) -> None:
        self._remark.text = f"{progress.states:,} states explored, {progress.seconds:.1f} s"

    async def _clicked(self, event: Any) -> None:
        state = event.data.get("state") if isinstance(event.data, dict) else None
        if state is not None:
            await self._do(simulate.go_to, int(state))

    # --- the chart --------------------------------------------------------------------------------

    def _options(self, ink: Palette) -> dict[str, Any]:
        found = self._map
        if found is None:
            return {"series": []}
        indices = _layout(found)
        numbers = [
            float(node.value)
            for node in found.nodes
            if node.value is not None and not isinstance(node.value, bool)
        ]
        by_value = bool(numbers)
        few = len(found.nodes) <= FEW_NODES
        options: dict[str, Any] = {
            "tooltip": {"renderMode": "richText"},
            "series": [
                {
                    "type": "graph",
                    "layout": "none",
                    "roam": True,
                    "preserveAspect": True,
                    "left": 40,
                    "right": 90,
                    "top": 36 if by_value else 24,
                    "bottom": 32,
                    "symbolSize": 18 if few else 11,
                    "edgeSymbol": ["none", "arrow"],
                    "edgeSymbolSize": 7 if few else 4,
                    "lineStyle": {"color": ink.faint, "curveness": 0.06, "opacity": 0.9},
                    "emphasis": {"focus": "adjacency"},
                    "label": {
                        "show": few,
                        "position": "bottom",
                        "color": ink.text,
                        "fontSize": 11,
                        "width": 150,
                        "overflow": "truncate",
                    },
                    "data": [
                        self._node(node, indices[node.state], ink, by_value) for node in found.nodes
                    ],
                    "links": [
                        {"source": str(source), "target": str(target), "name": text, "value": text}
                        for source, target, text in found.edges
                    ],
                }
            ],
        }
        if by_value:
            minimum, maximum = min(numbers), max(numbers)
            options["visualMap"] = {
                "min": minimum,
                "max": maximum if maximum > minimum else minimum + 1,
                "text": [f"{maximum:.4g}", f"{minimum:.4g}"],
                "orient": "horizontal",
                "left": 10,
                "top": 4,
                "itemWidth": 12,
                "itemHeight": 110,
                "inRange": {"color": list(ink.scale)},
                "outOfRange": {"color": ink.faint},
                "textStyle": {"color": ink.text},
            }
        return options

    def _node(
        self, node: NodeData, position: tuple[float, float], ink: Palette, by_value: bool
    ) -> dict[str, Any]:
        name = node.name if len(node.name) <= LONG_NAME else f"{node.name[: LONG_NAME - 1]}…"
        text = f"{node.name}{'; has a self-loop' if node.loops else ''}"
        style: dict[str, Any] = {
            "borderColor": ink.here if node.is_here else ink.line if node.was_here else ink.text,
            "borderWidth": 3 if node.is_here else 2 if node.was_here else 1,
            "borderType": "dashed" if node.is_open and not node.is_here else "solid",
        }
        big = {"symbolSize": 24} if node.is_here else {}
        data: dict[str, Any] = {
            **big,
            "id": str(node.state),
            "state": node.state,
            "x": position[0],
            "y": position[1],
            "itemStyle": style,
        }
        if isinstance(node.value, bool):
            style["color"] = ink.good if node.value else ink.bad
            text += f": {'holds' if node.value else 'does not hold'}"
        elif node.value is not None:
            data["value"] = node.value
            text += f": {node.value:.6g}"
        else:
            style["color"] = ink.here if node.is_here else ink.area
        if not by_value:
            data["value"] = ""
        return {**data, "name": text, "label": {"formatter": "here" if node.is_here else name}}

    def _csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["from", "to", "step"])
        writer.writerows(self._map.edges if self._map is not None else ())
        return text.getvalue()


def _layout(found: MapData) -> dict[int, tuple[float, float]]:
    """Return the position of each state in the map: layers from left to right by distance, and in
    each layer states ordered by the mean position of their predecessors."""
    layers: dict[int, list[int]] = defaultdict(list)
    for node in found.nodes:
        layers[node.distance].append(node.state)
    sources: dict[int, list[int]] = defaultdict(list)
    for source, target, _ in found.edges:
        sources[target].append(source)
    indices: dict[int, tuple[float, float]] = {}
    width, height = 160.0 * max(1, len(layers) - 1), 160.0 * max(1, len(layers) - 1) / WIDE
    for distance in sorted(layers):
        states = layers[distance]
        before = {
            state: [indices[each][1] for each in sources[state] if each in indices]
            for state in states
        }
        states.sort(
            key=lambda state, before=before: (  # type: ignore[misc]
                sum(before[state]) / len(before[state]) if before[state] else 0.0
            )
        )
        gap = height / len(states)
        for number, state in enumerate(states):
            indices[state] = (distance * width / max(1, len(layers) - 1), (number + 0.5) * gap)
    return indices
