"""Propositional logic: normal form, entailment and update, against truth tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.languages.dribble import reference
from tests.languages.dribble.comparing import plain_base, plain_formula
from volition.languages.dribble import propositional
from volition.languages.dribble.propositional import (
    FALSE,
    TRUE,
    Dnf,
    Literal,
    TooManyClauses,
    all_of,
    any_of,
    assign,
    consistent,
    entails,
    fact,
    prime_implicants,
)

literals = st.builds(Literal, st.sampled_from(["p", "q", "r", "s"]), st.booleans())
clauses = st.frozensets(literals, max_size=3).filter(
    lambda clause: not any(literal.complement in clause for literal in clause)
)
formulas = st.builds(Dnf, st.frozensets(clauses, max_size=3))
bases = st.frozensets(formulas, max_size=4)
WORLDS = reference.worlds([plain_formula(fact(atom)) for atom in "pqrs"])


@given(bases, formulas)
def test_entailment_is_that_of_truth_tables(base: frozenset[Dnf], formula: Dnf) -> None:
    assert entails(base, formula) == reference.entails(plain_base(base), plain_formula(formula))


@given(bases)
def test_consistency_is_that_of_truth_tables(base: frozenset[Dnf]) -> None:
    assert consistent(base) == reference.is_consistent(plain_base(base))


@given(st.builds(Dnf, st.frozensets(clauses, max_size=5)), clauses)
def test_a_conjunction_entails_what_it_contains_a_prime_implicant_of(
    formula: Dnf, clause: frozenset[Literal]
) -> None:
    implicants = prime_implicants(formula)
    assert any(each <= clause for each in implicants) == entails(
        frozenset([Dnf(frozenset([clause]))]), formula
    )
    assert not any(one < other for one in implicants for other in implicants)


@given(st.lists(formulas, max_size=3))
def test_connectives_mean_what_they_say(parts: list[Dnf]) -> None:
    for world in WORLDS:
        truths = [reference.is_true(plain_formula(part), world) for part in parts]
        assert reference.is_true(plain_formula(all_of(parts)), world) == all(truths)
        assert reference.is_true(plain_formula(any_of(parts)), world) == any(truths)


@given(bases, st.dictionaries(st.sampled_from(["p", "q", "r", "s"]), st.booleans(), min_size=1))
def test_update_is_sound_and_believed(base: frozenset[Dnf], signs: dict[str, bool]) -> None:
    """After the update the literals are believed, and every world that was possible, changed
    accordingly, still is."""
    updated = assign(base, [Literal(atom, sign) for atom, sign in signs.items()])
    assert all(entails(updated, fact(atom, sign)) for atom, sign in signs.items())
    for world in WORLDS:
        if all(reference.is_true(each, world) for each in plain_base(base)):
            assert all(reference.is_true(each, world | signs) for each in plain_base(updated))


@given(formulas, st.dictionaries(st.sampled_from(["p", "q", "r", "s"]), st.booleans(), min_size=1))
def test_update_of_one_formula_is_exact(formula: Dnf, signs: dict[str, bool]) -> None:
    """From a base of one formula the update has no other worlds than the changed ones."""
    updated = plain_base(assign([formula], [Literal(atom, sign) for atom, sign in signs.items()]))
    changed = [
        world | signs for world in WORLDS if reference.is_true(plain_formula(formula), world)
    ]
    possible = [
        world for world in WORLDS if all(reference.is_true(each, world) for each in updated)
    ]
    assert possible == [world for world in WORLDS if world in changed]


def test_update_replaces_literals_in_every_disjunct() -> None:
    """Sect. 4.3 on mR: in every disjunct with r1 it becomes ~r1, in every disjunct with ~r2 it
    becomes r2."""
    base = [any_of([all_of([fact("r1"), fact("r2", False)]), all_of([fact("r1"), fact("c1")])])]
    updated = assign(base, [Literal("r1", False), Literal("r2")])
    assert sorted(map(str, updated)) == ["c1 & ~r1 | ~r1 & r2", "r2"]


def test_what_the_base_did_not_speak_of_joins_it() -> None:
    assert assign([fact("p")], [Literal("q")]) == {fact("p"), fact("q")}


def test_text_has_a_fixed_order() -> None:
    formula = any_of([all_of([fact("q"), fact("p")]), fact("b", False)])
    assert str(formula) == "~b | p & q"
    assert (str(TRUE), str(FALSE)) == ("true", "false")


def test_a_contradictory_clause_adds_nothing() -> None:
    assert any_of([all_of([fact("p"), fact("p", False)]), fact("q")]) == fact("q")


def test_a_normal_form_that_explodes_is_refused() -> None:
    size = propositional.MAX_CLAUSES.bit_length()
    with pytest.raises(TooManyClauses):
        all_of([any_of([fact(f"a{number}"), fact(f"b{number}")]) for number in range(size)])


def test_entailment_of_many_formulas_is_found_without_truth_tables() -> None:
    """A chain of 60 implications: a truth table would have 2^61 rows."""
    chain = [any_of([fact(f"a{number}", False), fact(f"a{number + 1}")]) for number in range(60)]
    assert entails(frozenset([*chain, fact("a0")]), fact("a60"))
    assert not entails(frozenset(chain), fact("a60"))
