"""The setting ``suspend``: an agent that has to choose may also wait (Izzo, Sect. 4.5)."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import stormpy

import volition
from tests.runtime.verification.crossing import PROJECT
from volition.exporters.prism.lisa import lisa_to_prism
from volition.kernel import explore
from volition.languages.lisa.program import load

SUCCESS = "[ F (home = 1 & lost = 0 & battery_low = 0) ]"


def test_waiting_is_one_more_choice() -> None:
    waiting = load(PROJECT, {"suspend": "true"})
    space = explore(waiting.model().system)
    assert {int(each) for each in space.first_choice[1:] - space.first_choice[:-1]} == {1, 3}
    (worst,) = volition.check(waiting, f"Pmin=? {SUCCESS}")
    assert worst.verdict.value == 0  # who waits for ever does not come home
    assert explore(load(PROJECT, {"suspend": "false"}).model().system).num_states == 42_044


def test_storm_builds_the_same_model_from_the_exported_program(tmp_path: Path) -> None:
    drone = load(PROJECT.parent / "pipeline_drone", {"suspend": "true"})
    space = explore(drone.model().system)
    file = tmp_path / "drone.prism"
    file.write_text(lisa_to_prism(drone.agents).model)
    model = stormpy.build_model(stormpy.parse_prism_program(str(file)))
    assert (model.nr_states, model.nr_choices, model.nr_transitions) == (
        space.num_states,
        space.num_choices,
        space.num_transitions,
    )


def test_the_setting_is_true_or_false() -> None:
    with pytest.raises(volition.InputError, match="'suspend' cannot be 'maybe'"):
        load(PROJECT, {"suspend": "maybe"})


def test_a_verified_choice_may_be_to_wait(tmp_path: Path) -> None:
    """The drone has two plans when the wind is strong; what waiting is worth is told beside
    them."""
    drone = tmp_path / "drone"
    shutil.copytree(PROJECT.parent / "pipeline_drone", drone)
    (drone / "drone.run").write_text(
        '[verification]\nobjective = Pmax=? [ F Bel("Leak documented") ]\n'
    )
    choices: list[Mapping[str, Any]] = []

    def watch(kind: str, line: Mapping[str, Any]) -> None:
        if kind == "choice":
            choices.append(line)

    volition.run(
        drone, settings={"suspend": "true"}, selector="verified", seed=3, cycles=100, watch=watch
    )
    assert choices
    for each in choices:
        assert [option["plan"] for option in each["options"]] == [
            "plan_4",
            "plan_5",
            "drone: does not choose yet between plan 4 and plan 5",
        ]
        assert all(0 <= option["q"]["objective"] <= 1 for option in each["options"])
