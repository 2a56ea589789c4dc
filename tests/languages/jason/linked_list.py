"""The linked list of Jason's belief base with an iterator, node by node, as Java's
``LinkedBlockingDeque`` is documented and behaves.

An iterator holds the next node and its item.  A removed node keeps its link to the next one, except
the first of the list: that one is linked to itself, and an iterator that meets such a node goes
back to the head.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LinkedList"]


@dataclass(eq=False)
class Node:
    item: int | None
    next: Node | None = None


class LinkedList:
    """A list of 1, 2, .. and one iterator that stands at its beginning."""

    def __init__(self, length: int) -> None:
        self._first: Node | None = None
        for item in range(length, 0, -1):
            self.add_first(item)
        self._held = self._first
        self._item = None if self._held is None else self._held.item

    def _nodes(self) -> list[Node]:
        found, node = [], self._first
        while node is not None:
            found.append(node)
            node = node.next
        return found

    def values(self) -> list[int]:
        return [each.item for each in self._nodes() if each.item is not None]

    def add_first(self, item: int) -> None:
        self._first = Node(item, self._first)

    def add_last(self, item: int) -> None:
        if nodes := self._nodes():
            nodes[-1].next = Node(item)
        else:
            self.add_first(item)

    def remove(self, item: int) -> None:
        nodes = self._nodes()
        index = next(number for number, each in enumerate(nodes) if each.item == item)
        node = nodes[index]
        node.item = None
        if index == 0:
            self._first, node.next = node.next, node
        else:
            nodes[index - 1].next = node.next

    def next(self) -> int | None:
        """Return the item that is held, None at the end; the iterator holds the one after it
        then."""
        item, node = self._item, self._held
        node = None if node is None else node.next
        while node is not None and node.item is None:
            node = self._first if node.next is node else node.next
        self._held, self._item = node, None if node is None else node.item
        return item
