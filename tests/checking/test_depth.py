"""What is known after all runs of so many steps: violations are real, with a shortest run; what
holds so far is not known to hold."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import volition
from tests.checking.small_systems import (
    SmallSystem,
    ctl_formulas,
    ctl_star_formulas,
    ltl_formulas,
    small_systems,
)
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.task import CheckTask
from volition.kernel import Choice, Component, Limits, SlotView, System, explore
from volition.logic.syntax import Formula, PathQuantifier

EXAMPLES = Path(__file__).parents[2] / "examples"


def _always(path: Formula) -> Formula:
    return PathQuantifier("A", path)


@given(
    model=small_systems(components=2),
    formula=st.one_of(ctl_formulas(), ctl_star_formulas(), ltl_formulas().map(_always)),
    depth=st.integers(0, 4),
)
@settings(max_examples=80)
def test_an_answer_at_a_depth_is_that_of_the_whole(
    model: SmallSystem, formula: Formula, depth: int
) -> None:
    task = CheckTask(model, formula)
    found = check_qualitative(task, explore(model.system, limits=Limits(depth=depth)))
    if found.unknown is None:
        assert found.holds == check_qualitative(task, model.explored()).holds


def line(length: int) -> System:
    """From 0 step by step to the end."""

    def step(view: SlotView) -> list[Choice]:
        return [Choice("on", [(1, {"at": view["at"] + 1})])] if view["at"] < length else []

    return System({"at": 0}, [Component("walker", step)])


@pytest.mark.parametrize(
    ("formula", "steps"),
    [
        ("A [ G at < 5 ]", 5),
        ("A [ G (at = 3 -> X at = 3) ]", 4),
        ("A [ (at < 3 U at = 7) ]", 3),
        ("A [ X X at = 1 ]", 2),
        ("E [ F at = 6 ]", 6),
        ("E [ F (at = 2 & X X at = 4) ]", 4),
        ("A [ at = 0 W at = 9 ]", 1),
    ],
)
def test_what_a_finite_run_decides_is_found_as_soon_as_it_is_there(
    formula: str, steps: int
) -> None:
    before, then = (
        volition.check(line(9), formula, depth=depth)[0].verdict for depth in (steps - 1, steps)
    )
    assert before.unknown is not None
    assert f"of at most {steps - 1} step" in before.unknown
    whole = volition.check(line(9), formula)[0].verdict
    assert then.holds == whole.holds == formula.startswith("E")
    assert then.run is not None
    assert len(then.run.choices) == steps
    assert then.run.loop is None


def test_what_holds_so_far_is_not_known_to_hold() -> None:
    report = volition.check(
        line(9),
        ["A [ G at < 20 ]", "A [ F at = 9 ]", "E [ F at = 20 ]", "A [ G E [ F at = 9 ] ]"],
        depth=4,
    )
    why = "(stopped at the depth of 4 steps: 4 states explored, 1 more found but not explored)"
    assert [answer.verdict.unknown for answer in report] == [
        f"no run of at most 4 steps violates it {why}",
        f"no run of at most 4 steps violates it {why}",
        f"no run of at most 4 steps shows it {why}",
        f"the runs of at most 4 steps do not decide it {why}",
    ]
    assert volition.check(line(9), "A [ G at < 20 ]", depth=10)[
        0
    ].verdict.holds  # everything is nearer


def test_nothing_is_left_out_by_reduction() -> None:
    auction = EXAMPLES / "agentspeak" / "auction"
    answer = volition.check(auction, "A [ G !false ]", depth=30, reduce="static")[0]
    assert answer.exploration.space.reduction is None
    assert answer.exploration.space.depth == 30
