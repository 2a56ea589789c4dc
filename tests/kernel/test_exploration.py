"""The kernel against a naive explorer of the same systems, and its promises on limits, errors and
memory."""

from __future__ import annotations

import enum
import gc
import itertools
import os
import random
import signal
import time
import tracemalloc
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.reference import Row, State, explore_naively, written
from volition.kernel import (
    STUTTER,
    Choice,
    Component,
    KernelError,
    Limits,
    NoPredicate,
    Reaction,
    SlotView,
    StateSpace,
    System,
    explore,
)


def counters(number: int, size: int) -> System:
    """``number`` independent counters modulo ``size``: size ** number states."""

    def counter(name: str) -> Component:
        def step(state: SlotView) -> Sequence[Choice]:
            return [Choice(f"count {name}", [(1, {name: (state[name] + 1) % size})])]

        return Component(name, step)

    names = [f"c{i}" for i in range(number)]
    return System(dict.fromkeys(names, 0), [counter(name) for name in names])


# --- random systems -------------------------------------------------------------------------------

SLOTS = ("a", "b", "c", "d")


class Size(enum.IntEnum):
    NONE = 0
    ONE = 1


@dataclass(frozen=True)
class Box:
    content: Hashable
    note: str = field(default="", compare=False)


FAMILIES: Sequence[Sequence[Hashable]] = (
    (0, 1, 2),
    # Python says that these are equal; a program can tell them apart.
    (1, True, 1.0, Fraction(1), Size.ONE),
    (0.0, -0.0, 0, False),
    ((1,), (True,), (1.0,), (Fraction(1),)),
    (frozenset({1}), frozenset({True}), frozenset({(1.0,)}), frozenset({(1,)})),
    (
        Box(1),
        Box(True),
        Box((0.0,)),
        Box((-0.0,)),
        Box(Box(frozenset({1}))),
        Box(Box(frozenset({True}))),
    ),
)


@st.composite
def systems(draw: st.DrawFn) -> System:
    """Components that branch on slots they read, write others with probabilities, and reactions on
    some of it."""
    mode: Literal["interleaved", "synchronous"] = draw(
        st.sampled_from(["interleaved", "synchronous"])
    )
    seed = draw(st.integers(0, 2**32))
    values = draw(st.sampled_from(FAMILIES))
    # In a synchronous system every component owns slots of its own.
    owned = (
        [list(SLOTS)] * draw(st.integers(1, 3))
        if mode == "interleaved"
        else [["a", "b"], ["c"], ["d"]]
    )

    def component(index: int, writable: Sequence[str]) -> Component:
        def step(state: SlotView) -> Sequence[Choice]:
            path = random.Random(repr((seed, index)))
            read: list[Any] = []
            for _ in range(path.randint(0, 2)):
                read.append(state[path.choice(SLOTS)])
                path = random.Random(repr((seed, index, read)))
            return [
                _choice(path, index, k, writable, values) for k in range(path.choice([0, 1, 1, 2]))
            ]

        return Component(f"component {index}", step)

    def react(state: SlotView) -> dict[str, Hashable]:
        names = [repr(value) for value in values]
        return (
            {"d": values[(names.index(repr(state["d"])) + 1) % len(values)]}
            if repr(state["a"]) == names[0]
            else {}
        )

    reactions = [Reaction("tick", react)] if draw(st.booleans()) else []
    return System(
        dict.fromkeys(SLOTS, values[0]),
        [component(i, own) for i, own in enumerate(owned)],
        mode,
        reactions,
    )


def _choice(
    path: random.Random,
    index: int,
    number: int,
    writable: Sequence[str],
    values: Sequence[Hashable],
) -> Choice:
    weights = path.choice(
        [
            [Fraction(1)],
            [Fraction(1, 4), Fraction(3, 4)],
            [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)],
        ]
    )
    outcomes = [
        (
            w,
            {
                slot: path.choice(values)
                for slot in path.sample(writable, path.randint(0, len(writable)))
            },
        )
        for w in weights
    ]
    label, aside = path.choice(
        [(None, False), (f"choice {index}.{number}", False), (f"aside {index}.{number}", True)]
    )
    return Choice(
        label,
        outcomes,
        path.choice([{}, {"cost": 2.0}]),
        triggers_reactions=path.random() < 0.7,
        label_if_alone=aside,
    )


