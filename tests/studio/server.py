"""A studio to look at, as a process of its own."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.studio.browser import CHROMIUM

__all__ = ["EXAMPLES", "needs_browser", "needs_nicegui", "running_studio"]

EXAMPLES = Path(__file__).parents[2] / "examples"
_NICEGUI = importlib.util.find_spec("nicegui") is not None

needs_nicegui = pytest.mark.skipif(
    not _NICEGUI, reason="NiceGUI is not installed: the studio is an extra"
)
needs_browser = pytest.mark.skipif(
    not _NICEGUI or CHROMIUM is None, reason="Chromium or NiceGUI is not installed on this machine"
)


@contextmanager
def running_studio(*arguments: str) -> Iterator[str]:
    """The address of a studio, which ends with the block."""
    command = [sys.executable, "-m", "volition", "studio", *arguments, "--no-open"]
    # NiceGUI behaves otherwise where it sees a test; and nobody's trusted folders count here.
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "NICEGUI", "VOLITION"))
    }
    with tempfile.TemporaryDirectory() as settings:
        yield from _served(command, {**surroundings, "XDG_CONFIG_HOME": settings})


def _served(command: list[str], surroundings: dict[str, str]) -> Iterator[str]:
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=surroundings
    )
    try:
        assert process.stdout is not None
        reported = ""
        for line in process.stdout:
            reported += line
            if found := re.search(r"http://\S+", line):
                break
        else:
            raise AssertionError(f"the studio did not start: {reported}")
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)
