"""A compact account of what to answer in which situation: the fewest items that decide, and a tree of questions about them.

Given many situations, each with answers that will do, :func:`tabulate` first drops every item without which one is still certain to do,
the least telling ones first: what people do not see, long texts, what must be remembered, items with many values.  Then it
grows a binary tree on what is left, always asking what leaves the least doubt (Quinlan, "Induction of Decision Trees", 1986).  A leaf
of the tree is a row of the table: situations that differ only in what does not matter have become one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from volition.analysis.parameters import number_text
from volition.languages.model import Finding, Portrait

__all__ = [
    "HIDDEN", "MEMORY", "Leaf", "Row", "Split", "Tree", "answer_in", "finding_text", "findings_text", "item_text", "rows",
    "rows_from_the_top", "tabulate",
]  # fmt: skip

HIDDEN = "state"
"""The section of what a portrait does not show: slots of the state by their names."""

MEMORY = "memory"
"""The section of what a strategy remembers."""

LONG_TEXT = 16
"""An item with longer values is dropped before those that are read at a glance."""

MOST_ANSWERS = 62
"""With more answers than bits in a word no item is dropped before the tree is grown."""

Item = tuple[str, str]
Answered = tuple[Portrait, frozenset[str]]
"""A situation with its answers: any of them will do."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The answer in all situations that end up here; ``situations`` says how many they are."""

    answer: str
    situations: int


@dataclass(frozen=True, slots=True)
class Split:
    """A finding, and what follows if it holds and if not."""

    finding: Finding
    yes: Tree
    no: Tree


Tree = Leaf | Split


@dataclass(frozen=True, slots=True)
class Row:
    """Where all findings hold, this is the answer."""

    findings: tuple[Finding, ...]
    answer: str
    situations: int


def rows(tree: Tree) -> Iterator[Row]:
    """The leaves of a tree with the findings on the way to each.  Of each item only the findings that say something new are kept."""
    if isinstance(tree, Leaf):
        yield Row((), tree.answer, tree.situations)
        return
    for found, branch in ((True, tree.yes), (False, tree.no)):
        finding = replace(tree.finding, found=found)
        for row in rows(branch):
            yield replace(row, findings=_joined(finding, row.findings))


def rows_from_the_top(tree: Tree) -> Iterator[Row]:
    """The rows to be read from the top, where the first that fits counts: what rows before have dealt with is left unsaid."""
    return (replace(row, findings=tuple(finding for finding in row.findings if finding.found)) for row in rows(tree))


def tabulate(answered: Sequence[Answered]) -> Tree:
    """The tree that gives each situation one of its answers; situations that are alike in all items must have one in common."""
    items = _items(answered)
    kept = _deciding_items(answered, items)
    examples: Counter[tuple[tuple[str | None, ...], frozenset[str]]] = Counter(
        (tuple(_value(situation, item) for item in kept), answers) for situation, answers in answered
    )
    return _grow([_Example(dict(zip(kept, values, strict=True)), answers, many) for (values, answers), many in examples.items()], kept)


def answer_in(tree: Tree, situation: Portrait) -> str:
    """What a tree answers in a situation."""
    while isinstance(tree, Split):
        tree = tree.yes if tree.finding.holds(situation) else tree.no
    return tree.answer


# --- words -----------------------------------------------------------------------------------------------------------------


def finding_text(finding: Finding) -> str:
    """``wrapped1``, ``not wrapped1``, ``deadline1 >= 3``, ``site1 = nil``, ``event product1``, ``with at most 3 steps left``."""
    if finding.section == MEMORY:
        return _memory_text(finding)
    prefix = "" if finding.section.endswith("beliefs") else f"{_singular(finding.section)} "
    match finding.relation:
        case "there":
            return f"{prefix}{finding.item}" if finding.found else f"not {prefix}{finding.item}"
        case "is":
            return f"{prefix}{finding.item} {'=' if finding.found else '≠'} {finding.value}"
        case "at least":
            return f"{prefix}{finding.item} {'>=' if finding.found else '<'} {finding.value}"


def _memory_text(finding: Finding) -> str:
    """What is remembered: a number of something left, what is due of the formula, or which of its goals comes next."""
    item, value, found = finding.item, finding.value, finding.found
    match finding.relation:
        case "there":
            return f"as long as {item}" if found else f"unless {item}"
        case "is":
            text = f"with {'' if found else 'not '}{value} {item}"
        case "at least":
            text = f"with at least {value} {item}" if found else f"with at most {int(value) - 1} {item}"
    return re.sub(r"\b1 steps\b", "1 step", text)


def item_text(finding: Finding) -> str:
    """What a finding is about."""
    if finding.section == MEMORY:
        return f"whether {finding.item}" if finding.relation == "there" else f"the {finding.item.removeprefix('as the ')}"
    return finding_text(replace(finding, relation="there", found=True))


def findings_text(findings: Sequence[Finding]) -> str:
    """All findings as a person says them."""
    return ", ".join(map(finding_text, findings))


def _singular(section: str) -> str:
    return section[:-1] if section.endswith("s") and not section.endswith("ss") else section


# --- which items decide ----------------------------------------------------------------------------------------------------


def _items(answered: Sequence[Answered]) -> list[Item]:
    """Every item of every situation, in the order in which people see them."""
    found: dict[Item, None] = {}
    for situation, _ in answered:
        found |= {(section, item): None for section, items in situation.items() for item in items}
    return list(found)


