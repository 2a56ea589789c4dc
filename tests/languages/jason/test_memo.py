"""What was done before is remembered by what it read, and by nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from volition.kernel.system import SlotView
from volition.languages.jason import memo
from volition.languages.jason.memo import StageMemo

SLOTS = ("a", "b", "c")
STATES = st.fixed_dictionaries(
    {slot: st.sampled_from([0, 1, True, 1.0, (1,), (True,), "x"]) for slot in SLOTS}
)


def wander(state: SlotView) -> tuple[str, ...]:
    """What is read next depends on what was read before."""
    slot, path = "a", list[str]()
    for _ in range(3):
        value: Any = state[slot]
        path.append(f"{slot}={value!r}")
        slot = SLOTS[len(repr(value)) % 3]
    return tuple(path)


@given(st.lists(STATES, max_size=30))
def test_a_result_is_that_of_the_same_values(states: list[Mapping[str, Any]]) -> None:
    """True is not 1, and (1,) is not (True,)."""
    memory = StageMemo()
    for state in states:
        assert memory.lookup_or_compute("wander", wander, state.__getitem__) == wander(state)


def test_work_is_done_once_for_what_it_reads() -> None:
    memory, done = StageMemo(), list[int]()

    def work(state: SlotView) -> int:
        done.append(state["a"])
        return done[-1] + (int(state["b"]) if state["a"] else 0)

    states = [{"a": 0, "b": number} for number in range(5)] + [
        {"a": 1, "b": number % 2} for number in range(6)
    ]
    assert [memory.lookup_or_compute("work", work, state.__getitem__) for state in states] == [
        0
    ] * 5 + [1, 2] * 3
    assert done == [0, 1, 1]


def test_what_is_not_worth_it_is_forgotten_and_so_is_what_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memo, "_MAX_ENTRIES", 10)
    memory, done = StageMemo(), list[Any]()

    def work(state: SlotView) -> Any:
        done.append(state["a"])
        return state["a"]

    for _ in range(2):
        memory.lookup_or_compute(
            "work", work, {"a": 1}.__getitem__, should_store=lambda result: result != 1
        )
    assert done == [1, 1]
    for number in range(11):
        memory.lookup_or_compute("much", work, {"a": number}.__getitem__)
    before = len(done)
    memory.lookup_or_compute("much", work, {"a": 10}.__getitem__)
    memory.lookup_or_compute("much", work, {"a": 0}.__getitem__)
    assert len(done) == before + 1
