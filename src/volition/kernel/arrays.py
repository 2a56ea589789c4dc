"""What the arrays of states, choices and transitions are called, and how lists of lists lie in
them.

A state's choices, and a choice's transitions, stand one after the other in one array; *offsets* say
where each begins: those of ``i`` are numbered ``offsets[i]`` up to ``offsets[i + 1]``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "Floats",
    "Indices",
    "Mask",
    "NumberArray",
    "ShortIndices",
    "block_slices",
    "concatenated_ranges",
    "offsets_of",
    "take_blockwise",
]

Mask = npt.NDArray[np.bool_]
"""A set of states (choices, ...): whether each is in it."""

Indices = npt.NDArray[np.int64]
"""Numbers of states, choices or transitions."""

ShortIndices = npt.NDArray[np.uint32]
"""The same as the kernel keeps them, in half the room."""

Floats = npt.NDArray[np.float64]

NumberArray = npt.NDArray[Any]
"""A number for each state: floats, or fractions as objects."""


def offsets_of(counts: npt.NDArray[Any]) -> Indices:
    """Where each list begins, from the lengths of the lists; the end of the last is the last
    offset."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


_BLOCK = 2**18


def block_slices(size: int) -> Iterator[slice]:
    """Parts of a long array, one after the other: what is made of a part takes little memory,
    whatever its types are."""
    return (slice(begin, min(begin + _BLOCK, size)) for begin in range(0, size, _BLOCK))


def take_blockwise(table: npt.NDArray[Any], ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """``table[ids]`` without the copy of all ids as 64-bit numbers that numpy would make."""
    result = np.empty(len(ids), dtype=table.dtype)
    for block in block_slices(len(ids)):
        result[block] = table[ids[block]]
    return result


def concatenated_ranges(begin: Indices, counts: Indices) -> Indices:
    """``begin[0], begin[0] + 1, ...`` for each of the counts, one after the other."""
    starts = np.concatenate([[0], np.cumsum(counts)])
    return np.repeat(begin - starts[:-1], counts) + np.arange(starts[-1])
