"""Answers before the exploration is complete: no later than needed, and never wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings

from tests.checking.properties import on_graph, while_exploring
from tests.checking.small_systems import SmallSystem, ctl_formulas, small_systems
from volition.checking.graph import on_the_fly as early
from volition.checking.graph.on_the_fly import on_the_fly_query
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Choice, Component, Limits, SlotView, System
from volition.languages.protocols import StateView
from volition.logic import parse
from volition.logic.syntax import AtomicFormula, Formula, Identifier


class Counter:
    """Counts to 29,999 in two slots, or turns back to 0 after a hundred."""

    agents: Sequence[str] = ()

    def __init__(self) -> None:
        def step(view: SlotView) -> list[Choice]:
            low, high = view["low"], view["high"]
            choices = []
            if low < 999:
                choices.append(Choice("up", [(1, {"low": low + 1})]))
            elif high < 29:
                choices.append(Choice("carry", [(1, {"low": 0, "high": high + 1})]))
            if high == 0 and low == 100:
                choices.append(Choice("back", [(1, {"low": 0})]))
            return choices

        self.system = System({"low": 0, "high": 0}, [Component("counter", step)])

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if not isinstance(atom, Identifier) or atom.name != "count":
            raise InputError([Diagnostic("TST001", "unknown", atom.span)])
        return lambda view: view["low"] + 1000 * view["high"]

    def describe(self, state: SlotView) -> StateView:
        return {"count": {"low": str(state["low"]), "high": str(state["high"])}}


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("A [ G count < 40 ]", False),
        ("E [ F count = 40 ]", True),
        ("!E [ F count = 40 ]", False),
        ("A [ (G count >= 0) & (G !(count = 40)) ]", False),
        ("A [ G count < 90 ] & A [ G count < 40 ]", False),
        ("E [ F (count = 40) ] | E [ F (count = 2000000) ]", True),
    ],
)
def test_one_state_decides(formula: str, holds: bool) -> None:
    space, verdict = while_exploring(Counter(), parse(formula))
    assert verdict.holds is holds
    assert space.num_expanded <= 41
    assert verdict.run is not None
    assert len(verdict.run.choices) == 40
    assert space.value(verdict.run.states[-1], "low") == 40


@pytest.mark.parametrize(
    ("formula", "holds"),
    [("A [ F count = 5000 ]", False), ("E [ G F count = 0 ]", True), ("AF count = 200", False)],
)
def test_a_run_in_the_explored_part_decides(formula: str, holds: bool) -> None:
    space, verdict = while_exploring(Counter(), parse(formula))
    assert verdict.holds is holds
    assert verdict.run is not None
    assert verdict.run.loop == 0
    assert space.num_expanded <= early.FIRST_STAGE


def test_what_needs_everything_gets_everything() -> None:
    space, verdict = while_exploring(
        Counter(), parse("A [ G (count = 29999 -> X (count = 29999)) ]")
    )
    assert verdict.holds is True
    assert space.complete
    assert space.num_states == 30_000
    assert space.num_states > early.FIRST_STAGE


def test_stages_go_on_where_the_last_one_stopped() -> None:
    """Each state of the counter is expanded once, whatever the number of stages."""
    counter = Counter()
    expanded = 0
    step = counter.system.components[0].step

    def counted(view: SlotView) -> Sequence[Choice]:
        nonlocal expanded
        expanded += 1
        return step(view)

    counter.system = System(counter.system.slots, [Component("counter", counted)])
    _, verdict = while_exploring(counter, parse("A [ G (count = 29999 -> X (count = 29999)) ]"))
    assert verdict.holds is True
    assert expanded == 30_000


def test_a_question_goes_on_where_another_one_stopped() -> None:
    model = Counter()
    near, _ = while_exploring(model, parse("E [ F count = 40 ]"))
    far, verdict = while_exploring(model, parse("E [ F count = 20000 ]"), so_far=near)
    assert verdict.holds is True
    assert (near.num_expanded, far.num_expanded) == (40, 20_000)
    again, verdict = while_exploring(model, parse("A [ F count = 5000 ]"), so_far=far)
    assert verdict.holds is False
    assert again.num_expanded == far.num_expanded


@pytest.mark.parametrize("formula", ["A [ G count < 5000 ]", "A [ G F count < 5000 ]"])
def test_limits_give_unknown(formula: str) -> None:
    space, verdict = while_exploring(Counter(), parse(formula), limits=Limits(states=2000))
    assert not space.complete
    assert verdict.holds is None
    assert verdict.unknown is not None
    assert "limit of 2000 states" in verdict.unknown


@pytest.mark.parametrize(
    "formula",
    [
        "A [ F count = 3 ]",
        "A [ G F count = 3 ]",
        "count = 0",
        "A [ G<=3 count < 2 ]",
        'A [ G !"deadlock" ]',
    ],
)
def test_what_one_state_cannot_decide(formula: str) -> None:
    assert on_the_fly_query(CheckTask(Counter(), parse(formula))) is None


@settings(max_examples=150, deadline=None)
@given(small_systems(), ctl_formulas())
def test_the_same_answers_as_afterwards(system: SmallSystem, formula: Formula) -> None:
    _, verdict = while_exploring(system, formula)
    assert verdict.holds == on_graph(system, system.explored(), formula).holds
