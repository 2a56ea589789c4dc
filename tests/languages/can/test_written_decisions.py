"""The section ``// Decisions``: what the agent does where the semantics leaves something open."""

from __future__ import annotations

import pytest

from tests.languages.can.small import errors, origins, program, space
from volition.languages.can import CanProgram
from volition.languages.can.printing import agent_text

TWO = """
// Initial belief bases
x = 2
// External events
one, two
// Plan library
one : true <- +a; x := x - 1.
two : true <- act.
two : true <- +c.
// Actions description
act : true <- <{},{b}>
"""


def decided(*lines: str) -> str:
    return TWO + "// Decisions\n" + "\n".join(lines) + "\n"


def told(text: str, maximum: int = 30) -> list[str]:
    """What the agent does, step by step: nothing may be open."""
    found = space(text)
    assert found.num_choices == found.num_states
    state = 0
    texts: list[str] = []
    while not found.terminal[state] and len(texts) < maximum:
        (origin,) = origins(found, state)
        texts.append(origin.text)
        state = int(found.targets[found.first_transition[found.first_choice[state]]])
    return texts


def test_without_decisions_something_is_open() -> None:
    found = space(TWO)
    assert found.num_choices > found.num_states


def test_turn() -> None:
    assert told(decided("turn : two."))[:2] == ["adopt event two", "look for plans for two"]
    assert told(decided("turn : two."))[-1] == "remove finished intention one"


def test_the_first_line_that_fits_counts() -> None:
    texts = told(
        decided("turn : two when a.", "turn : one.", 'step : two by "select plan 3 for two".')
    )
    assert texts.index("adopt event two") == texts.index("believe a") + 1
    assert "select plan 3 for two" in texts


def test_what_is_not_decided_is_done_in_the_order_of_the_text() -> None:
    texts = told(decided("turn : one when x = 17."))
    assert texts[0] == "adopt event one"
    assert "select plan 2 for two" in texts


def test_conditions_ask_for_phases_and_for_what_is_left() -> None:
    texts = told(
        decided(
            "turn : two when waiting(two) & active(one).",
            'turn : two when left(one, "one").',
            "turn : one.",
        )
    )
    assert texts[:2] == ["adopt event one", "adopt event two"]
    assert texts[2] == "look for plans for two"


def test_steps_without_an_event_and_with_rules() -> None:
    parallel = TWO.replace("two : true <- act.", "two : true <- act || act.")
    first = told(parallel + '// Decisions\nturn : two.\nstep : "select plan 2 for two".\n')
    assert "select plan 2 for two" in first
    found = program(parallel + '// Decisions\nstep : two by "act act [A_step(2) ▷; ∥2 act_p]".\n')
    assert "∥2" in agent_text(found.agent)


def test_printing_reads_back() -> None:
    text = decided(
        "turn : two when a & x >= 1.",
        'turn : one when left(one, "nil |> one:()").',
        'step : 2 by "select plan 3 for two" when !b.',
    )
    once = agent_text(program(text).agent)
    assert agent_text(program(once).agent) == once
    assert "turn : two when a & x >= 1." in once


def test_decisions_are_shown() -> None:
    found: CanProgram = program(decided("turn : two when a."))
    (table,) = [each for each in found.tables() if each.title == "Decisions"]
    assert table.rows == [["turn : two when a"]]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("turn : three.", "CAN031"),
        ("turn : one when finished(three).", "CAN031"),
        ("turn : one when left(two).", "CAN012"),
        ("turn : one when x.", "CAN020"),
        ("step : one.", "CAN001"),
        ("next : one.", "CAN001"),
    ],
)
def test_mistakes(line: str, code: str) -> None:
    assert code in [each.code for each in errors(decided(line))]
