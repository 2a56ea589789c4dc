"""Sweeps: every value is what a fresh exploration at that point gives, with as few explorations as
possible."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
from collections.abc import Sequence
from fractions import Fraction

import pytest

from tests.analysis.can_programs import EXAMPLES, SMART_MANUFACTURING, gambler
from volition.analysis.sweeps.grid import Point
from volition.analysis.sweeps.result import SweepResult, Value
from volition.analysis.sweeps.sweep import sweep
from volition.checking.check import check
from volition.checking.task import CheckSettings
from volition.diagnostics import InputError
from volition.kernel import Limits
from volition.languages import load
from volition.languages.protocols import ParametricProgram

UNIT = ["p=0:1:0.25", "q=0,0.3,1"]
NUMBERS = [
    "Pmax=? [ F Bel(won) ]",
    "Pmin=? [ F Bel(won) ]",
    "Pmax=? [ F<=7 Bel(rich) ]",
    "Pmax=? [ G !Bel(ruined) ]",
    "Pmax=? [ (!Bel(tossed)) U Bel(won) ]",
    "Pmin=? [ (G F Bel(tossed)) | F Bel(ruined) ]",
    'R{"cost"}min=? [ F (Bel(won) | Bel(ruined)) ]',
    'R{"cost"}max=? [ F (Bel(won) | Bel(ruined)) ]',
    'R{"cost"}max=? [ C<=9 ]',
    "Pmax=? [ F (P>=0.5 [ X Bel(won) ]) ]",
    "Pmax>=0.5 [ F Bel(rich) ]",
]


def fresh(program: ParametricProgram, point: Point, formulas: Sequence[str]) -> tuple[Value, ...]:
    """What the program gives with the parameters written into it."""
    answers = check(program.with_parameters(point), formulas).answers
    return tuple(
        each.verdict.value if each.verdict.holds is None else each.verdict.holds for each in answers
    )


def same(left: Value, right: Value) -> bool:
    if left is None or right is None or isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return left == right or abs(float(left) - float(right)) <= 1e-9 * max(1.0, abs(float(right)))


def assert_like_fresh_explorations(
    result: SweepResult, program: ParametricProgram, formulas: Sequence[str]
) -> None:
    for row in result.rows:
        expected = fresh(program, row.point, formulas)
        different = [
            (f, a, b)
            for f, a, b in zip(formulas, row.values, expected, strict=True)
            if not same(a, b)
        ]
        assert not different, row.point


# --- probabilities --------------------------------------------------------------------------------


def test_values_are_those_of_fresh_explorations_at_the_borders_too() -> None:
    """With p = 0 the coin never wins, with p = 1 always: states that were reachable are not, and
    certainty comes and goes."""
    program = gambler()
    result = sweep(program, UNIT, NUMBERS, processes=1)
    assert result.explorations == 1
    assert result.graph_parameters == ()
    assert not result.problems
    assert_like_fresh_explorations(result, program, NUMBERS)
    win = {(float(row.point["p"]), float(row.point["q"])): row.values[0] for row in result.rows}
    assert win[0.25, 0] == 1
    assert win[0, 0] == 0
    assert 0.3 < float(win[0, 0.3] or 0) < 1


def test_parameters_that_are_computed_from_a_varied_one_follow_it() -> None:
    """``loss = 1 - q`` keeps the outcomes of ``gamble`` a distribution for every q; the first
    gamble is step 7."""
    result = sweep(gambler(), ["q=0:1:0.5"], ["Pmax=? [ F<=7 Bel(ruined) ]"], processes=1)
    assert [row.values[0] for row in result.rows] == [Fraction(1, 2), Fraction(1, 4), 0]


def test_only_the_order_of_points_is_asked_for() -> None:
    result = sweep(gambler(), ["q=1,0", "p=0.5"], ["Pmax=? [ F Bel(rich) ]"], processes=1)
    assert [list(row.point.values()) for row in result.rows] == [
        [1, Fraction(1, 2)],
        [0, Fraction(1, 2)],
    ]
    assert result.array(0).tolist() == [[1], [0]]


# --- parameters that change the graph -------------------------------------------------------------


@pytest.mark.parametrize(
    ("axis", "old", "new"),
    [
        ("patience=0:3:1", "", ""),
        ("stake=0,1,2.5", "", ""),
        ("p=0.2,0.8", "try : tries > 0", "try : p > 0.5 & tries > 0"),
        ("p=0.2,0.8", "toss : true", "toss : p = 0.2"),
        ("p=0.2,0.8", "p: <{},{won}> + 1 - p:", "min(p, 0.5): <{},{won}> + 1 - min(p, 0.5):"),
        ("p=0.2,0.8", "won}> + 1 - p: <{},{tossed}>", "won}> + 1 - p: <{},{tossed, tries := p}>"),
        (
            "p=0.2,0.8",
            "// Labels",
            "// Policies\nplans : probabilities 2 = p, 3 = 1 - p.\n// Labels",
        ),
        ("p=0.2,0.8", "// Labels", "// Background\ntries > 2 * p <- +late.\n// Labels"),
    ],
    ids=[
        "initial belief",
        "reward",
        "context",
        "precondition",
        "minimum",
        "effect",
        "policy",
        "background",
    ],
)
def test_what_decides_the_graph_is_explored_again(axis: str, old: str, new: str) -> None:
    program = gambler(old, new)
    formulas = [*NUMBERS[:3], *NUMBERS[6:7]]
    result = sweep(program, [axis, "q=0.1,0.6"], formulas, processes=1)
    name = axis.partition("=")[0]
    assert result.graph_parameters == (name,)
    assert result.explorations == len(result.axes[0].values)
    assert_like_fresh_explorations(result, program, formulas)


def test_a_question_may_depend_on_a_parameter() -> None:
    program = gambler()
    formulas = [
        "Pmax=? [ F scarce ]",
        "Pmax=? [ F (tries < 2 * bound) ]",
        "Pmax=? [ F Bel(tries = bound) ]",
    ]
    for formula in formulas:
        result = sweep(program, ["bound=0,1,1.5,2", "q=0.1,0.6"], [formula], processes=1)
        assert result.graph_parameters == ("bound",)
        assert_like_fresh_explorations(result, program, [formula])


def test_questions_about_runs_see_what_is_possible_at_each_point() -> None:
    """``E [ F rich ]`` fails for q = 0 alone; with probabilities left open this could not be
    seen."""
    program = gambler()
    formulas = ["E [ F Bel(rich) ]", "A [ F Bel(won) ]"]
    result = sweep(program, ["q=0,0.5,1"], formulas, processes=1)
    assert [row.values[0] for row in result.rows] == [False, True, True]
    assert_like_fresh_explorations(result, program, formulas)


def test_a_parameter_may_decide_only_for_some_values_of_another() -> None:
    """``tries > 0 & p > 0.5`` does not look at p while there are no tries: the first point does not
    tell that it ever will."""
    program = gambler("try : tries > 0", "try : tries > 0 & p > 0.5")
    result = sweep(program, ["patience=0,1", "p=0.2,0.8"], NUMBERS[:1] + NUMBERS[2:3], processes=1)
    assert set(result.graph_parameters) == {"patience", "p"}
    assert result.explorations == 4
    assert_like_fresh_explorations(result, program, NUMBERS[:1] + NUMBERS[2:3])


def test_distances_of_the_rover() -> None:
    """Both sites in one round trip, or one after the other with a return in between, whichever is
    shorter."""
    result = sweep(
        load(EXAMPLES / "can" / "rover.can"),
        ["base_to_site1=0.5,1,3", "site1_to_site2=5,9"],
        ['R{"distance"}min=? [ F (SS1 & SS2) ]'],
    )
    for row in result.rows:
        there, across = row.point["base_to_site1"], row.point["site1_to_site2"]
        assert row.values[0] == min(there + across + 4, 2 * there + 2 * 4)


# --- processes ------------------------------------------------------------------------------------


def test_all_cores_give_the_same() -> None:
    formulas = NUMBERS[:2]
    seen: list[tuple[int, int]] = []
    many = sweep(
        gambler(),
        UNIT,
        formulas,
        processes=2,
        progress=lambda done, total: seen.append((done, total)),
    )
    one = sweep(gambler(), UNIT, formulas, processes=1)
    assert many.rows == one.rows
    assert many.explorations == 1
    assert seen[-1] == (15, 15)
    assert all(a < b for (a, _), (b, _) in itertools.pairwise(seen))


def test_processes_explore_what_they_need() -> None:
    formulas = NUMBERS[:2]
    many = sweep(gambler(), ["patience=0:3:1", "p=0.2,0.8"], formulas, processes=2)
    assert (
        many.rows == sweep(gambler(), ["patience=0:3:1", "p=0.2,0.8"], formulas, processes=1).rows
    )
    assert 4 <= many.explorations <= 8


def test_a_cluster_of_two_workers() -> None:
    """A real scheduler and two worker processes; each explores the program it was sent."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        result = sweep(
            gambler(),
            ["p=0:1:0.5", "q=0:1:0.5", "patience=0,2"],
            NUMBERS[:2],
            cluster=cluster.scheduler_address,
        )
    assert (
        result.rows
        == sweep(
            gambler(), ["p=0:1:0.5", "q=0:1:0.5", "patience=0,2"], NUMBERS[:2], processes=1
        ).rows
    )
    assert result.graph_parameters == ("patience",)


