"""Trees of findings: they give every situation its answer, and ask no more than they must."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition.languages.model import Finding, Portrait
from volition.telling.strategies.decision_table import Case, Leaf, Split, Tree, answer_in, finding_text, rows, tabulate

SITUATIONS = st.fixed_dictionaries(
    {
        "beliefs": st.dictionaries(st.sampled_from(["a", "b", "c"]), st.just("")),
        "numbers": st.fixed_dictionaries({"x": st.integers(-2, 5).map(str)}),
        "intentions": st.dictionaries(st.sampled_from(["i", "j"]), st.sampled_from(["nil", "p; q", "some longer program |> nil"])),
    }
)


def only(answered: Sequence[tuple[Portrait, str]]) -> Tree:
    """The tree for situations with one good answer each, all answers being possible."""
    possible = frozenset(answer for _, answer in answered)
    return grown([Case(situation, possible, frozenset([answer])) for situation, answer in answered])


def grown(cases: Sequence[Case]) -> Tree:
    tree = tabulate(cases)
    assert tree is not None
    return tree


def first_that_fits(tree: Tree, portrait: Portrait) -> str:
    """The table of a tree, read from the top."""
    return next(row for row in rows(tree) if all(finding.holds(portrait) for finding in row.findings)).answer


@settings(deadline=None, max_examples=100)
@given(st.lists(SITUATIONS, min_size=1, max_size=20, unique_by=repr), st.data())
def test_every_situation_gets_its_answer(situations: list[Portrait], data: st.DataObject) -> None:
    distinct = {str(sorted((section, sorted(items.items())) for section, items in each.items())): each for each in situations}
    answered = [(each, data.draw(st.sampled_from(["left", "right", "stay"]))) for each in distinct.values()]
    tree = only(answered)
    for situation, wanted in answered:
        assert answer_in(tree, situation) == wanted
        assert first_that_fits(tree, situation) == wanted
    assert all(finding.found for row in rows(tree) for finding in row.findings)
    assert sum(row.situations for row in rows(tree)) == len(answered)


def test_what_does_not_matter_is_not_asked() -> None:
    answered = [
        ({"beliefs": {"wrapped": "", "x": str(x)}} if wrapped else {"beliefs": {"x": str(x)}}, "move" if wrapped else "wrap")
        for x in range(10)
        for wrapped in (False, True)
    ]
    assert only(answered) == Split(Finding("beliefs", "wrapped"), Leaf("move", 10, ("wrap",)), Leaf("wrap", 10, ("move",)))


def test_numbers_are_compared_rather_than_listed() -> None:
    answered = [({"beliefs": {"x": str(x)}}, "late" if x < 3 else "early") for x in range(-1, 10)]
    assert only(answered) == Split(Finding("beliefs", "x", "at least", "3"), Leaf("early", 7, ("late",)), Leaf("late", 4, ("early",)))


def test_narrower_findings_replace_wider_ones() -> None:
    answered = [({"beliefs": {"x": str(x)}}, "low" if x < 2 else "middle" if x < 6 else "high") for x in range(10)]
    assert [(row.text, row.answer) for row in rows(only(answered))] == [("x >= 6", "high"), ("x >= 2", "middle"), ("otherwise", "low")]


def test_one_answer_needs_no_question() -> None:
    assert only([({"beliefs": {"a": ""}}, "go"), ({"beliefs": {}}, "go")]) == Leaf("go", 2)


@settings(deadline=None, max_examples=100)
@given(st.lists(SITUATIONS, min_size=1, max_size=20, unique_by=repr), st.data())
def test_one_of_the_answers_that_will_do(situations: list[Portrait], data: st.DataObject) -> None:
    distinct = {str(sorted((section, sorted(items.items())) for section, items in each.items())): each for each in situations}
    sets = st.frozensets(st.sampled_from(["left", "right", "stay"]), min_size=1)
    cases = []
    for each in distinct.values():
        possible = data.draw(sets)
        cases.append(Case(each, possible, data.draw(st.frozensets(st.sampled_from(sorted(possible)), min_size=1))))
    tree = grown(cases)
    for case in cases:
        assert answer_in(tree, case.portrait) in case.good
        assert first_that_fits(tree, case.portrait) in case.good


def test_what_all_have_in_common_needs_no_question() -> None:
    cases = [Case({"beliefs": {"x": str(x)}}, all_of("go", "look", "wait"), all_of("go", "wait" if x % 2 else "look")) for x in range(10)]
    assert tabulate(cases) == Leaf("go", 10, ("look", "wait"))


def all_of(*answers: str) -> frozenset[str]:
    return frozenset(answers)


def test_an_answer_that_is_good_wherever_it_is_possible_needs_no_other_question() -> None:
    """The third plan if it is there, else the first: whatever the beliefs are."""
    cases = [
        Case({"beliefs": {"c": "", "x": "1"}}, all_of("plan 1", "plan 2", "plan 3"), all_of("plan 3")),
        Case({"beliefs": {"x": "1"}}, all_of("plan 1", "plan 2"), all_of("plan 1")),
    ]
    tree = grown(cases)
    assert [(row.text, row.answer, row.others) for row in rows(tree)] == [
        ("if possible", "plan 3", ("plan 1", "plan 2")),
        ("otherwise", "plan 1", ("plan 2",)),
    ]


def test_what_is_possible_does_not_decide_in_a_roundabout_way() -> None:
    """That plan 3 is possible is no reason to take plan 1: a row says nothing about what others could be chosen."""
    cases = [
        Case({"beliefs": {"c": ""}}, all_of("plan 1", "plan 2", "plan 3"), all_of("plan 1")),
        Case({"beliefs": {}}, all_of("plan 1", "plan 2"), all_of("plan 2")),
    ]
    assert [(row.text, row.answer) for row in rows(grown(cases))] == [("c", "plan 1"), ("otherwise", "plan 2")]


def test_situations_that_look_alike_need_more_to_be_told_apart() -> None:
    both = all_of("left", "right")
    assert tabulate([Case({"beliefs": {}}, both, all_of("left")), Case({"beliefs": {}}, both, all_of("right"))]) is None


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("beliefs", "at(1, 2)"), "at(1, 2)"),
        (Finding("beliefs", "Left, then right"), '"Left, then right"'),
        (Finding("beliefs", "not here"), '"not here"'),
        (Finding("anna beliefs", "call(paint)", found=False), "not anna belief call(paint)"),
        (Finding("intentions", "e", "is", "a, b"), 'intention e = "a, b"'),
        (Finding("beliefs", "x", "at least", "3", found=False), "x < 3"),
    ],
)
def test_findings_in_words_cannot_be_taken_for_others(finding: Finding, text: str) -> None:
    assert finding_text(finding) == text
