"""What a strategy decides: the occasions on which it does, the decisions that it makes there, and a
tree of findings for each.

There is one decision about all movers, *who goes on*, made where several could; and one for each
mover, *how it goes on*, made where it goes on and could in several ways.  What is possible changes
from state to state, and a tree may look at that too.

Of several choices that are equally good, a tree takes those that let more situations have the same
answer.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from volition.checking.strategy import Memory, Strategy, StrategyEntry
from volition.kernel import STUTTER, StateSpace
from volition.languages.protocols import HasStateDetails, Model, StateView, ViewPredicate
from volition.origin import unique_texts
from volition.reporting.strategies.decision_tree import (
    DETAILS,
    MEMORY,
    TrainingCase,
    Tree,
    classify,
    feature_text,
    learn_tree,
    table_rows,
)

__all__ = [
    "DecisionPoint",
    "DecisionTable",
    "build_decision_tables",
    "choice_text",
    "decision_point_at",
    "decision_points",
    "decision_tables",
    "label_text",
    "with_details",
]


def choice_text(space: StateSpace, choice: int) -> str:
    """What a choice does, in words."""
    return label_text(space.label(choice))


def label_text(label: Hashable) -> str:
    """What a label of a choice says, in words; the empty joint label says that nothing new is
    done."""
    if label is STUTTER:
        return "stand still"
    if label in (None, ()):
        return "go on"
    if isinstance(label, tuple):
        return " and ".join(map(label_text, label))
    return str(getattr(label, "text", label))


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """A state in which the strategy decides: who could move, each by which steps, and what it
    chooses.

    Where the strategy has a ``memory``, the situation tells it in a section of its own.  ``good``
    are the options that are as good as what it chooses; that is one of them.  ``numbers`` are those
    of the choices in the space, by mover and step.
    """

    state: int
    state_view: StateView
    options: dict[str, tuple[str, ...]]
    optimal: Mapping[str, tuple[str, ...]]
    choice_numbers: Mapping[tuple[str, str], int]
    component: str
    action: str
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """Something that the strategy decides again and again: who of some moves (``mover`` is None),
    or by which step one does.

    ``options`` is all that is ever possible where it is made.
    """

    component: str | None
    options: tuple[str, ...]
    tree: Tree

    @property
    def text(self) -> str:
        return "who goes on" if self.component is None else f"how {self.component} goes on"

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The items that are looked at, each once."""
        return tuple(dict.fromkeys(map(feature_text, self.findings)))

    @property
    def findings(self) -> tuple[ViewPredicate, ...]:
        """All findings of all rows."""
        return tuple(predicate for row in table_rows(self.tree) for predicate in row.tests)


def decision_points(model: Model, strategy: Strategy) -> Iterator[DecisionPoint]:
    """The situations that the strategy gets into and in which there is something to choose."""
    several = np.diff(strategy.space.first_choice) > 1
    for situation in strategy.entries(several):
        yield decision_point_at(model, strategy.space, situation, strategy.memory)


def decision_point_at(
    model: Model,
    space: StateSpace,
    situation: StrategyEntry,
    remembered: Memory | None = None,
    good: Collection[int] = (),
) -> DecisionPoint:
    """The occasion in a situation, with the choice that is taken and those that are as good;
    ``remembered`` tells its memory."""
    state, memory, taken = situation
    choices = space.choices_of(state)
    numbers = _choices_by_name(model, space, choices)
    options: dict[str, tuple[str, ...]] = {}
    equal: dict[str, tuple[str, ...]] = {}
    for (component, step), choice in numbers.items():
        options[component] = (*options.get(component, ()), step)
        if choice == taken or choice in good:
            equal[component] = (*equal.get(component, ()), step)
    component, step = next(name for name, choice in numbers.items() if choice == taken)
    texts = {} if remembered is None or memory is None else {MEMORY: remembered.items(memory)}
    return DecisionPoint(
        state,
        {**model.describe(space.values(state)), **texts},
        options,
        equal,
        numbers,
        component,
        step,
        memory,
    )


def _choices_by_name(
    model: Model, space: StateSpace, choices: Sequence[int]
) -> dict[tuple[str, str], int]:
    """The choices of a state by who makes them and what they do."""
    made_by: dict[str, list[tuple[int, tuple[str, Sequence[str]]]]] = {}
    for choice, text in zip(choices, _texts(space, choices), strict=True):
        made_by.setdefault(_component_name(model, space, choice), []).append(
            (choice, (text, getattr(space.label(choice), "rules", ())))
        )
    return {
        (component, step): choice
        for component, made in made_by.items()
        for (choice, _), step in zip(made, unique_texts([each for _, each in made]), strict=True)
    }


