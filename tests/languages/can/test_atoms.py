"""What the leaves of formulas mean, how states are told, what steps earn."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from benchmarks.manufacturing import manufacturing

from tests.languages.can.small import agent, program
from volition.checking.check import check
from volition.checking.graph.propositions import satisfying_states
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace, explore
from volition.languages.can import CanModel
from volition.logic import parse
from volition.logic.syntax import Atom, AtomicFormula, Identifier, Proposition

TEXT = agent(
    "toss; +done || ?head",
    beliefs="x = 3, sunny",
    actions="toss : true <- 0.5: <{},{head}> + 0.5: <{},{x := x - 1}>",
    rest="// Parameters\nlimit = 2\n// Labels\nlucky : head & !done.\nidle : waiting(go).\nstuck : "
    "blocked(go).\nover : finished(1).",
)


def explored(observed: list[Atom] | None = None, text: str = TEXT) -> tuple[CanModel, StateSpace]:
    model = program(text).model(observed or [])
    return model, explore(model.system)


def where(atom: AtomicFormula, observed: list[Atom] | None = None) -> list[dict[str, object]]:
    """The states in which a leaf is true."""
    model, space = explored(observed)
    return [space.values(int(state)) for state in np.flatnonzero(space.holds(model.resolve(atom)))]


# --- atoms ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "head & x > limit",
        "small, head & x > limit",
        "!(!head | x <= 2)",
        "min(x, 7) > limit & head",
        "small, head & max(x, 0) > limit",
    ],
)
def test_bel(text: str) -> None:
    _, space = explored()
    found = where(Atom("Bel", text))
    assert found
    assert all(values["head"] and values["x"] == 3 for values in found)
    assert len(found) == sum(
        bool(space.value(s, "head")) and space.value(s, "x") == 3 for s in range(space.num_states)
    )


@pytest.mark.parametrize(
    "text",
    [
        "max(x, limit) = 3",
        "(min(x, 7, limit + 9)) > limit",
        "x > max(limit, min(2, 1))",
        "max(x, 0) / max(limit, 0) = 3/2",
        "x / x + x = 4",
    ],
)
def test_numbers_in_comparisons(text: str) -> None:
    """All of them are true where x is 3, as at first, and false where it is 2."""
    model, space = explored()
    assert satisfying_states(model, space, parse(text)).tolist() == [
        space.value(state, "x") == 3 for state in range(space.num_states)
    ]


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("Bel(x > 1/0)", "CAN026", "1/0"),
        ("Bel(sunny | x > 1 / (limit - 2))", "CAN026", "1 / (limit - 2)"),
        ("Bel(x > 1/x)", "CAN025", "x"),
        ("x > 1 / (limit - 2)", "CHK018", "1 / (limit - 2)"),
        ("x > 0 | 1 / (x - 2) > 0", "CHK018", "1 / (x - 2)"),
        ("x > max(1, x / (3 - x))", "CHK018", "x / (3 - x)"),
        ("x > max(limit)", "LOG028", "max(limit)"),
        ("x > max(limit, sunny)", "CAN061", "sunny"),
        ("x > min(1, 1/0)", "LOG029", "0"),
    ],
)
def test_numbers_that_there_are_not(text: str, code: str, position: str) -> None:
    """A division by zero has no answer, neither in every state nor in one."""
    model, space = explored()
    with pytest.raises(InputError) as raised:
        satisfying_states(model, space, parse(text))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == code
    assert diagnostic.span is not None
    assert diagnostic.span.text == position


@pytest.mark.parametrize("name", ["go", "1", "small, go"])
def test_int_and_des(name: str) -> None:
    """Des: the agent still has it to deal with; Int: it was adopted."""
    model, space = explored()
    desired = space.holds(model.resolve(Atom("Des", name)))
    intended = space.holds(model.resolve(Atom("Int", name)))
    assert desired[0]
    assert not intended[0]
    assert np.array_equal(intended[1:], desired[1:])
    assert np.array_equal(desired, ~space.terminal)


def test_does_is_about_the_step_into_a_state() -> None:
    """States remember the action only if the formula asks for it, and only for one step."""
    atom = Atom("Does", "toss")
    assert "last action" not in explored()[1].system.slots
    model, space = explored([atom])
    after_toss = space.holds(model.resolve(atom))
    for choice, state in enumerate(space.choice_states):
        targets = space.targets[space.first_transition[choice] : space.first_transition[choice + 1]]
        if not space.terminal[state]:
            assert set(after_toss[targets]) == {
                getattr(space.label(choice), "action", None) == "toss"
            }


def test_bel_does_not_make_states_remember() -> None:
    model, _ = explored([Atom("Bel", "head"), Atom("Int", "go")])
    assert "last action" not in model.system.slots


# --- propositions ---------------------------------------------------------------------------------


def test_labels_beliefs_and_numbers() -> None:
    model, space = explored()
    assert all(values["head"] and not values["done"] for values in where(Proposition("lucky")))
    assert all(values["done"] for values in where(Proposition("done")))
    assert np.flatnonzero(space.holds(model.resolve(Proposition("idle")))).tolist() == [0]
    assert set(space.evaluate(model.resolve(Identifier("x")))) == {2.0, 3.0}
    assert set(space.evaluate(model.resolve(Identifier("limit")))) == {2.0}


def test_built_in_labels() -> None:
    """The intention fails exactly if the toss shows no head, and is finished otherwise; then it is
    removed."""
    model, space = explored()
    empty, failure, no_failure = (
        space.holds(model.resolve(Proposition(name))) for name in ("empty", "failure", "no_failure")
    )
    assert np.array_equal(empty, space.terminal)
    assert np.array_equal(failure, space.holds(model.resolve(Proposition("stuck"))))
    assert np.array_equal(no_failure, space.holds(model.resolve(Proposition("over"))))
    for last, had_luck in ((failure, False), (no_failure, True)):
        assert last.any()
        for state in np.flatnonzero(last):
            assert space.value(int(state), "head") is had_luck
            assert empty[space.targets[space.first_transition[space.first_choice[state]]]]


def test_built_in_labels_read_one_intention_at_a_time() -> None:
    """Python runs for what each intention holds, not for what they hold together."""
    model = program(manufacturing(3)).model()
    space = explore(model.system)
    before = space.stats.python_calls
    for name in ("empty", "failure", "no_failure"):
        assert space.holds(model.resolve(Proposition(name))).any()
    assert space.stats.python_calls - before < 0.02 * space.num_states


def test_own_names_go_before_built_in_ones() -> None:
    model = program(agent("+failure")).model()
    space = explore(model.system)
    found = space.holds(model.resolve(Proposition("failure")))
    assert [
        bool(space.value(state, "failure")) for state in range(space.num_states)
    ] == found.tolist()


@pytest.mark.parametrize(
    ("atom", "code", "message", "hint"),
    [
        (Proposition("hed"), "CAN060", "unknown label or belief 'hed'", "did you mean 'head'?"),
        (Proposition("x"), "CAN061", "'x' is a number, not a condition", "x > 0"),
        (Identifier("head"), "CAN061", "not a number", ""),
        (Identifier("limt"), "CAN060", "unknown numeric belief 'limt'", "did you mean 'limit'?"),
        (Atom("Bel", "head & hed"), "CAN060", "'hed' is not a belief", "did you mean 'head'?"),
        (Atom("Bel", "x"), "CAN061", "'x' is a number, not a condition", ""),
        (Atom("Bel", "head > 2"), "CAN060", "'head' is not a numeric belief", ""),
        (Atom("Bel", "head &"), "CAN001", "unexpected end", ""),
        (Atom("Bel", "robot, head"), "CAN063", "unknown agent 'robot'", "'small'"),
        (Atom("Bel", "finished(go)"), "CAN013", "only allowed in labels", ""),
        (Atom("Int", "goo"), "CAN060", "not an external event", "did you mean 'go'?"),
        (Atom("Does", "tos"), "CAN060", "unknown action 'tos'", "did you mean 'toss'?"),
        (Atom("Goal", "head"), "CAN062", "'Goal' is not supported", "Bel"),
    ],
)
def test_questions_that_make_no_sense(
    atom: AtomicFormula, code: str, message: str, hint: str
) -> None:
    (found,) = refused(atom)
    assert found.code == code
    assert message in found.message
    assert hint in (found.hint or "")


def test_errors_point_into_the_formula() -> None:
    formula = parse("A [ F Bel(head & hed) ]")
    (atom,) = [node for node in _nodes(formula) if isinstance(node, Atom)]
    (found,) = refused(atom)
    assert found.span is not None
    assert (found.span.start, found.span.text) == (17, "hed")


def refused(atom: AtomicFormula) -> tuple[Diagnostic, ...]:
    with pytest.raises(InputError) as caught:
        program(TEXT).model([atom] if isinstance(atom, Atom) else []).resolve(atom)
    return caught.value.diagnostics


def _nodes(formula: object) -> list[object]:
    inner = [getattr(formula, name) for name in ("operand", "path") if hasattr(formula, name)]
    return [formula, *(node for each in inner for node in _nodes(each))]


# --- telling --------------------------------------------------------------------------------------


def test_portrait() -> None:
    model, space = explored()
    assert model.describe(space.values(0)) == {
        "beliefs": {"sunny": "", "x": "3"},
        "events": {"go": ""},
        "intentions": {},
    }
    adopted = model.describe(space.values(int(space.targets[0])))
    assert (adopted["events"], adopted["intentions"]) == ({}, {"go": "go"})


def test_portrait_of_equal_events_and_of_the_last_action() -> None:
    text = "// Events\ngo, go\n// Plans\ngo : true <- act.\n// Actions\nact : true <- <{},{}>"
    model, space = explored([Atom("Does", "act")], text)
    views = [model.describe(space.values(state)) for state in range(space.num_states)]
    assert views[0]["events"] == {"go (1)": "", "go (2)": ""}
    assert {tuple(view["did"]) for view in views} == {(), ("act",)}


def test_origins_name_rule_plan_action_and_line() -> None:
    _, space = explored()
    (toss,) = {label for label in space.labels if getattr(label, "action", None) == "toss"}
    assert (toss.agent, toss.text, toss.plan) == ("small", "act toss", "plan 1, line 7")  # type: ignore[attr-defined]
    assert toss.rules == ("A_step(1)", "▷;", "∥1", ";", "act_p")  # type: ignore[attr-defined]
    assert toss.span.text == "toss"  # type: ignore[attr-defined]


# --- rewards --------------------------------------------------------------------------------------


def test_rewards_of_rules_actions_and_states() -> None:
    rewards = (
        'r : act = 5, select = 1, select(2) = 10, A_event(go) = 100, "▷;" = 0.5, Bel(b) = '
        "7.\nother : A_step = n."
    )
    text = agent(
        "sub; sub",
        actions="act : true <- <{},{b}>",
        rest=f"// Parameters\nn = 2\n// Plans\nsub : true <- act.\n// Rewards\n{rewards}",
    )
    _, space = explored(text=text)
    assert space.reward_names == ["other", "r"]
    for choice in range(space.num_choices):
        label = space.label(choice)
        rules: tuple[str, ...] = getattr(label, "rules", ())
        expected = 5.0 * (getattr(label, "action", None) == "act")
        expected += 1.0 * any(rule.startswith("select") for rule in rules) + 10.0 * (
            "select(2)" in rules
        )
        expected += 100.0 * ("A_event(1)" in rules) + 0.5 * ("▷;" in rules)
        assert space.choice_rewards("r")[choice] == expected
        assert space.choice_rewards("other")[choice] == 2.0 * ("A_step(1)" in rules)
    believed = [7.0 * bool(space.value(state, "b")) for state in range(space.num_states)]
    assert space.state_rewards("r").tolist() == believed


def value_of(text: str, formula: str, **settings: str) -> Fraction | float | None:
    (answer,) = check(program(text, **settings), [formula]).answers
    return answer.verdict.value


def test_rewards_add_up_exactly() -> None:
    """0.1 + 0.2 is 0.3: of a rule and an action in one step, of two beliefs in one state, and where
    chance picks an intention."""
    text = agent(
        "act",
        actions="act : true <- <{},{b}>",
        rest="// Rewards\nr : act = 0.1, act_p = 0.2, Bel(b) = 0.1, Bel(!c) = 0.2.",
    )
    assert value_of(text + "// Plans\ngo : false <- +c.", 'R{"r"}max=? [ F b ]') == Fraction(
        3, 10
    ) + 4 * Fraction(2, 10)
    assert value_of(text + "// Plans\ngo : false <- +c.", 'R{"r"}max=? [ I=5 ]') == Fraction(3, 10)
    two = (
        "// Events\na, b\n// Plans\na : true <- x.\nb : true <- y.\n// Actions\nx : true <- "
        "<{},{}>\ny : true <- <{},{}>\n"
    )
    chance = two + "// Rewards\nr : x = 0.1, y = 0.2."
    assert value_of(chance, "Rmax=? [ F empty ]", intentions="probabilities") == Fraction(3, 10)


def test_selecting_plans_by_chance_earns_what_they_earn_on_average() -> None:
    text = agent(
        "sub",
        rest="// Plans\nsub : true <- +x.\nsub : true <- +y.\n// Rewards\nr : select(2) = 3, "
        "select(3) = 7, select = 1.",
    )
    assert (
        value_of(text, "Rmax=? [ F empty ]", plans="probabilities 1 = 1, 2 = 0.25, 3 = 0.75")
        == 2 + Fraction(1, 4) * 3 + Fraction(3, 4) * 7
    )


def test_a_reward_that_is_never_earned_is_zero() -> None:
    text = agent("?b; act", actions="act : true <- <{},{b}>", rest="// Rewards\nr : act = 1.")
    assert value_of(text, 'R{"r"}max=? [ F empty ]') == 0
