"""Properties that hold by guards: only those that do."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import volition
from tests.slicing.generator import random_program
from volition.languages.gwendolen.program import GwendolenProgram
from volition.logic.printing import formula_text
from volition.slicing.conjunctions import conjuncts
from volition.slicing.gwendolen.guarded_actions import guarded_action

FREE = "free percept p\nfree percept q\n"
FORMULA = "A [ G (Does(ag, x) -> Bel(ag, p)) ]"


def program(
    folder: Path,
    plans: str,
    *,
    rules: str = "",
    world: str = FREE,
    beliefs: str = "",
    **settings: str,
) -> GwendolenProgram:
    file = folder / "ag.gwen"
    parts = [
        "GWENDOLEN",
        ":name: ag",
        ":Initial Beliefs:",
        beliefs,
        ":Reasoning Rules:",
        rules,
        ":Initial Goals:",
        "h [perform]",
        ":Plans:",
    ]
    file.write_text("\n".join([*parts, plans]))
    file.with_suffix(".world").write_text(world)
    loaded = volition.load(file, settings)
    assert isinstance(loaded, GwendolenProgram)
    return loaded


def holds_by_guards(loaded: GwendolenProgram, formula: str) -> bool:
    return all(
        guarded_action(loaded, part) is not None for part in conjuncts(volition.parse(formula))
    )


@pytest.mark.parametrize(
    ("plans", "rules"),
    [
        ("+!h [perform] : {B p} <- x, y;", ""),
        ("+!h [perform] : {~B q, B p} <- x;  +q : {B p} <- perf(x);", ""),
        ("+!h [perform] : {B r} <- x;", "r :- p, ~q;"),
        ("+!h [perform] : {B r} <- x;", "r :- s, p; s :- q; r :- p;"),
        ("+!h [perform] : {True} <- y;  +p : {B p} <- x;", ""),
    ],
)
@pytest.mark.parametrize("cycle", ["gwendolen", "eass"])
def test_what_holds_by_guards(plans: str, rules: str, cycle: str, tmp_path: Path) -> None:
    loaded = program(tmp_path, plans, rules=rules, cycle=cycle)
    assert holds_by_guards(loaded, FORMULA)
    assert volition.check(loaded, FORMULA, max_states=5000)[0].verdict.holds


@pytest.mark.parametrize(
    ("action", "holds"),
    [("action x by Who do add q", True), ("action x(Who) by Who do add q", False)],
)
def test_an_action_that_anybody_can_do(action: str, holds: bool, tmp_path: Path) -> None:
    """It does not fail, whoever does it; one that is for its own doer may."""
    deed = "x" if holds else "x(other)"
    loaded = program(
        tmp_path,
        f"+!h [perform] : {{B p}} <- {deed};",
        world=f"percept p initially p\npercept q\n{action}\n",
    )
    assert holds_by_guards(loaded, f"A [ G (Does(ag, {deed}) -> Bel(ag, p)) ]") is holds


@pytest.mark.parametrize(
    ("plans", "rules", "world", "settings"),
    [
        ("+!h [perform] : {True} <- x;", "", FREE, {}),
        ("+!h [perform] : {~B p} <- x;", "", FREE, {}),
        ("+!h [perform] : {B p} <- y, x;", "", FREE, {}),
        ("+!h [perform] : {B p} <- x, x;", "", FREE, {}),
        ("+!h [perform] : {B p} <- x;  +q : {True} <- x;", "", FREE, {}),
        ("+!h [perform] : {B r} <- x;", "r :- p; r :- q;", FREE, {}),
        ("+!h [perform] : {B r} <- x;", "r :- ~p;", FREE, {}),
        ("+!h [perform] : {B r} <- x;  +q : {True} <- +r;", "r :- p;", FREE, {}),
        ("+!h [perform] : {B p} <- x;", "", FREE, {"does": "last"}),
        ("+!h [perform] : {B p} <- x;", "", FREE + "percept s\naction x when s do nothing\n", {}),
    ],
    ids=[
        "no guard",
        "negated",
        "second deed",
        "again",
        "other plan",
        "other rule",
        "negated rule",
        "fact",
        "last",
        "may fail",
    ],
)
def test_what_does_not(
    plans: str, rules: str, world: str, settings: dict[str, str], tmp_path: Path
) -> None:
    assert not holds_by_guards(
        program(tmp_path, plans, rules=rules, world=world, **settings), FORMULA
    )


@pytest.mark.parametrize(
    ("guard", "deed", "does", "believes", "is_sure"),
    [
        ("B at(X)", "go(X)", "go(1)", "at(1)", True),
        ("B at(X)", "go(X)", "go(_)", "at(_)", True),
        ("B at(X)", "go(X)", "go(1)", "at(2)", False),
        ("B at(_)", "go(1)", "go(1)", "at(1)", False),
        ("B at(X), B on(Y)", "go(Y)", "go(1)", "at(1)", False),
    ],
)
def test_variables(
    guard: str, deed: str, does: str, believes: str, is_sure: bool, tmp_path: Path
) -> None:
    loaded = program(
        tmp_path, f"+!h [perform] : {{{guard}}} <- {deed};", beliefs="at(1), at(2), on(1)"
    )
    assert holds_by_guards(loaded, f"A [ G (Does(ag, {does}) -> Bel(ag, {believes})) ]") is is_sure


def test_parts_of_a_formula() -> None:
    formula = "A [ G ((Does(ag, x) -> Bel(ag, p)) & (Does(ag, y) -> Bel(ag, q))) ]"
    assert [formula_text(each) for each in conjuncts(volition.parse(formula))] == [
        "G (Does(ag, x) -> Bel(ag, p))",
        "G (Does(ag, y) -> Bel(ag, q))",
    ]


def test_random_programs(tmp_path: Path) -> None:
    """Whatever is said to hold by guards does."""
    found = 0
    for seed in range(60):
        loaded = random_program(Random(seed)).load(tmp_path)
        for action in "xy":
            for belief in "abpqr":
                formula = f"A [ G (Does(ag, {action}) -> Bel(ag, {belief})) ]"
                try:
                    if not holds_by_guards(loaded, formula):
                        continue
                    verdict = volition.check(loaded, formula, max_states=300)[0].verdict
                except volition.InputError:
                    continue  # a name that this program does not know
                found += 1
                assert verdict.holds is not False
    assert found > 10
