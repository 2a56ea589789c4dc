"""A compact account of what to answer in which situation: the fewest items that decide, and a tree
of questions about them.

Given many situations, each with answers that are possible and answers that will do,
:func:`tabulate` first drops every item without which one is still certain to do, the least telling
ones first: what people do not see, long texts, what must be remembered, items with many values.
Then it grows a binary tree on what is left, always asking what leaves the least doubt (Quinlan,
"Induction of Decision Trees", 1986).

**What a tree means is said here and nowhere else.**  A tree is about a portrait of the state, in
which the section :data:`OPTIONS` has the answers that are possible.  One goes from finding to
finding and takes the answer at the end; in every situation that the tree was grown for it is
possible and will do.  A question about the options is always of one form: *is this answer possible?
then it is the answer*. The rows of a table are the same tree, :func:`rows`: of each way the
findings that hold, read from the top, where the first row counts whose findings all hold.  Every
printed form is made of the tree or of these rows.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

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
"""The section of what a portrait leaves out."""

MEMORY = "memory"
"""The section of what a strategy remembers."""

OPTIONS = "options"
"""The section of what is possible."""

LONG_TEXT = 16
"""An item with longer values is dropped before those that are read at a glance."""

Item = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TrainingCase:
    """A situation with the answers that are possible in it, and those of them that will do."""

    situation: StateView
    enabled: frozenset[str]
    optimal: frozenset[str]

    @property
    def portrait(self) -> StateView:
        """The situation with its options, as a tree looks at it."""
        return {**self.situation, OPTIONS: dict.fromkeys(sorted(self.enabled), "")}


@dataclass(frozen=True, slots=True)
class TreeLeaf:
    """The answer in all situations that end up here: how many they are, and what else is possible
    in some of them."""

    answer: str
    situations: int
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeSplit:
    """A finding, and what follows if it holds and if not."""

    test: ViewPredicate
    yes: Tree
    no: Tree


Tree = TreeLeaf | TreeSplit


@dataclass(frozen=True, slots=True)
class TableRow:
    """Where all findings hold, and those of no row above, this is the answer; ``alone`` says that
    there is no other row."""

    tests: tuple[ViewPredicate, ...]
    answer: str
    num_states: int
    alternatives: tuple[str, ...] = ()
    is_only_row: bool = False

    @property
    def text(self) -> str:
        """The findings as a person says them: ``wrapped1, deadline1 >= 3, if possible``;
        ``otherwise``, ``always``."""
        said = [feature_test_text(each) for each in self.tests if each.section != OPTIONS]
        said += ["if possible"] if len(said) < len(self.tests) else []
        return ", ".join(said) or ("always" if self.is_only_row else "otherwise")


def table_rows(tree: Tree) -> tuple[TableRow, ...]:
    """The rows of a tree, to be read from the top: the first whose findings all hold counts.

    What rows before have dealt with is left unsaid, and so is a row whose situations the next one
    would answer alike.
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
    """The leaves of a tree with the findings on the way to each.  Of each item only the findings
    that say something new are kept."""
    if isinstance(tree, TreeLeaf):
        yield TableRow((), tree.answer, tree.situations, tree.others)
        return
    for found, branch in ((True, tree.yes), (False, tree.no)):
        predicate = replace(tree.test, positive=found)
        for row in _leaf_paths(branch):
            yield replace(row, tests=_prepend_test(predicate, row.tests))


def learn_tree(cases: Sequence[TrainingCase]) -> Tree | None:
    """The tree that gives each case one of its good answers; None if cases that are alike in all
    items need different ones."""
    kept = _minimal_features(cases)
    if kept is None:
        return None
    examples: Counter[tuple[tuple[str | None, ...], frozenset[str], frozenset[str]]] = Counter(
        (tuple(_value(case.situation, item) for item in kept), case.enabled, case.optimal)
        for case in cases
    )
    return _grow(
        [
            _Example(dict(zip(kept, values, strict=True)), possible, good, many)
            for (values, possible, good), many in examples.items()
        ],
        kept,
    )


def classify(tree: Tree, situation: StateView) -> str:
    """What a tree answers in a situation."""
    while isinstance(tree, TreeSplit):
        tree = tree.yes if tree.test.holds(situation) else tree.no
    return tree.answer


# --- words ----------------------------------------------------------------------------------------


