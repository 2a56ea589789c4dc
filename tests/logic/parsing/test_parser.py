"""Reading formulas: every spelling, the reach of operators, and errors that point at the
mistake."""

from __future__ import annotations

from fractions import Fraction

import pytest

from volition.diagnostics import Diagnostics, InputError, Source
from volition.logic import atomic_formulas, formula_text, parse
from volition.logic.syntax import (
    AgentQuantifier,
    And,
    Arithmetic,
    Atom,
    Comparison,
    Cumulative,
    Finally,
    Formula,
    Globally,
    Identifier,
    Instantaneous,
    LongRun,
    Multi,
    Next,
    Not,
    Number,
    Or,
    PathQuantifier,
    Probability,
    Proposition,
    Release,
    Reward,
    SteadyState,
    StepBound,
    Total,
    Until,
    WeakUntil,
)
from volition.logic.terms import span_of_arguments

a, b, c = (Proposition(name) for name in "abc")


def every(path: Formula) -> Formula:
    return PathQuantifier("A", path)


@pytest.mark.parametrize(
    ("spellings", "formula"),
    [
        (["!a", "~a", "not a", "¬a"], Not(a)),
        (["a & b", "a && b", r"a /\ b", "a and b", "a ∧ b"], And(a, b)),
        (["a | b", "a || b", r"a \/ b", "a or b", "a ∨ b"], Or(a, b)),
        (
            ["A [ G a ]", "A[G a]", "AG a", "G a", "[] a", "□a", "A [] a", "A(G a)", "A G a"],
            every(Globally(a)),
        ),
        (["A [ F a ]", "AF a", "F a", "<> a", "◇a", "A<>a"], every(Finally(a))),
        (["E [ X a ]", "EX a", "E X a"], PathQuantifier("E", Next(a))),
        (["a U b", "A [ a U b ]", "A (a U b)"], every(Until(a, b))),
        (["a R b", "a V b"], every(Release(a, b))),
        (["a W b"], every(WeakUntil(a, b))),
        (["F<=5 a", "F<6 a", "F[0,5] a", "<><=5 a"], every(Finally(a, StepBound(0, 5)))),
        (["F>=2 a", "F>1 a"], every(Finally(a, StepBound(2, None)))),
        (["a U=3 b", "a U[3,3] b"], every(Until(a, b, StepBound(3, 3)))),
        (
            ["forall x. Bel(x, p)", "∀x.Bel(x, p)"],
            AgentQuantifier("forall", "x", Atom("Bel", "x, p")),
        ),
        (
            ["Bel(car, safe)", "B(car, safe)", "Bel car safe", "(Bel car safe)"],
            Atom("Bel", "car, safe"),
        ),
        (["winner(ag3)", '"winner(ag3)"'], Proposition("winner(ag3)")),
    ],
)
def test_spellings(spellings: list[str], formula: Formula) -> None:
    for spelling in spellings:
        assert parse(spelling) == formula


def test_formulas_of_the_papers() -> None:
    """Bordini et al. Sect. 5 (both with Bel, Des, Int), Winikoff et al. Sect. 3, Trang et al. Sect.
    4.3, Archibald et al. Sect. 4."""
    first = (
        "□(¬(Bel ag3 winner(ag3)) ∧ (Des ag3 alliance(ag3, ag2)) ⇒ ◇(Int ag3 alliance(ag3, ag2)))"
    )
    assert formula_text(parse(first)) == (
        "A [ G ((!Bel(ag3, winner(ag3)) & Des(ag3, alliance(ag3, ag2))) -> F Int(ag3, "
        "alliance(ag3, ag2))) ]"
    )
    last = "□((Bel ag2 alliance(ag3, ag2)) ∧ (Bel ag3 alliance(ag3, ag2)) ⇒ ◇□ winner(ag3))"
    assert formula_text(parse(last)) == (
        "A [ G ((Bel(ag2, alliance(ag3, ag2)) & Bel(ag3, alliance(ag3, ag2))) -> F G winner(ag3)) ]"
    )
    assert formula_text(parse("□(Does ag a → Bel ag b)")) == "A [ G (Does(ag, a) -> Bel(ag, b)) ]"
    assert formula_text(parse("AF(B(c1) ∧ B(c2))")) == "A [ F (Bel(c1) & Bel(c2)) ]"
    assert formula_text(parse("Pmax=? F[success]")) == "Pmax=? [ F success ]"


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("P=? [ F a ]", Probability(Finally(a))),
        ("Pmin=? [ a U<=5 b ]", Probability(Until(a, b, StepBound(0, 5)), "min")),
        ("P>=0.9 [ X a ]", Probability(Next(a), None, ">=", Fraction(9, 10))),
        ("P<1/3 [ G a ]", Probability(Globally(a), None, "<", Fraction(1, 3))),
        ('R{"fuel"}min=? [ F a ]', Reward(Finally(a), "fuel", "min")),
        ("Rmax=? [ C<=10 ]", Reward(Cumulative(10), None, "max")),
        ("R=? [ I=3 ]", Reward(Instantaneous(3))),
        ("R<=5 [ C ]", Reward(Total(), None, None, "<=", Fraction(5))),
        ("R=? [ S ]", Reward(LongRun())),
        ("R=? [ LRA ]", Reward(LongRun())),
        ("S>=0.5 [ a ]", SteadyState(a, None, ">=", Fraction(1, 2))),
        (
            "multi(Pmax=? [ F a ], R<=5 [ C ])",
            Multi((Probability(Finally(a), "max"), Reward(Total(), None, None, "<=", Fraction(5)))),
        ),
    ],
)
def test_questions(text: str, formula: Formula) -> None:
    assert parse(text) == formula


