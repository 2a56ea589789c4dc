"""``Bel``, ``Des``, ``Int``, ``Does`` and environment atoms, as Sect. 4.2 defines them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import volition
from tests.languages.agentspeak.systems import explored, write_project
from volition.checking.check import check
from volition.diagnostics import InputError
from volition.languages.agentspeak import load

WORLD = """
percept light
variable count = 0
variable busy = false
action press do add light; count := count + 1; busy := true
label bright = light and count > 0
"""


def test_bel_is_closed_world(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "p(1). !g. +!g <- -p(1)."})
    assert system.check("Bel(a, p(1)) & !Bel(a, p(2)) & <> !Bel(a, p(1))")


def test_a_goal_is_desired_while_its_event_waits_and_intended_once_it_has_a_plan(
    tmp_path: Path,
) -> None:
    """DES: in C_E or intended.  INTEND: in the triggering events of the plans of an intention."""
    system = explored(tmp_path, {"a": "!g. +!g <- +p; +q."})
    assert system.check("Des(a, g) & !Int(a, g)")
    assert system.check("!Int(a, g) U Int(a, g)")
    assert system.check("[] (Int(a, g) -> Des(a, g))")
    assert system.check("<> [] !Des(a, g)")


def test_the_goals_of_a_suspended_intention_are_intended(tmp_path: Path) -> None:
    """While !h waits in C_E, the intention that posted it is suspended there: g is intended and h
    only desired."""
    system = explored(tmp_path, {"a": "!g. +!g <- !h; +p. +!h <- +q."})
    assert system.check("E [ <> (Des(a, h) & !Int(a, h) & Int(a, g)) ]")
    assert system.check("[] (Int(a, h) -> Int(a, g))")


def test_belief_events_are_neither_desired_nor_intended(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- +p. +p <- +q."})
    assert system.check("[] (!Des(a, p) & !Int(a, p))")


def test_an_intention_whose_goal_was_discarded_is_no_longer_intended(tmp_path: Path) -> None:
    """It is neither in channel i nor in channel e, though it keeps its entry in i_data."""
    system = explored(tmp_path, {"a": "!g. +!g <- !h; +p. +!h : never <- +q."})
    assert system.check("<> Int(a, g) & <> [] !Int(a, g)")
    (last,) = np.flatnonzero(system.space.terminal)
    assert len(system.space.value(int(last), "a.means")) == 1


def test_does_is_the_next_action_of_the_environment(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- press.", "b": "!g. +!g <- press."}, WORLD)
    assert system.check("[] !(Does(a, press) & Does(b, press))")
    assert system.check("<> Does(a, press) & <> Does(b, press)")


def test_what_is_true_of_the_environment(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- press."}, WORLD)
    assert system.check("!light & <> light")
    assert system.check("[] (Percept(light) <-> light)")
    assert system.check("[] (Bel(a, light) -> light)")


def test_variables_and_labels_of_the_world(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- press; press."}, WORLD)
    assert system.check("count = 0 & <> count = 2 & [] count <= 2")
    assert system.check("!busy & <> [] busy & <> bright")


def test_quantifiers_over_agents(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- press.", "b": "p."}, WORLD)
    assert system.check("<> forall x. Bel(x, light)")
    assert system.check("exists x. Bel(x, p)")
    assert not system.check("forall x. Bel(x, p)")


def test_an_underscore_matches_anything(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "p(1,2). p(3,3)."})
    assert system.check("Bel(a, p(_,2)) & Bel(a, p(_,_)) & !Bel(a, p(_,1))")


def test_the_paper_writes_atoms_without_brackets(tmp_path: Path) -> None:
    assert explored(tmp_path, {"a": "p(1)."}).check("(Bel a p(1)) & !(Des a p(1))")


@pytest.mark.parametrize(
    ("formula", "code"),
    [
        ("Bel(c, p)", "ASP043"),
        ("Bel(p)", "ASP041"),
        ("Bel(a, 3)", "ASP042"),
        ("Goal(a, p)", "ASP040"),
        ("!Bel(a, lihgt)", "ASP044"),
        ("!Does(a, press(1))", "ASP044"),
        ("!Does(a, light)", "ASP044"),
        ("!Int(a, press)", "ASP044"),
        ("lights", "WLD051"),
        ("cuont = 1", "WLD050"),
        ("Bel(a, p()", "LOG002"),
    ],
)
def test_mistakes_in_atoms_point_into_the_formula(tmp_path: Path, formula: str, code: str) -> None:
    system = explored(tmp_path, {"a": "!g. +!g <- press.", "b": ""}, WORLD)
    with pytest.raises(InputError) as caught:
        system.check(formula)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.span is not None


# --- the event that triggered a plan (Sect. 4.1) --------------------------------------------------


def test_an_intended_goal_is_the_event_and_not_the_pattern_of_the_trigger(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "!g(1). +!g(_) <- +x; +y. +!g(2) <- +z."})
    assert system.check("<> Int(a, g(1)) & <> Int(a, g(_)) & [] (!Int(a, g(2)) & !Des(a, g(2)))")


def test_every_part_of_the_event_is_kept(tmp_path: Path) -> None:
    system = explored(
        tmp_path,
        {"a": "!g(1, f(2), [3,4]). +!g(_, f(_), [_|R]) <- +x; +y. +!never <- !g(1, f(3), [3])."},
    )
    assert system.check(
        "<> Int(a, g(1, f(2), [3,4])) & [] !Int(a, g(1, f(3), [3,4])) & [] !Int(a, g(1, f(2), "
        "[2,4]))"
    )


def test_means_for_other_events_than_goals_do_not_keep_them(tmp_path: Path) -> None:
    """Nothing asks for them, and states that differ in nothing else would be told apart."""
    system = explored(
        tmp_path, {"a": "!g. +!g <- .random([1,2],X); +p(X); -p(X). +p(_) <- +x; +y."}
    )
    bindings = [
        means.bindings
        for state in range(system.space.num_states)
        for means in system.space.value(state, "a.means")
        if means
    ]
    assert () in bindings
    assert {name for each in bindings for name, _ in each} == {"X"}


def test_a_goal_with_a_free_variable_is_no_goal_about_a_value(tmp_path: Path) -> None:
    """The agent wants to find something, which becomes the wish to find 3 when the plan finds
    it."""
    system = explored(
        tmp_path,
        {
            "a": (
                "thing(3). !g. +!g <- !find(X); +got(X). +!find(Y) <- +looking; ?thing(Y); +x. "
                "+!never <- !find(4)."
            )
        },
    )
    assert system.check("[] (!Des(a, find(4)) & !Int(a, find(4)))")
    assert system.check(
        "E [ !Int(a, find(3)) U (Int(a, find(_)) & !Int(a, find(3)) & Bel(a, looking)) ] & <> "
        "Int(a, find(3))"
    )
    assert system.check("<> Bel(a, got(3))")


# --- variables and values -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        "[] (p(X) -> Bel(a, q(X)))",
        "<> (Bel(a, p(X)) & Bel(b, p(X)))",
        "[] Bel(a, p(X)) | <> Bel(a, p(X))",
        "Percept(p(X)) U Des(a, q(X))",
    ],
)
def test_a_variable_in_two_atoms_is_refused(tmp_path: Path, formula: str) -> None:
    """Whether all or some of its values are meant, the text does not say; two variables are meant
    by nobody."""
    system = explored(
        tmp_path,
        {"a": "!q(1). +p(X) <- +q(X). +!q(X) <- true.", "b": "p(1)."},
        "percept p(X) initially p(1)",
    )
    with pytest.raises(InputError, match="ASP045") as caught:
        system.check(formula)
    assert "for each value of X" in (caught.value.diagnostics[0].hint or "")


def test_a_variable_in_one_atom_stands_for_any_value_and_twice_for_the_same(tmp_path: Path) -> None:
    system = explored(tmp_path, {"a": "p(1,2). r(3,3).", "b": "p(1,2). r(3,3)."})
    assert system.check(
        "Bel(a, p(X,Y)) & !Bel(a, p(Z,Z)) & Bel(a, r(V,V)) & Bel(a, p(_,_)) & Bel(a, r(_,_))"
    )
    assert system.check("forall x. Bel(x, p(X,Y))"), (
        "what a quantifier over agents makes of one atom is one atom"
    )


@pytest.mark.parametrize(
    ("formula", "hint"),
    [
        ("[] !loaded(9)", "it can be 1, 2"),
        ("[] !Bel(press, loaded(9))", "it can be 1, 2"),
        ("[] !Bel(press, result(1,goood))", "did you mean 'good'?"),
        ("[] !Des(press, do(3))", "it can be 1, 2"),
        ("[] !Does(press, load(red))", "it can be 1, 2"),
    ],
)
def test_a_value_that_nothing_ever_has_is_worth_a_warning(
    tmp_path: Path, formula: str, hint: str
) -> None:
    world = (
        "percept loaded(P)\npercept result(P, Q)\nvariable n = 0\n"
        "action load(P) when n < 9 do n := n + 1; remove loaded(_); add loaded(P); add result(P, "
        "good)"
    )

    agent = (
        "part(1). part(2). !start. +!start : part(P) <- !do(2); !do(P). +!do(P) <- load(P). "
        "+result(P, good) : loaded(P) <- true."
    )
    program = load(write_project(tmp_path, {"press": agent}, world), {})
    assert not program.warnings
    report = check(program, [formula, "<> loaded(2) & [] !Bel(press, loaded(_))"])
    assert [(each.code, each.hint) for each in report.warnings] == [("ASP046", hint)]


def test_what_is_computed_can_be_anything(tmp_path: Path) -> None:
    world = (
        "percept level(N) initially level(0)\nvariable n = 0\nstep up when n < 3 do n := n + "
        "1; remove level(_); add level(n)"
    )
    agent = (
        "!g(1). +!g(X) <- .plus(X,1,Y); +p(Y); !h(Y). +!h(Z) : p(2) & Z < 6 <- .plus(Z,1,U); "
        "!h(U). +level(2) <- true."
    )
    program = load(write_project(tmp_path, {"a": agent}, world), {})
    assert not program.warnings
    assert not check(program, ["<> level(3)", "<> Bel(a, p(2))"]).warnings
    assert [
        each.hint for each in check(program, ["<> Des(a, h(6))", "[] !Des(a, h(7))"]).warnings
    ] == ["it can be 2, 3, 4, 5, 6"]


@pytest.mark.parametrize(
    ("atom", "code", "marked"),
    [
        ("Bel(a, p(1 2))", "WLD002", "2"),
        ("Bel(a, p & q)", "WLD002", "&"),
        ("Bel(a, p(1, {q}))", "WLD002", "{q}"),
        ("Bel(a, p('q'))", "WLD002", "'q'"),
        ("Bel(a, p())", "WLD002", "()"),
        ("Bel(a, p([1 | ]))", "WLD002", "|"),
        ("Bel(a, p([1 | X Y]))", "WLD002", "Y"),
        ("Bel(a, p(- 1))", "WLD002", "-"),
        ("Bel(a, 2nd)", "WLD002", "2nd"),
        ("Bel(a, P(1))", "WLD002", "P"),
        ("Bel a Q", "ASP042", "Q"),
        ("Bel(a, -3)", "ASP042", "-3"),
        ("Bel(a, [p])", "ASP042", "[p]"),
        ("Bel(a, [p | X])", "ASP042", "[p | X]"),
        ("Bel(b, p(1))", "ASP043", "b"),
        ("Percept(light, light)", "ASP041", "Percept(light, light)"),
        ("Percept{}", "ASP041", "Percept{}"),
        ("Percept([light])", "WLD002", "[light]"),
        ("light(1 2)", "WLD002", "2"),
        ('"light(1 2)"', "WLD002", "2"),
        ('"light, light"', "WLD002", '"light, light"'),
        ('"/* */"', "WLD002", '"/* */"'),
    ],
)
def test_what_is_no_term_is_marked_in_the_formula(
    atom: str, code: str, marked: str, tmp_path: Path
) -> None:
    program = load(write_project(tmp_path, {"a": "p(1). !g. +!g <- press."}, WORLD), {})
    formula = f"[] !{atom}"
    with pytest.raises(InputError) as raised:
        volition.check(program, formula)
    (found,) = raised.value.diagnostics
    assert (found.code, found.span and found.span.text) == (code, marked)
    assert found.span is not None
    assert found.span.source.text == formula


def test_terms_in_formulas_are_the_terms_of_programs(tmp_path: Path) -> None:
    system = explored(
        tmp_path, {"a": 'p(-1, 0.5, "say (it)", [q(1), 2], [1, 2, 3], []). !g. +!g <- +r.'}
    )
    assert system.check('Bel(a, p(-1, 0.50, "say (it)", [q(1) ,2], [1, X | [3]], []))')
    assert not system.check('Bel(a, p(1, 0.5, "say (it)", [q(1), 2], [1, 2, 3], []))')
    assert not system.check('Bel(a, p(-1, 0.5, "say it", [q(1), 2], [1, 2, 3], []))')
    assert not system.check('Bel(a, p(-1, 0.5, "say (it)", [q(1), 2], [1 | [3]], []))')
