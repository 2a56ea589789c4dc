"""What is left out of programs of a few lines, and what must not be: each condition of
``docs/explanation/slicing.md`` with a program that needs it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import volition
from tests.languages.agentspeak.systems import write_project
from tests.slicing.comparing import sliced_for
from volition.api.slicing import Slices
from volition.api.slicing import sliced_for as slice_of
from volition.diagnostics import Source
from volition.languages.can.program import parse
from volition.languages.common.dependencies import Edit, ListSpan
from volition.languages.dribble import read
from volition.languages.protocols import Program
from volition.slicing.edits import apply_edits
from volition.slicing.text_slice import TextSlice

# --- the text -------------------------------------------------------------------------------------


def without(text: str, *gone: str, whole: str | None = None) -> str:
    source = Source("list", text)
    source_span = {
        each: source.span(text.index(each), text.index(each) + len(each))
        for each in ("aa", "bb", "cc")
    }
    span = None if whole is None else source.span(text.index(whole), text.index(whole) + len(whole))
    items = ListSpan(tuple(source_span.values()), span)
    ((_, new),) = apply_edits(
        [source], [Edit(source_span[each], items=items) for each in gone], "//"
    )
    return new.text


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ("aa", "{bb, cc}"),
        ("bb", "{aa, cc}"),
        ("cc", "{aa, bb}"),
        ("aa bb", "{cc}"),
        ("bb cc", "{aa}"),
        ("aa cc", "{bb}"),
        ("aa bb cc", "{}"),
    ],
)
def test_items_leave_lists(gone: str, left: str) -> None:
    assert without("{aa, bb, cc}", *gone.split()) == left


def test_lines_keep_their_numbers() -> None:
    assert without("x <- aa,\n bb, // why\n cc.\nnext", "bb", "cc") == "x <- aa\n\n.\nnext"
    assert (
        without("x\n  aa, bb, cc.\nnext", "aa", "bb", "cc", whole="aa, bb, cc.")
        == "x\n  // aa, bb, cc.\nnext"
    )


# --- CAN ------------------------------------------------------------------------------------------

CAN = """// Initial belief bases
n = 0
// External events
work, play
// Plan library
work : true <- +busy; act; ?done.
play : true <- {body}.
idle : true <- act.
// Actions description
act : true <- <{{tired}},{{done, tired}}>
sing : true <- 1/2: <{{}},{{heard}}> + 1/2: <{{}},{{tired}}>
{rest}
"""


def can(*, body: str = "sing", rest: str = "") -> Program:
    return parse(Source("test.can", CAN.format(body=body, rest=rest)), "test", {})


def labels_left_out(sliced: TextSlice) -> set[str]:
    roots, parts, _ = sliced.cone.left_out
    dependencies = sliced.dependencies
    return {dependencies.roots[each].label for each in roots} | {
        dependencies.parts[each].label for each in parts
    }


def test_what_goes_of_a_can_program() -> None:
    sliced = sliced_for(can(), ["A [ F Bel(done) ]"])
    assert labels_left_out(sliced) == {"external event play", "plan 2", "plan 3", "action sing"}
    assert "work : true <- ?true; act; ?done." in sliced.text
    assert "act : true <- <{},{done}>" in sliced.text
    assert "// play : true <- sing." in sliced.text
    assert sliced.text.splitlines()[3] == "work"


@pytest.mark.parametrize(
    ("formula", "body", "rest"),
    [
        ("A [ X Bel(done) ]", "sing", ""),
        ("A [ F<=3 Bel(done) ]", "sing", ""),
        ("A [ G !Does(act) ]", "sing", ""),
        ("A [ F empty ]", "sing", ""),
        ("A [ F Bel(heard) ]", "sing", ""),
        ("A [ F Bel(done) ]", "goal(heard, ?false, false)", ""),
        ("A [ F Bel(done) ]", "play", ""),
        ("A [ F Bel(done) ]", "-done", ""),
        ("A [ F Bel(done) ]", "sing", "// Background\nn := min(n + 1, 3)."),
        ("A [ F Bel(done) ]", "sing", "// Policies\nintentions : round-robin."),
        ("A [ F Bel(done) ]", "sing", "// Policies\nupdate : stuck."),
    ],
)
def test_an_event_that_stays(formula: str, body: str, rest: str) -> None:
    """Its steps are counted, it may go on for ever, or somebody sees something of it."""
    assert "external event play" not in labels_left_out(
        sliced_for(can(body=body, rest=rest), [formula])
    )


def test_formulas_that_ask_for_the_same_share_a_slice() -> None:
    """But not one that counts steps with one that does not: other events may be left out for
    that."""
    slices = Slices(can())
    one, other, counting = (
        slices.slice_for([volition.parse(each)])
        for each in ("A [ F Bel(done) ]", "E [ G !Bel(done) ]", "A [ X Bel(done) ]")
    )
    assert one is other
    assert isinstance(one, TextSlice)
    assert isinstance(counting, TextSlice)
    assert "external event play" in labels_left_out(one) - labels_left_out(counting)


def test_an_event_that_goes_on_for_ever_hides_the_others() -> None:
    """Why an event without end must not be left out: it may be all that happens."""
    endless = can(body="goal(heard, sing, false); goal(busy & !busy, sing, false)")
    assert volition.check(endless, "A [ F Bel(done) ]")[0].verdict.holds is False
    assert volition.check(endless, "A [ F Bel(done) ]", slice=True)[0].verdict.holds is False


# --- AgentSpeak(F) --------------------------------------------------------------------------------

ACTOR = "!go.\n+!go : true <- +busy; press.\n+!never : true <- press.\n"
WORLD = (
    "percept light\nfact used\nvariable times = 0\naction press do add light; add used; times "
    ":= min(times + 1, 3)\n"
)


@pytest.mark.parametrize(
    ("bystander", "options", "formula", "goes"),
    [
        ("+light : true <- +seen.", "", "A [ F Bel(a, light) ]", True),
        ("+light : true <- +seen.", "", "A [ F<=9 Bel(a, light) ]", False),
        ("+light : true <- +seen.", "", "A [ F Bel(b, light) ]", False),
        ("+light : true <- +seen.", "idle = cycle", "A [ F Bel(a, light) ]", False),
        ("+light : true <- press.", "", "A [ F Bel(a, light) ]", False),
        ("+light : true <- .send(a, tell, hello).", "", "A [ F Bel(a, light) ]", False),
        ("+light : true <- !again. +!again : true <- !again.", "", "A [ F Bel(a, light) ]", False),
        ("+light : true <- -light.", "", "A [ F Bel(a, light) ]", False),
    ],
)
def test_an_agent_that_goes_or_stays(
    bystander: str, options: str, formula: str, goes: bool, tmp_path: Path
) -> None:
    program = volition.load(write_project(tmp_path, {"a": ACTOR, "b": bystander}, WORLD, options))
    sliced = sliced_for(program, [formula])
    assert ("agent b" in labels_left_out(sliced)) is goes
    assert ("b.asl" in sliced.texts) is not goes
    assert "add light; nothing; nothing" in sliced.texts["test.world"]
    assert "// +!never : true <- press." in sliced.texts["a.asl"]


# --- Dribble --------------------------------------------------------------------------------------

DRIBBLE = """len_max: 4
beliefs:
  p & u, v | w
goals: q, r & p
actions:
  act : p => q & ~u, v if u, ~r
goal rules:
  G q -> act
"""


def test_what_goes_of_a_dribble_program() -> None:
    program = read(Source("test.dribble", DRIBBLE), "test")
    sliced = sliced_for(program, ["A [ F B(q) ]"])
    assert "goals: q\n" in sliced.text
    assert "act : p => q\n" in sliced.text
    connected = sliced_for(program, ["A [ F B(w) ]"])
    assert "act : p => q & ~u, v if u\n" in connected.text
    everything = sliced_for(program, ["A [ F Goals{} ]"])
    assert "goals: q, r & p\n" in everything.text


# --- other languages ------------------------------------------------------------------------------


def test_a_language_without_dependencies() -> None:
    with pytest.raises(volition.InputError, match="SLC004"):
        slice_of(cast(Any, SimpleNamespace(language="Toy")), [])
