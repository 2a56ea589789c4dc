"""Guided answers: runs that only an over-approximation has are found out.  Verdicts of every
language are in ``test_verdict_pairs.py``."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Literal

import pytest

import volition
from tests.slicing.verdict_pairs import AT_ONCE
from volition.api.custom_systems import SystemProgram
from volition.checking.check import check
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostics
from volition.kernel import Choice, Component, Limits, SlotView, System
from volition.languages.protocols import Program
from volition.slicing.cegar.abstraction import NODE, Abstraction, RefinementNeeded
from volition.slicing.cegar.check import check_with_refinement
from volition.slicing.cegar.concretisation import ConcreteRun, concretise
from volition.slicing.cegar.traced_functions import TracedFunctions

EXAMPLES = Path(__file__).parents[2] / "examples"

MAX_STATES = 200


def guided(program: Program, formulas: list[str]) -> list[Verdict]:
    return [
        each.verdict
        for each in check_with_refinement(
            check, program, formulas, limits=Limits(states=MAX_STATES), budget=AT_ONCE
        )
    ]


# --- one run of the abstraction that the system does not have -------------------------------------


def counter(slot: str, maximum: int, *, until: str | None = None) -> Component:
    """Counts, as soon as another slot is at its end."""

    def step(view: SlotView) -> Sequence[Choice]:
        if view[slot] == maximum or (until is not None and view[until] != 2):
            return []
        return [Choice(f"{slot} + 1", [(1, {slot: view[slot] + 1})])]

    return Component(slot, step)


def watcher(seen: int) -> Component:
    """Is alarmed if y is 1 while x is ``seen``."""

    def step(view: SlotView) -> Sequence[Choice]:
        return (
            [Choice("alarm", [(1, {"alarm": True})])]
            if view["x"] == seen and view["y"] == 1 and not view["alarm"]
            else []
        )

    return Component("watcher", step)


def watched(seen: int) -> SystemProgram:
    """x counts to 2, then y to 1: y is 1 only while x is 2."""
    system = System(
        {"x": 0, "y": 0, "alarm": False},
        [counter("x", 2), counter("y", 1, until="x"), watcher(seen)],
    )
    return SystemProgram(system, {"alarm": lambda view: view["alarm"]})


def test_a_run_that_the_program_does_not_have() -> None:
    """With x and y hidden, each for itself, the alarm seems possible: it is not, and one of the two
    is put back."""
    functions = TracedFunctions(watched(1).model())
    abstraction = Abstraction(functions, [("x",), ("y",)], maximum=100, effort=1000)
    hit = abstraction.explore(
        lambda view: bool(abstraction.value(lambda state: state["alarm"], view[NODE]))
    )
    assert hit is not None
    with pytest.raises(RefinementNeeded) as back:
        concretise(abstraction, abstraction.path_to(hit), allow_stuttering=True)
    assert back.value.slots <= {"x", "y"}
    (verdict,) = guided(watched(1), ["A [ G !alarm ]"])
    assert verdict.holds
    assert (
        verdict.fixed_notes[-1]
        == "proved on an over-approximation: 1 of 3 slots hidden, 1 round, 3 states"
    )


def test_a_run_that_the_program_has() -> None:
    (verdict,) = guided(watched(2), ["A [ G !alarm ]"])
    assert verdict.holds is False
    assert (
        "a run found on an over-approximation was confirmed on the whole program"
        in verdict.fixed_notes[-1]
    )
    assert verdict.run is not None
    assert [verdict.run.space.label(each) for each in verdict.run.choices] == [
        "x + 1",
        "x + 1",
        "y + 1",
        "alarm",
    ]
    assert [state["x"] for state in verdict.run] == [0, 1, 2, 2, 2]


def test_a_loop_is_closed_on_the_program() -> None:
    """Nothing can move behind the alarm: the run stays there for ever, as one of the program."""
    (verdict,) = guided(watched(2), ["A [ G F !alarm ]"])
    assert verdict.holds is False
    assert verdict.run is not None
    assert verdict.run.loop == 4


def test_values_that_come_late_are_passed_on() -> None:
    """x counts only before the switch: its last value comes when the step of the switch was
    followed for the first ones already."""

    def count_before(view: SlotView) -> Sequence[Choice]:
        return (
            [Choice("count", [(1, {"x": view["x"] + 1})])]
            if view["x"] < 3 and not view["switched"]
            else []
        )

    def switch(view: SlotView) -> Sequence[Choice]:
        return [] if view["switched"] else [Choice("switch", [(1, {"switched": True})])]

    def watch(view: SlotView) -> Sequence[Choice]:
        return (
            [Choice("alarm", [(1, {"alarm": True})])]
            if view["switched"] and view["x"] == 3 and not view["alarm"]
            else []
        )

    parts = [
        Component("counter", count_before),
        Component("switch", switch),
        Component("watcher", watch),
    ]
    model = SystemProgram(System({"x": 0, "switched": False, "alarm": False}, parts)).model()
    abstraction = Abstraction(TracedFunctions(model), [("x",)], maximum=100, effort=1000)
    abstraction.explore()
    assert len(abstraction.states) == 3
    assert any(abstraction.value(lambda state: state["alarm"], number) for number in range(3))


def luck(*others: Component, mode: Literal["interleaved", "synchronous"]) -> SystemProgram:
    """Chooses, as it starts, between 1 and 2: with 1 it is done, with 2 it never is.  What was
    chosen is the only slot to be hidden."""

    def start(view: SlotView) -> Sequence[Choice]:
        chosen = [Choice(f"choose {each}", [(1, {"started": True, "x": each})]) for each in (1, 2)]
        return [] if view["started"] else chosen

    def end(view: SlotView) -> Sequence[Choice]:
        return (
            [Choice("end", [(1, {"done": True})])]
            if view["started"] and view["x"] == 1 and not view["done"]
            else []
        )

    slots = {"started": False, "x": 0, "done": False, "tick": False}
    system = System(slots, [Component("start", start), Component("end", end), *others], mode=mode)
    return SystemProgram(system, {each: itemgetter(each) for each in ("started", "done", "tick")})


def test_nothing_moves() -> None:
    """After 2 no component can move, though something can behind the same abstract state: the
    abstraction has to stay there, too."""
    (verdict,) = guided(luck(mode="interleaved"), ["A [ G (started -> F done) ]"])
    assert verdict.holds is False
    assert "confirmed on the whole program" in verdict.fixed_notes[-1]


def test_one_of_several_stands_still() -> None:
    """After 2 only the clock goes on, though behind the same abstract state the end may come with
    it."""

    def clock(view: SlotView) -> Sequence[Choice]:
        return [Choice("tick", [(1, {"tick": not view["tick"]})])]

    (verdict,) = guided(
        luck(Component("clock", clock), mode="synchronous"),
        ["A [ G ((started & tick) -> F done) ]"],
    )
    assert verdict.holds is False
    assert "confirmed on the whole program" in verdict.fixed_notes[-1]


@pytest.mark.parametrize("name", ["concretise", "confirmed_counterexample"])
def test_nobody_is_believed_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is followed by our own trees and confirmed by the kernel: where one of them is wrong,
    the other is in the way."""
    wrong = {
        "concretise": lambda abstraction, *_, **__: ConcreteRun(
            (abstraction.functions.numbers({"x": 1, "y": 1, "alarm": True}),), 0
        ),
        "confirmed_counterexample": lambda *_: None,
    }
    monkeypatch.setattr(f"volition.slicing.cegar.refinement.{name}", wrong[name])
    for seen in (1, 2):
        (verdict,) = guided(watched(seen), ["A [ G !alarm ]"])
        assert verdict.holds is (seen == 1)


