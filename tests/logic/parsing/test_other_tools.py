"""Formulas in the notation of other tools get a message with the text to write, which is a
formula."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from volition.diagnostics import Diagnostic, InputError
from volition.logic.parsing.other_tools import meant_by_name
from volition.logic.parsing.parser import parse

REWRITTEN = [
    ("LTLSPEC G F x", "LTLSPEC", "G F x"),
    ("LTLSPEC NAME p1 := G F x;", "LTLSPEC", "G F x"),
    ("SPEC AG x", "SPEC", "AG x"),
    ("CTLSPEC AG x", "CTLSPEC", "AG x"),
    ("INVARSPEC x & y;", "INVARSPEC", "A [ G (x & y) ]"),
    ("ltl p1 { [] <> x }", "ltl", "[] <> x"),
    ("ltl { [] (x -> <> y) }", "ltl", "[] (x -> <> y)"),
    ("a --> b", "-->", "A [ G (a -> F b) ]"),
    ("a & c --> b(1)", "-->", "A [ G ((a & c) -> F b(1)) ]"),
    ("a ~> b", "~>", "A [ G (a -> F b) ]"),
    ("R{distance}min=? [ F x ]", "distance", 'R{"distance"}min=? [ F x ]'),
    ("Rmax{cost}<=5 [ C<=3 ]", "cost", 'Rmax{"cost"}<=5 [ C<=3 ]'),
    ("Pmax=? [ F x ] > 0.5", "> 0.5", "Pmax>0.5 [ F x ]"),
    ('R{"d"}min=? [ F x ] <= 1/2', "<= 1/2", 'R{"d"}min<=1/2 [ F x ]'),
    ("Pr[<=5](<> x)", "Pr[<=5](<> x)", "P=? [ F<=5 x ]"),
    ("Pr[<=5]([] x & y) >= 0.9", "Pr[<=5]([] x & y) >= 0.9", "P>=0.9 [ G<=5 (x & y) ]"),
    ("Prob=? [ F x ]", "Prob", "P=? [ F x ]"),
    ("max P=? [ F x ]", "max P", "Pmax=? [ F x ]"),
    ("Pmax = ? [ F x ]", "= ?", "Pmax=? [ F x ]"),
    ("P>=50% [ F x ]", "50%", "P>=0.5 [ F x ]"),
    ("P>=.5 [ F x ]", ".5", "P>=0.5 [ F x ]"),
    ("F[<=5] x", "[<=5]", "F<=5 x"),
    ("p1: G x", "p1:", "G x"),
    ("G x;", ";", "G x"),
    ("F 'x'", "'x'", 'F "x"'),
    ("AG { x }", "{ x }", "AG ( x )"),
    ("x ==> y", "==>", "x -> y"),
    ("x <==> y", "<==>", "x <-> y"),
    ("x /= 1", "/=", "x != 1"),
    ("x <> 1", "<>", "x != 1"),
    ("x := 1", ":=", "x = 1"),
    ("x xor y", "xor", "!(x <-> y)"),
    ("x M y", "M", "(y U (x & y))"),
    ("forall a: Bel(a, x)", "forall a:", "forall a. Bel(a, x)"),
    ("bel ag x", "bel", "Bel ag x"),
    ("always (x implies eventually y)", "always", "G (x -> F y)"),
    ("x AND NOT y", "AND", "x & ! y"),
    (r"\Box (x \to \Diamond y)", r"\to", "[] (x -> <> y)"),
]


@pytest.mark.parametrize(("typed", "marked", "write"), REWRITTEN)
def test_the_message_names_the_text_to_write(typed: str, marked: str, write: str) -> None:
    found = _error(typed)
    assert found.code == "LOG027"
    assert found.span is not None
    assert found.hint is not None
    assert " ".join(found.hint.split()) == f"write {' '.join(write.split())}"
    assert found.span.text == marked
    parse(found.hint.removeprefix("write "))


READ = [
    *(
        "A[] not deadlock",
        "E<> x",
        "A<> x",
        "E[] x",
        "[] x",
        "<> x",
        "AG x",
        "EF(x)",
        "A G x",
        "x && y || !z",
        "x and not y or z",
        "~x",
    ),
    *(
        "x => y",
        "x <=> y",
        "x -> y",
        "x <-> y",
        "x == 1",
        "x != 1",
        'F "x"',
        "Rmin=? [ F x ]",
        "R=? [ C<=5 ]",
        "P=? [ F<5 x ]",
        "S=? [ x ]",
    ),
    *(
        "P=?[ x U<=5 y ]",
        "E [ x U y ]",
        "P>0.5 (F x)",
        "x \\/ y /\\ z",
        "A [ G x ]",
        "[] (x -> <> y)",
        "F[2,5] x",
    ),
]


@pytest.mark.parametrize("formula", READ)
def test_what_is_unambiguous_is_read(formula: str) -> None:
    parse(formula)


@pytest.mark.parametrize(
    ("typed", "marked", "offered"),
    [
        ("P=? [F<5]", "F<5", "F<5 done"),
        ("S=?", "S=?", "S=? [ done ]"),
        ("Pmax=?", "Pmax=?", "Pmax=? [ F done ]"),
        ("<<a>> F x", "<<a>>", None),
        ("G (x -> O y)", "O", None),
        ("x S y", "S", None),
    ],
)
def test_what_has_no_equivalent_is_named(typed: str, marked: str, offered: str | None) -> None:
    found = _error(typed)
    assert (found.code, found.span.text if found.span else None) == ("LOG027", marked)
    if offered is not None:
        assert (found.hint or "").endswith(f"such as {offered}")
        parse(offered)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("bel(ag, x(1))", "Bel(ag, x(1))"),
        ("DOES(a)", "Does(a)"),
        ("goal(x)", "Goal(x)"),
        ("TRUE", "true"),
        ("False", "false"),
        ("filter(max, Pmax=? [ F x ], y)", "Pmax=? [ F x ]"),
        ("filter(forall, P>0.5 [ F x ])", "P>0.5 [ F x ]"),
        ("wrapped", None),
        ("filter(x)", None),
    ],
)
def test_a_name_may_be_the_notation_of_another_tool(name: str, meant: str | None) -> None:
    assert meant_by_name(name) == meant
    if meant is not None:
        parse(meant)


def _formulas() -> list[str]:
    """Formulas of shipped examples, each on one line."""
    stated = re.compile(r'^(?:"[^"]*":)?\s*((?:A \[|E \[|P|R\{|F |G |\[\]|<>).*)$', re.MULTILINE)
    files = [
        each
        for each in sorted(Path("examples").rglob("*"))
        if each.suffix in (".mas", ".can", ".volition", ".dribble", ".props")
    ]
    texts = [
        line.partition("//")[0].strip().rstrip(";")
        for file in files
        for line in stated.findall(file.read_text())
    ]
    return [each for each in dict.fromkeys(texts) if _is_formula(each)]


@pytest.mark.parametrize(
    "dress",
    [
        "LTLSPEC {}",
        "SPEC {};",
        "ltl p {{ {} }}",
        "CTLSPEC NAME p := {} ;",
        "p1: {}",
        "{};",
        "property: {}",
    ],
)
def test_every_formula_of_the_examples_is_found_again(dress: str) -> None:
    formulas = _formulas()
    assert len(formulas) > 20
    for formula in formulas:
        hint = _error(dress.format(formula)).hint or ""
        assert parse(hint.removeprefix("write ")) == parse(formula)


def _is_formula(text: str) -> bool:
    try:
        parse(text)
    except InputError:
        return False
    return True


def _error(text: str) -> Diagnostic:
    with pytest.raises(InputError) as caught:
        parse(text)
    (found,) = caught.value.diagnostics
    return found
