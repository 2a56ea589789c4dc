"""Mistakes and suspicious things in agents' programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.languages.agentspeak.systems import write_project
from volition.diagnostics import InputError
from volition.languages.agentspeak import load

WORLD = "percept light\naction press do add light\naction move(X, Y) do nothing"


@pytest.mark.parametrize(
    ("agent", "code", "hint"),
    [
        ("p(X).", "ASP003", None),
        ("@x +light <- press. @x +light <- press.", "ASP004", "line 1"),
        ("+light <- move(X, 1).", "ASP030", "trigger"),
        ("+light <- move(_, 1).", "ASP030", "never"),
        ("+light : X > 3 <- press.", "ASP030", None),
        ("+light <- +p(X).", "ASP030", None),
        ("p(1). +light <- -p(X); +q(X).", "ASP030", None),
        ("+light <- .send(b, tell, p(X)).", "ASP030", None),
        ("+light <- .send(bb, tell, p).", "ASP034", "'b'"),
        ("+light <- pres.", "ASP036", "'press'"),
        ("+light <- move(1).", "ASP036", "move/2"),
        (f"p([{','.join(map(str, range(400)))}]).", "ASP006", None),
        (f"+light <- +p({'f(' * 150}x{')' * 150}).", "ASP006", None),
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
        ("-light <- press. +!g <- press.", "ASP031", None),
        ("+?p <- press.", "ASP031", None),
        ("-!g <- press.", "ASP031", "on_failure"),
        ("p(1). +light : not(p(X)) & p(X) <- press.", "ASP032", "behind"),
        ("+light <- !foo. +!fooo <- press. !fooo.", "ASP033", "'fooo'"),
        ("+light : ligth <- press.", "ASP035", "'light'"),
        ("+light <- ?p(1).", "ASP035", None),
    ],
)
def test_warnings(tmp_path: Path, agent: str, code: str, hint: str | None) -> None:
    warnings = load(write_project(tmp_path, {"a": agent, "b": ""}, WORLD), {}).warnings
    assert [each.code for each in warnings] == [code]
    assert hint is None or hint in (warnings[0].hint or "")


def test_variables_get_values_from_what_stands_before(tmp_path: Path) -> None:
    body = "?q(A,C); !h(D); .plus(C,D,E); .random(1,3,F); -q(A,G); +p(A,B,C,D,E,F)"
    agent = f"q(1,2). !g(1). +!g(A) : q(A,B) & B > A <- {body}. +!h(3) <- true."
    assert not load(write_project(tmp_path, {"a": agent}), {}).warnings


def test_what_another_agent_may_tell_is_no_reason_to_warn(tmp_path: Path) -> None:
    teller = "to(a). !x. +!x : to(A) <- .send(A, tell, p); .broadcast(tell, q); .send(a, achieve, g)."
    agents = {"a": "+p : q <- true. +!g <- true.", "b": teller}
    assert not load(write_project(tmp_path, agents), {}).warnings


def test_a_program_of_several_agents_is_reported_once(tmp_path: Path) -> None:
    write_project(tmp_path, {})
    (tmp_path / "x.asl").write_text("p(X).")
    (tmp_path / "test.mas").write_text("agent a, b, c = x.asl\n")
    with pytest.raises(InputError) as caught:
        load(tmp_path, {})
    assert len(caught.value.diagnostics) == 1
