"""Runs of Jason systems: the world moves by what is drawn or observed, and a recorded run is one of
the model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.jason.systems import model
from volition import conform, load, run

EXAMPLES = Path(__file__).parents[3] / "examples" / "jason"


def test_what_agents_do_is_theirs_and_all_else_is_the_worlds() -> None:
    system = model(
        "!go. +!go <- act; .wait(5).",
        "free percept on\naction act do nothing\nstep tick do nothing",
        time="ordered",
    )
    whose = {
        component.name: system.is_environment(component) for component in system.system.components
    }
    assert [name for name, of_world in whose.items() if not of_world] == ["bob"]
    assert len(whose) > 3


@pytest.mark.parametrize("name", ["courier", "patrol", "library", "contract_net"])
def test_a_recorded_run_is_a_run_of_the_model(name: str, tmp_path: Path) -> None:
    program = load(EXAMPLES / name)
    record = tmp_path / "run.jsonl"
    run(program, seed=5, cycles=40, record=record)
    (found,) = conform(record, program)
    assert found.conforms
