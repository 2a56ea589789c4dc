"""Drawings of dependency graphs in the style of Figs. 3 to 5 of Winikoff et al., as SVG or for
Graphviz.

Each unit of the program (a plan, an action or a rule of the world) has a row with its trigger, its
guard and its steps. Solid lines are control links. Dashed lines lead from changes of beliefs to
their readers. Removed nodes are grey. The SVG is generated without Graphviz, so that users need no
additional tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape

from volition.diagnostics import escape_control_characters
from volition.slicing.dependency_graph import DependencyGraph, DependencyLink

__all__ = ["SliceStatus", "dot_of", "svg_of"]

SliceStatus = Literal["kept", "changed", "left out"]
"""Status of a node of the dependency graph in the slice. A step of a kept unit is ``changed`` if
its effects are removed, or if the step itself is removed or replaced by a no-op."""

StatusOf = Callable[[int], SliceStatus]

_LONGEST = 34
_LETTER, _HEIGHT = 7.2, 24.0
_ROW, _GAP, _MARGIN = 52.0, 34.0, 20.0
_STYLE = """
  text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: #1f2933; }
  .title { font-weight: bold; }
  rect { fill: #ffffff; stroke: #334e68; stroke-width: 1.2; }
  .root rect { fill: #e3f8ff; } .trigger rect { fill: #fffaeb; } .guard rect { rx: 12; } .property rect { fill: #dceefb; stroke-width: 2; }
  .changed text { fill: #829ab1; text-decoration: line-through; } .changed rect { stroke: #829ab1; }
  .out text { fill: #9fb3c8; } .out rect { stroke: #bcccdc; fill: #f7f9fb; stroke-dasharray: 3 3; }
  path { fill: none; stroke: #486581; stroke-width: 1.1; } path.belief { stroke: #d64545; stroke-dasharray: 5 3; }
  path.faint { stroke: #cbd2d9; }
"""  # noqa: E501


@dataclass(frozen=True, slots=True)
class _Box:
    x: float
    y: float
    width: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


def svg_of(graph: DependencyGraph, fates: StatusOf, title: str) -> str:
    """Return a dependency graph as a self-contained SVG drawing. ``fates`` gives the status of each
    node in the slice."""
    boxes = _layout(graph)
    width = max(box.right for box in boxes.values()) + _MARGIN
    height = max(box.y for box in boxes.values()) + _HEIGHT + _ROW
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}">',
        f"<title>{_xml(title)}</title>",
        f"<style>{_STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'  # noqa: E501
        '<path d="M0 0 L8 4 L0 8 z" style="fill:#486581;stroke:none"/></marker></defs>',
        f'<text class="title" x="{_MARGIN:.0f}" y="{_MARGIN:.0f}">{_xml(title)}</text>',
    ]
    lines += (_svg_link(link, boxes, fates) for link in graph.links)
    lines += (_svg_node(graph, number, box, fates(number)) for number, box in boxes.items())
    return "\n".join([*lines, "</svg>", ""])


def _layout(graph: DependencyGraph) -> dict[int, _Box]:
    """Return the box of each node in the drawing. Entry points are on the left and queried atoms on
    the right. Between them, each plan, action or rule of the world has a row: its trigger, its
    guard and its steps."""
    top = 2 * _MARGIN + _HEIGHT
    width = [_width(graph.nodes[each].label) for each in range(len(graph.nodes))]
    roots = {
        node: _Box(_MARGIN, top + index * _ROW, width[node])
        for index, node in enumerate(graph.roots)
    }
    left = max((box.right for box in roots.values()), default=_MARGIN) + 2 * _GAP
    boxes = dict(roots)
    guards = left + max((width[each] for each in graph.triggers.values()), default=0.0) + _GAP
    steps = guards + max((width[each] for each in graph.guards), default=0.0) + _GAP
    right, y = steps, top
    for trigger, rows in _rows(graph):
        boxes[trigger] = _Box(left, y, width[trigger])
        for part in rows:
            boxes[graph.guards[part]] = _Box(guards, y, width[graph.guards[part]])
            x = steps
            for step in graph.steps[part]:
                boxes[step] = _Box(x, y, width[step])
                x = boxes[step].right + _GAP
            right, y = max(right, x), y + _ROW
    for position, node in enumerate(graph.properties.values()):
        boxes[node] = _Box(right + _GAP, top + position * _ROW, width[node])
    return boxes


def _rows(graph: DependencyGraph) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield each trigger node of the graph, in program order, with the indices of the program units
    that it triggers. A unit is a plan, an action or a rule of the world; each unit is drawn as one
    row."""
    for name, node in graph.triggers.items():
        yield (
            node,
            [
                number
                for number, part in enumerate(graph.dependencies.parts)
                if part.trigger == name
            ],
        )


def _svg_node(graph: DependencyGraph, number: int, box: _Box, fate: SliceStatus) -> str:
    node = graph.nodes[number]
    kind = {"kept": "", "changed": " changed", "left out": " out"}[fate]
    label = (
        ""
        if node.kind != "guard" or node.part is None
        else graph.dependencies.parts[node.part].label
    )
    above = (
        (
            f'<text x="{box.x:.0f}" y="{box.y - 4:.0f}" '
            f'style="font-size:10px">{_xml(_short(label))}</text>'
        )
        if label
        else ""
    )
    return (
        f'<g class="{node.kind}{kind}"><title>{_xml(node.text)}</title>{above}'
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{_HEIGHT:.0f}"/>'
        f'<text x="{box.middle:.1f}" y="{box.y + 16:.1f}" '
        f'text-anchor="middle">{_xml(_short(node.label))}</text></g>'
    )


def _svg_link(link: DependencyLink, boxes: dict[int, _Box], fates: StatusOf) -> str:
    one, other = boxes[link.source], boxes[link.target]
    faint = " faint" if "left out" in (fates(link.source), fates(link.target)) else ""
    if other.x > one.right:
        start, end = (one.right, one.y + _HEIGHT / 2), (other.x, other.y + _HEIGHT / 2)
        bend = min(60.0, (end[0] - start[0]) / 2)
        curve = f"C{start[0] + bend:.1f} {start[1]:.1f} {end[0] - bend:.1f} {end[1]:.1f}"
    else:
        down = other.y >= one.y
        start = (one.middle, one.y + (_HEIGHT if down else 0))
        end = (
            other.middle,
            other.y + (_HEIGHT if down and other.y == one.y else 0 if down else _HEIGHT),
        )
        bend = 26.0 if down else -26.0
        curve = (
            f"C{start[0]:.1f} {start[1] + bend:.1f} {end[0]:.1f} "
            f"{end[1] - (bend if other.y != one.y else -bend):.1f}"
        )
    path = f"M{start[0]:.1f} {start[1]:.1f} {curve} {end[0]:.1f} {end[1]:.1f}"
    return f'<path class="{link.kind}{faint}" d="{path}" marker-end="url(#arrow)"/>'


def dot_of(graph: DependencyGraph, fates: StatusOf, title: str) -> str:
    """Return a dependency graph in Graphviz's DOT language. ``fates`` gives the status of each node
    in the slice."""
    lines = [
        "digraph dependencies {",
        f"  label={_quoted(title)};",
        "  rankdir=LR;",
        "  node [shape=box, fontname=monospace];",
    ]
    for number, node in enumerate(graph.nodes):
        shape = {
            "root": "cds",
            "trigger": "box",
            "guard": "box, style=rounded",
            "step": "box",
            "property": "doubleoctagon",
        }[node.kind]
        grey = {
            "kept": "",
            "changed": ", fontcolor=grey",
            "left out": ", color=grey, fontcolor=grey",
        }[fates(number)]
        label = node.label
        if node.kind == "guard" and node.part is not None:
            label = f"{graph.dependencies.parts[node.part].label}\n{node.label}"
        lines.append(f"  n{number} [label={_quoted(label)}, shape={shape}{grey}];")
    for link in graph.links:
        style = " [style=dashed, color=red]" if link.kind == "belief" else ""
        lines.append(f"  n{link.source} -> n{link.target}{style};")
    return "\n".join([*lines, "}", ""])


def _quoted(text: str) -> str:
    escaped = (
        escape_control_characters(text)
        .replace("\\", "\\\\")
        .replace('"', '\\"')
        .replace("\n", "\\n")
    )
    return f'"{escaped}"'


def _width(text: str) -> float:
    return max(len(_short(text)), 4) * _LETTER + 16


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _xml(text: str) -> str:
    return escape(escape_control_characters(text))
