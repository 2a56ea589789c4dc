"""Bel, Des, Int, Does and Percept: what formulas can ask, when it holds, and what is said of
formulas that ask for nothing."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.languages.jason.systems import model
from volition.diagnostics import InputError
from volition.kernel import explore
from volition.languages.jason.model import JasonModel
from volition.logic import parse
from volition.logic.syntax import Atom, Identifier, Proposition


def ever(text: str, agents: str | Mapping[str, str], world: str | None = None) -> tuple[bool, bool]:
    """Whether an atom holds in some state, and whether in all."""
    atom = parse(text)
    assert isinstance(atom, Atom | Proposition | Identifier)
    observed = (atom,) if isinstance(atom, Atom) else ()
    query = model(agents, world, observed=observed)
    space = explore(query.system)
    holds = query.resolve(atom)
    values = [bool(holds(space.values(state))) for state in range(space.num_states)]
    return any(values), all(values)


NEVER, SOMETIMES, ALWAYS = (False, False), (True, False), (True, True)
BELIEVER = "p(1)[hot, from(x)]. p(2). ~q. r(X) :- p(X) & X > 1. !go. +!go <- +s(3)[mood(good)]."


@pytest.mark.parametrize(
    ("query", "when"),
    [
        ("Bel(p(1))", ALWAYS), ("Bel(bob, p(1))", ALWAYS), ("Bel(p(3))", NEVER), ("Bel(p(_))", ALWAYS), ("Bel(p(X))", ALWAYS),  # noqa: E501
        ("Bel(p(1)[hot])", ALWAYS), ("Bel(p(1)[from(_), hot])", ALWAYS), ("Bel(p(2)[hot])", NEVER), ("Bel(p(1)[source(self)])", ALWAYS),  # noqa: E501
        ("Bel(p(1)[source(percept)])", NEVER), ("Bel(~q)", ALWAYS), ("Bel(r(2))", ALWAYS), ("Bel(r(1))", NEVER),  # noqa: E501
        ("Bel(s(3))", SOMETIMES), ("Bel(s(3)[mood(good)])", SOMETIMES), ("Bel(s(3)[mood(bad)])", NEVER),  # noqa: E501
        ("Bel(p(X) & X > 1)", ALWAYS), ("Bel(p(1) & s(_))", SOMETIMES), ("Bel(not s(_))", SOMETIMES), ("Bel(p(3) | p(2))", ALWAYS),  # noqa: E501
    ],
)  # fmt: skip
def test_beliefs_with_rules_annotations_and_strong_negation(
    query: str, when: tuple[bool, bool]
) -> None:
    assert ever(query, BELIEVER) == when


WANTING = (
    "!top. +!top <- !mid(1); !!other. +!mid(X) <- .wait(100); !low(Y); +done(X, Y). +!low(Z) "
    "<- .wait(1); Z = 7. +!other. +!spare."
)


@pytest.mark.parametrize(
    ("query", "when"),
    [
        ("Des(top)", SOMETIMES), ("Int(top)", SOMETIMES), ("Int(mid(1))", SOMETIMES), ("Int(mid(2))", NEVER), ("Int(mid(_))", SOMETIMES),  # noqa: E501
        ("Int(low(_))", SOMETIMES), ("Des(low(_))", SOMETIMES), ("Des(other)", SOMETIMES), ("Int(other)", SOMETIMES), ("Int(spare)", NEVER),  # noqa: E501
        ("Int(top[source(self)])", SOMETIMES), ("Int(top[source(amy)])", NEVER), ("Int(_)", SOMETIMES),  # noqa: E501
        ("Int(low(7))", NEVER),  # what has no value yet is no 7
    ],
)  # fmt: skip
def test_desires_and_intentions(query: str, when: tuple[bool, bool]) -> None:
    assert ever(query, WANTING) == when


def test_what_is_intended_is_desired() -> None:
    query = model(WANTING)
    space = explore(query.system)
    for goal in ("top", "mid(_)", "low(_)", "other"):
        intended, desired = (
            query.resolve(_atom(f"{modality}({goal})")) for modality in ("Int", "Des")
        )
        states = [space.values(state) for state in range(space.num_states)]
        assert all(desired(state) for state in states if intended(state))
        assert any(
            desired(state) and not intended(state) for state in states
        )  # the event comes before the plan


def _atom(text: str) -> Atom:
    atom = parse(text)
    assert isinstance(atom, Atom)
    return atom


@pytest.mark.parametrize(
    ("text", "at_the_end"),
    [
        ("!g. +!g <- .wait(100).", {False}), ("!g. +!g <- .suspend.", {True}), ("!g. +!g <- act.", {False}), ("!g. +!g <- never.", {True}),  # noqa: E501
        ("!g. +!g <- +b. +b <- .suspend.", {True}), ("!g. !s. +!g <- act; act. +!s <- .suspend(g).", {True}),  # noqa: E501
        ("!g. +!g <- .wait(c).", {True}),
    ],
)  # fmt: skip
def test_an_intention_that_waits_is_one(text: str, at_the_end: set[bool]) -> None:
    """It is intended until it is over, wherever it waits; what is over is not intended again."""
    query = model(text, "percept on\naction act do nothing\naction never when on do nothing")
    space = explore(query.system)
    intended, desired = query.resolve(_atom("Int(g)")), query.resolve(_atom("Des(g)"))
    found = set()
    for state in range(space.num_states):
        targets = {
            int(target) for choice in space.choices_of(state) for target in space.targets_of(choice)
        }
        if targets <= {state}:
            found.add(intended(space.values(state)))
        if not desired(space.values(state)):
            assert not any(desired(space.values(target)) for target in targets)
    assert found == at_the_end


LAMP = "percept on initially on\naction off do remove on\naction look do nothing"


def test_an_action_is_done_when_it_has_its_effect() -> None:
    program = "!go. +!go <- look; off; +finished."
    assert ever("Does(off)", program, LAMP) == SOMETIMES
    query = model(program, LAMP, observed=(_atom("Does(off)"), _atom("Does(look)")))
    space = explore(query.system)
    done, looked, lit = (
        query.resolve(_atom("Does(off)")),
        query.resolve(_atom("Does(look)")),
        query.resolve(Proposition("on")),
    )
    for state in range(space.num_states):
        assert not (done(space.values(state)) and looked(space.values(state)))
        assert not (done(space.values(state)) and lit(space.values(state)))
        assert not (looked(space.values(state)) and not lit(space.values(state)))


def test_any_action_can_be_asked_for() -> None:
    query = model(
        "!go. +!go <- look; off.",
        LAMP,
        observed=(_atom("Does(_)"), _atom("Does(off)"), _atom("Does(look)")),
    )
    space = explore(query.system)
    done, off, look = (query.resolve(each) for each in query.observed)
    states = [space.values(state) for state in range(space.num_states)]
    assert {(bool(off(state)), bool(look(state))) for state in states} == {
        (False, False),
        (True, False),
        (False, True),
    }
    assert all(done(state) == (off(state) or look(state)) for state in states)


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        ("p", "write Bel(bob, p)"),
        ("Percept(p)", "write Bel(bob, p)"),
        ("happy", "write world = .. in the .volition file"),
    ],
)
def test_without_a_world_nothing_can_be_perceived(query: str, hint: str) -> None:
    atom = parse(query)
    assert isinstance(atom, Atom | Proposition)
    with pytest.raises(InputError) as caught:
        model("p. !go. +!go.").resolve(atom)
    assert [(each.code, each.hint) for each in caught.value.diagnostics] == [("JSN044", hint)]


def test_what_can_be_perceived() -> None:
    program = "!go. +!go <- off. +on."
    assert ever("on", program, LAMP) == SOMETIMES
    assert ever("Percept(on)", program, LAMP) == SOMETIMES
    assert ever("Bel(on[source(percept)])", program, LAMP) == SOMETIMES


TWO = {"amy": "p. !g. +!g <- .send(bob, tell, q(1)); act.", "bob": "+q(X)."}


@pytest.mark.parametrize(
    ("query", "code", "hint"),
    [
        ("Bel(p)", "JSN041", "write Bel(agent, atom), such as Bel(amy, p)"),
        ("Bel(amy, p, q)", "JSN041", "write Bel(agent, atom), such as Bel(amy, p)"),
        ("Bel(ammy, p)", "JSN043", "did you mean 'amy'?"),
        ("Goal(amy, p)", "JSN040", "expected one of Bel, Des, Int, Does, Percept"),
        ("Bel(amy, 3)", "JSN042", "write a literal such as p(1) or p[source(bob)]"),
        ("Int(amy, p & q)", "JSN042", "write a literal such as p(1) or p[source(bob)]"),
        ("Bel(amy, .member(1, [1]))", "JSN042", "write a literal such as p(1) or p[source(bob)]"),
        ("Bel(amy, q(1, 2))", "JSN044", "did you mean q/1?"),
        ("Bel(amy, q(1) & nothing(2))", "JSN044", None),
        ("Bel(amy, act)", "JSN044", "it is an action"),
        ("Does(amy, q(1))", "JSN044", "it is a belief or goal"),
        ("Does(amy, akt)", "JSN044", "did you mean 'act'?"),
        ("Bel(amy, q(1) p)", "JSN001", None),
    ],
)
def test_what_cannot_be_asked(query: str, code: str, hint: str | None) -> None:
    system = model(TWO, "action act do nothing")
    with pytest.raises(InputError) as caught:
        system.resolve(_atom(query))
    (diagnostic, *_) = caught.value.diagnostics
    assert diagnostic.code == code
    assert hint is None or diagnostic.hint == hint


def test_a_variable_in_two_atoms_is_refused() -> None:
    system: JasonModel = model(TWO, "action act do nothing")
    (error,) = system.lint(parse("G (Bel(amy, q(X)) -> Bel(bob, q(X)))"))
    assert error.code == "JSN045"
    assert list(system.lint(parse("G (Bel(amy, q(_)) -> Bel(bob, q(Y)))"))) == []


def test_every_word_can_be_asked() -> None:
    world = (
        "percept ~on initially ~on\nvariable level = 3\nvariable ready = false\nlabel full = "
        "level = 3\naction act do nothing"
    )
    system = model(BELIEVER, world)
    words = system.vocabulary()
    assert "Bel(bob, ~q)" in words["beliefs"]
    assert "Int(bob, go)" in words["goals"]
    assert words["labels"] == ['"~on"', "full", "ready"]
    assert words["numeric_variables"] == ["level"]
    system.resolve(Identifier("level"))
    for each in (*words["beliefs"], *words["goals"], *words["labels"]):
        atom = parse(each)
        assert isinstance(atom, Atom | Proposition)
        system.resolve(atom)


# --- told to people -------------------------------------------------------------------------------


def test_a_mind_is_told_as_jason_shows_it() -> None:
    system = model(
        {
            "amy": "p(1)[hot]. !go(3). +!go(X) <- !sub(X + 1); +end. +!sub(Y) <- .wait(10).",
            "bob": "!hi. +!hi <- .send(amy, tell, q).",
        }
    )
    space = explore(system.system)
    views = [system.describe(space.values(state)) for state in range(space.num_states)]
    assert views[0]["amy beliefs"] == {"p(1)": "hot, source(self)"}
    assert "⟨+!go(3)[source(self)]⟩" in views[0]["amy events"]
    seen = {(item, value) for view in views for item, value in view["amy intentions"].items()}
    assert ("+!sub(4) by p__2 ◂ +!go(3) by p__1", "waits: .wait(10)") in seen
    assert ("+!go(3) by p__1", "next !sub(3 + 1)") in seen
    assert {"tell q from bob": ""} in [state_view["amy mail"] for state_view in views]
    stacks = [
        stack
        for state in range(space.num_states)
        for stack in system.intention_stacks(space.values(state))["amy"]
    ]
    assert ["+!sub(4) by p__2: waits: .wait(10)", "+!go(3) by p__1: next !sub(3 + 1)"] in stacks
