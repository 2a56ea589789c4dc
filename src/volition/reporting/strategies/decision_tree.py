"""Compact decision trees: the fewest items of a state view that determine the answer, and a binary
tree of tests on them.

The input is a list of situations, each with its enabled and its optimal answers. :func:`learn_tree`
first drops every item that is not needed to determine an optimal answer. It tries the least
readable items first: hidden details, long texts, memory, items with many values. Then it grows a
binary tree on the remaining items and always takes the test that leaves the least entropy (Quinlan,
"Induction of Decision Trees", 1986).

**The meaning of a tree is defined here and nowhere else.** A tree is evaluated on a state view
whose section :data:`OPTIONS` lists the enabled answers. Follow the tests to a leaf and take its
answer. In every situation that the tree was learned from, this answer is enabled and optimal. A
test on the options always has the same form: *if this answer is enabled, it is the answer*. A table
has the same meaning as its tree (:func:`table_rows`): each row lists the positive tests on the path
to a leaf, and the first row whose tests all hold applies. Every printed form is derived from the
tree or from these rows.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from volition.languages.protocols import StateView, ViewPredicate
from volition.logic.numbers import exact_number, number_text

__all__ = [
    "DETAILS",
    "MEMORY",
    "OPTIONS",
    "TableRow",
    "TrainingCase",
    "Tree",
    "TreeLeaf",
    "TreeSplit",
    "classify",
    "feature_test_text",
    "feature_text",
    "learn_tree",
    "table_rows",
]  # fmt: skip

DETAILS = "details"
"""Title of an additional section of a state view, with the parts of the state that state views
normally do not show."""

MEMORY = "memory"
"""Title of the section of a state view with the memory of a strategy."""

OPTIONS = "options"
"""Title of the section of a state view that lists the enabled answers."""

LONG_TEXT = 16
"""Items of the state view with values longer than this many characters are dropped from a tree
before items with shorter values."""

Item = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """Situation from which a decision tree is learned: a state view, the enabled answers, and the
    optimal ones among them."""

    situation: StateView
    enabled: frozenset[str]
    optimal: frozenset[str]

    @property
    def view_with_options(self) -> StateView:
        """State view of the situation with an additional section that lists the enabled answers. A
        tree is evaluated on this view."""
        return {**self.situation, OPTIONS: dict.fromkeys(sorted(self.enabled), "")}


@dataclass(frozen=True, slots=True)
class TreeLeaf:
    """Leaf of a decision tree: the answer for all situations that reach it, the number of these
    situations, and the other answers that are enabled in some of them."""

    answer: str
    situations: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeSplit:
    """Inner node of a decision tree: a test, and a subtree for each of its results."""

    test: ViewPredicate
    yes: Tree
    no: Tree


Tree = TreeLeaf | TreeSplit


@dataclass(frozen=True, slots=True)
class TableRow:
    """Row of a decision table: the answer if all tests hold and no earlier row applies.
    ``is_only_row`` is true if the table has no other row."""

    tests: tuple[ViewPredicate, ...]
    answer: str
    num_states: int
    alternatives: tuple[str, ...] = ()
    is_only_row: bool = False

    @property
    def text(self) -> str:
        """The tests of the row as text: ``wrapped1, deadline1 >= 3, if possible``, or
        ``otherwise``, or ``always``."""
        texts = [feature_test_text(each) for each in self.tests if each.section != OPTIONS]
        texts += ["if possible"] if len(texts) < len(self.tests) else []
        return ", ".join(texts) or ("always" if self.is_only_row else "otherwise")


def table_rows(tree: Tree) -> tuple[TableRow, ...]:
    """Return the rows of the decision table that has the meaning of a tree. The first row whose
    tests all hold applies.

    Negative tests are left out, because earlier rows cover them. A row is left out if the next row
    gives the same answer in all its situations.
    """
    found: list[TableRow] = []
    for row in reversed(list(_leaf_paths(tree))):
        row = replace(row, tests=tuple(predicate for predicate in row.tests if predicate.positive))
        if found and found[-1].answer == row.answer and set(found[-1].tests) <= set(row.tests):
            following = found.pop()
            others = tuple(sorted({*following.alternatives, *row.alternatives}))
            row = replace(
                following, num_states=following.num_states + row.num_states, alternatives=others
            )
        found.append(row)
    return tuple(replace(row, is_only_row=len(found) == 1) for row in reversed(found))


def _leaf_paths(tree: Tree) -> Iterator[TableRow]:
    """Yield a table row for each leaf of a tree, with the tests on the path to the leaf. Tests that
    a later test on the same item implies are left out."""
    if isinstance(tree, TreeLeaf):
        yield TableRow((), tree.answer, tree.situations, tree.others)
        return
    for found, branch in ((True, tree.yes), (False, tree.no)):
        predicate = replace(tree.test, positive=found)
        for row in _leaf_paths(branch):
            yield replace(row, tests=_prepend_test(predicate, row.tests))


def learn_tree(cases: Sequence[TrainingCase]) -> Tree | None:
    """Return a decision tree that gives an optimal answer in every situation in ``cases``. Return
    None if there is no such tree: situations that are equal in all items of the state view need
    different answers."""
    features = _minimal_features(cases)
    if features is None:
        return None
    examples: Counter[tuple[tuple[str | None, ...], frozenset[str], frozenset[str]]] = Counter(
        (tuple(_value(case.situation, item) for item in features), case.enabled, case.optimal)
        for case in cases
    )
    return _grow(
        [
            _Example(dict(zip(features, values, strict=True)), possible, good, many)
            for (values, possible, good), many in examples.items()
        ],
        features,
    )


def classify(tree: Tree, situation: StateView) -> str:
    """Return the answer of a decision tree in a situation, a state view with the section
    :data:`OPTIONS`."""
    while isinstance(tree, TreeSplit):
        tree = tree.yes if tree.test.holds(situation) else tree.no
    return tree.answer


# --- texts ----------------------------------------------------------------------------------------


def feature_test_text(predicate: ViewPredicate) -> str:
    """Return a test of a decision tree as text, such as ``wrapped1``, ``not wrapped1``, ``deadline1
    >= 3``, ``event product1``, ``anna belief call(b)`` or ``with at most 3 steps left``."""
    if predicate.section == MEMORY:
        return _memory_text(predicate)
    if predicate.section == OPTIONS:
        return f"{predicate.item} is {'' if predicate.positive else 'not '}possible"
    item = f"{'' if predicate.section in ('beliefs', DETAILS) else f'{_singular(predicate.section)} '}{_quoted_if_ambiguous(predicate.item)}"  # noqa: E501
    match predicate.relation:
        case "there":
            return item if predicate.positive else f"not {item}"
        case "is":
            value = _quoted_if_ambiguous(predicate.value)
            return f"{item} {'=' if predicate.positive else '≠'} {value}"
        case "at least":
            return f"{item} {'>=' if predicate.positive else '<'} {predicate.value}"
        case _:
            assert_never(predicate.relation)


def _quoted_if_ambiguous(text: str) -> str:
    """Return the text of an item or value. It is put in quotes if, within a list of tests, it could
    be read as several tests or as a different test."""
    depth = 0
    for index, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if (
            depth < 0
            or letter == '"'
            or (depth == 0 and text.startswith((", ", " = ", " ≠ ", " >= ", " < "), index))
        ):
            return json.dumps(text, ensure_ascii=False)
    return json.dumps(text, ensure_ascii=False) if depth or text.startswith("not ") else text


def _memory_text(predicate: ViewPredicate) -> str:
    """Return the text of a test on the strategy's memory. The memory is a remaining number of
    steps, the part of the formula that is still to be satisfied, or the next goal of the formula.
    """
    item, value, found = predicate.item, predicate.value, predicate.positive
    match predicate.relation:
        case "there":
            return f"as long as {item}" if found else f"unless {item}"
        case "is":
            text = f"with {'' if found else 'not '}{value} {item}"
        case "at least":
            text = (
                f"with at least {value} {item}"
                if found
                else f"with at most {int(value) - 1} {item}"
            )
        case _:
            assert_never(predicate.relation)
    return re.sub(r"\b1 steps\b", "1 step", text)


def feature_text(predicate: ViewPredicate) -> str:
    """Return a name for the item of the state view that a test is about."""
    if predicate.section == OPTIONS:
        return "which choices are possible"
    if predicate.section == MEMORY:
        return (
            f"whether {predicate.item}"
            if predicate.relation == "there"
            else f"the {predicate.item.removeprefix('as the ')}"
        )
    return feature_test_text(replace(predicate, relation="there", positive=True))


def _singular(section: str) -> str:
    return section[:-1] if section.endswith("s") and not section.endswith("ss") else section


# --- minimal items --------------------------------------------------------------------------------


def _items(cases: Sequence[TrainingCase]) -> list[Item]:
    """Return the state view items that occur in some training situation, as pairs of section and
    name, in the order of the state views."""
    found: dict[Item, None] = {}
    for case in cases:
        found |= {
            (section, item): None for section, items in case.situation.items() for item in items
        }
    return list(found)


def _value(situation: StateView, item: Item) -> str | None:
    section, name = item
    return situation.get(section, {}).get(name)


def _minimal_features(cases: Sequence[TrainingCase]) -> list[Item] | None:
    """Return a minimal list of state view items that determine an optimal answer in every training
    situation, or None if all items together do not."""
    columns = {item: [_value(case.situation, item) for case in cases] for item in _items(cases)}
    varying = [item for item, column in columns.items() if len(set(column)) > 1]
    pairs = {
        pair: number
        for number, pair in enumerate(dict.fromkeys((case.enabled, case.optimal) for case in cases))
    }
    sets = [pairs[case.enabled, case.optimal] for case in cases]
    codes = np.unique(
        np.array([*(_codes(columns[item]) for item in varying), sets], dtype=np.int64).T, axis=0
    )
    answers = sorted(frozenset().union(*(possible for possible, _ in pairs)))
    possible = _packed([possible for possible, _ in pairs], answers)[codes[:, -1]]
    good = _packed([good for _, good in pairs], answers)[codes[:, -1]]
    if not _is_decided(codes[:, :-1], possible, good):
        return None
    features = list(range(len(varying)))
    for index in sorted(
        features,
        key=lambda position: _feature_cost(varying[position], columns[varying[position]]),
        reverse=True,
    ):
        others = [each for each in features if each != index]
        if _is_decided(codes[:, others], possible, good):
            features = others
    return [varying[place] for place in features]


def _feature_cost(item: Item, column: Sequence[str | None]) -> tuple[bool, bool, bool, int]:
    """Return a sort key that ranks the items of a state view, such as a belief, by how much a
    decision tree should avoid to test them. The worst items are parts of the state that are
    normally not shown, then items with long texts, then the memory of the strategy, then items with
    many different values. ``column`` has the value of the item in each training situation."""
    return (
        item[0] == DETAILS,
        any(len(value or "") > LONG_TEXT for value in column),
        item[0] == MEMORY,
        len(set(column)),
    )


def _codes(column: Sequence[str | None]) -> list[int]:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(column))}
    return [numbers[value] for value in column]


def _packed(sets: Sequence[frozenset[str]], answers: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return a packed bit array with a row for each set of answers: bit i is 1 if the set contains
    the i-th answer."""
    return np.packbits(
        np.array([[answer in each for answer in answers] for each in sets], dtype=np.bool_), axis=1
    )


