"""Strategies as trees: indented text, DOT, and a drawing in which every box has its text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.analysis.can_programs import EXAMPLES, SMART_MANUFACTURING
from volition import InputError, load
from volition.analysis.synthesis import tree_plot as strategy_picture
from volition.analysis.synthesis.synthesise import Synthesis, synthesise
from volition.analysis.synthesis.tree_plot import (
    dot_text,
    draw_strategy,
    save_strategy_picture,
    tree_text,
)


@pytest.fixture(scope="module")
def manufacturing() -> Synthesis:
    return synthesise(load(SMART_MANUFACTURING), "Pmax=? [ F (PS1 & PS2) ]")


def test_indented_text(manufacturing: Synthesis) -> None:
    lines = tree_text(manufacturing).splitlines()
    assert lines[0] == "which component moves?"
    assert "    no: → product1" in lines
    assert "  → select plan 3 for process_product1" in lines


def test_dot_is_a_forest(manufacturing: Synthesis) -> None:
    text = dot_text(manufacturing)
    nodes, edges = (
        re.findall(r"^  (n\d+) \[", text, re.MULTILINE),
        re.findall(r"^  n\d+ -> (n\d+)", text, re.MULTILINE),
    )
    assert len(nodes) - len(manufacturing.decision_tables) == len(edges) == len(set(edges))
    assert 'label="wrapped1"' in text


def test_every_box_is_drawn(manufacturing: Synthesis) -> None:
    pytest.importorskip("matplotlib")
    (axes,) = draw_strategy(manufacturing).axes
    drawn = [text.get_text() for text in axes.texts]
    assert {
        "which component moves",
        "wrapped1",
        "product1",
        "product2",
        "Pmax=? [ F (PS1 & PS2) ]",
    } <= set(drawn)
    assert drawn.count("yes") == drawn.count("no") == 1


def test_any_choice_is_drawn_as_such() -> None:
    synthesis = synthesise(load(EXAMPLES / "can" / "breakfast.can"), "Pmax=? [ F served ]")
    assert tree_text(synthesis) == "→ any choice achieves the value"


def test_too_many_cases_are_refused(
    manufacturing: Synthesis, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(strategy_picture, "MAX_LEAVES", 2)
    with pytest.raises(InputError) as raised:
        save_strategy_picture(manufacturing, tmp_path / "tree.svg")
    assert [each.code for each in raised.value.diagnostics] == ["CHK084"]
