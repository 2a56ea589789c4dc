"""What came of parts of a cycle that were carried out before.

What a part of an agent's cycle does depends on what it reads, and on nothing else: percepts and
beliefs matter to ``Perceive``, events and beliefs to ``Deliberate``.  States that differ in the
rest are many, so what came of a part is remembered by what was read, in its order: which slot is
read next depends on the values before it.  The kernel does the same for whole steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from volition.kernel.system import SlotView, identical_value

__all__ = ["StageMemo"]

_MAX_ENTRIES = 50_000
"""So many answers are remembered; then it begins anew, so that a large exploration does not need
memory for what is long past."""

T = TypeVar("T")


@dataclass(slots=True)
class _CachedResult:
    """What came of it, if what is still to be read has these values."""

    slots: tuple[str, ...]
    values: tuple[Hashable, ...]
    result: Any


@dataclass(slots=True)
class _ReadNode:
    """What a slot holds decides how it goes on; values are known by their identity, see
    :meth:`Memory.one_for_all`."""

    slot: str
    ways: dict[int, _ReadNode | _CachedResult] = field(default_factory=dict)


class StageMemo:
    """Remembers results of functions that only read slots."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._answers = 0
        self._known: dict[Hashable, _ReadNode | _CachedResult] = {}
        self._values: dict[Hashable, Hashable] = {}
        self._met: dict[int, tuple[Hashable, Hashable]] = {}

    def lookup_or_compute(
        self,
        name: Hashable,
        work: Callable[[SlotView], T],
        read: Callable[[str], Hashable],
        *,
        value: Callable[[T], bool] = lambda _: True,
    ) -> T:
        """What ``work`` gives for a view of what can be ``read``; the name stands for the work.  It
        is remembered if it is ``worth`` it."""
        node = self._known.get(name)
        while isinstance(node, _ReadNode):
            node = node.ways.get(id(self.canonical(read(node.slot))))
        if node is not None and self._fits(node, read):
            found: T = node.result
            return found
        view = _RecordingView(read)
        result = work(view)
        if value(result):
            if self._answers >= _MAX_ENTRIES:
                self._clear()
            self._insert(name, self.canonical_all(view.seen), result)
        return result

    def _fits(self, answer: _CachedResult, read: Callable[[str], Hashable]) -> bool:
        return all(
            self.canonical(read(slot)) is value
            for slot, value in zip(answer.slots, answer.values, strict=True)
        )

    def canonical(self, value: Hashable) -> Hashable:
        """The one of all values that are the same; who holds it need not compare the others."""
        met = self._met.get(id(value))
        if met is not None and met[0] is value:
            return met[1]
        one = self._values.setdefault(value, value)
        if not identical_value(one, value):
            one = value
        self._met[id(value)] = value, one
        return one

    def canonical_all(self, values: Mapping[str, Hashable]) -> Mapping[str, Hashable]:
        """The same, for each of some slots."""
        return {slot: self.canonical(value) for slot, value in values.items()}

    def _insert(self, name: Hashable, reads: Mapping[str, Hashable], result: object) -> None:
        """Adds an answer; what it has in common with one that is there becomes a question for each
        slot."""
        slots, values = tuple(reads), tuple(reads.values())
        ways: dict[Any, _ReadNode | _CachedResult] = self._known
        key: Hashable = name
        for index, (slot, value) in enumerate(reads.items()):
            node = ways.get(key)
            if isinstance(node, _CachedResult) and node.slots[:1] == (slot,):
                ways[key] = further = _ReadNode(slot)
                further.ways[id(node.values[0])] = _CachedResult(
                    node.slots[1:], node.values[1:], node.result
                )
                node = further
            if not isinstance(node, _ReadNode):
                ways[key] = _CachedResult(slots[index:], values[index:], result)
                self._answers += 1
                return
            ways, key = node.ways, id(value)
        ways[key] = _CachedResult((), (), result)
        self._answers += 1


class _RecordingView:
    """A view that remembers what was read, in its order."""

    __slots__ = ("_read", "seen")

    def __init__(self, read: Callable[[str], Hashable]) -> None:
        self._read = read
        self.seen: dict[str, Any] = {}

    def __getitem__(self, slot: str) -> Any:
        if slot not in self.seen:
            self.seen[slot] = self._read(slot)
        return self.seen[slot]
