"""The Python code of a strategy decides as the strategy does, in every state that it reaches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.analysis.can_programs import EXAMPLES
from volition import load
from volition.analysis.synthesis.python_code import python_code
from volition.analysis.synthesis.synthesise import synthesise


def executed(code: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(compile(code, "strategy.py", "exec"), namespace)
    return namespace


@pytest.mark.parametrize(
    ("program", "formula"),
    [
        ("can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2) ]"),
        ("can/smart_manufacturing.can", "Pmax=? [ F (PS1 & PS2 & (Pch1 | Pch2)) ]"),
        ("can/rover.can", 'R{"distance"}min=? [ F (SS1 & SS2) ]'),
        ("can/vacuum.can", "Pmin=? [ F tidied ]"),
        ("lisa/pipeline_drone", 'Pmax=? [ F Bel("Leak documented") ]'),
        ("agentspeak/contract_net", "Pmax=? [ !Bel(bert, call(paint)) U Bel(anna, call(paint)) ]"),
    ],
)
def test_code_decides_as_the_strategy_does(program: str, formula: str) -> None:
    synthesis = synthesise(load(EXAMPLES / program), formula)
    decide = executed(python_code(synthesis))["decide"]
    assert synthesis.decision_points
    for point in synthesis.decision_points:
        assert decide(point.state_view, point.options) == (point.component, point.action)


def test_code_without_anything_to_decide(tmp_path: Path) -> None:
    synthesis = synthesise(load(EXAMPLES / "can" / "breakfast.can"), "Pmax=? [ F served ]")
    decide = executed(python_code(synthesis))["decide"]
    assert decide({"beliefs": {}}, {"breakfast": ["act toast", "act pour"]}) == (
        "breakfast",
        "act toast",
    )
    assert list(tmp_path.iterdir()) == []


def test_code_stands_alone() -> None:
    code = python_code(synthesise(load(EXAMPLES / "can" / "vacuum.can"), "Pmin=? [ F tidied ]"))
    assert "volition" not in code
    assert "The strategy for Pmin=? [ F tidied ]" in executed(code)["__doc__"]
