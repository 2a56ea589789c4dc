"""A real browser without a window: Chromium loads a page and tells what became of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

__all__ = ["Loaded", "Look", "load", "look", "needs_chromium"]

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is not installed on this machine"
)

WIDTH = 1280
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a page may do: have a style, and pixels in a picture of its own.

Whatever else it tries, a script or a request, is refused and told on the console."""


@dataclass(frozen=True)
class Loaded:
    """The page as the browser understood it, and what was said on its console."""

    dom: str
    console: list[str]


@dataclass(frozen=True)
class Look(Loaded):
    """A page with a picture of it."""

    picture: Path


def load(address: str, folder: Path) -> Loaded:
    """Load a page with its scripts, and give them some seconds of their own time."""
    reported = _run(address, folder, "--dump-dom", "--virtual-time-budget=4000")
    return Loaded(reported.stdout, _console(reported.stderr))


def look(content: str, folder: Path, *, dark: bool, width: int = WIDTH, height: int = 2400) -> Look:
    """Load HTML as a notebook would show it, on a light or on a dark page."""
    background, colour = ("#111111", "#eeeeee") if dark else ("#ffffff", "#111111")
    page, picture = folder / "page.html", folder / f"{'dark' if dark else 'light'}.png"
    page.write_text(
        '<!doctype html><html><head><meta charset="utf-8"><meta '
        f'http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>body{{background:{background};color:{colour};margin:24px}}</style></head><body "
        f'id="page">{content}</body></html>'
    )
    reported = _run(page.as_uri(), folder, "--dump-dom")
    _run(page.as_uri(), folder, f"--screenshot={picture}", f"--window-size={width},{height}")
    return Look(reported.stdout, _console(reported.stderr), picture)


def _console(text: str) -> list[str]:
    return re.findall(r"CONSOLE\S* (.*)", text)


def _run(address: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    assert CHROMIUM is not None
    fixed = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--enable-logging=stderr",
        "--disable-background-networking",
    )
    profile = f"--user-data-dir={folder / 'browser'}"
    return subprocess.run(
        [CHROMIUM, *fixed, profile, *options, address],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
