"""A function of a state as a decision tree: which slot it asks for next, given what it has read so
far.

The kernel keeps such trees natively, for the values of one state.  Here the same tree is walked
with *sets* of values: a slot that may have several values is followed into each of them.  Values
are told by their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from volition.kernel.system import SlotView
from volition.kernel.tracing import InternTable

__all__ = ["DecisionTree", "Numberings", "RaisedError", "TracedResult"]

Known = TypeVar("Known")
"""What is known about the state beside the values that were read."""

Numberings = Mapping[str, InternTable[Hashable]]
"""The values of each slot that were ever met; equal values of different types are different values,
as they are to the kernel."""

Candidates = Callable[[str, Known], Iterable[tuple[int, Known]]]
"""The values that a slot may have, each with what is then known; there is at least one."""


@dataclass(slots=True)
class _Node:
    """``slot`` is read next; None where ``answer`` is given.  A node is open until the function ran
    through it."""

    open: bool = True
    slot: str | None = None
    answer: Any = None
    children: dict[int, _Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RaisedError:
    """The answer of a function that raised an exception."""

    error: Exception


@dataclass(frozen=True, slots=True)
class TracedResult(Generic[Known]):
    """One answer: what the function read for it, in order, and what else is known then."""

    answer: Any
    read: Mapping[str, int]
    known: Known


class DecisionTree:
    """One function; it runs at most once for each sequence of values that it reads.  ``encode`` is
    applied to its answers."""

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
        """All answers that the function gives for some values of the slots that it reads."""
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
        """Runs the function on the first value of each slot that is not read yet, and writes down
        its way."""
        way: list[tuple[str, int]] = []
        seen = dict(read)

        class Reading:
            def __getitem__(_, slot: str) -> Any:  # noqa: N805
                nonlocal known
                if slot not in seen:
                    seen[slot], known = next(iter(candidates(slot, known)))
                    way.append((slot, seen[slot]))
                return self._values[slot].objects[seen[slot]]

        try:
            answer = self._encode(self._function(Reading()))
        except (
            Exception
        ) as error:  # no run may reach such a state, so that the function need not expect it
            answer = RaisedError(error)
        for slot, number in way:
            node.open, node.slot = False, slot
            node = node.children.setdefault(number, _Node())
        node.open, node.slot, node.answer = False, None, answer
