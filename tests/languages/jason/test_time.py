"""Waiting and time: free, and ordered by deadlines."""

from __future__ import annotations

import pytest

from tests.languages.jason.systems import ends, space
from volition.languages.jason.state import mind_slot
from volition.origin import Origin


def orders(text: str, time: str) -> set[tuple[str, ...]]:
    """What may be believed in the end; beliefs of one predicate stand newest first."""
    return ends(space(text, time=time))


RACE = "!a. !b. +!a <- .wait(900); +done(a). +!b <- .wait(300); .wait(300); +done(b)."


def test_with_free_time_any_timer_may_end_first() -> None:
    a_first, b_first = (
        ("done(b)[source(self)]", "done(a)[source(self)]"),
        ("done(a)[source(self)]", "done(b)[source(self)]"),
    )
    assert orders(RACE, "free") == {a_first, b_first}


def test_with_ordered_time_deadlines_decide() -> None:
    assert orders(RACE, "ordered") == {("done(a)[source(self)]", "done(b)[source(self)]")}


def test_equal_deadlines_end_in_any_order() -> None:
    text = "!a. !b. +!a <- .wait(500); +done(a). +!b <- .wait(500); +done(b)."
    assert len(orders(text, "ordered")) == 2


def test_time_passes_only_when_nothing_else_can_move() -> None:
    text = "!a. !b(20). +!a <- .wait(1); +done(a). +!b(0) <- +done(b). +!b(N) <- !b(N-1)."
    assert orders(text, "ordered") == {("done(a)[source(self)]", "done(b)[source(self)]")}


def test_time_of_several_agents_is_one() -> None:
    agents = {
        "bob": "!go. +!go <- .wait(200); .send(maria, tell, b).",
        "maria": "!go. +!go <- .wait(100); +early; .wait(150); +late. +b : late <- +after. +b <- "
        "+before.",
    }
    states = space(agents, time="ordered")
    assert ends(states, "maria") == {
        ("b[source(bob)]", "before[source(self)]", "early[source(self)]", "late[source(self)]")
    }


def test_waiting_for_what_is_believed_takes_no_time() -> None:
    assert orders("b(1). !go. +!go <- .wait(b(X)); +got(X).", "free") == {
        ("b(1)[source(self)]", "got(1)[source(self)]")
    }


def test_waiting_until_something_is_believed() -> None:
    text = "!go. !later. +!go <- .wait(b(X) & X > 1); +got(X). +!later <- +b(1); +b(2)."
    assert orders(text, "free") == {
        ("b(2)[source(self)]", "b(1)[source(self)]", "got(2)[source(self)]")
    }


def test_waiting_for_an_event() -> None:
    text = "!go. !later. +!go <- .wait({+!g(X)}); +got(X). +!later <- !g(3). +!g(_)."
    assert orders(text, "free") == {("got(3)[source(self)]",)}


@pytest.mark.parametrize("change", ["+", "-"])
def test_waiting_for_a_change_of_beliefs(change: str) -> None:
    """``{+b(X)}`` alone is read as a body."""
    text = (
        f"b(1). b(2). !go. !later. +!go <- .wait({{{change}b(X)}}); +got(X). "
        "+!later <- -b(2); +b(3)."
    )
    ((_, _, got),) = orders(text, "free")
    assert got == {"+": "got(3)[source(self)]", "-": "got(2)[source(self)]"}[change]


def test_a_timeout_is_a_failure() -> None:
    text = "!go. +!go <- .wait(b, 100). -!go[error(E)] <- +failed(E)."
    assert orders(text, "ordered") == {("failed(wait_timeout)[source(self)]",)}


def test_a_timeout_that_is_asked_for_is_none() -> None:
    assert orders("!go. +!go <- .wait(b, 100, T); +waited(T).", "ordered") == {
        ("waited(100)[source(self)]",)
    }


def test_an_event_at_a_certain_time() -> None:
    text = (
        '!go. !other. +!go <- .at("now +1 s", {+!g}). +!other <- .wait(500); +done(other). +!g '
        "<- +done(g)."
    )
    assert orders(text, "ordered") == {("done(g)[source(self)]", "done(other)[source(self)]")}


def test_such_an_event_comes_from_nobody_and_changes_no_belief() -> None:
    text = (
        '!go. +!go <- .at("now +1 s", {+!h}); .at("now +2 s", {+p(1)}). +!h[source(self)] <- '
        "+wrong. +!h <- +ok. +p(X) <- +heard(X)."
    )
    assert orders(text, "ordered") == {("heard(1)[source(self)]", "ok[source(self)]")}


def test_without_a_unit_its_time_is_in_milliseconds() -> None:
    text = (
        '!go. !other. +!go <- .at("now +400", {+!g}). +!other <- .wait(500); ?done(g); '
        "+done(other). +!g <- +done(g)."
    )
    assert orders(text, "ordered") == {("done(other)[source(self)]", "done(g)[source(self)]")}


def test_a_deadline_lets_the_goal_fail() -> None:
    text = (
        "!go. +!go <- !g[hard_deadline(100)]; +never. +!g <- .wait(200); +late. -!g[error(E)] "
        "<- +failed(E)."
    )
    states = space(text.replace("+never", "+after"), time="ordered")
    assert ends(states) == {("after[source(self)]", "failed(deadline_reached)[source(self)]")}


def test_a_deadline_finds_what_has_just_waited_long_enough() -> None:
    """Two timers end at a time, in any order: whichever is the first in the queue, the goal is
    still pursued."""
    states = space("!go. +!go <- !!g[hard_deadline(10)]. +!g <- .wait(10). -!g.", time="ordered")
    both = [
        state
        for state in range(states.num_states)
        if len(states.value(state, mind_slot("bob", "due"))) == 2
    ]
    labels = [states.label(choice) for state in both for choice in states.choices_of(state)]
    begun = [each.text for each in labels if isinstance(each, Origin) and "begin" in each.rules]
    assert len(both) > 1
    assert begun
    assert all(
        "has not reached g[hard_deadline(10),source(self)] in time" in each for each in begun
    )


def test_a_suspended_intention_stays_away_when_its_time_is_over() -> None:
    text = (
        "!go. !other. +!go <- .wait(100); +done(go). +!other <- .suspend(go); .wait(300); "
        "+done(other); .resume(go)."
    )
    assert orders(text, "ordered") == {("done(go)[source(self)]", "done(other)[source(self)]")}


def test_a_deadline_counts_for_goals_that_variables_stand_for_and_others_send() -> None:
    waits = "+!h <- G = g[hard_deadline(100)]; !G. +!g <- .suspend. -!g[error(E)] <- +failed(E)."
    late = {("failed(deadline_reached)[source(self)]",)}
    assert orders(f"!h. {waits}", "ordered") == late
    agents = {"bob": waits, "maria": "!go. +!go <- .send(bob, achieve, [h])."}
    assert ends(space(agents, time="ordered")) == late


def test_a_deadline_ends_a_goal_at_the_bottom_of_its_intention_without_a_failure() -> None:
    """As ``.fail_goal`` there: Jason throws a NullPointerException."""
    assert orders(
        "!go. +!go <- !!g[hard_deadline(100)]; +done. +!g <- .suspend. -!g <- +failed.", "ordered"
    ) == {("done[source(self)]",)}
