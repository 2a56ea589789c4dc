"""The interpretation cycle of Sect. 4.1, part by part."""

from __future__ import annotations

from pathlib import Path

from tests.languages.agentspeak.systems import explored

LAMP = """
percept light
percept door(State) initially door(shut)
action press when not light do add light
action release when light do remove light
action open do remove door(_); add door(open)
"""


# --- mail -----------------------------------------------------------------------------------------


def test_tell_adds_a_belief_and_its_event(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!go. +!go <- .send(b, tell, p(1)).", "b": "+p(X) <- +got(X)."}
    )
    assert {
        "a: sends b tell p(1)",
        "b: gets tell p(1) from a",
        "b: takes plan p1 for +p(1)",
        "b: adds got(1)",
    } <= system.texts()
    assert system.check("<> Bel(b, got(1))")


def test_untell_removes_a_belief_and_posts_its_event(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- .send(b, untell, p).", "b": "p. -p <- +gone."})
    assert system.check("<> (Bel(b, gone) & !Bel(b, p))")


def test_achieve_posts_a_goal(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!go. +!go <- .send(b, achieve, g(3)).", "b": "+!g(X) <- +done(X)."}
    )
    assert system.check("<> Des(b, g(3)) & <> Bel(b, done(3))")


def test_what_is_told_twice_posts_one_event(tmp_path: Path) -> None:
    """Sect. 5: extra proposals are ignored by ag2, 'as it already believes' them."""
    system = explored(
        tmp_path, {"a": "!go. +!go <- .send(b, tell, p); .send(b, tell, p).", "b": "+p <- +seen."}
    )
    assert "b: gets tell p from a, which changes nothing" in system.texts()
    assert not any("+p, +p" in events for events in system.column("b.events"))


def test_broadcast_reaches_everybody_else(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- .broadcast(tell, p).", "b": "", "c": ""})
    assert system.check("<> (Bel(b, p) & Bel(c, p)) & [] !Bel(a, p)")


def test_an_agent_may_send_to_one_it_believes_in(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "friend(b). !go. +!go : friend(F) <- .send(F, tell, p).", "b": ""}
    )
    assert system.check("<> Bel(b, p)")


# --- trust ----------------------------------------------------------------------------------------


def test_full_trust_is_the_default_and_can_be_taken_away(tmp_path: Path) -> None:
    agents = {"a": "!go. +!go <- .send(b, tell, p); .send(b, achieve, g).", "b": "+!g <- +done."}
    system = explored(tmp_path, agents, options="b accepts tell from nobody")
    assert system.check("[] !Bel(b, p) & <> Bel(b, done)")
    assert "b: does not trust a and ignores tell p from a" in system.texts()


def test_trust_is_per_pair_and_force(tmp_path: Path) -> None:
    agents = {
        "a": "!go. +!go <- .send(c, tell, p).",
        "b": "!go. +!go <- .send(c, tell, q); .send(c, achieve, g).",
        "c": "+!g <- +done.",
    }
    system = explored(tmp_path, agents, options="c accepts tell from b\nc accepts achieve from a")
    assert system.check("<> Bel(c, q) & [] !Bel(c, p) & [] !Bel(c, done)")


def test_who_does_not_trust_tell_does_not_trust_untell(tmp_path: Path) -> None:
    agents = {"a": "!go. +!go <- .send(b, untell, p).", "b": "p."}
    assert explored(tmp_path / "1", agents, options="b accepts tell from nobody").check(
        "[] Bel(b, p)"
    )
    assert explored(
        tmp_path / "2", agents, options="b accepts tell from nobody\nb accepts untell from a"
    ).check("<> !Bel(b, p)")


# --- belief revision ------------------------------------------------------------------------------


def test_percepts_become_beliefs_and_are_forgotten(tmp_path: Path) -> None:
    agent = "!go. +!go <- press. +light <- +was_on; release. -light <- +was_off."
    system = explored(tmp_path, {"a": agent}, LAMP)
    assert system.check("<> Bel(light) & <> (Bel(was_off) & !Bel(light))")


def test_only_what_was_perceived_is_forgotten(tmp_path: Path) -> None:
    """Initial, told and self-added beliefs stay, though they are no percepts."""
    system = explored(
        tmp_path, {"a": "p. !go. +!go <- +q; press.", "b": "!go. +!go <- .send(a, tell, r)."}, LAMP
    )
    assert system.check("[] Bel(a, p) & <> [] (Bel(a, q) & Bel(a, r))")


def test_an_own_belief_that_is_perceived_as_well_stays_the_agents(tmp_path: Path) -> None:
    """Revision adds only percepts that are not believed, so it does not become a belief from
    perception."""
    system = explored(tmp_path, {"a": "light. !go. +!go <- press; release."}, LAMP)
    assert system.check("[] Bel(light)")


def test_percepts_are_believed_in_the_order_in_which_they_came(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!go. +!go <- press; open. +door(open) <- ?door(X); +first(X)."}, LAMP
    )
    assert system.check("[] !Bel(first(shut)) & <> Bel(first(open))")


def test_who_perceives_what(tmp_path: Path) -> None:
    world = (
        "percept note(Reader, Text) seen by Reader\nstep write when not note(_, _) do add "
        "note(a, x); add note(b, y)"
    )
    system = explored(
        tmp_path, {"a": "+note(_, T) <- +read(T).", "b": "+note(_, T) <- +read(T)."}, world
    )
    assert system.check(
        "<> (Bel(a, read(x)) & Bel(b, read(y))) & [] !Bel(a, read(y)) & [] !Bel(b, read(x))"
    )


# --- events and plans -----------------------------------------------------------------------------


def test_plans_are_tried_in_their_order(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g : p <- +one. +!g <- +two. +!g <- +three."})
    assert system.check("<> Bel(two) & [] !Bel(one) & [] !Bel(three)")


def test_contexts_backtrack_over_beliefs(tmp_path: Path) -> None:
    agent = (
        "bid(b1,4). bid(b2,9). bid(b3,9). trusted(b2). trusted(b3). !g. +!g : bid(A,X) & X > 5 "
        "& trusted(A) <- +best(A,X)."
    )
    assert explored(tmp_path, {"a": agent}).check("<> Bel(best(b2,9)) & [] !Bel(best(b3,9))")


def test_contexts_compute(tmp_path: Path) -> None:
    """A result that has no value gets one, a result that has one is compared, and what is no number
    has no sum."""
    agent = (
        "p(red). p(2). q(5). !g. +!g : p(X) & .plus(X,3,Y) & q(Y) & .times(X,X,%s) <- +found(X,Y)."
    )
    assert explored(tmp_path / "right", {"a": agent % 4}).check("<> Bel(found(2,5))")
    assert explored(tmp_path / "wrong", {"a": agent % 5}).check("[] !Bel(found(2,5))")


def test_a_negated_literal_with_a_free_variable_means_no_instance(tmp_path: Path) -> None:
    """Restriction (ii) of Sect. 3, lifted."""
    agent = "p(1). !g. !h. +!g : not(p(X)) <- +none_p. +!h : not(q(X)) <- +none_q."
    assert explored(tmp_path, {"a": agent}).check("[] !Bel(none_p) & <> Bel(none_q)")


def test_predicates_with_the_same_name_and_other_arities_are_different(tmp_path: Path) -> None:
    """Restriction (iii) of Sect. 3, lifted."""
    agent = "p(1,2). !g. +!g : p(X) <- +wrong. +!g : p(X,Y) <- +right(Y)."
    assert explored(tmp_path, {"a": agent}).check("<> Bel(right(2)) & [] !Bel(wrong)")


def test_an_event_without_applicable_plan_is_discarded(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g : p <- +done."})
    assert "a: has no applicable plan for +!g: the event is discarded" in system.texts()
    assert system.check("<> [] (!Des(g) & !Bel(done))")


def test_a_new_means_takes_the_first_free_entry(tmp_path: Path) -> None:
    """``FindFreeSpace``: the entry of an ended plan is used again, so two ended plans leave an
    empty array."""
    system = explored(tmp_path, {"a": "!f. !g. +!f <- +x. +!g <- +y; +z."})
    assert max(text.count("IntendedMeans") for text in system.column("a.means")) == 1


# --- intentions -----------------------------------------------------------------------------------


def test_formulas_are_executed_one_per_cycle(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- +one; +two; +three."})
    assert system.check("!Bel(two) W (Bel(one) & !Bel(two))")
    assert system.check("!Bel(three) W (Bel(two) & !Bel(three))")


def test_a_subplan_runs_before_the_plan_that_waits_for_it(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- !h; +after. +!h <- +inside."})
    assert system.check("<> Bel(after) & (!Bel(after) W Bel(inside))")


def test_an_exhausted_parent_is_freed_when_it_is_scheduled(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- !h. +!h <- +inside."})
    assert "a: ends plan p1" in system.texts()


def test_intentions_take_turns(tmp_path: Path) -> None:
    """Round-robin: neither of two intentions finishes before the other has begun."""
    system = explored(
        tmp_path, {"a": "!f. !g. +!f <- +f1; +f2; +f3; +f4. +!g <- +g1; +g2; +g3; +g4."}
    )
    assert system.check("[] !(Bel(f4) & !Bel(g1)) & [] !(Bel(g4) & !Bel(f1))")


def test_a_test_goal_takes_the_first_belief_that_matches(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "p(1,a). p(2,b). p(1,c). !g. +!g <- ?p(1,X); ?p(Y,b); +got(X,Y)."}
    )
    assert system.check("<> Bel(got(a,2)) & [] !Bel(got(c,2))")


def test_a_failed_test_goal_leaves_the_intention_waiting(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- ?p(X); +done."})
    assert system.check("[] !Bel(done)")
    assert "a: tests ?p(X), but no belief matches: the intention stays suspended" in system.texts()


def test_variables_that_two_goals_leave_free_stay_two(tmp_path: Path) -> None:
    """Neither goal gives a value; what the one variable gets later, the other does not get."""
    agent = "p(1). q(2). !g. +!g <- !find(Y); !find(Z); ?p(Y); ?q(Z); +ok(Y,Z). +!find(X) <- true."
    assert explored(tmp_path / "named", {"a": agent}).check("<> Bel(a, ok(1,2))")
    assert explored(tmp_path / "anonymous", {"a": agent.replace("find(X)", "find(_)")}).check(
        "<> Bel(a, ok(1,2))"
    )
    same = agent.replace("!find(Y); !find(Z)", "!same(Y,Z)").replace("+!find(X)", "+!same(X,X)")
    assert explored(tmp_path / "same", {"a": f"q(1). {same}"}).check("<> Bel(a, ok(1,1))")


def test_a_belief_is_removed_by_its_first_match(tmp_path: Path) -> None:
    for number, pattern in enumerate(("p(X)", "p(_)")):
        system = explored(
            tmp_path / str(number), {"a": f"p(1). p(2). !g. +!g <- -{pattern}; +done."}
        )
        assert system.check("<> (Bel(done) & !Bel(p(1)) & Bel(p(2)))")
        assert "a: removes p(1)" in system.texts()


def test_adding_what_is_believed_posts_no_event(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "p. !g. +!g <- +p; -q; +done. +p <- +event. -q <- +event."})
    assert system.check("<> Bel(done) & [] !Bel(event)")


def test_arithmetic(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!g. +!g <- .plus(3,4,X); .minus(X,10,Y); .times(Y,Y,Z); +got(X,Y,Z)."}
    )
    assert system.check("<> Bel(got(7,-3,9))")


def test_an_equation_gives_values_and_an_equality_compares(tmp_path: Path) -> None:
    agent = (
        "p(1). p(2). !g(f(3)). +!g(G) : p(X) & Y = X & Y == 2 & f(Z) = G <- V = Y; W = "
        "[V|[Z]]; +ok(X,W); 2 = V; +again; 1 = V; +never."
    )
    system = explored(tmp_path, {"a": agent})
    assert system.check("<> Bel(a, ok(2,[2,3])) & <> Bel(a, again) & [] !Bel(a, never)")


def test_a_comparison_that_fails_stops_the_plan(tmp_path: Path) -> None:
    assert explored(tmp_path, {"a": "!g. +!g <- +one; 3 > 4; +two."}).check(
        "<> Bel(one) & [] !Bel(two)"
    )


def test_random_is_a_nondeterministic_choice(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": "!g. +!g <- .random([red,green],X); .random(1,3,Y); +got(X,Y)."}
    )
    assert all(
        system.check(f"E [ <> Bel(got({colour},{number})) ]")
        for colour in ("red", "green")
        for number in (1, 2, 3)
    )
    assert system.check("<> Bel(got(_,_))")


def test_print_shows_in_traces(tmp_path: Path) -> None:
    assert (
        "a: prints x is 3"
        in explored(tmp_path, {"a": '!g(3). +!g(X) <- .print("x is ", X).'}).texts()
    )


# --- actions and idleness -------------------------------------------------------------------------


def test_actions_wait_until_the_world_executes_them(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- press."}, LAMP)
    assert system.check("<> Does(a, press) & (!light W Does(a, press)) & <> light")


def test_an_action_whose_condition_does_not_hold_waits(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- release."}, LAMP)
    assert system.check("<> [] Does(a, release)")


def test_actions_of_all_agents_share_one_queue(tmp_path: Path) -> None:
    """Channel a: what is first in it blocks what is behind it."""
    system = explored(tmp_path, {"a": "!go. +!go <- release.", "b": "!go. +!go <- press."}, LAMP)
    assert system.check("E [ <> light ]")
    assert not system.check("A [ <> light ]")


def test_an_action_that_waits_twice_is_told_twice(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!go. +!go <- release; release."}, LAMP)
    last = system.model.describe(system.space.values(system.space.num_states - 1))
    assert list(last["waiting actions"]) == ["release by a", "release by a (again, position 2)"]


def test_idle_agents_start_no_cycle(tmp_path: Path) -> None:
    assert explored(tmp_path, {"a": "p."}).space.num_states == 1


def test_idle_agents_may_cycle_for_ever(tmp_path: Path) -> None:
    assert explored(tmp_path, {"a": "p."}, options="idle = cycle").space.num_states == 4
