"""State spaces in files: what was saved comes back number for number, and what is damaged is never
believed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.saved_spaces import content_in
from tests.kernel.test_exploration import counters, systems
from tests.kernel.test_resuming import arrays, assert_same
from volition.diagnostics import InputError
from volition.kernel import (
    Choice,
    Component,
    Limits,
    Reaction,
    SlotView,
    StateSpace,
    System,
    _native,
    explore,
    explore_further,
)
from volition.kernel.array_file import encode, open_array_file
from volition.kernel.snapshot import encode_space, open_saved_space


def save(space: StateSpace, path: Path) -> None:
    content = b"".join(encode_space(space, {"format": "test"}))
    path.unlink(missing_ok=True)  # what is mapped must not be written to
    path.write_bytes(content)


def code_of(error: InputError) -> str:
    (diagnostic,) = error.diagnostics
    return diagnostic.code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spaces")


# --- round trips ----------------------------------------------------------------------------------


@given(system=systems(), states=st.none() | st.integers(0, 30))
@settings(max_examples=60)
def test_what_was_saved_comes_back(folder: Path, system: System, states: int | None) -> None:
    space = explore(system, limits=Limits(states=states))
    save(space, folder / "random.vsp")
    again = open_saved_space(folder / "random.vsp").attach_system(system)
    assert_same(space, again)
    assert (space.stopped, space.depth, space.reward_names) == (
        again.stopped,
        again.depth,
        again.reward_names,
    )
    assert [space.values(state) for state in range(space.num_states)] == [
        again.values(state) for state in range(again.num_states)
    ]
    assert [space.path_to(state) for state in range(space.num_states)] == [
        again.path_to(state) for state in range(again.num_states)
    ]


@given(system=systems(), states=st.integers(0, 30))
@settings(max_examples=60)
def test_an_exploration_goes_on_from_a_file(folder: Path, system: System, states: int) -> None:
    save(explore(system, limits=Limits(states=states)), folder / "part.vsp")
    opened = open_saved_space(folder / "part.vsp").attach_system(system)
    assert_same(explore_further(opened), explore(system))


@given(system=systems(), states=st.integers(0, 30))
@settings(max_examples=40)
def test_a_space_is_saved_as_it_was_made(folder: Path, system: System, states: int) -> None:
    """The explorer behind it may have gone on since."""
    space = explore(system, limits=Limits(states=states))
    save(space, folder / "small.vsp")
    before = (folder / "small.vsp").read_bytes()
    again = open_saved_space(folder / "small.vsp").attach_system(system)
    explore_further(space)
    save(space, folder / "small.vsp")
    assert_same(open_saved_space(folder / "small.vsp").attach_system(system), again)
    save(again, folder / "twice.vsp")
    assert (folder / "twice.vsp").read_bytes() == before


def test_nothing_is_copied_from_the_file(tmp_path: Path) -> None:
    save(explore(counters(3, 9)), tmp_path / "counters.vsp")
    opened = open_saved_space(tmp_path / "counters.vsp")
    space = opened.attach_system(counters(3, 9))
    targets = opened.container.arrays["targets"]
    assert np.shares_memory(space.targets, targets)
    assert not targets.flags.writeable
    assert space.stats.state_bytes == 0  # what is mapped is not memory in use


# --- other systems --------------------------------------------------------------------------------


def walker(step: int = 1, slot: str = "at", label: str = "go") -> System:
    def walk(view: SlotView) -> list[Choice]:
        return [Choice(label, [(1, {slot: (view[slot] + step) % 5})])]

    return System({slot: 0}, [Component("walker", walk)])


@pytest.mark.parametrize("other", [walker(step=2), walker(slot="place"), walker(label="run")])
def test_another_system_is_noticed(tmp_path: Path, other: System) -> None:
    save(explore(walker()), tmp_path / "walker.vsp")
    with pytest.raises(InputError) as caught:
        open_saved_space(tmp_path / "walker.vsp").attach_system(other)
    assert code_of(caught.value) == "SPC005"


def test_a_system_that_fails_now_is_noticed(tmp_path: Path) -> None:
    def fail(view: SlotView) -> Mapping[str, int]:
        return {"at": 1 // view["at"]}

    def stay(view: SlotView) -> Mapping[str, int]:
        return {"at": view["at"]}

    save(
        explore(System(walker().slots, walker().components, reactions=[Reaction("stay", stay)])),
        tmp_path / "walker.vsp",
    )
    with pytest.raises(InputError) as caught:
        open_saved_space(tmp_path / "walker.vsp").attach_system(
            System(walker().slots, walker().components, reactions=[Reaction("stay", fail)])
        )
    assert code_of(caught.value) == "SPC005"


# --- damaged files --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def saved(folder: Path) -> tuple[Path, bytes]:
    path = folder / "whole.vsp"
    save(explore(counters(2, 3)), path)
    return folder / "damaged.vsp", path.read_bytes()


def believed(path: Path, content: bytes) -> StateSpace | str:
    """The space in such a file, or the code of what is wrong with it."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    try:
        return open_saved_space(path).attach_system(counters(2, 3))
    except InputError as error:
        return code_of(error)


