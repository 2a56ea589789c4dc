"""``python -m volition`` is the program ``volition``."""

from __future__ import annotations

from volition.cli import main

main(prog_name="volition")
