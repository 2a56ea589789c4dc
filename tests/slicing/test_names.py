"""Names in formulas are judged by the whole program: ``check --slice`` answers all that ``check``
answers, and refuses the same."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.languages.agentspeak.systems import write_project
from tests.languages.jason.test_slicing import system
from volition.languages.protocols import Program

AGENTS = {
    "a": "!g. +!g <- +done. +!old(X) <- +gone(X); !older; wave.",
    "b": "q. +q <- +r(1). +!never <- +s; .send(a, tell, heard).",
}
FORMULAS = [
    "A [ G !Bel(a, gone(1)) ]",
    "A [ G !Bel(a, s) ]",
    "A [ G !Bel(b, gone(1)) ]",
    "A [ G !Des(a, older) ]",
    "A [ G !Bel(a, heard) ]",
    "A [ G !Does(a, wave) ]",
    "A [ G !Bel(a, r(1)) ]",
    "A [ G !Bel(b, done) ]",
    "A [ F Bel(a, done) ]",
    "A [ G !flag ]",
]
WORLD = "fact flag\naction wave do add flag"


def program(language: str, folder: Path) -> Program:
    if language == "Jason":
        return system(folder, AGENTS, world=WORLD)
    return volition.load(write_project(folder, AGENTS, WORLD, ""))


@pytest.mark.parametrize("language", ["AgentSpeak(F)", "Jason"])
def test_what_only_a_removed_part_mentions_is_answered(language: str, tmp_path: Path) -> None:
    whole = program(language, tmp_path)
    for formula in FORMULAS:
        plain, sliced = volition.check(whole, formula), volition.check(whole, formula, slice=True)
        assert sliced[0].verdict.holds is plain[0].verdict.holds, formula
        assert [each.message for each in sliced.warnings] == [
            each.message for each in plain.warnings
        ], formula


@pytest.mark.parametrize(("language", "code"), [("AgentSpeak(F)", "ASP044"), ("Jason", "JSN044")])
def test_what_no_part_mentions_is_refused(language: str, code: str, tmp_path: Path) -> None:
    whole = program(language, tmp_path)
    for slicing in (False, True):
        with pytest.raises(volition.InputError, match=code):
            volition.check(whole, "A [ G !Bel(a, nosuch) ]", slice=slicing)


def test_one_agent_stays(tmp_path: Path) -> None:
    """A property of the world alone needs no agent, but a project has one."""
    whole = volition.load(
        write_project(
            tmp_path,
            {"a": "!g. +!g <- +p.", "b": "q."},
            "fact flag\nstep rise when not flag do add flag",
            "",
        )
    )
    assert volition.check(whole, "A [ F flag ]", slice=True)[0].verdict.holds is True
    assert len(volition.slice(whole, "A [ F flag ]").program.model().agents) == 1
