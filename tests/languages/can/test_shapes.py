"""What a program costs follows its text: wide, deep and long programs have as many states as the
rules say, and few traced calls.

The counts are those of the rules of Archibald et al., Figs. 1, 2 and 7, by hand.
"""

from __future__ import annotations

import pickle

import pytest

from tests.checking.properties import on_graph
from tests.languages.can.small import agent, program, space
from volition.kernel import explore
from volition.logic.parsing.parser import parse


def actions(count: int) -> str:
    return "\n".join(f"a{i} : true <- <{{}},{{b{i}}}>" for i in range(count))


@pytest.mark.parametrize("count", [2, 5, 10])
def test_branches(count: int) -> None:
    """A branch is done or not, and ∥⊤ makes one of two that are done: t(1) = 2, t(n) = 2 t(n - 1) +
    1.

    Before are the states in which the event waits, is adopted, and has its plans listed; after it
    ``nil`` and nothing.
    """
    states = 2
    for _ in range(count - 1):
        states = 2 * states + 1
    wide = space(agent(" || ".join(f"a{i}" for i in range(count)), actions=actions(count)))
    assert wide.num_states == states + 5
    assert wide.stats.python_calls < 14 * count


def test_branches_of_many_shapes_share_slots() -> None:
    """Plans that are not under way together, and what comes one after the other, need no slots of
    their own."""
    bodies = [
        "(a0 || a1); (a1 || (a0 || a1))",
        "(a0 || a1) |> (a1 || a0)",
        "goal(b0, a0 || a1, false)",
    ]
    several = program(
        agent(
            bodies[0],
            plans=" ".join(f"go : true <- {body}." for body in bodies[1:]),
            actions=actions(2),
        )
    )
    slots = [slot for slot in several.model().system.slots if slot.startswith("intention")]
    assert slots == [
        "intention 1",
        "intention 1 ∥1",
        "intention 1 ∥2",
        "intention 1 ∥2 ∥1",
        "intention 1 ∥2 ∥2",
    ]


@pytest.mark.parametrize("depth", [10, 98])
def test_recursion(depth: int) -> None:
    """One run: adoption, event and selection for go, event; select, := and ;⊤ event at each level,
    select and +done at the bottom, ▷⊤;

    ;⊤ := and ▷⊤ for each level, ▷⊤ for go, A_update: 5 n + 9 steps.
    """
    plans = "down : x > 0 <- x := x - 1; down; y := y + 1. down : x = 0 <- +done."
    deep = space(agent("down", beliefs=f"x = {depth}, y = 0", plans=plans))
    assert deep.num_states == 5 * depth + 10
    assert deep.stats.python_calls <= deep.num_states


def test_a_large_library() -> None:
    """A goal is pursued by a plan for each number; each time G▷ or G_init, event, select, act, ;⊤
    := and ▷⊤ follow each other."""
    count = 100
    picks = " ".join(f"pick : x = {i} <- act; x := {i + 1}." for i in range(count))
    text = agent(
        "goal(done, pick, false)",
        beliefs="x = 0",
        plans=f"{picks} pick : x = {count} <- +done.",
        actions="act : true <- <{},{c}>",
    )
    library = space(text)
    assert library.num_states == 6 * count + 11
    assert library.stats.python_calls <= library.num_states


def test_runs_that_multiply_cost_no_calls() -> None:
    """Two intentions that do not know of each other: the product of their states, the sum of their
    calls."""
    one = space(agent("; ".join(["act"] * 40), actions="act : true <- <{},{}>"))
    two = space(
        agent("; ".join(["act"] * 40), actions="act : true <- <{},{}>").replace(
            "\ngo\n", "\ngo, go\n"
        )
    )
    assert (one.num_states, two.num_states) == (46, 46**2)
    assert two.stats.python_calls <= 2 * one.stats.python_calls


def test_sides_are_one_to_fairness() -> None:
    """An intention that moves for ever is treated fairly, though one side of its ``||`` never gets
    its turn."""
    model = program(
        agent("goal(never, -never, false) || +done", rest="// Labels\nl : never.")
    ).model()
    assert len(model.system.components) == 3
    assert {component.name for component in model.system.components} == {"go"}
    for fairness in ("weak", "strong"):
        assert (
            on_graph(model, explore(model.system), parse("A [ F done ]"), fairness=fairness).holds
            is False
        )


def test_what_is_left_survives_a_journey() -> None:
    """Equal ones are equal in another process, too, where texts have other hashes."""
    found = space(agent("(a0; a1) || (goal(b1, a1, false) |> a0)", actions=actions(2)))
    slots = [slot for slot in found.system.slots if slot.startswith("intention")]
    values = [found.value(state, slot) for state in range(found.num_states) for slot in slots]
    first, second = pickle.loads(
        pickle.dumps([values, [pickle.loads(pickle.dumps(value)) for value in values]])
    )
    assert list(map(str, first)) == list(map(str, values))
    assert [first.index(value) for value in first] == [values.index(value) for value in values]
    assert list(map(str, second)) == list(map(str, values))
