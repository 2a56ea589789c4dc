"""State spaces in files: what was saved comes back number for number, and what is damaged is never believed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernel.test_exploration import counters, systems
from tests.kernel.test_going_on import arrays, assert_same
from volition.diagnostics import InputError
from volition.kernel import Choice, Component, Limits, Reaction, StateSpace, System, View, explore, explore_further
from volition.kernel.container import open_container, pieces_of
from volition.kernel.saving import open_space, pieces_of_space


def save(space: StateSpace, path: Path) -> None:
    content = b"".join(pieces_of_space(space, {"format": "test"}))
    path.unlink(missing_ok=True)  # what is mapped must not be written to
    path.write_bytes(content)


def code_of(error: InputError) -> str:
    (diagnostic,) = error.diagnostics
    return diagnostic.code


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spaces")


# --- round trips -------------------------------------------------------------------------------------------------------------


@given(system=systems(), states=st.none() | st.integers(0, 30))
@settings(max_examples=60)
def test_what_was_saved_comes_back(folder: Path, system: System, states: int | None) -> None:
    space = explore(system, limits=Limits(states=states))
    save(space, folder / "random.vsp")
    again = open_space(folder / "random.vsp").of(system)
    assert_same(space, again)
    assert (space.stopped, space.depth, space.reward_names) == (again.stopped, again.depth, again.reward_names)
    assert [space.values(state) for state in range(space.num_states)] == [again.values(state) for state in range(again.num_states)]
    assert [space.path_to(state) for state in range(space.num_states)] == [again.path_to(state) for state in range(again.num_states)]


@given(system=systems(), states=st.integers(0, 30))
@settings(max_examples=60)
def test_an_exploration_goes_on_from_a_file(folder: Path, system: System, states: int) -> None:
    save(explore(system, limits=Limits(states=states)), folder / "part.vsp")
    opened = open_space(folder / "part.vsp").of(system)
    assert_same(explore_further(opened), explore(system))


@given(system=systems(), states=st.integers(0, 30))
@settings(max_examples=40)
def test_a_space_is_saved_as_it_was_made(folder: Path, system: System, states: int) -> None:
    """The explorer behind it may have gone on since."""
    space = explore(system, limits=Limits(states=states))
    save(space, folder / "small.vsp")
    before = (folder / "small.vsp").read_bytes()
    again = open_space(folder / "small.vsp").of(system)
    explore_further(space)
    save(space, folder / "small.vsp")
    assert_same(open_space(folder / "small.vsp").of(system), again)
    save(again, folder / "twice.vsp")
    assert (folder / "twice.vsp").read_bytes() == before


def test_nothing_is_copied_from_the_file(tmp_path: Path) -> None:
    save(explore(counters(3, 9)), tmp_path / "counters.vsp")
    opened = open_space(tmp_path / "counters.vsp")
    space = opened.of(counters(3, 9))
    targets = opened.container.arrays["targets"]
    assert np.shares_memory(space.targets, targets)
    assert not targets.flags.writeable
    assert space.stats.state_bytes == 0  # what is mapped is not memory in use


# --- other systems -----------------------------------------------------------------------------------------------------------


def walker(step: int = 1, slot: str = "at", label: str = "go") -> System:
    def walk(view: View) -> list[Choice]:
        return [Choice(label, [(1, {slot: (view[slot] + step) % 5})])]

    return System({slot: 0}, [Component("walker", walk)])


@pytest.mark.parametrize("other", [walker(step=2), walker(slot="place"), walker(label="run")])
def test_another_system_is_noticed(tmp_path: Path, other: System) -> None:
    save(explore(walker()), tmp_path / "walker.vsp")
    with pytest.raises(InputError) as caught:
        open_space(tmp_path / "walker.vsp").of(other)
    assert code_of(caught.value) == "SPC005"


def test_a_system_that_fails_now_is_noticed(tmp_path: Path) -> None:
    def fail(view: View) -> Mapping[str, int]:
        return {"at": 1 // view["at"]}

    def stay(view: View) -> Mapping[str, int]:
        return {"at": view["at"]}

    save(explore(System(walker().slots, walker().components, reactions=[Reaction("stay", stay)])), tmp_path / "walker.vsp")
    with pytest.raises(InputError) as caught:
        open_space(tmp_path / "walker.vsp").of(System(walker().slots, walker().components, reactions=[Reaction("stay", fail)]))
    assert code_of(caught.value) == "SPC005"


# --- damaged files -----------------------------------------------------------------------------------------------------------


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
        return open_space(path).of(counters(2, 3))
    except InputError as error:
        return code_of(error)


def test_a_file_that_ends_early_is_refused(saved: tuple[Path, bytes]) -> None:
    path, content = saved
    path.write_bytes(content)
    sections = open_container(path).header["sections"]
    start = len(content) - max(each["offset"] + -(-each["count"] * int(each["type"][-1]) // 64) * 64 for each in sections)
    ends = {start + each["offset"] for each in sections} | set(range(200)) | {len(content) - 1}
    assert {believed(path, content[:end]) for end in ends | {end + 1 for end in ends if end + 1 < len(content)}} <= {"SPC001", "SPC003"}


def test_every_changed_byte_is_noticed_or_does_not_matter(saved: tuple[Path, bytes]) -> None:
    path, content = saved
    original = believed(path, content)
    assert isinstance(original, StateSpace)
    harmless = 0
    for place in range(0, len(content), 3):
        found = believed(path, content[:place] + bytes([content[place] ^ (1 << place % 8)]) + content[place + 1 :])
        if isinstance(found, StateSpace):
            assert content[place] == 0  # between two parts, or where nothing is said
            assert_same(found, original)
            harmless += 1
        else:
            assert found in ("SPC001", "SPC002", "SPC003")
    assert harmless < len(content) // 12


@pytest.mark.parametrize(("content", "code"), [(b"", "SPC001"), (b"MZ" * 500, "SPC001"), (b"volition space\r\n", "SPC003")])
def test_foreign_files_are_refused(tmp_path: Path, content: bytes, code: str) -> None:
    assert believed(tmp_path / "foreign.vsp", content) == code


def test_a_newer_file_is_refused(saved: tuple[Path, bytes]) -> None:
    path, content = saved
    assert believed(path, content[:16] + (2).to_bytes(4, "little") + content[20:]) == "SPC002"


@given(data=st.data())
@settings(max_examples=80)
def test_no_content_brings_the_kernel_down(saved: tuple[Path, bytes], data: st.DataObject) -> None:
    """Numbers that were changed by somebody who can compute checksums: refused, or read without harm."""
    path, content = saved
    path.unlink(missing_ok=True)
    path.write_bytes(content)
    container = open_container(path)
    header: dict[str, Any] = json.loads(json.dumps(container.header))
    parts = {name: array.copy() for name, array in container.arrays.items()}
    for _ in range(data.draw(st.integers(1, 3))):
        if data.draw(st.booleans()):
            name = data.draw(st.sampled_from(sorted(name for name in parts if len(parts[name]))))
            place = data.draw(st.integers(0, len(parts[name]) - 1))
            parts[name][place] = data.draw(st.sampled_from([0, 1, 2, 7, np.iinfo(parts[name].dtype).max]))
        else:
            name = data.draw(st.sampled_from(["states", "expanded", "words_per_state", "hit", "stopped", "values", "slots"]))
            header[name] = data.draw(st.sampled_from([None, 0, 1, 5, -1, 2**70, "many", [], {}, {"reason": "states", "text": "x"}]))
    found = believed(path, b"".join(pieces_of({name: value for name, value in header.items() if name != "sections"}, parts)))
    if isinstance(found, StateSpace):
        arrays(found)
        [found.values(state) for state in range(found.num_states)]
    else:
        assert found in ("SPC003", "SPC005")
