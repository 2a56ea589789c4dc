"""The studio on a program with a million states: seconds from a click until the browser shows the
result.

The program is the smart manufacturing agent (:mod:`benchmarks.manufacturing`) with five products.
Their deadlines are closer together, so that there are about a million states. The result is polled
every twentieth of a second. The time includes the page, the server, and the computing process.

Run with ``python -m benchmarks.studio``.  It needs the extra ``studio``, and Chromium.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.studio.browser import Page, browser
from tests.studio.server import running_studio

from benchmarks.manufacturing import manufacturing

__all__ = ["main"]

QUERY = "Pmax=? [ F success5 ]"


def main() -> None:
    """Print a line for each click."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "manufacturing.can"
        program.write_text(f"{manufacturing(5, first=6, apart=2)}\n// Properties\n{QUERY}\n")
        with running_studio(str(program)) as address, browser() as chromium:
            page = chromium.tab(address)
            page.wait_for(".property")
            for what, click, seen in _clicks(page):
                start = time.perf_counter()
                click()
                page.wait_until(seen, what)
                print(f"{what:<62} {time.perf_counter() - start:6.2f} s", flush=True)
            page.click(".view-tabs .q-tab", "Step through")
            print(page.text(".walk-below .text-caption"))


def _clicks(page: Page) -> list[tuple[str, Callable[[], None], Callable[[], bool]]]:
    def drawn(states: int) -> bool:
        return page.count(".picture-map svg") > 0 and page.count(".map-remark", f"{states}") > 0

    def coloured() -> None:
        page.click(".walk-lower .formulas")
        page.click(".q-menu .q-item", "Pmax")

    def everything() -> None:
        page.click(".depth")
        page.click(".q-menu .q-item", "all states")

    def asked() -> None:
        page.click(".walk-query")
        page.click(".q-menu .q-item", "Pmax")

    def legend() -> bool:
        return bool(page.evaluate("!!document.querySelector('.picture-map svg linearGradient')"))

    def steps(count: int) -> bool:
        return page.count(".so-far .step") == count

    return [
        (
            "walk: the first state",
            lambda: page.click(".view-tabs .q-tab", "Step through"),
            lambda: page.count(".option") > 0,
        ),
        ("walk: a step, on the fly", lambda: page.click(".option"), lambda: steps(1)),
        ("walk: ten steps by chance", lambda: page.click("button", "× 10"), lambda: steps(11)),
        (
            "walk: one step back",
            lambda: page.click("[aria-label='one step back']"),
            lambda: steps(10),
        ),
        (
            "walk: the value of each option (all states are explored)",
            asked,
            lambda: page.count(".walk-value", "here") > 0,
        ),
        (
            "walk: a step by the strategy",
            lambda: page.click("button", "Strategy"),
            lambda: steps(11),
        ),
        (
            "map: three steps around",
            lambda: page.click(".walk-below .q-tab", "Map"),
            lambda: drawn(3),
        ),
        ("map: coloured by the value", coloured, legend),
        ("map: from the initial state on", everything, lambda: drawn(300)),
        ("check: the same query", lambda: _check(page), lambda: page.count(".verdict") > 0),
    ]


def _check(page: Page) -> None:
    page.click(".view-tabs .q-tab", "Check")
    page.click("button", "Check all")


if __name__ == "__main__":
    main()