def _component_name(model: Model, space: StateSpace, choice: int) -> str:
    """Who makes a choice: a component by its name, or all of them together."""
    components = space.system.components
    number = int(space.signature_components[space.choice_signatures[choice]])
    return (
        components[number].name
        if space.system.mode == "interleaved" and number < len(components)
        else " and ".join(model.agents)
    )


def _texts(space: StateSpace, choices: Sequence[int]) -> list[str]:
    """What each choice does, without what components that move together do whatever is chosen."""
    labels = [space.label(choice) for choice in choices]
    if not all(isinstance(label, tuple) for label in labels):
        return [choice_text(space, choice) for choice in choices]
    common = frozenset.intersection(
        *(frozenset(label) for label in labels if isinstance(label, tuple))
    )
    return [
        label_text(tuple(each for each in label if each not in common))
        for label in labels
        if isinstance(label, tuple)
    ]


def decision_tables(
    model: Model, space: StateSpace, decided: Sequence[DecisionPoint]
) -> list[DecisionTable]:
    """The decisions that the strategy makes on these occasions, with their trees."""
    return build_decision_tables(model, space, decided)[0]


def build_decision_tables(
    model: Model, space: StateSpace, decided: Sequence[DecisionPoint]
) -> tuple[list[DecisionTable], list[DecisionPoint]]:
    """The decisions, and the occasions with what the trees choose among what is equally good."""
    found: list[DecisionTable] = []
    chosen = list(decided)
    turns = [index for index, each in enumerate(decided) if len(each.options) > 1]
    if turns:
        components = tuple(
            dict.fromkeys(
                component for position in turns for component in decided[position].options
            )
        )
        tree, answers = _tree(
            model,
            space,
            [
                (each, frozenset(each.options), frozenset(each.optimal))
                for each in (decided[place] for place in turns)
            ],
        )
        found.append(DecisionTable(None, components, tree))
        for place, moving_component in zip(turns, answers, strict=True):
            each = decided[place]
            chosen[place] = (
                each
                if moving_component == each.component
                else replace(
                    each, component=moving_component, action=each.optimal[moving_component][0]
                )
            )
    steps: dict[str, list[int]] = {}
    for place, each in enumerate(chosen):
        if len(each.options[each.component]) > 1:
            steps.setdefault(each.component, []).append(place)
    for moving_component, indices in steps.items():
        options = tuple(
            dict.fromkeys(
                step for place in indices for step in chosen[place].options[moving_component]
            )
        )
        cases = [
            (
                chosen[place],
                frozenset(chosen[place].options[moving_component]),
                frozenset(chosen[place].optimal[moving_component]),
            )
            for place in indices
        ]
        tree, answers = _tree(model, space, cases)
        found.append(DecisionTable(moving_component, options, tree))
        for place, step in zip(indices, answers, strict=True):
            chosen[place] = replace(chosen[place], action=step)
    return found, chosen


def _tree(
    model: Model,
    space: StateSpace,
    decided: Sequence[tuple[DecisionPoint, frozenset[str], frozenset[str]]],
) -> tuple[Tree, list[str]]:
    """The tree for some occasions, what is possible and what is good there, and its answers.

    Where what people see does not decide, the rest of the state is looked at as well.
    """
    cases = [TrainingCase(each.state_view, possible, good) for each, possible, good in decided]
    tree = learn_tree(cases)
    if tree is None:
        cases = [
            TrainingCase(with_details(model, space, each).state_view, possible, good)
            for each, possible, good in decided
        ]
        tree = learn_tree(cases)
        assert tree is not None, "portrait and details tell any two states apart"
    return tree, [classify(tree, case.portrait) for case in cases]


def with_details(model: Model, space: StateSpace, point: DecisionPoint) -> DecisionPoint:
    """The occasion with what portraits leave out."""
    return replace(
        point, state_view={**point.state_view, DETAILS: _details(model, space, point.state)}
    )


def _details(model: Model, space: StateSpace, state: int) -> Mapping[str, str]:
    """What a portrait leaves out: in the words of the language, or else the slots of the state by
    their names."""
    values = space.values(state)
    if isinstance(model, HasStateDetails):
        return model.state_details(values)
    return {f"state {slot}": str(value) for slot, value in values.items()}
