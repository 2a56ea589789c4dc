"""LISA agents as PRISM programs: Storm builds the same model from the text as we do from the
program."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, event, given, settings

from tests.exporters.storm import build
from tests.languages.lisa.projects import EXAMPLES, action, project, reasoning
from tests.languages.lisa.random_projects import projects
from tests.languages.lisa.reference import bounded, earned
from volition.checking.check import check
from volition.diagnostics import InputError
from volition.exporters.prism.lisa import lisa_to_prism
from volition.kernel import Limits, StateSpace, explore
from volition.languages.lisa import LisaProgram, load
from volition.languages.lisa.resolved import kind_of
from volition.logic import parse


def agree(program: LisaProgram, space: StateSpace, goals: list[str]) -> None:
    """States, choices, transitions, bounded reachability of the goals, and cumulated rewards."""
    optima = (
        {"": np.maximum}
        if kind_of(program.agents) == "dtmc"
        else {"min": np.minimum, "max": np.maximum}
    )
    rewards = list(space.reward_names)
    properties = [f"P{suffix}=? [F<=15 {goal}=1]" for suffix in optima for goal in goals]
    properties += [f'R{{"{name}"}}{suffix}=? [C<=15]' for suffix in optima for name in rewards]
    files = lisa_to_prism(program.agents, [parse(prop) for prop in properties])
    built = build(files.model, files.properties)
    ours = [
        bounded(space, optimum, lambda state, goal=goal: state[goal] == 1, 15)  # type: ignore[misc]
        for optimum in optima.values()
        for goal in goals
    ]
    ours += [earned(space, optimum, name, 15) for optimum in optima.values() for name in rewards]
    assert (built.states, built.choices, built.transitions) == (
        space.num_states,
        space.num_choices,
        space.num_transitions,
    )
    assert list(built.values) == pytest.approx(ours, abs=1e-9)


@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(projects())
def test_random_agents(files: tuple[str, dict[str, str]]) -> None:
    """Rules, shared triggers, events, conditions, variances: our state space and Storm's agree."""
    program = project(*files)
    space = explore(program.model().system, limits=Limits(states=20_000))
    assume(space.complete)
    event(program.agent.kind)
    agree(program, space, ["note_one", "percept_two", "good", "done"])


def test_the_drone() -> None:
    """Variances, conflicting rules, messages and events in one readable agent."""
    program = load(EXAMPLES / "pipeline_drone", {})
    space = explore(program.model().system)
    agree(
        program, space, ["leak_documented", "inspection_over", "hold_position", "picture_blurred"]
    )


@pytest.mark.parametrize(
    "prop",
    [
        'Pmax=? [ !Bel("Recalled") U<=40 (Int(plan_4) & Des(plan_6)) ]',
        "Pmin=? [ F[10,40] Bel(^[Recalled] and not ^[Hold position]) ]",
        "Pmax=? [ X X (Int(plan_1) | !hold_position) ]",
        "Pmin=? [ G ((x = 0 -> plan_1 + plan_2 < 3) <-> !Bel(drone, hold_position)) ]",
        'R{"energy"}max=? [ F Bel("Inspection over") ]',
        'R{"leaks"}max=? [ I=30 ]',
        "Pmax=? [ G<=30 !Bel(recalled) ]",
        "Pmin>0.3 [ G[4,20] !(Bel(recalled) & x = 0) ]",
        "Pmax>=0.5 [ F<=60 Bel(leak_documented) ]",
    ],
)
def test_formulas_about_the_drone(prop: str) -> None:
    program = load(EXAMPLES / "pipeline_drone", {})
    files = lisa_to_prism(program.agents, [parse(prop)])
    verdict = check(program, [prop]).answers[0].verdict
    ours = verdict.value if verdict.holds is None else verdict.holds
    assert list(build(files.model, files.properties).values) == pytest.approx([ours], abs=1e-6)


@pytest.mark.parametrize(
    "formula",
    [
        "A [ G !(Int(plan_4) & Int(plan_6)) ]",
        "E [ F (Int(plan_4) & Int(plan_6)) ]",
        "A [ G<=6 !Bel(recalled) ]",
        "A [ G<=12 !Bel(recalled) ]",
        "E [ F<=6 Bel(recalled) ]",
    ],
)
def test_what_is_seen_in_one_state_needs_no_probabilities(formula: str) -> None:
    program = load(EXAMPLES / "pipeline_drone", {})
    files = lisa_to_prism(program.agents, [parse(formula)])
    assert list(build(files.model, files.properties).values) == [
        check(program, [formula]).answers[0].verdict.holds
    ]


