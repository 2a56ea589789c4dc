"""Processes of Python that import nothing from where the user stands.

A process that is started to run a piece of code has the current folder at the head of its path: a file ``random.py`` beside a program
would be executed in the place of the library's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

__all__ = ["start_python"]

_VOLITION = Path(__file__).parents[2] / "__init__.py"

_FIND_VOLITION = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("volition", sys.argv.pop(1))
sys.modules["volition"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["volition"])
"""
"""The same Volition as here, wherever it was found; only its libraries come from the path."""


def start_python(code: str, *arguments: str, pass_fds: Collection[int]) -> subprocess.Popen[bytes]:
    """A process that runs code, which may import from Volition; it stands in the root folder and reads nothing from the keyboard."""
    command = [sys.executable, "-P", "-c", _FIND_VOLITION + code, str(_VOLITION), *arguments]
    return subprocess.Popen(command, pass_fds=pass_fds, stdin=subprocess.DEVNULL, cwd=Path("/"), env=_environment())


def _environment() -> dict[str, str]:
    """That of this process, with the path for imports made absolute; an empty entry in it is the current folder."""
    environment = dict(os.environ)
    entries = [os.path.abspath(each) for each in environment.pop("PYTHONPATH", "").split(os.pathsep) if each]
    return environment | ({"PYTHONPATH": os.pathsep.join(entries)} if entries else {})
