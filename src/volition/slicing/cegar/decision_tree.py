"""Decision tree of a traced function, evaluated on sets of values.

An inner node is the slot that the function reads next, given the values read so far. The kernel
evaluates such trees natively for the values of one state. Here a slot may have several values, and
the tree is followed for each of them. Values are represented by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from volition.kernel.system import SlotView
from volition.kernel.tracing import InternTable

__all__ = ["DecisionTree", "Numberings", "RaisedError", "TracedResult"]

Known = TypeVar("Known")
"""Information about the state besides the values read, such as the possible values of groups."""

Numberings = Mapping[str, InternTable[Hashable]]
"""Numbering of the values of each slot. As in the kernel, equal values of different types are
different values."""

Candidates = Callable[[str, Known], Iterable[tuple[int, Known]]]
"""Function that returns the possible values of a slot, at least one, each with the information that
then holds."""


@dataclass(slots=True)
class _Node:
    """Node of the tree. ``slot`` is read next; at a leaf it is None and ``answer`` is the result. A
    node is open until the function has run through it."""

    open: bool = True
    slot: str | None = None
    answer: Any = None
    children: dict[int, _Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RaisedError:
    """Result of a function that raised an exception."""

    error: Exception


@dataclass(frozen=True, slots=True)
class TracedResult(Generic[Known]):
    """Result of a function for one combination of values: the slots and values read, in order, and
    the information that then holds."""

    answer: Any
    read: Mapping[str, int]
    known: Known


class DecisionTree:
    """Decision tree of one function. The function runs at most once for each sequence of values
    that it reads. ``encode`` is applied to its results."""

    def __init__(
        self,
        function: Callable[[SlotView], Any],
        values: Numberings,
        encode: Callable[[Any], Any] = lambda answer: answer,
    ) -> None:
        self._function = function
        self._values = values
        self._encode = encode
        self._root = _Node()

    def answers(self, candidates: Candidates[Known], known: Known) -> Iterator[TracedResult[Known]]:
        """Yield the results of the function for all combinations of possible values."""
        waiting: list[tuple[_Node, dict[str, int], Known]] = [(self._root, {}, known)]
        while waiting:
            node, read, known = waiting.pop()
            if node.open:
                self._run(node, read, known, candidates)
            if node.slot is None:
                yield TracedResult(node.answer, read, known)
                continue
            for number, then in candidates(node.slot, known):
                child = node.children.get(number)
                if child is None:
                    child = node.children[number] = _Node()
                waiting.append((child, {**read, node.slot: number}, then))

    def _run(
        self, node: _Node, read: Mapping[str, int], known: Known, candidates: Candidates[Known]
    ) -> None:
        """Run the function with the first possible value of each slot that was not read yet, and
        add the path to the tree."""
        path: list[tuple[str, int]] = []
        seen = dict(read)

        class Reading:
            def __getitem__(_, slot: str) -> Any:  # noqa: N805
                nonlocal known
                if slot not in seen:
                    seen[slot], known = next(iter(candidates(slot, known)))
                    path.append((slot, seen[slot]))
                return self._values[slot].objects[seen[slot]]

        try:
            answer = self._encode(self._function(Reading()))
        except Exception as error:  # possible only in states that no run reaches
            answer = RaisedError(error)
        for slot, number in path:
            node.open, node.slot = False, slot
            node = node.children.setdefault(number, _Node())
        node.open, node.slot, node.answer = False, None, answer
