"""Command-line interface, with one module per command. The logic is in :mod:`volition.api`.

:data:`main` is the program ``volition``. The module of a command is imported when the command is
used, so that ``volition --help`` starts fast.
"""

from __future__ import annotations

from volition.cli.program import main

__all__ = ["main"]
