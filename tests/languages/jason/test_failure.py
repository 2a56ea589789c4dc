"""Plan failure: which goal fails, with which annotations, and what goes on."""

from __future__ import annotations

import pytest

from tests.languages.jason.systems import ends, model, prints, space
from volition.languages.jason.failure import code_of


def test_the_plan_below_goes_on_as_if_the_goal_had_succeeded() -> None:
    text = (
        "!go. +!go <- !g(X); .print(X). +!g(X) <- !h; .print(never). +!h <- .fail. -!g(failure) "
        "<- .print(handled)."
    )
    assert prints(text) == ["handled", "failure"]


def test_values_from_before_the_failure_are_not_those_of_the_goal() -> None:
    """The trigger of a means is as it was when its plan was taken."""
    text = "!go. +!go <- !g(X); .print(X). +!g(X) <- X = 3; .fail. -!g(X) <- X = 4."
    assert prints(text) == ["4"]


def test_a_failure_that_nobody_plans_for_drops_the_intention() -> None:
    states = space("!go. +!go <- !g; +never. +!g <- .fail.")
    assert ends(states) == {()}


def test_a_failure_in_a_plan_for_a_failure_is_one_of_the_goal_below() -> None:
    text = """
    !g0.
    +!g0 <- !g1; .print(end).
    -!g0 <- .print(goodend).
    +!g1 <- .fail.
    -!g1 <- .fail; .print(bug).
    """
    assert prints(text) == ["goodend"]


def test_the_search_ends_at_the_first_goal_with_a_plan_for_its_failure_applicable_or_not() -> None:
    text = "!go. +!go <- !g; .print(no). -!go <- .print(no). +!g <- .fail. -!g : b <- .print(no)."
    assert prints(text) == []


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("!unknown", "no_relevant"),
        ("!never", "no_applicable"),
        ("?b", "test_goal_failed"),
        ("1 > 2", "constraint_failed"),
        (".fail", "ia_failed"),
        (".nth(7,[a],X)", "ia_failed"),
        ("act", "action_failed"),
        (".fail(error(mine))", "mine"),
        (".send(nobody, tell, b)", "receiver_not_found"),
    ],
)
def test_errors_have_names(body: str, error: str) -> None:
    states = space(f"!go. +!go <- {body}. +!never : false. -!go[error(E)] <- +failed(E).")
    assert ends(states) == {(f"failed({error})[source(self)]",)}


def test_the_code_that_failed_is_told() -> None:
    text = (
        "!go.\n+!go <- X = 1;\n ?b(X, Y).\n-!go[code(C), code_src(S), code_line(L)] <- "
        ".print(C, S, L)."
    )
    assert prints(text) == ["b(1,_)bob.asl3"]


def test_where_the_code_stands_does_not_depend_on_where_one_is() -> None:
    found = {
        code_of(
            model({f"{folder}bob": "+!go <- .fail."}).programs[f"{folder}bob"].plans[0].body[0], {}
        )
        for folder in ("", "here/")
    }
    assert len(found) == 1


def test_the_failure_of_a_goal_without_intention_is_external() -> None:
    assert prints("!unknown. -!unknown[error(E)] <- .print(E).") == ["no_relevant"]


def test_a_failing_plan_for_a_belief_is_dropped_unless_it_stands_on_a_goal() -> None:
    text = "!go. +!go <- +b; .print(never). -!go <- .print(handled). +b <- .fail."
    assert prints(text) == ["handled"]


def test_a_failed_test_goal_is_handled_like_any_other() -> None:
    assert prints("!go. +!go <- ?q(X); .print(X). +?q(X) <- .fail. -?q(9) <- .print(handled).") == [
        "handled",
        "9",
    ]


def test_succeed_goal_goes_on_below() -> None:
    text = """
    !go. !other.
    +!go <- !g; .print(below).
    +!g <- !h; .print(never).
    +!h <- .suspend; .print(never).
    +!other <- .print(1); .succeed_goal(g).
    """
    assert prints(text) == ["1", "below"]


def test_what_goes_on_below_keeps_its_turn() -> None:
    text = """
    !h. !g. !x.
    +!h <- !k; .print(h).
    +!k <- .print(k1); .print(k2); .print(k3); .print(k4).
    +!g <- .print(g1); .print(g2); .succeed_goal(k).
    +!x <- .print(x1); .print(x2); .print(x3).
    """
    assert prints(text) == ["g1", "g2", "x1", "h", "x2", "x3"]


def test_fail_goal_fails_without_annotations() -> None:
    text = """
    !go. !other.
    +!go <- !g.
    +!g <- .suspend.
    -!g[error(_)] <- .print(never).
    -!g <- .print(failed).
    +!other <- .print(1); .fail_goal(g).
    """
    assert prints(text) == ["1", "failed"]


def test_whatever_somebody_has_said_may_be_abolished() -> None:
    """The other sources go with it."""
    text = (
        "p(1)[source(amy)]. q[source(amy), source(zoe)]. r. s :- r. !go. +!go <- "
        ".abolish(_[source(amy)])."
    )
    (end,) = ends(space(text))
    assert [each for each in end if " :- " not in each] == ["r[source(self)]"]


def test_dropping_an_intention_is_no_failure() -> None:
    text = """
    !go. !other.
    +!go <- !g; .print(never).
    +!g <- .suspend.
    -!g <- .print(never).
    +!other <- .print(1); .drop_intention(g); .print(2).
    """
    assert prints(text) == ["1", "2"]


def test_dropping_the_current_intention() -> None:
    assert prints("!go. +!go <- .print(1); .drop_intention; .print(never).") == ["1"]


def test_dropping_all_desires_keeps_the_current_intention_and_events_of_beliefs() -> None:
    text = (
        "b(1). b(2). b(3). !go. +!go <- .abolish(b(_)); .drop_all_desires; .print(end). -b(X) "
        "<- .print(X)."
    )
    assert prints(text) == ["end", "2", "3"]  # for the first event there was an intention already


def test_dropping_all_intentions_gives_up_what_was_planned_for_later() -> None:
    text = (
        '!go. +!go <- .at("now +1 s", {+!later}); .print(1); .drop_all_intentions. +!later <- '
        ".print(never)."
    )
    assert prints(text, time="ordered") == ["1"]
