"""Types of the native kernel module, which native/bindings defines."""

import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

class ImpureFunction(Exception): ...

class WriteConflict(Exception):
    """Raised if two components of a synchronous system write the same slot. The arguments are the
    numbers of their decision trees, and of the slot."""

    args: tuple[int, int, int]

class TooManyNodes(Exception):
    """Raised if the product of a state space and an automaton would exceed the node limit."""

class Ended(enum.Enum):
    COMPLETE = ...
    STATES = ...
    MEMORY = ...
    SECONDS = ...
    DEPTH = ...
    HIT = ...
    INTERRUPTED = ...
    OUTDATED = ...

class Combination(enum.Enum):
    LABELS = ...
    WEIGHT_PRODUCT = ...
    WEIGHT_SUM = ...
    REWARDS = ...

class Explorer:
    def __init__(
        self, slots: int, components: int, reactions: int, synchronous: bool, most_states: int
    ) -> None: ...
    def add_tree(self) -> int: ...
    def add_choices(self, choices: Sequence[Any], /) -> int: ...
    def add_writes(self, writes: Sequence[tuple[int, int]], /) -> int: ...
    def check_purity(self, on: bool, /) -> None: ...
    def read(self, position: tuple[bool, int], slot: int, /) -> int: ...
    def add_outside_bytes(self, bytes: int, /) -> None: ...
    def explore(
        self,
        trace: Callable[[int, tuple[bool, int]], tuple[Sequence[tuple[int, int]], int]],
        combine: Callable[[Combination, int, int], int],
        progress: Callable[[], None] | None,
        states: int,
        bytes: int,
        seconds: float,
        depth: int | None,
        stop_tree: int | None,
        jobs: int,
        states_before_jobs: int,
    ) -> Ended: ...
    def reduce(
        self, *, atoms: Sequence[int], single: bool, deadlock: bool, futures: bool, scouts: int
    ) -> None: ...
    def steps_within(
        self,
        trace: Callable[..., Any],
        combine: Callable[..., Any],
        state: int,
        component: int,
        choice: int,
        outcome: int,
    ) -> list[tuple[int, list[int]]]: ...
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
    def num_visited(self) -> int: ...
    @property
    def num_rounds(self) -> int: ...
    @property
    def num_transitions(self) -> int: ...
    @property
    def hit(self) -> int | None: ...
    @property
    def depth(self) -> int: ...
    @property
    def state_words(self) -> int: ...
    @property
    def state_bits(self) -> int: ...
    @property
    def state_bytes(self) -> int: ...
    @property
    def total_bytes(self) -> int: ...
    def rows(self) -> StateRows: ...
    @property
    def targets(self) -> npt.NDArray[np.uint32]: ...
    @property
    def choice_kinds(self) -> npt.NDArray[Any]: ...
    @property
    def kind_labels(self) -> npt.NDArray[np.uint32]: ...
    @property
    def kind_rewards(self) -> npt.NDArray[np.uint32]: ...
    @property
    def kind_components(self) -> npt.NDArray[np.uint32]: ...
    def kind_weights(self, kind: int, /) -> list[int]: ...

# Export of an explorer's arrays, and import into a new explorer; see native/bindings/snapshot.cpp.

def arrays_of(explorer: Explorer, /) -> dict[str, npt.NDArray[Any]]: ...
def take_over(
    explorer: Explorer,
    arrays: Mapping[str, npt.NDArray[Any]],
    *,
    words: int,
    states: int,
    expanded: int,
    labels: int,
    weights: int,
    rewards: int,
    components: int,
    values: Sequence[int],
    hit: int | None,
) -> bool: ...

class StateRows:
    """Transition matrix of a state space, as it was when the space was created.

    See native/algorithms/transition_matrix.hpp.
    """

    @property
    def num_states(self) -> int: ...
    @property
    def num_expanded(self) -> int: ...
    @property
    def num_choices(self) -> int: ...
    @property
    def num_transitions(self) -> int: ...
    def choices_of(self, state: int, /) -> tuple[int, int]: ...
    def transitions_of(self, choice: int, /) -> tuple[int, int]: ...
    def state_of(self, choice: int, /) -> int: ...
    def first_choices(self) -> npt.NDArray[np.int64]: ...
    def first_transitions(self) -> npt.NDArray[np.int64]: ...
    def weights(self) -> npt.NDArray[np.uint32]: ...
    def first_kinds(self) -> npt.NDArray[np.uint32]: ...
    def discoverers(self) -> npt.NDArray[np.int64]: ...

class ObjectSizes:
    def __init__(self) -> None: ...
    def add(self, thing: object) -> int: ...
    @property
    def found_nan(self) -> bool: ...

class RewardMode(enum.Enum):
    NONE = ...
    UNTIL_ACCEPTED = ...
    CUMULATIVE = ...
    INSTANTANEOUS = ...
    TOTAL = ...

