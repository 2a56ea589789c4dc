"""Leaves of formulas, and quantifiers over agents."""

from __future__ import annotations

import pytest

from volition.diagnostics import InputError
from volition.logic import atomic_formulas, expand_agents, formula_text, modal_atoms, parse
from volition.logic.syntax import Atom, Identifier, Proposition
from volition.logic.terms import span_of_arguments


def test_leaves_come_once_and_in_order() -> None:
    formula = parse("A [ G (Bel(p) & x > 2 -> F (done | Bel(p) | x < y)) ]")
    assert atomic_formulas(formula) == (
        Atom("Bel", "p"),
        Identifier("x"),
        Proposition("done"),
        Identifier("y"),
    )
    assert modal_atoms(formula) == (Atom("Bel", "p"),)


def test_quantifiers_become_conjunctions_and_disjunctions() -> None:
    formula = expand_agents(parse("forall x. exists y. Bel(x, likes(y, axe, x1))"), ["ann", "bob"])
    assert formula_text(formula) == (
        "(Bel(ann, likes(ann, axe, x1)) | Bel(ann, likes(bob, axe, x1))) & (Bel(bob, likes(ann, "
        "axe, x1)) | Bel(bob, likes(bob, axe, x1)))"
    )


def test_quotations_and_inner_variables_are_left_alone() -> None:
    formula = expand_agents(
        parse('forall x. Bel(x, says("x is x")) & winner(x) & (exists x. Bel(x, p))'), ["ann"]
    )
    assert formula_text(formula) == 'Bel(ann, says("x is x")) & winner(ann) & Bel(ann, p)'


def test_the_place_of_an_expanded_atom_shows_what_was_put_in() -> None:
    (atom,) = modal_atoms(expand_agents(parse("forall x. Bel(x, p)"), ["ann"]))
    assert span_of_arguments(atom.arguments).text == atom.text == "ann, p"
    assert "x = ann" in atom.arguments[0].span.source.name


def test_no_agents_to_range_over() -> None:
    with pytest.raises(InputError) as raised:
        expand_agents(parse("forall x. Bel(x, p)"), [])
    assert raised.value.diagnostics[0].code == "LOG010"