# --- as people use it -----------------------------------------------------------------------------


def test_what_is_not_for_an_over_approximation() -> None:
    """It is answered on the whole program, and the answer says why."""
    queried = {
        "E [ F alarm ]": "it states that some run exists",
        "P>=1 [ F alarm ]": "it is about probabilities or rewards",
        'A [ G !"deadlock" ]': "an over-approximation does not preserve deadlocks",
    }
    for formula, answer in zip(
        queried, volition.check(watched(2), list(queried), slice="guided"), strict=True
    ):
        assert (
            answer.verdict.fixed_notes[-1] == f"answered on the whole program: {queried[formula]}"
        )
    fair = volition.check(watched(2), "A [ F alarm ]", slice="guided", fair="weak")[0].verdict
    assert fair.holds
    assert "fairness" in fair.fixed_notes[-1]
    with pytest.raises(volition.InputError, match="API011"):
        volition.check(watched(2), "A [ F alarm ]", slice="whatever")  # type: ignore[arg-type]


def test_mistakes_are_told_and_the_others_answered() -> None:
    errors = Diagnostics()
    report = volition.check(
        watched(2), ["A [ F nobody ]", "A [ G !alarm ]"], slice="guided", errors=errors
    )
    assert [each.verdict.holds for each in report] == [False]
    assert [each.code for each in errors.errors] == ["API003"]
    with pytest.raises(volition.InputError, match="API003"):
        volition.check(watched(2), ["A [ F nobody ]", "A [ G !alarm ]"], slice="guided")


def test_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not answered yet is unknown, and the report says so."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Abstraction, "explore", interrupted)
    report = check_with_refinement(
        check, watched(2), ["A [ G !alarm ]", "E [ F alarm ]"], budget=AT_ONCE
    )
    assert report.interrupted
    assert [each.verdict.holds for each in report] == [None, True]
    assert report[0].verdict.unknown == "interrupted by Ctrl-C"


def test_a_large_program_is_proved_in_few_states() -> None:
    vessel = EXAMPLES / "lisa" / "vessel_mdp"
    answer = volition.check(vessel, "A [ G !(Int(plan_4) & Int(plan_5)) ]", slice="guided")[0]
    assert answer.verdict.holds
    assert answer.verdict.fixed_notes[-1].startswith("proved on an over-approximation")
    assert answer.exploration.space.num_states < 100  # of 270,268
