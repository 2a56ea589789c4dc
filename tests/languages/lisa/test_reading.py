"""The files of a project, as the figures of Izzo's thesis print them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.languages.lisa.projects import EXAMPLES, action, project, reasoning
from volition.diagnostics import InputError
from volition.languages import language_of
from volition.languages.lisa import load
from volition.languages.lisa.names import name_of
from volition.languages.lisa.resolved import PlanPosition
from volition.languages.lisa.syntax import TimingDistribution

FIGURE_2_2 = """\
>location
  @coordinates: vector
  @covariance: matrix
  >>waypoint
    >>>global waypoint
    >>>local waypoint
"""

FIGURE_3_4 = """\
procedure name:: computing desired position and state for fixed
  attitude
senglish sentences:: Compute desired position Pdes and desired state
  vector Xdes for fixed attitude.
mol reference::
input classes and local names::
output classes and local names:: position [Pdes], desired state
  vector[Xdes]
senglish code:: Execute "Pdes= circular_trajectory_position2
  ([150,120],70,tLim,t,circlePhase);
QuatDes=[0;0;0;1]; Xdes=[Pdes;zeros(3,1);QuatDes;zeros(3,1)]; "
matlab libraries::
conceptual graphs::
author data::
section number:: 2
performance feedback::
"""

FIGURE_3_6 = """\
procedure name :: wait instructions
senglish sentences :: Wait for instructions.
process, repeat mode :: control, runOnce
...
...
performance feedback :: Continue[0.6,5,2], Abort[0.4,5,2]
"""

FIGURE_3_8 = """\
//Percepts
Sea state is too high. {[], [0.01,10,5], [0.01,10,5]}
I am at global waypoint. {[], [0.5,5,0], [1,1,0]}
Last waypoint reached. {[I am at global waypoint],[0.1,1,0],[1,1,0]}
"""

FIGURE_3_9 = """\
//Plan 5
If ^[Block explored] while ^[Areas left unexplored] and ~^[Sea state
   is too high] then
  [Activate park mode.]
  [Generate set of waypoints.]
  +^[Re_exploring areas] {fuel=1,time=1}
  [Activate drive mode.].
