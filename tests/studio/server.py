"""A studio to look at, as a process of its own, and a browser that drives it as a person would."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

__all__ = ["EXAMPLES", "opened_page", "running_studio", "studio"]

EXAMPLES = Path(__file__).parents[2] / "examples"
CHROMIUM = shutil.which("chromium")
_MISSING = [name for name in ("nicegui", "playwright") if importlib.util.find_spec(name) is None]

studio = pytest.mark.skipif(CHROMIUM is None or bool(_MISSING), reason="Chromium, nicegui or playwright is not installed on this machine")


@contextmanager
def running_studio(*arguments: str) -> Iterator[str]:
    """The address of a studio, which ends with the block."""
    command = [sys.executable, "-m", "volition", "studio", *arguments, "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert process.stdout is not None
        told = ""
        for line in process.stdout:
            told += line
            if found := re.search(r"http://\S+", line):
                break
        else:
            raise AssertionError(f"the studio did not start: {told}")
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def opened_page(address: str, *, width: int = 1280, height: int = 800) -> Iterator[tuple[Any, list[str]]]:
    """A page of the studio, and what its console complains about."""
    from playwright.sync_api import sync_playwright

    complaints: list[str] = []
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=options)
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(60_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        try:
            yield page, complaints
        finally:
            browser.close()
