"""Every printed form of a strategy, read as documented, attains the value: on programs in which
what is possible changes."""

from __future__ import annotations

import re
from collections.abc import Collection
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.analysis.can_programs import program
from tests.analysis.synthesis.changing_programs import changing_programs
from tests.analysis.synthesis.printed_strategies import (
    Decider,
    Pair,
    attained,
    code_reader,
    dot_reader,
    followed,
    json_reader,
    table_reader,
    tree_reader,
)
from tests.languages.agentspeak.random_systems import BOUNDS, SYSTEMS, WORLD, RandomSystem
from tests.languages.agentspeak.systems import write_project
from tests.languages.can.random_programs import program_text, programs
from tests.languages.can.reference import Program as PlainCan
from tests.languages.dribble.comparing import program_of
from tests.languages.dribble.random_programs import programs as dribble_programs
from tests.languages.dribble.reference import PlainProgram, text_of_program
from tests.languages.lisa.projects import project
from tests.languages.lisa.random_projects import projects
from volition import load
from volition.analysis.synthesis.agent_program import embed_strategy
from volition.analysis.synthesis.python_code import python_code
from volition.analysis.synthesis.synthesise import Synthesis, synthesise
from volition.analysis.synthesis.tree_plot import dot_text, draw_strategy, tree_text
from volition.diagnostics import InputError, Source
from volition.kernel import Limits, StateSpace, explore
from volition.languages.can import CanProgram, parse
from volition.languages.protocols import Model, Program
from volition.logic import parse as read_formula
from volition.logic.syntax import AtomicFormula

QUICK = settings(deadline=None, suppress_health_check=list(HealthCheck))


def readers(synthesis: Synthesis) -> dict[str, Decider]:
    """A reader for each form."""
    return {
        "table": table_reader(synthesis.markdown()),
        "tree": tree_reader(tree_text(synthesis)),
        "dot": dot_reader(dot_text(synthesis)),
        "json": json_reader(synthesis.as_json()),
        "python": code_reader(python_code(synthesis)),
    }


def goal_states(model: Model, space: StateSpace, goal: str) -> Collection[int]:
    leaf = read_formula(goal)
    assert isinstance(leaf, AtomicFormula)
    truth = model.resolve(leaf)
    return {state for state in range(space.num_states) if truth(space.values(state))}


def expect_every_form_to_attain_the_value(
    query: Program, optimum: str, goal: str, steps: int | None = None
) -> Synthesis:
    synthesis = synthesise(
        query, f"P{optimum}=? [ F{'' if steps is None else f'<={steps}'} {goal} ]", exact=True
    )
    exploration = synthesis.answer.exploration
    goals = goal_states(exploration.model, exploration.space, goal)
    taken: list[dict[Pair, int]] = []
    for form, decide in readers(synthesis).items():
        choices = followed(exploration.model, exploration.space, decide, goals, steps)
        if choices not in taken:
            assert (
                attained(exploration.space, choices, goals, steps) == synthesis.answer.verdict.value
            ), form
            taken.append(choices)
    return synthesis


def expect_the_program_to_attain_the_value(
    query: CanProgram, synthesis: Synthesis, goal: str
) -> None:
    """The program that was written, read and explored again: there is nothing to choose in it."""
    text = embed_strategy(query, synthesis).sources[0].text
    model = parse(Source("again.can", text), "again", {}).model()
    space = explore(model.system)
    assert space.num_choices == space.num_states
    goals = goal_states(model, space, goal)
    assert (
        attained(space, followed(model, space, table_reader(""), goals), goals)
        == synthesis.answer.verdict.value
    )


def fits(query: Program, maximum: int = 1_500) -> bool:
    try:
        return explore(query.model().system, limits=Limits(states=maximum)).complete
    except InputError:  # a bound of the program is exceeded
        return False


def knows(query: Program, goal: str) -> bool:
    """Whether the program has anything to do with the goal; where it has not, the question is
    refused."""
    leaf = read_formula(goal)
    assert isinstance(leaf, AtomicFormula)
    try:
        query.model().resolve(leaf)
    except InputError:
        return False
    return True


THREE_PLANS = """
// Initial belief bases
c
// External events
e
// Plan library
e : true <- a1; ?done.
e : true <- a2; ?done.
e : c <- a3; ?done.
// Actions description
a1 : true <- 0.6: <{},{done}> + 0.4: <{c},{}>
a2 : true <- 0.5: <{},{done}> + 0.5: <{c},{}>
a3 : true <- 0.4: <{},{done}> + 0.6: <{},{}>
"""


