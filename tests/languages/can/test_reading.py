"""What is read: the public tool's files as they are, and everything that Volition adds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.languages.can.small import agent, program
from volition.languages.can import load
from volition.languages.can.conditions import (
    Arithmetic,
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Conjunction,
    Constant,
    Disjunction,
    Extremum,
    Negation,
    NumericBelief,
    Parameter,
)
from volition.languages.can.properties import formula_of_sentence
from volition.languages.can.syntax import (
    Act,
    AddBelief,
    Assign,
    Body,
    DeclarativeGoal,
    EventGoal,
    Nil,
    Parallel,
    Recovery,
    RemoveBelief,
    Sequence,
)
from volition.languages.can.syntax import Test as BeliefTest

IN_THE_PUBLIC_STYLE = """\
// Initial belief bases
1. door_open, light-on
2. door_closed, light-on
3.

// External events
leave, lock_up

// Plan library
leave : door_open & light-on <- goal(outside & dark, go, false); shut|| whistle.
lock_up : true <- turn_key.
go : true <- .
// Actions description
turn_key: door_closed <- <{}, {locked}>
shut : true <- <{door_open, light-on},{door_closed}>
whistle:true<- <{}, {}>
"""


def body(text: str, *, actions: str = "act : true <- <{},{}>") -> Body:
    rest = "// Plans\ne : true <- .\nf : true <- ."
    return program(agent(text, beliefs="x = 0", actions=actions, rest=rest)).agent.plans[0].body


# --- the public tool's files ----------------------------------------------------------------------


def test_file_in_the_public_style() -> None:
    read = program(IN_THE_PUBLIC_STYLE).agent
    assert [(base.number, [belief.name for belief in base.beliefs]) for base in read.bases] == [
        (1, ["door_open", "light-on"]),
        (2, ["door_closed", "light-on"]),
        (3, []),
    ]
    assert [(event.number, event.name) for event in read.events] == [(1, "leave"), (2, "lock_up")]
    first = read.plans[0]
    assert first.context == Conjunction(BeliefAtom("door_open"), BeliefAtom("light-on"))
    goal = DeclarativeGoal(
        Conjunction(BeliefAtom("outside"), BeliefAtom("dark")),
        EventGoal("go"),
        BooleanLiteral(False),
    )
    assert first.body == Parallel(Sequence(goal, Act("shut")), Act("whistle"))
    assert read.plans[2].body == Nil()
    assert [action.name for action in read.actions] == ["turn_key", "shut", "whistle"]
    (outcome,) = read.actions[1].outcomes
    assert outcome.deleted == (RemoveBelief("door_open"), RemoveBelief("light-on"))
    assert outcome.added == (AddBelief("door_closed"),)


def test_alternative_initial_belief_bases() -> None:
    def initial(**settings: str) -> set[str]:
        slots = program(IN_THE_PUBLIC_STYLE, **settings).model().system.slots
        return {name for name, value in slots.items() if value is True}

    assert initial() == {"door_open", "light-on"}
    assert initial(initial="2") == {"door_closed", "light-on"}
    assert initial(initial="3") == set()


def test_windows_line_ends_and_headers_in_other_spellings() -> None:
    text = (
        "// belief bases\r\n1. a\r\n// events\r\ngo\r\n// plans:\r\ngo : a <- act.\r\n//   "
        "ACTIONS\r\nact : true <- <{a},{}>\r\n"
    )
    read = program(text).agent
    assert read.plans[0].body == Act("act")
    assert read.actions[0].outcomes[0].deleted == (RemoveBelief("a"),)


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("In all possible executions, eventually the belief b holds.", "A [ F Bel(b) ]"),
        ("In some executions, eventually the belief b-1x holds", None),
        ("In some executions, eventually the belief b holds", "E [ F Bel(b) ]"),
        (
            "In all possible executions, eventually the beliefs (b1, b2) hold.",
            "A [ F Bel(b1 & b2) ]",
        ),
        (
            "In some executions, eventually the beliefs (b1,b2 , b3) hold.",
            "E [ F Bel(b1 & b2 & b3) ]",
        ),
        (
            "What is the maximum probability that eventually the belief b holds",
            "Pmax=? [ F Bel(b) ]",
        ),
        (
            "What is the minimum probability that eventually the beliefs (b1, b2) hold.",
            "Pmin=? [ F Bel(b1 & b2) ]",
        ),
        ("In most executions, eventually the belief b holds.", None),
    ],
)
def test_sentences_of_the_public_tool(sentence: str, formula: str | None) -> None:
    assert formula_of_sentence(sentence) == formula


# --- plan bodies ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("act; e; f", Sequence(Act("act"), Sequence(EventGoal("e"), EventGoal("f")))),
        ("(act; e); f", Sequence(Sequence(Act("act"), EventGoal("e")), EventGoal("f"))),
        ("act; e || f; act", Parallel(Sequence(Act("act"), EventGoal("e")), Sequence(EventGoal("f"), Act("act")))),  # noqa: E501
        ("act |> e |> f", Recovery(Act("act"), Recovery(EventGoal("e"), EventGoal("f")))),
        ("act ▷ e ∥ f", Recovery(Act("act"), Parallel(EventGoal("e"), EventGoal("f")))),
        ("act; (e |> f)", Sequence(Act("act"), Recovery(EventGoal("e"), EventGoal("f")))),
        ("+a; -b", Sequence(AddBelief("a"), RemoveBelief("b"))),
        ("+a;-b", Sequence(AddBelief("a"), RemoveBelief("b"))),
        ("x := x - 1", Assign("x", Arithmetic("-", NumericBelief("x"), Constant(Fraction(1))))),
        ("x := x-1", Assign("x", Arithmetic("-", NumericBelief("x"), Constant(Fraction(1))))),
        ("?a | b || act", Parallel(BeliefTest(Disjunction(BeliefAtom("a"), BeliefAtom("b"))), Act("act"))),  # noqa: E501
        ("?false |> act", Recovery(BeliefTest(BooleanLiteral(False)), Act("act"))),
        ("goal(a, act; e, b)", DeclarativeGoal(BeliefAtom("a"), Sequence(Act("act"), EventGoal("e")), BeliefAtom("b"))),  # noqa: E501
        ("goal(a, goal(b, act, false), x > 2)",
         DeclarativeGoal(BeliefAtom("a"), DeclarativeGoal(BeliefAtom("b"), Act("act"), BooleanLiteral(False)), Comparison(">", NumericBelief("x"), Constant(Fraction(2))))),  # noqa: E501
        ("nil || act", Parallel(Nil(), Act("act"))),
    ],
)  # fmt: skip
def test_bodies(text: str, expected: Body) -> None:
    assert body(text) == expected


# --- conditions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "!a & b | x >= 3",
        "¬a ∧ b ∨ x ≥ 3",
        "((!(a) & b) | (x) >= (3))",
        "~a&b|x>=3",
        "!a & b | // of course\n x >= 3.0",
    ],
)
def test_conditions_in_several_spellings(text: str) -> None:
    read = (
        program(agent("nil", beliefs="x = 0", rest=f"// Plans\ngo : {text} <- ."))
        .agent.plans[1]
        .context
    )
    negated = Conjunction(Negation(BeliefAtom("a")), BeliefAtom("b"))
    assert read == Disjunction(negated, Comparison(">=", NumericBelief("x"), Constant(Fraction(3))))


def test_numbers_and_parameters() -> None:
    text = agent(
        "nil",
        beliefs="x = limit / 2, y = -0.5",
        rest="// Parameters\nlimit = 7\n// Plans\ngo : max(x, y, limit) - 1 < 2 * (x + y) <- .",
    )
    read = program(text).agent
    context = read.plans[1].context
    assert isinstance(context, Comparison)
    assert context.left == Arithmetic(
        "-",
        Extremum(
            "max", Extremum("max", NumericBelief("x"), NumericBelief("y")), Parameter("limit")
        ),
        Constant(Fraction(1)),
    )
    assert context.right == Arithmetic(
        "*", Constant(Fraction(2)), Arithmetic("+", NumericBelief("x"), NumericBelief("y"))
    )
    slots = program(text).model().system.slots
    assert (slots["x"], slots["y"]) == (Fraction(7, 2), Fraction(-1, 2))
    assert program(text, limit="1/3").model().system.slots["x"] == Fraction(1, 6)


# --- the rest -------------------------------------------------------------------------------------


def test_properties_with_results_names_and_places() -> None:
    text = agent("+b", rest="""// Properties