def as_rows(space: StateSpace) -> dict[State, list[Row]]:
    """The space in the form of the naive explorer."""
    keys = [written(space.values(state)) for state in range(space.num_states)]
    costs = space.choice_rewards("cost")
    rows: dict[State, list[Row]] = {}
    for state, key in enumerate(keys):
        rows[key] = []
        for choice in range(space.first_choice[state], space.first_choice[state + 1]):
            transitions = range(space.first_transition[choice], space.first_transition[choice + 1])
            distribution = [
                (keys[space.targets[t]], space.weights[space.weight_ids[t]]) for t in transitions
            ]
            earned = (("cost", float(costs[choice])),) if costs[choice] else ()
            rows[key].append((space.label(choice), tuple(sorted(distribution, key=repr)), earned))
    return rows


@settings(max_examples=80, deadline=None)
@given(systems())
def test_same_state_space_as_the_naive_explorer(system: System) -> None:
    space = explore(system)
    naive = explore_naively(system)
    assert space.complete
    assert written(space.values(0)) == naive.initial
    assert as_rows(space) == naive.rows


@settings(max_examples=50, deadline=None)
@given(systems())
def test_purity_check_accepts_pure_systems_and_changes_nothing(system: System) -> None:
    assert as_rows(explore(system, check_purity=True)) == as_rows(explore(system))


@settings(max_examples=50, deadline=None)
@given(systems())
def test_predicates_and_paths(system: System) -> None:
    space = explore(system)
    some = repr(system.slots["a"])
    holds = space.holds(lambda s: repr(s["a"]) != some or repr(s["b"]) == some)
    ids, values = space.column("a")
    for state in range(space.num_states):
        view = space.values(state)
        assert holds[state] == (repr(view["a"]) != some or repr(view["b"]) == some)
        assert values[ids[state]] is view["a"]
        states, choices = space.path_to(state)
        assert states[0] == 0
        assert states[-1] == state
        for here, choice, there in zip(states, choices, states[1:], strict=False):
            assert space.first_choice[here] <= choice < space.first_choice[here + 1]
            assert (
                there
                in space.targets[
                    space.first_transition[choice] : space.first_transition[choice + 1]
                ]
            )


def chain(*values: Hashable) -> System:
    """A walk through values, the last of which stays."""
    following = {repr(value): after for value, after in itertools.pairwise(values)}

    def step(state: SlotView) -> Sequence[Choice]:
        here = repr(state["x"])
        return [Choice("go", [(1, {"x": following[here]})])] if here in following else []

    return System({"x": values[0]}, [Component("walker", step)])


@pytest.mark.parametrize("values", [(True, 2, 1, 3), (0.0, 5, -0.0, 6), *FAMILIES], ids=str)
def test_equal_values_that_are_not_the_same_are_different_states(
    values: Sequence[Hashable],
) -> None:
    space = explore(chain(*values))
    assert [repr(space.value(state, "x")) for state in range(space.num_states)] == [
        repr(value) for value in values
    ]


def test_fields_that_a_class_does_not_compare_make_no_new_states() -> None:
    notes = iter(range(10**6))

    def step(state: SlotView) -> Sequence[Choice]:
        return [
            Choice("go", [(1, {"x": Box((1 - state["x"].content[0],), note=str(next(notes)))})])
        ]

    assert explore(System({"x": Box((0,))}, [Component("walker", step)])).num_states == 2


@pytest.mark.parametrize(
    "value", [float("nan"), (1, float("nan")), frozenset({Box(float("nan"))})], ids=repr
)
def test_what_is_not_equal_to_itself_is_no_value(value: Hashable) -> None:
    with pytest.raises(
        KernelError, match=r"component 'walker', choice go writes NaN.* to slot 'x'"
    ):
        explore(chain(1, value))
    with pytest.raises(KernelError, match="the initial value of slot 'x' is NaN"):
        explore(chain(value, 1))


def test_labels_that_are_equal_but_not_the_same_stay_apart() -> None:
    labels = (True, 1, 1.0)
    space = explore(one(lambda s: [Choice(label, [(1, {"x": s["x"]})]) for label in labels]))
    assert [repr(space.label(choice)) for choice in range(space.num_choices)] == [
        "True",
        "1",
        "1.0",
    ]


# --- functions that look at the space while they are traced ---------------------------------------


def test_a_traced_function_may_evaluate_others_on_the_same_space() -> None:
    space = explore(counters(2, 5))

    def larger_than_average(view: SlotView) -> bool:
        average = space.evaluate(lambda other: other["c0"]).mean()
        return bool(view["c1"] > average)

    def rank(view: SlotView) -> int:
        """Reads its own state inside of the other function."""
        return int(space.holds(lambda other: other["c0"] < view["c1"]).sum())

    expected = [space.value(state, "c1") for state in range(space.num_states)]
    assert space.holds(larger_than_average).tolist() == [value > 2 for value in expected]
    assert space.evaluate(rank).tolist() == [5 * value for value in expected]


