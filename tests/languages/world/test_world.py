"""The world language: what its statements mean, seen through the interface that agents' languages
use."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from volition.diagnostics import Diagnostics, InputError, Source
from volition.languages.world import DeclaredWorld, load_world
from volition.languages.world.interface import split_failure
from volition.languages.world.property_terms import atom_of, fact_in
from volition.languages.world.terms import Structure, Term, show
from volition.logic.parsing.term_parser import arguments_in
from volition.logic.syntax import Proposition


def atom(text: str) -> Structure:
    (argument,) = arguments_in(text)
    return atom_of(argument)


def world(text: str, agents: tuple[str, ...] = ("a", "b"), **settings: Term) -> DeclaredWorld:
    diagnostics = Diagnostics()
    loaded = load_world(
        Source("test.world", text),
        agents,
        {name: (value, None) for name, value in settings.items()},
        diagnostics,
    )
    diagnostics.raise_errors()
    return loaded


def codes(text: str) -> list[str]:
    diagnostics = Diagnostics()
    load_world(Source("test.world", text), ("a", "b"), {}, diagnostics)
    return [each.code for each in diagnostics]


State = Mapping[str, Any]


def performed(position: DeclaredWorld, state: State, agent: str, action: str) -> list[State]:
    """The states that an action may lead to, whatever the probabilities."""
    moves = position.execute(state, agent, atom(action))
    return [{**state, **writes} for move in moves for _, writes in move.outcomes]


def stepped(position: DeclaredWorld, state: State) -> list[State]:
    return [
        {**state, **writes}
        for move in position.spontaneous_transitions(state)
        for _, writes in move.outcomes
    ]


def seen(position: DeclaredWorld, state: State, agent: str = "a") -> list[str]:
    return [show(each) for each in position.percepts(state, agent)]


# --- percepts and facts ---------------------------------------------------------------------------


def test_percepts_keep_the_order_in_which_they_came() -> None:
    position = world(
        "percept p(X) initially p(1), p(2)\naction go do remove p(1); add p(3); add p(2); add p(1)"
    )
    assert seen(position, position.slots) == ["p(1)", "p(2)"]
    (after,) = performed(position, position.slots, "a", "go")
    assert seen(position, after) == ["p(2)", "p(3)", "p(1)"]


def test_facts_are_remembered_and_not_seen() -> None:
    position = world("fact f(X)\naction note(X) do add f(X)")
    (one,) = performed(position, position.slots, "a", "note(2)")
    (both,) = performed(position, one, "a", "note(1)")
    (other_order,) = performed(
        position, performed(position, position.slots, "a", "note(1)")[0], "a", "note(2)"
    )
    assert both == other_order
    assert seen(position, both) == []


@pytest.mark.parametrize(
    ("declared", "seers"),
    [("", "ab"), ("seen by everyone", "ab"), ("seen by b", "b"), ("seen by X", "a")],
)
def test_who_sees_a_percept(declared: str, seers: str) -> None:
    position = world(f"percept p(X, Y) {declared} initially p(a, 1)")
    assert "".join(agent for agent in "ab" if seen(position, position.slots, agent)) == seers


def test_free_percepts_come_and_go() -> None:
    position = world("free percept rain\nfree percept speed(L) for L in {low, high}")
    assert [move.text for move in position.free_percept_changes(position.slots)] == [
        "rain comes",
        "speed(low) comes",
        "speed(high) comes",
    ]
    ((_, writes),) = position.free_percept_changes(position.slots)[1].outcomes
    assert [move.text for move in position.free_percept_changes({**position.slots, **writes})] == [
        "rain comes",
        "speed(low) goes",
        "speed(high) comes",
    ]
    assert list(position.spontaneous_transitions(position.slots)) == []


def test_the_order_in_which_free_percepts_came_does_not_matter() -> None:
    position = world("free percept p\nfree percept q")

    def after(*texts: str) -> State:
        state: State = position.slots
        for text in texts:
            ((_, writes),) = next(
                move for move in position.free_percept_changes(state) if move.text == text
            ).outcomes
            state = {**state, **writes}
        return state

    assert after("p comes", "q comes") == after("q comes", "p comes")


# --- actions --------------------------------------------------------------------------------------


def test_an_action_waits_while_its_condition_does_not_hold() -> None:
    position = world("percept light\naction press when not light do add light")
    (lit,) = performed(position, position.slots, "a", "press")
    assert performed(position, lit, "a", "press") == []


def test_otherwise_applies_where_no_other_rule_does() -> None:
    position = world(
        "variable n = 0\naction add_to when n < 1 do n := n + 1\naction add_to otherwise do n := "
        "100"
    )
    (one,) = performed(position, position.slots, "a", "add_to")
    assert one["world.n"] == 1
    assert [state["world.n"] for state in performed(position, one, "a", "add_to")] == [100]


def test_an_action_knows_its_agent_and_its_arguments() -> None:
    position = world(
        "percept gave(Who, What, Whom)\naction give(What, Whom) by Who when Who != Whom do add "
        "gave(Who, What, Whom)"
    )
    (after,) = performed(position, position.slots, "a", "give(book, b)")
    assert seen(position, after) == ["gave(a,book,b)"]
    assert performed(position, position.slots, "a", "give(book, a)") == []


def test_rules_for_single_arguments() -> None:
    position = world(
        "variable x = 0\naction move(left) do x := x - 1\naction move(right) do x := x + 1"
    )
    assert [
        state["world.x"]
        for move in ("move(left)", "move(right)")
        for state in performed(position, position.slots, "a", move)
    ] == [
        -1,
        1,
    ]
    assert performed(position, position.slots, "a", "move(up)") == []


# --- effects --------------------------------------------------------------------------------------


def test_effects_happen_one_after_the_other() -> None:
    position = world(
        "variable x = 1\nvariable y = 2\naction swap do x := x + y; y := x - y; x := x - y"
    )
    (after,) = performed(position, position.slots, "a", "swap")
    assert (after["world.x"], after["world.y"]) == (2, 1)


def test_conditional_effects() -> None:
    position = world(
        "variable n = 5\naction halve do if n mod 2 = 0 { n := n / 2 } else if n = 5 { n := 0 } "
        "else { nothing }",
    )
    (after,) = performed(position, position.slots, "a", "halve")
    assert after["world.n"] == 0


def test_nondeterministic_effects_are_separate_moves() -> None:
    position = world(
        "variable coin = none\nvariable n = 0\naction toss do either { coin := heads } or { coin "
        ":= tails }; n := n + 1"
    )
    after = performed(position, position.slots, "a", "toss")
    assert [(show(state["world.coin"]), state["world.n"]) for state in after] == [
        ("heads", 1),
        ("tails", 1),
    ]
    assert [move.text for move in position.execute(position.slots, "a", atom("toss"))] == [
        "does toss, alternative 1",
        "does toss, alternative 2",
    ]


def test_probabilistic_effects_are_one_move() -> None:
    position = world(
        "parameter p = 0.7\npercept ok\nvariable n = 0\naction try do chance p { add ok } or 1 - p "
        "{ nothing }; n := n + 1"
    )
    (move,) = position.execute(position.slots, "a", atom("try"))
    assert [weight for weight, _ in move.outcomes] == [Fraction(7, 10), Fraction(3, 10)]
    assert all(writes["world.n"] == 1 for _, writes in move.outcomes)


def test_chance_after_chance_multiplies() -> None:
    position = world(
        "variable n = 0\naction roll do chance 1/2 { n := n + 1 } or 1/2 { nothing }; chance 1/3 { "
        "n := n + 2 } or 2/3 { nothing }"
    )
    (move,) = position.execute(position.slots, "a", atom("roll"))
    assert {writes.get("world.n", 0): weight for weight, writes in move.outcomes} == {
        3: Fraction(1, 6),
        1: Fraction(1, 3),
        2: Fraction(1, 6),
        0: Fraction(1, 3),
    }


# --- conditions -----------------------------------------------------------------------------------

BASE = """
percept p(X) initially p(1), p(2), p(4)
fact q(X, Y) initially q(1, red), q(2, blue)
variable n = 2
variable on = true
parameter k = 4
"""


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("p(1)", True),
        ("p(3)", False),
        ("p(n)", True),
        ("p(n + 2)", True),
        ("p(_)", True),
        ("q(_, green)", False),
        ("on", True),
        ("not on", False),
        ("n = 2 and k >= 4", True),
        ("n != 2 or p(k)", True),
        ("p(X) and X > 3", True),
        ("p(X) and X > 4", False),
        ("not (p(X) and X > 3)", False),
        ("p(X) and not (p(Y) and Y > X) and X = 4", True),
        ("p(X) and q(X, blue)", True),
        ("every X in {1, 2}: p(X)", True),
        ("every X in 1..k: p(X)", False),
        ("some X in 1..k: not p(X)", True),
        ("every A in agents: A != c", True),
        ("count(p(_)) = 3", True),
        ("count(q(X, red)) > 1", False),
        ("X = n + 1 and not p(X)", True),
        ("(n + 1) * 2 = 6", True),
        ("true and not false", True),
        ("min(n, k) = 2 and max(n, k) = 4", True),
    ],
)
def test_conditions(condition: str, holds: bool) -> None:
    position = world(f"{BASE}step s when {condition} do nothing")
    assert bool(position.spontaneous_transitions(position.slots)) is holds


def test_a_rule_with_variables_stands_for_all_its_instances() -> None:
    position = world(f"{BASE}step drop when p(X) and X < 4 do remove p(X)")
    assert [move.text for move in position.spontaneous_transitions(position.slots)] == [
        "drop (X = 1)",
        "drop (X = 2)",
    ]
    assert [seen(position, state) for state in stepped(position, position.slots)] == [
        ["p(2)", "p(4)"],
        ["p(1)", "p(4)"],
    ]


def test_some_chooses_a_value() -> None:
    position = world(
        "variable die = 0\nstep roll when die = 0 and some X in 1..6: true do die := X"
    )
    assert [state["world.die"] for state in stepped(position, position.slots)] == [1, 2, 3, 4, 5, 6]


def test_waiting_for_several_agents() -> None:
    position = world(
        "fact ready(A)\npercept go\naction ready by A do add ready(A)\nstep start when every A in "
        "agents: ready(A) do add go"
    )
    (one,) = performed(position, position.slots, "a", "ready")
    assert stepped(position, one) == []
    (both,) = performed(position, one, "b", "ready")
    (started,) = stepped(position, both)
    assert seen(position, started) == ["go"]


def test_parameters_can_be_set() -> None:
    text = "parameter n = 2 + 1\nparameter m = n * 2\nvariable x = m"
    assert world(text).slots["world.x"] == 6
    assert world(text, n=10).slots["world.x"] == 20


# --- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("step s when do nothing", "WLD001"),
        ("here is something\npercept p", "WLD001"),
        ("percept p(X) seen by Y", "WLD010"),
        ("step s when 3 do nothing", "WLD011"),
        ("variable x = 1\nvariable x = 2", "WLD012"),
        ("percept p\nvariable p = 2", "WLD012"),
        ("percept p\nfact p(X)", "WLD012"),
        ("percept p\npercept p", "WLD012"),
        ("percept p(X) initially p(1), p(2), p(1)", "WLD008"),
        ("parameter top = 3", "WLD009"),
        ("variable n = 0", "WLD009"),
        ("variable n = 0\nvariable m = n\nstep s do n := m", "WLD027"),
        ("variable n = 0\npercept p(X) initially p(n)\nstep s do n := 1", "WLD027"),
        ("variable n = 3\nfree percept p(X) for X in 1..n\nstep s do n := 1", "WLD027"),
        ("percept p seen by a, b, a", "WLD012"),
        ("free percept p(X) for X in {1}, X in {2}", "WLD012"),
        ("free percept p(X) for X in {1}, Y in {2}", "WLD010"),
        (
            "variable n = 0\nstep s when n < 3 do n := n + 1\nstep s when n < 3 do n := n + 1",
            "WLD012",
        ),
        ("free percept p(X) for X in 3..1", "WLD016"),
        ("label l = every X in 3..1: X > 2", "WLD016"),
        (f"label l = {'not ' * 10_000}true", "WLD004"),
        (f"variable n = {'9' * 5000}", "WLD005"),
        (f"variable n = [{','.join(['1'] * 5000)}]", "WLD006"),
        ("variable n = 2\nparameter p = " + " * ".join(["9" * 290] * 3), "WLD034"),
        ("percept p(X) initially p(Y)", "WLD013"),
        ("percept p seen by c", "WLD014"),
        ("free percept p(X)", "WLD015"),
        ("percept p(X)\nstep s when p do nothing", "WLD017"),
        ("percept light\nstep s when ligth do nothing", "WLD018"),
        ("percept p(X)\nstep s do add p(X)", "WLD019"),
        ("variable n = 0\nstep s when n < X do nothing", "WLD019"),
        ("parameter top = 3\nvariable n = 0\nstep s when n < tpo do nothing", "WLD020"),
        ("variable n = 0\nstep s do n := m + 1", "WLD020"),
        ("variable n = 0\nstep s do m := 1", "WLD021"),
        (
            "variable n = 0\nstep s do chance 0.5 { n := 1 } or 0.5 { nothing }; either { n := 2 } "
            "or { n := 3 }",
            "WLD022",
        ),
        ("free percept p\nstep s do add p", "WLD023"),
        ("variable n = 0\nstep s do add n", "WLD024"),
        ("step s do chance 0.5 { nothing } or 2 - 3 { nothing }", "WLD025"),
        ("step s do chance 1.5 { nothing } or 2 - 2.5 { nothing }", "WLD025"),
        ("percept a\nstep s do chance count(a) { nothing } or 1 - count(a) { nothing }", "WLD025"),
        ("step s do chance 0.5 { nothing } or 0.6 { nothing }", "WLD026"),
    ],
)
def test_mistakes(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_what_never_comes_to_be_true_is_worth_a_warning() -> None:
    assert codes("percept p\nfact q(X)\nfree percept r\nstep s do if r { add q(1) }") == ["WLD007"]


def test_all_mistakes_are_reported() -> None:
    assert codes("percept p(\nvariable n = 0\nstep s do m := 1\nstep t when q do nothing") == [
        "WLD001",
        "WLD021",
        "WLD018",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parameter p = 1 / 0\nstep s do m := 1", ["WLD031", "WLD021"]),
        ("variable v = 1 / 0\nstep s do v := 1", ["WLD031"]),
        ("free percept on(X) for X in 1..top", ["WLD032"]),
    ],
)
def test_initial_values_are_computed_when_the_world_is_read(text: str, expected: list[str]) -> None:
    assert codes(text) == expected


def test_a_misspelt_statement_does_not_spoil_the_one_before() -> None:
    diagnostics = Diagnostics()
    load_world(
        Source("test.world", "percept p(X)\nactn go do add p(1)\nstep s do add q\nlable l = p(1)"),
        ("a",),
        {},
        diagnostics,
    )
    assert [(each.code, each.hint) for each in diagnostics] == [
        ("WLD001", "did you mean 'action'?"),
        ("WLD001", "did you mean 'label'?"),
        ("WLD018", None),
    ]


def test_lines_of_a_statement_need_not_be_indented() -> None:
    position = world("percept p(X) initially p(1)\naction go\ndo\nremove p(_);\nadd p(2)")
    assert seen(position, performed(position, position.slots, "a", "go")[0]) == ["p(2)"]


def test_misspelt_names_get_a_suggestion() -> None:
    diagnostics = Diagnostics()
    load_world(
        Source("test.world", "percept light\nstep s when ligth do nothing"), ("a",), {}, diagnostics
    )
    (found,) = diagnostics
    assert found.hint == "did you mean 'light'?"
    assert found.span is not None
    assert found.span.line == 2


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("action go(X) when X > 1 do nothing", "WLD030"),
        ("variable n = 1\naction go(X) do n := n / 0", "WLD031"),
    ],
)
def test_what_shows_only_when_the_world_moves(rule: str, code: str) -> None:
    position = world(rule)
    with pytest.raises(InputError) as caught:
        position.execute(position.slots, "a", atom("go(red)"))
    assert caught.value.diagnostics[0].code == code


def test_names_stand_for_their_values_in_the_head_of_a_rule_too() -> None:
    position = world(
        "parameter top = 3\nvariable mode = slow\npercept at(X)\naction go(top, mode) do add "
        "at(top)"
    )
    assert seen(position, performed(position, position.slots, "a", "go(3, slow)")[0]) == ["at(3)"]
    assert not performed(position, position.slots, "a", "go(top, mode)")


def test_what_is_true_initially_is_true_once() -> None:
    position = world("percept p(X) initially p(1), p(1)")
    assert seen(position, position.slots) == ["p(1)"]


def test_formulas_compare_numbers_and_labels_everything_else() -> None:
    position = world("variable mode = slow\nlabel waiting = mode = slow")
    assert position.proposition(atom("waiting"), None)(position.slots)
    with pytest.raises(InputError) as caught:
        position.number("mode", None)(position.slots)
    assert "label" in (caught.value.diagnostics[0].hint or "")


def test_a_term_that_grows_without_end_is_refused() -> None:
    position = world("variable all = []\naction go do all := [x | all]")
    state: State = position.slots
    for _ in range(99):
        (state,) = performed(position, state, "a", "go")
    with pytest.raises(InputError, match="nested deeper") as caught:
        performed(position, state, "a", "go")
    assert caught.value.diagnostics[0].code == "WLD034"


def test_a_file_without_statements() -> None:
    assert codes("") == []
    assert codes("lamp is on\n") == ["WLD001"]


# --- actions that fail, and what is negated strongly ----------------------------------------------


def results(
    position: DeclaredWorld, action: str, state: State | None = None
) -> list[tuple[list[str], bool]]:
    """What agent a perceives after each outcome of its action, and whether the action failed."""
    now = position.slots if state is None else state
    outcomes = [
        writes for move in position.execute(now, "a", atom(action)) for _, writes in move.outcomes
    ]
    return [
        (seen(position, {**now, **writes}), failed)
        for writes, failed in map(split_failure, outcomes)
    ]


def test_an_action_that_fails_does_what_stands_before_and_not_what_follows() -> None:
    position = world(
        "percept p(X)\nvariable n = 1\naction go do add p(1); if n = 1 { add p(2); fail } ; add "
        "p(3)"
    )
    assert results(position, "go") == [(["p(1)", "p(2)"], True)]
    assert results(position, "go", {**position.slots, "world.n": 2}) == [(["p(1)", "p(3)"], False)]


def test_what_no_rule_is_for_waits_and_otherwise_may_fail() -> None:
    position = world(
        "percept p\naction go when p do nothing\naction stay when p do nothing\naction stay "
        "otherwise do fail"
    )
    assert results(position, "go") == []
    assert results(position, "stay") == [([], True)]
    assert [move.text for move in position.execute(position.slots, "a", atom("stay"))] == [
        "does stay, which fails"
    ]


def test_an_action_may_fail_by_chance_or_by_choice() -> None:
    position = world(
        "percept p\naction try do chance 1/4 { fail } or 3/4 { add p }\naction toss do either { "
        "fail } or { nothing }"
    )
    assert results(position, "try") == [([], True), (["p"], False)]
    (move,) = position.execute(position.slots, "a", atom("try"))
    assert [weight for weight, _ in move.outcomes] == [Fraction(1, 4), Fraction(3, 4)]
    assert results(position, "toss") == [([], True), ([], False)]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("percept p\naction go do fail; add p", "WLD036"),
        ("percept p\nstep go do add p; fail", "WLD035"),
    ],
)
def test_where_nothing_can_fail(text: str, code: str) -> None:
    assert codes(text) == [code]


def test_a_strongly_negated_percept_is_another_percept() -> None:
    position = world(
        "percept open(D)\npercept ~open(D) initially ~open(door)\n"
        "action push(D) when ~open(D) do remove ~open(D); add open(D)\n"
        "label shut = ~open(door) and not open(door) and count(~open(_)) = 1"
    )
    assert seen(position, position.slots) == ["~open(door)"]
    assert position.proposition(atom("shut"), None)(position.slots)
    (after,) = performed(position, position.slots, "a", "push(door)")
    assert seen(position, after) == ["open(door)"]
    assert performed(position, after, "a", "push(door)") == []


def test_formulas_ask_for_what_is_negated_in_quotation_marks() -> None:
    position = world("percept ~open(D) initially ~open(door)")
    query = fact_in(Proposition("~open(door)"))
    assert position.proposition(query, None)(position.slots)
    with pytest.raises(InputError):
        position.proposition(atom("open(door)"), None)


def test_languages_without_failure_and_strong_negation_refuse_both_by_name() -> None:
    position = world("percept ~p\naction go do chance 1/2 { fail } or 1/2 { add ~p }")
    diagnostics = Diagnostics()
    position.restricted_for("Esperanto", diagnostics)
    assert [each.code for each in diagnostics] == ["WLD070", "WLD071"]
    assert all("Esperanto" in each.message and each.span is not None for each in diagnostics)
