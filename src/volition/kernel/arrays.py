"""Names for array types, and helpers for lists of lists stored in flat arrays (compressed sparse
rows, CSR).

The choices of all states, and the transitions of all choices, are stored one after the other in one
array. The items of list ``i`` have the indices ``offsets[i]`` to ``offsets[i + 1] - 1``.
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
"""Set of states, choices or transitions as a Boolean array: element ``i`` says whether number ``i``
is in the set."""

Indices = npt.NDArray[np.int64]
"""Indices of states, choices or transitions."""

ShortIndices = npt.NDArray[np.uint32]
"""Indices of states, choices or transitions as 32-bit integers, as the kernel stores them. They
take half the memory of :data:`Indices`."""

Floats = npt.NDArray[np.float64]

NumberArray = npt.NDArray[Any]
"""One number for each state: floats, or ``Fraction`` objects."""


def offsets_of(counts: npt.NDArray[Any]) -> Indices:
    """Return the offset at which each list starts in a flat array, given the lengths of the lists.
    The last offset is the total length."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


_BLOCK = 2**18


def block_slices(size: int) -> Iterator[slice]:
    """Yield consecutive slices that cover an array of this size. Working on one slice at a time
    keeps temporary arrays small."""
    return (slice(begin, min(begin + _BLOCK, size)) for begin in range(0, size, _BLOCK))


def take_blockwise(table: npt.NDArray[Any], ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return ``table[ids]`` without numpy's temporary copy of all ids as 64-bit integers."""
    result = np.empty(len(ids), dtype=table.dtype)
    for block in block_slices(len(ids)):
        result[block] = table[ids[block]]
    return result


def concatenated_ranges(begin: Indices, counts: Indices) -> Indices:
    """Return one array with the ranges ``begin[i], ..., begin[i] + counts[i] - 1`` of all ``i``,
    one after the other."""
    starts = np.concatenate([[0], np.cumsum(counts)])
    return np.repeat(begin - starts[:-1], counts) + np.arange(starts[-1])
