"""What the paper leaves open and Volition decides: one test for each decision, on the smallest
program that shows it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.languages.can.small import agent, believed, final_states, origins, rules, space, used
from volition.languages.can.agent import EventStatus


def finals(text: str, **settings: str) -> list[set[str]]:
    return [believed(values) for values in final_states(space(text, **settings))]


def test_changing_a_belief_is_one_step_that_is_always_possible() -> None:
    found = space(agent("+b; -b; x := 5", beliefs="x = 1"))
    assert {"+b", "-b", ":="} <= used(found)
    (final,) = final_states(found)
    assert final["b"] is False
    assert final["x"] == 5


def test_deleted_first_then_added() -> None:
    assert finals(agent("act", actions="act : true <- <{b},{b}>")) == [{"b"}]


def test_outcome_that_computes_uses_the_numbers_from_before() -> None:
    found = space(
        agent("swap", beliefs="x = 1, y = 2", actions="swap : true <- <{},{x := y, y := x}>")
    )
    (final,) = final_states(found)
    assert (final["x"], final["y"]) == (2, 1)


def test_action_whose_precondition_fails_is_blocked_and_stays() -> None:
    """Another intention enables it later: both orders end with both beliefs unless the blocked
    intention is dropped."""
    text = """
// External events
first, second
// Plan library
first : true <- act.
second : true <- +enabled.
// Actions description
act : enabled <- <{},{acted}>
"""
    assert finals(text, update="finished") == [{"enabled", "acted"}]
    assert {frozenset(each) for each in finals(text)} == {
        frozenset({"enabled"}),
        frozenset({"enabled", "acted"}),
    }


def test_sequence_goes_on_with_the_first_step_of_what_follows() -> None:
    """``nil; P`` makes P's step: three beliefs take three steps, after A_event, event and select,
    before ▷⊤ and A_update."""
    found = space(agent("+a; +b; +c"))
    assert found.num_states == 1 + 3 + 3 + 2
    assert ";⊤" in used(found)


def test_recovery_takes_over_in_the_same_step() -> None:
    """``?false |> +b``: failing over and the first step of the alternative are one step."""
    found = space(agent("?false |> +b"))
    assert found.num_states == 1 + 3 + 1 + 2
    assert ("A_step(1)", "▷;", "▷⊥", "+b") in {
        origin.rules for state in range(found.num_states) for origin in origins(found, state)
    }


def test_blocked_recovery_is_kept() -> None:
    """Both sides wait for a belief that the other intention brings; the left side is still the one
    that goes on."""
    text = """
// External events
first, second
// Plan library
first : true <- ?b; +left |> ?b; +right.
second : true <- +b.
"""
    for final in finals(text, update="finished"):
        assert "left" in final
        assert "right" not in final


def test_one_side_of_concurrency_may_be_blocked() -> None:
    assert finals(agent("?false || +b"), update="finished") == [{"b"}]


def test_finished_sides_of_concurrency_take_a_step() -> None:
    """``nil || nil`` takes a step to ``nil``: ∥⊤ comes before ▷⊤ and A_update, on each of the
    runs."""
    found = space(agent("+a || +b"))
    assert "∥⊤" in used(found)
    assert found.num_states == 1 + 3 + 3 + 1 + 2


def test_event_without_applicable_plan_is_looked_at_again() -> None:
    text = """