"""

ACTIONS_3_9 = {
    "Activate park mode": action("Activate park mode", "Park mode[1,1,0]"),
    "Activate drive mode": action("Activate drive mode", "Drive mode[1,5,0]"),
    "Generate set of waypoints": action("Generate set of waypoints", "Waypoints generated[1,1,0]"),
}


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Sea state is too high.", "sea_state_is_too_high"),
        ("Re_exploring areas", "re_exploring_areas"),
        ("Re_exploring_areas", "re_exploring_areas"),
        ("I am\n   at global waypoint", "i_am_at_global_waypoint"),
        ("Ready - steady, go!", "ready__hyphen_steady__comma_go__exclamation"),
        ("Depth > 10 m.", "depth__greater_10_m"),
    ],
)
def test_sentences_become_names(sentence: str, name: str) -> None:
    """Sect. 6.4, page 122: lower case, underscores for spaces."""
    assert name_of(sentence) == name


def test_figure_2_2_and_3_4() -> None:
    """An ontology with subclasses, and an action file whose values go on in the next line and whose
    mode is missing."""
    classes = FIGURE_2_2 + ">position\n>desired state vector\n"
    call = (
        "If ^[Go] while true then\n[Compute desired position P1 and desired state vector X1 for "
        "fixed attitude.]\n-^[Go]."
    )
    name = "computing desired position and state for fixed attitude"
    program = project(reasoning(beliefs="Go.", plans=call), {name: FIGURE_3_4}, ontology=classes)
    (found,) = program.agent.actions
    assert (
        found.text
        == "Compute desired position Pdes and desired state vector Xdes for fixed attitude"
    )
    assert not found.feedbacks
    assert [position.plan for position in found.called_at] == ["plan_1"]
    assert [each.code for each in program.warnings] == ["LIS023", "LIS072"]


def test_figure_3_6() -> None:
    plans = "If ^[Go] while true then\n[Wait for instructions.]."
    (found,) = project(
        reasoning(beliefs="Go.", plans=plans), {"wait_instructions": FIGURE_3_6}
    ).agent.actions
    assert found.name == "wait_for_instructions"
    assert [(each.name, each.weight) for each in found.feedbacks] == [
        ("continue", Fraction(3, 5)),
        ("abort", Fraction(2, 5)),
    ]
    assert (found.mean, found.deviation) == (5, 2)


def test_figure_3_8() -> None:
    sea, waypoint, last = project(reasoning(percepts=FIGURE_3_8)).agent.percepts
    assert (sea.name, sea.activation, sea.counter) == (
        "sea_state_is_too_high",
        TimingDistribution(Fraction(1, 100), 10, 5),
        "c1",
    )
    assert (waypoint.activation, waypoint.deactivation) == (
        TimingDistribution(Fraction(1, 2), 5, 0),
        TimingDistribution(Fraction(1), 1, 0),
    )
    assert str(last.condition) == "^[I am at global waypoint]"
    assert last.counter is None


def test_figures_3_3_and_3_9() -> None:
    """A plan with wrapped lines, external and internal actions, and rewards."""
    beliefs = "Block explored.\nAreas left unexplored.\nSea state is too high."
    agent = project(reasoning(beliefs=beliefs, plans=FIGURE_3_9), ACTIONS_3_9).agent
    (plan,) = agent.plans
    assert str(plan.event) == "^[Block explored]"
    assert str(plan.context) == "^[Areas left unexplored] and ~^[Sea state is too high]"
    assert [step.action for step in plan.steps] == [
        "activate_park_mode",
        "generate_set_of_waypoints",
        "+re_exploring_areas",
        "activate_drive_mode",
    ]
    earned = [
        (name, item.where, item.value) for name, items in agent.rewards.items() for item in items
    ]
    assert [
        (name, isinstance(where, PlanPosition) and where.index, value)
        for name, where, value in earned
    ] == [
        ("fuel", 3, Fraction(1)),
        ("time", 3, Fraction(1)),
    ]


def test_sentences_with_brackets_in_every_section() -> None:
    """Page 58: beliefs and initial actions can be expressed without square brackets, so also with
    them."""
    text = reasoning(
        beliefs="^[Go].\n[Ready]",
        actions="[Act.]\nAct.",
        percepts="[P]. {[^[Go], ~^[Ready]],[1,1,0],[1,1,0]}",
    )
    agent = project(text, {"act": action("act")}).agent
    assert [note.name for note in agent.notes if note.initially] == ["go", "ready"]
    assert agent.actions[0].called_initially
    assert str(agent.percepts[0].condition) == "^[Go] and ~^[Ready]"


def test_messages_are_percepts() -> None:
    """Page 45: messages are treated as any other perception belief."""
    percepts = (
        "P. {[],[1,1,0],[1,1,0]}\nMonitor the following messages:\nReturn to base. "
        "{[],[0.1,3,0],[1,1,0]}"
    )
    program = project(reasoning(percepts=percepts))
    assert [(each.name, each.is_message) for each in program.agent.percepts] == [
        ("p", False),
        ("return_to_base", True),
    ]
    assert "message" in {
        row[1] for table in program.tables() if table.title == "Percepts" for row in table.rows
    }


def test_one_action_with_several_sentences_and_objects() -> None:
    """Page 60: an action is called by one of its sentences; the values of objects are no part of
    the model (page 19)."""
    go = action(
        "go",
        "Arrived[1,2,0]",
        sentence="Go to location L. Drive to location L.",
        inputs="location [L]",
    )
    plans = "If ^[A] while true then\n[Go to location Home.]\n[drive to location Office.]."
    objects = "Monitor the following objects:\nlocation [Home].\nwaypoint [Office]."
    agent = project(
        reasoning(beliefs="A.", percepts=objects, plans=plans), {"go": go}, ontology=FIGURE_2_2
    ).agent
    assert [(position.plan, position.index) for position in agent.actions[0].called_at] == [
        ("plan_1", 1),
        ("plan_1", 2),
    ]


def test_a_sentence_without_objects_goes_before_one_with() -> None:
    """``[Go to base.]`` is the action with that sentence, although the file of another one, read
    before, goes to any place."""
    anywhere = action("anywhere", "Arrived[1,2,0]", sentence="Go to P.", inputs="place [P]")
    base = action("base", "Back[1,2,0]", sentence="Go to base.")
    plans = "If ^[A] while true then\n[Go to base.]\n[Go to Office.]."
    agent = project(
        reasoning(beliefs="A.", plans=plans), {"anywhere": anywhere, "base": base}
    ).agent
    assert [step.feedbacks for step in agent.plans[0].steps] == [("back",), ("arrived",)]


def test_stopping_a_repeated_action() -> None:
    follow = action("follow path", mode="control, runRepeated")
    agent = project(
        reasoning(
            beliefs="A.", plans="If ^[A] while true then\n[Follow path.]\n[Stop follow path.]."
        ),
        {"follow path": follow},
    ).agent
    assert [step.action for step in agent.plans[0].steps] == ["follow_path", "stop_follow_path"]
    assert [position.index for position in agent.actions[0].called_at] == [1]


def test_the_printed_vessel() -> None:
    """Appendix B.1 without the corrections of its numbers: 10 plans, 4 rules, 4 percepts, 5
    feedbacks, plans 4 and 5 compete."""
    agent = load(EXAMPLES / "vessel_mdp", {}).agent
    assert [len(plan.steps) for plan in agent.plans] == [4, 2, 2, 1, 4, 1, 2, 3, 2, 1]
    assert [percept.name for percept in agent.percepts] == [
        "sea_state_is_too_high",
        "i_am_at_global_waypoint",
        "areas_left_unexplored",
        "last_waypoint_reached",
    ]
    assert sum(len(note.added_by) + len(note.removed_by) for note in agent.notes) == 4
    assert sum(len(each.feedbacks) for each in agent.actions) == 5
    assert agent.kind == "mdp"


def test_a_project_is_its_folder_or_its_reasoning_file() -> None:
    folder = EXAMPLES / "vessel_dtmc"
    assert language_of(folder).name == language_of(folder / "vessel.sej").name == "LISA"
    assert [plan.name for plan in load(folder, {}).agent.plans] == [
        plan.name for plan in load(folder / "vessel.sej", {}).agent.plans
    ]


def test_properties_stand_beside_the_reasoning_file() -> None:
    text = '// RESULT: 1\n"arrives": Pmin=? [ F Bel("Go") ]\n'
    (stated,) = project(reasoning(beliefs="Go."), properties=text).properties
    assert (stated.name, stated.text, stated.expected) == ("arrives", 'Pmin=? [ F Bel("Go") ]', "1")


def test_a_folder_without_reasoning_file(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, {})
    assert [each.code for each in error.value.diagnostics] == ["LIS061"]
