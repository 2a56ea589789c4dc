"""A slice of a Jason system does what the system does: plans go that no event can be for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.languages.jason.random_programs import random_system
from volition import load, slice
from volition.diagnostics import InputError
from volition.kernel import Limits, explore
from volition.languages.jason import JasonProgram
from volition.logic import parse
from volition.logic.syntax import Atom


def system(folder: Path, agents: Mapping[str, str], options: str = "") -> JasonProgram:
    for name, text in agents.items():
        (folder / f"{name}.asl").write_text(text)
    (folder / "s.mas2j").write_text(f"MAS s {{ agents: {' '.join(f'{name};' for name in agents)} }}")
    (folder / "s.volition").write_text(options)
    program = load(folder / "s.mas2j")
    assert isinstance(program, JasonProgram)
    return program


def plans_left(program: JasonProgram, formula: str) -> list[str]:
    sliced = slice(program, formula).program
    assert isinstance(sliced, JasonProgram)
    return [f"{agent}: {plan.trigger}" for agent, each in sliced.agents.items() for plan in each.plans]


def test_plans_go_that_nothing_triggers(tmp_path: Path) -> None:
    agents = {
        "amy": "p. !go. +!go <- .send(bob, tell, news(1)); .send(bob, achieve, [run]). "
        "+!old <- !older. +!older <- +x. +x. -!go. ^!go[state(S)].",
        "bob": '+news(X) <- -+seen(X); ?here. +?here <- .at("now", {+!later}). +!later. +!run. '
        "+seen(X). -seen(X). +gone. -!run. +?never.",
    }  # fmt: skip
    assert plans_left(system(tmp_path, agents), "F Bel(bob, seen(1))") == [
        "amy: +!go", "amy: -!go", "amy: ^!go[state(S)]",
        "bob: +news(X)", "bob: +?here", "bob: +!later", "bob: +!run", "bob: +seen(X)", "bob: -seen(X)", "bob: -!run",
    ]  # fmt: skip


@pytest.mark.parametrize("step", ["!G", "+G", "G", ".send(amy, achieve, G)", ".send(A, tell, G)"])
def test_what_a_variable_stands_for_may_be_anything(step: str, tmp_path: Path) -> None:
    agents = {"amy": f"want(b, amy). !go. +!go : want(G, A) <- {step}. +!b. +b. +!c. +c."}
    assert len(plans_left(system(tmp_path, agents), "F Bel(amy, want(b, amy))")) == 5


def test_who_counts_steps_keeps_all_plans_unless_all_parts_are_steps(tmp_path: Path) -> None:
    program = system(tmp_path, {"amy": "!go. +!go <- +done. +!old."})
    assert len(plans_left(program, "F Bel(amy, done)")) == 1
    assert len(plans_left(program, "X X Bel(amy, done)")) == 2
    assert len(plans_left(system(tmp_path, {"amy": "!go. +!go <- +done. +!old."}, "cycle = parts"), "X X Bel(amy, done)")) == 1


def test_a_slice_carries_the_formula(tmp_path: Path) -> None:
    program = system(tmp_path, {"amy": "!go. +!go <- +done. +!old."}, "M_Ev = 7\nproperties\nG !Bel(amy, done)")
    sliced = slice(program, "F Bel(amy, done)")
    assert "+!old" not in sliced.texts["amy.asl"]
    assert "".join(sliced.texts["s.volition"].split()) == "M_Ev=7propertiesA[FBel(amy,done)]"


DEAD = "\n+!dead(X) <- +buried(X); !dead(X + 1). +buried(X) <- .send(zoe, tell, buried(X)). -!dead(_) <- turn(1).\n"


@pytest.mark.parametrize("cycle", ["parts", "exact"])
def test_a_slice_believes_what_the_system_believes(cycle: str, tmp_path: Path) -> None:
    """Some random systems want what is the value of a variable, so that nothing can go; most can be looked at as a whole."""
    gone = compared = 0
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = random_system(seed).write(folder, cycle)
        for file in folder.glob("*.asl"):
            file.write_text(file.read_text() + (DEAD if (folder / "small.world").exists() else DEAD.replace("turn(1)", "true")))
        program = load(path)
        assert isinstance(program, JasonProgram)
        sliced = slice(program, f"F Des({next(iter(program.agents))}, dead(1))").program
        assert isinstance(sliced, JasonProgram)
        gone += sum(len(program.agents[name].plans) - len(each.plans) for name, each in sliced.agents.items())
        words = [each for each in program.model().words()["beliefs"] if "buried" not in each]
        for word in words[:2]:
            whole, part = truths(program, word), truths(sliced, word)
            if whole is not None and part is not None:
                assert whole == part, f"seed {seed}: {word}"
                compared += 1
    assert gone > 8
    assert compared > 4


def truths(program: JasonProgram, word: str) -> set[tuple[bool, bool]] | None:
    """What may become of the truth of an atom from one state to the next, as the cycle is cut for its sake.

    Nothing where a run exceeds a bound, or the states are too many to look at all.
    """
    atom = parse(word)
    assert isinstance(atom, Atom)
    model = program.model([atom])
    holds = model.resolve(atom)
    try:
        space = explore(model.system, limits=Limits(states=400))
    except InputError:
        return None
    if space.num_states > 400:
        return None
    now = [holds(space.values(state)) for state in range(space.num_states)]
    steps = [
        (state, int(target)) for state in range(space.num_states) for each in space.choices_of(state) for target in space.targets_of(each)
    ]
    return {(now[state], now[target]) for state, target in steps if now[state] != now[target]} | {(now[0], now[0])}
