"""An exploration that stopped goes on where it stopped: the same numbers as one that did not stop,
and spaces that stay what they were."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.test_exploration import as_rows, counters, systems
from volition.kernel import (
    Choice,
    Component,
    KernelError,
    Limits,
    ModelError,
    SlotView,
    StateSpace,
    System,
    explore,
    explore_further,
)


def arrays(space: StateSpace) -> list[npt.NDArray[Any]]:
    """All numbers of a space."""
    return [
        space.first_choice,
        space.first_transition,
        space.targets,
        space.weight_ids,
        space.label_ids,
        space.component_ids,
        space.choice_rewards("cost"),
        *(space.column(slot)[0] for slot in space.system.slots),
    ]


def assert_same(space: StateSpace, other: StateSpace) -> None:
    assert (space.num_states, space.num_expanded, space.stop_state) == (
        other.num_states,
        other.num_expanded,
        other.stop_state,
    )
    for ours, theirs in zip(arrays(space), arrays(other), strict=True):
        assert ours.dtype == theirs.dtype
        assert ours.tolist() == theirs.tolist()
    assert [space.label(choice) for choice in range(space.num_choices)] == [
        other.label(choice) for choice in range(other.num_choices)
    ]
    assert space.probabilities.tolist() == other.probabilities.tolist()


@dataclass(frozen=True)
class Stop:
    """One way to stop early; ``ctrl_c`` is the number of the call of a Python function in which the
    user presses it."""

    limits: Limits
    ctrl_c: int | None = None
    hit: bool = False


stops = st.one_of(
    st.builds(lambda states: Stop(Limits(states=states)), st.integers(0, 40)),
    st.builds(lambda more: Stop(Limits(bytes=more)), st.integers(10_000, 40_000)),
    st.just(Stop(Limits(seconds=0.0))),
    st.builds(
        lambda states, call: Stop(Limits(states=states), ctrl_c=call),
        st.integers(0, 40),
        st.integers(1, 12),
    ),
    st.builds(lambda states: Stop(Limits(states=states), hit=True), st.integers(0, 40)),
)


class Interrupting:
    """A system whose user presses Ctrl-C in a chosen call of one of its functions."""

    def __init__(self, system: System) -> None:
        self.calls_left: int | None = None
        components = [Component(each.name, self._watched(each.step)) for each in system.components]
        self.system = System(
            system.slots, components, system.mode, system.reactions, system.state_rewards
        )

    def _watched(
        self, step: Callable[[SlotView], Sequence[Choice]]
    ) -> Callable[[SlotView], Sequence[Choice]]:
        def watched(view: SlotView) -> Sequence[Choice]:
            if self.calls_left is not None:
                self.calls_left -= 1
                if self.calls_left == 0:
                    raise KeyboardInterrupt
            return step(view)

        return watched


@settings(max_examples=80, deadline=None)
@given(systems(), st.lists(stops, min_size=1, max_size=5))
def test_stopping_and_going_on_is_the_same_as_not_stopping(
    system: System, ways: list[Stop]
) -> None:
    initial = repr(system.slots["a"])

    def question(view: SlotView) -> bool:
        return repr(view["a"]) != initial and repr(view["c"]) != initial

    watched = Interrupting(system)
    spaces: list[StateSpace] = []
    copies: list[list[npt.NDArray[Any]]] = []
    for way in ways:
        watched.calls_left = way.ctrl_c
        stop_when = question if way.hit else None
        if spaces:
            spaces.append(explore_further(spaces[-1], limits=way.limits, stop_when=stop_when))
        else:
            spaces.append(explore(watched.system, limits=way.limits, stop_when=stop_when))
        watched.calls_left = None
        here = spaces[-1]
        copies.append([array.copy() for array in arrays(here)])
        if here.stopped is not None and here.stopped.reason == "states" and not way.hit:
            before = spaces[-2].num_states if len(spaces) > 1 else 0
            assert before > (way.limits.states or 0) or _same_as_at_once(system, here, way.limits)
        # Traced functions are evaluated in between.
        assert here.holds(question).tolist() == [
            question(here.values(state)) for state in range(here.num_states)
        ]
        if way.hit and here.stop_state is not None:
            assert here.stop_state == int(np.flatnonzero(here.holds(question))[0])
    last = explore_further(spaces[-1])
    assert last.complete
    assert_same(last, explore(system))
    for space, copy in zip(spaces, copies, strict=True):
        assert all((now == then).all() for now, then in zip(arrays(space), copy, strict=True))
        assert len(space.holds(question)) == space.num_states == len(space.first_choice) - 1


def _same_as_at_once(system: System, space: StateSpace, limits: Limits) -> bool:
    assert_same(space, explore(system, limits=limits))
    return True


def test_nothing_is_explored_twice() -> None:
    size = 50
    space = explore(counters(2, size), limits=Limits(states=1))
    while not space.complete:
        assert space.num_expanded <= space.num_states
        space = explore_further(space, limits=Limits(states=2 * space.num_states))
    assert space.num_states == size**2
    assert space.stats.python_calls == 2 * size


def test_the_smaller_space_stays_what_it_was() -> None:
    small = explore(counters(3, 10), limits=Limits(states=100))
    rows, stopped, stats = as_rows(small), small.stopped, small.stats
    large = explore_further(small)
    assert large.num_states == 1000
    assert large.complete
    assert small.stopped == stopped
    assert as_rows(small) == rows
    assert (small.stats.states, small.stats.transitions, small.stats.state_bytes) == (
        stats.states,
        stats.transitions,
        stats.state_bytes,
    )
    assert small.terminal.tolist() == [False] * small.num_states
    assert small.path_to(small.num_states - 1) == large.path_to(small.num_states - 1)


def test_arrays_of_the_smaller_space_outlive_it() -> None:
    space = explore(counters(3, 10), limits=Limits(states=100))
    targets, expected = space.targets, space.targets.tolist()
    space = explore_further(space)
    assert space.num_states == 1000
    del space
    assert targets.tolist() == expected


def test_what_was_found_is_looked_at_for_another_question() -> None:
    space = explore(counters(3, 10), limits=Limits(states=500))
    found = explore_further(space, stop_when=lambda view: view["c1"] == 2)
    assert found.stopped is not None
    assert found.stopped.reason == "stop_condition"
    assert found.stop_state is not None
    assert (found.value(found.stop_state, "c0"), found.value(found.stop_state, "c1")) == (0, 2)
    assert found.num_expanded == space.num_expanded
    assert len(found.path_to(found.stop_state)[1]) == 2
    assert explore_further(found).stop_state is None


def test_going_on_from_an_old_space_includes_what_was_explored_since() -> None:
    small = explore(counters(3, 10), limits=Limits(states=100))
    large = explore_further(small, limits=Limits(states=500))
    again = explore_further(small, limits=Limits(states=200))
    assert_same(again, large)


def test_the_times_of_all_parts_are_added() -> None:
    small = explore(counters(3, 10), limits=Limits(states=100))
    assert explore_further(small).stats.seconds["exploration"] > small.stats.seconds["exploration"]


def test_a_breach_beyond_the_limit_comes_with_its_run() -> None:
    class TooFar(ModelError):
        def attach_path(self, labels: Sequence[Any]) -> None:
            self.labels = list(labels)

    def step(view: SlotView) -> Sequence[Choice]:
        if view["x"] == 5:
            raise TooFar
        return [Choice(f"to {view['x'] + 1}", [(1, {"x": view["x"] + 1})])]

    space = explore(System({"x": 0}, [Component("walker", step)]), limits=Limits(states=2))
    with pytest.raises(TooFar) as raised:
        explore_further(space)
    assert raised.value.labels == ["to 1", "to 2", "to 3", "to 4", "to 5"]
    assert space.num_states == 3
    assert space.values(2) == {"x": 2}


def test_a_function_cannot_explore_the_system_that_it_is_part_of() -> None:
    spaces: list[StateSpace] = []

    def step(view: SlotView) -> Sequence[Choice]:
        if spaces:
            explore_further(spaces[0])
        return [Choice("go", [(1, {"x": view["x"] + 1})])]

    spaces.append(explore(System({"x": 0}, [Component("walker", step)]), limits=Limits(states=2)))
    with pytest.raises(KernelError, match="cannot be explored further from inside"):
        explore_further(spaces[0])
