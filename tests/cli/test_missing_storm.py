"""Commands where the package that Storm comes in cannot be imported: what needs it is refused, the
rest is answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import RESCUE, SUCCESS
from tests.cli.conftest import EXAMPLES, Volition
from volition.checking.storm import client


@pytest.fixture(autouse=True)
def without_storm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "stormpy.py").write_text("raise ImportError('there is no such package')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    client._engine.stop()
    yield
    client._engine.stop()


ASKING: dict[str, list[str | Path]] = {
    "check": ["check", RESCUE, "-p", SUCCESS],
    "strategy": ["strategy", RESCUE, "-p", SUCCESS],
    "mission": ["mission", RESCUE, "-p", SUCCESS],
    "sweep": [
        "sweep",
        EXAMPLES / "can" / "vacuum.can",
        "--vary",
        "charge=1,2",
        "-p",
        "Pmax=? [ F tidied ]",
        "--jobs",
        "2",
    ],
    "run": ["run", RESCUE, "--objective", SUCCESS, "--cycles", "5"],
    "test": ["test", RESCUE],
}


@pytest.mark.parametrize("command", ASKING)
def test_what_needs_storm_is_refused_with_a_remedy(volition: Volition, command: str) -> None:
    ended = volition(*ASKING[command])
    assert ended.exit_code == 2
    assert "CHK104" in ended.err
    assert "pip install stormpy" in ended.err
    assert "Traceback" not in ended.err


def test_what_does_not_need_storm_is_answered(volition: Volition) -> None:
    ended = volition("check", RESCUE, "-p", SUCCESS, "-p", "E [ F Bel(rescued) ]")
    assert (ended.exit_code, "E [ F Bel(rescued) ] holds" in ended.words) == (2, True)
    assert (
        volition(
            "simulate",
            RESCUE,
            "-p",
            SUCCESS,
            "--error",
            "0.2",
            "--num-schedulers",
            "2",
            "--jobs",
            "1",
        ).exit_code
        == 0
    )
