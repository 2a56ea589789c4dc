"""Decision tree of a traced function of states, evaluated for sets of possible slot values.

An inner node is the slot that the function reads next, given the values it has read before. The
kernel evaluates the same kind of tree natively for the values of one state. In this module a slot
may have several values, and the tree is followed for each of them. Values are represented by their
numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from volition.kernel.system import SlotView
from volition.kernel.tracing import InternTable

__all__ = ["DecisionTree", "Numberings", "RaisedError", "TracedResult"]

Known = TypeVar("Known")
"""Type of the information about an abstract state that is passed on while a decision tree is
followed, such as the possible joint values of groups of slots."""

Numberings = Mapping[str, InternTable[Hashable]]
"""For each slot, the table that numbers its values. As in the kernel, equal values of different
types are different values."""

Candidates = Callable[[str, Known], Iterable[tuple[int, Known]]]
"""Function from a slot and the information known about the state to the possible values of the
slot, at least one. Each value comes with the information that is known once it is chosen."""


@dataclass(slots=True)
class _Node:
    """Node of a decision tree. ``slot`` is the slot that the function reads next; at a leaf it is
    None and ``answer`` is the result of the function. A node is ``open`` until an execution of the
    function has passed through it."""

    open: bool = True
    slot: str | None = None
    answer: Any = None
    children: dict[int, _Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RaisedError:
    """Result that stands for an exception that the traced function raised."""

    error: Exception


@dataclass(frozen=True, slots=True)
class TracedResult(Generic[Known]):
    """Result of a traced function for one combination of slot values (``answer``), with the slots
    and values that the function read, in order (``read``), and the information that is known once
    these values are chosen (``known``)."""

    answer: Any
    read: Mapping[str, int]
    known: Known


class DecisionTree:
    """Decision tree of one function of states. The function runs at most once for each sequence of
    values that it reads. ``encode`` is applied to its results before they are stored."""

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
        """Yield the result of the function for each combination of possible slot values.
        ``candidates`` gives the possible values of a slot, and ``known`` is what is known about the
        state at the start."""
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
        """Run the function and add the path of its reads to the tree below ``node``. Slots in
        ``read`` have the values given there; every other slot has its first possible value."""
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
