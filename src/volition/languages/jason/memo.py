"""Memo of the results of reasoning-cycle stages, keyed by the slots that they read.

A stage depends only on the slots that it reads: ``Perceive`` on percepts and beliefs,
``Deliberate`` on events and beliefs. Many states differ only in other slots. The key is the
sequence of reads in order, because the values already read determine which slot is read next. The
kernel memoises whole transitions in the same manner.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from volition.kernel.system import SlotView, identical_value

__all__ = ["StageMemo"]

_MAX_ENTRIES = 50_000
"""Maximum number of stored results. When it is reached, the memo is cleared, to limit the memory of
large explorations."""

T = TypeVar("T")


@dataclass(slots=True)
class _CachedResult:
    """Leaf of the memo's decision tree: a stored result. The nodes above compare only some of the
    slots that the result depends on. The result applies if the remaining ``slots`` have the given
    ``values``."""

    slots: tuple[str, ...]
    values: tuple[Hashable, ...]
    result: Any


@dataclass(slots=True)
class _ReadNode:
    """Inner node of the memo's decision tree: the value of ``slot`` selects the next node. Values
    are identified by the ``id`` of their canonical object, see :meth:`StageMemo.canonical`."""

    slot: str
    children: dict[int, _ReadNode | _CachedResult] = field(default_factory=dict)


class StageMemo:
    """Memo of functions whose results depend only on the slots that they read."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._size = 0
        self._roots: dict[Hashable, _ReadNode | _CachedResult] = {}
        self._values: dict[Hashable, Hashable] = {}
        self._canonical_by_id: dict[int, tuple[Hashable, Hashable]] = {}

    def lookup_or_compute(
        self,
        name: Hashable,
        work: Callable[[SlotView], T],
        read: Callable[[str], Hashable],
        *,
        should_store: Callable[[T], bool] = lambda _: True,
    ) -> T:
        """Return the result of the function ``work``, either from the memo or by calling it with a
        view of the state. ``read`` returns the value of a slot in this view.

        ``name`` identifies the function ``work`` in the memo. A new result is stored only if
        ``should_store`` returns True for it.
        """
        node = self._roots.get(name)
        while isinstance(node, _ReadNode):
            node = node.children.get(id(self.canonical(read(node.slot))))
        if node is not None and self._matches(node, read):
            found: T = node.result
            return found
        view = _RecordingView(read)
        result = work(view)
        if should_store(result):
            if self._size >= _MAX_ENTRIES:
                self._clear()
            self._insert(name, self.canonical_all(view.seen), result)
        return result

    def _matches(self, answer: _CachedResult, read: Callable[[str], Hashable]) -> bool:
        return all(
            self.canonical(read(slot)) is value
            for slot, value in zip(answer.slots, answer.values, strict=True)
        )

    def canonical(self, value: Hashable) -> Hashable:
        """Return the object that represents all values equal to ``value``. Two such objects can be
        compared by identity."""
        entry = self._canonical_by_id.get(id(value))
        if entry is not None and entry[0] is value:
            return entry[1]
        canonical = self._values.setdefault(value, value)
        if not identical_value(canonical, value):
            canonical = value
        self._canonical_by_id[id(value)] = value, canonical
        return canonical

    def canonical_all(self, values: Mapping[str, Hashable]) -> Mapping[str, Hashable]:
        """Return the same map from slots to values, with each value replaced by its canonical
        object."""
        return {slot: self.canonical(value) for slot, value in values.items()}

    def _insert(self, name: Hashable, reads: Mapping[str, Hashable], result: object) -> None:
        """Store the result of the function ``name`` in its decision tree. ``reads`` are the slots
        that the function has read and their values, in order. If the function read the same slots
        first for a stored result, these slots become inner nodes of the tree."""
        slots, values = tuple(reads), tuple(reads.values())
        children: dict[Any, _ReadNode | _CachedResult] = self._roots
        key: Hashable = name
        for index, (slot, value) in enumerate(reads.items()):
            node = children.get(key)
            if isinstance(node, _CachedResult) and node.slots[:1] == (slot,):
                children[key] = inner = _ReadNode(slot)
                inner.children[id(node.values[0])] = _CachedResult(
                    node.slots[1:], node.values[1:], node.result
                )
                node = inner
            if not isinstance(node, _ReadNode):
                children[key] = _CachedResult(slots[index:], values[index:], result)
                self._size += 1
                return
            children, key = node.children, id(value)
        children[key] = _CachedResult((), (), result)
        self._size += 1


class _RecordingView:
    """View of a state that records which slots are read and their values, in order."""

    __slots__ = ("_read", "seen")

    def __init__(self, read: Callable[[str], Hashable]) -> None:
        self._read = read
        self.seen: dict[str, Any] = {}

    def __getitem__(self, slot: str) -> Any:
        if slot not in self.seen:
            self.seen[slot] = self._read(slot)
        return self.seen[slot]
