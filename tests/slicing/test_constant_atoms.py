"""What never changes needs no part of the program: each way in which something can change, and what
is no change."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.languages.agentspeak.systems import write_project
from volition.api.slice_checks import check_on_slice
from volition.checking.check import check
from volition.languages.agentspeak import AgentSpeakProgram
from volition.languages.common.dependencies import (
    Dependencies,
    DerivationRule,
    EntryPoint,
    ProgramUnit,
    QueriedSymbol,
    SymbolPattern,
    UnitStep,
    Write,
)
from volition.languages.world.terms import Structure, Term, Variable, constant
from volition.slicing.cone import cone_of_influence

WORLD = """percept wet(X) initially wet(roof)
fact used(X) initially used(1)
parameter place = shed
variable n = 0
action dry do remove wet(_); remove used(_)
action pour(X) when not wet(X) do add wet(road)
action leave do remove used(2); remove wet(sand)
"""
STORE = "action store do add used(n); add wet(place)\n"


def plans_left(folder: Path, query: str, step: str) -> int:
    """How many of the two plans that are used are left of an agent, beside one that only believes
    something else."""
    agents = {
        "amy": f"wet(sea). s(1). !go. +!go : true <- {step}; !go. +wet(X) : true <- +t(X).",
        "bob": "s(1). +s(2) : true <- +t(1).",
    }
    world = WORLD + (STORE if step == "store" else "")
    program = volition.slice(
        write_project(folder, agents, world, "M_Int = 3"), f"A [ G ({query}) ]"
    ).program
    assert isinstance(program, AgentSpeakProgram)
    return len(program.agents["amy"].plans)


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("Bel(amy, s(1))", "+s(1)"), ("Bel(amy, s(1))", "-s(X)"), ("Bel(amy, s(_))", "+s(2)"), ("Bel(amy, wet(roof))", "?s(_)"),  # noqa: E501
        ("Bel(amy, t(roof))", "?s(_)"), ("Bel(bob, s(3))", ".send(bob, tell, s(3))"), ("Bel(bob, s(1))", ".broadcast(untell, s(1))"),  # noqa: E501
        ("Bel(amy, wet(road))", "pour(sea)"), ("Bel(amy, wet(sea))", "store"), ("wet(shed)", "store"), ("used(7)", "store"),  # noqa: E501
        ("used(1)", "dry"), ("Des(amy, go)", "?s(_)"), ("Does(amy, dry)", "dry"), ("Des(bob, h)", ".send(bob, achieve, h)"),  # noqa: E501
    ],
)  # fmt: skip
def test_changes_are_known(query: str, step: str, tmp_path: Path) -> None:
    assert plans_left(tmp_path, query, step) == 2


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ("Bel(amy, s(1))", "+s(2)"), ("Bel(amy, s(1))", ".send(bob, untell, s(1))"), ("Bel(amy, wet(sea))", "dry"), ("wet(sea)", "dry"),  # noqa: E501
        ("Bel(amy, wet(sea))", "pour(sea)"), ("used(1)", "leave"), ("used(2)", "dry"), ("Bel(bob, s(1))", ".send(bob, tell, s(2))"),  # noqa: E501
        ("wet(roof)", "leave"),
    ],
)  # fmt: skip
def test_other_changes_do_not_matter(query: str, step: str, tmp_path: Path) -> None:
    assert plans_left(tmp_path, query, step) == 0


KEEPS_ITS_BOUND = (
    "start. !g. +start <- +stop. +!g : stop <- true. +!g <- +p(1); +p(2); +p(3). "
    "+!never <- +done; !g."
)
"""The plan that mentions ``done`` is kept for the name, with those for ``!g``, but not the plan for
``+start``."""
LOSES_ITS_BOUND = KEEPS_ITS_BOUND.replace("+stop", "+stopped")


def jason_program(folder: Path, agent: str) -> volition.Program:
    """A system of one agent that may have two beliefs."""
    for file, text in {
        "a.asl": agent,
        "s.mas2j": "MAS s { agents: a; }",
        "s.volition": "M_Bel = 2\n",
    }.items():
        (folder / file).write_text(text)
    return volition.load(folder / "s.mas2j")


def test_a_slice_beyond_a_bound_that_the_whole_program_keeps(tmp_path: Path) -> None:
    program = jason_program(tmp_path, KEEPS_ITS_BOUND)
    query = "A [ G !Bel(a, done) ]"
    with pytest.raises(volition.InputError, match="exceeds the bound M_Bel"):
        volition.check(volition.slice(program, query).program, [query])
    for first_look in (0, 1_000):
        (answer,) = check_on_slice(check, program, [query], first_look=first_look)
        assert answer.verdict.holds is True
        assert answer.verdict.fixed_notes[-1].startswith("checked on the whole program")


def test_a_bound_that_the_slice_and_the_whole_program_exceed_is_reported(tmp_path: Path) -> None:
    program = jason_program(tmp_path, LOSES_ITS_BOUND)
    with pytest.raises(
        volition.InputError, match=r"exceeds the bound M_Bel(?s:.*)\+start"
    ):  # by a run of the whole program
        check_on_slice(check, program, ["A [ G !Bel(a, done) ]"])


def test_a_run_of_the_slice_where_the_whole_program_exceeds_a_bound(tmp_path: Path) -> None:
    program = jason_program(tmp_path, "wet(sea). !g(1). +!g(X) <- +p(X); !g(X + 1).")
    (answer,) = check_on_slice(check, program, ["A [ F !Bel(a, wet(sea)) ]"])
    assert answer.verdict.holds is False
    assert answer.verdict.run is not None


def name(term: Term, kind: str = "fact") -> SymbolPattern:
    return SymbolPattern("belief" if kind == "belief" else "fact", term)


def test_who_does_not_tell_all_changes_is_not_still() -> None:
    queried = (QueriedSymbol(name(constant("p")), "p"),)
    part = ProgramUnit("plan 1", None, name(constant("go")), edits=())
    root = EntryPoint("goal", name(constant("go")))
    assert cone_of_influence(
        Dependencies((part,), (root,), queried, writes_are_complete=True)
    ).left_out[1] == [0]
    assert cone_of_influence(Dependencies((part,), (root,), queried)).left_out[1] == []


@pytest.mark.parametrize(("changed", "still"), [("a", False), ("b", True)])
def test_what_is_derived_under_another_name_has_the_same_terms(changed: str, still: bool) -> None:
    pattern = Structure("p", (Variable("X"),))
    queried = (QueriedSymbol(name(Structure("p", (constant("a"),)), "belief"), "p(a)"),)
    update = Write(name(Structure("p", (constant(changed),))), "add", None)
    part = ProgramUnit(
        "plan 1",
        None,
        name(constant("go")),
        steps=(UnitStep("add", None, updates=(update,)),),
        edits=(),
    )
    derived = (DerivationRule(name(pattern, "belief"), (name(pattern),)),)
    root = EntryPoint("goal", name(constant("go")))
    assert (
        cone_of_influence(
            Dependencies((part,), (root,), queried, derived, writes_are_complete=True)
        ).atoms_are_constant
        is still
    )