// External events
go, enable
// Plan library
go : ready <- +done.
enable : true <- +ready.
"""
    assert finals(text, update="finished") == [{"ready", "done"}]


def test_event_without_plan_is_blocked() -> None:
    found = space("// External events\ngo")
    assert [rules(found, state) for state in range(found.num_states)] == [
        ["A_event(1)"],
        ["event"],
        ["A_update(1)"],
        [],
    ]


def test_context_is_not_checked_again_after_selection() -> None:
    assert finals(agent("-c; sub", beliefs="c", rest="// Plans\nsub : !c <- +c; +done.")) == [
        {"c", "done"}
    ]


def test_goal_that_succeeded_and_failed_at_once() -> None:
    found = space(agent("goal(b, nil, b)", beliefs="b"))
    assert any(sorted(rules(found, state)) == ["G_f", "G_s"] for state in range(found.num_states))


def test_goal_never_blocks() -> None:
    """A goal whose program is blocked, or has finished without success, restarts at once; nothing
    but G▷ is possible."""
    for body in ("goal(s, ?false, f)", "goal(s, +b, f)"):
        found = space(agent(body))
        assert not final_states(found)
        assert any(rules(found, state) == ["G▷"] for state in range(found.num_states))
        assert "A_update(1)" not in used(found)


def test_goal_whose_program_is_a_recovery_is_not_wrapped_again() -> None:
    """The printed premise of G_init: P ≠ P1 ▷ P2.  After the first try, P2 is tried again and
    again."""
    found = space(agent("goal(b, +a |> +b, false)"))
    assert "G_init" not in used(found)
    assert [believed(values) for values in final_states(found)] == [{"a", "b"}]


def test_test_that_is_false_makes_the_recovery_take_over() -> None:
    assert finals(agent("goal(s, +a, f) |> +c", beliefs="f")) == [{"f", "c"}]


@pytest.mark.parametrize(
    ("update", "possible"), [("any", True), ("finished", False), ("stuck", False)]
)
def test_update_of_a_blocked_intention_while_another_one_goes_on(
    update: str, possible: bool
) -> None:
    text = (
        "// External events\nblocked, going\n// Plans\nblocked : true <- ?false.\ngoing : true "
        "<- goal(false, nil, false)."
    )
    assert ("A_update(1)" in used(space(text, update=update))) is possible


def test_update_when_nothing_else_can_move() -> None:
    (final,) = final_states(space(agent("?false"), update="stuck"))
    assert final["intention 1"] is EventStatus.REMOVED
    (kept,) = final_states(space(agent("?false"), update="finished"))
    assert str(kept["intention 1"]) == "?false |> go:()"


def test_finished_system_loops() -> None:
    found = space("// External events\n")
    assert (found.num_states, found.num_choices, found.num_transitions) == (1, 1, 1)


def test_same_external_event_twice() -> None:
    """Each has its own number and its own intention: a counter counts to two on all runs."""
    text = "// Initial beliefs\nx = 0\n// Events\ngo, go\n// Plans\ngo : true <- x := x + 1."
    found = space(text)
    assert {"A_event(1)", "A_event(2)"} <= used(found)
    assert {values["x"] for values in final_states(found)} == {2}


def test_closed_world() -> None:
    assert finals(agent("?!b; +done")) == [{"done"}]


def test_background_change_follows_events_and_steps_but_not_updates() -> None:
    """A_event, event, select, +b, ▷⊤: five changes; A_update is not followed by one."""
    (final,) = final_states(space(agent("+b", beliefs="x = 0", rest="// Background\nx := x + 1.")))
    assert final["x"] == 5


def test_background_changes_see_the_step_and_each_other() -> None:
    rest = "// Background\nx := x + 1.\nx = 4 & !b <- +late."
    (slow,) = final_states(space(agent("?true; +b", beliefs="x = 0", rest=rest)))
    (fast,) = final_states(space(agent("+b", beliefs="x = 0", rest=rest)))
    assert slow["late"] is True
    assert fast["late"] is False


def test_outcomes_of_an_action_are_one_choice() -> None:
    found = space(agent("toss", actions="toss : true <- 1/3: <{},{head}> + 2/3: <{},{}>"))
    (state,) = [state for state in range(found.num_states) if rules(found, state) == ["act_p"]]
    choice = found.first_choice[state]
    transitions = range(found.first_transition[choice], found.first_transition[choice + 1])
    assert {
        found.value(int(found.targets[t]), "head"): found.weights[found.weight_ids[t]]
        for t in transitions
    } == {
        True: Fraction(1, 3),
        False: Fraction(2, 3),
    }
