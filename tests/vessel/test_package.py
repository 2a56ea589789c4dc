"""The package is an extra: without shapely it says what to install."""

from __future__ import annotations

import subprocess
import sys


def test_without_shapely() -> None:
    program = """
import sys
sys.modules["shapely"] = None
from volition.diagnostics import InputError
try:
    import volition.vessel.vessel
except InputError as error:
    print(error.diagnostics[0].code, error.diagnostics[0].hint)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "VES005 pip install 'volition[vessel]'\n"
