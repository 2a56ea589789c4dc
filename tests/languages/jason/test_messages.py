"""Messages: performatives, asks, sources, and plans for messages."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.languages.jason.systems import ends, space
from volition.languages.jason.messages import default_plans
from volition.origin import Origin


def told(sender: str, receiver: str = "", **settings: object) -> set[tuple[str, ...]]:
    """What the receiver, ``maria``, may believe in the end."""
    return ends(space({"bob": f"!go. +!go <- {sender}.", "maria": receiver}, **settings), "maria")


def heard(sender: str, receiver: str, **settings: object) -> set[tuple[str, ...]]:
    """What the sender, ``bob``, may believe in the end."""
    return ends(space({"bob": f"!go. +!go <- {sender}.", "maria": receiver}, **settings), "bob")


def test_tell_adds_a_source() -> None:
    assert told(".send(maria, tell, b(1))", "b(1).") == {("b(1)[source(bob),source(self)]",)}


def test_a_new_source_is_an_event() -> None:
    assert told(".send(maria, tell, b)", "b. +b[source(bob)] <- +noticed.") == {
        ("b[source(bob),source(self)]", "noticed[source(self)]")
    }


def test_untell_removes_the_source_of_the_sender_only() -> None:
    sends = ".send(maria, tell, b); .send(maria, untell, b)"
    assert told(sends, "b.") == {("b[source(self)]",)}
    assert told(sends) == {()}


def test_sources_nest() -> None:
    agents = {
        "bob": "!go. +!go <- .send(maria, tell, b).",
        "maria": "+b[source(bob)] <- ?b[source(S)]; .send(anna, tell, b[source(S)]).",
        "anna": "",
    }
    assert ends(space(agents), "anna") == {("b[source(maria)[source(bob)]]",)}


def test_achieve_is_a_goal_with_its_sender() -> None:
    assert told(".send(maria, achieve, g(1))", "+!g(X)[source(S)] <- +did(X, S).") == {
        ("did(1,bob)[source(self)]",)
    }


def test_lists_are_told_and_wanted_one_by_one() -> None:
    assert told(".send(maria, tell, [b(1), b(2)])") == {("b(2)[source(bob)]", "b(1)[source(bob)]")}
    (end,) = told(".send(maria, achieve, [g(1), g(2)])", "+!g(X) <- +did(X).")
    assert set(end) == {"did(1)[source(self)]", "did(2)[source(self)]"}


def test_unachieve_drops_the_desire() -> None:
    assert told(
        ".send(maria, achieve, g); .send(maria, unachieve, g)", "+!g <- .suspend; +never."
    ) == {()}


def test_a_signal_is_an_event_without_a_belief() -> None:
    assert told(".send(maria, signal, s(1))", "+s(X)[source(S)] <- +got(X, S).") == {
        ("got(1,bob)[source(self)]",)
    }


def test_messages_of_one_sender_arrive_in_order() -> None:
    assert told(".send(maria, tell, b(1)); .send(maria, tell, b(2))") == {
        ("b(2)[source(bob)]", "b(1)[source(bob)]")
    }


def test_messages_to_oneself_come_from_oneself() -> None:
    assert heard(".send(bob, tell, b)", "") == {("b[source(self)]",)}


def test_broadcast_is_to_all_others() -> None:
    agents = {"bob": "!go. +!go <- .broadcast(tell, b).", "maria": "", "anna": ""}
    states = space(agents)
    assert [ends(states, each) for each in agents] == [
        {()},
        {("b[source(bob)]",)},
        {("b[source(bob)]",)},
    ]


# --- asks -----------------------------------------------------------------------------------------


def test_ask_one_gets_the_first_belief() -> None:
    assert heard(".send(maria, askOne, v(X), v(Y)); +got(Y)", "v(1). v(2).") == {
        ("got(1)[source(self)]",)
    }


def test_ask_one_gets_false_where_there_is_nothing() -> None:
    assert heard(".send(maria, askOne, v(X), A); +got(A)", "") == {("got(false)[source(self)]",)}


def test_ask_one_may_be_answered_by_a_plan() -> None:
    assert heard(".send(maria, askOne, v(X), v(Y)); +got(Y)", "+?v(7)[source(bob)].") == {
        ("got(7)[source(self)]",)
    }


def test_ask_all_gets_a_list() -> None:
    assert heard(".send(maria, askAll, v(X), L); .length(L, N); +got(N)", "v(1). v(2).") == {
        ("got(2)[source(self)]",)
    }


def test_many_are_asked_at_once() -> None:
    agents = {
        "bob": "!go. +!go <- .send([maria,anna], askOne, v(X), L); .length(L, N); +got(N).",
        "maria": "v(1).",
        "anna": "v(2).",
    }
    assert ends(space(agents)) == {("got(2)[source(self)]",)}


@pytest.mark.parametrize("body", [".fail(error(mine))", ".fail(mine)", ".fail", "?never"])
def test_nobody_is_answered_by_a_plan_that_fails_unless_it_is_a_test(body: str) -> None:
    """Any error has a plan; only that nothing follows is an answer."""
    states = space(
        {
            "bob": "!go. +!go <- .send(maria, askOne, v(X), A); +got(A).",
            "maria": f"+?v(X) <- {body}.",
        }
    )
    assert ends(states) == {("got(false)[source(self)]",) if body == "?never" else ()}
    steps = [
        states.label(choice)
        for state in range(states.num_states)
        for choice in states.choices_of(state)
    ]
    texts = [each.text for each in steps if isinstance(each, Origin)]
    assert any("takes plan not_understood" in each for each in texts) == (body != "?never")


def test_an_answer_that_does_not_unify_fails() -> None:
    states = space(
        {
            "bob": "!go. +!go <- .send(maria, askOne, v(X), v(3)). -!go[error(E)] <- +failed(E).",
            "maria": "v(1).",
        }
    )
    assert ends(states) == {("failed(ask_failed)[source(self)]",)}


def test_an_answer_that_nobody_waits_for_is_told() -> None:
    assert heard(".send(maria, askOne, v(X))", "v(1).") == {("v(1)[source(maria)]",)}


def test_an_ask_may_end_with_a_timeout_and_late_answers_are_ignored() -> None:
    found = heard(
        ".send(maria, askOne, v(X), A, 1000); if (A == timeout) { +late } else { +early }", "v(1)."
    )
    assert found == {("late[source(self)]",), ("early[source(self)]",)}


@pytest.mark.parametrize(
    ("message", "believed"),
    [
        ("untell, n::p(1)", set()),
        ("tell, [n::p(2)]", {"n::p(1)[source(bob)]", "n::p(2)[source(bob)]"}),
        ("achieve, [n::g]", {"n::p(1)[source(bob)]", "n::done[source(self)]"}),
    ],
)
def test_messages_may_be_about_what_is_in_a_namespace(message: str, believed: set[str]) -> None:
    (end,) = told(
        f".send(maria, tell, n::p(1)); .send(maria, {message})",
        "{begin namespace(n)} +!g <- +done. {end}",
    )
    assert set(end) == believed


def test_what_is_in_a_namespace_may_be_asked_for() -> None:
    assert heard(".send(maria, askOne, n::p(X), n::p(Y)); +got(Y)", "n::p(1).") == {
        ("got(1)[source(self)]",)
    }
    assert heard(
        ".send(maria, askAll, n::p(X), L); .length(L, N); +got(N)", "n::p(1). n::p(2). p(3)."
    ) == {("got(2)[source(self)]",)}


# --- plans for messages ---------------------------------------------------------------------------


def test_a_plan_of_the_program_for_messages_gets_them_all() -> None:
    receiver = "+!kqml_received(S, P, C, _) : P == tell <- +got(S, C)."
    assert told(".send(maria, tell, b)", receiver) == {("got(bob,b)[source(self)]",)}


def test_what_it_does_not_match_is_left_to_the_others() -> None:
    receiver = "+!kqml_received(S, propose, C, _) <- +got(S, C)."
    (end,) = told(".send(maria, tell, b); .send(maria, propose, c)", receiver)
    assert set(end) == {"b[source(bob)]", "got(bob,c)[source(self)]"}


def test_the_plans_for_messages_have_names_of_their_own() -> None:
    labels = [plan.label for plan in default_plans()]
    assert len(set(labels)) == len(labels)
    assert not [label for label in labels if "kqml" in label.lower() or label.startswith("p__")]


def test_whoever_subscribes_is_told_of_providers() -> None:
    agents = {
        "bob": '!go. +!go <- .df_subscribe("cook").',
        "maria": '!go. +!go <- .df_register("cook").',
    }
    assert ends(space(agents)) == {('provider(maria,"cook")[source(df)]',)}


def test_subscribers_are_told_again_of_who_registers_again() -> None:
    forgets = "-provider(bob,_)[source(df)]"
    text = (
        f'!go. +!go <- .df_subscribe("cook"); !offer; {forgets}; !offer; +ok. +!offer <- '
        '.df_register("cook"); .wait(provider(_,_)).'
    )
    (end,) = ends(space(text))
    assert "ok[source(self)]" in end


def test_a_search_may_come_too_early() -> None:
    agents = {
        "bob": '!go. +!go <- .df_search("cook", L); +found(L).',
        "maria": '!go. +!go <- .df_register("cook").',
    }
    assert ends(space(agents)) == {("found([])[source(self)]",), ("found([maria])[source(self)]",)}


def test_after_stop_mas_the_run_may_end_at_any_moment() -> None:
    agents = {
        "bob": "!go. +!go <- +armed; .stopMAS; +launched.",
        "maria": "!go. +!go <- +b(1); +b(2).",
    }
    states = space(agents)
    assert {len(end) for end in ends(states, "maria")} == {0, 1, 2}
    assert {len(end) for end in ends(states)} == {
        1,
        2,
    }  # the next step of the caller may still follow


def test_stop_mas_proves_nothing_about_what_follows(tmp_path: Path) -> None:
    (tmp_path / "bob.asl").write_text("!go. +!go <- +armed; .stopMAS; +launched.")
    report = volition.check(
        tmp_path / "bob.asl",
        ["A [ G !Bel(launched) ]", "A [ F Bel(launched) ]", "A [ F Bel(armed) ]"],
        fair="weak",
    )
    assert [each.verdict.holds for each in report] == [False, False, True]


def test_a_run_without_end_is_ended_by_stop_mas() -> None:
    states = space("!go. +!go <- .stopMAS; !!again. +!again <- +b; -b; !!again.")
    assert ends(states) >= {(), ("b[source(self)]",)}


def test_after_stop_mas_time_may_still_pass() -> None:
    text = "!go. +!go <- .stopMAS; .wait(100); +late."
    assert ends(space(text, time="ordered")) == {(), ("late[source(self)]",)}
