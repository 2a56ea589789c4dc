"""Agents that know nothing but what a strategy looks like in print, and the chain that such an
agent goes through.

Each reader takes one printed form and reads it as ``docs/guides/strategies.md`` says, without any
help from the code that wrote it.  What it decides with is what the documents promise: a portrait of
the state with its details, who can move by which steps, the steps left.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tests.checking.random_mdps import Row, until
from volition.checking.strategy import StrategyEntry
from volition.kernel import StateSpace
from volition.languages.protocols import HasStateDetails, Model, StateView
from volition.reporting.strategies.decision_points import decision_point_at

Options = Mapping[str, Sequence[str]]
Decider = Callable[[StateView, Options, int | None], tuple[str, str]]
Answer = Callable[[StateView, Collection[str]], str | None]
"""What to answer in a situation where some answers are possible; None if the form does not say."""


# --- the agent ------------------------------------------------------------------------------------


Pair = tuple[int, int | None]
"""A state, and how many steps are left where that matters."""


def followed(
    model: Model,
    space: StateSpace,
    decide: Decider,
    goal: Collection[int],
    steps: int | None = None,
) -> dict[Pair, int]:
    """The choices that an agent takes that decides so, in all states that it comes to before it is
    at the goal or has no steps left."""
    choices: dict[Pair, int] = {}
    waiting: list[Pair] = [(0, steps)]
    while waiting:
        state, left = pair = waiting.pop()
        if state in goal or left == 0 or pair in choices:
            continue
        choices[pair] = _choice(model, space, state, left, decide)
        waiting += [
            (target, None if left is None else left - 1) for target in _row(space, choices[pair])
        ]
    return choices


def attained(
    space: StateSpace, choices: Mapping[Pair, int], goal: Collection[int], steps: int | None = None
) -> Fraction:
    """How likely the goal is reached by these choices, within some steps if there is a bound."""
    ends = {
        (target, None if left is None else left - 1)
        for (_, left), choice in choices.items()
        for target in _row(space, choice)
    }
    numbers = {
        pair: number
        for number, pair in enumerate(
            [*choices, *sorted((ends | {(0, steps)}) - choices.keys(), key=str)]
        )
    }
    chain: list[Row] = []
    for pair, number in numbers.items():
        if pair not in choices:
            chain.append(({number: Fraction(1)}, 0))
            continue
        left = None if pair[1] is None else pair[1] - 1
        chain.append(
            (
                {
                    numbers[target, left]: chance
                    for target, chance in _row(space, choices[pair]).items()
                },
                0,
            )
        )
    reached = {number for (state, _), number in numbers.items() if state in goal}
    return until(chain, set(range(len(chain))), reached)[numbers[0, steps]]


def _row(space: StateSpace, choice: int) -> dict[int, Fraction]:
    """Where a choice leads, with the exact probabilities."""
    row: dict[int, Fraction] = {}
    for index in range(
        int(space.first_transition[choice]), int(space.first_transition[choice + 1])
    ):
        target = int(space.targets[index])
        row[target] = row.get(target, Fraction(0)) + Fraction(
            space.weights[int(space.weight_ids[index])]
        )
    return row


def _choice(model: Model, space: StateSpace, state: int, left: int | None, decide: Decider) -> int:
    choices = range(int(space.first_choice[state]), int(space.first_choice[state + 1]))
    if len(choices) == 1:
        return choices[0]
    numbers = decision_point_at(model, space, StrategyEntry(state, None, choices[0])).choice_numbers
    assert sorted(numbers.values()) == list(choices), "every choice has a name of its own"
    options: dict[str, list[str]] = {}
    for component, step in numbers:
        options.setdefault(component, []).append(step)
    values = space.values(state)
    view = {
        **model.describe(values),
        **({"details": model.state_details(values)} if isinstance(model, HasStateDetails) else {}),
    }
    return numbers[decide(view, options, left)]


def two_questions(owner: Answer, how: Mapping[str, Answer]) -> Decider:
    """The agent that asks who goes on where several could, and then how where that one could in
    several ways.

    Where a form does not say, or says what is impossible, it must not matter: the last option is as
    good as any.
    """

    def decide(view: StateView, options: Options, left: int | None) -> tuple[str, str]:
        seen = view if left is None else {**view, "memory": {"steps left": str(left)}}
        components = list(options)
        component = owner(seen, components) if len(components) > 1 else None
        component = component if component in components else components[-1]
        assert component is not None
        steps = options[component]
        step = how[component](seen, steps) if len(steps) > 1 and component in how else None
        return component, step if step in steps and step is not None else steps[-1]

    return decide


# --- findings -------------------------------------------------------------------------------------


def holds(text: str, view: StateView, possible: Collection[str]) -> bool:
    """Whether a finding in words holds: ``wrapped``, ``x >= 3``, ``event e``, ``intention e =
    nil``, ``with at least 3 steps left``."""
    if text in ("always", "otherwise"):
        return True
    if text.endswith(" is possible"):
        return text.removesuffix(" is possible") in possible
    if bound := re.fullmatch(r"with at least (\d+) steps? left", text):
        return int(view["memory"]["steps left"]) >= int(bound[1])
    if exact := re.fullmatch(r"with (\d+) steps? left", text):
        return view["memory"]["steps left"] == exact[1]
    return any(
        _found(text.removeprefix(prefix), view[section])
        for section, prefix in _sections(view)
        if text.startswith(prefix)
    )


def _sections(view: StateView) -> Iterator[tuple[str, str]]:
    """The sections with the word before their items: none for beliefs and details, else the
    section, of one thing."""
    for section in view:
        yield (
            section,
            ""
            if section in ("beliefs", "details")
            else f"{section.removesuffix('s') if not section.endswith('ss') else section} ",
        )


def _found(text: str, items: Mapping[str, str]) -> bool:
    for sign in (" = ", " >= "):
        for index in _places(text, sign):
            item, value = _plain(text[:index]), _plain(text[index + len(sign) :])
            return item in items and (
                items[item] == value if sign == " = " else Fraction(items[item]) >= Fraction(value)
            )
    return _plain(text) in items


def _places(text: str, sign: str) -> Iterator[int]:
    """Where a sign stands outside of brackets and quotes."""
    depth, quoted, escaped = 0, False, False
    for index, letter in enumerate(text):
        if quoted:
            quoted, escaped = letter != '"' or escaped, letter == "\\" and not escaped
            continue
        quoted = letter == '"'
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and text.startswith(sign, index):
            yield index


def _plain(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


# --- tables ---------------------------------------------------------------------------------------


def table_reader(markdown: str) -> Decider:
    """Tables in Markdown: in each the first row that fits, of those about the one that goes on."""
    tables: dict[str, list[dict[str, str]]] = {}
    for block in markdown.split("## ")[1:]:
        title, _, columns, _, *lines = block.strip().splitlines()
        tables[title] = [dict(zip(_cells(columns), _cells(line), strict=True)) for line in lines]
    turns, steps = tables.get("Which component moves", []), tables.get("Which action it takes", [])

    def reader(rows: Sequence[Mapping[str, str]]) -> Answer:
        def read(view: StateView, possible: Collection[str]) -> str | None:
            return next((row["choose"] for row in rows if _fits(row, view, possible)), None)

        return read

    components = {row["component"] for row in steps if "component" in row}
    how = {
        component: reader([row for row in steps if row["component"] == component])
        for component in components
    }
    return two_questions(reader(turns), how or _Everybody(reader(steps)))


class _Everybody(dict[str, Answer]):
    """Where a table does not say who, it is about the only one who has steps to choose."""

    def __init__(self, answer: Answer) -> None:
        super().__init__()
        self._answer = answer

    def __contains__(self, component: object) -> bool:
        return True

    def __getitem__(self, component: str) -> Answer:
        return self._answer


def _cells(line: str) -> list[str]:
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def _fits(row: Mapping[str, str], view: StateView, possible: Collection[str]) -> bool:
    when = row["when"]
    starts = [0, *(index + 2 for index in _places(when, ", "))]
    ends = [*(position - 2 for position in starts[1:]), len(when)]
    parts = [when[start:end] for start, end in zip(starts, ends, strict=True)]
    return all(
        row["choose"] in possible if part == "if possible" else holds(part, view, possible)
        for part in parts
    )


# --- trees ----------------------------------------------------------------------------------------


Tree = tuple[str, Mapping[str, Any]]
"""A text and what follows it, by the word on the way: "yes", "no", or nothing."""


def tree_reader(text: str) -> Decider:
    """Questions, indented."""
    lines = [
        (len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines() if line.strip()
    ]

    def below(index: int) -> tuple[Tree, int]:
        indent, line = lines[index]
        edge = re.match(r"(?:(yes|no): )?", line)
        assert edge is not None
        rest = line[edge.end() :]
        children: dict[str, Any] = {}
        index += 1
        while index < len(lines) and lines[index][0] > indent:
            word = re.match(r"(?:(yes|no): )?", lines[index][1])
            assert word is not None
            children[word[1] or ""], index = below(index)
        return (
            rest.removeprefix("→ ") if not children else rest.removesuffix("?"),
            children,
        ), index

    trees, position = [], 0
    while position < len(lines):
        tree, position = below(position)
        trees.append(tree)
    return _of_trees(trees)


def dot_reader(text: str) -> Decider:
    """The same in the language of Graphviz."""
    labels = {
        name: _unquoted(label)
        for name, label in re.findall(r'^  (n\d+) \[label="((?:[^"\\]|\\.)*)"', text, re.M)
    }
    edges = re.findall(r'^  (n\d+) -> (n\d+) \[label="(\w*)"\];$', text, re.M)
    following: dict[str, dict[str, str]] = {name: {} for name in labels}
    for source, target, word in edges:
        following[source][word] = target

    def below(name: str) -> Tree:
        return labels[name], {word: below(target) for word, target in following[name].items()}

    return _of_trees(
        [below(name) for name in labels if name not in {target for _, target, _ in edges}]
    )


def _unquoted(label: str) -> str:
    return re.sub(r"\\(.)", r"\1", label)


def _of_trees(trees: Sequence[Tree]) -> Decider:
    def reader(tree: Tree) -> Answer:
        def read(view: StateView, possible: Collection[str]) -> str | None:
            text, children = tree
            while children:
                text, children = children["yes" if holds(text, view, possible) else "no"]
            return text

        return read

    readers = {title: reader(children[""]) for title, children in trees if children}
    how = {
        title.removeprefix("which action ").removesuffix(" takes"): each
        for title, each in readers.items()
        if title.startswith("which action ")
    }
    return two_questions(readers.get("which component moves", lambda *_: None), how)


# --- data and code --------------------------------------------------------------------------------


def json_reader(document: Mapping[str, Any]) -> Decider:
    """Rows of findings as data: in each question the first row whose findings all hold."""

    def reader(prop: Mapping[str, Any]) -> Answer:
        def read(view: StateView, possible: Collection[str]) -> str | None:
            seen = {**view, "options": dict.fromkeys(possible, "")}
            return next(
                (
                    str(row["choose"])
                    for row in prop["rows"]
                    if all(_given(each, seen) for each in row["when"])
                ),
                None,
            )

        return read

    readers = {query["component"]: reader(query) for query in document["decisions"]}
    return two_questions(readers.pop(None, lambda *_: None), readers)


def _given(predicate: Mapping[str, str], view: StateView) -> bool:
    value = view.get(predicate["section"], {}).get(predicate["item"])
    if predicate["relation"] == "there" or value is None:
        return value is not None
    return (
        value == predicate["value"]
        if predicate["relation"] == "is"
        else Fraction(value) >= Fraction(predicate["value"])
    )


def code_reader(code: str) -> Decider:
    """A module in Python, called as it says."""
    module: dict[str, Any] = {}
    exec(compile(code, "strategy.py", "exec"), module)

    def decide(view: StateView, options: Options, left: int | None) -> tuple[str, str]:
        memory = [] if "START" not in module else [left]
        component, step = module["decide"](view, options, *memory)
        return component, step

    return decide
