"""Dribble programs in the PRISM language: Storm builds the same states and gives the same verdicts
as we do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.checking.properties import on_graph
from tests.exporters.storm import build
from tests.languages.dribble import reference
from tests.languages.dribble.comparing import program_of
from tests.languages.dribble.random_programs import programs
from volition.diagnostics import InputError
from volition.exporters.prism.dribble import dribble_to_prism
from volition.exporters.prism.language import PrismFiles
from volition.kernel import StateSpace, explore
from volition.languages.dribble import DribbleProgram, load
from volition.logic import modal_atoms, parse
from volition.logic.syntax import Formula

EXAMPLES = Path(__file__).parents[3] / "examples" / "dribble"
SHAPES = [
    "A [ F {0} ]",
    "E [ F {0} ]",
    "A [ G {0} ]",
    "E [ G {0} ]",
    "A [ X {0} ]",
    "E [ X {0} ]",
    "A [ {0} U {1} ]",
    "E [ {0} U {1} ]",
    "A [ G ({0} -> A [ F {1} ]) ]",
    "A [ G E [ F {0} ] ]",
    "E [ F A [ G {0} ] ]",
    "A [ {0} W {1} ]",
    "E [ F (stalled & {0}) ]",
    "A [ G F {0} ] | E [ F G {1} ]",
]


def storm(files: PrismFiles) -> tuple[tuple[int, int, int], list[bool]]:
    """The size of the model that Storm builds, and its answers in the initial state, for which it
    may leave states out."""
    whole = build(files.model)
    return (whole.states, whole.choices, whole.transitions), [
        bool(each) for each in build(files.model, files.properties).values
    ]


def ours(program: DribbleProgram, formulas: list[Formula]) -> tuple[StateSpace, list[bool | None]]:
    """The state space in which all formulas can be asked, and our answers."""
    model = program.model([atom for formula in formulas for atom in modal_atoms(formula)])
    space = explore(model.system)
    return space, [on_graph(model, space, formula).holds for formula in formulas]


def compare(program: DribbleProgram, formulas: list[Formula]) -> None:
    space, answers = ours(program, formulas)
    size, stormed = storm(dribble_to_prism(program.agent, formulas))
    assert size == (space.num_states, space.num_choices, space.num_transitions)
    assert stormed == answers


@pytest.mark.parametrize(("name", "states"), [("vacuum", 14), ("vacuum_repaired", 27)])
def test_the_vacuum_cleaner_in_storm(name: str, states: int) -> None:
    """Sect. 4.3 and its repair: the states and verdicts of ``tests/papers/test_trang.py``, from
    Storm alone."""
    program = load(EXAMPLES / f"{name}.dribble", {})
    formulas = [parse("A [ F (B(c1) & B(c2)) ]"), parse("E [ F (B(c1) & B(c2)) ]")]
    (found, _, _), answers = storm(dribble_to_prism(program.agent, formulas))
    assert found == states
    assert answers == [name == "vacuum_repaired"] * 2


@pytest.mark.parametrize("name", ["vacuum", "vacuum_repaired", "pumping_station"])
def test_the_properties_of_the_examples(name: str) -> None:
    program = load(EXAMPLES / f"{name}.dribble", {})
    compare(program, [parse(stated.text) for stated in program.properties])


def leaves_of(program: reference.PlainProgram) -> st.SearchStrategy[str]:
    """What can be asked of a program: beliefs, goals, whole bases and plans, the last action, and
    whether the agent is stuck."""
    atoms_known = sorted(
        {
            atom
            for formula in program.beliefs | program.goals
            for clause in formula
            for atom, _ in clause
        }
    )
    plans = [body for _, body in program.goal_rules] + [
        body for _, _, body in program.revision_rules
    ]
    bases = (
        st.frozensets(
            st.sampled_from(sorted(map(reference.text_of_formula, program.goals))), max_size=3
        )
        if program.goals
        else st.just(frozenset())
    )
    choices = [
        st.sampled_from(
            [f"Plan({reference.text_of_plan(plan)})" for plan in plans]
            + ["Plan(empty)", "stalled", "withheld"]
        ),
        st.sampled_from(["Does(act)", "Does(bring)"]),
        bases.map(lambda base: "Goals{" + ", ".join(sorted(base)) + "}"),
        st.just("Bels{" + ", ".join(sorted(map(reference.text_of_formula, program.beliefs))) + "}"),
    ]
    if atoms_known:
        literal = st.tuples(st.sampled_from(["", "~"]), st.sampled_from(atoms_known)).map("".join)
        formula = literal | st.tuples(literal, st.sampled_from([" & ", " | "]), literal).map(
            "".join
        )
        choices += [formula.map("Bel({})".format), formula.map("Goal({})".format)] * 2
    return st.one_of(choices)


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_random_programs_and_formulas(data: st.DataObject) -> None:
    """The same states, choices, transitions and verdicts as Storm on the export, for CTL and CTL*
    formulas over every atom."""
    drawn = data.draw(programs())
    assume(reference.transitions(drawn, 200) is not None)
    atom = leaves_of(drawn)
    shapes = data.draw(st.lists(st.sampled_from(SHAPES), min_size=3, max_size=3))
    formulas = [parse(shape.format(data.draw(atom), data.draw(atom))) for shape in shapes]
    compare(program_of(reference.text_of_program(drawn)), formulas)


def test_atoms_and_steps_may_share_names() -> None:
    """Names that PRISM reserves, that differ only in case or signs, or that stand for an atom and a
    step at once."""
    text = """
