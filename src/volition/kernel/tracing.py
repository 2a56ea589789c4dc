"""Connection between traced Python functions and the native explorer, which works on integers only.

The tracer assigns a dense id (0, 1, 2, ...) to every slot value, label, probability and reward;
identical objects share an id. It runs a function on the explorer's current state, records the slots
that the function reads, and registers the result.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import islice
from typing import Any, Generic, TypeVar, assert_never

from volition.kernel import _native
from volition.kernel._native import Combination
from volition.kernel.system import Choice, RewardValue, SlotView, System, identical_value

__all__ = ["InternTable", "KernelError", "TooLarge", "Tracer"]

T = TypeVar("T", bound=Hashable)


class KernelError(Exception):
    """Exception raised if a system violates a rule of the kernel (see
    :mod:`volition.kernel.system`). The message names the function and the violation."""


class TooLarge(KernelError):
    """Exception raised if there are more elements of one kind, such as nodes of a product with an
    automaton, than the kernel can number. The message names the kind."""


class InternTable(Generic[T]):
    """Table that assigns a dense id (0, 1, 2, ...) to each distinct object. ``on_new`` is called
    for each object that gets a new id."""

    def __init__(self, *objects: T, on_new: Callable[[T], None] | None = None) -> None:
        self.objects: list[T] = []
        self._ids: dict[T, int] = {}
        # Ids of objects that are equal, but not identical, to the first object with an id.
        self._equal_but_distinct: dict[T, list[int]] = {}
        self._on_new = on_new
        for each in objects:
            self.id(each)

    def id(self, thing: T) -> int:
        known = self._ids.get(thing)
        if known is None:
            self._ids[thing] = known = self._add(thing)
            return known
        if identical_value(self.objects[known], thing):
            return known
        twins = self._equal_but_distinct.setdefault(thing, [])
        for twin in twins:
            if identical_value(self.objects[twin], thing):
                return twin
        twins.append(self._add(thing))
        return twins[-1]

    def _add(self, thing: T) -> int:
        if self._on_new is not None:
            self._on_new(thing)
        self.objects.append(thing)
        return len(self.objects) - 1


class _RecordingView:
    """View of a state for one call of a traced function. It records which slots are read, in order,
    and cannot be used after the call has returned."""

    __slots__ = ("_owner", "_reader", "reads", "seen")

    def __init__(self, owner: str, reader: Callable[[str], tuple[int, int, Any]]) -> None:
        self._owner = owner
        self._reader: Callable[[str], tuple[int, int, Any]] | None = reader
        self.reads: list[tuple[int, int]] = []
        self.seen: dict[str, Any] = {}

    def __getitem__(self, slot: str) -> Any:
        if self._reader is None:
            raise KernelError(
                f"{self._owner} used its view of a state after it had returned; a view is valid "
                "only during the call"
            )
        if slot in self.seen:
            return self.seen[slot]
        index, value_id, value = self._reader(slot)
        self.reads.append((index, value_id))
        self.seen[slot] = value
        return value

    def close(self) -> None:
        self._reader = None


class _NotANumber(KernelError):
    """Exception raised if an object that is to get an id is or contains NaN, which is not equal to
    itself."""

    def __init__(self) -> None:
        super().__init__("a label, a probability or a reward is NaN")


StateRef = tuple[bool, int]
"""Reference to a state in the explorer: whether it is a successor that is not stored yet, and its
index among the successors or the stored states."""
PROBABILITY_ONE_ID, NO_REWARD_ID = 0, 0
"""Ids that the explorer reserves for the probability 1 and for no reward."""
BYTES_PER_ID = 100
"""Estimated number of bytes that an id takes for its entries in a list and a dictionary, in
addition to the object itself."""

Rewards = frozenset[tuple[str, RewardValue]]

Pairs = Sequence[tuple[int, int]]
COMBINATION_TAG = 2**31
"""Number that distinguishes the two kinds of replay log entries. An entry whose first number is
smaller records a call of a function. Any other entry records a combination of two objects."""


class ReplayMismatch(Exception):
    """Exception raised if the functions of a system do not behave as a replay log says."""


class Tracer:
    """Runs the functions of one system for one explorer and records what they read. With
    ``check_purity`` it runs each function twice and compares the results.

    The tracer keeps a *replay log* of the calls that allocated ids. Replaying the log allocates the
    same ids in another process (:meth:`replay`); the objects themselves are never pickled.
    """

    def __init__(
        self, system: System, native: _native.Explorer, *, check_purity: bool = False
    ) -> None:
        self.check_purity = check_purity
        self._native = native
        self._sizes = _native.ObjectSizes()
        self._num_ids = 0
        self._replay_log = array(
            "I"
            # Each entry has three parts: the number of a function or of a kind of combination, the
            # number of pairs, and the pairs. For a function the pairs are the slots and values that
            # it read. For a combination there is one pair, the two ids that were combined.
        )
        self.log_incomplete = False
        """Whether a function was interrupted after it had allocated ids. The replay log then lacks
        this call."""
        self._slots = {name: index for index, name in enumerate(system.slots)}
        unhashable = [slot for slot, value in system.slots.items() if not _is_hashable(value)]
        if unhashable:
            slot = unhashable[0]
            raise KernelError(
                f"the initial value of slot {slot!r} is unhashable: {system.slots[slot]!r}"
            )
        self.values: list[InternTable[Hashable]] = [
            self._initial(slot, value) for slot, value in system.slots.items()
        ]
        # Id 0, and id 1 for labels, are reserved by the explorer.
        self.labels: InternTable[Hashable] = InternTable[Hashable](
            None, system.stutter, on_new=self._account_new_id
        )
        self._labels_if_alone: set[int] = set()
        self.weights: InternTable[Any] = InternTable[Any](Fraction(1), on_new=self._account_new_id)
        self.rewards: InternTable[Rewards] = InternTable[Rewards](
            frozenset(), on_new=self._account_new_id
        )
        self.calls = 0
        self.seconds = 0.0
        self._last_traced = 0  # the tree that was traced last
        self._exploring = False
        self.lock = threading.RLock()
        """Lock held by the Python thread that uses the explorer. Other Python threads can run while
        the explorer works."""
        self._functions: list[tuple[str, Callable[[SlotView], int]]] = []
        for component in system.components:
            self._functions.append(
                (f"component '{component.name}'", self._choices(component.name, component.step))
            )
        for reaction in system.reactions:
            self._functions.append(
                (f"reaction '{reaction.name}'", self._writes(reaction.name, reaction.react))
            )

    # --- calls from the explorer ------------------------------------------------------------------

    def trace(self, tree: int, position: StateRef) -> tuple[list[tuple[int, int]], int]:
        self.calls += 1
        start = time.perf_counter()
        reads, leaf = self._run(tree, position)
        if self.check_purity and self._run(tree, position) != (reads, leaf):
            raise KernelError(
                f"{self.function_name(tree)} is not pure: called twice on the same state, it "
                "returned different results"
            )
        self.seconds += time.perf_counter() - start
        self._last_traced = tree
        return reads, leaf

    def _run(self, tree: int, position: StateRef) -> tuple[list[tuple[int, int]], int]:
        """Run the function of a decision tree on a state of the explorer. Return the slots and
        value ids that it read, and the id of its result.

        Each call has a separate view of its state, so that the function may evaluate other
        functions on the same space.
        """
        return self._run_on(tree, lambda slot: self._read(position, slot))

    def _run_on(
        self, tree: int, reader: Callable[[str], tuple[int, int, Any]]
    ) -> tuple[list[tuple[int, int]], int]:
        owner, function = self._functions[tree]
        recorder = _RecordingView(owner, reader)
        with self._logged(tree, recorder.reads):
            try:
                leaf = function(recorder)
            finally:
                recorder.close()
        return recorder.reads, leaf

    def combine(self, how: Combination, a: int, b: int) -> int:
        """Return the id of the combination of two labels, probabilities or rewards, which are given
        by their ids."""
        self.calls += 1
        with self._logged(COMBINATION_TAG + how.value, [(a, b)]):
            match how:
                case Combination.LABELS:
                    if b in self._labels_if_alone:
                        return a
                    if a in self._labels_if_alone:
                        return b
                    return self.labels.id(
                        (*_as_tuple(self.labels.objects[a]), *_as_tuple(self.labels.objects[b]))
                    )
                case Combination.WEIGHT_PRODUCT:
                    return self._weight_id(self.weights.objects[a] * self.weights.objects[b])
                case Combination.WEIGHT_SUM:
                    return self._weight_id(self.weights.objects[a] + self.weights.objects[b])
                case Combination.REWARDS:
                    total = dict(self.rewards.objects[a])
                    for name, amount in self.rewards.objects[b]:
                        total[name] = total.get(name, 0) + amount
                    return self.rewards.id(frozenset(total.items()))
                case _:
                    assert_never(how)

    # --- the replay log ---------------------------------------------------------------------------

    @property
    def replay_log(self) -> Sequence[int]:
        return self._replay_log

    def replay(
        self, log: Iterable[int], accepts: Callable[[Combination, int, object], bool]
    ) -> None:
        """Repeat the calls of a replay log, so that they allocate the same ids. Raise
        :class:`ReplayMismatch` if a function reads other slots or values than the log says, or if
        an entry allocates no id.

        ``accepts`` is called for each object that results from a combination, with the kind of
        combination, the id and the object. It may reject the object. The caller must compare all
        other objects with those it expects.
        """
        entries = iter(log)
        for owner in entries:
            count = next(entries, 0)
            numbers = list(islice(entries, 2 * count))
            if len(numbers) < 2 * count:
                raise ReplayMismatch  # the last entry is truncated
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
            before = self._num_ids
            if owner >= COMBINATION_TAG:
                self._replay_combination(Combination(owner - COMBINATION_TAG), pairs, accepts)
            else:
                self._replay_call(owner, pairs)
            if self._num_ids == before:
                raise ReplayMismatch

    def _replay_combination(
        self, how: Combination, pairs: Pairs, accepts: Callable[[Combination, int, object], bool]
    ) -> None:
        kinds: Mapping[Combination, InternTable[Any]] = {
            Combination.LABELS: self.labels,
            Combination.REWARDS: self.rewards,
        }
        known = kinds.get(how, self.weights).objects
        if len(pairs) != 1 or max(pairs[0]) >= len(known):
            raise ReplayMismatch
        combined = self.combine(how, *pairs[0])
        if not accepts(how, combined, known[combined]):
            raise ReplayMismatch

    def _replay_call(self, tree: int, reads: Pairs) -> None:
        recorded = iter(reads)

        def reader(slot: str) -> tuple[int, int, Any]:
            index, (requested, value) = self.slot_index(slot), next(recorded, (-1, 0))
            if index != requested or value >= len(self.values[index].objects):
                raise ReplayMismatch
            return index, value, self.values[index].objects[value]

        if tree >= len(self._functions):
            raise ReplayMismatch
        self.calls += 1
        self._run_on(tree, reader)
        if next(recorded, None) is not None:
            raise ReplayMismatch

    @contextmanager
    def _logged(self, owner: int, pairs: Pairs) -> Iterator[None]:
        """Append an entry to the replay log if the ``with`` block allocates an id. ``owner`` is the
        number of a function or of a kind of combination. ``pairs`` are the slots and values that
        the function read, or the two ids that were combined."""
        before = self._num_ids
        try:
            yield
        except BaseException:
            self.log_incomplete = self.log_incomplete or self._num_ids > before
            raise
        if self._num_ids > before:
            self._replay_log.extend(
                [owner, len(pairs), *(number for pair in pairs for number in pair)]
            )
            self._native.add_external_bytes(self._replay_log.itemsize * (2 + 2 * len(pairs)))

    # --- traced functions -------------------------------------------------------------------------

    def add_function(
        self, what: str, function: Callable[[SlotView], Hashable], answers: InternTable[Hashable]
    ) -> int:
        """Add a decision tree for a function of states and return the number of the tree. Its
        leaves are ids of results in the table ``answers``."""
        self._functions.append((what, lambda view: answers.id(function(view))))
        return self._native.add_tree()

    def function_name(self, tree: int) -> str:
        return self._functions[tree][0]

    @contextmanager
    def exploring(self) -> Iterator[None]:
        """Mark the system as being explored inside the ``with`` block.

        Raise :class:`KernelError` if it is being explored already, because one of its functions
        started another exploration of it.
        """
        with self.lock:
            if self._exploring:
                raise KernelError(
                    "a system cannot be explored further from inside one of its own functions "
                    "while it is being explored"
                )
            self._exploring = True
            try:
                yield
            finally:
                self._exploring = False

    @contextmanager
    def attributing_errors(self) -> Iterator[None]:
        """Convert the native explorer's exceptions to :class:`KernelError` inside the ``with``
        block, with the names of the functions involved."""
        try:
            yield
        except _native.ImpureFunction as error:
            raise KernelError(
                f"{self.function_name(self._last_traced)} is not pure: {error}"
            ) from None
        except _native.WriteConflict as conflict:
            first, second, slot = conflict.args
            raise KernelError(
                f"{self.function_name(first)} and {self.function_name(second)} both write slot "
                f"{list(self._slots)[slot]!r} in the same step"
            ) from None

    def slot_index(self, slot: str) -> int:
        try:
            return self._slots[slot]
        except KeyError:
            raise KernelError(
                f"unknown slot {slot!r}; the slots are {', '.join(self._slots)}"
            ) from None

    # --- interned objects -------------------------------------------------------------------------

    def _initial(self, slot: str, value: Hashable) -> InternTable[Hashable]:
        try:
            return InternTable(value, on_new=self._account_new_id)
        except _NotANumber:
            raise KernelError(f"the initial value of slot {slot!r} is NaN: {value!r}") from None

    def _account_memory(self, thing: object) -> None:
        """Add the size of an object to the memory that counts towards the limit of the exploration.
        Raise :class:`_NotANumber` if the object contains NaN."""
        self._native.add_external_bytes(self._sizes.add(thing) + BYTES_PER_ID)
        if self._sizes.found_nan:
            raise _NotANumber

    def _account_new_id(self, thing: object) -> None:
        self._account_memory(thing)
        self._num_ids += 1

    def _weight_id(self, weight: Any) -> int:
        """Return the id of a probability. Probability 1 of any type has the id
        :data:`PROBABILITY_ONE_ID`."""
        return (
            PROBABILITY_ONE_ID
            if isinstance(weight, (int, float, Fraction)) and weight == 1
            else self.weights.id(weight)
        )

    def _read(self, position: StateRef, slot: str) -> tuple[int, int, Any]:
        index = self.slot_index(slot)
        value_id = self._native.read(position, index)
        return index, value_id, self.values[index].objects[value_id]

    def _choices(
        self, name: str, step: Callable[[SlotView], Sequence[Choice]]
    ) -> Callable[[SlotView], int]:
        known: dict[tuple[Any, ...], int] = {}

        def run(view: SlotView) -> int:
            found = step(view)
            if not isinstance(found, Sequence):
                raise KernelError(
                    f"component '{name}' returned {found!r} instead of a list of choices"
                )
            raw = tuple(self._encode(name, choice) for choice in found)
            if raw not in known:
                self._account_memory(raw)
                known[raw] = self._native.add_choices(raw)
            return known[raw]

        return run

    def _writes(
        self, name: str, react: Callable[[SlotView], Mapping[str, Hashable]]
    ) -> Callable[[SlotView], int]:
        known: dict[tuple[Any, ...], int] = {}

        def run(view: SlotView) -> int:
            raw = self._encode_writes(lambda: f"reaction '{name}'", react(view))
            if raw not in known:
                self._account_memory(raw)
                known[raw] = self._native.add_writes(raw)
            return known[raw]

        return run

    def _encode(self, name: str, choice: Choice) -> tuple[Any, ...]:
        def owner() -> str:  # called only for errors: the text of a label can be expensive
            return f"component '{name}', choice {choice.label!s}"

        outcomes = tuple(
            (self._weight_id(weight), self._encode_writes(owner, writes))
            for weight, writes in choice.outcomes
            if not _is_zero(owner, weight)
        )
        if not (len(choice.outcomes) == 1 and outcomes and outcomes[0][0] == PROBABILITY_ONE_ID):
            total: Any = sum((weight for weight, _ in choice.outcomes), start=Fraction(0))
            if not (abs(total - 1) < 1e-9 if isinstance(total, float) else total == 1):
                raise KernelError(
                    f"{owner()}: the probabilities of its outcomes sum to {total}, not 1"
                )
        label = self.labels.id(choice.label)
        if choice.label_if_alone:
            self._labels_if_alone.add(label)
        return (label, self._reward_id(choice.rewards), choice.triggers_reactions, outcomes)

    def _reward_id(self, rewards: Mapping[str, RewardValue]) -> int:
        if not rewards:
            return NO_REWARD_ID
        return self.rewards.id(
            frozenset((reward, amount) for reward, amount in rewards.items() if amount != 0)
        )

    def _encode_writes(
        self, owner: Callable[[], str], writes: Mapping[str, Hashable]
    ) -> tuple[tuple[int, int], ...]:
        encoded = []
        for slot, value in writes.items():
            if slot not in self._slots:
                raise KernelError(f"{owner()} writes to the unknown slot {slot!r}")
            index = self._slots[slot]
            try:
                encoded.append((index, self.values[index].id(value)))
            except TypeError:
                raise KernelError(
                    f"{owner()} writes an unhashable value to slot {slot!r}: {value!r}"
                ) from None
            except _NotANumber:
                raise KernelError(
                    f"{owner()} writes NaN to slot {slot!r}: {value!r}; NaN is not equal to "
                    "itself, so write None for an unknown value"
                ) from None
        return tuple(sorted(encoded))


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_zero(owner: Callable[[], str], weight: Any) -> bool:
    if isinstance(weight, (int, float, Fraction)):
        if weight < 0:
            raise KernelError(f"{owner()}: an outcome has a negative probability: {weight}")
        return weight == 0
    if not hasattr(weight, "__float__"):
        raise KernelError(f"{owner()}: the probability {weight!r} is not a number")
    return False  # a parametric probability is kept, whatever its nominal value


def _as_tuple(label: Hashable) -> tuple[Hashable, ...]:
    return label if isinstance(label, tuple) else (label,)
