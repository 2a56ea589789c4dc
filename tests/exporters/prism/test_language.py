"""The PRISM printer: what it prints means what the tree means."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.exporters.storm import build
from volition.exporters.prism.language import (
    FALSE,
    TRUE,
    Command,
    Expression,
    Identifiers,
    IntVariable,
    LabelDeclaration,
    Module,
    NumberLiteral,
    PrismProgram,
    Reference,
    RewardEntry,
    RewardStructure,
    Update,
    arithmetic,
    conjunction,
    disjunction,
    equals,
    negation,
    render,
)

A, B, C = equals("a", 1), equals("b", 0), equals("c", 2)


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (conjunction(A, B), "a=1 & b=0"),
        (conjunction(A, conjunction(B, C)), "a=1 & b=0 & c=2"),
        (conjunction(A, A, TRUE), "a=1"),
        (conjunction(A, FALSE), "false"),
        (conjunction(), "true"),
        (disjunction(A, conjunction(B, C)), "a=1 | (b=0 & c=2)"),
        (conjunction(A, disjunction(B, C)), "a=1 & (b=0 | c=2)"),
        (disjunction(), "false"),
        (negation(conjunction(A, B)), "!(a=1 & b=0)"),
        (negation(negation(A)), "a=1"),
        (negation(TRUE), "false"),
        (arithmetic("-", 7, arithmetic("-", Reference("v"), 2)), "7-(v-2)"),
        (arithmetic("-", arithmetic("-", 7, Reference("v")), 2), "7-v-2"),
        (
            arithmetic("*", Fraction(3, 5), arithmetic("/", arithmetic("-", 7, Reference("v")), 5)),
            "0.6*((7-v)/5)",
        ),
        (arithmetic("/", Reference("v"), Fraction(1, 3)), "v/(1/3)"),
    ],
)
def test_expressions(expression: Expression, text: str) -> None:
    assert str(expression) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [("1", "1"), ("0.1", "0.1"), ("1/3", "1/3"), ("0.05", "0.05"), ("1/1024", "0.0009765625")],
)
def test_numbers_are_exact(value: str, text: str) -> None:
    assert str(NumberLiteral(Fraction(value))) == text


def test_identifiers() -> None:
    names = Identifiers()
    queried = ("mission", "max", "2 more", "a b", "a_b", "a b")
    assert [names.of(each) for each in queried] == [
        "mission",
        "max_",
        "_2_more",
        "a_b",
        "a_b_",
        "a_b",
    ]
    assert [names.fresh("a b"), names.fresh("free")] == ["a_b__", "free"]


def test_a_program() -> None:
    """A biased coin, tossed until it shows heads: Storm reads what was printed."""
    toss = Command(
        "toss",
        equals("s", 0),
        (
            Update((("s", NumberLiteral(Fraction(1))),), NumberLiteral(Fraction(1, 3))),
            Update((), NumberLiteral(Fraction(2, 3))),
        ),
    )
    stay = Command("", equals("s", 1), (Update(()),))
    coin = Module("coin", (IntVariable("s", 0, 1, 0),), (toss, stay), ("a coin",))
    rewards = RewardStructure("tosses", (RewardEntry(equals("s", 0), Fraction(1)),))
    program = PrismProgram(
        "dtmc", ("Heads.",), (coin,), (rewards,), (LabelDeclaration("heads", equals("s", 1)),)
    )
    built = build(render(program), ['P=? [F<=2 "heads"]', 'R{"tosses"}=? [F "heads"]'])
    assert (built.states, built.transitions) == (2, 3)
    assert list(built.values) == pytest.approx([5 / 9, 3])