@pytest.mark.parametrize(
    "formula",
    [
        "A [ F Bel(inspection_over) ]",
        'Pmax=? [ F Does("Land") ]',
        "multi(Pmax=? [ F abort = 1 ])",
        'R{"enrgy"}max=? [ C<=9 ]',
        "Rmax=? [ C<=9 ]",
    ],
)
def test_formulas_without_a_translation(formula: str) -> None:
    """All runs may do what almost all runs do not, no variable remembers an action; multi and
    rewards are asked by name."""
    with pytest.raises(InputError):
        lisa_to_prism(load(EXAMPLES / "pipeline_drone", {}).agents, [parse(formula)])


def test_names_that_prism_does_not_take() -> None:
    """Reserved words, other alphabets, digits in front, and an action named as a belief get names
    of their own."""
    plans = "If ^[Max] while ^[été] then\n[Error.]\n+^[Error]\n+^[2 more]."
    program = project(
        reasoning(beliefs="Max.\nété.", plans=plans), {"error": action("error", "Init[1,1,0]")}
    )
    space = explore(program.model().system)
    assert build(lisa_to_prism(program.agents).model).states == space.num_states


def test_rewards_with_names_that_prism_does_not_take() -> None:
    program = project(
        reasoning(beliefs="Go.", plans="If ^[Go] then\n+^[A] {max=2,init=0.5}\n-^[Go] {max=1}.")
    )
    properties = ['R{"max"}=? [ C<=20 ]', 'R{"init"}=? [ C<=20 ]']
    files = lisa_to_prism(program.agents, [parse(prop) for prop in properties])
    ours = [float(answer.verdict.value or 0) for answer in check(program, properties).answers]
    assert ours == [6, 1]  # a plan stands on an action for both half-steps
    assert list(build(files.model, files.properties).values) == pytest.approx(ours)


def test_the_program_can_be_read() -> None:
    """The modules of Appendix B.2, each below the sentence it stands for, and commands that say
    what happens."""
    text = lisa_to_prism(load(EXAMPLES / "vessel_mdp", {}).agents).model
    lines = text.splitlines()
    assert lines[0].startswith("// The LISA agent 'vessel'")
    modules = [line.split()[1] for line in lines if line.startswith("module ")]
    assert modules[:4] == ["plan_1", "plan_2", "plan_3", "plan_4_5"]
    assert {
        "activate_drive_mode",
        "wait_for_instructions",
        "mission_complete",
        "sea_state_is_too_high",
        "scheduler",
    } <= set(modules)
    assert "// Plan 8: if ^[Sea state is too high] while true" in lines
    assert "  [t] plan_8=2 & (continue=1 | abort=1) -> (plan_8'=3);" in lines  # App. B.2, line 102
    assert (
        "  [b] continue=2 -> 0.6 : (continue'=1) & (abort'=0) + 0.4 : (continue'=0) & (abort'=1);"
        in lines
    )  # line 160
    assert "  [b] mission_complete=1 -> (mission_complete'=1);" in lines  # line 216
    assert (
        "  [b] sea_state_is_too_high=0 & c1>=10 -> 0.01 : (sea_state_is_too_high'=1) & (c1'=0) + "
        "0.99 : (c1'=0);"
    ) in lines  # line 235


def test_rules_about_the_note_that_they_change() -> None:
    """What a note's own rules say about the note is worked out where it is held and where it is
    not."""
    rules = (
        "If ^[Lit] then ~^[Lit]\nIf ~^[Lit] and ^[Go] then ^[Lit]\nIf ^[Lit] and ^[Go] then ~^[Go]"
    )
    program = project(reasoning(beliefs="Go.", rules=rules))
    text = lisa_to_prism(program.agents).model
    assert (
        "  [b] lit=0 & !(go=1) -> (lit'=0);\n  [b] lit=0 & go=1 -> (lit'=1);\n  [b] lit=1 -> "
        "(lit'=0);\nendmodule"
    ) in text
    assert "  [b] go=1 & lit=1 -> (go'=0);" in text
    agree(program, explore(program.model().system), ["lit", "go"])


def test_equation_3_7_in_prism() -> None:
    """Fig. 3.6 with its variance: nothing before the third cycle, then a growing chance, at the end
    certainty."""
    plans = "If ^[Go] while true then\n[Wait.]."
    text = lisa_to_prism(
        project(
            reasoning(beliefs="Go.", plans=plans),
            {"wait": action("wait", "Continue[0.6,5,2], Abort[0.4,5,2]")},
        ).agents
    ).model
    assert "  [b] continue>6 -> (continue'=continue-1);" in text
    assert (
        "continue>2 & continue<=6 -> 0.6*((7-continue)/5) : (continue'=1) & (abort'=0)"
        in " ".join(text.split())
    )
    assert "(continue-2)/5 : (continue'=continue-1);" in text
    assert (
        "  [b] continue=2 -> 0.6 : (continue'=1) & (abort'=0) + 0.4 : (continue'=0) & (abort'=1);"
        in text
    )