def _is_decided(
    codes: npt.NDArray[np.int64], possible: npt.NDArray[np.uint8], good: npt.NDArray[np.uint8]
) -> bool:
    """Return whether a decision tree that tests only certain state view items, and whether answers
    are enabled, can give an optimal answer in every training situation.

    Each row of the arrays is a training situation. The columns of ``codes`` are the items that may
    be tested. ``possible`` has the enabled answers and ``good`` the optimal ones, as bits.
    Situations that agree in all columns are treated together. Among them, an answer that is optimal
    wherever it is enabled decides the situations in which it is enabled. These are removed, and
    this is repeated until all situations are decided or no answer decides any.
    """
    group: npt.NDArray[Any] = (
        np.unique(codes, axis=0, return_inverse=True)[1].ravel()
        if codes.shape[1]
        else np.zeros(len(codes), np.intp)
    )
    order = np.argsort(group, kind="stable")
    group, possible, good = group[order], possible[order], good[order]
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    left = np.ones(len(group), dtype=np.bool_)
    while left.any():
        wrong = np.bitwise_or.reduceat(
            possible & ~good & np.where(left, 255, 0).astype(np.uint8)[:, None], begins, axis=0
        )
        settled = (good & ~wrong[group]).any(axis=1) & left
        if not settled.any():
            return False
        left &= ~settled
    return True