def test_a_file_that_ends_early_is_refused(saved: tuple[Path, bytes]) -> None:
    path, content = saved
    path.write_bytes(content)
    sections = open_array_file(path).header["sections"]
    start = len(content) - max(
        each["offset"] + -(-each["count"] * int(each["type"][-1]) // 64) * 64 for each in sections
    )
    ends = {start + each["offset"] for each in sections} | set(range(200)) | {len(content) - 1}
    assert {
        believed(path, content[:end])
        for end in ends | {end + 1 for end in ends if end + 1 < len(content)}
    } <= {"SPC001", "SPC003"}


def test_every_changed_byte_is_noticed_or_does_not_matter(saved: tuple[Path, bytes]) -> None:
    path, content = saved
    original = believed(path, content)
    assert isinstance(original, StateSpace)
    harmless = 0
    for index in range(0, len(content), 3):
        found = believed(
            path,
            content[:index] + bytes([content[index] ^ (1 << index % 8)]) + content[index + 1 :],
        )
        if isinstance(found, StateSpace):
            assert content[index] == 0  # between two parts, or where nothing is said
            assert_same(found, original)
            harmless += 1
        else:
            assert found in ("SPC001", "SPC002", "SPC003")
    assert harmless < len(content) // 12


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "SPC001"), (b"MZ" * 500, "SPC001"), (b"volition space\r\n", "SPC003")],
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, code: str) -> None:
    assert believed(tmp_path / "foreign.vsp", content) == code


@pytest.mark.parametrize("version", [1, 3])
def test_a_file_of_another_version_is_refused(saved: tuple[Path, bytes], version: int) -> None:
    path, content = saved
    other = content[:16] + version.to_bytes(4, "little") + content[20:]
    assert believed(path, other) == "SPC002"


@given(data=st.data())
@settings(max_examples=80)
def test_no_content_brings_the_kernel_down(saved: tuple[Path, bytes], data: st.DataObject) -> None:
    """Numbers that were changed by somebody who can compute checksums: refused, or read without
    harm."""
    path, content = saved
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    container = open_array_file(path)
    header: dict[str, Any] = json.loads(json.dumps(container.header))
    parts = {name: array.copy() for name, array in container.arrays.items()}
    for _ in range(data.draw(st.integers(1, 3))):
        if data.draw(st.booleans()):
            name = data.draw(st.sampled_from(sorted(name for name in parts if len(parts[name]))))
            index = data.draw(st.integers(0, len(parts[name]) - 1))
            parts[name][index] = data.draw(
                st.sampled_from([0, 1, 2, 7, np.iinfo(parts[name].dtype).max])
            )
        else:
            name = data.draw(
                st.sampled_from(
                    [
                        "states",
                        "expanded",
                        "words_per_state",
                        "stop_state",
                        "stopped",
                        "values",
                        "slots",
                    ]
                )
            )
            header[name] = data.draw(
                st.sampled_from(
                    [None, 0, 1, 5, -1, 2**70, "many", [], {}, {"reason": "states", "text": "x"}]
                )
            )
    found = believed(
        path,
        b"".join(
            encode({name: value for name, value in header.items() if name != "sections"}, parts)
        ),
    )
    if isinstance(found, StateSpace):
        arrays(found)
        [found.values(state) for state in range(found.num_states)]
    else:
        assert found in ("SPC003", "SPC005")


# --- forged files ---------------------------------------------------------------------------------
# Each with checksums that are right: only what the content says can be wrong.

