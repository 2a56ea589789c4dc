"""Components that move together in many states: looked up in tables by then, and what they do
quietly does not multiply."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from volition.kernel import Choice, Component, KernelError, SlotView, System, explore

SIZE = 40


def clocks(conflict_at: int | None = None) -> System:
    """One hand goes on or stays, as it likes, one goes on quietly, and a third one follows the
    first; perhaps another one joins in late."""

    def hand(view: SlotView) -> Sequence[Choice]:
        return [Choice("stay", [(1, {})]), Choice("go", [(1, {"a": (view["a"] + 1) % SIZE})])]

    def quiet(view: SlotView) -> Sequence[Choice]:
        return [Choice(None, [(1, {"b": (view["b"] + 1) % SIZE})])]

    def follower(view: SlotView) -> Sequence[Choice]:
        return [Choice(None, [(1, {"c": view["a"]})])] if view["b"] % 2 else []

    def late(view: SlotView) -> Sequence[Choice]:
        return (
            [Choice(None, [(1, {"b": 0})])]
            if view["a"] == conflict_at and view["c"] == conflict_at
            else []
        )

    steps = {"hand": hand, "quiet": quiet, "follower": follower, "late": late}
    return System(
        {"a": 0, "b": 0, "c": 0},
        [Component(name, step) for name, step in steps.items()],
        mode="synchronous",
    )


def test_every_state_has_the_product_of_what_its_components_do() -> None:
    system = clocks()
    space = explore(system)
    assert space.num_states > 1000
    numbers = {tuple(space.values(state).values()): state for state in range(space.num_states)}
    for state in range(space.num_states):
        values = space.values(state)
        expected = []
        for joint in product(
            *(offered for component in system.components if (offered := component.step(values)))
        ):
            after = dict(values)
            for choice in joint:
                after.update(choice.outcomes[0][1])
            expected.append(numbers[tuple(after.values())])
        assert sorted(
            int(target) for choice in space.choices_of(state) for target in space.targets_of(choice)
        ) == sorted(expected)


def test_two_that_write_the_same_slot_late_are_told() -> None:
    with pytest.raises(
        KernelError, match="component 'quiet' and component 'late' both write slot 'b'"
    ):
        explore(clocks(conflict_at=SIZE - 1))
