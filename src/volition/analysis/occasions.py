"""What a strategy decides: the occasions on which it does, the questions that it answers there, and a tree of findings for each.

Of several choices that are equally good, a tree takes those that let more situations have the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from volition.analysis.decision_table import HIDDEN, MEMORY, Tree, answer_in, item_text, rows, tabulate
from volition.checking.remembering import RememberingStrategy
from volition.checking.strategies import choice_text, label_text
from volition.checking.verdict import Strategy
from volition.kernel import StateSpace
from volition.languages.model import Model, Portrait

__all__ = ["Occasion", "Question", "decide", "occasion_at", "occasions", "questions", "remembering"]


@dataclass(frozen=True, slots=True)
class Occasion:
    """A state in which the strategy decides: who could move, each by which steps, and what it chooses.

    Where the strategy has a ``memory``, the situation tells it in a section of its own.  ``good`` are the options that are as good as what
    it chooses; that is one of them.  ``numbers`` are those of the choices in the space, by mover and step.
    """

    state: int
    situation: Portrait
    options: dict[str, tuple[str, ...]]
    good: Mapping[str, tuple[str, ...]]
    numbers: Mapping[tuple[str, str], int]
    mover: str
    step: str
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Something that the strategy decides again and again: who of some moves (``mover`` is None), or by which step one does."""

    mover: str | None
    options: tuple[str, ...]
    tree: Tree

    @property
    def text(self) -> str:
        return "who goes on" if self.mover is None else f"how {self.mover} goes on"

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The items that are looked at, each once."""
        findings = [finding for row in rows(self.tree) for finding in row.findings]
        return tuple(dict.fromkeys(map(item_text, findings)))


def occasions(model: Model, strategy: Strategy | RememberingStrategy) -> Iterator[Occasion]:
    """The states that the strategy reaches and in which there is something to choose, nearest first; with each memory that it has there."""
    several = np.diff(strategy.space.first_choice) > 1
    if isinstance(strategy, Strategy):
        for state in np.flatnonzero(several & (strategy.choice >= 0)).tolist():
            yield occasion_at(model, strategy.space, state, int(strategy.choice[state]))
        return
    unfolding = strategy.unfolding
    for pair in np.flatnonzero(strategy.reached & several[unfolding.states]).tolist():
        decided = occasion_at(model, strategy.space, int(unfolding.states[pair]), int(strategy.taken[pair]))
        yield remembering(decided, strategy, int(unfolding.memory[pair]))


def remembering(occasion: Occasion, strategy: RememberingStrategy, memory: int) -> Occasion:
    """The occasion with a memory."""
    return replace(occasion, situation={**occasion.situation, MEMORY: strategy.so_far(memory)}, memory=memory)


def occasion_at(model: Model, space: StateSpace, state: int, taken: int, good: Collection[int] = ()) -> Occasion:
    """The occasion in a state, with the choice that is taken and those that are as good."""
    choices = range(int(space.first_choice[state]), int(space.first_choice[state + 1]))
    movers = [_mover(model, space, choice) for choice in choices]
    steps = _told_apart(_texts(space, choices), movers, [_rules(space, choice) for choice in choices])
    options: dict[str, tuple[str, ...]] = {}
    equal: dict[str, tuple[str, ...]] = {}
    for choice, mover, step in zip(choices, movers, steps, strict=True):
        options[mover] = (*options.get(mover, ()), step)
        if choice == taken or choice in good:
            equal[mover] = (*equal.get(mover, ()), step)
    place = choices.index(taken)
    numbers = dict(zip(zip(movers, steps, strict=True), choices, strict=True))
    return Occasion(state, model.portray(space.values(state)), options, equal, numbers, movers[place], steps[place])


def _mover(model: Model, space: StateSpace, choice: int) -> str:
    """Who makes a choice: a component by its name, or all of them together."""
    components = space.system.components
    number = int(space.component_ids[choice])
    return components[number].name if space.system.mode == "interleaved" and number < len(components) else " and ".join(model.agents)


def _texts(space: StateSpace, choices: Sequence[int]) -> list[str]:
    """What each choice does, without what components that move together do whatever is chosen."""
    labels = [space.label(choice) for choice in choices]
    if not all(isinstance(label, tuple) for label in labels):
        return [choice_text(space, choice) for choice in choices]
    common = frozenset.intersection(*(frozenset(label) for label in labels if isinstance(label, tuple)))
    return [label_text(tuple(each for each in label if each not in common)) for label in labels if isinstance(label, tuple)]


def _rules(space: StateSpace, choice: int) -> str:
    return " ".join(getattr(space.label(choice), "rules", ()))


def _told_apart(texts: Sequence[str], movers: Sequence[str], rules: Sequence[str]) -> list[str]:
    """The texts of the choices, with the rules behind it where one component has two choices of the same text."""
    named = list(zip(movers, texts, strict=True))
    return [text if named.count(name) == 1 else f"{text} [{how}]" for name, text, how in zip(named, texts, rules, strict=True)]


def questions(space: StateSpace, decided: Sequence[Occasion]) -> list[Question]:
    """The questions that the strategy answers on these occasions, with their trees."""
    return decide(space, decided)[0]


def decide(space: StateSpace, decided: Sequence[Occasion]) -> tuple[list[Question], list[Occasion]]:
    """The questions, and the occasions with what the trees choose among what is equally good."""
    found: list[Question] = []
    chosen = list(decided)
    turns = [place for place, each in enumerate(decided) if len(each.options) > 1]
    if turns:
        movers = tuple(dict.fromkeys(mover for place in turns for mover in decided[place].options))
        tree, answers = _tree(space, [decided[place] for place in turns], lambda each: frozenset(each.good))
        found.append(Question(None, movers, tree))
        for place, mover in zip(turns, answers, strict=True):
            each = decided[place]
            chosen[place] = each if mover == each.mover else replace(each, mover=mover, step=each.good[mover][0])
    steps: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for place, each in enumerate(chosen):
        if len(each.options[each.mover]) > 1:
            steps.setdefault((each.mover, tuple(sorted(each.options[each.mover]))), []).append(place)
    for (mover, options), places in steps.items():
        tree, answers = _tree(space, [chosen[place] for place in places], lambda each: frozenset(each.good[each.mover]))
        found.append(Question(mover, options, tree))
        for place, step in zip(places, answers, strict=True):
            chosen[place] = replace(chosen[place], step=step)
    return found, chosen


def _tree(space: StateSpace, cases: Sequence[Occasion], good: Callable[[Occasion], frozenset[str]]) -> tuple[Tree, list[str]]:
    """The tree for some occasions and its answers; where what people see does not decide, the rest of the state is looked at as well."""
    situations = [each.situation for each in cases]
    left: dict[frozenset[tuple[str, str, str]], frozenset[str]] = {}
    for each in cases:
        contents = _contents(each.situation)
        left[contents] = left.get(contents, good(each)) & good(each)
    if not all(left.values()):
        situations = [{**each.situation, HIDDEN: {slot: str(value) for slot, value in space.values(each.state).items()}} for each in cases]
    tree = tabulate([(situation, good(each)) for situation, each in zip(situations, cases, strict=True)])
    return tree, [answer_in(tree, situation) for situation in situations]


def _contents(portrait: Portrait) -> frozenset[tuple[str, str, str]]:
    """A portrait as a set: in which order it tells things does not matter."""
    return frozenset((section, item, value) for section, items in portrait.items() for item, value in items.items())
