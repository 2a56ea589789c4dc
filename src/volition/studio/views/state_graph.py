"""A map of the states around the walk: in layers, by the number of steps, coloured by a formula or
by a value."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from volition.studio.session import Session
from volition.studio.tasks import simulate
from volition.studio.tasks.simulate import MapShown, NodeShown
from volition.studio.view_data import ProgressShown
from volition.studio.views.charts import Chart, Palette
from volition.studio.views.query_form import formula_field
from volition.studio.views.widgets import placeholder

__all__ = ["StateGraphView"]

ALL = 0
DEPTHS = {1: "1 step", 2: "2 steps", 3: "3 steps", 5: "5 steps", 8: "8 steps", ALL: "everything"}
LONG_NAME = 34
WIDE = 3.0
"""How much wider than high a map is."""

FEW_NODES = 24
"""So many have room for their names."""


class StateGraphView:
    """The map; it is drawn only while somebody sees it."""

    def __init__(
        self,
        session: Session,
        bench: str,
        queries: list[str],
        do: Callable[..., Awaitable[None]],
        on_ground: Callable[[str], object],
    ) -> None:
        """``do`` does something with the walk, and ``on_ground`` is told what it goes through."""
        self._session = session
        self._bench = bench
        self._do = do
        self._on_ground = on_ground
        self._seen = False
        self._map: MapShown | None = None
        self._picture: Chart | None = None
        with ui.row().classes("w-full items-center no-wrap gap-2"):
            self._depth = (
                ui.select(DEPTHS, label="how far", value=3, on_change=self.moved)
                .classes("depth")
                .props("dense outlined options-dense")
            )
            self._colour = formula_field(
                "coloured by a formula or a value", queries, clearable=True
            )
            self._colour.on_value_change(self.moved)
            self._menu = ui.element("div")
        self._remark = ui.label().classes("text-caption map-remark")
        self._position = ui.element("div").classes("w-full map-place")
        with self._position:
            placeholder("The states around the walk are drawn here.", "hub")

    async def seen(self, is_seen: bool) -> None:
        """Whether somebody looks at it."""
        self._seen = is_seen
        await self.moved()

    async def moved(self, *_: object) -> None:
        """The walk is somewhere else, or something else is to be seen."""
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
        self._on_ground(found.ground)
        by_truth = any(isinstance(node.worth, bool) for node in found.nodes)
        notes = ["green where the formula holds"] * by_truth + ["click a state to walk there"] * (
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

    def _heard(self, progress: ProgressShown) -> None:
        self._remark.text = f"{progress.states:,} states explored, {progress.seconds:.1f} s"

    async def _clicked(self, event: Any) -> None:
        state = event.data.get("state") if isinstance(event.data, dict) else None
        if state is not None:
            await self._do(simulate.go_to, int(state))

    # --- as a picture -----------------------------------------------------------------------------

    def _options(self, ink: Palette) -> dict[str, Any]:
        found = self._map
        if found is None:
            return {"series": []}
        indices = _places(found)
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
        self, node: NodeShown, position: tuple[float, float], ink: Palette, by_value: bool
    ) -> dict[str, Any]:
        name = node.name if len(node.name) <= LONG_NAME else f"{node.name[: LONG_NAME - 1]}…"
        text = f"{node.name}{'; may stay here' if node.loops else ''}"
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


def _places(found: MapShown) -> dict[int, tuple[float, float]]:
    """Layers from left to right; in each, states stand near to those that lead to them."""
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