# --- the tree -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Example:
    values: Mapping[Item, str | None]
    possible: frozenset[str]
    good: frozenset[str]
    situations: int


def _grow(examples: Sequence[_Example], items: Sequence[Item]) -> Tree:
    common = frozenset.intersection(*(each.good for each in examples))
    if common:
        answer = min(common)
        others = tuple(sorted(frozenset().union(*(each.possible for each in examples)) - {answer}))
        return TreeLeaf(answer, sum(each.situations for each in examples), others)
    best = min(
        _candidate_tests(examples, items),
        key=lambda predicate: _entropy(*_split(examples, predicate)),
    )
    yes, no = _split(examples, best)
    return TreeSplit(best, _grow(yes, items), _grow(no, items))


def _candidate_tests(
    examples: Sequence[_Example], items: Sequence[Item]
) -> Iterator[ViewPredicate]:
    """Yield the tests that may divide the examples into two non-empty parts. Tests with short texts
    come first, because the first of equally good tests is taken."""
    wrong = frozenset().union(*(each.possible - each.good for each in examples))
    for answer in dict.fromkeys(
        answer for each in examples for answer in sorted(each.good - wrong)
    ):
        yield ViewPredicate(OPTIONS, answer)
    values = {item: list(dict.fromkeys(each.values[item] for each in examples)) for item in items}
    for (section, name), found in values.items():
        if None in found and len(found) > 1:
            yield ViewPredicate(section, name)
    for (section, name), found in values.items():
        numbers = sorted(
            {Fraction(value) for value in found if value is not None and _is_number(value)}
        )
        if len(numbers) == len(found):
            yield from (
                ViewPredicate(section, name, "at least", number_text(number))
                for number in numbers[1:]
            )
    for (section, name), found in values.items():
        if len(found) > 1:
            yield from (ViewPredicate(section, name, "is", value) for value in found if value)


