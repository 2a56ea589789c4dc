"""The pictures of the studio in the documentation: ``python -m tests.studio.picture`` writes
``docs/studio-*.png``.

With a folder as its argument it writes every view there at both sizes, light and dark, to be looked
at.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

from tests.studio.browser import CHROMIUM, Browser, Page, browser
from tests.studio.server import running_studio

__all__ = ["SCENES", "open_example"]

DOCS = Path(__file__).parents[2] / "docs" / "images"
SMALL, LARGE = (1280, 800), (1920, 1080)
COLOURS = 96


def open_example(page: Page, language: str, name: str) -> None:
    """Click an example on the first page."""
    page.goto_link(".example-group", language, ".example", name)
    page.wait_for(".property")


def _checked(page: Page, language: str, name: str) -> None:
    open_example(page, language, name)
    page.click("button", "Check all")
    page.wait_until(lambda: page.count(".verdict") == page.count(".property"), "all answers")


def _welcome(page: Page) -> None:
    page.wait_for(".example")


def _check(page: Page) -> None:
    _checked(page, "CAN", "smart manufacturing")
    page.click("input[aria-label=formula]")
    page.type("Pmax=? [ F (Bel(w")
    page.wait_for(".suggestion")


def _mistake(page: Page) -> None:
    open_example(page, "CAN", "rover")
    page.click(".cm-line", "site1 : true")
    page.press("End")
    page.type("\nsite1 : at_base <- experiment_site1; return_to_bse.")
    page.wait_for(".diagnostic")


def _why(page: Page) -> None:
    _checked(page, "AgentSpeak(F)", "auction")
    page.click("button", "Why?", near="P1")
    page.wait_for(".step.here")


def _strategy(page: Page) -> None:
    _checked(page, "CAN", "rover")
    page.click("button", "How?", near="shortest way")
    page.click(".decision", "intention site2 = nil")
    page.click(".decision-point")
    page.wait_for(".alternative")


def _seen(page: Page, language: str, name: str, view: str) -> None:
    open_example(page, language, name)
    page.click(".view-tabs .q-tab", view)


def _walk(page: Page) -> None:
    _seen(page, "CAN", "rover", "Step through")
    page.click(".option", "adopt event site1")
    page.click(".walk-query")
    page.click(".q-menu .q-item", 'R{"distance"}min=?')
    page.wait_for(".option-value")
    page.click(".walk-below .q-tab", "Map")
    page.wait_for(".picture-map svg")


def _front(page: Page) -> None:
    _seen(page, "CAN", "rescue", "Trade-offs")
    page.click("button", "Compute")
    page.wait_for(".picture-front svg")


def _sweep(page: Page) -> None:
    _seen(page, "CAN", "smart manufacturing", "Sweeps")
    page.click("button", "Sweep")
    page.wait_for(".picture-tall svg")


def _run(page: Page) -> None:
    _seen(page, "LISA", "vessel repaired", "Run")
    page.click(".run-page button.bg-primary", "Run")
    page.wait_until(
        lambda: page.evaluate(
            "!!document.querySelector('iframe')?.contentDocument?.querySelector('#clock')"
        ),
        "the run",
    )
    time.sleep(3)  # the vessel leaves its base


SCENES: dict[str, Callable[[Page], None]] = {
    "welcome": _welcome,
    "check": _check,
    "mistake": _mistake,
    "why": _why,
    "strategy": _strategy,
    "walk": _walk,
    "front": _front,
    "sweep": _sweep,
    "run": _run,
}
"""What the pictures show: how a person gets there from the first page."""


def _pictured(
    chromium: Browser, address: str, name: str, size: tuple[int, int], scheme: str, path: Path
) -> None:
    page = chromium.tab(address, width=size[0], height=size[1])
    page.prefer(scheme)
    SCENES[name](page)
    time.sleep(1)  # ripples of clicks fade
    page.picture(path)
    path.write_bytes(_smaller(path.read_bytes()))
    print(path, page.complaints or "")
    page.close()


def _smaller(png: bytes) -> bytes:
    """The same picture with few colours, which is all that it has."""
    written = io.BytesIO()
    Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
        written, "PNG", optimize=True
    )
    return written.getvalue()


def _wanted(arguments: list[str]) -> Iterator[tuple[str, tuple[int, int], str, Path]]:
    if not arguments:
        yield from ((name, SMALL, "light", DOCS / f"studio-{name}.png") for name in SCENES)
        return
    folder, *names = arguments
    for name in names or SCENES:
        for size in (SMALL, LARGE):
            for scheme in ("light", "dark"):
                yield name, size, scheme, Path(folder) / f"{name}-{size[0]}-{scheme}.png"


if __name__ == "__main__" and CHROMIUM is not None:
    with running_studio() as address, browser() as chromium:
        for each in _wanted(sys.argv[1:]):
            _pictured(chromium, address, *each)
