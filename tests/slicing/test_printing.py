"""Slices as text: read again, they are the slices that they were."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import volition
from tests.slicing.generator import random_program
from volition.diagnostics import Diagnostics, Source
from volition.languages.gwendolen.grammar import read_agents
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import AgentProgram
from volition.slicing.gwendolen.printing import text_of_slice
from volition.slicing.gwendolen.slice import METHODS, SlicedProgram, slice_program

EXAMPLES = Path(__file__).parents[2] / "examples" / "gwendolen"
RICH = """EASS
:name: ag
:Initial Beliefs:
at(1), name("it's"), path([a, b])
:Reasoning Rules:
far(X) :- at(Y), [Y < X], ~(at(X), ~name(_));
next(X, Y) :- path([X, Y|_]), !;
:Initial Goals:
go(3) [achieve]
:Capabilities:
{at(X)} move(X) {at(X)}
:Plans:
+!go(X) [achieve] : {B at(Y), Y < X, ~G rest [perform]} <- -at(Y), +at((Y + 1)), move((Y * (2 - X))), .send(ag, :tell, at(Y));
+!go(X) [achieve] : {.sent(ag, :tell, at(_)), B at(Z), Z == X} <- +.lock, *~far(X), -.lock, -!go(X) [achieve];
+.received(:tell, M) : {True} <- +M, +count([M|_]);
-!go(_) [achieve] : {True};
"""  # noqa: E501


def reread(sliced: SlicedProgram) -> list[AgentProgram]:
    errors = Diagnostics()
    agents = read_agents(Source("slice", text_of_slice(sliced)), "gwendolen", "", errors)
    assert not errors.errors
    return agents


def same(written: AgentProgram, read: AgentProgram) -> bool:
    """But for the numbers of the plans, which those of a file have in their order."""
    plans = [
        [(plan.trigger, plan.guard, plan.body) for plan in each.plans] for each in (written, read)
    ]
    rest = [
        (each.name, each.cycle, each.abstracts, each.rules, each.capabilities)
        for each in (written, read)
    ]
    facts = [
        ([atom for atom, _ in each.beliefs], [goal for goal, _ in each.goals])
        for each in (written, read)
    ]
    return all(one == other for one, other in (plans, rest, facts))


def assert_read_again(program: GwendolenProgram, formulas: list[str]) -> None:
    for method in METHODS:
        sliced = slice_program(program, [volition.parse(each) for each in formulas], method)
        pairs = list(zip(sliced.program.agents.values(), reread(sliced), strict=True))
        assert all(same(*pair) for pair in pairs)


def test_everything_that_a_program_may_say(tmp_path: Path) -> None:
    (tmp_path / "ag.eass").write_text(RICH)
    program = volition.load(tmp_path / "ag.eass")
    assert isinstance(program, GwendolenProgram)
    assert_read_again(program, ["A [ F Bel(ag, at(3)) ]"])
    assert_read_again(program, ["A [ G !Does(ag, move(_)) ]", "A [ F Bel(ag, count(_)) ]"])


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.gwendolen")), ids=lambda path: path.stem)
def test_examples(path: Path) -> None:
    program = volition.load(path, trust=True)
    assert isinstance(program, GwendolenProgram)
    assert_read_again(
        program,
        [each.text for each in program.properties if not each.text.startswith(("P", "R"))][:2],
    )


def test_random_programs(tmp_path: Path) -> None:
    for seed in range(60):
        random = Random(seed)
        assert_read_again(random_program(random).load(tmp_path), ["A [ G !Bel(ag, a) ]"])


def test_a_program_that_uses_the_name_of_the_no_op(tmp_path: Path) -> None:
    file = tmp_path / "ag.gwen"
    file.write_text(
        "GWENDOLEN\n:name: ag\n:Initial Beliefs:\n:Initial Goals:\nh [perform]\n:Plans:\n+!h "
        "[perform] : {True} <- y, skip, +a;\n"
    )
    program = volition.load(file)
    assert isinstance(program, GwendolenProgram)
    sliced = slice_program(program, [volition.parse("A [ F Bel(ag, a) ]")])
    assert "<- skip2, skip2, +a;" in text_of_slice(sliced)
