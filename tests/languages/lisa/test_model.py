"""Questions about a LISA agent, and how its states and steps are told to people."""

from __future__ import annotations

import pytest

from tests.languages.lisa.projects import EXAMPLES, action, project, reasoning
from volition.diagnostics import InputError
from volition.kernel import StateSpace, explore
from volition.languages.lisa import LisaModel, LisaProgram, load
from volition.logic import parse
from volition.logic.syntax import Atom, AtomicFormula, Comparison, Identifier, Proposition
from volition.origin import Origin
from volition.reporting.coverage import coverage

PLANS = """
If ^[Start mission] while true then
  [Go home.]
  -^[Start mission]
  +^[Mission complete].
If ^[At home] while ^[Start mission] then
  +^[Been there].
"""


def mission() -> LisaProgram:
    return project(
        reasoning(beliefs="Start mission.", plans=PLANS),
        {"go home": action("go home", "At home[1,2,0]", sentence="Go home.")},
    )


def leaf_of(text: str) -> AtomicFormula:
    """The leaf of a formula such as ``Bel(p)``, ``p`` or ``p = 1``."""
    formula = parse(text)
    if isinstance(formula, Comparison):
        assert isinstance(formula.left, Identifier)
        return formula.left
    assert isinstance(formula, Atom | Proposition)
    return formula


def run_of(program: LisaProgram, *properties: str) -> tuple[LisaModel, StateSpace, list[int]]:
    """The model with its one run; the atoms of the questions are observed."""
    model = program.model([atom for text in properties if isinstance(atom := leaf_of(text), Atom)])
    space = explore(model.system)
    states = [0]
    while (
        following := int(space.targets[space.first_transition[space.first_choice[states[-1]]]])
    ) not in states:
        states.append(following)
    return model, space, states


def answers(prop: str) -> list[object]:
    """What a question is in each state of the mission's run."""
    model, space, states = run_of(mission(), prop)
    ask = model.resolve(leaf_of(prop))
    return [ask(space.values(state)) for state in states]


# The run: start plan 1 (step 2), At home after two cycles (step 5), plan 1 goes on and plan 2
# starts (step 6), ...
BELIEVES_HOME = [False] * 5 + [True] * 2


@pytest.mark.parametrize(
    "prop",
    [
        "Bel(at_home)",
        'Bel("At home")',
        "Bel(At home)",
        "Bel(agent, at_home)",
        "Bel(^[At home])",
        "at_home",
    ],
)
def test_beliefs_by_name_or_sentence(prop: str) -> None:
    assert answers(prop)[:7] == BELIEVES_HOME


def test_conditions_of_the_language() -> None:
    assert (
        answers("Bel(^[At home] and ~^[Start mission] or ^[Mission complete])")[:9] == [False] * 9
    )
    assert answers("Bel(^[At home] and ^[Start mission])")[:7] == BELIEVES_HOME


def test_variables_are_numbers() -> None:
    """Sect. 4.4: plan indices; a feedback that is awaited counts down as in Appendix B.2."""
    assert answers("plan_1 = 1")[:9] == [0, 0, 1, 1, 1, 1, 2, 2, 3]
    assert answers("at_home = 1")[:8] == [0, 0, 0, 2, 2, 1, 1, 0]
    assert answers("x = 0")[:3] == [0, 1, 0]


def test_desires_are_triggered_plans_and_intentions_running_ones() -> None:
    """Def. 2.2: D[t] holds the plans whose condition is satisfied, I[t] those whose index is above
    0."""
    assert answers("Des(plan_2)")[:7] == BELIEVES_HOME
    assert answers("Int(plan_2)")[:9] == [False] * 6 + [True] * 2 + [False]
    assert answers('Int("Plan 2")')[:9] == answers("Int(2)")[:9] == answers("Int(plan_2)")[:9]


def test_does_is_the_action_of_the_last_step() -> None:
    assert answers("Does(go_home)")[:7] == [False, False, True] + [False] * 4
    assert (
        answers('Does("Go home.")')[:4]
        == answers("Does([Go home.])")[:4]
        == answers("Does(go_home)")[:4]
    )
    assert answers("Does(-^[Start mission])")[:8] == [False] * 6 + [True, False]


def test_does_takes_the_sentence_of_a_plan_and_that_of_the_action_file() -> None:
    """One action has many sentences and objects; the sentence of a plan means the steps that have
    it."""
    plans = (
        "If ^[Start mission] while true then\n[Go to Office.]\n[Drive to Home.]\n-^[Start mission]."
    )
    go = action("go", "There[1,1,0]", sentence="Go to P. Drive to P.", inputs="place [P]")
    program = project(reasoning(beliefs="Start mission.", plans=plans), {"go": go})
    for prop, steps in [("Go to P", [2, 4]), ("Go to Office", [2]), ("Drive to Home", [4])]:
        model, space, states = run_of(program, f'Does("{prop}")')
        ask = model.resolve(leaf_of(f'Does("{prop}")'))
        assert [number for number, state in enumerate(states) if ask(space.values(state))] == steps


