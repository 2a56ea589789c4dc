"""Trees of findings: they give every situation its answer, and ask no more than they must."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition.languages.protocols import StateView, ViewPredicate
from volition.reporting.strategies.decision_tree import (
    TrainingCase,
    Tree,
    TreeLeaf,
    TreeSplit,
    classify,
    feature_test_text,
    learn_tree,
    table_rows,
)

SITUATIONS = st.fixed_dictionaries(
    {
        "beliefs": st.dictionaries(st.sampled_from(["a", "b", "c"]), st.just("")),
        "numbers": st.fixed_dictionaries({"x": st.integers(-2, 5).map(str)}),
        "intentions": st.dictionaries(
            st.sampled_from(["i", "j"]),
            st.sampled_from(["nil", "p; q", "some longer program |> nil"]),
        ),
    }
)


def only(answered: Sequence[tuple[StateView, str]]) -> Tree:
    """The tree for situations with one good answer each, all answers being possible."""
    possible = frozenset(answer for _, answer in answered)
    return grown(
        [TrainingCase(situation, possible, frozenset([answer])) for situation, answer in answered]
    )


def grown(cases: Sequence[TrainingCase]) -> Tree:
    tree = learn_tree(cases)
    assert tree is not None
    return tree


def first_that_fits(tree: Tree, view: StateView) -> str:
    """The table of a tree, read from the top."""
    return next(
        row for row in table_rows(tree) if all(predicate.holds(view) for predicate in row.tests)
    ).answer


@settings(deadline=None, max_examples=100)
@given(st.lists(SITUATIONS, min_size=1, max_size=20, unique_by=repr), st.data())
def test_every_situation_gets_its_answer(situations: list[StateView], data: st.DataObject) -> None:
    distinct = {
        str(sorted((section, sorted(items.items())) for section, items in each.items())): each
        for each in situations
    }
    answered = [
        (each, data.draw(st.sampled_from(["left", "right", "stay"]))) for each in distinct.values()
    ]
    tree = only(answered)
    for situation, requested in answered:
        assert classify(tree, situation) == requested
        assert first_that_fits(tree, situation) == requested
    assert all(predicate.positive for row in table_rows(tree) for predicate in row.tests)
    assert sum(row.num_states for row in table_rows(tree)) == len(answered)


def test_what_does_not_matter_is_not_asked() -> None:
    answered = [
        (
            {"beliefs": {"wrapped": "", "x": str(x)}} if wrapped else {"beliefs": {"x": str(x)}},
            "move" if wrapped else "wrap",
        )
        for x in range(10)
        for wrapped in (False, True)
    ]
    assert only(answered) == TreeSplit(
        ViewPredicate("beliefs", "wrapped"),
        TreeLeaf("move", 10, ("wrap",)),
        TreeLeaf("wrap", 10, ("move",)),
    )


def test_numbers_are_compared_rather_than_listed() -> None:
    answered = [({"beliefs": {"x": str(x)}}, "late" if x < 3 else "early") for x in range(-1, 10)]
    assert only(answered) == TreeSplit(
        ViewPredicate("beliefs", "x", "at least", "3"),
        TreeLeaf("early", 7, ("late",)),
        TreeLeaf("late", 4, ("early",)),
    )


def test_narrower_findings_replace_wider_ones() -> None:
    answered = [
        ({"beliefs": {"x": str(x)}}, "low" if x < 2 else "middle" if x < 6 else "high")
        for x in range(10)
    ]
    assert [(row.text, row.answer) for row in table_rows(only(answered))] == [
        ("x >= 6", "high"),
        ("x >= 2", "middle"),
        ("otherwise", "low"),
    ]


def test_one_answer_needs_no_question() -> None:
    assert only([({"beliefs": {"a": ""}}, "go"), ({"beliefs": {}}, "go")]) == TreeLeaf("go", 2)


@settings(deadline=None, max_examples=100)
@given(st.lists(SITUATIONS, min_size=1, max_size=20, unique_by=repr), st.data())
def test_one_of_the_answers_that_will_do(situations: list[StateView], data: st.DataObject) -> None:
    distinct = {
        str(sorted((section, sorted(items.items())) for section, items in each.items())): each
        for each in situations
    }
    sets = st.frozensets(st.sampled_from(["left", "right", "stay"]), min_size=1)
    cases = []
    for each in distinct.values():
        possible = data.draw(sets)
        cases.append(
            TrainingCase(
                each,
                possible,
                data.draw(st.frozensets(st.sampled_from(sorted(possible)), min_size=1)),
            )
        )
    tree = grown(cases)
    for case in cases:
        assert classify(tree, case.view_with_options) in case.optimal
        assert first_that_fits(tree, case.view_with_options) in case.optimal


def test_what_all_have_in_common_needs_no_question() -> None:
    cases = [
        TrainingCase(
            {"beliefs": {"x": str(x)}},
            all_of("go", "look", "wait"),
            all_of("go", "wait" if x % 2 else "look"),
        )
        for x in range(10)
    ]
    assert learn_tree(cases) == TreeLeaf("go", 10, ("look", "wait"))


def all_of(*answers: str) -> frozenset[str]:
    return frozenset(answers)


def test_an_answer_that_is_good_wherever_it_is_possible_needs_no_other_question() -> None:
    """The third plan if it is there, else the first: whatever the beliefs are."""
    cases = [
        TrainingCase(
            {"beliefs": {"c": "", "x": "1"}}, all_of("plan 1", "plan 2", "plan 3"), all_of("plan 3")
        ),
        TrainingCase({"beliefs": {"x": "1"}}, all_of("plan 1", "plan 2"), all_of("plan 1")),
    ]
    tree = grown(cases)
    assert [(row.text, row.answer, row.alternatives) for row in table_rows(tree)] == [
        ("if possible", "plan 3", ("plan 1", "plan 2")),
        ("otherwise", "plan 1", ("plan 2",)),
    ]


def test_what_is_possible_does_not_decide_in_a_roundabout_way() -> None:
    """That plan 3 is possible is no reason to take plan 1: a row says nothing about what others
    could be chosen."""
    cases = [
        TrainingCase(
            {"beliefs": {"c": ""}}, all_of("plan 1", "plan 2", "plan 3"), all_of("plan 1")
        ),
        TrainingCase({"beliefs": {}}, all_of("plan 1", "plan 2"), all_of("plan 2")),
    ]
    assert [(row.text, row.answer) for row in table_rows(grown(cases))] == [
        ("c", "plan 1"),
        ("otherwise", "plan 2"),
    ]


def test_situations_that_look_alike_need_more_to_be_told_apart() -> None:
    both = all_of("left", "right")
    assert (
        learn_tree(
            [
                TrainingCase({"beliefs": {}}, both, all_of("left")),
                TrainingCase({"beliefs": {}}, both, all_of("right")),
            ]
        )
        is None
    )


@pytest.mark.parametrize(
    ("predicate", "text"),
    [
        (ViewPredicate("beliefs", "at(1, 2)"), "at(1, 2)"),
        (ViewPredicate("beliefs", "Left, then right"), '"Left, then right"'),
        (ViewPredicate("beliefs", "not here"), '"not here"'),
        (
            ViewPredicate("anna beliefs", "call(paint)", positive=False),
            "not anna belief call(paint)",
        ),
        (ViewPredicate("intentions", "e", "is", "a, b"), 'intention e = "a, b"'),
        (ViewPredicate("beliefs", "x", "at least", "3", positive=False), "x < 3"),
    ],
)
def test_findings_in_words_cannot_be_taken_for_others(predicate: ViewPredicate, text: str) -> None:
    assert feature_test_text(predicate) == text
