"""Drawing of a run as a line with an arc for its loop, the current position, and the steps at which
parts of the formula change."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

__all__ = ["lasso"]

_LINE, _LEFT, _RIGHT = 22, 2.0, 96.0
"""Line that represents the run in the drawing: its vertical position in pixels, and its left and
right end in per cent of the width."""


def lasso(steps: int, loop: int | None, at: int, turns: Sequence[int]) -> None:
    """Draw a run of ``steps`` steps as a line from left to right, with an arc back to the step
    ``loop`` if it has a loop. ``at`` is the current position, and ``turns`` are the steps that are
    marked. The drawing contains only numbers and no texts of programs, so that it can be written as
    HTML."""

    def x(position: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * position / max(steps, 1)

    stays = loop is not None and loop >= steps - 1
    parts = [f'<line x1="{x(0):.2f}%" y1="{_LINE}" x2="{x(steps):.2f}%" y2="{_LINE}" class="way"/>']
    if loop is not None:
        start, end = (x(steps) - 1.5, x(steps) + 1.5) if stays else (x(loop), x(steps))
        arc = (
            f'<path d="M 100 {_LINE} C 100 -4, 0 -4, 0 {_LINE}" class="back" '
            'vector-effect="non-scaling-stroke"/>'
        )
        box = (
            f'x="{start:.2f}%" y="0" width="{max(end - start, 1.5):.2f}%" height="34" viewBox="0 '
            '0 100 34" preserveAspectRatio="none"'
        )
        parts.append(f'<svg {box} overflow="visible">{arc}</svg>')
    if steps <= 60:
        parts += [
            f'<circle cx="{x(each):.2f}%" cy="{_LINE}" r="2.5" class="dot"/>'
            for each in range(steps + 1)
        ]
    parts += [f'<circle cx="{x(each):.2f}%" cy="{_LINE}" r="4" class="turn"/>' for each in turns]
    parts.append(f'<circle cx="{x(at):.2f}%" cy="{_LINE}" r="6" class="here"/>')
    repeat = (
        ""
        if loop is None
        else ", where the run stays forever"
        if stays
        else f", the steps after {loop} repeat forever"
    )
    inside = "".join(parts)
    picture = (
        f'<svg width="100%" height="34" role="img" aria-label="step {at} of '
        f'{steps}{repeat}">{inside}</svg>'
    )
    ui.html(picture, sanitize=False).classes("lasso-picture")
