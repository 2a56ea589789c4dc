"""Recorded runs: the public format, and whether a changed program can still do what was
recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.checking.properties import on_graph
from tests.checking.vending import Vending
from volition.diagnostics import InputError
from volition.kernel import explore
from volition.logic import parse
from volition.logic.syntax import Atom
from volition.reporting.replay import replay
from volition.reporting.trace_format import trace_to_json


def recorded(program: Vending, formula: str) -> dict[str, Any]:
    verdict = on_graph(program, explore(program.system), parse(formula))
    assert verdict.run is not None
    observed = [Atom("Does", "kicked")]
    trace = trace_to_json(
        verdict.run,
        program,
        language="Vending",
        program="vending.test",
        formula=verdict.formula,
        holds=verdict.holds,
        observed=observed,
    )
    data: dict[str, Any] = json.loads(json.dumps(trace))
    return data


def test_the_format() -> None:
    trace = recorded(Vending(), "E [ F drinks ]")
    assert {
        key: trace[key]
        for key in ("format", "version", "language", "program", "formula", "holds", "loop")
    } == {
        "format": "volition-trace",
        "version": 3,
        "language": "Vending",
        "program": "vending.test",
        "formula": "E [ F drinks ]",
        "holds": True,
        "loop": None,
    }
    assert trace["initial"] == {
        "view": {"beliefs": {}, "machine": {"coins": "0"}},
        "slots": {"coins": 0, "pressed": False, "drinks": 0, "kicked": False},
    }
    assert trace["steps"][1] == {
        "step": 2,
        "agent": "customer",
        "text": "press the button",
        "rules": ["Act", "Press(1)"],
        "plan": "buy",
        "action": "press",
        "file": "vending.test",
        "line": 2,
        "stutter": False,
        "changes": [],
        "slots": {"pressed": True},
    }
    assert trace["steps"][2]["changes"][0] == {
        "section": "beliefs",
        "item": "drink",
        "before": None,
        "after": "",
    }


@pytest.mark.parametrize("formula", ["E [ F drinks ]", "E [ G F drinks ]", "A [ F drinks ]"])
def test_the_same_program_can_do_it_again(formula: str) -> None:
    program = Vending()
    result = replay(recorded(program, formula), program)
    assert result.possible
    assert result.loop_closes is (None if formula == "E [ F drinks ]" else True)
    assert program.queried[-1] == (Atom("Does", "kicked"),)


def test_a_step_that_is_gone_says_what_is_possible_instead() -> None:
    result = replay(recorded(Vending(), "E [ F drinks ]"), Vending(price=2))
    assert not result.possible
    assert [step.outcome for step in result.steps] == ["same", "impossible"]
    assert result.num_replayed == 1
    assert result.steps[1].alternatives == ("customer: insert a coin", "customer: kick the machine")


def test_a_step_by_other_rules_is_told_with_them() -> None:
    trace = recorded(Vending(), "E [ F drinks ]")
    trace["steps"][1]["rules"] = ["Push"]
    result = replay(trace, Vending())
    assert result.num_replayed == 1
    assert "customer: press the button (Act Press(1))" in result.steps[1].alternatives


def test_a_step_with_another_effect_says_which() -> None:
    trace = recorded(Vending(), "E [ F drinks ]")
    trace["steps"][0]["changes"][0]["after"] = "5"
    result = replay(trace, Vending())
    assert [step.outcome for step in result.steps] == ["other effect", "same", "same"]
    assert [str(change) for change in result.steps[0].differences] == ["coins: 0 → 1"]
    assert not result.possible


def test_a_chance_outcome_is_found_by_its_effect() -> None:
    program = Vending(broken=True)
    assert replay(recorded(program, "E [ F drinks ]"), program).possible


def test_another_beginning_is_noticed() -> None:
    trace = recorded(Vending(), "E [ F drinks ]")
    trace["initial"]["view"]["beliefs"]["drink"] = ""
    result = replay(trace, Vending())
    assert [str(change) for change in result.start] == ["- drink"]
    assert not result.possible


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"format": "something else"}, "CHK006"),
        ({"version": 2}, "CHK007"),
        ({"steps": [{"step": 1}]}, "CHK006"),
        ({"initial": {}}, "CHK006"),
        ({"loop": 7}, "CHK006"),
    ],
)
def test_what_is_no_trace_is_refused(change: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError, match=code):
        replay(recorded(Vending(), "E [ F drinks ]") | change, Vending())
