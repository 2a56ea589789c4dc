"""Plan selection in a language whose agents do not think in LISA's cycles."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.runtime.verification.crossing import PROJECT, number

CAN = PROJECT.parents[1] / "can"


def project(folder: Path, program: str, objective: str) -> Path:
    copy = folder / program
    copy.write_text((CAN / program).read_text())
    copy.with_suffix(".run").write_text(f"select = verified\n[verification]\nobjective = {objective}\n")
    return copy


def test_a_can_agent_takes_the_careful_way(tmp_path: Path) -> None:
    """By any choices it may fail, by the best it never does (the properties of the example)."""
    rover = project(tmp_path, "rover.can", "Pmax=? [ F (SS1 & SS2) ]")
    for seed in range(5):
        ended = volition.run(rover, seed=seed, end="SS1 & SS2")
        assert ended.reason == "SS1 & SS2"


def test_the_best_option_is_worth_what_check_says(tmp_path: Path) -> None:
    factory = project(tmp_path, "smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]")
    choices: list[dict[str, object]] = []
    volition.run(factory, watch=lambda kind, fields: choices.append(dict(fields)) if kind == "choice" else None)
    best = max(option["q"]["objective"] for option in choices[0]["options"])  # type: ignore[attr-defined]
    (answer,) = volition.check(CAN / "smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]")
    assert best == pytest.approx(number(answer), abs=1e-9)


def test_who_chooses_by_verification_must_say_by_what(tmp_path: Path) -> None:
    copy = tmp_path / "rover.can"
    copy.write_text((CAN / "rover.can").read_text())
    with pytest.raises(volition.InputError, match="by which query plans are chosen"):
        volition.run(copy, select="verified")