def test_nobody_pays_for_what_is_not_asked() -> None:
    assert not [slot for slot in mission().model().system.slots if slot.startswith("before_")]
    assert [
        slot
        for slot in mission().model([leaf_of("Does(go_home)")]).system.slots  # type: ignore[list-item]
        if slot.startswith("before_")
    ] == ["before_plan_1"]


@pytest.mark.parametrize(
    ("prop", "position", "hint"),
    [
        ('Bel("Mission completed")', "Mission completed", "did you mean 'Mission complete'?"),
        (
            "Bel(^[Mission completed] or ^[At home])",
            "Mission completed",
            "did you mean 'Mission complete'?",
        ),
        ("mission_completed", "mission_completed", "did you mean 'mission_complete'?"),
        ("plan_3 = 1", "plan_3", "did you mean 'plan_"),
        ("plan_2", "plan_2", "Int(plan_2)"),
        ("Int(plan_3)", "plan_3", "did you mean 'plan_"),
        ("Does(go_hom)", "go_hom", "did you mean 'go_home'?"),
        ("Goal(at_home)", "Goal(at_home)", "Bel, Des, Int, Does"),
    ],
)
def test_wrong_questions(prop: str, position: str, hint: str) -> None:
    with pytest.raises(InputError) as error:
        mission().model().resolve(leaf_of(prop))
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == ("LIS084" if prop.startswith("Goal") else "LIS080")
    assert diagnostic.span is not None
    assert diagnostic.span.text == position
    assert hint in (diagnostic.hint or "")


def test_portraits() -> None:
    model, space, states = run_of(mission())
    assert model.agents == ("agent",)
    assert model.describe(space.values(states[3])) == {
        "beliefs": {"Start mission": ""},
        "intentions": {"plan 1": "[Go home.] (1 of 3)"},
        "awaited": {"At home": ""},
    }


def test_steps_say_what_happens_and_where_it_is_written() -> None:
    _, space, states = run_of(mission())
    labels = [space.label(int(space.first_choice[state])) for state in states[:8]]
    texts = [
        [
            origin.text
            for origin in (label if isinstance(label, tuple) else (label,))
            if isinstance(origin, Origin)
        ]
        for label in labels
    ]
    assert texts == [
        ["time passes"],
        ["start plan 1: [Go home.]"],
        ["time passes"],
        ["time passes"],
        ["[Go home.] reports ^[At home]"],
        ["plan 1: -^[Start mission]", "start plan 2: +^[Been there]"],
        ["^[Start mission] is removed", "^[Been there] is added"],
        ["plan 1: +^[Mission complete]"],
    ]
    waiting = [label.rules for label in (labels[2], labels[3]) if isinstance(label, Origin)]
    assert waiting == [("f_BU",), ("f_P",)]
    start = labels[1]
    assert isinstance(start, Origin)
    assert (start.agent, start.rules, start.action, start.plan) == (
        "agent",
        ("F_O", "f_act"),
        "go_home",
        "plan_1",
    )
    assert start.span is not None
    assert start.span.text == "[Go home.]"


def test_plans_that_never_run_are_found() -> None:
    text = reasoning(
        beliefs="Go.",
        plans="If ^[Go] while true then\n+^[A].\nIf ^[A] while ^[B] then\n+^[B]\n-^[A].",
    )
    model = project(text).model()
    unused = coverage(model, explore(model.system)).unused
    assert unused == {"plans": ("plan_2",), "actions": ("+b", "-a")}


def test_tables() -> None:
    tables = {table.title: table for table in load(EXAMPLES / "vessel_mdp", {}).tables()}
    assert list(tables) == [
        "Model",
        "Initial actions",
        "Plans",
        "Actions",
        "Action files",
        "Percepts",
        "Objects",
        "Classes",
        "Mental notes",
        "Rules",
        "Rewards",
        "Parameters",
    ]
    assert "4 or 5" in tables["Model"].rows[0][1]
    assert [row[4] for row in tables["Plans"].rows][3:5] == ["plan_4_5", "plan_4_5"]
    assert ["wait_for_instructions", "runOnce", "continue (0.6, 5, 0), abort (0.4, 5, 0)"] in [
        list(row) for row in tables["Actions"].rows
    ]
    assert ["fuel", "plan_5 = 3", "1"] in [list(row) for row in tables["Rewards"].rows]
    (notes,) = [list(row) for row in tables["Mental notes"].rows if row[0] == "i_am_not_going_back"]
    (rule,) = [row[2] for row in tables["Rules"].rows if row[1] == "-^[I am not going back]"]
    assert notes == [
        "i_am_not_going_back",
        "",
        "plan_4 = 1",
        f"rule in line {rule.rpartition(':')[2]}",
    ]
