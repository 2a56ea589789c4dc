"""The generic properties of CAN's public tool: does a program always, or ever, end in success, or in failure?"""

from __future__ import annotations

from pathlib import Path

import pytest

from volition import InputError, check, load
from volition.checking.generic import generic_properties

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = """
// Initial belief bases
1. ready
// External events
go
// Plan library
go : true <- act.
// Actions description
act : {precondition} <- {outcomes}
"""


@pytest.mark.parametrize(
    ("precondition", "outcomes", "holds"),
    [
        ("ready", "<{},{done}>", [True, True, False, False]),
        ("!ready", "<{},{done}>", [False, False, True, True]),
    ],
    ids=["always possible", "never possible"],
)
def test_success_and_failure(tmp_path: Path, precondition: str, outcomes: str, holds: list[bool]) -> None:
    """An intention whose only action can be executed ends in success; one whose action is blocked in failure."""
    path = tmp_path / "small.can"
    path.write_text(PROGRAM.format(precondition=precondition, outcomes=outcomes))
    program = load(path)
    assert [answer.verdict.holds for answer in check(program, generic_properties(program)).answers] == holds


def test_either_may_happen() -> None:
    """Archibald et al., Listing 1.3: the rover may do both experiments, or be somewhere else when it wants to do one."""
    program = load(EXAMPLES / "can" / "rover.can")
    answers = check(program, generic_properties(program)).answers
    assert [answer.verdict.holds for answer in answers] == [False, True, False, True]
    assert [answer.question.name for answer in answers][1] == "can end in success"


@pytest.mark.parametrize("name", ["dribble/vacuum.dribble", "lisa/vessel_dtmc", "agentspeak/factory"])
def test_other_languages_have_none(name: str) -> None:
    with pytest.raises(InputError, match="CHK094"):
        generic_properties(load(EXAMPLES / name))
