"""The reasoning cycle: percepts, events, results, atomic intentions, sleep, bounds."""

from __future__ import annotations

import pytest

from tests.languages.jason.systems import beliefs_in, ends, mind, plain_run, prints, space, steps_of
from volition.diagnostics import InputError

LAMP = """
percept on
percept dark initially dark
action switch when not on do add on; remove dark
action switch when on do fail
"""


def test_perceiving_removes_first_and_then_adds() -> None:
    text = "!go. +!go : dark <- switch. +on : not dark <- +order(right). +on <- +order(wrong)."
    assert ends(space(text, LAMP)) == {("on[source(percept)]", "order(right)[source(self)]")}


def test_a_percept_goes_and_what_was_told_stays() -> None:
    text = "dark. !go. +!go <- switch."
    assert ends(space(text, LAMP)) == {("dark[source(self)]", "on[source(percept)]")}


def test_a_result_may_come_before_or_after_its_effect_is_perceived() -> None:
    text = "!go. +!go <- switch; if (on) { +saw } else { +missed }."
    found = {"missed[source(self)]" in end for end in ends(space(text, LAMP))}
    assert found == {True, False}
    assert all(
        "saw[source(self)]" in end for end in ends(space(text, LAMP, results="after perception"))
    )


def test_an_action_may_fail() -> None:
    text = "!go. +!go <- switch; switch; +never. -!go[error(E)] <- +failed(E)."
    assert ends(space(text, LAMP)) == {
        ("failed(action_failed)[source(self)]", "on[source(percept)]")
    }


def test_actions_of_several_intentions_happen_in_any_order() -> None:
    world = (
        "percept first(X)\naction a do if not first(_) { add first(a) }\naction b do if not "
        "first(_) { add first(b) }"
    )
    found = ends(space("!a. !b. +!a <- a. +!b <- b.", world))
    assert found == {("first(a)[source(percept)]",), ("first(b)[source(percept)]",)}


def test_dropping_an_intention_does_not_stop_its_action() -> None:
    text = "!go. !other. +!go <- switch; +never. +!other <- .drop_intention(go)."
    assert ends(space(text, LAMP)) == {("on[source(percept)]",)}


def test_an_atomic_plan_runs_alone() -> None:
    text = (
        "!a. !b. +!b <- .print(b1); .print(b2); .print(b3). @a[atomic] +!a <- .print(a1); !sub; "
        ".print(a2). +!sub <- .print(sub)."
    )
    assert prints(text) == ["a1", "sub", "a2", "b1", "b2", "b3"]


def test_everything_waits_while_an_atomic_plan_waits() -> None:
    text = "!b. !a. +!b <- .print(b1); .print(b2). @a[atomic] +!a <- .wait(10); .print(a)."
    assert prints(text) == ["b1", "a", "b2"]


def test_an_event_without_plan_costs_its_intention_a_turn() -> None:
    assert plain_run("!go. +!go <- +b; +c.") == [
        "takes plan p__1 for +!go[source(self)]",
        "adds b",
        "needs no plan for +b[source(self)]",
        "adds c",
        "needs no plan for +c[source(self)]",
        "ends plan p__1",
    ]


def test_events_without_plans_are_skipped_in_one_cycle() -> None:
    assert plain_run("b(1). b(2). !go. +!go <- .print(1).")[0] == (
        "discards +b(2)[source(self)]; discards +b(1)[source(self)]; takes plan p__1 for "
        "+!go[source(self)]"
    )


@pytest.mark.parametrize("cycle", ["parts", "exact"])
def test_with_requeue_they_go_back(cycle: str) -> None:
    """Until a plan is applicable."""
    (end,) = ends(space("b. !go. +!go <- +d. +b : d <- +done.", events="requeue", cycle=cycle))
    assert "done[source(self)]" in end


@pytest.mark.parametrize("cycle", ["parts", "exact"])
def test_what_goes_back_for_ever_keeps_nobody_awake(cycle: str) -> None:
    (end,) = ends(
        space("b. !go. +!go <- .wait(100); +d.", events="requeue", cycle=cycle, time="ordered")
    )
    assert "d[source(self)]" in end


@pytest.mark.parametrize("cycle", ["parts", "exact"])
def test_nor_does_what_has_no_applicable_plan_until_something_changes(cycle: str) -> None:
    text = (
        "b. c. !go. +!go <- .wait(100); +d; .wait(100); +e. +b : d <- +done. +c : never <- +wrong."
    )
    (end,) = ends(space(text, events="requeue", cycle=cycle, time="ordered"))
    assert {"done[source(self)]", "e[source(self)]"} <= set(end)


@pytest.mark.parametrize("cycle", ["parts", "exact"])
def test_what_goes_back_takes_its_turn(cycle: str) -> None:
    text = "b. !go. +!go <- !!x; .print(1); .print(2); .print(3). +!x <- .print(x)."
    assert prints(text, events="requeue", cycle=cycle) == ["1", "2", "x", "3"]
    assert prints(text, events="discard", cycle=cycle) == ["1", "x", "2", "3"]


