"""Beliefs that verification makes: the ferry that leaves when it is safe."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.runtime.verification.crossing import PROJECT, number
from volition.api.recorded_runs import conform
from volition.kernel import explore
from volition.languages.lisa.program import load
from volition.runtime.verification.derived_beliefs import UnconstrainedBelief

FERRY = PROJECT.parent / "ferry"
RISK = "Pmax=? [ F<=14 lost = 1 ]"


def test_the_agent_with_made_beliefs_is_checked() -> None:
    ferry = volition.with_derived_beliefs(FERRY)
    guessing, (made,) = (
        volition.check(FERRY, "P=? [ F lost = 1 ]"),
        volition.check(ferry, "P=? [ F lost = 1 ]", engine="storm", exact=True),
    )
    assert number(guessing[0]) > 0.3
    assert number(made) < 0.01
    # Whatever is believed, it never leaves where the risk was high: that is what the belief is made
    # for.
    (atoms,) = volition.check(
        ferry,
        'A [ G (Bel("Crossing is dangerous") & Bel("Passengers on board") & x = 1 & plan_1 = 0 -> '
        "X plan_1 = 0) ]",
    )
    assert atoms.verdict.holds


def test_beliefs_follow_their_values_with_hysteresis() -> None:
    """In every transition of M1 the belief becomes what the value in M0 says, which is asked of M0
    from that very state."""
    ferry = volition.with_derived_beliefs(FERRY)
    space = explore(ferry.model().system)
    unknown = (
        load(FERRY, {})
        .with_determined({"crossing_is_dangerous": UnconstrainedBelief()})
        .model()
        .system
    )
    looked_at = 0
    for state in range(0, space.num_states, 23):
        here = space.values(state)
        if here["x"] == 1:
            continue
        begun = type(unknown)(here, unknown.components, unknown.mode)
        (answer,) = volition.check(
            begun, "Pmax=? [ F<=14 lost ]", labels={"lost": lambda view: view["lost"] == 1}
        )
        risk, held = number(answer), here["crossing_is_dangerous"] == 1
        (choice,) = space.choices_of(state)
        after = {
            space.value(int(each), "crossing_is_dangerous") for each in space.targets_of(choice)
        }
        assert after == {int(risk > 0.01 if held else risk >= 0.05)}
        looked_at += 1
    assert looked_at > 3


def test_a_run_says_by_which_value_it_believes() -> None:
    lines: list[dict[str, object]] = []
    ran = volition.run(
        FERRY, seed=2, watch=lambda kind, fields: lines.append({"kind": kind, **fields})
    )
    assert ran.reason == "Arrived"
    made = [line for line in lines if line["kind"] == "generated"]
    assert made
    assert all(line["value"] >= 0.05 if line["held"] else line["value"] <= 0.01 for line in made)  # type: ignore[operator]
    # It is no percept that the world could send.
    assert not any(
        "crossing_is_dangerous" in line["inbox"]["percepts"]  # type: ignore[index]
        for line in lines
        if line["kind"] == "cycle"
    )


def test_a_run_with_made_beliefs_is_a_run_of_the_model_with_them(tmp_path: Path) -> None:
    volition.run(FERRY, seed=2, record=tmp_path / "run.jsonl")
    (found,) = conform(tmp_path / "run.jsonl", FERRY, explore=True)
    assert found.conforms


def test_a_project_without_such_beliefs() -> None:
    with pytest.raises(volition.InputError, match="derives no beliefs from queries"):
        volition.with_derived_beliefs(PROJECT)
