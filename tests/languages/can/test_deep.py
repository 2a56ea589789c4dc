"""Programs that are nested deeply, or are long: they are read, printed and explored like any other,
in time that grows with their size."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from volition import check, load
from volition.diagnostics import Source
from volition.languages.can.printing import agent_text
from volition.languages.can.program import CanProgram, parse
from volition.languages.common.properties import read_property_texts

DEEP = 1_500


def program(body: str, *, context: str = "true", more: str = "") -> CanProgram:
    text = f"""
// Initial belief bases
x = 1, b
// External events
go
// Plan library
go : {context} <- {body}.
// Actions description
act : true <- <{{}},{{b}}>
{more}"""
    return parse(Source("deep.can", text), "deep", {})


BODIES = {
    "a sequence": "; ".join(["act"] * 10_000),
    "a sequence on the left": "(" * DEEP + "act" + "; act)" * DEEP,
    "goals": "goal(b & x > 3, " * DEEP + "act" + ", false)" * DEEP,
    "brackets": "(" * DEEP + "act" + ")" * DEEP,
    "concurrency": " || ".join(["act"] * DEEP),
    "concurrency on the right": "(act || " * DEEP + "act" + ")" * DEEP,
    "recovery": " |> ".join(["act"] * DEEP),
    "min": "x := " + "min(x, " * DEEP + "1" + ")" * DEEP,
    "a sum": "x := " + " + ".join(["x"] * DEEP),
    "signs": "x := " + "- " * DEEP + "x",
    "a test": "?" + "!(" * 10_000 + "b" + ")" * 10_000,
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_bodies_are_read_and_printed(body: str) -> None:
    """Thousands of levels; what is printed reads back as the same program."""
    deep = program(body)
    assert deep.tables()
    again = parse(Source("again.can", agent_text(deep.agent)), "deep", {})
    assert again.agent.plans == deep.agent.plans
    assert hash(again.agent.plans[0]) == hash(deep.agent.plans[0])


@pytest.mark.parametrize("odd", [False, True])
def test_conditions_are_evaluated(odd: bool) -> None:
    """``b`` is believed, so that an even number of negations holds and an odd one does not."""
    depth = DEEP + odd
    deep = program(
        "+done",
        context="!(" * depth + "b" + ")" * depth,
        more="// Labels\nhere : " + " & ".join(["b"] * DEEP) + ".\n",
    )
    verdicts = [
        answer.verdict.holds
        for answer in check(
            deep, read_property_texts(["E [ F done ]", "A [ G here ]"], deep)
        ).answers
    ]
    assert verdicts == [not odd, True]


def test_a_long_body_has_a_state_for_each_action() -> None:
    """Archibald et al., Figs. 1 and 2: adoption, event, select, n actions, ▷⊤ and A_update are n +
    5 steps, so n + 6 states."""
    long = program("; ".join(["act"] * 1000))
    report = check(long, read_property_texts(["A [ F empty ]"], long))
    assert report.answers[0].verdict.holds
    assert report.explorations[0].space.num_states == 1006


@pytest.mark.parametrize(
    "body",
    [
        "(" * 250 + "+done" + " || act)" * 250,
        "(" * 250 + "+done" + " |> act)" * 250,
        "goal(done, " * 250 + "+done" + ", false)" * 250,
    ],
    ids=["concurrency", "recovery", "goals"],
)
def test_what_is_nested_deeply_makes_its_steps(body: str) -> None:
    deep = program(body)
    assert check(deep, read_property_texts(["E [ F done ]"], deep)).answers[0].verdict.holds


def test_equal_terms_are_equal_after_a_journey() -> None:
    """Texts have other hashes in other processes: a term that was sent there and back is made
    again."""
    body = program("goal(b & x > 3, act; +c, false) |> act").agent.plans[0].body
    again = pickle.loads(pickle.dumps(body))
    assert again == body
    assert hash(again) == hash(body)
    assert again.span is not None


def many_plans(count: int, act: str = "act", b: str = "b") -> str:
    plans = [f"e{i} : {b}{i} & !c{i} <- {act}{i}; e{i + 1}; +c{i}." for i in range(count)]
    actions = [f"{act}{i} : {b}{i} <- <{{{b}{i}}},{{c{i}}}>" for i in range(count)]
    beliefs = ", ".join(f"{b}{i}" for i in range(count))
    lines = [
        "// Initial belief bases",
        beliefs,
        "// External events",
        "e0",
        "// Plan library",
        *plans,
        f"e{count} : true <- +done.",
    ]
    return "\n".join([*lines, "// Actions description", *actions]) + "\n"


def names_of(length: int) -> str:
    return many_plans(8, "a" * length, "b" * length)


@pytest.mark.parametrize(
    ("make", "size"), [(many_plans, 150), (names_of, 4000)], ids=["plans", "names"]
)
def test_reading_is_linear(make: Callable[[int], str], size: int) -> None:
    """Four times the text takes about four times as long; sixteen times would be quadratic."""
    program("act")  # the grammar is made first

    def seconds(text: str) -> float:
        times = []
        for _ in range(2):
            start = time.process_time()
            parse(Source("long.can", text), "long", {}).tables()
            times.append(time.process_time() - start)
        return min(times)

    short, long = seconds(make(size)), seconds(make(4 * size))
    assert long < 9 * short + 0.05


def test_long_files_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "many.can"
    path.write_text(many_plans(100))
    assert len(load(path).tables()) == 4
