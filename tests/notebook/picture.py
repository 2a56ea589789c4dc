"""The picture of a notebook in the documentation: ``python -m tests.notebook.picture`` writes
``docs/images/notebook.png``."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tests.notebook.browser import CHROMIUM, look
from tests.notebook.objects import objects
from volition.notebook import html

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "notebook.png"
SHOWN = ("report", "strategy", "front")
WIDTH, HEIGHT = 760, 1110

if __name__ == "__main__" and CHROMIUM is not None:
    with tempfile.TemporaryDirectory() as folder:
        seen = look(
            "".join(html(objects()[kind]) for kind in SHOWN),
            Path(folder),
            dark=False,
            width=WIDTH,
            height=HEIGHT,
        )
        shutil.copy(seen.picture, PICTURE)
