"""Properties that hold because their condition never happens say so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from tests.checking.properties import on_graph
from tests.checking.small_systems import SmallSystem, ltl_formulas, small_systems
from volition.logic import formula_text, parse
from volition.logic.syntax import Constant, Formula, Iff, Implies, Not, Or, PathQuantifier

# a, then b, then b for ever; c never.
SYSTEM = SmallSystem(edges=(((0, 1),), ((0, 1),)), labels=(frozenset("a"), frozenset("b")))


@pytest.mark.parametrize(
    ("formula", "vacuous"),
    [
        ("A [ G (c -> b) ]", ["c"]),
        ("AG (c -> AF b)", ["c"]),
        ("A [ G (c -> F b) ]", ["c"]),
        ("A [ G (!c | F b) ]", ["c"]),
        ("A [ G ((a & c) -> X (b U a)) ]", ["(a & c)"]),
        ("A [ X G (a -> F c) ]", ["a"]),
        ("A [ G (c -> (a -> b)) ]", ["c"]),
        ("A [ G (b -> (a -> c)) ]", ["a"]),
        ("A [ G (a -> F b) ]", []),
        ("A [ (F c) -> false ]", []),
        ("AG (c -> false)", []),
        ("A [ G (a -> X b) ] & A [ G (c -> b) ]", ["c"]),
        ("!E [ F (c -> a) ] | A [ G (a -> F b) ]", []),
    ],
)
def test_vacuous_implications_are_named(formula: str, vacuous: list[str]) -> None:
    verdict = on_graph(SYSTEM, SYSTEM.explored(), parse(formula))
    assert verdict.holds is True
    assert [note.split("'")[1] for note in verdict.notes] == vacuous
    assert all(note.startswith("holds vacuously") for note in verdict.notes)


def test_nothing_is_said_of_what_fails() -> None:
    verdict = on_graph(SYSTEM, SYSTEM.explored(), parse("A [ G (c -> b) ] & A [ G a ]"))
    assert verdict.holds is False
    assert verdict.notes == ()


@pytest.mark.parametrize("formula", ["AG (c -> false)", "AG (c -> !true)", "AG !c"])
def test_what_is_never_to_hold_is_not_vacuous(formula: str) -> None:
    verdict = on_graph(SYSTEM, SYSTEM.explored(), parse(formula))
    assert verdict.holds is True
    assert verdict.notes == ()


def with_false(formula: Any, positive: bool = True) -> Iterator[tuple[str, Formula, list[str]]]:
    """By the definition: each implication's left side, the formula with its right side replaced by
    false, and the left sides inside it."""
    if isinstance(formula, Iff):
        return
    disjunction = isinstance(formula, Or) and isinstance(formula.left, Not)
    if (
        positive
        and (isinstance(formula, Implies) or disjunction)
        and formula.right != Constant(False)
    ):
        left = formula.left.operand if disjunction else formula.left
        inside = [
            text
            for name in ("left", "right")
            for text, _, _ in with_false(getattr(formula, name), name == "right" or disjunction)
        ]
        yield formula_text(left), replace(formula, right=Constant(False)), inside
    for name in ("left", "right", "operand", "path"):
        part = getattr(formula, name, None)
        if part is not None:
            negates = isinstance(formula, Not) or (isinstance(formula, Implies) and name == "left")
            for text, changed, inside in with_false(part, positive != negates):
                yield text, replace(formula, **{name: changed}), inside


@settings(max_examples=60, deadline=None)
@given(small_systems(), ltl_formulas(atoms=5, bounded=False))
def test_the_definition_word_by_word(system: SmallSystem, path: Formula) -> None:
    space = system.explored()
    formula = PathQuantifier("A", path)
    verdict = on_graph(system, space, formula)
    vacuous = [
        (text, inside)
        for text, changed, inside in with_false(formula)
        if on_graph(system, space, changed).holds
    ]
    texts = [note.split("'")[1] for note in verdict.notes]
    if not verdict.holds:
        assert texts == []
        return
    assert set(texts) <= {text for text, _ in vacuous}
    covered = {text for _, inside in vacuous for text in inside}
    assert {text for text, _ in vacuous} <= {*texts, *covered}
