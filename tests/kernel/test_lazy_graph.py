"""States explored when somebody looks at them: the same system as the one that was explored at
once, but for the numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.analysis.can_programs import gambler
from volition.kernel import Choice, Component, LazyStateGraph, SlotView, StateGraph, System, explore
from volition.languages import load
from volition.languages.protocols import Program

EXAMPLES = "examples"


Values = frozenset[tuple[str, object]]


def seen(graph: StateGraph) -> dict[Values, list[tuple[str, frozenset[tuple[str, Values]]]]]:
    """Everything that can be reached, by the values of the states alone."""

    def values(state: int) -> Values:
        return frozenset(graph.values(state).items())

    found = {}
    waiting, met = [0], {0}
    for state in waiting:
        steps = []
        for choice in graph.choices_of(state):
            targets = graph.targets_of(choice).tolist()
            weights = map(str, graph.weights_of(choice))
            steps.append(
                (
                    str(graph.label(choice)),
                    frozenset(zip(weights, map(values, targets), strict=True)),
                )
            )
            waiting += [each for each in targets if each not in met]
            met.update(targets)
        found[values(state)] = steps
    return found


@pytest.mark.parametrize("made", [lambda: load(f"{EXAMPLES}/dribble/vacuum.dribble"), gambler])
def test_it_is_the_explored_space(made: Callable[[], Program]) -> None:
    system = made().model().system
    assert seen(LazyStateGraph(system)) == seen(explore(system))


def test_nothing_is_explored_unasked() -> None:
    """A counter without an end: its space has no end either."""
    calls: list[int] = []

    def count(state: SlotView) -> list[Choice]:
        calls.append(state["n"])
        return [Choice("one more", [(1, {"n": state["n"] + 1})])]

    graph = LazyStateGraph(System({"n": 0}, [Component("counter", count)]))
    state = 0
    for _ in range(5):
        (choice,) = graph.choices_of(state)
        (state,) = graph.targets_of(choice).tolist()
    assert graph.value(state, "n") == 5
    assert calls == [0, 1, 2, 3, 4]


def test_equal_values_are_not_always_the_same_state() -> None:
    """For Python 1 and True are equal; for a program they are not."""

    def flip(state: SlotView) -> list[Choice]:
        return [Choice("flip", [(1, {"x": True if type(state["x"]) is int else 1})])]

    graph = LazyStateGraph(System({"x": 1}, [Component("flipper", flip)]))
    (first,) = graph.choices_of(0)
    (other,) = graph.targets_of(first).tolist()
    assert other != 0
    assert graph.value(other, "x") is True
    (back,) = graph.choices_of(other)
    assert graph.targets_of(back).tolist() == [0]
