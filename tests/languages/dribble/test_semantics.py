"""The transition rules of Sect. 2.4, one by one, and against an interpreter written from the paper
alone."""

from __future__ import annotations

from hypothesis import assume, given, settings

from tests.languages.dribble import reference
from tests.languages.dribble.comparing import explored, graph_of, program_of
from tests.languages.dribble.random_programs import programs
from volition.kernel import StateSpace, explore
from volition.languages.dribble import DribbleModel
from volition.languages.dribble.syntax import text_of_plan
from volition.logic import modal_atoms, parse
from volition.origin import Origin

PROGRAM = """
len_max: {len_max}
beliefs:
  {beliefs}
goals:
  {goals}
actions:
  {actions}
abstract plans:
  Abstract
goal rules:
  {goal_rules}
revision rules:
  {revision_rules}
"""


def space_of(
    *,
    beliefs: str = "~p",
    goals: str = "",
    actions: str = "do => p",
    goal_rules: str = "",
    revision_rules: str = "",
    len_max: int = 12,
) -> tuple[DribbleModel, StateSpace]:
    values = {
        "beliefs": beliefs,
        "goals": goals,
        "actions": actions,
        "goal_rules": goal_rules,
        "revision_rules": revision_rules,
    }
    return explored(program_of(PROGRAM.format(len_max=len_max, **values)))


def story(space: StateSpace, state: int = 0) -> list[str]:
    """The rules on the only run from a state, up to the first repetition."""
    rules, seen = [], set()
    while state not in seen:
        seen.add(state)
        choice = int(space.first_choice[state])
        assert space.first_choice[state + 1] == choice + 1
        label = space.label(choice)
        assert isinstance(label, Origin)
        rules.append(label.rules[0])
        state = int(space.targets[space.first_transition[choice]])
    return rules


def plans(model: DribbleModel, space: StateSpace) -> set[str]:
    return {
        text_of_plan(model.configuration(space.values(state)).plan)
        for state in range(space.num_states)
    }


def test_a_goal_rule_needs_an_empty_plan_and_its_guard() -> None:
    model, space = space_of(goals="p", goal_rules="G(p) & B(~p) -> do; Abstract")
    assert story(space) == ["apply(g1)", "execute(do)", "stall"]
    assert plans(model, space) == {"empty", "do; Abstract", "Abstract"}


def test_a_guard_of_a_goal_rule_speaks_of_single_goals() -> None:
    """``G α`` needs one goal that entails α: two goals p and q are no goal p & q."""
    assert story(space_of(goals="p, q", goal_rules="G(p & q) -> do")[1]) == ["stall"]
    assert story(space_of(goals="p & q", goal_rules="G(p) -> do")[1])[0] == "apply(g1)"


def test_a_goal_is_dropped_when_it_is_believed() -> None:
    model, space = space_of(goals="p | q, ~p & q", goal_rules="G(p | q) -> do")
    goals = [sorted(map(str, model.configuration(space.values(state)).goals)) for state in range(3)]
    assert story(space)[:2] == ["apply(g1)", "execute(do)"]
    assert goals == [["p | q", "~p & q"], ["p | q", "~p & q"], ["~p & q"]]


def test_an_action_without_its_precondition_stalls() -> None:
    assert story(space_of(goals="p", actions="do : p => p", goal_rules="p -> do")[1]) == [
        "apply(g1)",
        "stall",
    ]


def test_conditional_effects_see_the_beliefs_before_the_action() -> None:
    model, space = space_of(
        beliefs="~p, q", goals="p", actions="do => p if q, ~q", goal_rules="p -> do"
    )
    final = model.configuration(space.values(space.num_states - 1))
    assert sorted(map(str, final.beliefs)) == ["p", "~q"]


def test_both_branches_of_a_conditional() -> None:
    """A test that is not believed takes the second branch, also where its negation is not believed
    either."""
    for belief, taken in [("q", "do"), ("~q", "Abstract"), ("q | p", "Abstract")]:
        model, space = space_of(
            beliefs=f"{belief}, ~s",
            goals="s",
            actions="do => s, p, q",
            goal_rules="s -> if q then do else Abstract",
        )
        assert plans(model, space) == {"empty", "if q then do else Abstract", taken}