def test_a_view_is_over_when_its_function_has_answered() -> None:
    kept: list[SlotView] = []

    def step(state: SlotView) -> Sequence[Choice]:
        kept.append(state)
        return [Choice("go", [(1, {"x": (state["x"] + kept[0]["x"]) % 3 + 1})])]

    with pytest.raises(
        KernelError, match="component 'walker' used its view of a state after it had returned"
    ):
        explore(one(step))


# --- how much Python, how much memory -------------------------------------------------------------


def test_python_runs_once_per_distinct_reading() -> None:
    space = explore(counters(4, 7))
    assert space.num_states == 7**4
    assert space.stats.python_calls == 4 * 7


def test_states_are_packed() -> None:
    space = explore(counters(6, 8))
    stats = space.stats
    assert stats.states == 8**6
    assert stats.state_bits == 6 * 3
    assert stats.bytes_per_state <= 2 * stats.state_bits / 8 + 16


def queues(length: int) -> System:
    """Each state is a queue of its own, as of an agent that is sent messages."""

    def step(state: SlotView) -> Sequence[Choice]:
        queue = state["queue"]
        return (
            [Choice(f"put {k}", [(1, {"queue": (*queue, ("message", k))})]) for k in range(2)]
            if len(queue) < length
            else []
        )

    return System({"queue": ()}, [Component("sender", step)])


def test_the_values_of_slots_count_as_memory() -> None:
    explore(queues(3))
    gc.collect()
    tracemalloc.start()
    try:
        space = explore(queues(11))
        gc.collect()
        measured, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    packed = sum(
        array.nbytes
        for array in (
            space.first_choice,
            space.first_transition,
            space.targets,
            space.weight_ids,
            space.label_ids,
        )
    )
    assert space.num_states == 2**12 - 1
    # Python's own count does not see what the native part has allocated, of which the arrays are a
    # part.
    assert measured < space.stats.total_bytes < 2 * (measured + packed + space.stats.state_bytes)


def test_the_memory_limit_holds_for_values() -> None:
    limit = 4_000_000
    space = explore(queues(18), limits=Limits(bytes=limit))
    assert space.stopped is not None
    assert space.stopped.reason == "memory"
    assert limit < space.stats.total_bytes < 1.5 * limit


def test_slots_widen_while_states_are_stored() -> None:
    """A slot that keeps getting new values is repacked again and again, across words."""
    names = [f"n{i}" for i in range(12)]

    def step(state: SlotView) -> Sequence[Choice]:
        count = state["n0"]
        return (
            [
                Choice(
                    "grow",
                    [
                        (
                            1,
                            {
                                name: f"{name}:{count + 1}" if name != "n0" else count + 1
                                for name in names
                            },
                        )
                    ],
                )
            ]
            if count < 3000
            else []
        )

    space = explore(
        System(
            {name: 0 if name == "n0" else f"{name}:0" for name in names},
            [Component("grower", step)],
        )
    )
    assert space.num_states == 3001
    assert [space.value(state, "n7") for state in (0, 1234, 3000)] == ["n7:0", "n7:1234", "n7:3000"]


def test_arrays_are_not_copied_and_read_only() -> None:
    space = explore(counters(3, 4))
    assert not space.targets.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        space.targets[0] = 1


def test_arrays_outlive_the_space() -> None:
    targets = explore(counters(3, 4)).targets
    assert targets.max() == 4**3 - 1


# --- terminal states, limits, interruption --------------------------------------------------------


def test_terminal_states_stutter() -> None:
    space = explore(
        System(
            {"x": 0},
            [Component("c", lambda s: [Choice("go", [(1, {"x": 1})])] if s["x"] == 0 else [])],
        )
    )
    assert space.terminal.tolist() == [False, True]
    assert space.label(int(space.first_choice[1])) is STUTTER
    assert space.num_choices == 2


def test_a_system_may_name_standing_still() -> None:
    """Then it is a step like any other: the state is not terminal, and nobody moves."""
    door = Component(
        "door", lambda view: [Choice("open", [(1, {"open": True})])] if not view["open"] else []
    )
    space = explore(System({"open": False}, [door], stutter="wait"))
    assert [space.label(choice) for choice in range(space.num_choices)] == ["open", "wait"]
    assert space.targets.tolist() == [1, 1]
    assert space.component_ids[1] >= len(space.system.components)
    assert not space.terminal.any()
    assert explore(System({"open": False}, [door])).terminal.tolist() == [False, True]


