"""The bridge between traced Python functions and the native explorer, which sees integers only.

The tracer gives every slot value, label, probability and reward a dense id, runs a function on the state that the
explorer is looking at while recording its reads, and registers the answer.  Equal answers share one id.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any, Generic, TypeVar

from volition.kernel import _native
from volition.kernel.system import Amount, Choice, System, View

__all__ = ["STUTTER", "KernelError", "Table", "Tracer"]

T = TypeVar("T", bound=Hashable)


class KernelError(Exception):
    """A system breaks the kernel's rules (see :mod:`volition.kernel.system`); the message says which part and how."""


class _Stutter:
    """The label of the self-loop that the kernel gives to a terminal state."""

    def __repr__(self) -> str:
        return "STUTTER"


STUTTER = _Stutter()


class Table(Generic[T]):
    """Objects and their dense ids."""

    def __init__(self, *objects: T) -> None:
        self.objects: list[T] = []
        self._ids: dict[T, int] = {}
        for each in objects:
            self.id(each)

    def id(self, thing: T) -> int:
        known = self._ids.setdefault(thing, len(self.objects))
        if known == len(self.objects):
            self.objects.append(thing)
        return known


class _Recorder:
    """The view that a traced function gets: it remembers what was read, in order."""

    __slots__ = ("_reader", "reads", "seen")

    def __init__(self, reader: Callable[[str], tuple[int, int, Any]]) -> None:
        self._reader = reader
        self.reads: list[tuple[int, int]] = []
        self.seen: dict[str, Any] = {}

    def __getitem__(self, slot: str) -> Any:
        if slot in self.seen:
            return self.seen[slot]
        index, value_id, value = self._reader(slot)
        self.reads.append((index, value_id))
        self.seen[slot] = value
        return value


Rewards = frozenset[tuple[str, Amount]]


