"""Decision points of a strategy (states in which it must choose), and a decision tree for each kind
of decision.

A strategy makes two kinds of decisions. *Which component moves* is decided in states in which
several components could move. *Which action it takes* is decided for each component, in states in
which that component moves and has several choices. The enabled options change from state to state,
so a tree may also test whether an option is enabled.

If several options are equally good in a state, a tree may take any of them. It prefers options that
many states have in common.
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
    """Return the text of a choice of a state space."""
    return label_text(space.label(choice))


def label_text(label: Hashable) -> str:
    """Return the text of the label of a choice. If all components move together, the label is the
    tuple of their labels. An empty tuple means that no component acts; its text is ``continue``."""
    if label is STUTTER:
        return "stay in this state"
    if label in (None, ()):
        return "continue"
    if isinstance(label, tuple):
        return " and ".join(map(label_text, label))
    return str(getattr(label, "text", label))


@dataclass(frozen=True, slots=True)
class DecisionPoint:
    """State in which a strategy decides: the components that could move, their actions, and the
    choice of the strategy.

    ``options`` has all enabled actions by component. ``optimal`` has those that are as good as the
    chosen one, including it. ``choice_numbers`` are the numbers of the choices in the state space,
    by component and action. If the strategy has a ``memory``, ``state_view`` shows it in a section
    of its own.
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
    """Table for one kind of decision of a strategy: which component moves (``component`` is None),
    or which action a component takes.

    ``options`` are all options that are possible at some decision point of this kind.
    """

    component: str | None
    options: tuple[str, ...]
    tree: Tree

    @property
    def text(self) -> str:
        return (
            "which component moves"
            if self.component is None
            else f"which action {self.component} takes"
        )

    @property
    def depends_on(self) -> tuple[str, ...]:
        """Names of the items of the state view that the decision tree tests, each once."""
        return tuple(dict.fromkeys(map(feature_text, self.predicates)))

    @property
    def predicates(self) -> tuple[ViewPredicate, ...]:
        """Predicates on the state view that the rows of the table test."""
        return tuple(predicate for row in table_rows(self.tree) for predicate in row.tests)


def decision_points(model: Model, strategy: Strategy) -> Iterator[DecisionPoint]:
    """Yield the decision points that a strategy reaches: states, with the memory of the strategy,
    in which there are several choices."""
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
    """Return the decision point for ``situation``: a state, the memory of the strategy in it, and
    the choice that the strategy takes. ``remembered`` describes what the memory means; ``good`` are
    the choices that are as good as the one taken."""
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
    """Return the numbers of a state's choices, by the name of the component and the text of the
    action."""
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
    """Return the name of the component that makes a choice or, if all components move together, the
    names of all agents."""
    components = space.system.components
    number = int(space.signature_components[space.choice_signatures[choice]])
    return (
        components[number].name
        if space.system.mode == "interleaved" and number < len(components)
        else " and ".join(model.agents)
    )


def _texts(space: StateSpace, choices: Sequence[int]) -> list[str]:
    """Return the text of each choice of a state. If components move together, parts that all
    choices have in common are left out."""
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
    """Return the decision tables of a strategy that has the given decision points."""
    return build_decision_tables(model, space, decided)[0]


def build_decision_tables(
    model: Model, space: StateSpace, decided: Sequence[DecisionPoint]
) -> tuple[list[DecisionTable], list[DecisionPoint]]:
    """Return the decision tables for the given decision points. Also return the decision points
    again, with the options that the tables choose. A table may choose another option than the
    strategy did, but only an equally good one."""
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
    """Return a decision tree for the given decision points, and its answer at each of them.

    Each decision point comes with its enabled and its optimal options. If the state views do not
    determine the answers, the tree also tests parts of the state that state views do not show.
    """
    cases = [TrainingCase(each.state_view, possible, good) for each, possible, good in decided]
    tree = learn_tree(cases)
    if tree is None:
        cases = [
            TrainingCase(with_details(model, space, each).state_view, possible, good)
            for each, possible, good in decided
        ]
        tree = learn_tree(cases)
        assert tree is not None, "state view and details distinguish any two states"
    return tree, [classify(tree, case.view_with_options) for case in cases]


def with_details(model: Model, space: StateSpace, point: DecisionPoint) -> DecisionPoint:
    """Return a decision point whose state view has an additional section: the parts of the state
    that state views normally do not show."""
    return replace(
        point, state_view={**point.state_view, DETAILS: _details(model, space, point.state)}
    )


def _details(model: Model, space: StateSpace, state: int) -> Mapping[str, str]:
    """Return the part of a state that its state view does not show. If the language describes this
    part, return the description, otherwise the values of the slots by name."""
    values = space.values(state)
    if isinstance(model, HasStateDetails):
        return model.state_details(values)
    return {f"state {slot}": str(value) for slot, value in values.items()}