def test_no_cluster_there() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match=r"CHK076.*no Dask scheduler at 'localhost'"):
        sweep(gambler(), ["p=0.5"], NUMBERS[:1], cluster="localhost")


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [1, 2])
def test_a_point_without_meaning_is_refused_with_its_place(processes: int) -> None:
    with pytest.raises(
        InputError,
        match=r"error\[CAN028\]: 'p' cannot be .* is not a probability\n.*--> "
        r"<vary>(.|\n)*test.can",
    ):
        sweep(gambler(), ["p=0.5,1.5,2"], NUMBERS[:1], processes=processes)


def test_a_process_that_is_killed_does_not_hang_the_sweep() -> None:
    def kill_one(done: int, total: int) -> None:  # noqa: ARG001
        for process in multiprocessing.active_children()[:1]:
            os.kill(process.pid or 0, signal.SIGKILL)

    with pytest.raises(InputError, match="CHK074"):
        sweep(gambler(), ["p=0:1:0.01"], NUMBERS[:1], processes=2, progress=kill_one)
    assert not multiprocessing.active_children()


def test_outcomes_that_sum_to_one_by_chance_only() -> None:
    program = gambler("won}> + 1 - p:", "won}> + 0.5:")
    with pytest.raises(InputError, match=r"CAN027.* sum to 1.1(.|\n)*--> <vary>(.|\n)*test.can"):
        sweep(program, ["p=0.5,0.6"], NUMBERS[:1])
    result = sweep(program, ["p=0.5", "q=0,0.3"], NUMBERS[:1], processes=1)
    assert_like_fresh_explorations(result, program, NUMBERS[:1])


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="unknown parameter 'pp'"):
        sweep(gambler(), ["pp=0.5"], NUMBERS[:1])
    with pytest.raises(InputError, match="'lucky' is not a belief"):
        sweep(gambler(), ["p=0.5"], ["Pmax=? [ F Bel(lucky) ]"])


def test_languages_without_parameters_say_so() -> None:
    with pytest.raises(InputError, match="Dribble programs have no parameters"):
        sweep(load(EXAMPLES / "dribble" / "vacuum.dribble"), ["p=1"], ["A [ F true ]"])


def test_what_was_not_explored_is_missing_and_said() -> None:
    result = sweep(
        load(SMART_MANUFACTURING),
        ["pe=0.1,0.2"],
        ["Pmax=? [ F (PS1 & PS2) ]"],
        settings=CheckSettings(limits=Limits(states=50)),
        processes=1,
    )
    assert [row.values for row in result.rows] == [(None,), (None,)]
    assert "pe = 0.2: the value lies between" in result.problems[1]
