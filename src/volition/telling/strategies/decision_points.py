"""What a strategy decides: the occasions on which it does, the decisions that it makes there, and a tree of findings for each.

There is one decision about all movers, *who goes on*, made where several could; and one for each mover, *how it goes on*, made where
it goes on and could in several ways.  What is possible changes from state to state, and a tree may look at that too.

Of several choices that are equally good, a tree takes those that let more situations have the same answer.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from volition.checking.strategy import Memory, Situation, Strategy
from volition.kernel import STUTTER, StateSpace
from volition.languages.model import DetailedModel, Finding, Model, Portrait
from volition.origin import told_apart
from volition.telling.strategies.decision_table import DETAILS, MEMORY, Case, Tree, answer_in, item_text, rows, tabulate

__all__ = ["Decision", "Occasion", "choice_text", "decide", "decisions", "label_text", "occasion_at", "occasions", "with_details"]


def choice_text(space: StateSpace, choice: int) -> str:
    """What a choice does, in words."""
    return label_text(space.label(choice))


def label_text(label: Hashable) -> str:
    """What a label of a choice says, in words; the empty joint label says that nothing new is done."""
    if label is STUTTER:
        return "stand still"
    if label in (None, ()):
        return "go on"
    if isinstance(label, tuple):
        return " and ".join(map(label_text, label))
    return str(getattr(label, "text", label))


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
class Decision:
    """Something that the strategy decides again and again: who of some moves (``mover`` is None), or by which step one does.

    ``options`` is all that is ever possible where it is made.
    """

    mover: str | None
    options: tuple[str, ...]
    tree: Tree

    @property
    def text(self) -> str:
        return "who goes on" if self.mover is None else f"how {self.mover} goes on"

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The items that are looked at, each once."""
        return tuple(dict.fromkeys(map(item_text, self.findings)))

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings of all rows."""
        return tuple(finding for row in rows(self.tree) for finding in row.findings)


def occasions(model: Model, strategy: Strategy) -> Iterator[Occasion]:
    """The situations that the strategy gets into and in which there is something to choose."""
    several = np.diff(strategy.space.first_choice) > 1
    for situation in strategy.situations(several):
        yield occasion_at(model, strategy.space, situation, strategy.memory)


def occasion_at(
    model: Model, space: StateSpace, situation: Situation, remembered: Memory | None = None, good: Collection[int] = ()
) -> Occasion:
    """The occasion in a situation, with the choice that is taken and those that are as good; ``remembered`` tells its memory."""
    state, memory, taken = situation
    choices = space.choices_of(state)
    numbers = _named(model, space, choices)
    options: dict[str, tuple[str, ...]] = {}
    equal: dict[str, tuple[str, ...]] = {}
    for (mover, step), choice in numbers.items():
        options[mover] = (*options.get(mover, ()), step)
        if choice == taken or choice in good:
            equal[mover] = (*equal.get(mover, ()), step)
    mover, step = next(name for name, choice in numbers.items() if choice == taken)
    told = {} if remembered is None or memory is None else {MEMORY: remembered.items(memory)}
    return Occasion(state, {**model.portray(space.values(state)), **told}, options, equal, numbers, mover, step, memory)


def _named(model: Model, space: StateSpace, choices: Sequence[int]) -> dict[tuple[str, str], int]:
    """The choices of a state by who makes them and what they do."""
    made_by: dict[str, list[tuple[int, tuple[str, Sequence[str]]]]] = {}
    for choice, text in zip(choices, _texts(space, choices), strict=True):
        made_by.setdefault(_mover(model, space, choice), []).append((choice, (text, getattr(space.label(choice), "rules", ()))))
    return {
        (mover, step): choice
        for mover, made in made_by.items()
        for (choice, _), step in zip(made, told_apart([each for _, each in made]), strict=True)
    }


def _mover(model: Model, space: StateSpace, choice: int) -> str:
    """Who makes a choice: a component by its name, or all of them together."""
    components = space.system.components
    number = int(space.kind_components[space.choice_kinds[choice]])
    return components[number].name if space.system.mode == "interleaved" and number < len(components) else " and ".join(model.agents)


def _texts(space: StateSpace, choices: Sequence[int]) -> list[str]:
    """What each choice does, without what components that move together do whatever is chosen."""
    labels = [space.label(choice) for choice in choices]
    if not all(isinstance(label, tuple) for label in labels):
        return [choice_text(space, choice) for choice in choices]
    common = frozenset.intersection(*(frozenset(label) for label in labels if isinstance(label, tuple)))
    return [label_text(tuple(each for each in label if each not in common)) for label in labels if isinstance(label, tuple)]


def decisions(model: Model, space: StateSpace, decided: Sequence[Occasion]) -> list[Decision]:
    """The decisions that the strategy makes on these occasions, with their trees."""
    return decide(model, space, decided)[0]


def decide(model: Model, space: StateSpace, decided: Sequence[Occasion]) -> tuple[list[Decision], list[Occasion]]:
    """The decisions, and the occasions with what the trees choose among what is equally good."""
    found: list[Decision] = []
    chosen = list(decided)
    turns = [place for place, each in enumerate(decided) if len(each.options) > 1]
    if turns:
        movers = tuple(dict.fromkeys(mover for place in turns for mover in decided[place].options))
        tree, answers = _tree(
            model, space, [(each, frozenset(each.options), frozenset(each.good)) for each in (decided[place] for place in turns)]
        )
        found.append(Decision(None, movers, tree))
        for place, mover in zip(turns, answers, strict=True):
            each = decided[place]
            chosen[place] = each if mover == each.mover else replace(each, mover=mover, step=each.good[mover][0])
    steps: dict[str, list[int]] = {}
    for place, each in enumerate(chosen):
        if len(each.options[each.mover]) > 1:
            steps.setdefault(each.mover, []).append(place)
    for mover, places in steps.items():
        options = tuple(dict.fromkeys(step for place in places for step in chosen[place].options[mover]))
        cases = [(chosen[place], frozenset(chosen[place].options[mover]), frozenset(chosen[place].good[mover])) for place in places]
        tree, answers = _tree(model, space, cases)
        found.append(Decision(mover, options, tree))
        for place, step in zip(places, answers, strict=True):
            chosen[place] = replace(chosen[place], step=step)
    return found, chosen


def _tree(model: Model, space: StateSpace, decided: Sequence[tuple[Occasion, frozenset[str], frozenset[str]]]) -> tuple[Tree, list[str]]:
    """The tree for some occasions, what is possible and what is good there, and its answers.

    Where what people see does not decide, the rest of the state is looked at as well.
    """
    cases = [Case(each.situation, possible, good) for each, possible, good in decided]
    tree = tabulate(cases)
    if tree is None:
        cases = [Case(with_details(model, space, each).situation, possible, good) for each, possible, good in decided]
        tree = tabulate(cases)
        assert tree is not None, "portrait and details tell any two states apart"
    return tree, [answer_in(tree, case.portrait) for case in cases]


def with_details(model: Model, space: StateSpace, occasion: Occasion) -> Occasion:
    """The occasion with what portraits leave out."""
    return replace(occasion, situation={**occasion.situation, DETAILS: _details(model, space, occasion.state)})


def _details(model: Model, space: StateSpace, state: int) -> Mapping[str, str]:
    """What a portrait leaves out: in the words of the language, or else the slots of the state by their names."""
    values = space.values(state)
    if isinstance(model, DetailedModel):
        return model.details(values)
    return {f"state {slot}": str(value) for slot, value in values.items()}
