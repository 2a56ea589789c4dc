"""Several LISA agents as one PRISM program: Storm builds the same model from it as we do from their
files."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.exporters.prism.test_lisa import agree
from tests.exporters.storm import build
from tests.languages.lisa.projects import EXAMPLES, team
from tests.languages.lisa.random_projects import teams
from volition.checking.check import check
from volition.exporters.prism.lisa import lisa_to_prism
from volition.exporters.targets import translate_with_properties
from volition.kernel import Limits, explore
from volition.languages.lisa import load
from volition.logic import parse


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(teams())
def test_random_teams(files: dict[str, str]) -> None:
    """States, choices, transitions, bounded reachability, and what each and all of them earn."""
    program = team(files)
    space = explore(program.model().system, limits=Limits(states=5_000))
    assume(space.complete)
    agree(program, space, ["a_note_one", "b_unknown_message_received", "b_question", "a_answer"])


def test_the_mine_hunt() -> None:
    program = load(EXAMPLES / "mine_hunt", {})
    agree(
        program,
        explore(program.model().system),
        ["vessel_mine_reported", "drone_contact_found", "drone_battery_low"],
    )


@pytest.mark.parametrize(
    "prop",
    [
        'Pmax=? [ F<=60 (Bel(drone, "Airborne") & Int(vessel, plan_1)) ]',
        "Pmin=? [ F forall a. Int(a, plan_2) ]",
        'Pmax=? [ !Bel(vessel, "Mine reported") U (Des(drone, plan_1) & drone_plan_3 = 0 & '
        "vessel_surveying) ]",
        'Pmin=? [ G (Bel(vessel, "Waiting for the drone") -> F Bel(drone, "On deck")) ]',
        'R{"drone_energy"}max=? [ C<=100 ]',
    ],
)
def test_formulas_about_the_mine_hunt(prop: str) -> None:
    program = load(EXAMPLES / "mine_hunt", {})
    files = lisa_to_prism(program.agents, [parse(prop)])
    assert list(build(files.model, files.properties).values) == pytest.approx(
        [check(program, [prop]).answers[0].verdict.value], abs=1e-6
    )


def test_the_program_names_its_agents() -> None:
    translation, left_out = translate_with_properties(load(EXAMPLES / "mine_hunt", {}), "prism")
    lines = translation.model.splitlines()
    assert lines[0].startswith("// The LISA agents 'drone' and 'vessel'")
    modules = [line.split()[1] for line in lines if line.startswith("module ")]
    assert {
        "drone_plan_1_2",
        "vessel_plan_2",
        "drone_contact_found",
        "vessel_hold_position",
    } <= set(modules)
    assert modules.count("scheduler") == 1
    assert "  [b] vessel_plan_2=4 -> (drone_contact_found'=1);" in lines
    assert [each.code for each in left_out] == ["EXP011"]  # Does
