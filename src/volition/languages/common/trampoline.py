"""Recursion without Python's call stack, so that deeply nested input (10,000 levels) can be read.

A recursive function over a tree is written as a generator. It yields each recursive call and
receives its result::

    def size(tree: Tree) -> DeferredCall[int]:
        sizes = []
        for child in tree.children:
            sizes.append((yield size(child)))
        return 1 + sum(sizes)

    run_iteratively(size(tree))
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

__all__ = ["DeferredCall", "run_iteratively"]

T = TypeVar("T")

DeferredCall = Generator[Generator[Any, Any, Any], Any, T]
"""Suspended call of a recursive function, as a generator; its result has the type ``T``."""


def run_iteratively(work: DeferredCall[T]) -> T:
    """Return the result of a deferred call. Calls that wait for a recursive call are kept in a list
    instead of on Python's call stack."""
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