def _split(
    examples: Sequence[_Example], predicate: ViewPredicate
) -> tuple[list[_Example], list[_Example]]:
    parts: tuple[list[_Example], list[_Example]] = ([], [])
    for each in examples:
        value = (
            each.values[predicate.section, predicate.item]
            if predicate.section != OPTIONS
            else ""
            if predicate.item in each.possible
            else None
        )
        view = {predicate.section: {} if value is None else {predicate.item: value}}
        parts[0 if predicate.holds(view) else 1].append(each)
    return parts


def _entropy(*parts: Sequence[_Example]) -> float:
    """Return the entropy of the answers within the parts of a split, weighted by their sizes and
    rounded so that equal entropies compare equal."""
    total = sum(map(len, parts))
    entropy = 0.0
    for part in parts:
        for count in _shares(part):
            entropy -= count / total * math.log2(count / len(part))
    return round(entropy, 9)


def _shares(examples: Sequence[_Example]) -> Iterator[int]:
    """Yield how many examples get each answer. The most frequent answer is given to all examples
    for which it is optimal, then the next one to the remaining examples, and so on.

    If several answers are optimal for an example, the most frequent one leaves the least entropy
    (Ashok et al., "dtControl 2.0: Explainable strategy representation via decision tree learning
    steered by experts", 2021).
    """
    left = Counter(each.good for each in examples)
    while left:
        votes: Counter[str] = Counter()
        for answers, many in left.items():
            votes.update(dict.fromkeys(answers, many))
        best, many = max(votes.items(), key=lambda each: (each[1], each[0]))
        yield many
        left = Counter({answers: many for answers, many in left.items() if best not in answers})


def _prepend_test(
    predicate: ViewPredicate, later: tuple[ViewPredicate, ...]
) -> tuple[ViewPredicate, ...]:
    """Return the tests ``later`` with one more in front, unless one of them implies it: a test for
    a value of the same item, or for a narrower bound."""
    same = [
        each for each in later if (each.section, each.item) == (predicate.section, predicate.item)
    ]
    if any(each.positive and each.relation == "is" for each in same):
        return later
    if predicate.relation == "at least" and any(
        each.relation == "at least" and each.positive == predicate.positive for each in same
    ):
        return later
    return (predicate, *later)


def _is_number(text: str) -> bool:
    return exact_number(text) is not None
