"""Exploration down to a depth: all runs of so many steps, and nothing beyond."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.test_exploration import counters, systems
from tests.kernel.test_resuming import assert_same
from volition.kernel import Limits, StateSpace, System, explore, explore_further


def distances(space: StateSpace) -> list[int]:
    """How many steps each state is away from the initial one, by its shortest run."""
    return [len(space.path_to(state)[1]) for state in range(space.num_states)]


@given(system=systems(), depth=st.integers(0, 5), further=st.integers(0, 3))
@settings(max_examples=60)
def test_what_is_nearer_is_explored(system: System, depth: int, further: int) -> None:
    whole = explore(system)
    part = explore(system, limits=Limits(depth=depth))
    near = [distance for distance in distances(whole) if distance <= depth]
    assert distances(part) == near
    assert part.num_expanded == (
        part.num_states if part.complete else sum(distance < depth for distance in near)
    )
    assert part.complete == (max(distances(whole)) < depth or part.num_states == part.num_expanded)
    if not part.complete:
        assert part.depth == depth
        assert part.stopped is not None
        assert part.stopped.reason == "depth"
    assert_same(
        explore_further(part, limits=Limits(depth=depth + further)),
        explore(system, limits=Limits(depth=depth + further)),
    )
    assert_same(explore_further(part), whole)


@pytest.mark.parametrize("depth", [0, 1, 7, 20, 30])
def test_by_several_threads(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volition.kernel.exploration.PARALLEL_THRESHOLD", 1)
    one, two = (explore(counters(4, 5), limits=Limits(depth=depth, jobs=jobs)) for jobs in (1, 2))
    assert_same(one, two)
    assert one.depth == two.depth


def test_it_is_told() -> None:
    space = explore(counters(2, 9), limits=Limits(depth=3))
    assert space.stopped is not None
    assert (
        space.stopped.text
        == "stopped at the depth of 3 steps: 6 states explored, 4 more found but not explored"
    )
