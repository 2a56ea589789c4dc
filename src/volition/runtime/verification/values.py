"""What is known while an agent runs: tables of values, which grow where a run leaves the explored states and change with the parameters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from volition.diagnostics import InputError
from volition.kernel.system import View
from volition.languages.model import ParametricProgram
from volition.runtime.verification.declared import Query
from volition.runtime.verification.preparation import Order, prepare
from volition.runtime.verification.table import Table
from volition.runtime.verification.worker import Pending, Worker

__all__ = ["Known", "Values"]


@dataclass(frozen=True, slots=True)
class Known:
    """The tables that there are, the newest last; they can be sent to another process."""

    tables: list[Table]

    def find(self, state: View) -> tuple[Table, int] | None:
        """Where a state is."""
        for table in reversed(self.tables):
            if (row := table.row(state)) is not None:
                return table, row
        return None

    def of(self, query: Query, state: View, left: int | None = None) -> float | None:
        """What a query is worth in a state; None where that is not known."""
        found = self.find(state)
        return None if found is None else found[0].value(query.name, found[1], left)


class Values:
    """The values of some queries, wherever they are known.

    A state that is in no table is a surprise.  It is explored on from there and its values are added; no other state ever answers for it.
    """

    def __init__(self, order: Order, worker: Worker) -> None:
        self.known = Known([prepare(order)])
        self._order = order
        self._worker = worker
        self._growing: Pending | None = None
        self._replacing: Pending | None = None
        self.refused: InputError | None = None
        """Why the last table that was ordered could not be made."""

    def miss(self, state: Mapping[str, Hashable]) -> None:
        """Explores on from a state that is not known; one at a time, since what follows it is explored with it."""
        if self._growing is None:
            self._growing = self._worker.order(replace(self._order, start=dict(state)))

    def change(self, parameters: Mapping[str, Fraction]) -> None:
        """Has everything computed anew for other parameters; until it is there, the old values count."""
        assert isinstance(self._order.program, ParametricProgram), "only such a program has parameters"
        self._order = replace(self._order, program=self._order.program.with_parameters(parameters))
        self._growing = None  # what is on its way is about the old ones
        self._replacing = self._worker.order(self._order)

    def settle(self) -> None:
        """Takes over what has been computed meanwhile: between two decisions, never inside of one."""
        try:
            if self._replacing is not None and (table := self._replacing.ready()) is not None:
                self.known.tables[:], self._replacing = [table], None
            if self._growing is not None and (table := self._growing.ready()) is not None:
                self.known.tables.append(table)
                self._growing = None
        except InputError as error:
            self._replacing = self._growing = None
            self.refused = error

    def close(self) -> None:
        self._worker.close()