def test_what_none_of_several_predicates_says() -> None:
    def step(view: SlotView) -> list[Choice]:
        return [Choice("next", [(1, {"n": view["n"] + 1})])] if view["n"] < 5 else []

    space = explore(System({"n": 0}, [Component("counter", step)]))
    small, large = lambda view: view["n"] < 2, lambda view: view["n"] > 3
    assert space.holds(NoPredicate([small, large])).tolist() == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]
    assert [NoPredicate([small, large])({"n": n}) for n in range(6)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(states=100), "states"),
        (Limits(bytes=100_000), "memory"),
        (Limits(seconds=0.0), "seconds"),
    ],
)
def test_limits_give_partial_spaces_that_say_so(limits: Limits, reason: str) -> None:
    space = explore(counters(6, 10), limits=limits)
    assert not space.complete
    assert space.stopped is not None
    assert space.stopped.reason == reason
    assert "not explored" in space.stopped.text
    assert space.num_expanded < space.num_states < 10**6
    assert len(space.first_choice) == space.num_states + 1
    assert (np.diff(space.first_choice)[space.num_expanded :] == 0).all()


def test_limits_are_looked_at_by_time_not_by_states() -> None:
    def step(state: SlotView) -> Sequence[Choice]:
        time.sleep(0.05)
        return [Choice("go", [(1, {"x": state["x"] + 1})])]

    space = explore(one(step), limits=Limits(seconds=0.2))
    assert space.num_states < 40, "each of them takes its time"
    assert space.stopped is not None
    assert space.stopped.reason == "seconds"


def test_limits_are_looked_at_inside_of_one_state() -> None:
    """One joint step of many components has 2^40 combinations."""

    def flip(name: str) -> Component:
        return Component(
            name,
            lambda _: [Choice(name, [(Fraction(1, 2), {name: 0}), (Fraction(1, 2), {name: 1})])],
        )

    names = [f"coin {k}" for k in range(40)]
    coins = System(dict.fromkeys(names, 0), [flip(name) for name in names], "synchronous")
    for limits, reason in ((Limits(seconds=0.3), "seconds"), (Limits(bytes=50_000_000), "memory")):
        space = explore(coins, limits=limits)
        assert space.stopped is not None
        assert space.stopped.reason == reason
        assert (space.num_states, space.num_expanded) == (1, 0)


def test_a_state_is_stored_with_all_its_choices_or_not_at_all() -> None:
    """The search for a state ends in the middle of the successors of one."""

    def odd(view: SlotView) -> bool:
        if view["c1"] == 1:
            raise KeyboardInterrupt
        return False

    space = explore(counters(2, 5), stop_when=odd)
    assert space.stopped is not None
    assert space.stopped.reason == "interrupted"
    assert (space.num_states, space.num_expanded) == (1, 0)


def test_a_limit_that_is_not_exceeded_changes_nothing() -> None:
    assert explore(counters(2, 5), limits=Limits(states=25, bytes=10**9, seconds=1000.0)).complete


def test_stop_when_finds_a_nearest_state() -> None:
    space = explore(counters(3, 50), stop_when=lambda s: s["c0"] >= 1 and s["c1"] == 2)
    assert space.stopped is not None
    assert space.stopped.reason == "stop_condition"
    assert space.stop_state is not None
    assert (
        space.value(space.stop_state, "c0"),
        space.value(space.stop_state, "c1"),
        space.value(space.stop_state, "c2"),
    ) == (1, 2, 0)
    assert len(space.path_to(space.stop_state)[1]) == 3
    assert space.num_states < 200


def test_stop_when_holds_in_the_initial_state() -> None:
    space = explore(counters(3, 50), stop_when=lambda s: s["c0"] == 0)
    assert space.stop_state == 0
    assert space.num_expanded == 0


def test_control_c_during_native_work_ends_politely() -> None:
    reports = 0

    def interrupt(_: object) -> None:
        nonlocal reports
        reports += 1
        if reports == 2:
            os.kill(os.getpid(), signal.SIGINT)

    space = explore(counters(7, 10), progress=interrupt)
    assert space.stopped is not None
    assert space.stopped.reason == "interrupted"
    assert 0 < space.num_expanded < 10**7


def test_control_c_inside_a_component_ends_politely() -> None:
    def step(state: SlotView) -> Sequence[Choice]:
        if state["x"] == 5:
            raise KeyboardInterrupt
        return [Choice("go", [(1, {"x": state["x"] + 1})])]

    space = explore(System({"x": 0}, [Component("c", step)]))
    assert space.stopped is not None
    assert space.stopped.reason == "interrupted"
    assert (space.num_states, space.num_expanded) == (6, 5)


