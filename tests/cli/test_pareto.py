"""``volition pareto`` and ``volition mission``: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from volition.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples" / "can"
RESCUE, ROVER = str(EXAMPLES / "rescue.can"), str(EXAMPLES / "rover.can")
SUCCESS, COST = "Pmax=? [ F Bel(rescued) ]", 'R{"cost"}min=? [ F Bel(rescued) ]'


def volition(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def test_a_front_as_a_table() -> None:
    result = volition("pareto", RESCUE, "-p", SUCCESS, "-p", COST)
    assert result.exit_code == 0
    assert "strategy 3   0.7142857143                1.428571429" in result.stdout


def test_a_front_as_json() -> None:
    document = json.loads(
        volition("pareto", RESCUE, "-p", SUCCESS, "-p", COST, "--strategy", "--json").stdout
    )
    assert document["corners"][0]["values"] == [0.992, 5.8]
    assert document["corners"][0]["exact"] == ["124/125", "29/5"]
    assert (
        document["corners"][0]["strategy"]["states"][0]["action"]
        == "select plan 3 for reach_victim"
    )


def test_bounds() -> None:
    met = volition("pareto", RESCUE, "-p", SUCCESS, "-p", 'R{"cost"}<=5 [ F Bel(rescued) ]')
    assert met.exit_code == 0
    assert "within the bounds: 0.97, 5" in met.stdout
    missed = volition(
        "pareto",
        RESCUE,
        "-p",
        "P>=0.99 [ F Bel(rescued) ]",
        "-p",
        'R{"cost"}<=5 [ F Bel(rescued) ]',
    )
    assert missed.exit_code == 1
    assert "no strategy meets the bounds" in missed.stdout


def test_strategies_of_corners() -> None:
    result = volition("pareto", RESCUE, "-p", SUCCESS, "-p", COST, "--strategy")
    assert result.stdout.count("the choices ") == 3


def test_a_plot_is_not_overwritten(tmp_path: Path) -> None:
    plot = tmp_path / "front.svg"
    assert volition("pareto", RESCUE, "-p", SUCCESS, "-p", COST, "--plot", str(plot)).exit_code == 0
    assert plot.read_text().startswith("<?xml")
    again = volition("pareto", RESCUE, "-p", SUCCESS, "-p", COST, "--plot", str(plot))
    assert again.exit_code == 2
    assert "already exists" in again.stderr
    assert (
        volition(
            "pareto", RESCUE, "-p", SUCCESS, "-p", COST, "--plot", str(plot), "--force"
        ).exit_code
        == 0
    )


def test_a_limit_ends_it_politely() -> None:
    result = volition("pareto", RESCUE, "-p", SUCCESS, "-p", COST, "--max-states", "10")
    assert result.exit_code == 3
    assert "needs the whole state space" in result.stderr
    result = volition("mission", RESCUE, "-p", SUCCESS, "--max-states", "10")
    assert result.exit_code == 3


def test_averages_are_no_costs_of_runs(tmp_path: Path) -> None:
    """Chance picks the intention that goes on: with a budget of 1 the dear action succeeds in no
    run, the cheap one in half of them."""
    file = tmp_path / "two.can"
    file.write_text(
        "// External events\ne1, e2\n// Plan library\ne1 : true <- a.\ne2 : true <- b.\n// Actions description\n"  # noqa: E501
        "a : true <- <{},{x}>\nb : true <- <{},{y}>\n// Rewards\ncost : a = 3, b = 1.\n"
    )
    queried = (
        "mission",
        str(file),
        "-p",
        "Pmax=? [ F (Bel(x) | Bel(y)) ]",
        "--budget",
        "1",
        "--set",
        "events=fixed",
    )
    assert "CHK044" in volition(*queried, "--set", "intentions=probabilities").stderr
    assert volition(*queried, "--set", "intentions=fixed").exit_code == 0


def test_a_mission() -> None:
    result = volition("mission", RESCUE, "-p", SUCCESS, "--budget", "4", "--strategy")
    assert result.exit_code == 0
    assert "cheapest of the best   0.992     5.8" in result.stdout
    assert "4              0.8" in result.stdout
    assert result.stdout.count("the choices ") == 3


def test_a_mission_as_json() -> None:
    document = json.loads(
        volition("mission", RESCUE, "-p", SUCCESS, "--budget", "1.5", "--json").stdout
    )
    assert document["cheapest_of_the_best"]["cost"] == 5.8
    assert document["within_budget"]["curve"] == [[0.0, 0.0], [1.0, 0.5]]


def test_the_cost_must_be_clear() -> None:
    result = volition("mission", ROVER, "-p", "Pmax=? [ F (SS1 & SS2) ]")
    assert result.exit_code == 2
    assert "more than one reward" in result.stderr
    assert (
        volition("mission", ROVER, "-p", "Pmax=? [ F (SS1 & SS2) ]", "--cost", "distance").exit_code
        == 0
    )


@pytest.mark.parametrize("budget", ["a lot", "1/0", "1e999999999", "9" * 5000])
def test_a_budget_is_a_number(budget: str) -> None:
    result = volition("mission", RESCUE, "-p", SUCCESS, "--budget", budget)
    assert result.exit_code == 2
    assert "is not a number" in result.stderr
