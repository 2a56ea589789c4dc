"""Several threads find what one finds, number for number; the size from which on they work is made
small to be met."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

import volition
from tests.kernel.same_arrays import same
from volition.cli import main
from volition.kernel import Choice, Component, Limits, System, exploration, explore, explore_further

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = [
    "can/smart_manufacturing.can",
    "can/rover.can",
    "agentspeak/auction_repaired",
    "lisa/vessel_mdp",
]


@pytest.fixture(autouse=True)
def _few_states_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "PARALLEL_THRESHOLD", 4)


@pytest.mark.parametrize("path", PROGRAMS)
@pytest.mark.parametrize("states", [None, 700])
def test_a_program_has_the_same_states_whatever_the_number_of_threads(
    path: str, states: int | None
) -> None:
    system = volition.load(EXAMPLES / path).model().system
    alone = explore(system, limits=Limits(states=states or 30_000, jobs=1))
    together = explore(system, limits=Limits(states=states or 30_000, jobs=3))
    assert alone.num_states > 100
    assert same(alone, together)


def counters(size: int) -> System:
    """Five counters that run in circles, one step at a time, each with a chance to fall back to its
    beginning."""

    def counter(index: int) -> Component:
        name = f"c{index}"

        def step(view: volition.kernel.SlotView) -> list[Choice]:
            value = view[name]
            return [
                Choice(
                    f"{name} {value}",
                    [(0.75, {name: (value + 1) % size}), (0.25, {name: 0})],
                    rewards={"steps": 1},
                )
            ]

        return Component(name, step)

    return System(slots={f"c{i}": 0 for i in range(5)}, components=[counter(i) for i in range(5)])


def test_a_hit_and_going_on_are_the_same() -> None:
    spaces = []
    for jobs in (1, 2):
        first = explore(
            counters(7),
            limits=Limits(jobs=jobs),
            stop_when=lambda view: view["c1"] == 5 and view["c3"] == 4,
        )
        spaces.append((first, explore_further(first, limits=Limits(jobs=jobs))))
    (alone, alone_after), (together, together_after) = spaces
    assert alone.stop_state is not None
    assert same(alone, together)
    assert same(alone_after, together_after)
    assert together_after.num_states == 7**5


def test_a_limit_of_memory_stops_at_the_same_state() -> None:
    whole = explore(counters(8), limits=Limits(jobs=1))
    limit = whole.stats.total_bytes // 2
    alone, together = (
        explore(counters(8), limits=Limits(bytes=limit, jobs=jobs)) for jobs in (1, 4)
    )
    assert alone.stopped is not None
    assert alone.num_expanded < whole.num_states
    assert same(alone, together)


def test_other_threads_of_python_run_meanwhile() -> None:
    turns = 0
    done = threading.Event()

    def count() -> None:
        nonlocal turns
        while not done.is_set():
            turns += 1

    counting = threading.Thread(target=count)
    counting.start()
    try:
        space = explore(counters(9), limits=Limits(jobs=2))
    finally:
        done.set()
        counting.join()
    assert space.num_states == 9**5
    assert turns > 0


def test_the_command_line_says_the_same_with_any_number_of_jobs() -> None:
    program = str(EXAMPLES / "can" / "smart_manufacturing.can")
    documents = []
    for jobs in ("1", "2"):
        result = CliRunner().invoke(main, ["explore", program, "--json", "--jobs", jobs])
        assert result.exit_code == 0
        document = json.loads(result.stdout)
        documents.append(
            {
                key: value
                for key, value in document.items()
                if key not in ("seconds", "bytes_per_state")
            }
        )
    assert documents[0] == documents[1]
    assert CliRunner().invoke(main, ["check", program, "--jobs", "0"]).exit_code == 2
