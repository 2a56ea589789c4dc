"""Answers by runs: what stays open is said, who chose is said, and it does not matter who made the
runs."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

import volition
from volition import Choice, Component, Estimate, SlotView, System
from volition.kernel.stable_hash import stable_hash

THIRD = Fraction(1, 3)


def walk(view: SlotView) -> Sequence[Choice]:
    """To the left with a third, to the right with two, from 1 on; 0 is the end, and 40 is where
    nobody asks any more."""
    position = view["place"]
    if position in (0, 40):
        return []
    return [
        Choice(
            "step",
            [(THIRD, {"place": position - 1}), (1 - THIRD, {"place": position + 1})],
            rewards={"steps": 1},
        )
    ]


WALK = System(
    {"place": 1}, [Component("walker", walk)], state_rewards={"height": lambda view: view["place"]}
)
AT_HOME = {"home": lambda view: view["place"] == 0, "far": lambda view: view["place"] >= 10}
RUIN = (0.5 - 0.5**40) / (1 - 0.5**40)
"""The gambler's ruin: from 1 to 0 before 40, with a third against two."""


def estimate(formula: str, system: System = WALK, **options: Any) -> Estimate:
    return volition.simulate(
        system, formula, **{"labels": AT_HOME, "jobs": 1, "error": 0.03, **options}
    )


def test_the_ruin_of_a_gambler() -> None:
    found = estimate("P=? [ F home ]")
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= RUIN <= found.upper
    assert found.upper - found.lower <= 0.06
    assert found.unknown is None
    assert "(proven)" in found.method


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("P>=0.4 [ F home ]", True),
        ("P>=0.6 [ F home ]", False),
        ("P<0.6 [ F home ]", True),
        ("P<=0.4 [ F home ]", False),
        ("P>0 [ F home ]", True),
        ("P>=1 [ F home ]", False),
        ('R{"steps"}<=100 [ C<=20 ]', True),
        ('R{"steps"}>30 [ C<=20 ]', False),
    ],
)
def test_thresholds(formula: str, holds: bool) -> None:
    found = estimate(formula, confidence=0.9999)
    assert found.holds is holds
    assert found.unknown is None


def test_a_threshold_that_needs_few_runs() -> None:
    assert estimate("P>=0.1 [ F home ]").runs < 100 < estimate("P>=0.45 [ F home ]").runs


def test_rewards_of_states_and_choices() -> None:
    """On average a step leads a third to the right; nobody gets home who does not begin there."""
    free = System({"place": 50}, [Component("walker", walk)], state_rewards=WALK.state_rewards)
    height = estimate('R{"height"}=? [ I=9 ]', free)
    assert height.lower is not None
    assert height.upper is not None
    assert height.lower <= 53 <= height.upper
    climbed = estimate('R{"height"}=? [ C<=4 ]', free)
    assert climbed.estimate == pytest.approx(50 * 4 + (0 + 1 + 2 + 3) / 3, rel=0.03)
    assert estimate('R{"steps"}=? [ C<=4 ]', free).estimate == 4
    total = estimate('R{"steps"}=? [ C ]')
    assert total.estimate is not None
    assert "not proven" in total.method
    assert total.lower is not None
    assert total.upper is not None
    # The end of a walk with drift 1/3: Wald's identity, E steps = (40 (1 - ruin) - 1) * 3.
    assert total.lower <= (40 * (1 - RUIN) - 1) * 3 <= total.upper


def test_what_never_happens_is_earned_for_ever() -> None:
    found = estimate('R{"steps"}=? [ F home ]')
    assert found.estimate == math.inf
    assert "certain" in found.method
    assert "confidence" not in " ".join(found.guarantee_text())


# --- what stays open ------------------------------------------------------------------------------


