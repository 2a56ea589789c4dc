"""The new method on programs with variables, which the paper does not have: goals with several
plans, values from earlier deeds."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.slicing.counterexamples import Counterexample, H
from volition.slicing.gwendolen.slice import slice_program

KEPT = [
    # Rule 4: a posting that may use a plan that is not empty stays, and so do all plans for it.
    (
        "+!h [perform] : {True} <- +!g(_) [perform]; +!g(1) [perform] : {B no}; +!g(2) [perform] : "
        "{True} <- +b; +!g(1) [perform] : {True};",
        "A [ F Bel(ag, b) ]",
        True,
        "+!g(_)",
    ),
    (
        "+!h [perform] : {True} <- +!g(X) [perform]; +!g(1) [perform] : {True}; +!g(2) [perform] : "
        "{True} <- +b;",
        "A [ G !Bel(ag, b) ]",
        True,
        "+!g(X)",
    ),
    (
        "+!h [perform] : {True} <- +!g(2) [perform], +b; +!g(1) [perform] : {True};",
        "A [ G !Bel(ag, b) ]",
        True,
        "+!g(2)",
    ),
    (
        "+!h [perform] : {True} <- +!g(X) [perform], +b(X); +!g(1) [perform] : {True}; +!g(Y) "
        "[perform] : {True};",
        "A [ F Bel(ag, b(1)) ]",
        True,
        "+!g(X)",
    ),
    # A deed that gives a value to a variable of a deed that stays.
    ("+!h [perform] : {B n(N)} <- sum(N,1,M), +b(M);", "A [ F Bel(ag, b(2)) ]", True, "sum(N,1,M)"),
    (
        "+!h [perform] : {True} <- sum(1,1,M), sum(M,1,K), +!g(K) [perform]; +!g(X) [perform] : "
        "{True} <- +b(X);",
        "A [ F Bel(ag, b(3)) ]",
        True,
        "sum(1,1,M)",
    ),
    ("+!h [perform] : {True} <- *n(M), x, +b(M);", "A [ F Bel(ag, b(1)) ]", True, "*n(M)"),
    ("+!h [perform] : {True} <- -n(M), +b(M);", "A [ F Bel(ag, b(1)) ]", True, "-n(M)"),
]


@pytest.mark.parametrize(
    ("plans", "formula", "holds", "kept"), KEPT, ids=lambda each: str(each)[:40]
)
def test_what_variables_need_stays(
    plans: str, formula: str, holds: bool, kept: str, tmp_path: Path
) -> None:
    program = Counterexample("", "winikoff", H, plans, formula, holds, beliefs="n(1)").load(
        tmp_path
    )
    sliced = slice_program(program, [volition.parse(formula)], "winikoff")
    deeds = [
        str(deed)
        for agent in sliced.program.agents.values()
        for plan in agent.plans
        for deed in plan.body
    ]
    assert any(each.startswith(kept) for each in deeds)
    for checked in (program, sliced.program):
        assert volition.check(checked, formula)[0].verdict.holds is holds


def test_a_goal_whose_plans_are_all_empty_goes(tmp_path: Path) -> None:
    plans = (
        "+!h [perform] : {True} <- +!g(1) [perform], +b; +!g(2) [perform] : {B n(1)}; +!g(X) "
        "[perform] : {True} <- x;"
    )
    program = Counterexample("", "winikoff", H, plans, "", True).load(tmp_path)
    sliced = slice_program(program, [volition.parse("A [ F Bel(ag, b) ]")], "winikoff")
    assert [str(deed) for plan in sliced.program.agents["ag"].plans for deed in plan.body] == ["+b"]


def test_a_deed_that_only_computes_is_not_one_on_which_percepts_depend(tmp_path: Path) -> None:
    program = Counterexample(
        "", "winikoff", H, "+!h [perform] : {True} <- +b, sum(1,1,_);", "", True
    ).load(tmp_path)
    warnings = slice_program(program, [volition.parse("A [ F Bel(ag, b) ]")], "winikoff").warnings
    assert [each.message.split(":")[0].rsplit(" ", 1)[1] for each in warnings] == ["(D11)"]
