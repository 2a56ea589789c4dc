"""What is known while an agent runs: tables of values, which grow where a run leaves the explored
states and change with the parameters."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel.system import SlotView
from volition.languages.common.settings import RationalSetting, read_value, report_unknown
from volition.languages.protocols import ParametricProgram, Program
from volition.runtime.verification.section import Query
from volition.runtime.verification.table import ValueTable
from volition.runtime.verification.tabulate import TableRequest, build_table
from volition.runtime.verification.worker import Pending, TableBuilder

__all__ = ["KnownValues", "ValueStore"]


@dataclass(frozen=True, slots=True)
class KnownValues:
    """The tables that there are, the newest last; they can be sent to another process."""

    tables: list[ValueTable]

    def find(self, state: SlotView) -> tuple[ValueTable, int] | None:
        """Where a state is."""
        for table in reversed(self.tables):
            if (row := table.row(state)) is not None:
                return table, row
        return None

    def value(self, query: Query, state: SlotView, left: int | None = None) -> float | None:
        """What a query is worth in a state; None where that is not known."""
        found = self.find(state)
        return None if found is None else found[0].value(query.name, found[1], left)


class ValueStore:
    """The values of some queries, wherever they are known.

    A state that is in no table is a surprise.  It is explored on from there and its values are
    added; no other state ever answers for it.
    """

    def __init__(self, order: TableRequest, worker: TableBuilder) -> None:
        self.known = KnownValues([build_table(order)])
        self._order = order
        self._worker = worker
        self._growing: Pending | None = None
        self._replacing: Pending | None = None

    def request_missing(self, state: Mapping[str, Hashable]) -> None:
        """Explores on from a state that is not known; one at a time, since what follows it is
        explored with it."""
        if self._growing is None:
            self._growing = self._worker.submit(replace(self._order, start=dict(state)))

    def update_parameters(self, given: Mapping[str, str]) -> None:
        """Has everything computed anew for other parameters; until it is there, the old values
        count.

        Raises :class:`InputError` for what is no parameter, and for parameters that decide more
        than how likely something is: with them the states of the run would mean something else.
        """
        program = _changed(self._order.program, given)
        self._order = replace(self._order, program=program)
        self._growing = None  # what is on its way is about the old ones
        self._replacing = self._worker.submit(self._order)

    def collect_ready(self) -> bool:
        """Takes over what has been computed meanwhile: between two decisions, never inside of one.
        Whether it was for new parameters.

        Raises :class:`InputError` where what was ordered cannot be had.
        """
        growing, replacing = self._growing, self._replacing
        self._growing = self._replacing = None
        if replacing is not None:
            if (table := replacing.poll()) is None:
                self._replacing = replacing
            else:
                self.known.tables[:] = [table]
                return True
        if growing is not None:
            if (table := growing.poll()) is None:
                self._growing = growing
            else:
                self.known.tables.append(table)
        return False


def _changed(program: Program, given: Mapping[str, str]) -> Program:
    if not isinstance(program, ParametricProgram):
        raise InputError([Diagnostic("RUN213", "the program has no parameters that could change")])
    errors = Diagnostics()
    numbers: dict[str, Fraction] = {}
    for name, text in given.items():
        if name not in program.parameters:
            report_unknown(
                "RUN213", f"unknown parameter '{name}'", name, program.parameters, errors
            )
        elif (
            number := read_value(
                "RUN213", f"'{name}' cannot be '{text}'", text, RationalSetting(), errors
            )
        ) is not None:
            numbers[name] = number
    errors.raise_errors()
    from volition.kernel.weights import ParameterValueNeeded  # imports SymPy, which takes its time

    try:
        program.model(symbolic=numbers)
    except ParameterValueNeeded as needed:
        message = (
            f"'{next(iter(needed.parameters))}' says more than how likely something is, and "
            "cannot change while the agent runs"
        )
        raise InputError(
            [Diagnostic("RUN213", message, hint="end the run and start it with other settings")]
        ) from None
    return program.with_parameters(numbers)