def toss(view: SlotView) -> Sequence[Choice]:
    """A coin that is tossed for ever; one of 1,000 tosses lands on its edge, and there it stays."""
    if view["side"] == "edge":
        return []
    return [
        Choice(
            "toss",
            [
                (Fraction(999, 2000), {"side": "heads"}),
                (Fraction(999, 2000), {"side": "tails"}),
                (Fraction(1, 1000), {"side": "edge"}),
            ],
        )
    ]


COIN = System({"side": "heads"}, [Component("coin", toss)])
SIDES = {side: lambda view, side=side: view["side"] == side for side in ("heads", "tails", "edge")}


def test_runs_that_are_not_decided_are_not_guessed() -> None:
    found = estimate("P=? [ F edge ]", COIN, labels=SIDES, max_steps=100)
    assert found.undecided > 0
    assert found.estimate is None
    assert found.lower is not None
    assert found.lower < 1 - 0.999**100
    assert found.upper == 1
    assert found.unknown is not None
    assert "not decided" in found.unknown
    longer = estimate("P=? [ F edge ]", COIN, labels=SIDES, max_steps=20_000)
    assert longer.undecided == 0
    assert longer.estimate == 1


def test_a_bound_in_the_formula_counts_more_than_the_limit() -> None:
    found = estimate("P=? [ F<=693 edge ]", COIN, labels=SIDES, max_steps=10)
    assert found.undecided == 0
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= 1 - 0.999**693 <= found.upper


def test_a_threshold_that_open_runs_leave_open() -> None:
    found = estimate("P>=0.5 [ F edge ]", COIN, labels=SIDES, max_steps=10, error=0.2)
    assert found.holds is None
    assert found.unknown is not None
    assert "not decided" in found.unknown


def test_a_reward_of_runs_that_do_not_end() -> None:
    fares = System(
        {"place": 1},
        [
            Component(
                "walker",
                lambda view: [
                    Choice("on", [(1, {"place": view["place"] + 1})], rewards={"steps": 1})
                ],
            )
        ],
    )
    found = estimate('R{"steps"}=? [ F home ]', fares, max_steps=100)
    assert found.lower == 100
    assert found.upper == math.inf
    assert found.estimate is None


def test_a_loop_without_chance_is_recognised() -> None:
    """A lamp that goes on and off: what is true of its runs is true for certain, though they never
    end."""
    lamp = System(
        {"on": False},
        [Component("lamp", lambda view: [Choice("switch", [(1, {"on": not view["on"]})])])],
    )
    lit = {"lit": lambda view: view["on"]}
    for formula, value in (
        ("P=? [ G F lit ]", 1),
        ("P=? [ F G lit ]", 0),
        ("P=? [ G (lit -> X !lit) ]", 1),
    ):
        found = estimate(formula, lamp, labels=lit)
        assert (found.undecided, found.estimate) == (0, value)
        assert found.max_run_length < 10


def test_states_in_which_nothing_moves() -> None:
    assert estimate('P=? [ F "deadlock" ]').estimate == 1
    assert estimate('P=? [ G !"deadlock" ]').estimate == 0
    named = replace(WALK, stutter="rest")
    assert estimate('P=? [ F "deadlock" ]', named).estimate == 0


# --- choices --------------------------------------------------------------------------------------


def bet(view: SlotView) -> Sequence[Choice]:
    """Three rounds, in each the fair coin or the other one; what was bet is remembered, so that
    schedulers have something to see."""
    if len(view["bets"]) == 3:
        return []

    def after(won: bool) -> dict[str, Any]:
        return {"bets": (*view["bets"], won), "won": view["won"] or won}

    good, bad = Fraction(1, 2), Fraction(1, 5)
    return [
        Choice(name, [(odds, after(True)), (1 - odds, after(False))], rewards={"bets": 1})
        for name, odds in (("good", good), ("bad", bad))
    ]


BETS = System({"bets": (), "won": False}, [Component("player", bet)])
WON = {"won": lambda view: view["won"]}
BEST, WORST, UNIFORM = 1 - 0.5**3, 1 - 0.8**3, 1 - 0.65**3


