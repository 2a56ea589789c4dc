"""The experiment of docs/guides/run_time_verification.md: figures that were stated before this was
built, and missions that agree with them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import get_args

import numpy as np
import pytest

import volition
from tests.runtime.verification.crossing import (
    PROJECT,
    World,
    crossing,
    number,
    predicted,
    verification,
    verified,
)
from volition.languages.lisa.program import LisaProgram
from volition.runtime.executive import run
from volition.runtime.lisa.cycle import LisaCycle
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import selector_named
from volition.runtime.stop_conditions import parse_stop_condition
from volition.runtime.verification.section import ContinuationPolicy
from volition.runtime.verification.tabulate import TableRequest, build_table
from volition.runtime.worlds.simulated import SimulatedWorld

SUCCESS = "[ F (home = 1 & lost = 0 & battery_low = 0) ]"


@pytest.fixture(scope="module")
def program() -> LisaProgram:
    return crossing()


@pytest.fixture(scope="module")
def world(program: LisaProgram) -> World:
    return World.of(program)


def test_the_model_is_as_large_as_stated(world: World) -> None:
    assert (world.space.num_states, len(world.deciding)) == (42_044, 486)


def test_predictions_of_policies_without_a_state(world: World) -> None:
    figures = {
        ways: predicted(world, world.by_leg(ways)) for ways in itertools.product((0, 1), repeat=3)
    }
    assert figures[0, 0, 0] == pytest.approx(0.0628, abs=5e-5)
    assert figures[1, 1, 1] == pytest.approx(0.5639, abs=5e-5)
    assert max(figures.values()) == pytest.approx(0.9640, abs=5e-5)


def test_a_policy_is_predicted_as_the_program_without_the_other_plans_is_checked(
    world: World, tmp_path: Path
) -> None:
    text = (PROJECT / "crossing.sej").read_text()
    head, *plans = text.split("\n//Plan ")
    only_open = head + "".join(
        f"\n//Plan {plan}" for plan in plans if "by open water" in plan.splitlines()[0]
    )
    folder = tmp_path / "open"
    (folder / "actions").mkdir(parents=True)
    for action in (PROJECT / "actions").iterdir():
        (folder / "actions" / action.name).write_text(action.read_text())
    (folder / "crossing.sej").write_text(only_open.replace("Route sailed.\n", ""))
    (folder / "actions" / "sail_sheltered_route.sep").unlink()
    (answer,) = volition.check(folder, f"P=? {SUCCESS}", exact=True)
    assert number(answer) == pytest.approx(predicted(world, world.by_leg((0, 0, 0))), abs=1e-9)


def test_predictions_of_chance_and_of_verification(program: LisaProgram, world: World) -> None:
    values = {later: value_at_start(program, later) for later in get_args(ContinuationPolicy)}
    assert values["best"] == pytest.approx(0.9928, abs=5e-5)
    assert values["uniform"] == pytest.approx(0.5583, abs=5e-5)
    # The same by another road: Storm, with fractions.
    (best,) = volition.check(program, f"Pmax=? {SUCCESS}", engine="storm", exact=True)
    (worst,) = volition.check(program, f"Pmin=? {SUCCESS}", engine="storm", exact=True)
    assert values["best"] == pytest.approx(number(best), abs=1e-9)
    assert values["worst"] == pytest.approx(number(worst), abs=1e-9)
    assert predicted(world, world.by(verified(program))) == pytest.approx(number(best), abs=1e-9)


def value_at_start(program: LisaProgram, later: ContinuationPolicy) -> float:
    declared = replace(verification(program).declared, continuation_policy=later)
    table = build_table(
        TableRequest(program, declared.selection_queries, declared, all_states=True)
    )
    row = table.row(program.model().system.slots)
    assert row is not None
    return table.value("objective", row)


def test_thousand_missions_of_each_policy_are_as_predicted(
    program: LisaProgram, world: World
) -> None:
    policies = {
        "open": (world.by_leg((0, 0, 0)), 0.0628, 19.0),
        "sheltered": (world.by_leg((1, 1, 1)), 0.5639, 37.0),
        "random": (None, 0.5583, 29.8),
        "verified": (world.by(verified(program)), 0.9928, 30.8),
    }
    for name, (policy, chance, cycles) in policies.items():
        part, mean = world.missions(policy, 1_000, seed=16)
        assert abs(part - chance) <= 3 * np.sqrt(chance * (1 - chance) / 1_000), name
        assert mean == pytest.approx(cycles, abs=1.5), name


@pytest.mark.parametrize(
    ("settings", "ours", "right", "unknown"),
    [
        ({"storm.activation.mu": "14"}, 0.9998, 0.9998, None),
        ({"storm.activation.p": "0.4"}, 0.9957, 0.9957, 0),
        ({"storm.activation.sigma": "4"}, 0.824, 0.982, 540),
        ({"cross_open_water.mu": "6"}, 0.583, 0.805, None),
    ],
)
def test_choices_in_a_world_that_is_not_the_model(
    program: LisaProgram,
    settings: Mapping[str, str],
    ours: float,
    right: float,
    unknown: int | None,
) -> None:
    other = crossing(settings)
    world = World.of(other)
    # Each decision is made by a selector that knows the model alone: nothing is explored on from in
    # the meantime.
    selector = verified(program)
    selector._values.miss = lambda _: None  # type: ignore[attr-defined]
    digits = 5e-5 if ours > 0.9 else 5e-4
    assert predicted(world, world.by(selector)) == pytest.approx(ours, abs=digits)
    (answer,) = volition.check(other, f"Pmax=? {SUCCESS}")
    assert number(answer) == pytest.approx(right, abs=digits)
    if unknown is not None:
        table = build_table(
            TableRequest(program, (), verification(program).declared, all_states=True)
        )
        assert (
            sum(table.row(world.space.values(state)) is None for state in world.deciding.tolist())
            == unknown
        )
    if unknown == 540:
        assert len(world.deciding) == 1_018


def test_a_run_chooses_by_the_values_and_records_all_of_them() -> None:
    choices = []
    ran = volition.run(
        PROJECT,
        seed=3,
        watch=lambda kind, fields: choices.append(fields) if kind == "choice" else None,
    )
    assert ran.reason == "Home"
    assert [each["by"] for each in choices] == ["verified"] * 3
    first = choices[0]["options"]
    assert [each["plan"] for each in first] == ["plan_1", "plan_2"]
    assert first[0]["q"]["objective"] == pytest.approx(0.9928, abs=5e-5)
    for each in choices:
        best = max(each["options"], key=lambda option: option["q"]["objective"])
        assert each["chosen"] == best["plan"]


@pytest.mark.parametrize("missions", [100, pytest.param(1_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    ("select", "chance"), [("verified", 0.9928), ("random", 0.5583), ("first", 0.0628)]
)
def test_missions_of_the_executive_are_as_predicted(
    program: LisaProgram, select: str, chance: float, missions: int
) -> None:
    """The model is explored once for all of them; otherwise these are runs as ``volition run``
    makes them."""
    model = program.model()
    ends = [parse_stop_condition(program, model, text) for text in ("Lost", "Battery low", "Home")]
    selector = verified(program)
    reasons = []
    for seed in range(missions):
        chooser = selector if select == "verified" else selector_named(select, seed)
        world = SimulatedWorld(model.system, Random(f"world {seed}"))
        cycle = LisaCycle(model, world, chooser, RunLog(), failures={}, ends=ends)
        reasons.append(run(cycle, RunLog(), cycles=200, cycle_seconds=1.0, real_time=False).reason)
    assert abs(reasons.count("Home") / missions - chance) <= 3 * np.sqrt(
        chance * (1 - chance) / missions
    )
