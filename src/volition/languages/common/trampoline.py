"""Recursion without Python's stack, so that what a user nests ten thousand levels deep is read like
anything else.

A function over a tree is written as a generator that yields the calls that it would have made and
gets their results::

    def size(tree: Tree) -> Work[int]:
        sizes = []
        for child in tree.children:
            sizes.append((yield size(child)))
        return 1 + sum(sizes)

    unwound(size(tree))
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["DeferredCall", "run_iteratively"]

T = TypeVar("T")

DeferredCall = Generator[Generator[Any, Any, Any], Any, T]
"""A call that is not made yet, with a result of the given type."""


def run_iteratively(work: DeferredCall[T]) -> T:
    """The result of a call; the calls that it makes wait in a list."""
    waiting: list[DeferredCall[Any]] = [work]
    result: Any = None
    while waiting:
        try:
            waiting.append(waiting[-1].send(result))
            result = None
        except StopIteration as done:
            waiting.pop()
            result = done.value
    return result  # type: ignore[no-any-return]
