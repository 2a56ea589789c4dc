"""The picture in the README is the real output: ``python -m tests.source.picture`` writes
``docs/images/check.svg``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

__all__ = ["PICTURE"]

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "check.svg"
WIDTH = 108
COMMANDS = (
    "volition check examples/can/smart_manufacturing.can",
    "volition check examples/dribble/vacuum.dribble -p 'A [ F (B(c1) & B(c2)) ]'",
)


def draw() -> str:
    """The commands and what they print, as a picture of a terminal."""
    console = Console(record=True, width=WIDTH, file=open(os.devnull, "w"), force_terminal=True)  # noqa: SIM115
    environment = os.environ | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    for command in COMMANDS:
        console.print(Text.assemble(("$ ", "green"), (command, "bold")))
        shell = command.replace("volition", f"{sys.executable} -m volition", 1)
        ran = subprocess.run(
            shell,
            shell=True,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        console.print(Text.from_ansi(ran.stdout))
    return self_contained(console.export_svg(title="volition"))


def self_contained(svg: str) -> str:
    """The picture without fonts from the network; the reader's own fixed-width font will do."""
    return re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    PICTURE.write_text(draw())
