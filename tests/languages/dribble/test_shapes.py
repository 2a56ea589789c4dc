"""Beliefs with disjunctions that hang together: the same graph as the naive interpreter's, and few
traced calls."""

from __future__ import annotations

import pytest

from tests.languages.dribble import reference
from tests.languages.dribble.comparing import explored, graph_of, program_of
from volition.kernel import explore


def formula(*clauses: str) -> reference.Formula:
    """A disjunction of conjunctions: ``formula("p ~q", "r")``."""
    return frozenset(
        frozenset((name.removeprefix("~"), not name.startswith("~")) for name in clause.split())
        for clause in clauses
    )


def switching(base: list[reference.Formula], atoms: int, switched: int) -> reference.PlainProgram:
    """An agent that switches atoms p0, p1, ... on where it is not sure of them, and off where a
    neighbour may be on instead."""
    numbers = range(switched)
    neighbour = {i: formula(f"p{(i + 1) % atoms}", f"p{(i + 2) % atoms}") for i in numbers}
    doubt = {i: ("not", ("B", formula(f"p{i}"))) for i in numbers}
    on = [
        reference.PlainAction(f"on{i}", doubt[i], (((((f"p{i}", True),)), ("true",)),))
        for i in numbers
    ]
    off = [
        reference.PlainAction(f"off{i}", ("B", neighbour[i]), (((((f"p{i}", False),)), ("true",)),))
        for i in numbers
    ]
    requested = ("G", formula("done"))
    rules: list[tuple[reference.Condition, reference.Plan]] = [
        (("and", requested, doubt[i]), (("basic", f"on{i}"),)) for i in numbers
    ]
    rules += [(("and", requested, ("B", neighbour[i])), (("basic", f"off{i}"),)) for i in numbers]
    finish = reference.PlainAction("finish", ("true",), (((("done", True),), ("true",)),))
    return reference.PlainProgram(
        frozenset([*base, formula("~done")]),
        frozenset([formula("done")]),
        (*on, *off, finish),
        (),
        tuple(rules),
        (),
        3,
    )


def ring(atoms: int) -> list[reference.Formula]:
    return [formula(f"p{i}", f"p{(i + 1) % atoms}") for i in range(atoms)]


BASES = {
    "a ring": ring(5),
    "formulas that become equal": [
        formula("p0 p1", "p2"),
        formula("p0 ~p1", "p2"),
        formula("~p0 p1", "p2"),
        formula("p3", "p4 p2"),
    ],
    "what is always true": [formula("p0", "~p0"), formula("p0", "p1"), formula("p2 p3", "p4")],
    "implications": [
        formula("~p0", "p1"),
        formula("~p1", "p2"),
        formula("~p2", "p3 p4"),
        formula("p4", "p0"),
    ],
}


@pytest.mark.parametrize("base", BASES.values(), ids=BASES)
def test_same_graph(base: list[reference.Formula]) -> None:
    program = switching(base, 5, 3)
    expected = reference.transitions(program, 3000)
    assert expected is not None
    model, space = explored(program_of(reference.text_of_program(program)))
    assert graph_of(model, space) == expected


def test_a_large_base_of_disjunctions_is_read_little() -> None:
    """20 atoms, of which the beliefs about any six may change: each is asked for with its
    neighbourhood."""
    model = program_of(reference.text_of_program(switching(ring(20), 20, 6))).model()
    space = explore(model.system)
    assert space.num_states > 5000
    assert space.stats.python_calls < space.num_states / 5
