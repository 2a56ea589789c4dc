"""Warnings about what is legal and probably a slip."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition.languages import load


def warned(folder: Path, text: str, **others: str) -> list[tuple[str, str | None]]:
    """The codes and hints of the warnings about one agent among others."""
    names = " ".join(f"{name};" for name in ("bob", *others))
    (folder / "m.mas2j").write_text(f"MAS m {{ agents: {names} }}")
    for name, program in {"bob": text, **others}.items():
        (folder / f"{name}.asl").write_text(program)
    return [
        (each.code, each.hint)
        for each in load(folder / "m.mas2j").warnings
        if each.code.startswith("JSN06")
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("p(1). !go. +!go : p(Total) <- +q(Totl).", "did you mean 'Totl'?"),
        (
            "p(1). r(Number) :- p(Number) & p(Other). !go. +!go : r(_).",
            "write _Other or _, if its value does not matter",
        ),
        (
            "p(1). q(1). !go. +!go : p(X) & q(Y) <- .print(X).",
            "write _Y or _, if its value does not matter",
        ),
    ],
)
def test_a_variable_that_occurs_once(text: str, hint: str, tmp_path: Path) -> None:
    assert ("JSN060", hint) in warned(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "p(1). !go. +!go : p(X) <- +q(X).",
        "p(1). !go. +!go : p(_Any) & p(_) <- +q(1).",
        "!go. +!go <- .wait({ +b(X); .print(X) }, 10).",
        "!go. +!go <- for (.member(X, [1, 2])) { .print(X) }.",
        "{begin ebdg(g)} +!g <- .print(1). {end} !g.",
        "status(done). place(here, there). !go. +!go : status(done) <- -place(here, there).",
        "slot(one1). slot(one2). !go. +!go : slot(_).",
        "colour(grey). colour(gold). !go. +!go : colour(_).",
        "see(all). !go. +!go : see(all) & see(ball).",
        "see(wall). !go. +!go : see(wall) & see(ball).",
        "b[source(tom)]. !go. +!go : b[source(tom)].",
        "!go. +!go <- !sub. +!sub <- .wait(10). -!sub. !stop. +!stop <- .fail_goal(sub).",
    ],
)
def test_sensible_programs_give_no_alarm(text: str, tmp_path: Path) -> None:
    assert warned(tmp_path, text) == []


def test_a_source_that_is_not_an_agent(tmp_path: Path) -> None:
    found = warned(
        tmp_path,
        "+bread[source(grocerx)] <- +ok. +milk[source(grocer)] <- +ok.",
        grocer="!go. +!go <- .send(bob, tell, bread).",
    )
    assert found == [("JSN061", "did you mean 'grocer'?")]


def test_a_constant_that_nothing_else_mentions_and_that_is_like_another(tmp_path: Path) -> None:
    at = "at(kitchen). !go. +!go : at(kitchen) <- +at(garden)."
    assert warned(tmp_path, f"{at} +at(kichen) <- .print(1).") == [
        ("JSN062", "did you mean 'kitchen'?")
    ]
    assert warned(tmp_path, f"{at} +at(gadren) <- .print(1).") == [
        ("JSN062", "did you mean 'garden'?")
    ]


def test_a_functor_that_nothing_else_mentions_and_that_is_like_another(tmp_path: Path) -> None:
    assert warned(tmp_path, "at(room(1)). !go. +!go : at(room(X)) & at(rooms(X)) <- +b.") == [
        ("JSN062", "did you mean 'room'?")
    ]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("!go[sorce(bob)]. +!go.", "did you mean 'source'?"),
        ("!go. +!go[sorce(Any)] <- .print(Any).", "did you mean 'source'?"),
        ("!go. +!go <- .fail. -!go[eror(ia_failed)].", "did you mean 'error'?"),
        ("!go. +!go <- .fail. -!go[error(ia_faled)].", "did you mean 'ia_failed'?"),
        ("!go. @p[atomc] +!go.", "did you mean 'atomic'?"),
        ("gllasses(2). !go. +!go : glasses(2).", "did you mean 'glasses'?"),
        ("at(kitchen). !go. +!go : at(kitchen) & at(litchen).", "did you mean 'kitchen'?"),
        ("!go. +!go : not ready <- +redy.", "did you mean 'ready'?"),
        (
            "crates([green, yelow]). !go. +!go : crates([green, yellow]) & not crates([yellow]).",
            "did you mean 'yellow'?",
        ),
        ("let(history). !go. +!go : lent(_).", "did you mean 'lent'?"),
        ("!go. +!go <- -+counts(1); ?count(X); .print(X).", "did you mean 'count'?"),
        (
            "fulll :- half. half. !go. +!go <- .findall(1, full, L); .print(L).",
            "did you mean 'full'?",
        ),
        ("!go. +!go <- .send(bob, achieve, stay). +!stay.", None),
        ("!go. +!go <- +stays; !stay. +!stay.", None),
    ],
)
def test_a_name_that_is_like_one_with_a_meaning(
    text: str, hint: str | None, tmp_path: Path
) -> None:
    assert warned(tmp_path, text) == ([("JSN062", hint)] if hint else [])


def test_an_unknown_source_in_several_places_of_a_plan_is_reported_once(tmp_path: Path) -> None:
    plan = "+bread[source(grocerx)] <- -bread[source(grocerx)]."
    assert warned(tmp_path, plan, grocer="!go. +!go <- .send(bob, tell, bread).") == [
        ("JSN061", "did you mean 'grocer'?")
    ]


def test_a_performative_that_occurs_once_beside_a_misspelt_one(tmp_path: Path) -> None:
    text = "!go. +!go <- .send(tom, achieve, one); .send(tom, achive, two)."
    (found,) = warned(tmp_path, text, tom="+!one. +!two.")
    assert found == ("JSN062", "did you mean 'achieve'?")


@pytest.mark.parametrize(
    "program",
    [
        "!g. !h. +!g <- .wait(10). -!g. +!h <- .fail_goal(g).",
        "!h. +!h <- !!g; .fail_goal(g). +!g. -!g.",
    ],
)
def test_a_goal_at_the_bottom_that_is_made_to_fail(program: str, tmp_path: Path) -> None:
    assert [code for code, _ in warned(tmp_path, program)] == ["JSN063"]