Arrays = dict[str, npt.NDArray[Any]]
Forgery = Callable[[dict[str, Any], Arrays], object]


def forged(
    system: System, path: Path, change: Forgery, limits: Limits | None = None
) -> StateSpace | str:
    """The space in a file that was changed, or the code of what is wrong with it."""
    save(explore(system, limits=limits), path)
    content = content_in(path.read_bytes())
    change(content.header, content.arrays)
    path.unlink()
    path.write_bytes(content.written())
    try:
        return open_saved_space(path).attach_system(system)
    except InputError as error:
        return code_of(error)


def test_no_slots_and_no_words_are_refused(tmp_path: Path) -> None:
    """A division by zero."""

    def change(header: dict[str, Any], arrays: Arrays) -> None:
        header["words_per_state"], arrays["states"] = 0, arrays["states"][:0]

    nothing = System({}, [Component("idle", lambda _: [])])
    assert isinstance(forged(nothing, tmp_path / "nothing.vsp", lambda *_: None), StateSpace)
    assert forged(nothing, tmp_path / "nothing.vsp", change) == "SPC003"


def test_empty_slot_arrays_are_refused(tmp_path: Path) -> None:
    """A read beyond the values of the slots."""
    empty = dict.fromkeys(("slot_bits", "slot_first_bits"), np.zeros(0, dtype=np.uint32))
    assert (
        forged(counters(2, 3), tmp_path / "slots.vsp", lambda _, arrays: arrays.update(empty))
        == "SPC003"
    )


@pytest.mark.parametrize(
    "name",
    [
        "signature_labels",
        "signature_rewards",
        "signature_components",
        "signature_transitions",
        "signature_weights",
    ],
)
def test_shorter_kinds_are_refused(tmp_path: Path, name: str) -> None:
    """A read beyond the end of an array."""
    path = tmp_path / "kinds.vsp"
    assert (
        forged(counters(2, 3), path, lambda _, arrays: arrays.update({name: arrays[name][:-1]}))
        == "SPC003"
    )