// A remark.
// RESULT: 0.5
"half": P=? [ F b ]  // another remark
A [ G (b ->
    X b) ] // RESULT: false

// RESULT: true
// A remark between the result and its property.
In some executions, eventually the belief b holds.
""")  # fmt: skip
    half, always, sentence = program(text).properties
    assert (half.name, half.text, half.expected) == ("half", "P=? [ F b ]", "0.5")
    assert half.span.text == half.text
    assert (always.name, always.text.split(), always.expected) == (
        None,
        ["A", "[", "G", "(b", "->", "X", "b)", "]"],
        "false",
    )
    assert (sentence.text, sentence.expected) == ("E [ F Bel(b) ]", "true")
    assert sentence.span.text == "In some executions, eventually the belief b holds."


def test_every_node_knows_its_place() -> None:
    text = agent("act; e", actions="act : b <- <{b},{}>", rest="// Plans\ne : true <- .")
    read = program(text).agent
    sequence = read.plans[0].body
    assert isinstance(sequence, Sequence)
    assert (
        sequence.span and sequence.span.text,
        sequence.second.span and sequence.second.span.text,
    ) == ("act; e", "e")
    assert read.plans[0].title == "plan 1, line 7"
    assert read.actions[0].precondition.span is not None
    assert read.actions[0].precondition.span.text == "b"


def test_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "robot.can").write_text(agent("+b"), encoding="utf-8")
    read = load(tmp_path / "robot.can", {})
    assert read.language == "CAN"
    assert read.agent.name == "robot"
    assert read.model().agents == ["robot"]
    assert [source.name for source in read.sources] == [str(tmp_path / "robot.can")]
    assert not read.warnings


def test_tables() -> None:
    text = agent(
        "act",
        beliefs="x = n, b",
        actions="act : b <- p: <{b},{}> + 1 - p: <{},{x := x + 1}>",
        rest="""// Parameters
n = 2, p = 0.25
// Labels
done : finished(go).
// Rewards
cost : act = 2 * n.
// Policies
plans : fixed.
""",
    )
    tables = {table.title: [list(row) for row in table.rows] for table in program(text).tables()}
    assert tables["Parameters"] == [["n", "2"], ["p", "0.25"]]
    assert tables["Initial beliefs"] == [["x = n"], ["b"]]
    assert tables["External events"] == [["1", "go"]]
    assert tables["Plans"] == [["1", "7", "go", "true", "act"]]
    assert tables["Actions"] == [["act", "b", "0.25", "b", ""], ["", "", "0.75", "", "x := x + 1"]]
    assert tables["Labels"] == [["done", "finished(go)"]]
    assert tables["Rewards"] == [["cost", "act", "4"]]
    assert tables["Policies"] == [["plans", "fixed"]]
    assert "Background" not in tables
