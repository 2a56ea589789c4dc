"""What queries are worth in the state that a run is in, cycle by cycle: for its record, for who
looks on, and for who looks at it later."""

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
    """A :class:`Runner` that does what another one does, and tells after each cycle what the
    declared queries are worth.

    Values are those of a run that begins in that state.  A state that the explored model does not
    have is worth nothing known, and is explored on from.
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
            self._tell(cycle, time)
        return reason

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        return self._runner.advance_time(start, end, cycle)

    def close(self) -> None:
        self._runner.close()

    def _tell(self, cycle: int, time: float) -> None:
        self._values.collect_ready()
        found = self._values.known.find(self._runner.state)
        worth_value: dict[str, float | None] = dict.fromkeys(query.name for query in self._queries)
        if found is None:
            self._values.request_missing(self._runner.state)
        else:
            table, row = found
            values = {name: table.value(name, row) for name in worth_value}
            worth_value = {
                name: value if isfinite(value) else None for name, value in values.items()
            }
        self._journal.write(
            "values",
            cycle=cycle,
            t=time,
            state=None if found is None else found[1],
            values=worth_value,
        )