class Tracer:
    """Runs the functions of one system for one explorer; ``check_purity`` runs each of them twice and compares."""

    def __init__(self, system: System, native: _native.Explorer, *, check_purity: bool = False) -> None:
        self._twice = check_purity
        self._native = native
        self._slots = {name: index for index, name in enumerate(system.slots)}
        unfit = [slot for slot, value in system.slots.items() if not _is_hashable(value)]
        if unfit:
            raise KernelError(f"the initial value of slot {unfit[0]!r} is not hashable: {system.slots[unfit[0]]!r}")
        self.values: list[Table[Hashable]] = [Table(value) for value in system.slots.values()]
        # Ids 0 (and 1 for labels) are the explorer's neutral elements.
        self.labels: Table[Hashable] = Table[Hashable](None, STUTTER)
        self.weights: Table[Any] = Table[Any](Fraction(1))
        self.rewards: Table[Rewards] = Table[Rewards](frozenset())
        self.calls = 0
        self.seconds = 0.0
        self._running = 0  # the tree that was traced last
        self._functions: list[tuple[str, Callable[[View], int]]] = []
        for component in system.components:
            self._functions.append((f"component '{component.name}'", self._choices(component.name, component.step)))
        for reaction in system.reactions:
            self._functions.append((f"reaction '{reaction.name}'", self._writes(reaction.name, reaction.react)))

    # --- what the explorer calls -------------------------------------------------------------------------------------

    def trace(self, tree: int) -> tuple[list[tuple[int, int]], int]:
        self.calls += 1
        self._running = tree
        start = time.perf_counter()
        reads, leaf = self._run(tree)
        if self._twice and self._run(tree) != (reads, leaf):
            raise KernelError(f"{self.name(tree)} is not pure: asked twice about one state, it gave two answers")
        self.seconds += time.perf_counter() - start
        return reads, leaf

    def _run(self, tree: int) -> tuple[list[tuple[int, int]], int]:
        recorder = _Recorder(self._read)
        leaf = self._functions[tree][1](recorder)
        return recorder.reads, leaf

    def combine(self, how: int, a: int, b: int) -> int:
        """Labels, probabilities or rewards taken together; ``how`` is the explorer's ``Combination``."""
        self.calls += 1
        if how == 0:
            return self.labels.id((*_as_tuple(self.labels.objects[a]), *_as_tuple(self.labels.objects[b])))
        if how == 1:
            return self.weights.id(self.weights.objects[a] * self.weights.objects[b])
        if how == 2:
            return self.weights.id(self.weights.objects[a] + self.weights.objects[b])
        total = dict(self.rewards.objects[a])
        for name, amount in self.rewards.objects[b]:
            total[name] = total.get(name, 0) + amount
        return self.rewards.id(frozenset(total.items()))

    # --- what is traced ----------------------------------------------------------------------------------------------

    def function(self, what: str, function: Callable[[View], Hashable], answers: Table[Hashable]) -> int:
        """A new tree for a function that is read off states; its leaves are the ids of its answers."""
        self._functions.append((what, lambda view: answers.id(function(view))))
        return self._native.add_tree()

    def name(self, tree: int) -> str:
        return self._functions[tree][0]

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """Says which function was impure when the explorer finds that one was."""
        try:
            yield
        except _native.ImpureFunction as error:
            raise KernelError(f"{self.name(self._running)} is not pure: {error}") from None

    def slot_index(self, slot: str) -> int:
        try:
            return self._slots[slot]
        except KeyError:
            raise KernelError(f"there is no slot {slot!r}; the slots are {', '.join(self._slots)}") from None

    def _read(self, slot: str) -> tuple[int, int, Any]:
        index = self.slot_index(slot)
        value_id = self._native.read_focus(index)
        return index, value_id, self.values[index].objects[value_id]

    def _choices(self, name: str, step: Callable[[View], Sequence[Choice]]) -> Callable[[View], int]:
        known: dict[tuple[Any, ...], int] = {}

        def run(view: View) -> int:
            found = step(view)
            if not isinstance(found, Sequence):
                raise KernelError(f"component '{name}' gives {found!r} instead of a list of choices")
            raw = tuple(self._encode(name, choice) for choice in found)
            if raw not in known:
                known[raw] = self._native.add_choices(raw)
            return known[raw]

        return run

    def _writes(self, name: str, react: Callable[[View], Mapping[str, Hashable]]) -> Callable[[View], int]:
        known: dict[tuple[Any, ...], int] = {}

        def run(view: View) -> int:
            raw = self._encode_writes(f"reaction '{name}'", react(view))
            if raw not in known:
                known[raw] = self._native.add_writes(raw)
            return known[raw]

        return run

    def _encode(self, name: str, choice: Choice) -> tuple[Any, ...]:
        who = f"component '{name}', choice {choice.label!s}"
        outcomes = tuple(
            (self.weights.id(weight), self._encode_writes(who, writes)) for weight, writes in choice.outcomes if not _is_zero(who, weight)
        )
        total: Any = sum((weight for weight, _ in choice.outcomes), start=Fraction(0))
        if not (abs(total - 1) < 1e-9 if isinstance(total, float) else total == 1):
            raise KernelError(f"{who}: the probabilities of its outcomes sum to {total}, not to 1")
        rewards = frozenset((reward, amount) for reward, amount in choice.rewards.items() if amount != 0)
        return (self.labels.id(choice.label), self.rewards.id(rewards), choice.reacts, outcomes)

    def _encode_writes(self, who: str, writes: Mapping[str, Hashable]) -> tuple[tuple[int, int], ...]:
        encoded = []
        for slot, value in writes.items():
            if slot not in self._slots:
                raise KernelError(f"{who} writes to a slot that does not exist: {slot!r}")
            index = self._slots[slot]
            try:
                encoded.append((index, self.values[index].id(value)))
            except TypeError:
                raise KernelError(f"{who} writes a value that is not hashable to slot {slot!r}: {value!r}") from None
        return tuple(sorted(encoded))


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _is_zero(who: str, weight: Any) -> bool:
    if isinstance(weight, (int, float, Fraction)):
        if weight < 0:
            raise KernelError(f"{who}: an outcome has the negative probability {weight}")
        return weight == 0
    if not hasattr(weight, "__float__"):
        raise KernelError(f"{who}: an outcome has the probability {weight!r}, which is no number")
    return False  # a parametric probability stays, whatever its value now


def _as_tuple(label: Hashable) -> tuple[Hashable, ...]:
    return label if isinstance(label, tuple) else (label,)
