"""Trang et al., "Verifying Dribble Agents": its example and its theorems.

Section numbers are those of the paper.  The paper prints no state counts; the counts here come from
two independent interpreters of its Sect. 2.4.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from tests.checking.properties import on_graph
from tests.languages.dribble import reference
from tests.languages.dribble.comparing import explored, graph_of, program_of, successors
from tests.languages.dribble.random_programs import programs
from volition.checking.verdict import Verdict
from volition.languages.dribble import DribbleProgram, load
from volition.languages.dribble.axioms import check_axioms
from volition.logic import parse
from volition.origin import Origin

EXAMPLES = Path(__file__).parents[2] / "examples" / "dribble"
BOTH_CLEAN = "A [ F (B(c1) & B(c2)) ]"
CAN_BE_CLEAN = "E [ F (B(c1) & B(c2)) ]"


def printed() -> str:
    return (EXAMPLES / "vacuum.dribble").read_text()


def checked(program: DribbleProgram, formula: str) -> Verdict:
    model, space = explored(program)
    return on_graph(model, space, parse(formula))


def told(verdict: Verdict) -> list[str]:
    """The rules of the steps of a verdict's run."""
    assert verdict.run is not None
    labels = [verdict.run.space.label(choice) for choice in verdict.run.choices]
    return [label.rules[0] if isinstance(label, Origin) else "?" for label in labels]


# --- Sect. 4.3: the vacuum cleaner ----------------------------------------------------------------


def test_vacuum_cleaner_as_printed() -> None:
    """14 states; the property of Sect. 4.3 is false: no plan contains cB, so the agent stalls
    before it can clean the second room."""
    program = load(EXAMPLES / "vacuum.dribble", {})
    _, space = explored(program)
    assert space.num_states == 14
    verdict = checked(program, BOTH_CLEAN)
    assert verdict.holds is False
    assert told(verdict)[-1] == "stall"
    assert "execute(cR)" in told(verdict)
    assert verdict.run is not None
    assert verdict.run.loop is not None


def test_vacuum_cleaner_as_printed_cannot_even_succeed() -> None:
    assert checked(load(EXAMPLES / "vacuum.dribble", {}), CAN_BE_CLEAN).holds is False


def test_the_printed_mistake_is_seen_before_exploring() -> None:
    warnings = load(EXAMPLES / "vacuum.dribble", {}).warnings
    assert ("DRB042", "rule 'r1' never applies: no plan contains cB") in [
        (each.code, each.message) for each in warnings
    ]


def test_repaired_vacuum_cleaner() -> None:
    """One rule more, ``cR; pi | ~b -> cB; pi``: 27 states, and both rooms are always cleaned."""
    program = load(EXAMPLES / "vacuum_repaired.dribble", {})
    _, space = explored(program)
    assert space.num_states == 27
    assert checked(program, BOTH_CLEAN).holds is True
    assert not program.warnings


def test_the_obvious_repair_livelocks() -> None:
    """``cR; pi | ~b -> cB; cR; pi`` keeps the cleaning in the plan: 21 states, and the agent moves
    and charges for ever."""
    program = program_of(
        printed().replace("properties:", "  r2 = cR; pi | ~b -> cB; cR; pi\n\nproperties:")
    )
    _, space = explored(program)
    assert space.num_states == 21
    verdict = checked(program, BOTH_CLEAN)
    assert verdict.holds is False
    assert "stall" not in told(verdict)


def test_charging_at_the_end_of_each_plan_works_too() -> None:
    """``; cB`` appended to both goal rules: the printed revision rule then has something to
    revise."""
    text = (
        printed()
        .replace("else mL; cR", "else {mL; cR}; cB")
        .replace("else mR; cR", "else {mR; cR}; cB")
    )
    assert checked(program_of(text), BOTH_CLEAN).holds is True


def test_update_of_beliefs() -> None:
    """The paper's example of T(mR, δ): {b ∧ ¬c1 ∧ ¬c2 ∧ r1 ∧ ¬r2} becomes {b ∧ ¬c1 ∧ ¬c2 ∧ ¬r1 ∧
    r2}."""
    program = load(EXAMPLES / "vacuum.dribble", {})
    before, after = "Bels{b & ~c1 & ~c2 & r1 & ~r2}", "Bels{b & ~c1 & ~c2 & ~r1 & r2}"
    assert (
        checked(
            program, f"A [ G (({before} & Plan(mR; cR)) -> A [ X ({after} & Plan(cR)) ]) ]"
        ).holds
        is True
    )
    assert checked(program, f"E [ F ({before} & Plan(mR; cR)) ]").holds is True


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("Bels{b & ~c1 & ~c2 & r1 & ~r2} & Goals{c1, c2} & Plan(empty)", True),
        ("E [ X Plan(if r1 then cR else mL; cR) ] & E [ X Plan(if r2 then cR else mR; cR) ]", True),
        ("A [ X (Plan(if r1 then cR else mL; cR) | Plan(if r2 then cR else mR; cR)) ]", True),
        ("A [ X Plan(if r1 then cR else mL; cR) ]", False),
        ("E [ F Goals{c2} ] & E [ F Goals{c1} ]", True),
        ("E [ F Goals{} ]", False),
        ("A [ (Goal(c1) & Goal(c2)) W (B(c1) | B(c2)) ]", True),
    ],
)
def test_logic_of_sect_3(formula: str, holds: bool) -> None:
    """Bs, Gs, P and PE with CTL over them (Sect. 3.1), on the vacuum cleaner as printed."""
    assert checked(load(EXAMPLES / "vacuum.dribble", {}), formula).holds is holds


# --- theorems -------------------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(programs())
def test_theorem_1_soundness(program: reference.PlainProgram) -> None:
    """Theorem 1 (Sect. 3.3): the axioms hold in the models of a program."""
    assume(reference.transitions(program, 200) is not None)
    model, space = explored(program_of(reference.text_of_program(program)))
    states = [space.values(state) for state in range(space.num_states)]
    assert not check_axioms(model, states, successors(space))


@settings(max_examples=50, deadline=None)
@given(programs())
def test_theorem_2_correspondence(program: reference.PlainProgram) -> None:
    """Theorem 2 (Sect. 4.1): computation tree and model are isomorphic, where equal children count
    once."""
    expected = reference.transitions(program, 300)
    assume(expected is not None)
    model, space = explored(program_of(reference.text_of_program(program)))
    assert graph_of(model, space) == expected
