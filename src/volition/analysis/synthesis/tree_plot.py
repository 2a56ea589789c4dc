"""Drawings of strategies as decision trees from left to right, in the DOT language or with
Matplotlib, and as indented text.

Matplotlib is optional (``pip install volition[plots]``) and is imported when something is drawn.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from volition.analysis.figures import new_figure, save_picture
from volition.analysis.synthesis.synthesise import Synthesis
from volition.diagnostics import Diagnostic, InputError
from volition.reporting.strategies.decision_tree import Tree, TreeLeaf, feature_test_text
from volition.reporting.strategies.strategy_table import ANY_CHOICE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["dot_text", "draw_strategy", "save_strategy_picture", "tree_text"]

LETTER, LINE, GAP, MARGIN = 0.075, 0.45, 0.75, 0.15
"""Sizes in a drawing of decision trees, in inches: width of a letter, height of a leaf, distance
between levels, and outer margin."""

WRAP = 36
"""Maximum number of characters in a line of a box of the drawing."""

LINES = 3
"""Number of lines of text that fit into the height of a leaf of the tree."""

MAX_LEAVES = 80
"""Maximum number of leaves of a drawing; a drawing with more is not readable."""

COLOURS = {"decision": "#dbe7f3", "test": "#ffffff", "answer": "#dff0dc"}


@dataclass(eq=False)
class _Node:
    """Box in the drawing of a decision tree: the name of a decision, a test, or an answer. ``edge``
    is the label of the line that leads to the box."""

    text: str
    kind: str
    edge: str = ""
    children: list[_Node] = field(default_factory=list)

    def walk(self) -> Iterator[_Node]:
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def leaves(self) -> int:
        return sum(not node.children for node in self.walk())

    @property
    def lines(self) -> list[str]:
        """Text of the box, wrapped into lines. It is never shortened, because two boxes could
        differ only in the missing part."""
        return textwrap.wrap(self.text, WRAP)

    @property
    def height(self) -> float:
        """Height in inches of the box with its subtree."""
        return max(
            LINE * max(1, len(self.lines) / LINES), sum(child.height for child in self.children)
        )


def tree_text(synthesis: Synthesis) -> str:
    """Return the decision trees of a strategy as indented text."""

    def lines(node: _Node, indent: str) -> Iterator[str]:
        arrow = {"decision": "", "test": "", "answer": "→ "}[node.kind]
        yield f"{indent}{f'{node.edge}: ' if node.edge else ''}{arrow}{node.text}{'?' if node.kind != 'answer' else ''}"  # noqa: E501
        for child in node.children:
            yield from lines(child, indent + "  ")

    return "\n".join(line for root in _roots(synthesis) for line in lines(root, ""))


def dot_text(synthesis: Synthesis) -> str:
    """Return the decision trees of a strategy in the DOT language of Graphviz."""
    lines = [
        "digraph strategy {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
    ]
    nodes = [node for root in _roots(synthesis) for node in root.walk()]
    names = {node: f"n{number}" for number, node in enumerate(nodes)}
    for node in nodes:
        lines.append(
            f'  {names[node]} [label="{_quoted(node.text)}", fillcolor="{COLOURS[node.kind]}"];'
        )
        lines += [
            f'  {names[node]} -> {names[child]} [label="{child.edge}"];' for child in node.children
        ]
    return "\n".join([*lines, "}", ""])


def save_strategy_picture(synthesis: Synthesis, path: Path) -> None:
    """Draw the decision trees of a strategy and save the picture to a file; raise
    :class:`InputError` if the strategy is too large, or the file cannot be written."""
    save_picture(draw_strategy(synthesis), path)


def draw_strategy(synthesis: Synthesis) -> Figure:
    """Return a figure with the decision trees of a strategy below each other. One unit of the axes
    is one inch."""
    roots = _roots(synthesis)
    leaves = sum(root.leaves for root in roots)
    if leaves > MAX_LEAVES:
        message = f"the strategy has {leaves} cases, too many to draw"
        raise InputError(
            [
                Diagnostic(
                    "CHK084",
                    message,
                    hint="write it as DOT text, and draw it with Graphviz",
                )
            ]
        )
    levels = _levels(roots)
    title = synthesis.answer.prop.text
    width, height = (
        max(levels[-1], LETTER * len(title) + MARGIN),
        sum(root.height for root in roots) + LINE * (len(roots) - 1),
    )
    figure = new_figure(figsize=(width + 2 * MARGIN, height + 4 * MARGIN))
    axes = figure.add_axes(
        (0, 0, 1, 1), xlim=(-MARGIN, width + MARGIN), ylim=(-height - MARGIN / 2, 3.5 * MARGIN)
    )
    axes.set_axis_off()
    axes.text(0, 3 * MARGIN, title, fontsize=10, ha="left", va="top")
    top = 0.0
    for root in roots:
        _draw(axes, root, levels, 0, top)
        top -= root.height + LINE
    return figure


def _levels(roots: list[_Node]) -> list[float]:
    """Return the x position at which the boxes of each tree level begin, and as last element the
    right end of the last level."""
    widths: dict[int, float] = {}

    def measure(node: _Node, level: int) -> None:
        longest = max(map(len, node.lines))
        widths[level] = max(widths.get(level, 0.0), LETTER * longest + GAP)
        for child in node.children:
            measure(child, level + 1)

    for root in roots:
        measure(root, 0)
    return list(accumulate((widths[level] for level in sorted(widths)), initial=0.0))


def _draw(axes: Axes, node: _Node, levels: list[float], level: int, top: float) -> float:
    """Draw a tree of boxes below the y position ``top`` and return the y position of its root."""
    positions = []
    line = top
    for child in node.children:
        positions.append(_draw(axes, child, levels, level + 1, line))
        line -= child.height
    position = sum(positions) / len(positions) if positions else top - node.height / 2
    following = levels[level + 1]
    for child, height in zip(node.children, positions, strict=True):
        # The line begins at the left end of the box and is drawn behind it, because the width of
        # the text is not known.
        corners = [levels[level] + 0.1, following - 0.75 * GAP, following - 0.4 * GAP, following]
        axes.plot(
            corners, [position, position, height, height], color="#888888", linewidth=1, zorder=1
        )
        if child.edge:
            axes.text(
                following - 0.2 * GAP,
                height + 0.03,
                child.edge,
                fontsize=7,
                color="#555555",
                ha="center",
                va="bottom",
            )
    box = {
        "boxstyle": "round,pad=0.35",
        "facecolor": COLOURS[node.kind],
        "edgecolor": "#555555",
        "linewidth": 0.8,
    }
    axes.text(
        levels[level] + 0.06,
        position,
        "\n".join(node.lines),
        fontsize=8,
        ha="left",
        va="center",
        bbox=box,
        zorder=2,
    )
    return position


def _roots(synthesis: Synthesis) -> list[_Node]:
    """Return a tree of boxes for each decision table of a strategy."""
    if not synthesis.decision_tables:
        return [_Node(ANY_CHOICE, "answer")]
    return [
        _Node(each.text, "decision", children=[_node(each.tree)])
        for each in synthesis.decision_tables
    ]


def _node(tree: Tree, edge: str = "") -> _Node:
    if isinstance(tree, TreeLeaf):
        return _Node(tree.answer, "answer", edge)
    return _Node(
        feature_test_text(tree.test),
        "test",
        edge,
        [_node(tree.yes, "yes"), _node(tree.no, "no")],
    )


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