def test_three_plans_one_of_which_may_go() -> None:
    """Of 0.6, 0.5 and 0.4 the weakest comes first, as it is possible only as long as no other has
    failed: 1 - 0.6 * 0.4 * 0.5 = 0.88."""
    query = program(THREE_PLANS)
    synthesis = expect_every_form_to_attain_the_value(query, "max", "done")
    assert synthesis.answer.verdict.value == Fraction("0.88")
    expect_the_program_to_attain_the_value(query, synthesis, "done")
    (table,) = synthesis.tables()
    assert [row[0] for row in table.rows] == ["if possible", "otherwise"]


@settings(QUICK, max_examples=30)
@given(changing_programs(), st.sampled_from(["max", "min"]))
def test_programs_whose_contexts_change(text: str, optimum: str) -> None:
    query = program(text)
    assume(fits(query))
    synthesis = expect_every_form_to_attain_the_value(query, optimum, "done")
    expect_the_program_to_attain_the_value(query, synthesis, "done")


@settings(QUICK, max_examples=10)
@given(changing_programs(), st.sampled_from(["max", "min"]), st.integers(4, 14))
def test_with_a_bound_on_the_steps(text: str, optimum: str, steps: int) -> None:
    query = program(text)
    assume(fits(query, 600))
    expect_every_form_to_attain_the_value(query, optimum, "done", steps)


@settings(QUICK, max_examples=15)
@given(programs(), st.sampled_from(["max", "min"]), st.sampled_from(["a", "b", "c"]))
def test_any_can_program(plain: PlainCan, optimum: str, goal: str) -> None:
    query = program(program_text(plain))
    assume(re.search(rf"\b{goal}\b", program_text(plain)) and fits(query, 300))
    synthesis = expect_every_form_to_attain_the_value(query, optimum, goal)
    expect_the_program_to_attain_the_value(query, synthesis, goal)


@settings(QUICK, max_examples=10)
@given(
    SYSTEMS,
    st.sampled_from(["max", "min"]),
    st.sampled_from(["Bel(a, q)", "Bel(b, p(1))", "light"]),
)
def test_agentspeak(system: RandomSystem, optimum: str, goal: str) -> None:
    with TemporaryDirectory() as folder:
        query = load(
            write_project(Path(folder), system.agents, WORLD, f"{system.options}\n{BOUNDS}"), {}
        )
        assume(fits(query, 400))
        expect_every_form_to_attain_the_value(query, optimum, goal)


@settings(QUICK, max_examples=10)
@given(
    projects(),
    st.sampled_from(["max", "min"]),
    st.sampled_from(["Bel(Note two)", "Bel(Done)", "Bel(Good)"]),
)
def test_lisa(written: tuple[str, dict[str, str]], optimum: str, goal: str) -> None:
    query = project(*written)
    assume(fits(query, 300) and knows(query, goal))
    expect_every_form_to_attain_the_value(query, optimum, goal)


@settings(QUICK, max_examples=10)
@given(dribble_programs(), st.sampled_from(["max", "min"]), st.sampled_from(["B(p)", "B(q)"]))
def test_dribble(plain: PlainProgram, optimum: str, goal: str) -> None:
    query = program_of(text_of_program(plain))
    assume(fits(query, 300) and knows(query, goal))
    expect_every_form_to_attain_the_value(query, optimum, goal)


def test_the_picture_shows_what_the_trees_say() -> None:
    """Every box of the trees is in the picture, with its whole text, however long that is."""
    pytest.importorskip("matplotlib")
    long = "an_event_with_a_name_that_is_much_longer_than_a_box_of_a_picture_is_wide_and_than_three_lines_of_it"  # noqa: E501
    synthesis = synthesise(
        program(re.sub(r"^e\b", long, THREE_PLANS, flags=re.M)), "Pmax=? [ F done ]"
    )
    shown = {"".join(each.get_text().split()) for each in draw_strategy(synthesis).axes[0].texts}
    boxes = {
        "".join(label.split())
        for label in re.findall(r'^  n\d+ \[label="([^"]*)"', dot_text(synthesis), re.M)
    }
    assert boxes <= shown