def with_kinds(change: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Forgery:
    return lambda _, arrays: arrays.update(choice_signatures=change(arrays["choice_signatures"]))


@pytest.mark.parametrize("dtype", ["<u2", "<u4"])
def test_wider_kinds_of_choices_are_read_as_they_are(tmp_path: Path, dtype: str) -> None:
    wider = forged(
        counters(2, 3), tmp_path / "wide.vsp", with_kinds(lambda kinds: kinds.astype(dtype))
    )
    assert isinstance(wider, StateSpace)
    assert_same(wider, explore(counters(2, 3)))


@pytest.mark.parametrize("dtype", ["<u8", "<i4", "<f8", "<u2"])
def test_kinds_of_choices_of_another_type_are_refused(tmp_path: Path, dtype: str) -> None:
    """They were read as fewer choices than there are."""
    change = with_kinds(
        lambda kinds: (
            kinds[: len(kinds) // 8 * 8].view(dtype) if dtype == "<u2" else kinds.astype(dtype)
        )
    )
    assert forged(counters(2, 3), tmp_path / "wide.vsp", change) == "SPC003"


@pytest.mark.parametrize(
    "name", ["states", "expanded", "choices", "transitions", "words_per_state", "stop_state"]
)
@pytest.mark.parametrize("value", [-1, 0, True, 1.0, 2**32, 2**63, 2**64 + 1, "1", [1]])
def test_wrong_counts_are_refused(tmp_path: Path, name: str, value: object) -> None:
    assert (
        forged(
            counters(2, 3), tmp_path / "counts.vsp", lambda header, _: header.update({name: value})
        )
        == "SPC003"
    )


def test_states_that_find_each_other_are_refused(tmp_path: Path) -> None:
    """A path to such a state has no beginning."""

    def change(_: dict[str, Any], arrays: Arrays) -> None:
        arrays["targets"] = np.array([0, 2, 1, 3, 4], dtype=np.uint32)

    assert forged(walker(), tmp_path / "circle.vsp", change) == "SPC003"


def test_states_that_are_there_twice_are_refused(tmp_path: Path) -> None:
    """A table of states that are all the same is as slow as a list."""

    def change(_: dict[str, Any], arrays: Arrays) -> None:
        arrays["states"][2:] = arrays["states"][1]

    assert forged(walker(), tmp_path / "twice.vsp", change) == "SPC003"


def test_probabilities_that_do_not_sum_to_one_are_refused(tmp_path: Path) -> None:
    """Value iteration with such probabilities need not end."""

    def toss(view: SlotView) -> list[Choice]:
        return (
            [Choice("toss", [(Fraction(1, 4), {"up": True}), (Fraction(3, 4), {"up": False})])]
            if not view["up"]
            else []
        )

    def change(_: dict[str, Any], arrays: Arrays) -> None:
        arrays["signature_weights"][:2] = arrays["signature_weights"][:2].max()

    assert (
        forged(System({"up": False}, [Component("coin", toss)]), tmp_path / "coin.vsp", change)
        == "SPC003"
    )


@pytest.mark.parametrize(("how", "texts"), [(0, "labels"), (1, "weights")])
def test_what_doubles_in_the_replay_log_is_refused(tmp_path: Path, how: int, texts: str) -> None:
    """Sixty combinations of the last label, or probability, with itself would fill any memory."""

    def toss(_: SlotView) -> list[Choice]:
        return [Choice("toss", [(Fraction(1, 3), {"up": True}), (Fraction(2, 3), {"up": False})])]

    def change(header: dict[str, Any], arrays: Arrays) -> None:
        first = len(header[texts])
        entries = [(2**31 + how, 1, first + step - 1, first + step - 1) for step in range(60)]
        arrays["replay_log"] = np.concatenate(
            [arrays["replay_log"], np.array(entries, dtype=np.uint32).reshape(-1)]
        )
        header[texts] += ["x"] * 60

    assert (
        forged(
            System({"up": False}, [Component("coin", toss)]), tmp_path / "replay_log.vsp", change
        )
        == "SPC005"
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: arrays.update(slot_bits=arrays["slot_bits"][:-1]),
        lambda arrays: arrays.update(
            slot_bits=arrays["slot_bits"][:0], slot_first_bits=arrays["slot_first_bits"][:0]
        ),
        lambda arrays: arrays.update(slot_first_bits=arrays["slot_first_bits"] + np.uint32(2**20)),
        lambda arrays: arrays.update(signature_rewards=arrays["signature_rewards"][:-1]),
        lambda arrays: arrays.update(signature_transitions=arrays["signature_transitions"][:-1]),
        lambda arrays: arrays.update(signature_weights=arrays["signature_weights"][:-1]),
        lambda arrays: arrays.update(first_choice=arrays["first_choice"][:-1]),
        lambda arrays: arrays.update(first_transition_blocks=arrays["first_transition_blocks"][:0]),
        lambda arrays: arrays.update(
            choice_signatures=arrays["choice_signatures"].astype(np.uint64)
        ),
        lambda arrays: arrays.update(targets=arrays["targets"].astype(np.int64)),
        lambda arrays: arrays.update(states=arrays["states"][:-1]),
        lambda arrays: arrays.pop("targets"),
    ],
)
def test_native_code_checks_arrays_by_itself(change: Callable[[Arrays], object]) -> None:
    """It does not rely on the checks in Python."""
    space = explore(counters(2, 3))
    tracer, arrays = space._tracer, dict(_native.export_arrays(space._native))
    change(arrays)
    explorer = _native.Explorer(
        2, len(space.system.components), 0, synchronous=False, max_states=1000
    )
    try:
        accepted = _native.import_arrays(
            explorer,
            arrays,
            words=1,
            states=space.num_states,
            expanded=space.num_expanded,
            labels=len(tracer.labels.objects),
            weights=len(tracer.weights.objects),
            rewards=len(tracer.rewards.objects),
            components=len(space.system.components),
            values=[len(values.objects) for values in tracer.values],
            stop_state=None,
        )
    except (TypeError, KeyError):
        accepted = False
    assert not accepted


def test_indices_that_do_not_exist_are_refused() -> None:
    native = explore(walker())._native
    for call in (
        lambda: native.value(5, 0),
        lambda: native.value(0, 1),
        lambda: native.column(1, 5),
        lambda: native.column(0, 6),
        lambda: native.signature_weights(1000),
        lambda: native.read((False, 5), 0),
        lambda: native.read((True, 0), 7),
    ):
        with pytest.raises(IndexError):
            call()
