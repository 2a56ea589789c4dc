"""Mistakes and suspicious things in agents' programs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.languages.agentspeak.systems import write_project
from volition.checking.check import check
from volition.diagnostics import InputError
from volition.kernel import explore
from volition.languages.agentspeak import load
from volition.languages.agentspeak.state import BoundExceeded

WORLD = "percept light\naction press do add light\naction move(X, Y) do nothing"
BUSY = "+light <- press; move(1, 2)."


@pytest.mark.parametrize(
    ("agent", "code", "hint"),
    [
        ("p(X).", "ASP003", None),
        ("@x +light <- press. @x +light <- press.", "ASP004", "line 1"),
        ("+light <- move(X, 1).", "ASP030", "trigger"),
        ("+light <- move(_, 1).", "ASP030", "never"),
        ("+light : X > 3 <- press.", "ASP030", None),
        ("+light : X == 3 <- press.", "ASP030", None),
        ("+light : X = Y <- press.", "ASP030", None),
        ("+light <- f(X) = g(Y); press.", "ASP030", None),
        ("+light <- X = _; press.", "ASP030", None),
        ("+light <- +p(X).", "ASP030", None),
        ("p(1). +light <- -p(X); +q(X).", "ASP030", None),
        ("+light <- .send(b, tell, p(X)).", "ASP030", None),
        ("+light <- .send(bb, tell, p).", "ASP034", "'b'"),
        ("+light <- pres.", "ASP036", "'press'"),
        ("+light <- move(1).", "ASP036", "move/2"),
        (f"p([{','.join(map(str, range(400)))}]).", "WLD006", None),
        (f"+light <- +p({'f(' * 120}x{')' * 120}).", "ASP006", None),
    ],
)
def test_errors(tmp_path: Path, agent: str, code: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        load(write_project(tmp_path, {"a": agent, "b": ""}, WORLD), {})
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.span is not None
    assert hint is None or hint in (found.hint or "")


@pytest.mark.parametrize(
    ("agent", "code", "hint"),
    [
        ("+lihgt <- press.", "ASP031", "'light'"),
        ("+light(X) <- press.", "ASP031", "did you mean light/0?"),
        ("-light <- press. +!g <- press.", "ASP031", None),
        ("+?p <- press.", "ASP031", None),
        ("-!g <- press.", "ASP031", "on_failure"),
        ("p(1). +light : not(p(X)) & p(X) <- press.", "ASP032", "after"),
        ("+light <- !foo. +!fooo <- press. !fooo.", "ASP033", "'fooo'"),
        ("!foo(1). +!foo(X,Y) <- press. +light <- !foo(1,2).", "ASP033", "did you mean foo/2?"),
        ("+light <- .send(b, achieve, hepl).", "ASP033", "'help'"),
        ("+light : ligth <- press.", "ASP035", "'light'"),
        ("+light : light(1) <- press.", "ASP035", "did you mean light/0?"),
        ("+light : not ligth <- press.", "ASP035", "'light'"),
        ("+light <- ?p(1).", "ASP035", None),
        ("+light <- -ligth.", "ASP035", "'light'"),
    ],
)
def test_warnings(tmp_path: Path, agent: str, code: str, hint: str | None) -> None:
    helpful = f"{BUSY} +light <- .send(b, achieve, help). +!help <- press."
    warnings = load(write_project(tmp_path, {"a": agent, "b": helpful}, WORLD), {}).warnings
    assert [each.code for each in warnings] == [code]
    assert hint is None or hint in (warnings[0].hint or "")


@pytest.mark.parametrize(
    ("agent", "code", "hint"),
    [
        ("!g. +!g. +light <- press.", "ASP009", "initial goal"),
        ("!g. +!g <- true. +light.", "ASP009", "initial belief"),
        ("+light : level(N) & N <= l <- press.", "ASP039", "capital letter: L"),
        ("+light : level(N) <- .plus(N, one, M); +level(M).", "ASP039", "capital letter: One"),
        ("color(red). +light <- press.", "ASP007", None),
        ("level(3). level(3). +light : level(X) <- press.", "ASP008", "line 1"),
        ("!go. !go. +!go <- press.", "ASP008", "line 1"),
        ("+light <- press. +light <- press.", "ASP008", "line 1"),
        ("level(3). +light : level(2) <- press.", "ASP035", "it can be 3"),
        ("!feed(2). +!feed(1) <- press.", "ASP033", "!feed(1)"),
        ("!feed(one). +!feed(onne) <- press. +!feed(X) <- press.", "ASP031", "did you mean 'one'?"),
    ],
)
def test_what_was_probably_not_meant(
    tmp_path: Path, agent: str, code: str, hint: str | None
) -> None:
    found = load(
        write_project(
            tmp_path, {"a": agent}, "percept light\naction press do add light\npercept level(N)"
        ),
        {},
    ).warnings
    assert code in [each.code for each in found]
    assert hint is None or any(hint in (each.hint or "") for each in found if each.code == code)


def test_a_plan_for_the_failure_of_a_goal_that_nobody_has(tmp_path: Path) -> None:
    agent = f"!go. +!go <- press. -!goo <- press. {BUSY}"
    (found,) = load(write_project(tmp_path, {"a": agent}, WORLD, "on_failure = event"), {}).warnings
    assert (found.code, found.hint) == ("ASP031", "did you mean 'go'?")


def test_an_action_that_nobody_does(tmp_path: Path) -> None:
    (found,) = load(write_project(tmp_path, {"a": "+light <- press."}, WORLD), {}).warnings
    assert (found.code, found.message) == ("ASP037", "no agent ever executes the action move/2")
    assert found.span is not None
    assert found.span.line == 3


def test_actions_have_no_answer(tmp_path: Path) -> None:
    world = "percept light\naction look(X) do if light { X := 1 } else { X := 2 }\n"
    with pytest.raises(InputError) as caught:
        load(write_project(tmp_path, {"a": "+light <- look(3)."}, world), {})
    assert [(each.code, each.span and each.span.line) for each in caught.value.diagnostics] == [
        ("ASP047", 2),
        ("ASP047", 2),
    ]


def test_a_priority_among_what_triggers_nothing(tmp_path: Path) -> None:
    options = "SelectEvent = priority(light, alrm)\na.SelectIntention = priority(light, help)"
    agents = {"a": f"{BUSY}", "b": "+light <- !alarm. +!alarm <- !help. +!help <- press."}
    found = load(write_project(tmp_path, agents, WORLD, options), {}).warnings
    assert [(each.code, each.hint) for each in found] == [
        ("ASP038", "did you mean 'alarm'?"),
        ("ASP038", None),
    ]
    assert [each.span.line for each in found if each.span] == [4, 5]


def test_variables_get_values_from_what_stands_before(tmp_path: Path) -> None:
    body = "?q(A,C); !h(D); .plus(C,D,E); .random(1,3,F); -q(A,G); +p(A,B,C,D,E,F)"
    agent = f"q(1,2). !g(1). +!g(A) : q(A,B) & B > A <- {body}. +!h(3) <- true."
    assert not load(write_project(tmp_path, {"a": agent}), {}).warnings


def test_what_another_agent_may_tell_is_no_reason_to_warn(tmp_path: Path) -> None:
    teller = (
        "to(a). !x. +!x : to(A) <- .send(A, tell, p); .broadcast(tell, q); .send(a, achieve, g)."
    )
    agents = {"a": "+p : q <- true. +!g <- true.", "b": teller}
    assert not load(write_project(tmp_path, agents), {}).warnings


def test_a_program_of_several_agents_is_reported_once(tmp_path: Path) -> None:
    write_project(tmp_path, {})
    (tmp_path / "x.asl").write_text("p(X).")
    (tmp_path / "test.mas").write_text("agent a, b, c = x.asl\n")
    with pytest.raises(InputError) as caught:
        load(tmp_path, {})
    assert len(caught.value.diagnostics) == 1


def test_a_warning_about_a_program_of_several_agents_is_given_once(tmp_path: Path) -> None:
    write_project(tmp_path, {})
    (tmp_path / "x.asl").write_text("!g. +!g <- .send(a, achieve, undone).")
    (tmp_path / "test.mas").write_text("agent a, b, c = x.asl\n")
    assert [each.code for each in load(tmp_path, {}).warnings] == ["ASP033"]


def test_what_concerns_one_of_the_agents_that_share_a_program_is_no_reason_to_warn(
    tmp_path: Path,
) -> None:
    write_project(tmp_path, {})
    (tmp_path / "x.asl").write_text(
        "!go. +!go : polite <- .send(b, tell, please). +!go : not polite <- true. +please <- true."
    )
    (tmp_path / "test.mas").write_text("agent a = x.asl believes polite\nagent b = x.asl\n")
    assert not load(tmp_path, {}).warnings


# --- more than anybody means ----------------------------------------------------------------------


DEEP = "f(" * 10_000 + "x" + ")" * 10_000


@pytest.mark.parametrize(
    ("agent", "code"),
    [
        (f"p({DEEP}).", "WLD004"),
        (f"!g. +!g <- +p({DEEP}).", "WLD004"),
        (f"p({'9' * 5000}).", "WLD005"),
        (f"p([{','.join(['1'] * 5000)}]).", "WLD006"),
    ],
)
def test_terms_that_nobody_means_are_refused_where_they_are_read(
    tmp_path: Path, agent: str, code: str
) -> None:
    with pytest.raises(InputError) as caught:
        load(write_project(tmp_path, {"a": agent}), {})
    assert [each.code for each in caught.value.diagnostics] == [code]


def test_the_same_in_formulas_and_settings(tmp_path: Path) -> None:
    folder = write_project(tmp_path, {"a": "p(1)."}, "parameter n = 1\nlabel one = n = 1")
    with pytest.raises(InputError, match="WLD004"):
        check(load(folder, {}), [f"Bel(a, p({DEEP}))"])
    with pytest.raises(InputError, match="WLD005"):
        check(load(folder, {}), [f"Bel(a, p({'9' * 5000}))"])
    with pytest.raises(InputError, match="cannot be"):
        load(folder, {"n": "9" * 5000})


def test_a_number_that_grows_within_a_plan_is_an_error(tmp_path: Path) -> None:
    squares = "; ".join(f".times(X{number},X{number},X{number + 1})" for number in range(60))
    with pytest.raises(BoundExceeded, match="1000 bits"):
        explore(
            load(write_project(tmp_path, {"a": f"!g(3). +!g(X0) <- {squares}."}), {}).model().system
        )


def test_long_programs_are_read_in_proportion_to_their_length(tmp_path: Path) -> None:
    """Whatever is looked up for each plan is not computed for each plan: counted in calls, as a
    clock depends on the machine."""

    def calls(number: int) -> int:
        plans = (
            f"+!g{n}(X) : p{n}(X) & not q{n}(X) <- +p{n}(X); ?r{n}(Y); !g{n + 1}(Y); act{n}(X)."
            for n in range(number)
        )
        world = "\n".join(f"action act{n}(X) do nothing" for n in range(number))
        folder = write_project(tmp_path / str(number), {"a": "\n".join(plans)}, world)
        counted = 0

        def count(_frame: object, _event: str, _argument: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count)
        try:
            load(folder, {})
        finally:
            sys.setprofile(None)
        return counted

    calls(2)  # parsers are made once
    assert calls(80) < 3 * calls(40)


def test_contexts_names_and_bodies_of_any_length(tmp_path: Path) -> None:
    name = "a" * 16_000
    agent = (
        f"{name}(1). !g. +!g : {' & '.join([f'{name}(X)'] * 1200)} <- "
        f"{'; '.join(['+q'] * 1200)}. +q <- !{name}z."
    )
    program = load(write_project(tmp_path, {"a": agent}), {})
    assert explore(program.model().system).num_states > 1200


def test_a_constant_that_nothing_else_mentions_and_is_near_to_another_name(tmp_path: Path) -> None:
    agent = (
        "cost(paint, 3). cost(wrie, 8). +light : cost(paint, X) & cost(wire, Y) <- press; "
        "+sum(X, Y). +sum(_, _) : cost(wire, _) <- press."
    )
    program = load(write_project(tmp_path, {"a": agent}, WORLD), {})
    slips = [each for each in program.warnings if each.code == "ASP048"]
    assert [(each.span.text if each.span else "", each.hint) for each in slips] == [
        ("wrie", "did you mean 'wire'?")
    ]


@pytest.mark.parametrize(
    ("agent", "code", "hint"),
    [
        (
            "+light : p(Next, Nxet) <- +p(Next, Next). +p(X, X) <- press.",
            "ASP049",
            "did you mean 'Next'?",
        ),
        (
            "+light : p(R, R) <- .send(R, achieve, crss). +!cross <- +p(a, b).",
            "ASP033",
            "did you mean 'cross'?",
        ),
    ],
)
def test_a_slip_in_a_plan_is_warned_of(tmp_path: Path, agent: str, code: str, hint: str) -> None:
    found = load(write_project(tmp_path, {"a": agent}, WORLD), {}).warnings
    assert [each.hint for each in found if each.code == code] == [hint]