class SchedulerKind(enum.Enum):
    STOP_AT_CHOICE = ...
    UNIFORM = ...
    HASHED = ...

class Sampler:
    def __init__(self, slots: int, components: int, reactions: int, synchronous: bool) -> None: ...
    def add_tree(self) -> int: ...
    def add_choices(self, choices: Sequence[Any], /) -> int: ...
    def add_writes(self, writes: Sequence[tuple[int, int]], /) -> int: ...
    def set_key(self, slot: int, value: int, key: int, /) -> None: ...
    def read(self, slot: int, /) -> int: ...
    def ask(
        self,
        propositions: Sequence[tuple[Sequence[int], bool]],
        terminal_bit: int | None,
        monitored: bool,
        earning: RewardMode,
        state_reward: int | None,
    ) -> None: ...
    def sample(
        self,
        trace: Callable[[int], tuple[Sequence[tuple[int, int]], int]],
        follow: Callable[[int, int], int],
        settle: Callable[[int, Sequence[int]], bool],
        amount: Callable[[int], float],
        pause: Callable[[], bool],
        seed: int,
        stream: int,
        first_run: int,
        runs: int,
        most_steps: int,
        choosing: SchedulerKind,
        scheduler: int,
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64], npt.NDArray[np.uint64]]: ...
    @property
    def labels(self) -> list[int]: ...

# Graph algorithms; see native/algorithms.

class BackwardGraph: ...

class EdgeMarks:
    def __init__(self) -> None: ...
    def __len__(self) -> int: ...
    def __getitem__(self, edge: int, /) -> int: ...

@overload
def reversed_graph(
    offsets: npt.NDArray[np.int64], targets: npt.NDArray[np.uint32]
) -> BackwardGraph: ...
@overload
def reversed_graph(rows: StateRows) -> BackwardGraph: ...
@overload
def some_successor(rows: StateRows, inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]: ...
@overload
def some_successor(
    offsets: npt.NDArray[np.int64], targets: npt.NDArray[np.uint32], inside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]: ...
@overload
def can_reach(
    backward: BackwardGraph,
    goal: npt.NDArray[np.bool_],
    through: npt.NDArray[np.bool_],
    steps: int | None,
) -> npt.NDArray[np.bool_]: ...
@overload
def can_reach(
    backward_offsets: npt.NDArray[np.int64],
    sources: npt.NDArray[np.uint32],
    goal: npt.NDArray[np.bool_],
    through: npt.NDArray[np.bool_],
    steps: int | None,
) -> npt.NDArray[np.bool_]: ...
def can_stay(
    rows: StateRows, backward: BackwardGraph, inside: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]: ...
def accepting_parts(
    offsets: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    marks: EdgeMarks,
    inside: npt.NDArray[np.bool_],
    always: int,
    pairs: Sequence[tuple[int, int]],
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]: ...
def shortest_path(
    offsets: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    marks: EdgeMarks,
    start: int,
    inside: npt.NDArray[np.bool_],
    goal: npt.NDArray[np.bool_],
    wanted: int,
    forbidden: int,
) -> list[int] | None: ...
def product(
    rows: StateRows,
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
) -> tuple[
    npt.NDArray[np.uint32],
    npt.NDArray[Any],
    npt.NDArray[np.int64],
    npt.NDArray[np.uint32],
    EdgeMarks,
]: ...
def unavoidable(
    first_choice: npt.NDArray[np.int64],
    first_transition: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    choices: npt.NDArray[np.bool_],
    goal: npt.NDArray[np.bool_],
    through: npt.NDArray[np.bool_],
) -> npt.NDArray[np.bool_]: ...
def best_before(
    first_choice: npt.NDArray[np.int64],
    first_transition: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    probabilities: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    least: bool,
) -> npt.NDArray[np.float64]: ...
def equations_of(
    first_choice: npt.NDArray[np.int64],
    first_transition: npt.NDArray[np.int64],
    targets: npt.NDArray[np.uint32],
    probabilities: npt.NDArray[np.float64],
    gains: npt.NDArray[np.float64],
    undecided: npt.NDArray[np.bool_],
    choices: npt.NDArray[np.bool_],
    staying: npt.NDArray[np.bool_],
    component: npt.NDArray[np.int64],
    may_stay: bool,
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.uint32],
    npt.NDArray[np.float64],
    npt.NDArray[np.float64],
    npt.NDArray[np.int64],
    npt.NDArray[np.bool_],
]: ...
def sweep(
    first_row: npt.NDArray[np.int64],
    first_entry: npt.NDArray[np.int64],
    columns: npt.NDArray[np.uint32],
    weights: npt.NDArray[np.float64],
    gains: npt.NDArray[np.float64],
    values: npt.NDArray[np.float64],
    least: bool,
    tolerance: float,
    most_sweeps: int,
) -> tuple[npt.NDArray[np.float64], bool]: ...
