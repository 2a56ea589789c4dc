"""Languages in which no action is told to fail, and in which nothing is negated strongly, refuse a
world that does either."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import volition
from volition import InputError, load

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(
    ("example", "language"),
    [("agentspeak/factory", "AgentSpeak(F)"), ("gwendolen/lucky_dip", "Gwendolen")],
    ids=["AgentSpeak(F)", "Gwendolen"],
)
def test_both_are_refused_by_name(example: str, language: str, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(EXAMPLES / example, project)
    (world,) = project.glob("*.world")
    world.write_text(world.read_text() + "\npercept ~calm\naction shake do add ~calm; fail\n")
    with pytest.raises(InputError) as caught:
        load(project)
    found = [each for each in caught.value.diagnostics if each.severity == "error"]
    assert [each.code for each in found] == ["WLD071", "WLD070"]
    assert all(language in each.message for each in found)


def test_a_slice_keeps_what_decides_whether_an_action_fails(tmp_path: Path) -> None:
    (tmp_path / "it.asl").write_text("!go. +!go <- smash; use. -!go <- +failed.")
    (tmp_path / "it.volition").write_text("world = it.world\n")
    (tmp_path / "it.world").write_text(
        "variable broken = false\nvariable noise = 0\naction smash do broken := true; noise := "
        "1\naction use do if broken { fail }\n"
    )
    sliced = volition.slice(tmp_path / "it.asl", "F Bel(failed)")
    (text,) = [text for name, text in sliced.texts.items() if name.endswith(".world")]
    assert "broken := true" in text
    assert "noise := 1" not in text
