"""Plots of trade-offs, like Fig. 6 of Archibald et al.: a Pareto front, its corners with their
values, and the chosen point."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from volition.analysis.figures import check_picture, new_figure, save_picture
from volition.analysis.tradeoffs.missions import MissionResult
from volition.analysis.tradeoffs.pareto import Corner, ParetoResult
from volition.diagnostics import Diagnostic, InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["check_pareto_plot", "draw_budget", "draw_pareto", "save_pareto_plot"]

SIZE = (6.0, 4.8)
AREA, LINE, POINT = "#d7e3f4", "#3465a4", "#a40000"
LABEL_WIDTH = 44
MAX_LISTED = 10
"""Maximum number of corners of a three-dimensional Pareto front for their values to be shown in the
legend of its plot; a table lists all."""

MARGIN = 0.03
"""Space beyond 0 or 1 on an axis of probabilities, so that markers at the end are drawn completely.
"""


def check_pareto_plot(path: Path, *, objectives: int) -> None:
    """Raise :class:`InputError` if a Pareto front of this many objectives cannot be drawn, or the
    format of the file is not supported."""
    check_picture(path)
    if objectives not in (2, 3):
        raise InputError(
            [
                Diagnostic(
                    "CHK067",
                    f"a plot shows two or three objectives, not {objectives}",
                    hint="leave the plot out",
                )
            ]
        )


def save_pareto_plot(result: ParetoResult, path: Path) -> None:
    """Draw the Pareto front and save the picture to a file."""
    check_pareto_plot(path, objectives=len(result.objectives))
    save_picture(draw_pareto(result), path)


def draw_pareto(result: ParetoResult) -> Figure:
    """Return a figure of the Pareto front: two objectives in the plane, three in space."""
    figure = new_figure(figsize=SIZE, layout="constrained")
    points = np.array(
        [[float(value) for value in corner.values] for corner in result.corners if _finite(corner)]
    )
    if len(points) == 0:
        figure.text(0.5, 0.5, _beyond(result), ha="center", va="center", fontsize="small")
    elif len(result.objectives) == 2:
        _plane(result, points, figure.add_subplot())
    else:
        _space(result, points, figure.add_subplot(projection="3d"))
    return figure


def draw_budget(result: MissionResult) -> Figure:
    """Return a step plot of the probability that a mission succeeds within each budget, up to the
    given one."""
    assert result.budgeted is not None, "only a budget has a curve"
    figure = new_figure(figsize=(SIZE[0], 3.4), layout="constrained")
    panel = figure.add_subplot()
    funds = [float(each) for each, _ in result.budgeted.curve]
    chances = [float(each) for _, each in result.budgeted.curve]
    panel.step(
        [*funds, float(result.budgeted.budget)], [*chances, chances[-1]], where="post", color=LINE
    )
    panel.scatter(funds, chances, color=POINT, zorder=3, s=16)
    panel.set_xlabel(f"{result.reward} at most")
    panel.set_ylabel("success")
    panel.set_ylim(-MARGIN, 1 + MARGIN)
    panel.grid(alpha=0.3)
    return figure


def _plane(result: ParetoResult, points: Any, panel: Any) -> None:
    worst = _worst(result, points)
    # The outline leads from the best point in the first objective to the best in the second, and
    # back over a point that is worse than all others.
    outline = np.vstack([[points[0, 0], worst[1]], points, [worst[0], points[-1, 1]], worst])
    panel.fill(outline[:, 0], outline[:, 1], color=AREA, zorder=1, label="achievable")
    panel.plot(points[:, 0], points[:, 1], color=LINE, zorder=2, label="Pareto front")
    panel.scatter(
        points[:, 0], points[:, 1], color=POINT, zorder=3, label="deterministic strategies"
    )
    for corner, point in zip(filter(_finite, result.corners), points, strict=True):
        _name(panel, point, f"{corner.name}\n{_pair(corner.values)}", result)
    chosen = result.bound_meeting_point
    if (
        chosen is not None
        and len(chosen.parts) > 1
        and np.isfinite([float(value) for value in chosen.values]).all()
    ):
        at = [float(value) for value in chosen.values]
        panel.scatter(
            *at,
            color="black",
            zorder=4,
            label=textwrap.fill(f"chosen: {chosen.sentence()}", LABEL_WIDTH),
        )
        _name(panel, at, _pair(at), result)
    panel.set_xlabel(_title(result, 0))
    panel.set_ylabel(_title(result, 1))
    panel.margins(0.22, 0.18)
    for index, axis in enumerate((panel.xaxis, panel.yaxis)):
        if _is_probability(result, index):
            _within_0_and_1(axis, result.maximised[index])
    panel.grid(alpha=0.3)
    if result.has_infinite_corner:
        panel.plot([], [], " ", label=_beyond(result))
    panel.figure.legend(loc="outside lower center", fontsize="small", ncols=2)


def _within_0_and_1(axis: Any, maximised: bool) -> None:
    """Limit an axis of probabilities to values from 0 to 1. Only the end away from the Pareto front
    is cut off. At the other end, space for labels remains beyond 0 or 1, without ticks."""
    low, high = axis.get_view_interval()
    low, high = (max(low, -MARGIN), high) if maximised else (low, min(high, 1 + MARGIN))
    axis.set_ticks([tick for tick in axis.get_majorticklocs() if -1e-9 <= tick <= 1 + 1e-9])
    axis.set_view_interval(low, high, ignore=True)


def _name(panel: Any, point: Any, text: str, result: ParetoResult) -> None:
    """Draw the label of a point on the outer side of the Pareto front, where nothing else is
    drawn."""
    across, up = (1 if more_is_better else -1 for more_is_better in result.maximised)
    panel.annotate(
        text,
        point,
        xytext=(6 * across, 4 * up),
        textcoords="offset points",
        ha="left" if across > 0 else "right",
        va="bottom" if up > 0 else "top",
        fontsize="small",
        zorder=5,
    )


def _worst(result: ParetoResult, points: Any) -> Any:
    """Return a point that is worse than all given points in every objective. Its value for an
    objective that is a probability is the worst possible one, 0 or 1."""
    worst = []
    for axis, up in enumerate(result.maximised):
        if _is_probability(result, axis):
            worst.append(0.0 if up else 1.0)
        else:
            reach = float(np.ptp(points[:, axis])) or abs(float(points[0, axis])) or 1.0
            worst.append(
                float(points[:, axis].min()) - 0.3 * reach
                if up
                else float(points[:, axis].max()) + 0.3 * reach
            )
    return np.array(worst)


def _space(result: ParetoResult, points: Any, panel: Any) -> None:
    if len(points) >= 3 and _spread(points):
        panel.plot_trisurf(points[:, 0], points[:, 1], points[:, 2], color=LINE, alpha=0.35)
    panel.plot(*np.vstack([points, points[:1]]).T, color=LINE, linewidth=1)
    panel.scatter(*points.T, color=POINT, depthshade=False)
    corners = list(filter(_finite, result.corners))
    for corner, point in zip(corners, points, strict=True):
        panel.text(*point, f" {corner.number}", fontweight="bold")
    if (
        len(corners) <= MAX_LISTED
    ):  # in the legend, because texts at the points would overlap the axes
        for corner in corners:
            panel.plot([], [], [], " ", label=f"{corner.name}: {_pair(corner.values)}")
    chosen = result.bound_meeting_point
    if chosen is not None and np.isfinite([float(value) for value in chosen.values]).all():
        panel.scatter(*[[float(value)] for value in chosen.values], color="black", depthshade=False)
    panel.set_xlabel(_title(result, 0), fontsize="small")
    panel.set_ylabel(_title(result, 1), fontsize="small")
    panel.set_zlabel(_title(result, 2), fontsize="small")
    if result.has_infinite_corner:
        panel.plot([], [], [], " ", label=_beyond(result))
    if panel.get_legend_handles_labels()[1]:
        panel.figure.legend(loc="outside lower center", fontsize="small", ncols=2, handlelength=0)


def _spread(points: Any) -> bool:
    """Return whether three-dimensional points, projected onto their first two coordinates, do not
    all lie on one line, so that a surface of triangles can be drawn."""
    flat = points[:, :2] - points[0, :2]
    return bool(np.linalg.matrix_rank(flat) == 2)


def _finite(corner: Corner) -> bool:
    return bool(np.isfinite([float(value) for value in corner.values]).all())


def _beyond(result: ParetoResult) -> str:
    """Return a text that lists the corners with infinite values, which cannot be drawn."""
    return "\n".join(
        f"{corner.name}: {_pair(corner.values)}, outside the plot"
        for corner in result.corners
        if not _finite(corner)
    )


def _is_probability(result: ParetoResult, objective: int) -> bool:
    return result.objectives[objective].lstrip().startswith("P")


def _pair(values: Any) -> str:
    return f"({', '.join(f'{float(value):.4g}'.replace('inf', '∞') for value in values)})"


def _title(result: ParetoResult, objective: int) -> str:
    return "\n".join(textwrap.wrap(result.objectives[objective], LABEL_WIDTH)[:3])
