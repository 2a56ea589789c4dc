"""The command line: one file per command, no logic.

:data:`main` is the program ``volition``.  The modules of the commands are imported when a command
    is used, so that ``volition --help`` answers at once.
"""

from __future__ import annotations

from volition.cli.program import main

__all__ = ["main"]
