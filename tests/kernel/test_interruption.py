"""Ctrl-C ends the native graph algorithms while they work, not after."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from volition.kernel import _native

# enough that the fastest algorithm takes longer than the time between two looks at the clock
NODES = 4_000_000
EDGES = 4 * NODES

offsets = np.arange(0, EDGES + 1, 4, dtype=np.int64)
# Each node leads to the next ones, the last back to the first: one large component.
targets = ((np.repeat(np.arange(NODES), 4) + np.tile(np.arange(1, 5), NODES)) % NODES).astype(
    np.uint32
)
everywhere = np.ones(NODES, dtype=np.bool_)
nowhere = np.zeros(NODES, dtype=np.bool_)
no_marks = _native.EdgeMarks()

ALGORITHMS: dict[str, Callable[[], Any]] = {
    "accepting_parts": lambda: _native.accepting_sccs(
        offsets, targets, no_marks, everywhere, 0, []
    ),
    "shortest_path": lambda: _native.shortest_path(
        offsets, targets, no_marks, 0, everywhere, nowhere, 0, 0
    ),
}


@pytest.fixture(autouse=True)
def timer() -> Iterator[None]:
    """Ctrl-C, some time after ``setitimer``."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_graph_algorithms_answer_control_c(name: str) -> None:
    def interrupted(after: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, after)
        ALGORITHMS[name]()

    def seconds(interrupted_after: float | None) -> float:
        start = time.perf_counter()
        if interrupted_after is None:
            ALGORITHMS[name]()
        else:
            with pytest.raises(KeyboardInterrupt):
                interrupted(interrupted_after)
        return time.perf_counter() - start

    # Times on a busy machine vary: the fastest of some tells.
    whole = min(seconds(None) for _ in range(2))
    assert min(seconds(whole / 20) for _ in range(5)) < 0.8 * whole