def _value(situation: Portrait, item: Item) -> str | None:
    section, name = item
    return situation.get(section, {}).get(name)


def _deciding_items(answered: Sequence[Answered], items: Sequence[Item]) -> list[Item]:
    """Items that decide the answer, none of which can be left out."""
    columns = {item: [_value(situation, item) for situation, _ in answered] for item in items}
    telling = [item for item in items if len(set(columns[item])) > 1]
    bits = {answer: bit for bit, answer in enumerate(sorted(frozenset().union(*(answers for _, answers in answered))))}
    if len(bits) > MOST_ANSWERS:
        return telling
    sets = [sum(1 << bits[answer] for answer in answers) for _, answers in answered]
    codes = np.unique(np.array([*(_codes(columns[item]) for item in telling), sets], dtype=np.int64).T, axis=0)
    kept = list(range(len(telling)))
    for place in sorted(kept, key=lambda place: _tediousness(telling[place], columns[telling[place]]), reverse=True):
        others = [each for each in kept if each != place]
        if _is_decided(codes, others):
            kept = others
    assert _is_decided(codes, kept), "the items of the situations decide the answer"
    return [telling[place] for place in kept]


def _tediousness(item: Item, column: Sequence[str | None]) -> tuple[bool, bool, bool, int]:
    """How little a person wants to read an item, and an agent to keep it in mind."""
    return item[0] == HIDDEN, any(len(value or "") > LONG_TEXT for value in column), item[0] == MEMORY, len(set(column))


def _codes(column: Sequence[str | None]) -> list[int]:
    numbers = {value: number for number, value in enumerate(dict.fromkeys(column))}
    return [numbers[value] for value in column]


def _is_decided(codes: npt.NDArray[np.int64], kept: Sequence[int]) -> bool:
    """Whether rows that agree in the kept columns have a bit in common in the last one, the answers."""
    ordered = np.unique(codes[:, [*kept, -1]], axis=0)
    begins = np.flatnonzero(np.concatenate([[True], (ordered[1:, :-1] != ordered[:-1, :-1]).any(axis=1)]))
    return bool(np.bitwise_and.reduceat(ordered[:, -1], begins).all())


# --- the tree --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Example:
    values: Mapping[Item, str | None]
    answers: frozenset[str]
    situations: int


def _grow(examples: Sequence[_Example], items: Sequence[Item]) -> Tree:
    common = frozenset.intersection(*(each.answers for each in examples))
    if common:
        return Leaf(min(common), sum(each.situations for each in examples))
    best = min(_findings(examples, items), key=lambda finding: _doubt(*_parted(examples, finding)))
    yes, no = _parted(examples, best)
    return Split(best, _grow(yes, items), _grow(no, items))


def _findings(examples: Sequence[_Example], items: Sequence[Item]) -> Iterator[Finding]:
    """What can be asked so that both answers occur: first what is short to say."""
    values = {item: list(dict.fromkeys(each.values[item] for each in examples)) for item in items}
    for (section, name), found in values.items():
        if None in found and len(found) > 1:
            yield Finding(section, name)
    for (section, name), found in values.items():
        numbers = sorted({Fraction(value) for value in found if value is not None and _is_number(value)})
        if len(numbers) == len(found):
            yield from (Finding(section, name, "at least", number_text(number)) for number in numbers[1:])
    for (section, name), found in values.items():
        if len(found) > 1:
            yield from (Finding(section, name, "is", value) for value in found if value)


def _parted(examples: Sequence[_Example], finding: Finding) -> tuple[list[_Example], list[_Example]]:
    parts: tuple[list[_Example], list[_Example]] = ([], [])
    for each in examples:
        value = each.values[finding.section, finding.item]
        portrait = {finding.section: {} if value is None else {finding.item: value}}
        parts[0 if finding.holds(portrait) else 1].append(each)
    return parts


def _doubt(*parts: Sequence[_Example]) -> float:
    """The entropy that is left when one knows in which part one is; rounded, so that equal doubt is equal."""
    total = sum(map(len, parts))
    doubt = 0.0
    for part in parts:
        for count in _shares(part):
            doubt -= count / total * math.log2(count / len(part))
    return round(doubt, 9)


def _shares(examples: Sequence[_Example]) -> Iterator[int]:
    """How many examples get which answer, if each gets the one that does for the most of those that are left.

    Of answers that all will do, the most frequent one leaves the least doubt (Ashok et al., "dtControl 2.0: Explainable strategy
    representation via decision tree learning steered by experts", 2021).
    """
    left = Counter(each.answers for each in examples)
    while left:
        will_do: Counter[str] = Counter()
        for answers, many in left.items():
            will_do.update(dict.fromkeys(answers, many))
        best, many = max(will_do.items(), key=lambda each: (each[1], each[0]))
        yield many
        left = Counter({answers: many for answers, many in left.items() if best not in answers})


def _joined(finding: Finding, later: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """A finding before others, unless one of them says as much: that the same item has a value, or a narrower bound."""
    same = [each for each in later if (each.section, each.item) == (finding.section, finding.item)]
    if any(each.found and each.relation == "is" for each in same):
        return later
    if finding.relation == "at least" and any(each.relation == "at least" and each.found == finding.found for each in same):
        return later
    return (finding, *later)


def _is_number(text: str) -> bool:
    try:
        Fraction(text)
    except (ValueError, ZeroDivisionError):
        return False
    return True
