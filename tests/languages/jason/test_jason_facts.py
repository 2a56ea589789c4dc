"""What was seen when programs ran in Jason itself, one small program for each: loaded from a file,
and checked.

``ok`` is believed at last in every fair run, ``wrong`` never, unless a row asks something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import volition

AT_LAST: Mapping[str, bool] = {"F Bel(bob, ok)": True}
OK: Mapping[str, bool] = {**AT_LAST, "G !Bel(bob, wrong)": True}

FACTS: Mapping[str, tuple[str, str, Mapping[str, bool]]] = {
    "events of initial beliefs come in reverse order": (
        "a. b. +b <- +b_was_first. +a : b_was_first <- +ok. +a : not b_was_first <- +wrong.",
        "",
        OK,
    ),
    "events of initial beliefs come before those of goals": (
        "!g. a. +a <- +seen. +!g : seen <- +ok. +!g : not seen <- +wrong.",
        "",
        OK,
    ),
    "a quoted name is another name": ("!g. +!g : 'a' \\== a & not 'a' = a <- +ok.", "", AT_LAST),
    "each name with an underline is a variable of its own": (
        "p(1,2). !g. +!g : p(_X,_X) <- +ok. -!g <- +wrong.",
        "",
        OK,
    ),
    "a number after the underline is the same variable": (
        "p(1,2). !g. +!g : p(_1,_1) <- +wrong. -!g <- +ok.",
        "",
        OK,
    ),
    "sources are counted if they are asked for": (
        "done[source(a),source(b)]. !g. +!g : .count(done[source(_)],2) & .count(done,1) <- +ok.",
        "",
        AT_LAST,
    ),
    "the newest belief is found first": (
        "p(1). !g. +!g <- +p(2); ?p(X); +found(X). +found(2) <- +ok. +found(1) <- +wrong.",
        "",
        OK,
    ),
    "a removal is an event even if the belief stays": (
        "b[source(self),source(tom)]. !g. +!g <- -b. -b : b <- +ok.",
        "",
        AT_LAST,
    ),
    "a removal binds its variables": (
        "b(1). b(2). !g. +!g <- -b(X); +gone(X). +gone(1) <- +ok. +gone(2) <- +wrong.",
        "",
        OK,
    ),
    "what others told is not removed without its source": (
        "b[source(tom)]. !g. +!g <- -b; +tried. +tried : b <- -b[source(tom)]; +then. +then : not "
        "b <- +ok.",
        "",
        AT_LAST,
    ),
    "percepts are not removed without their source": (
        "+wet <- -wet; +tried.",
        "percept wet initially wet",
        {"F Bel(bob, tried)": True, "G (Bel(bob, tried) -> Bel(bob, wet))": True},
    ),
    "replacing removes the first match alone": (
        "n(1). n(2). !g. +!g <- -+n(3); .findall(X, n(X), L); +left(L). +left([3,2]) <- +ok.",
        "",
        AT_LAST,
    ),
    "events of .abolish have no source": (
        "p(1). !g. +!g <- .abolish(p(_)). -p(_)[source(_)] <- +wrong. -p(_) <- +ok.",
        "",
        OK,
    ),
    "the order of percepts is unspecified": (
        "+p : not q_was_first <- +p_was_first. +q : not p_was_first <- +q_was_first.",
        "percept p initially p\npercept q initially q",
        {"E[F Bel(bob, p_was_first)]": True, "E[F Bel(bob, q_was_first)]": True},
    ),
    "outstanding actions are executed in no fixed order": (
        "!a. !b. +!a <- one. +!b <- two.",
        "percept first(X)\naction one do if not first(_) { add first(one) }\naction two do if not "
        "first(_) { add first(two) }",
        {
            "E[F Bel(bob, first(one))]": True,
            "E[F Bel(bob, first(two))]": True,
            "F (Bel(bob, first(one)) | Bel(bob, first(two)))": True,
        },
    ),
    "to drop an intention does not stop its action": (
        "!g. !h. +!g <- act; +wrong. +!h <- .drop_intention(g); +dropped. +done : dropped <- +ok.",
        "percept done\nvariable go = 0\naction act when go = 1 do add done\nstep late when go = 0 "
        "do go := 1",
        {"E[F Bel(bob, ok)]": True, "F Bel(bob, done)": True},
    ),
    "the plan for an added belief runs on top of the intention that added it": (
        "!g. +!g <- +b; +after. +b <- +on_top. +after : on_top <- +ok. +after : not on_top <- "
        "+wrong.",
        "",
        OK,
    ),
    "the intention of the event that is selected counts as intended": (
        "!g. +!g <- +b. +b : .intend(g) <- +ok. +b <- +wrong.",
        "",
        OK,
    ),
    "the event that is selected counts as desired": (
        "!g. +!g : .desire(g) <- +ok. -!g <- +wrong.",
        "",
        OK,
    ),
    "beliefs that a for adds are not gone through": (
        "b(1). !g. +!g <- for (b(X)) { +b(X+1) }; +ok. +b(3) <- +wrong.",
        "",
        OK,
    ),
    "bindings inside of a while are lost each round": (
        "n(0). !g. +!g <- while (n(X) & X < 2) { -+n(X+1) }; ?n(Y); +last(Y). +last(2) <- +ok.",
        "",
        AT_LAST,
    ),
    "a failing branch of an or vanishes": (
        "!g. +!g <- .fail ||| .print(b); +ok. -!g <- +wrong.",
        "",
        OK,
    ),
    "a failing branch of an and is the failure of the goal": (
        "!g. +!g <- .fail |&| .wait(never); +wrong. -!g <- +ok.",
        "",
        OK,
    ),
    "an intention behind an or finds no plans for failures": (
        "!g. +!g <- .print(a) ||| .print(b); +behind; .fail. -!g <- +wrong.",
        "",
        {"F Bel(bob, behind)": True, "G !Bel(bob, wrong)": True},
    ),
    "an atomic plan that waits lets nobody else run": (
        "!g. !h. @one[atomic] +!g <- .wait(100); +waited. +!h : waited <- +ok. +!h : not waited <- "
        "+wrong.",
        "",
        OK,
    ),
    "the search for a plan of a failure ends at the first that there is": (
        "!g. +!g <- !h; +wrong. -!g <- +wrong. +!h <- .fail. -!h : none <- +wrong.",
        "",
        {"F G !Int(bob, g)": True, "G !Bel(bob, wrong)": True},
    ),
    "a message to nobody fails": (
        "!g. +!g <- R = nobody; .send(R, tell, hi); +wrong. -!g[error(receiver_not_found)] <- +ok.",
        "",
        OK,
    ),
    "dropped intentions do not fail": (
        "!g. !h. +!g <- .wait(never). -!g <- +wrong. +!h <- .drop_intention(g); +ok.",
        "",
        {**OK, "F G !Int(bob, g)": True},
    ),
    "a goal that succeeds goes on below": (
        "!g. !k. +!g <- !h; +ok. +!h <- .wait(never); +wrong. +!k <- .succeed_goal(h).",
        "",
        OK,
    ),
    "a goal that is made to fail has no error annotations": (
        "!s. !k. +!s <- !g. +!g <- .wait(never); +wrong. -!g[error(_)] <- +wrong. -!g <- +ok. +!k "
        "<- .fail_goal(g).",
        "",
        OK,
    ),
    (
        "a goal at the bottom of its intention cannot be made to fail: it vanishes, and the caller "
        "fails"
    ): (
        "!g. !h. +!g <- +a; +b; +c; +wrong. -!g <- +wrong. +!h <- +d; .fail_goal(g); +wrong. "
        "-!h[error(unknown)] <- +ok.",
        "",
        OK,
    ),
    "a loop visits the next belief although its body removes it": (
        "t(a). t(b). t(c). !s. +!s <- for (t(T)) { !do(T) }. +!do(a) <- -t(b). +!do(b) <- +ok. "
        "+!do(c) : not ok <- +wrong. +!do(c).",
        "",
        OK,
    ),
    "the plan for a failure is not found after |||": (
        "!s. +!s <- !x ||| !y; .fail. -!s <- +wrong. +!x. +!y <- +a; +b.",
        "",
        {"G !Bel(bob, wrong)": True},
    ),
    "it is found if a |&| follows": (
        "!s. +!s <- !x ||| !y; !x |&| !f; +wrong. +!x. +!y <- +a; +b. +!f <- .fail. -!s <- +ok.",
        "",
        OK,
    ),
}


@pytest.mark.parametrize("fact", FACTS)
def test_fact(fact: str, tmp_path: Path) -> None:
    program, world, formulas = FACTS[fact]
    path = tmp_path / "bob.asl"
    path.write_text(program)
    if world:
        path.with_name("here.world").write_text(f"{world}\n")
        path.with_suffix(".volition").write_text("world = here.world\npercept_order = any\n")
    report = volition.check(path, list(formulas), fair="weak", max_states=20_000)
    assert {each.prop.text: each.verdict.holds for each in report} == dict(formulas)