def feature_test_text(predicate: ViewPredicate) -> str:
    """``wrapped1``, ``not wrapped1``, ``deadline1 >= 3``, ``event product1``, ``anna belief
    call(b)``, ``with at most 3 steps left``."""
    if predicate.section == MEMORY:
        return _memory_text(predicate)
    if predicate.section == OPTIONS:
        return f"{predicate.item} is {'' if predicate.positive else 'not '}possible"
    item = f"{'' if predicate.section in ('beliefs', DETAILS) else f'{_singular(predicate.section)} '}{_unmistakable(predicate.item)}"  # noqa: E501
    match predicate.relation:
        case "there":
            return item if predicate.positive else f"not {item}"
        case "is":
            return f"{item} {'=' if predicate.positive else '≠'} {_unmistakable(predicate.value)}"
        case "at least":
            return f"{item} {'>=' if predicate.positive else '<'} {predicate.value}"


def _unmistakable(text: str) -> str:
    """A text, in quotes where it could be taken for several findings, or for another one."""
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
    """What is remembered: a number of something left, what is due of the formula, or which of its
    goals comes next."""
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
    return re.sub(r"\b1 steps\b", "1 step", text)


def feature_text(predicate: ViewPredicate) -> str:
    """What a finding is about."""
    if predicate.section == OPTIONS:
        return "what is possible"
    if predicate.section == MEMORY:
        return (
            f"whether {predicate.item}"
            if predicate.relation == "there"
            else f"the {predicate.item.removeprefix('as the ')}"
        )
    return feature_test_text(replace(predicate, relation="there", positive=True))


def _singular(section: str) -> str:
    return section[:-1] if section.endswith("s") and not section.endswith("ss") else section


# --- which items decide ---------------------------------------------------------------------------


def _items(cases: Sequence[TrainingCase]) -> list[Item]:
    """Every item of every situation, in the order in which people see them."""
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
    """Items that decide the answer, none of which can be left out; None if not even all of them
    do."""
    columns = {item: [_value(case.situation, item) for case in cases] for item in _items(cases)}
    annotated = [item for item, column in columns.items() if len(set(column)) > 1]
    pairs = {
        pair: number
        for number, pair in enumerate(dict.fromkeys((case.enabled, case.optimal) for case in cases))
    }
    sets = [pairs[case.enabled, case.optimal] for case in cases]
    codes = np.unique(
        np.array([*(_codes(columns[item]) for item in annotated), sets], dtype=np.int64).T, axis=0
    )
    answers = sorted(frozenset().union(*(possible for possible, _ in pairs)))
    possible = _packed([possible for possible, _ in pairs], answers)[codes[:, -1]]
    good = _packed([good for _, good in pairs], answers)[codes[:, -1]]
    if not _is_decided(codes[:, :-1], possible, good):
        return None
    kept = list(range(len(annotated)))
    for index in sorted(
        kept,
        key=lambda position: _feature_cost(annotated[position], columns[annotated[position]]),
        reverse=True,
    ):
        others = [each for each in kept if each != index]
        if _is_decided(codes[:, others], possible, good):
            kept = others
    return [annotated[place] for place in kept]


def _feature_cost(item: Item, column: Sequence[str | None]) -> tuple[bool, bool, bool, int]:
    """How little a person wants to read an item, and an agent to keep it in mind."""
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
    """A row of bits for each set."""
    return np.packbits(
        np.array([[answer in each for answer in answers] for each in sets], dtype=np.bool_), axis=1
    )


def _is_decided(
    codes: npt.NDArray[np.int64], possible: npt.NDArray[np.uint8], good: npt.NDArray[np.uint8]
) -> bool:
    """Whether cases that agree in all columns have an answer each that can be told by what is
    possible.

    Of cases that agree, an answer that will do wherever it is possible settles those in which it
    is; what is left is looked at again.
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
    """What can be asked so that both answers occur: first what is short to say."""
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
    """The entropy that is left when one knows in which part one is; rounded, so that equal doubt is
    equal."""
    total = sum(map(len, parts))
    doubt = 0.0
    for part in parts:
        for count in _shares(part):
            doubt -= count / total * math.log2(count / len(part))
    return round(doubt, 9)


def _shares(examples: Sequence[_Example]) -> Iterator[int]:
    """How many examples get which answer, if each gets the one that does for the most of those that
    are left.

    Of answers that all will do, the most frequent one leaves the least doubt (Ashok et al.,
    "dtControl 2.0: Explainable strategy representation via decision tree learning steered by
    experts", 2021).
    """
    left = Counter(each.good for each in examples)
    while left:
        will_do: Counter[str] = Counter()
        for answers, many in left.items():
            will_do.update(dict.fromkeys(answers, many))
        best, many = max(will_do.items(), key=lambda each: (each[1], each[0]))
        yield many
        left = Counter({answers: many for answers, many in left.items() if best not in answers})


def _prepend_test(
    predicate: ViewPredicate, later: tuple[ViewPredicate, ...]
) -> tuple[ViewPredicate, ...]:
    """A finding before others, unless one of them says as much: that the same item has a value, or
    a narrower bound."""
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
