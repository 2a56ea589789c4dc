"""What is printed reads back as the same program."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.languages.can.random_programs import program_text, programs
from tests.languages.can.reference import Program
from tests.languages.can.small import agent, program
from volition.languages.can.printing import agent_text, body_text, condition_text, number_text
from volition.languages.can.syntax import AgentProgram

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "can").glob("*.can"))


def without_places(read: AgentProgram) -> AgentProgram:
    """Properties know where they stand, which printing changes."""
    return replace(read, properties=())


def stated(read: AgentProgram) -> list[tuple[str, str | None, str | None]]:
    return [(each.text, each.expected, each.name) for each in read.properties]


@settings(max_examples=60, deadline=None)
@given(programs())
def test_round_trip_of_random_programs(random: Program) -> None:
    read = program(program_text(random)).agent
    again = program(agent_text(read)).agent
    assert again == read


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_round_trip_of_examples(path: Path) -> None:
    read = program(path.read_text(encoding="utf-8")).agent
    again = program(agent_text(read)).agent
    assert without_places(again) == without_places(read)
    assert stated(again) == stated(read)


def test_round_trip_of_everything_else() -> None:
    text = """
// Parameters
p = 0.25, q = 1 - p
// Initial belief bases
1. a, x = -1.5
3. x = p
// External events
go, go
// Plan library
go : (a | b) & !(a & b) | x - (1 - x) > 2 * (x + 1) / 3 <- (+a |> -a) |> ((?a & (b | c); x := -x) || act).
// Actions description
act : true <- q: <{a},{b, x := min(x, max(1, x))}> + p: <{},{}>
// Background
!b <- +b, -c, x := x - -1.
// Labels
l : finished(go) | blocked(2) & !active(1).
// Rewards
r : act = p, select(1) = 2, "▷;" = 3, "A_step(2)" = 1, Bel(a & x > 1) = 4.
// Policies
events : fixed 2, 1.
intentions : probabilities 1 = p, 2 = q.
plans : round-robin.
update : stuck.
"""  # noqa: E501
    read = program(text).agent
    assert program(agent_text(read)).agent == read


@pytest.mark.parametrize(
    "text",
    [
        "a; b || c |> d",
        "(a |> b) |> c",
        "a; (b; c)",
        "(a; b); c",
        "a || (b || c)",
        "a || b || c",
        "a; (b || c); d",
        "goal(a, b |> c, d)",
    ],
)
def test_no_more_brackets_than_needed(text: str) -> None:
    """Sequences and recoveries group to the right, concurrency to the left."""
    calls = "// Plans\n" + "".join(f"{name} : true <- .\n" for name in "abcd")
    conditions = text.replace("goal(a", "goal(s").replace(", d)", ", f)")
    body = program(agent(conditions, rest=calls)).agent.plans[0].body
    expected = "a; b; c" if text == "a; (b; c)" else conditions
    assert body_text(body) == expected


@pytest.mark.parametrize(
    "text",
    [
        "a & b | c",
        "a & (b | c)",
        "!(a & b)",
        "!a & b",
        "!(x > 1)",
        "a & (b & c)",
        "x - (1 - x) > 2 * (x + 1)",
    ],
)
def test_brackets_of_conditions(text: str) -> None:
    context = (
        program(agent("+a", beliefs="x = 1", rest=f"// Plans\ngo : {text} <- ."))
        .agent.plans[1]
        .context
    )
    assert condition_text(context) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("3", "3"),
        ("-3", "-3"),
        ("0.5", "0.5"),
        ("-0.25", "-0.25"),
        ("0.05", "0.05"),
        ("12.3", "12.3"),
        ("1/3", "1 / 3"),
        ("0", "0"),
    ],
)
def test_numbers(number: str, text: str) -> None:
    assert number_text(Fraction(number)) == text
