"""``check --slice`` looks at a few states of the whole program first: a violation near the initial
state does not wait for a slice."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.languages.agentspeak.systems import write_project
from volition.api.slice_checks import FIRST_LOOK, check_on_slice
from volition.checking.check import check

GROWING = "!count(0). +!count(N) : N < 40 <- .plus(N,1,M); +n(M); !count(M)."
AGENTS = {"a": "!g. +!g <- +early; !h. +!h <- +late. +!dead <- +q.", "b": GROWING, "c": GROWING}
NEAR = "A [ G !Bel(a, early) ]"


def system(folder: Path, agents: dict[str, str], options: str = "") -> volition.Program:
    return volition.load(write_project(folder, agents, None, options))


def test_a_violation_near_the_initial_state_needs_no_slice(tmp_path: Path) -> None:
    program = system(tmp_path, AGENTS)
    answer = volition.check(program, NEAR, slice=True)[0]
    assert answer.verdict.holds is False
    assert "no slice was needed" in answer.verdict.fixed_notes[-1]
    assert answer.exploration.space.num_states <= FIRST_LOOK
    assert answer.exploration.model.agents == ("a", "b", "c"), "the run is one of the whole program"


def test_what_holds_is_answered_on_the_slice(tmp_path: Path) -> None:
    answer = volition.check(system(tmp_path, AGENTS), "A [ F Bel(a, late) ]", slice=True)[0]
    assert answer.verdict.holds is True
    assert "checked on a slice" in answer.verdict.fixed_notes[-1]


def test_an_error_in_what_a_slice_leaves_out_does_not_matter(tmp_path: Path) -> None:
    """The whole program exceeds a bound at once; the slice does not contain the agent that does."""
    program = system(tmp_path, {"a": "!g. +!g <- +p.", "b": "!g. +!g <- +q; +r."}, "M_Bel = 1")
    with pytest.raises(volition.InputError, match="M_Bel"):
        volition.check(program, "A [ F Bel(a, p) ]", reduce="off")
    assert volition.check(program, "A [ F Bel(a, p) ]", slice=True)[0].verdict.holds is True


@pytest.mark.parametrize("states", [0, 3, FIRST_LOOK])
def test_the_verdict_does_not_depend_on_how_many_states_come_first(
    states: int, tmp_path: Path
) -> None:
    program = system(tmp_path, {**AGENTS, "b": "!g. +!g <- +x.", "c": "q."})
    formulas = [NEAR, "A [ F Bel(a, late) ]", "E [ F Bel(a, late) ]", "A [ G !Bel(a, late) ]"]
    assert [
        each.verdict.holds for each in check_on_slice(check, program, formulas, first_look=states)
    ] == [False, True, True, False]


def test_a_conjunction_is_violated_where_one_part_is(tmp_path: Path) -> None:
    program = system(tmp_path, {**AGENTS, "b": "!g. +!g <- +x.", "c": "q."})
    formula = "A [ G !Bel(a, late) ] & E [ F Bel(b, x) ]"
    assert [
        check_on_slice(check, program, [formula], first_look=states)[0].verdict.holds
        for states in (0, FIRST_LOOK)
    ] == [False, False]