def bets(formula: str, **options: Any) -> Estimate:
    return estimate(formula, BETS, labels=WON, **options)


def test_bounds_by_the_best_scheduler_found() -> None:
    maximum, minimum = bets("Pmax=? [ F won ]"), bets("Pmin=? [ F won ]")
    assert (maximum.bound_kind, minimum.bound_kind) == ("at least", "at most")
    assert maximum.lower is not None
    assert BEST - 0.07 < maximum.lower <= BEST
    assert minimum.upper is not None
    assert WORST <= minimum.upper < WORST + 0.07
    assert "best of 256 schedulers" in maximum.scheduler
    assert "0.8" in maximum.sentence()
    assert "at least" in maximum.sentence()


def test_the_uniform_scheduler_says_that_it_is_one() -> None:
    found = bets("P=? [ F won ]", scheduler="uniform")
    assert found.bound_kind == "value"
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= UNIFORM <= found.upper
    assert "equally likely" in found.scheduler
    assert bets("Pmax=? [ F won ]", scheduler="uniform").bound_kind == "at least"


def test_a_program_with_choices_has_no_single_value() -> None:
    with pytest.raises(volition.InputError, match="nondeterministic"):
        bets("P=? [ F won ]")


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("P>=0.7 [ F won ]", False),  # for all strategies, and one is worse
        ("P>=0.3 [ F won ]", None),  # holds, but no scheduler proves it
        ("P<=0.6 [ F won ]", False),
        ("P<=0.95 [ F won ]", None),
        ("Pmax>=0.7 [ F won ]", True),  # for some strategy, and one was found
        ("Pmin<0.6 [ F won ]", True),
    ],
)
def test_thresholds_over_strategies(formula: str, holds: bool | None) -> None:
    found = bets(formula)
    assert found.holds is holds
    assert (found.unknown is None) == (holds is not None)


def test_a_choice_that_few_runs_meet_counts_on_both_sides() -> None:
    """A run in 1,000 comes to a choice, which the first runs do not show: nobody makes it, and the
    answer holds for all strategies."""

    def step(view: SlotView) -> Sequence[Choice]:
        match view["at"]:
            case "start":
                return [
                    Choice(
                        "go",
                        [
                            (Fraction(1, 1000), {"at": "fork"}),
                            (Fraction(999, 2000), {"at": "good"}),
                            (Fraction(999, 2000), {"at": "bad"}),
                        ],
                    )
                ]
            case "fork":
                return [Choice(where, [(1, {"at": where})]) for where in ("good", "bad")]
        return []

    fork = System({"at": "start"}, [Component("walker", step)])
    found = volition.simulate(
        fork,
        "P=? [ F good ]",
        labels={"good": lambda view: view["at"] == "good"},
        runs=20_000,
        jobs=1,
    )
    assert 0 < found.undecided < 60
    assert found.bound_kind == "value"
    assert found.estimate is None


def test_synchronous_systems_choose_for_each_component() -> None:
    def flip(name: str) -> Component:
        return Component(
            name,
            lambda view: (
                []
                if view[name] is not None
                else [
                    Choice(
                        (name, side),
                        [(Fraction(1, 2), {name: side}), (Fraction(1, 2), {name: "edge"})],
                    )
                    for side in ("heads", "tails")
                ]
            ),
        )

    two = System({"a": None, "b": None}, [flip("a"), flip("b")], mode="synchronous")
    both = {"both": lambda view: view["a"] == "heads" and view["b"] == "heads"}
    found = volition.simulate(two, "Pmax=? [ F both ]", labels=both, jobs=1)
    assert found.lower is not None
    assert 0.22 < found.lower <= 0.25
    assert found.max_run_length == 1


