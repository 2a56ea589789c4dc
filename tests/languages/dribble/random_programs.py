"""Random Dribble programs for hypothesis: small, well-formed, with bases of literals, conjunctions
and disjunctions."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

from tests.languages.dribble.reference import (
    Base,
    Condition,
    Formula,
    Literal,
    PlainAction,
    PlainProgram,
    Plan,
    Step,
    entails,
    is_consistent,
    length,
)  # fmt: skip

ATOMS = ["p", "q", "r", "s"]
BASIC = ["act", "bring", "call"]
ABSTRACT = ["Make", "Take"]
NAMES: list[Step] = [
    *(("basic", name) for name in BASIC),
    *(("abstract", name) for name in ABSTRACT),
]


def clauses(atoms: list[str]) -> st.SearchStrategy[frozenset[Literal]]:
    return st.dictionaries(st.sampled_from(atoms), st.booleans(), min_size=1, max_size=2).map(
        lambda signs: frozenset(signs.items())
    )


def formulas(atoms: list[str], max_clauses: int = 2) -> st.SearchStrategy[Formula]:
    return st.frozensets(clauses(atoms), min_size=1, max_size=max_clauses)


def conditions(atoms: list[str], modalities: str) -> st.SearchStrategy[Condition]:
    simple = st.tuples(st.sampled_from(modalities), formulas(atoms))
    negated = st.tuples(st.just("not"), simple)
    joined = st.tuples(st.sampled_from(["and", "or"]), simple, simple | negated)
    return st.just(("true",)) | simple | negated | joined


def easy_conditions(atoms: list[str], modalities: str) -> st.SearchStrategy[Condition]:
    """Conditions that often hold, so that programs do not stall at once."""
    return st.integers(0, 9).flatmap(
        lambda dice: conditions(atoms, modalities) if dice < 4 else st.just(("true",))
    )


def plans(
    of: st.SearchStrategy[Step], minimum: int, maximum: int, len_max: int
) -> st.SearchStrategy[Plan]:
    return (
        st.lists(of, min_size=minimum, max_size=maximum)
        .map(tuple)
        .filter(lambda plan: length(plan) <= len_max)
    )


@st.composite
def pools(draw: st.DrawFn, atoms: list[str]) -> list[Step]:
    """A few steps that all plans of a program are made of, so that heads of revision rules match:
    names, tests, tests in tests."""
    pool = list(NAMES)
    for _ in range(draw(st.integers(0, 2))):
        branch = st.lists(st.sampled_from(pool), min_size=1, max_size=2).map(tuple)
        pool.append(("if", draw(conditions(atoms, "B")), draw(branch), draw(branch)))
    return pool


@st.composite
def programs(draw: st.DrawFn, max_clauses: int = 2) -> PlainProgram:
    """A program that speaks only of atoms it knows, whose initial bases satisfy the conditions of
    Sect. 2.3.

    With ``max_clauses = 1`` its beliefs are conjunctions of literals.  No two effects of an action
    speak of the same atom, so that they cannot contradict each other.
    """
    beliefs: Base = draw(st.frozensets(formulas(ATOMS, max_clauses), max_size=3))
    assume(is_consistent(beliefs))
    goals = frozenset(
        goal
        for goal in draw(st.frozensets(formulas(ATOMS), min_size=1, max_size=3))
        if not entails(beliefs, goal)
    )
    changes = [
        draw(st.dictionaries(st.sampled_from(ATOMS), st.booleans(), min_size=1, max_size=3))
        for _ in BASIC
    ]
    atoms = sorted(
        {atom for formula in beliefs | goals for clause in formula for atom, _ in clause}.union(
            *changes
        )
    )
    believed = easy_conditions(atoms, "B")
    actions = [
        PlainAction(
            name, draw(believed), tuple(((literal,), draw(believed)) for literal in change.items())
        )
        for name, change in zip(BASIC, changes, strict=True)
    ]
    len_max = draw(st.integers(3, 12))
    step = st.sampled_from(draw(pools(atoms)))
    goal_rule = st.tuples(easy_conditions(atoms, "BG"), plans(step, 1, 3, len_max))
    revision_rule = st.tuples(plans(step, 1, 2, len_max), believed, plans(step, 0, 3, len_max))
    return PlainProgram(
        beliefs,
        goals,
        tuple(actions),
        tuple(ABSTRACT),
        tuple(draw(st.lists(goal_rule, min_size=2, max_size=4))),
        tuple(draw(st.lists(revision_rule, min_size=2, max_size=6))),
        len_max,
    )