def test_progress_is_reported() -> None:
    seen: list[int] = []
    explore(counters(3, 10), progress=lambda progress: seen.append(progress.states))
    assert seen


# --- errors ---------------------------------------------------------------------------------------


def one(step: Any, slots: dict[str, Hashable] | None = None) -> System:
    return System(slots or {"x": 0}, [Component("walker", step)])


def test_probabilities_must_sum_to_one() -> None:
    with pytest.raises(KernelError, match=r"component 'walker', choice go: .* sum to 9/10"):
        explore(one(lambda _: [Choice("go", [(Fraction(1, 2), {"x": 1}), (Fraction(2, 5), {})])]))
    with pytest.raises(KernelError, match="sum to"):
        explore(one(lambda _: [Choice("go", [(0.5, {"x": 1}), (0.4, {})])]))
    assert (
        explore(
            one(lambda _: [Choice("go", [(0.1, {"x": 1}), (0.2, {"x": 2}), (0.7, {})])])
        ).num_states
        == 3
    )


def test_negative_probabilities_are_refused() -> None:
    with pytest.raises(KernelError, match="negative"):
        explore(one(lambda _: [Choice("go", [(Fraction(3, 2), {"x": 1}), (Fraction(-1, 2), {})])]))


def test_outcomes_of_probability_zero_are_left_out() -> None:
    assert explore(one(lambda _: [Choice("go", [(1, {}), (0, {"x": 1})])])).num_states == 1


def test_unknown_slots_are_named() -> None:
    with pytest.raises(KernelError, match="'y'"):
        explore(one(lambda _: [Choice("go", [(1, {"y": 1})])]))
    with pytest.raises(KernelError, match="unknown slot 'y'; the slots are x"):
        explore(one(lambda s: [Choice("go", [(1, {"x": s["y"]})])]))


def test_two_writers_of_one_slot_are_named() -> None:
    def writer(name: str, value: int) -> Component:
        return Component(name, lambda _: [Choice(name, [(1, {"x": value})])])

    with pytest.raises(
        KernelError, match="component 'left' and component 'right' both write slot 'x'"
    ):
        explore(System({"x": 0}, [writer("left", 1), writer("right", 2)], "synchronous"))


def test_impure_components_are_found_in_debug_mode() -> None:
    calls = iter(range(10**6))
    system = System(
        {"x": 0, "y": 0},
        [
            Component("honest", lambda s: [Choice("go", [(1, {"x": (s["x"] + 1) % 3})])]),
            Component("moody", lambda _: [Choice(f"mood {next(calls)}", [(1, {"y": 1})])]),
        ],
    )
    assert explore(system).num_states == 6
    with pytest.raises(KernelError, match="component 'moody' is not pure"):
        explore(system, check_purity=True)


def test_impure_components_are_found_where_no_two_states_give_them_the_same_to_read() -> None:
    calls = iter(range(10**6))
    with pytest.raises(
        KernelError,
        match="component 'walker' is not pure: called twice on the same state, it returned "
        "different results",
    ):
        explore(
            one(lambda s: [Choice("go", [(1, {"x": (s["x"] + next(calls)) % 5})])]),
            check_purity=True,
        )


unfit: Any = [1]
wordy: Any = "half"


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (lambda _: None, "component 'walker' returned None instead of a list of choices"),
        (
            lambda _: [Choice("go", [(1, {"x": unfit})])],
            r"choice go writes an unhashable value to slot 'x': \[1\]",
        ),
        (
            lambda _: [Choice("go", [(wordy, {})])],
            "choice go: the probability 'half' is not a number",
        ),
    ],
)
def test_what_a_component_may_not_give(step: Callable[[SlotView], Any], message: str) -> None:
    with pytest.raises(KernelError, match=message):
        explore(one(step))


def test_initial_values_are_hashable() -> None:
    with pytest.raises(KernelError, match=r"the initial value of slot 'x' is unhashable: \[1\]"):
        explore(System({"x": unfit}, []))


def test_reading_past_the_known_path_is_impure() -> None:
    """A function whose reads depend on something else than the state is found even without the
    debug mode."""
    calls = iter(range(10**6))

    def step(state: SlotView) -> Sequence[Choice]:
        slot = "x" if next(calls) % 2 == 0 else "y"
        return [Choice("go", [(1, {slot: (state[slot] + 1) % 5})])]

    with pytest.raises(
        KernelError,
        match="it read another slot than the last time, although it saw the same values",
    ):
        explore(one(step, {"x": 0, "y": 0}))


def test_errors_of_components_reach_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        explore(one(lambda s: [Choice("go", [(1, {"x": 1 // s["x"]})])]))
