"""A run as a line with its loop: where one is in it, and where something happens that was asked about."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

__all__ = ["lasso"]

WIDTH, HEIGHT, MARGIN = 600, 34, 14
_LINE = 22


def lasso(steps: int, loop: int | None, at: int, turns: Sequence[int]) -> None:
    """A line from left to right, bent back where the run repeats itself; numbers only, no texts of programs."""

    def x(place: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * place / max(steps, 1)

    stays = loop is not None and loop >= steps - 1
    end = x(steps)
    parts = [f'<line x1="{x(0):.1f}" y1="{_LINE}" x2="{end:.1f}" y2="{_LINE}" class="way"/>']
    if loop is not None:
        start = x(loop) if not stays else end - 12
        parts.append(f'<path d="M {end:.1f} {_LINE} C {end + 8:.1f} 0, {start - 8:.1f} 0, {start:.1f} {_LINE}" class="back"/>')
    if steps <= 60:
        parts += [f'<circle cx="{x(each):.1f}" cy="{_LINE}" r="2" class="dot"/>' for each in range(steps + 1)]
    parts += [f'<circle cx="{x(each):.1f}" cy="{_LINE}" r="4" class="turn"/>' for each in turns]
    parts.append(f'<circle cx="{x(at):.1f}" cy="{_LINE}" r="6" class="here"/>')
    told = f"step {at} of {steps}" + (
        "" if loop is None else f", which repeat from step {loop} on" if not stays else ", which stay at the end"
    )
    inside = "".join(parts)
    picture = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" role="img" aria-label="{told}">{inside}</svg>'
    ui.html(picture, sanitize=False).classes("lasso-picture")
