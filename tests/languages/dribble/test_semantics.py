"""The semantics against an independent interpreter: Theorem 2 of seed 004 run as a test."""

from __future__ import annotations

from hypothesis import assume, given, settings

from tests.languages.dribble import plain
from tests.languages.dribble.comparing import explored, graph_of, program_of
from tests.languages.dribble.random_programs import programs

MOST_CONFIGURATIONS = 300


@settings(max_examples=150, deadline=None)
@given(programs())
def test_tree_of_the_semantics_and_model_agree(program: plain.PlainProgram) -> None:
    """Theorem 2 (Sect. 4.1): the computation tree and the model are isomorphic, where equal children count once."""
    expected = plain.transitions(program, MOST_CONFIGURATIONS)
    assume(expected is not None)
    model, space = explored(program_of(plain.text_of_program(program)))
    assert graph_of(model, space) == expected


@settings(max_examples=75, deadline=None)
@given(programs(most_clauses=1))
def test_tree_and_model_agree_on_bases_of_literals(program: plain.PlainProgram) -> None:
    """The same where every belief is a conjunction of literals, which lie in the state atom by atom."""
    expected = plain.transitions(program, MOST_CONFIGURATIONS)
    assume(expected is not None)
    model, space = explored(program_of(plain.text_of_program(program)))
    assert graph_of(model, space) == expected
