"""Running the program as a user does, without a new process for each command."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner

from volition.cli import main
from volition.cli.exit_and_files import Exit

EXAMPLES = Path(__file__).parents[2] / "examples"
VACUUM = EXAMPLES / "dribble" / "vacuum.dribble"
REPAIRED = EXAMPLES / "dribble" / "vacuum_repaired.dribble"
MANUFACTURING = EXAMPLES / "can" / "smart_manufacturing.can"


@dataclass(frozen=True)
class Ended:
    """What a command printed on the two streams, and how it ended."""

    exit_code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)

    @property
    def words(self) -> str:
        """The output with single spaces."""
        return " ".join(self.out.split())


class Volition(Protocol):
    def __call__(self, *arguments: str | Path) -> Ended: ...


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Volition:
    """Runs a command that may fail by a mistake of ours; its report goes where nothing else is."""
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))

    def run(*arguments: str | Path) -> Ended:
        result = CliRunner().invoke(main, [str(each) for each in arguments], catch_exceptions=False)
        return Ended(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def volition(mistaken: Volition) -> Volition:
    """Runs a command; a mistake of ours fails the test."""

    def run(*arguments: str | Path) -> Ended:
        ended = mistaken(*arguments)
        assert ended.exit_code != Exit.INTERNAL_ERROR, "\n".join(
            file.read_text() for file in reports()
        )
        return ended

    return run


def reports() -> list[Path]:
    """The reports about mistakes of ours that a test has brought about."""
    return sorted((Path(os.environ["XDG_STATE_HOME"]) / "volition").glob("*.txt"))
