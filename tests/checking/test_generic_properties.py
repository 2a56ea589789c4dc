"""The generic properties of CAN's public tool: does a program always, or ever, end in success, or
in failure?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from volition import InputError, check, load
from volition.checking.generic_properties import generic_properties
from volition.cli import main

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
def test_success_and_failure(
    tmp_path: Path, precondition: str, outcomes: str, holds: list[bool]
) -> None:
    """An intention whose only action can be executed ends in success; one whose action is blocked
    in failure."""
    path = tmp_path / "small.can"
    path.write_text(PROGRAM.format(precondition=precondition, outcomes=outcomes))
    program = load(path)
    assert [
        answer.verdict.holds for answer in check(program, generic_properties(program)).answers
    ] == holds


def test_either_may_happen() -> None:
    """Archibald et al., Listing 1.3: the rover may do both experiments, or be somewhere else when
    it wants to do one."""
    program = load(EXAMPLES / "can" / "rover.can")
    answers = check(program, generic_properties(program)).answers
    assert [answer.verdict.holds for answer in answers] == [False, True, False, True]
    assert [answer.prop.name for answer in answers][1] == "can end in success"


@pytest.mark.parametrize(
    "name", ["dribble/vacuum.dribble", "lisa/vessel_dtmc", "agentspeak/factory"]
)
def test_other_languages_have_none(name: str) -> None:
    with pytest.raises(InputError, match="CHK094"):
        generic_properties(load(EXAMPLES / name))


TWO = """
// Initial belief bases
1. ready
2. failure
3. ready, failure
// External events
go, wait
// Plan library
go : true <- act.
wait : true <- {body}.
// Actions description
act : ready <- <{{}},{{done}}>
// Background
failure <- +empty.
"""


def answers(
    tmp_path: Path, body: str, base: int, *, per_event: bool = False
) -> dict[str, bool | None]:
    path = tmp_path / "two.can"
    path.write_text(TWO.format(body=body))
    program = load(path, {"initial": str(base), "update": "finished"})
    found = check(program, generic_properties(program, per_event=per_event)).answers
    return {answer.prop.name or "": answer.verdict.holds for answer in found}


def test_beliefs_do_not_hide_what_is_asked(tmp_path: Path) -> None:
    """Base 3 differs from base 1 in beliefs called 'failure' and 'empty' only, which no plan asks
    for."""
    assert answers(tmp_path, "+x", 1) == answers(tmp_path, "+x", 3)


def test_no_intention_is_left_while_an_event_waits(tmp_path: Path) -> None:
    """The public tool asks for an empty set of intentions: ``go`` may be over before ``wait``,
    which never ends, is adopted."""
    found = answers(tmp_path, "goal(x, +y, false)", 1)
    assert found["can end in success"]
    assert not found["always ends in success"]


def test_each_event_is_asked_for(tmp_path: Path) -> None:
    """``go`` is blocked for ever, and with update = finished it is never dropped; ``wait`` has one
    step to make."""
    found = answers(tmp_path, "+x", 2, per_event=True)
    assert {name: holds for name, holds in found.items() if name.startswith("event")} == {
        "event go always succeeds": False,
        "event go can succeed": False,
        "event go always fails": False,
        "event go can fail": False,
        "event wait always succeeds": True,
        "event wait can succeed": True,
        "event wait always fails": False,
        "event wait can fail": False,
    }


def test_all_belief_bases_in_one_run(tmp_path: Path) -> None:
    """Bases 1 and 3 can act, base 2 cannot: one section for each, and the worst exit code."""
    path = tmp_path / "two.can"
    path.write_text(TWO.format(body="+x"))
    arguments = ["check", str(path), "-p", "E [ F done ]", "--all-belief-bases"]
    result = CliRunner().invoke(main, arguments)
    assert [
        line for line in result.output.splitlines() if line.startswith("Initial belief base")
    ] == [f"Initial belief base {number}" for number in (1, 2, 3)]
    assert result.exit_code == 1
    document = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    assert [base["properties"][0]["holds"] for base in document["bases"].values()] == [
        True,
        False,
        True,
    ]
    assert (
        CliRunner()
        .invoke(main, ["check", str(EXAMPLES / "dribble/vacuum.dribble"), "--all-belief-bases"])
        .exit_code
        == 2
    )
    both = CliRunner().invoke(main, [*arguments, "--set", "initial=2"])
    assert (
        both.exit_code,
        "'initial' is set to '2', but --all-belief-bases varies it" in both.stderr,
    ) == (2, True)