def test_a_goal_without_a_plan_is_shown_where_it_is_wanted() -> None:
    """And one that nobody wants where its first relevant plan stands."""
    missing = [
        each
        for each in steps_of(space("!go. +!go <- +b; !g. +!g : false."))
        if "no applicable" in each.text
    ]
    assert [str(each.span and each.span.text) for each in missing] == ["!g"]
    missing = [
        each
        for each in steps_of(space("!g. +!g : false <- .print(1). +!g : false."))
        if "no applicable" in each.text
    ]
    assert [each.span.line for each in missing if each.span] == [1]


def test_an_agent_with_nothing_to_do_sleeps() -> None:
    states = space("b.")
    last = len(steps_of(states))
    assert mind(states, last)["part"] == "asleep"
    assert beliefs_in(states, last) == ["b[source(self)]"]


def test_a_sleeping_agent_may_have_looked_around_just_before_a_change() -> None:
    """It hears of the switch before it sees the light, or after."""
    agents = {
        "bob": "!go. +!go <- switch; .send(maria, tell, done).",
        "maria": "+done : on <- +saw. +done <- +missed.",
    }
    found = {
        ("saw[source(self)]" in end, "missed[source(self)]" in end)
        for end in ends(space(agents, LAMP), "maria")
    }
    assert found == {(True, False), (False, True)}


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("!go(0). +!go(N) <- +b(N); !go(N+1).", "M_Bel"),
        ("!go. +!go <- !!other; !!go. +!other <- .suspend.", "M_Int"),
        ("!go. +!go <- !other; .print(1). +!other <- !go; .print(1).", "M_Int"),
        ("!go. +!go <- +b(1); +b(2); +b(3); +b(4); .abolish(b(_)). -b(_) <- .print(1).", "M_Ev"),
        ("!go. +!go <- !!act; !!go. +!act <- act.", "M_Act"),
    ],
)
def test_growth_without_end_ends_in_an_error_that_shows_the_run(text: str, bound: str) -> None:
    with pytest.raises(InputError) as caught:
        space(
            text, LAMP, bounds=dict.fromkeys(("M_Bel", "M_Ev", "M_Int", "M_Act"), 10) | {bound: 3}
        )
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "JSN050"
    assert f"{bound} = 3" in diagnostic.message
    assert (
        "bob: takes plan p__1"
        in (diagnostic.hint or "").splitlines()[1] + (diagnostic.hint or "").splitlines()[2]
    )


def test_a_bound_that_is_not_stated_is_a_hundred() -> None:
    with pytest.raises(InputError) as caught:
        space("!go(0). +!go(N) <- +b(N); !go(N+1).", cycle="exact")
    assert "M_Bel = 100" in caught.value.diagnostics[0].message


@pytest.mark.parametrize("begins_with", ["b({0}).", "!g({0}).", "b({0}). !g({0})."])
def test_what_a_program_begins_with_is_no_growth(begins_with: str) -> None:
    many = " ".join(begins_with.format(number) for number in range(101))
    assert space(f"{many} +!g(X) <- .suspend. +b(X) <- .suspend.", cycle="exact").terminal.any()


def test_nor_is_what_there_is_to_see() -> None:
    world = "percept b(X) initially " + ", ".join(f"b({number})" for number in range(101))
    assert space("+b(X) <- .suspend.", world, cycle="exact").terminal.any()


def test_an_error_at_the_very_beginning_shows_no_run() -> None:
    with pytest.raises(InputError) as caught:
        space("!go. +!go <- +b(1).", cycle="exact", bounds={"M_Int": 0})
    assert "the run that leads there" not in (caught.value.diagnostics[0].hint or "")


def test_terms_that_grow_end_in_an_error_too() -> None:
    with pytest.raises(InputError) as caught:
        space("!go([]). +!go(L) <- !go([" + "a," * 200 + "a|L]).", cycle="exact")
    assert [each.code for each in caught.value.diagnostics] == ["JSN051"]


def test_counting_is_bounded() -> None:
    """Without a word far beyond the largest number at first, so that what computes with the numbers
    of the program can do so."""
    for step, limit in (("X + 7", 10_070), ("X - 500", 15_000)):
        with pytest.raises(InputError) as caught:
            space(f"n(0). !go. +!go : n(X) <- -+n({step}); !go.", cycle="exact")
        assert f"exceeds the bound M_Num = {limit}:" in caught.value.diagnostics[0].message
    with pytest.raises(InputError) as caught:
        space("!go(0). +!go(X) <- !go(X - 1).", bounds={"M_Num": 5})
    assert "exceeds the bound M_Num = 5: 6 as" in caught.value.diagnostics[0].message
    assert space("!go(2000). +!go(0). +!go(X) <- !go(X - 500).", cycle="exact").terminal.any()


