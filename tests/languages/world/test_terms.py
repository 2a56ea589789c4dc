"""Terms: printing, unification."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from volition.languages.world.property_terms import atom_of
from volition.languages.world.terms import (
    Structure,
    Term,
    Variable,
    constant,
    is_ground,
    list_items,
    list_of,
    rename,
    show,
    substitute,
    unify,
)
from volition.logic.parsing.term_parser import arguments_in

NAMES = st.sampled_from(["a", "b", "c"])
LEAVES: st.SearchStrategy[Term] = st.one_of(
    NAMES.map(constant), st.integers(-3, 3), st.sampled_from(["X", "Y", "Z"]).map(Variable)
)
TERMS: st.SearchStrategy[Term] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Structure, NAMES, st.lists(inner, min_size=1, max_size=2).map(tuple)),
        st.lists(inner, max_size=2).map(list_of),
    ),
    max_leaves=6,
)


def parsed(text: str) -> Structure:
    (argument,) = arguments_in(text)
    return atom_of(argument)


@given(TERMS)
def test_what_is_shown_can_be_read_again(term: Term) -> None:
    assert parsed(f"f({show(term)})").arguments == (term,)


@given(TERMS, TERMS)
def test_a_unifier_makes_terms_equal(left: Term, right: Term) -> None:
    right = rename(right, {}, "R")
    found = unify(left, right, {})
    if found is not None:
        assert substitute(left, found) == substitute(right, found)


@given(TERMS, TERMS)
def test_unification_is_symmetric(left: Term, right: Term) -> None:
    right = rename(right, {}, "R")
    assert (unify(left, right, {}) is None) == (unify(right, left, {}) is None)


@given(TERMS)
def test_a_ground_term_unifies_with_itself_alone(term: Term) -> None:
    if is_ground(term):
        assert unify(term, term, {}) == {}
        assert unify(term, Structure("other", (term,)), {}) is None


def test_no_variable_becomes_part_of_its_own_value() -> None:
    assert unify(parsed("p(X, X)"), parsed("p(Y, f(Y))"), {}) is None
    assert unify(parsed("p(X, Y, X)"), parsed("p(f(Y), f(X), Z)"), {}) is None


def test_renaming_keeps_anonymous_variables_apart() -> None:
    assert show(rename(parsed("p(_, X, _, X)"), {}, "N")) == "p(_,N1,_,N1)"


def test_lists() -> None:
    assert show(parsed("f([a, b | T])")) == "f([a,b|T])"
    assert list_items(parsed("f([a, [], 3])").arguments[0]) == (constant("a"), constant("[]"), 3)
    assert list_items(parsed("f([a | T])").arguments[0]) is None


def test_the_anonymous_variable_agrees_with_everything_and_is_never_bound() -> None:
    assert unify(parsed("p(_, _)"), parsed("p(1, 2)"), {}) == {}


def test_predicates_with_other_arities_do_not_unify() -> None:
    assert unify(parsed("p(X)"), parsed("p(1,2)"), {}) is None