# --- who makes the runs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula", ["Pmax=? [ F won ]", "Pmax>=0.7 [ F won ]", 'R{"bets"}min=? [ F won | "deadlock" ]']
)
def test_the_same_answer_by_one_and_by_many(formula: str) -> None:
    one, many = (replace(bets(formula, jobs=jobs, seed=7), seconds=0.0) for jobs in (1, 3))
    assert one == many
    assert bets(formula, seed=8) != one


def test_the_same_answer_on_a_cluster() -> None:
    distributed = pytest.importorskip("distributed")
    from pathlib import Path

    program = Path(__file__).parents[3] / "examples" / "can" / "vacuum.can"
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    ) as cluster:
        there = volition.simulate(
            program,
            "Pmin=? [ F tidied ]",
            error=0.1,
            num_schedulers=8,
            cluster=cluster.scheduler_address,
        )
    here = volition.simulate(program, "Pmin=? [ F tidied ]", error=0.1, num_schedulers=8, jobs=1)
    assert replace(there, seconds=0.0) == replace(here, seconds=0.0)


def test_keys_are_the_same_in_every_process() -> None:
    """Written down once: another number here would mean other schedulers for the same seed."""
    values = [
        None,
        True,
        1,
        1.0,
        "1",
        Fraction(1, 2),
        ("a", frozenset({"b", "c"})),
        frozenset({("x", 1), ("y", 2)}),
    ]
    assert len({stable_hash(each) for each in values}) == len(values)
    assert stable_hash(("a", frozenset({"b", "c"}))) == stable_hash(("a", frozenset({"c", "b"})))
    assert stable_hash("red") == 4806398547352805912

    deep: Any = ()
    for _ in range(100_000):
        deep = (deep,)
    assert stable_hash(deep)


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_gives_what_is_there(jobs: int) -> None:
    """It comes in the middle of a run, or while the others work."""
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait(60)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    def begin(runs: int, _: int) -> None:
        if runs > 500:
            begun.set()

    thread = threading.Thread(target=interrupt)
    thread.start()
    found = estimate("P=? [ F home ]", error=0.00001, jobs=jobs, progress=begin)
    thread.join()
    assert found.unknown == "interrupted by Ctrl-C"
    assert found.lower is not None
    assert found.upper is not None
    assert 0 < found.lower < RUIN < found.upper < 1
    assert found.runs > 500
    assert "at any stopping time" in found.method


def test_the_end_of_the_time_gives_what_is_there() -> None:
    found = estimate("P=? [ F home ]", error=0.00001, timeout=0.3)
    assert found.unknown == "the time limit was reached"
    assert found.runs > 0
    assert found.lower is not None
    assert found.lower <= RUIN


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("A [ F home ]", "single runs do not answer it"),
        ("S=? [ home ]", "single runs do not answer it"),
        ('R{"steps"}=? [ LRA ]', "single runs do not answer it"),
        ('R{"stepps"}=? [ F home ]', "unknown reward 'stepps'"),
        ("R=? [ F home ]", "more than one reward"),
        ("P=? [ F nowhere ]", "nowhere"),
        ("P=? [ F (P>0.5 [ X home ]) ]", "which a single run cannot decide"),
    ],
)
def test_questions_that_runs_do_not_answer(formula: str, message: str) -> None:
    with pytest.raises(volition.InputError, match=message):
        estimate(formula)


@pytest.mark.parametrize(
    "options",
    [
        {"confidence": 1.0},
        {"confidence": 0},
        {"error": 0.5},
        {"runs": 0},
        {"max_steps": 0},
        {"scheduler": "best"},
        {"jobs": 0},
    ],
)
def test_options_that_make_no_sense(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(volition.InputError, match=f"'{name}' cannot be"):
        estimate("P=? [ F home ]", **options)


def test_a_system_that_breaks_the_rules_is_blamed() -> None:
    broken = System(
        {"place": 0},
        [Component("walker", lambda _: [Choice("on", [(Fraction(1, 2), {"place": 1})])])],
    )
    with pytest.raises(volition.KernelError, match="sum to 1/2"):
        estimate("P=? [ F home ]", broken)