def test_comparisons() -> None:
    assert parse("plan_2 = 1") == Comparison("=", Identifier("plan_2"), Number(Fraction(1)))
    left = Arithmetic("/", Arithmetic("+", Identifier("x"), Identifier("y")), Number(Fraction(2)))
    assert parse("(x + y) / 2 < 0.5") == Comparison("<", left, Number(Fraction(1, 2)))
    assert parse("x >= -3 & a") == And(Comparison(">=", Identifier("x"), Number(Fraction(-3))), a)
    assert parse("speed(car) != car.limit") == Comparison(
        "!=", Identifier("speed(car)"), Identifier("car.limit")
    )


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Pmax=? [ F a & b ]", "Pmax=? [ F (a & b) ]"),
        ("P=? [ a | b U c & a ]", "P=? [ (a | b) U (c & a) ]"),
        ("P=? [ F a U b ]", "P=? [ (F a) U b ]"),
        ("[]a & <>b", "([]a) & (<>b)"),
        ("AG a -> AF b", "(AG a) -> (AF b)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a U b U c", "a U (b U c)"),
        ("a -> b U c", "a -> (b U c)"),
        ("a & b | c", "(a & b) | c"),
        ("!a & b", "(!a) & b"),
        ("[]a -> <>b", "([]a) -> (<>b)"),
        ("forall x. Bel(x, p) & F Bel(x, q)", "forall x. (Bel(x, p) & (F Bel(x, q)))"),
    ],
)
def test_how_far_operators_reach(short: str, long: str) -> None:
    assert parse(short) == parse(long)


@pytest.mark.parametrize(
    ("text", "warned"),
    [("G a -> F b", True), ("G (a -> F b)", False), ("F a & b", True), ("P=? [ F a & b ]", False)],
)
def test_readings_that_other_tools_do_not_share_are_warned_of(text: str, warned: bool) -> None:
    diagnostics = Diagnostics()
    parse(text, diagnostics=diagnostics)
    assert [each.code for each in diagnostics.warnings] == (["LOG009"] if warned else [])


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ('Bel(says("a)b", [x]))', 'says("a)b", [x])'),
        ("Bel([Sea state is too high])", "[Sea state is too high]"),
        ("Bel(I don't know (yet))", "I don't know (yet)"),
        ("Goals{c1, {c2}}", "c1, {c2}"),
        ("Plan( mL; cR )", "mL; cR"),
    ],
)
def test_the_text_of_an_atom_is_kept(text: str, inner: str) -> None:
    atom = parse(text)
    assert isinstance(atom, Atom)
    assert atom.text == inner
    assert span_of_arguments(atom.arguments).text == inner


@pytest.mark.parametrize(
    ("text", "code", "marked"),
    [
        ("", "LOG001", ""),
        ("A [ G (a ", "LOG002", "("),
        ("a )", "LOG002", ")"),
        ("Bel((a])", "LOG002", "]"),
        ('"abc', "LOG002", '"'),
        ("F a b", "LOG001", "b"),
        ("a U", "LOG001", ""),
        ("U a", "LOG001", "U"),
        ("x # y", "LOG001", "#"),
        ("a < b < c", "LOG001", "<"),
        ("P [ F a ]", "LOG001", "P"),
        ("R{fuel}=? [C]", "LOG027", "fuel"),
        ("forall x Bel(x)", "LOG027", "forall x"),
        ("Beleif(x)", "LOG004", "Beleif"),
        ("Bel()", "LOG003", "Bel()"),
        ("a & 3", "LOG005", "3"),
        ("(a & b) > 2", "LOG005", "(a & b)"),
        ("F<=2.5 a", "LOG006", "2.5"),
        ("F[5,2] a", "LOG006", "[5,2]"),
        ("P>=1.5 [F a]", "LOG007", "P>=1.5 [F a]"),
        ("Pmax=? [ F P=? [ X a ] ]", "LOG008", "P=? [ X a ]"),
        ("multi(a)", "LOG030", "a"),
        ("R=? [ F<=3 a ]", "LOG031", "F<=3 a"),
    ],
)
def test_mistakes_are_pointed_at(text: str, code: str, marked: str) -> None:
    with pytest.raises(InputError) as raised:
        parse(text)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == code
    assert diagnostic.span is not None
    assert diagnostic.span.text == marked


