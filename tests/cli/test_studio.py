"""``volition studio`` before it serves: what it refuses, and what it does not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Volition
from tests.studio.server import needs_nicegui


@needs_nicegui
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["nowhere.can"], "STU001"), (["empty"], "STU001"), (["--port", "70000"], "STU005")],
)
def test_what_cannot_be_opened_is_told(
    volition: Volition,
    arguments: list[str],
    code: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    ended = volition("studio", *arguments, "--no-open")
    assert ended.exit_code == 2
    assert f"error[{code}]" in ended.err


def test_the_overview_loads_no_web_server() -> None:
    script = (
        "import sys, volition.cli.program as p; p.main(['--help'], standalone_mode=False); "
        "sys.exit('nicegui' in sys.modules)"
    )
    assert (
        subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode
        == 0
    )
