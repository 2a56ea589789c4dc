"""``true`` and ``false`` mean the same in every spelling, also in goal rules, where a formula
without B and G is one that is desired."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volition import check
from volition.diagnostics import Source
from volition.languages.dribble.program import read

Expression = tuple[object, ...]
ATOMS = ("a", "b")

expressions: st.SearchStrategy[Expression] = st.recursive(
    st.sampled_from([("true",), ("false",), ("true",), ("atom", "a"), ("atom", "b")]),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.just("and"), inner, inner),
        st.tuples(st.just("or"), inner, inner),
    ),
    max_leaves=5,
)


def text(expression: Expression) -> str:
    match expression:
        case ("atom", name):
            return str(name)
        case ("not", inner):
            return f"~({text(inner)})"  # type: ignore[arg-type]
        case (("and" | "or") as operator, left, right):
            return f"({text(left)}) {'&' if operator == 'and' else '|'} ({text(right)})"  # type: ignore[arg-type]
    return str(expression[0])


def value(expression: Expression, world: dict[str, bool | None]) -> bool | None:
    """Kleene's logic: an atom may be unknown."""
    match expression:
        case ("atom", name):
            return world[str(name)]
        case ("not", inner):
            operand = value(inner, world)  # type: ignore[arg-type]
            return None if operand is None else not operand
        case (("and" | "or") as operator, left, right):
            sides = {value(left, world), value(right, world)}  # type: ignore[arg-type]
            decisive = operator == "or"
            return decisive if decisive in sides else None if None in sides else not decisive
    return expression[0] == "true"


def adopts(guard: str, goals: str) -> bool:
    """Whether an agent with these goals ever comes to execute the plan of its only goal rule."""
    program = read(
        Source(
            "p.dribble",
            f"len_max: 3\ngoals: {goals}\nactions:\n  go => c\n  other => a & b\ngoal rules:\n  "
            f"{guard} -> go\n",
        ),
        "p",
    )
    return bool(check(program, ["E [ F Does(go) ]"]).answers[0].verdict.holds)


@given(expressions, st.sampled_from([None, "a", "b"]))
def test_a_bare_guard(expression: Expression, goal: str | None) -> None:
    """What the constants decide is so with and without goals; anything else must follow from some
    goal (Trang et al., Sect. 2.1)."""
    constant = value(expression, dict.fromkeys(ATOMS))
    worlds = [dict(zip(ATOMS, signs, strict=True)) for signs in product([False, True], repeat=2)]
    desired = goal is not None and all(
        value(expression, {**world}) for world in worlds if world[goal]
    )
    assert adopts(text(expression), goal or "") == (desired if constant is None else constant)


@pytest.mark.parametrize(
    "spelling",
    [
        "true",
        "true & true",
        "(true | true)",
        "~(~(true))",
        "~false",
        "true | a",
        "not (false and a)",
    ],
)
def test_spellings_of_true(spelling: str) -> None:
    assert adopts(spelling, "")
    assert not adopts(f"~({spelling})", "a")
    assert not adopts(f"G({spelling})", "")
    assert adopts(f"G({spelling})", "a")