def test_misspelt_atoms_are_guessed() -> None:
    with pytest.raises(InputError, match="did you mean 'Goal'"):
        parse("Gaol(x)")


def test_places_are_those_of_the_file() -> None:
    source = Source("program.can", "// RESULT: true\nA [ G (a -> ) ];")
    with pytest.raises(InputError) as raised:
        parse(source=source, start=16, end=31)
    span = raised.value.diagnostics[0].span
    assert span is not None
    assert (span.source.name, span.line, span.column) == ("program.can", 2, 13)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 9000 + "a" + ")" * 9000,
        " & ".join("a" * 5000),
        "!" * 9000 + "a",
        "!" * 30000 + "a",
        "X " * 4000 + "a",
    ],
)
def test_deep_formulas_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="LOG015"):
        parse(text)


def test_long_formulas_are_printed_in_time() -> None:
    text = " & ".join(["(F a)"] * 100) + " -> " + " -> ".join("b" * 40)
    assert parse(formula_text(parse(text))) == parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "A [ " + "(" * 1000 + "F a" + ")" * 1000 + " ]",
        "!" * 1000 + "a",
        "X " * 1000 + "a",
        *(
            f" {operator} ".join(["a", "(F b)", *("c" * 998)])
            for operator in ("&", "||", "U", "->", "<->")
        ),
        "x > " + "-(" * 1000 + "1" + ")" * 1000,
        f"Bel({'min(' * 1000}x{')' * 1000} > 3)",
    ],
)
def test_a_thousand_of_anything_is_read_and_printed(text: str) -> None:
    formula = parse(text)
    assert parse(formula_text(formula)) == formula
    assert hash(formula) == hash(parse(text))
    assert set(atomic_formulas(formula))


@pytest.mark.parametrize(
    "number", ["9" * 5000, "0." + "3" * 5000, "1e400", "1e5000", "1e-999999999", "1e" + "9" * 5000]
)
@pytest.mark.parametrize(
    "text",
    ["A [ G x < {} ]", "P>={} [ F a ]", "P>=1/{} [ F a ]", "F<={} a", "R=? [ C<={} ]", "F[0,{}] a"],
)
def test_numbers_of_any_length_are_refused(text: str, number: str) -> None:
    with pytest.raises(InputError) as raised:
        parse(text.format(number))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "LOG022"
    assert diagnostic.span is not None
    assert diagnostic.span.text == number


@pytest.mark.parametrize(
    ("text", "zero"),
    [
        ("x > 1/0", "0"),
        ("x / (2 - 2) < 1", "(2 - 2)"),
        ("A [ F battery > 3 / (0 * 5) ]", "(0 * 5)"),
        ("P>1/0 [ F a ]", "0"),
    ],
)
def test_what_is_divided_by_nothing_in_every_state(text: str, zero: str) -> None:
    with pytest.raises(InputError, match="division by zero") as raised:
        parse(text)
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.text == zero


@pytest.mark.parametrize("text", ['""', 'F ""', '" " & a'])
def test_a_label_has_a_name(text: str) -> None:
    with pytest.raises(InputError, match="LOG003"):
        parse(text)


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("Pmax=? [ clean ]", ["LOG023"]),
        ("P>=0.5 [ clean & !dirty ]", ["LOG023"]),
        ("A [ clean ]", ["LOG023"]),
        ("E (clean)", ["LOG023"]),
        ("Pmax=? [ F clean ]", []),
        ("S=? [ clean ]", []),
        ("clean", []),
        ("A [ a U b U c ]", ["LOG009"]),
        ("A [ a U (b U c) ]", []),
        ("A [ (a U b) U c ]", []),
        ("P=? [ a U b W c ]", ["LOG009"]),
        ("a -> b -> c", ["LOG009"]),
        ("a -> (b -> c)", []),
        ("(a -> b) -> c", []),
        ("A [ F a U b ]", ["LOG009"]),
        ("A [ (F a) U b ]", []),
        ("A [ F (a U b) ]", []),
        ("A [ !a U b ]", []),
        ("forall x. <> Bel(x, a)", []),
        ("forall x. <> a", ["LOG025"]),
        ("forall a. <> a", ["LOG025"]),
        ("exists x. <> winner(x)", []),
        ("forall x. exists y. [] Bel(x, likes(y))", []),
        ("forall x. exists y. [] Bel(x, a)", ["LOG025"]),
        ("P>=0 [ F a ]", ["LOG026"]),
        ("P<=1 [ F a ]", ["LOG026"]),
        ("P>1 [ F a ]", ["LOG026"]),
        ("P<0 [ F a ]", ["LOG026"]),
        ("P>0 [ F a ]", []),
        ("P>=1 [ F a ]", []),
    ],
)
def test_what_may_not_be_meant_is_warned_of(text: str, warnings: list[str]) -> None:
    diagnostics = Diagnostics()
    parse(text, diagnostics=diagnostics)
    assert [each.code for each in diagnostics.warnings] == warnings