def test_a_mailbox_is_bounded() -> None:
    with pytest.raises(InputError) as caught:
        space({"bob": "!go. +!go <- .send(maria, tell, b); !go.", "maria": ""}, bounds={"M_Msg": 3})
    assert "the mailbox of maria exceeds the bound M_Msg = 3" in caught.value.diagnostics[0].message


def test_chance_decides_in_contexts_rules_and_bodies_alike() -> None:
    text = (
        "drawn(X) :- .random([1,2], X). !go. +!go : drawn(X) & X > 1 <- +high. +!go <- "
        ".random([a,b], Y); +low(Y)."
    )
    assert {end[1] for end in ends(space(text))} == {
        "high[source(self)]",
        "low(a)[source(self)]",
        "low(b)[source(self)]",
    }


META = """
!go.
+!go <- !g; .print(after).
+!g <- .print(g).
^!g[state(S)] <- .print(S).
"""


def test_meta_events_tell_what_becomes_of_a_goal() -> None:
    """The events come at the beginning of the next cycle, before others; the plans for them take
    their turns."""
    assert prints(META) == ["pending", "g", "after", "executing", "achieved", "finished"]


def test_a_goal_that_fails_or_is_dropped_is_finished() -> None:
    failing = (
        "!g. +!g <- .fail. ^!g[state(failed)[reason(R)]] <- .print(R). ^!g[state(finished)] "
        "<- .print(end)."
    )
    assert prints(failing) == ["ia_failed", "end"]
    dropping = (
        "!g. +!g <- .drop_intention(g). ^!g[state(dropped)] <- .print(dropped). "
        "^!g[state(finished)] <- .print(end)."
    )
    assert prints(dropping) == ["dropped", "end"]


@pytest.mark.parametrize(
    ("program", "noted"),
    [
        ("!g. +!g <- ?t(X). +?t(1). ^?t(_)[state(executing)] <- .print(wrong).", []),
        ("!g(1). -!g(_) <- +r. ^!g(_)[error(_),state(executing)[reason(\"\")]] <- .print(wrong).", []),  # noqa: E501
        ("!h. +!h <- !k. +!k <- .wait(10). ^!h[state(waiting)] <- .print(wrong). "
         "^!k[state(waiting)] <- .print(ok).", ["ok"]),
        ("!h. +!h <- !k. +!k <- .wait(10). ^!k[state(executing)] <- .print(k). "
         "^!h[state(executing)] <- .print(h).", ["h", "k", "k"]),
        ("!go. !s. +!go <- .wait(false). +!s <- .suspend(go). ^!go[state(suspended)] <- "
         ".print(ok).", ["ok"]),
        ("@a[atomic] +!t <- !!go; .suspend(go). !t. +!go. ^!go[state(suspended)] <- .print(ok).", ["ok"]),  # noqa: E501
        ("@a[atomic] +!t <- !!go; .suspend(go); .resume(go). !t. +!go. ^!go[state(S)] <- "
         ".print(S).",
         ["pending", "suspended", "resumed", "pending", "executing", "achieved", "finished"]),
        ("!go. !s. +!go <- .wait(false). +!s <- .suspend(go); .resume(go). ^!go[state(S)] : S \\== "
         "pending <- .print(S).",
         ["executing", "waiting", "suspended", "resumed", "waiting"]),
        ("!h. +!h <- !!g; !k. +!k <- .print(wrong). +!g <- .drop_desire(k). ^!h[state(dropped)] <- "
         ".print(ok).", ["ok"]),
    ],
)  # fmt: skip
def test_what_becomes_of_a_goal_is_told_of_the_one_that_it_is_about(
    program: str, noted: list[str]
) -> None:
    assert prints(program, time="ordered") == noted


def test_a_goal_that_counts_as_achieved_is_finished() -> None:
    """And so are those below that end with it."""
    noted = "^!g[state(S)] <- .print(S). ^!h[state(finished)] <- .print(h)."
    assert prints(f"!h. +!h <- !g. +!g <- .succeed_goal(g). {noted}") == [
        "pending",
        "executing",
        "achieved",
        "finished",
        "h",
    ]


@pytest.mark.parametrize("plan", ["+!h <- .fail.", "+!h : false."])
def test_a_goal_whose_failure_is_handled_is_pursued_further(plan: str) -> None:
    """Also if it is by a goal below."""
    noted = (
        "^!h[state(failed)] <- .print(failed). ^!h[state(executing)[reason(has_failure_plan)]] "
        "<- .print(executing)."
    )
    texts = prints(
        f"!g. +!g <- !h; .print(never). -!g <- .print(handled). {plan} {noted} "
        "^!h[state(finished)] <- .print(never)."
    )
    assert sorted(texts) == ["executing", "failed", "handled"]


@pytest.mark.parametrize("plan", ["+!h <- .fail.", "+!h : false.", ""])
def test_goals_below_a_failure_that_nobody_handles_have_failed_too(plan: str) -> None:
    assert prints(
        f"!g. +!g <- !h. {plan} ^!g[state(failed)] <- .print(failed). ^!g[state(finished)] <- "
        ".print(end)."
    ) == ["failed", "end"]
