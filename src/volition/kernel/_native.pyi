"""The native kernel; see native/bindings."""

import enum
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

class ImpureFunction(Exception): ...

class WriteConflict(Exception):
    """Two components of a synchronous system wrote one slot: the trees of the two, and the slot."""

    args: tuple[int, int, int]

class TooManyNodes(Exception):
    """The product with an automaton would have more nodes than it may."""

class Ended(enum.Enum):
    COMPLETE = ...
    STATES = ...
    MEMORY = ...
    SECONDS = ...
    HIT = ...
    INTERRUPTED = ...

class Combination(enum.Enum):
    LABELS = ...
    WEIGHT_PRODUCT = ...
    WEIGHT_SUM = ...
    REWARDS = ...

class Explorer:
    def __init__(self, slots: int, components: int, reactions: int, synchronous: bool, most_states: int) -> None: ...
    def add_tree(self) -> int: ...
    def add_choices(self, choices: Sequence[Any], /) -> int: ...
    def add_writes(self, writes: Sequence[tuple[int, int]], /) -> int: ...
    def check_purity(self, on: bool, /) -> None: ...
    def read(self, place: tuple[bool, int], slot: int, /) -> int: ...
    def add_outside_bytes(self, bytes: int, /) -> None: ...
    def explore(
        self,
        trace: Callable[[int, tuple[bool, int]], tuple[Sequence[tuple[int, int]], int]],
        combine: Callable[[Combination, int, int], int],
        progress: Callable[[], None] | None,
        states: int,
        bytes: int,
        seconds: float,
        stop_tree: int | None,
    ) -> Ended: ...
    def evaluate(
        self,
        trace: Callable[[int, tuple[bool, int]], tuple[Sequence[tuple[int, int]], int]],
        combine: Callable[[Combination, int, int], int],
        tree: int,
        states: int,
        /,
    ) -> npt.NDArray[np.uint32]: ...
    def column(self, slot: int, states: int, /) -> npt.NDArray[np.uint32]: ...
    def value(self, state: int, slot: int, /) -> int: ...
    @property
    def num_states(self) -> int: ...
    @property
    def num_expanded(self) -> int: ...
    @property
    def num_transitions(self) -> int: ...
    @property
    def hit(self) -> int | None: ...
    @property
    def state_bits(self) -> int: ...
    @property
    def state_bytes(self) -> int: ...
    @property
    def total_bytes(self) -> int: ...
    @property
    def first_choice(self) -> npt.NDArray[np.int64]: ...
    @property
    def first_transition(self) -> npt.NDArray[np.int64]: ...
    @property
    def targets(self) -> npt.NDArray[np.uint32]: ...
    @property
    def weights(self) -> npt.NDArray[np.uint32]: ...
    @property
    def labels(self) -> npt.NDArray[np.uint32]: ...
    @property
    def rewards(self) -> npt.NDArray[np.uint32]: ...
    @property
    def components(self) -> npt.NDArray[np.uint32]: ...

class ObjectSizes:
    def __init__(self) -> None: ...
    def add(self, thing: object) -> int: ...
    @property
    def found_nan(self) -> bool: ...

# Graph algorithms; see native/algorithms.

def reversed_graph(
    offsets: npt.NDArray[np.int64], targets: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]: ...
def some_successor(
    offsets: npt.NDArray[np.int64], targets: npt.NDArray[np.uint32], inside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]: ...
def can_reach(
    backward_offsets: npt.NDArray[np.int64],
    sources: npt.NDArray[np.uint32],
    goal: npt.NDArray[np.bool_],
    through: npt.NDArray[np.bool_],
    steps: int | None,
) -> npt.NDArray[np.bool_]: ...
def can_stay(
    offsets: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    backward_offsets: npt.NDArray[np.int64],
    sources: npt.NDArray[np.uint32],
    inside: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]: ...
def accepting_parts(
    offsets: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    marks: npt.NDArray[np.uint64],
    inside: npt.NDArray[np.bool_],
    always: int,
    pairs: Sequence[tuple[int, int]],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
def shortest_path(
    offsets: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    marks: npt.NDArray[np.uint64],
    start: int,
    inside: npt.NDArray[np.bool_],
    goal: npt.NDArray[np.bool_],
    wanted: int,
    forbidden: int,
) -> list[int] | None: ...
def product(
    first_choice: npt.NDArray[np.int64],
    first_transition: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    choice_marks: npt.NDArray[np.uint64],
    letters: npt.NDArray[np.uint32],
    automaton_states: int,
    num_letters: int,
    first_edge: npt.NDArray[np.int64],
    edge_targets: npt.NDArray[np.uint32],
    edge_marks: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.uint32],
    initial: npt.NDArray[np.uint32],
    most_nodes: int,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32], npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]: ...
def best_before(
    first_choice: npt.NDArray[np.int64],
    first_transition: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    probabilities: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    least: bool,
) -> npt.NDArray[np.float64]: ...
