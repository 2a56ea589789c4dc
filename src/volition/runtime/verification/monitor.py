"""Monitor that logs the values of queries in the current state of a run after each cycle, for the
record and for telemetry."""

from __future__ import annotations

from math import isfinite

from volition.languages.protocols import Program
from volition.runtime.executive import Runner
from volition.runtime.run_log import RunLog
from volition.runtime.successor import State
from volition.runtime.verification.section import VerificationSection
from volition.runtime.verification.tabulate import TableRequest
from volition.runtime.verification.values import ValueStore
from volition.runtime.verification.worker import TableBuilder

__all__ = ["QueryMonitor"]


class QueryMonitor:
    """A :class:`Runner` that wraps another runner and logs the values of the monitored queries
    after each cycle.

    The values are those of a run that begins in the current state. In a state that the explored
    model does not contain, the values are None and exploration continues from that state.
    """

    def __init__(
        self,
        runner: Runner,
        program: Program,
        declared: VerificationSection,
        worker: TableBuilder,
        journal: RunLog,
    ) -> None:
        self._runner = runner
        self._queries = declared.monitored
        self._values = ValueStore(
            TableRequest(program, declared.monitored, declared, all_states=True), worker
        )
        self._journal = journal

    @property
    def state(self) -> State:
        return self._runner.state

    def start(self) -> None:
        self._runner.start()

    def advance(self, cycle: int, time: float) -> str | None:
        before = self._runner.state
        reason = self._runner.advance(cycle, time)
        if self._runner.state is not before:
            self._log_values(cycle, time)
        return reason

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        return self._runner.advance_time(start, end, cycle)

    def close(self) -> None:
        self._runner.close()

    def _log_values(self, cycle: int, time: float) -> None:
        self._values.collect_ready()
        found = self._values.known.find(self._runner.state)
        values_by_query: dict[str, float | None] = dict.fromkeys(
            query.name for query in self._queries
        )
        if found is None:
            self._values.request_missing(self._runner.state)
        else:
            table, row = found
            values = {name: table.value(name, row) for name in values_by_query}
            values_by_query = {
                name: value if isfinite(value) else None for name, value in values.items()
            }
        self._journal.write(
            "values",
            cycle=cycle,
            t=time,
            state=None if found is None else found[1],
            values=values_by_query,
        )
