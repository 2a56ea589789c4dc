"""Values of queries that are known during a run. They are stored in tables, which are extended if
the run leaves the explored states, and recomputed if parameters change."""

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
    """The tables of query values that have been computed, the newest last. They can be sent to
    another process."""

    tables: list[ValueTable]

    def find(self, state: SlotView) -> tuple[ValueTable, int] | None:
        """Return the newest table that contains a state and the row of the state, or None if no
        table does."""
        for table in reversed(self.tables):
            if (row := table.row(state)) is not None:
                return table, row
        return None

    def value(self, query: Query, state: SlotView, left: int | None = None) -> float | None:
        """Return the value of a query in a state, or None if no table contains the state. ``left``
        is the number of remaining steps of a query with a step bound."""
        found = self.find(state)
        return None if found is None else found[0].value(query.name, found[1], left)


class ValueStore:
    """The values of queries in the states of a run, as far as they are known.

    A state that is not in any table is a surprise. Exploration then continues from this state, and
    its values are added. The values of another state are never used in its place.
    """

    def __init__(self, order: TableRequest, worker: TableBuilder) -> None:
        self.known = KnownValues([build_table(order)])
        self._order = order
        self._worker = worker
        self._growing: Pending | None = None
        self._replacing: Pending | None = None

    def request_missing(self, state: Mapping[str, Hashable]) -> None:
        """Request the values of the queries in an unexplored state and the states reachable from
        it. Do nothing if a request for an unexplored state is already pending."""
        if self._growing is None:
            self._growing = self._worker.submit(replace(self._order, start=dict(state)))

    def update_parameters(self, given: Mapping[str, str]) -> None:
        """Request new values of the queries for changed parameters. Until they are computed, the
        old values apply.

        Raise :class:`InputError` for unknown parameters, and for parameters that affect more than
        probabilities: if these changed, the states of the run would have another meaning.
        """
        program = _changed(self._order.program, given)
        self._order = replace(self._order, program=program)
        self._growing = None  # a pending table is for the old parameters
        self._replacing = self._worker.submit(self._order)

    def collect_ready(self) -> bool:
        """Add the requested tables that are finished. Return whether one of them was for changed
        parameters. Call this only between two decisions.

        Raise :class:`InputError` if a requested table could not be computed.
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
        raise InputError(
            [
                Diagnostic(
                    "RUN213",
                    "the program has no parameters, so 'changes' cannot set any during the run",
                )
            ]
        )
    errors = Diagnostics()
    numbers: dict[str, Fraction] = {}
    for name, text in given.items():
        if name not in program.parameters:
            report_unknown(
                "RUN213", f"unknown parameter '{name}'", name, program.parameters, errors
            )
        elif (
            number := read_value(
                "RUN213",
                f"invalid value '{text}' for the parameter '{name}'",
                text,
                RationalSetting(),
                errors,
            )
        ) is not None:
            numbers[name] = number
    errors.raise_errors()
    from volition.kernel.weights import ParameterValueNeeded  # imports SymPy, which is slow

    try:
        program.model(symbolic=numbers)
    except ParameterValueNeeded as needed:
        message = (
            f"the parameter '{next(iter(needed.parameters))}' cannot change during a run: it "
            "affects more than probabilities"
        )
        raise InputError(
            [Diagnostic("RUN213", message, hint="end the run and start it with other settings")]
        ) from None
    return program.with_parameters(numbers)
