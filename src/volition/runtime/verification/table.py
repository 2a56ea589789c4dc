"""Tables of query values for the states of a model. During a run, the value in a state is looked up
by its slot values in constant time."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from volition.kernel import StateSpace
from volition.kernel.arrays import Floats, Indices
from volition.kernel.system import SlotView, identical_value

__all__ = ["ValueTable", "table_of"]

_WIDTHS = ((2**8, "B", np.uint8), (2**16, "H", np.uint16), (2**32, "I", np.uint32))
"""The possible widths of slot value indices: one, two or four bytes. For each width: up to how many
values per slot it is used, its type code in :mod:`array`, and its NumPy type."""


@dataclass(frozen=True, eq=False, repr=False)
class ValueTable:
    """Table of query values, with a row for each of its states. The key of a state in ``rows`` is
    the concatenation of the indices of its slot values.

    ``vectors`` has for each query one value per row or, for a query with a step bound, one value
    per number of remaining steps and row. A table contains no functions, so that it can be sent
    between processes.
    """

    numbers: Sequence[tuple[str, Mapping[Hashable, int] | TypedNumbering]]
    """For each slot, the indices of its values."""
    typecode: str
    rows: Mapping[bytes, int]
    vectors: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.rows)

    def row(self, state: SlotView) -> int | None:
        """Return the row of a state, or None if the state is not in the table."""
        try:
            key = [numbers[state[slot]] for slot, numbers in self.numbers]
        except KeyError:
            return None  # no state of the table has this value
        return self.rows.get(array(self.typecode, key).tobytes())

    def value(self, query: str, row: int, left: int | None = None) -> float:
        """Return the value of a query in the state of a row. ``left`` is the number of remaining
        steps of a query with a step bound."""
        found = self.vectors[query]
        return float(
            found[row] if found.ndim == 1 else found[min(max(left or 0, 0), len(found) - 1), row]
        )


def table_of(
    space: StateSpace, states: Indices, vector: Callable[[str], Floats], queries: Sequence[str]
) -> ValueTable:
    """Return a table of the given states of a state space. ``vector`` returns the values of a query
    in these states."""
    columns = {slot: space.column(slot) for slot in space.system.slots}
    maximum = max((len(values) for _, values in columns.values()), default=1)
    typecode, dtype = next((code, kind) for limit, code, kind in _WIDTHS if maximum <= limit)
    written = np.stack([ids[states].astype(dtype) for ids, _ in columns.values()], axis=1).tobytes()
    width = len(columns) * np.dtype(dtype).itemsize
    rows = {written[row * width : (row + 1) * width]: row for row in range(len(states))}
    numbers = [(str(slot), _number_values(values)) for slot, (_, values) in columns.items()]
    return ValueTable(numbers, typecode, rows, {each: vector(each) for each in queries})


class TypedNumbering:
    """Mapping from the values of a slot to indices that distinguishes values of different types. 1
    and True are equal in Python, but have different indices here."""

    def __init__(self, values: Sequence[Hashable]) -> None:
        self._equal: dict[Hashable, list[tuple[Hashable, int]]] = {}
        for number, value in enumerate(values):
            self._equal.setdefault(value, []).append((value, number))

    def __getitem__(self, value: Hashable) -> int:
        for each, number in self._equal[value]:
            if identical_value(each, value):
                return number
        raise KeyError(value)


def _number_values(values: Sequence[Hashable]) -> Mapping[Hashable, int] | TypedNumbering:
    numbers = {value: number for number, value in enumerate(values)}
    return numbers if len(numbers) == len(values) else TypedNumbering(values)
