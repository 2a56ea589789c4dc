"""Steps that may go several ways: each is run once for every sequence of choices that it makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

__all__ = ["Choose", "ways"]

Choose = Callable[[int], int]
"""Gives a number below the one that is asked for."""

Result = TypeVar("Result")


def ways(run: Callable[[Choose], Result]) -> Iterator[Result]:
    waiting: list[list[int]] = [[]]
    while waiting:
        taken = waiting.pop()
        used = 0

        def choose(amount: int) -> int:
            nonlocal taken, used
            if used == len(taken):
                waiting.extend([*taken, other] for other in range(1, amount))
                taken = [*taken, 0]
            used += 1
            return taken[used - 1]

        yield run(choose)