len_max: 4
beliefs:
  ~init, ~plan_0, ~go, ~stalled
goals:
  init & not_go' & plan_0
actions:
  init => init
  go => go, not_go'
  plan_0 => plan_0 & stalled
goal rules:
  true -> init; go; plan_0
properties:
  A [ F (B(init & go) & Goals{}) ]
  A [ F stalled ]
  E [ F (B(stalled) | Goal(go)) ]
"""
    program = program_of(text)
    compare(program, [parse(stated.text) for stated in program.properties])


def test_the_program_reads_like_the_paper() -> None:
    """Sect. 4.2: an array of steps, a token with both branches behind it, goals dropped by the
    action that achieves them."""
    model = dribble_to_prism(load(EXAMPLES / "vacuum.dribble", {}).agent).model
    assert "// if_1: if r1 then cR else {mL; cR}" in model
    on_one_line = " ".join(model.split())
    rule = "// g1 = c1 -> if r1 then cR else mL; cR [apply_g1] plan_length=0 & goal_c1"
    assert (
        f"{rule} -> (plan_0'=if_1) & (plan_1'=do_cR) & (plan_2'=do_mL) & (plan_3'=do_cR)"
        in on_one_line
    )
    assert "[execute_cR] plan_0=do_cR & b ->" in on_one_line
    assert "(goal_c1'=goal_c1 & !(r1 | c1))" in model
    assert len(re.findall(r"plan_\d+ : ", model)) == 12


def test_the_program_says_nothing_superfluous() -> None:
    """What cannot happen is left out, what does not change is not assigned, and conditions are
    worked out for each belief base."""
    text = """
len_max: 4
beliefs:
  (s & t) | (~s & ~t)
goals:
  s & t, u
actions:
  flip => ~s & ~t if s, s & t if ~s, u if s
  turn => s
goal rules:
  s & t -> turn; flip
revision rules:
  odd = flip; pi | ~B(s | ~s) -> pi
properties:
  A [ G !(B(s) & B(~t)) ]
"""
    program = program_of(text)
    formulas = [parse(stated.text) for stated in program.properties]
    compare(program, formulas)
    model = dribble_to_prism(program.agent, formulas).model
    assert "// odd = flip; pi | ~B(s | ~s) -> pi\n  // is never possible" in model
    assert "[apply_odd]" not in model
    assert not re.findall(r"\((\w+)'=\1\)", model)
    assert "& (base_2_s_t'=base_1_s_t)" in " ".join(model.split())
    assert 'label "Bel_not_t" = ' in model
    assert max(map(len, model.splitlines())) <= 120


def test_conditions_on_unknown_atoms_stay_short() -> None:
    """What may be unknown is not enumerated: a conjunction of facts entails a formula if it
    contains a prime implicant."""
    atoms_asked = [f"p{number}" for number in range(12)]
    text = (
        "len_max: 20\nbeliefs: start\ngoals: "
        + " | ".join(atoms_asked)
        + ", p0 & p1 | ~p0 & p2\nactions:\n  deny => ~p0\n"
    )
    text += (
        "".join(f"  a_{atom} => {atom}\n" for atom in atoms_asked)
        + "goal rules:\n  p0 & p1 | ~p0 & p2 -> a_p1; a_p2; deny; a_p0; a_p5\n"
    )
    program = program_of(text)
    compare(
        program,
        [
            parse("A [ F Goals{} ]"),
            parse("E [ F (B(p1 & p2) & Goals{}) ]"),
            parse("E [ F (Plan(a_p2; deny; a_p0; a_p5) & B(p0 | p1)) ]"),
        ],
    )
    assert len(dribble_to_prism(program.agent).model) < 10_000


@pytest.mark.parametrize(
    "effects",
    [", ".join(f"~p{number} if q{number}" for number in range(9)), ", ".join(["~p0 if q1"] * 11)],
)
def test_bases_that_can_become_too_many(effects: str) -> None:
    disjunction, others = (
        sign.join(f"{name}{number}" for number in range(9))
        for sign, name in ((" | ", "p"), (", ~", "q"))
    )
    program = program_of(
        f"len_max: 2\nbeliefs: {disjunction}, ~{others}\ngoals: q0\nactions:\n  a => "
        f"{effects}\ngoal rules:\n  q0 -> a\n"
    )
    with pytest.raises(InputError, match="EXP003"):
        dribble_to_prism(program.agent)


def test_a_plan_too_long_for_an_array() -> None:
    agent = load(EXAMPLES / "vacuum.dribble", {"len_max": "100000"}).agent
    with pytest.raises(InputError, match="EXP002"):
        dribble_to_prism(agent)


def test_a_probability_cannot_be_asked() -> None:
    agent = load(EXAMPLES / "vacuum.dribble", {}).agent
    with pytest.raises(InputError, match="EXP001"):
        dribble_to_prism(agent, [parse("Pmax=? [ F B(c1) ]")])