def test_a_revision_rule_matches_a_prefix_and_keeps_the_rest() -> None:
    model, space = space_of(
        goals="p", goal_rules="p -> Abstract; do", revision_rules="Abstract | true -> do; do"
    )
    assert "do; do; do" in plans(model, space)


def test_a_revision_may_drop_steps() -> None:
    model, space = space_of(
        goals="p", goal_rules="p -> Abstract; do", revision_rules="Abstract; pi | ~p -> pi"
    )
    assert plans(model, space) == {"empty", "Abstract; do", "do"}


def test_a_revision_competes_with_execution() -> None:
    """A revision rule applies whether or not the plan could be executed."""
    _, space = space_of(
        goals="p", goal_rules="p -> do", revision_rules="do; pi | ~p -> Abstract; pi"
    )
    labels = [
        space.label(choice)
        for choice in range(int(space.first_choice[1]), int(space.first_choice[2]))
    ]
    assert sorted(label.rules[0] for label in labels if isinstance(label, Origin)) == [
        "apply(r1)",
        "execute(do)",
    ]


def test_the_head_of_a_revision_may_be_a_conditional() -> None:
    step = "if p then do else {Abstract; do}"
    model, space = space_of(
        goals="p", goal_rules=f"p -> {step}; do", revision_rules=f"{step}; pi | true -> do; pi"
    )
    assert "do; do" in plans(model, space)


def test_a_revision_that_makes_the_plan_too_long_is_withheld() -> None:
    grow = "do; pi | ~p -> Abstract; do; pi"
    model, space = space_of(
        goals="p",
        goal_rules="p -> do",
        revision_rules=f"{grow}\n  Abstract; pi | true -> do; pi",
        len_max=3,
    )
    withheld = model.resolve(parse("withheld"))  # type: ignore[arg-type]
    blocked = {
        text_of_plan(space.values(state)["plan"])
        for state in range(space.num_states)
        if withheld(space.values(state))
    }
    assert blocked == {"do; do; do"}
    assert max(len(space.values(state)["plan"]) for state in range(space.num_states)) == 3


def test_an_agent_with_nothing_to_do_stalls_for_ever() -> None:
    _, space = space_of()
    assert (space.num_states, story(space)) == (1, ["stall"])


def test_does_is_true_after_the_step_only() -> None:
    program = program_of(
        PROGRAM.format(
            len_max=5,
            beliefs="~p",
            goals="p, q",
            actions="do => p",
            goal_rules="p -> do; do",
            revision_rules="",
        )
    )
    formula = parse("Does(do)")
    model = program.model(modal_atoms(formula))
    space = explore(model.system)
    does = space.holds(model.resolve(formula))  # type: ignore[arg-type]
    # The run: adopt the plan, execute do twice, stall for ever.
    assert does.tolist() == [False, False, True, True, False]


@settings(max_examples=25, deadline=None)
@given(programs(max_clauses=1))
def test_tree_and_model_agree_on_bases_of_literals(program: reference.PlainProgram) -> None:
    """Where every belief is a conjunction of literals, which lie in the state atom by atom."""
    expected = reference.transitions(program, 300)
    assume(expected is not None)
    model, space = explored(program_of(reference.text_of_program(program)))
    assert graph_of(model, space) == expected


def test_a_large_base_of_literals_is_read_little() -> None:
    """Twelve independent lamps: each goal rule and each action reads its own atom only."""
    lamps = range(12)
    text = PROGRAM.format(
        len_max=3,
        beliefs=", ".join(f"~lit{lamp}" for lamp in lamps),
        goals=", ".join(f"lit{lamp}" for lamp in lamps),
        actions="\n  ".join(f"light{lamp} : ~lit{lamp} => lit{lamp}" for lamp in lamps),
        goal_rules="\n  ".join(f"lit{lamp} -> light{lamp}" for lamp in lamps),
        revision_rules="",
    )
    model = program_of(text).model()
    space = explore(model.system)
    assert space.num_states == 2**12 + 12 * 2**11
    assert space.stats.python_calls < 1000
