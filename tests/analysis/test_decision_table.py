"""Trees of findings: they give every situation its answer, and ask no more than they must."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from volition.analysis.decision_table import Leaf, Split, Tree, answer_in, rows, rows_from_the_top, tabulate
from volition.languages.model import Finding, Portrait

SITUATIONS = st.fixed_dictionaries(
    {
        "beliefs": st.dictionaries(st.sampled_from(["a", "b", "c"]), st.just("")),
        "numbers": st.fixed_dictionaries({"x": st.integers(-2, 5).map(str)}),
        "intentions": st.dictionaries(st.sampled_from(["i", "j"]), st.sampled_from(["nil", "p; q", "some longer program |> nil"])),
    }
)


def only(answered: Sequence[tuple[Portrait, str]]) -> Tree:
    """The tree for situations with one answer each."""
    return tabulate([(situation, frozenset([answer])) for situation, answer in answered])


@settings(deadline=None, max_examples=100)
@given(st.lists(SITUATIONS, min_size=1, max_size=20, unique_by=repr), st.data())
def test_every_situation_gets_its_answer(situations: list[Portrait], data: st.DataObject) -> None:
    distinct = {str(sorted((section, sorted(items.items())) for section, items in each.items())): each for each in situations}
    answered = [(each, data.draw(st.sampled_from(["left", "right", "stay"]))) for each in distinct.values()]
    tree = only(answered)
    for situation, wanted in answered:
        assert answer_in(tree, situation) == wanted
        fitting = [row.answer for row in rows(tree) if all(finding.holds(situation) for finding in row.findings)]
        assert fitting == [wanted], "rows exclude each other"
        first = next(row for row in rows_from_the_top(tree) if all(finding.holds(situation) for finding in row.findings))
        assert first.answer == wanted
    assert sum(row.situations for row in rows(tree)) == len(answered)


def test_what_does_not_matter_is_not_asked() -> None:
    answered = [
        ({"beliefs": {"wrapped": "", "x": str(x)}} if wrapped else {"beliefs": {"x": str(x)}}, "move" if wrapped else "wrap")
        for x in range(10)
        for wrapped in (False, True)
    ]
    assert only(answered) == Split(Finding("beliefs", "wrapped"), Leaf("move", 10), Leaf("wrap", 10))


def test_numbers_are_compared_rather_than_listed() -> None:
    answered = [({"beliefs": {"x": str(x)}}, "late" if x < 3 else "early") for x in range(-1, 10)]
    assert only(answered) == Split(Finding("beliefs", "x", "at least", "3"), Leaf("early", 7), Leaf("late", 4))


def test_narrower_findings_replace_wider_ones() -> None:
    answered = [({"beliefs": {"x": str(x)}}, "low" if x < 2 else "middle" if x < 6 else "high") for x in range(10)]
    found = {row.answer: {(each.value, each.found) for each in row.findings} for row in rows(only(answered))}
    assert found == {"low": {("2", False)}, "middle": {("2", True), ("6", False)}, "high": {("6", True)}}


def test_one_answer_needs_no_question() -> None:
    assert only([({"beliefs": {"a": ""}}, "go"), ({"beliefs": {}}, "go")]) == Leaf("go", 2)


@settings(deadline=None, max_examples=100)
@given(st.lists(SITUATIONS, min_size=1, max_size=20, unique_by=repr), st.data())
def test_one_of_the_answers_that_will_do(situations: list[Portrait], data: st.DataObject) -> None:
    distinct = {str(sorted((section, sorted(items.items())) for section, items in each.items())): each for each in situations}
    sets = st.frozensets(st.sampled_from(["left", "right", "stay"]), min_size=1)
    answered = [(each, data.draw(sets)) for each in distinct.values()]
    tree = tabulate(answered)
    assert all(answer_in(tree, situation) in will_do for situation, will_do in answered)


def test_what_all_have_in_common_needs_no_question() -> None:
    answered = [({"beliefs": {"x": str(x)}}, frozenset(["go", "wait" if x % 2 else "look"])) for x in range(10)]
    assert tabulate(answered) == Leaf("go", 10)
