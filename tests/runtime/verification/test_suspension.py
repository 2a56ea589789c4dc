"""The setting ``suspend``: an agent that has to choose may also wait (Izzo, Sect. 4.5)."""

from __future__ import annotations

from pathlib import Path

import pytest
import stormpy

import volition
from tests.runtime.verification.crossing import PROJECT
from volition.exporters.prism.lisa import lisa_to_prism
from volition.kernel import explore
from volition.languages.lisa.program import load

SUCCESS = "[ F (home = 1 & lost = 0 & battery_low = 0) ]"


def test_waiting_is_one_more_choice_and_never_hurts_the_best() -> None:
    waiting = load(PROJECT, {"suspend": "true"})
    space = explore(waiting.model().system)
    assert {int(each) for each in space.first_choice[1:] - space.first_choice[:-1]} == {1, 3}
    (best, worst) = volition.check(waiting, [f"Pmax=? {SUCCESS}", f"Pmin=? {SUCCESS}"])
    assert float(best.verdict.value) >= 0.99279
    assert float(worst.verdict.value) == pytest.approx(0, abs=1e-9)  # who waits for ever does not come home
    assert explore(load(PROJECT, {"suspend": "false"}).model().system).num_states == 42_044


def test_storm_builds_the_same_model_from_the_exported_program(tmp_path: Path) -> None:
    drone = load(PROJECT.parent / "pipeline_drone", {"suspend": "true"})
    space = explore(drone.model().system)
    file = tmp_path / "drone.prism"
    file.write_text(lisa_to_prism(drone.agents).model)
    model = stormpy.build_model(stormpy.parse_prism_program(str(file)))
    assert (model.nr_states, model.nr_choices, model.nr_transitions) == (space.num_states, space.num_choices, space.num_transitions)


def test_the_setting_is_true_or_false() -> None:
    with pytest.raises(volition.InputError, match="'suspend' cannot be 'maybe'"):
        load(PROJECT, {"suspend": "maybe"})


def test_a_verified_choice_may_be_to_wait() -> None:
    options = []
    volition.run(PROJECT, settings={"suspend": "true"}, seed=3, watch=lambda kind, line: options.append(line) if kind == "choice" else None)
    assert [each["plan"] for each in options[0]["options"]][2] == "crossing: does not choose yet between plan 1 and plan 2"
    assert all(len(each["options"]) == 3 for each in options)
