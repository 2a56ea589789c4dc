"""Running the program as a user does, without a new process for each command."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from click.testing import CliRunner

from volition.cli import main

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
def volition(monkeypatch: pytest.MonkeyPatch) -> Volition:
    """Runs a command; an exception that reaches the user as a traceback fails the test."""
    monkeypatch.setenv("COLUMNS", "300")

    def run(*arguments: str | Path) -> Ended:
        result = CliRunner().invoke(main, [str(each) for each in arguments], catch_exceptions=False)
        return Ended(result.exit_code, result.stdout, result.stderr)

    return run
