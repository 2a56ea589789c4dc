"""What stands between the brackets of an atom, as a tree."""

from __future__ import annotations

import pytest

from volition.diagnostics import InputError
from volition.logic import expand_agents, modal_atoms, parse
from volition.logic.parsing.term_parser import arguments_in
from volition.logic.syntax import Atom
from volition.logic.terms import (
    BracketTerm,
    CallTerm,
    NameTerm,
    Term,
    TermSequence,
    span_of_arguments,
    terms_in,
)


def told(term: Term) -> str:
    """A term with its kind, and with those inside of it."""
    kind = type(term).__name__
    match term:
        case CallTerm():
            return f"Call({', '.join(map(told, (term.functor, *term.arguments)))})"
        case BracketTerm():
            return f"Group{term.bracket}({', '.join(map(told, term.arguments))})"
        case TermSequence():
            return f"Phrase({', '.join(map(told, term.parts))})"
    return f"{kind} {term.text}"


@pytest.mark.parametrize(
    ("text", "trees"),
    [
        ("ag1, bid(_, 4)", ["NameTerm ag1", "Call(NameTerm bid, NameTerm _, NumberTerm 4)"]),
        ("*", ["SymbolTerm *"]),
        ("[a, 0.5 | T]", ["Group[(NameTerm a, Phrase(NumberTerm 0.5, SymbolTerm |, NameTerm T))"]),
        ("c1, {c2}", ["NameTerm c1", "Group{(NameTerm c2)"]),
        ("a -> b", ["Phrase(NameTerm a, SymbolTerm ->, NameTerm b)"]),
        ("Sea state is high", ["Phrase(NameTerm Sea, NameTerm state, NameTerm is, NameTerm high)"]),
        ("\"a)b, c\", 'd('", ['QuotedTerm "a)b, c"', "QuotedTerm 'd('"]),
        (
            "I don't know",
            ["Phrase(NameTerm I, NameTerm don, SymbolTerm ', NameTerm t, NameTerm know)"],
        ),
        ("x', 2nd", ["NameTerm x'", "NameTerm 2nd"]),
        ("a,", ["NameTerm a", "Phrase()"]),
        ("p // (no\n, q /* ) */", ["NameTerm p", "NameTerm q"]),
        ("", []),
    ],
)
def test_arguments(text: str, trees: list[str]) -> None:
    assert [told(each) for each in arguments_in(text)] == trees


def test_every_term_has_its_place_in_the_formula() -> None:
    (atom,) = modal_atoms(parse("A [ G !Bel( ag1 , winner(ag3) ) ]"))
    agent, winner = atom.arguments
    assert (agent.text, winner.text) == ("ag1", "winner(ag3)")
    assert (agent.span.start, winner.span.start) == (12, 18)
    assert span_of_arguments(atom.arguments).text == "ag1 , winner(ag3)"


def test_terms_of_the_papers_spelling_have_their_places_too() -> None:
    (atom,) = modal_atoms(parse("[] Bel ag1 winner(ag3)"))
    assert [(each.text, each.span.start) for each in atom.arguments] == [
        ("ag1", 7),
        ("winner(ag3)", 11),
    ]


def test_an_atom_made_in_python_is_read_like_one_in_a_formula() -> None:
    assert [each.text for each in Atom("Bel", "ag1, p(x, y)").arguments] == ["ag1", "p(x, y)"]
    assert [each.text for each in Atom("Bel", "ag1, p").arguments] == [
        each.text for each in modal_atoms(parse("Bel ag1 p"))[0].arguments
    ]


def test_only_names_are_variables_for_agents() -> None:
    (atom,) = modal_atoms(
        expand_agents(parse("forall x. Bel(x, p(x', \"x\", 'x', x1, [x]))"), ["ann"])
    )
    assert atom.text == "ann, p(x', \"x\", 'x', x1, [ann])"
    assert [each.text for each in terms_in(atom.arguments) if isinstance(each, NameTerm)] == [
        "ann",
        "p",
        "x'",
        "x1",
        "ann",
    ]


def test_labels_that_look_like_arguments_are_left_as_they_are() -> None:
    assert expand_agents(parse('forall x. Bel(x, p) & "a (x(b)"'), ["ann"]) == parse(
        'Bel(ann, p) & "a (x(b)"'
    )


def test_any_number_of_brackets_may_be_nested() -> None:
    (outermost,) = arguments_in("(" * 20_000 + "p" + ")" * 20_000)
    *_, innermost = terms_in([outermost])
    assert innermost.text == "p"


@pytest.mark.parametrize("text", ["a)", "(a", "[a)", '"a', "a) & (b"])
def test_brackets_and_quotations_must_be_closed(text: str) -> None:
    with pytest.raises(InputError) as raised:
        arguments_in(text)
    assert [each.code for each in raised.value.diagnostics] == ["LOG002"]
