"""Set-up of run-time verification. From a program and the section ``[verification]`` of its run
file, it makes the program that runs and its selector."""

from __future__ import annotations

from dataclasses import dataclass

from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.lisa.program import LisaProgram
from volition.languages.protocols import Executable, Model, Program
from volition.runtime.executive import Runner
from volition.runtime.run_file import RunFile
from volition.runtime.run_log import RunLog
from volition.runtime.verification.derived_beliefs import GeneratedBeliefs
from volition.runtime.verification.monitor import QueryMonitor
from volition.runtime.verification.parameter_updates import ParameterUpdates
from volition.runtime.verification.section import VerificationSection, read_declared
from volition.runtime.verification.selector import VerifiedSelector
from volition.runtime.verification.tabulate import TableRequest
from volition.runtime.verification.values import ValueStore
from volition.runtime.verification.worker import InProcessBuilder, SubprocessBuilder, TableBuilder

__all__ = ["Verification", "verification_of"]


@dataclass(frozen=True, eq=False)
class Verification:
    """Run-time verification of one run. ``program`` is the program that runs, including its derived
    beliefs."""

    program: Program
    declared: VerificationSection
    worker: TableBuilder
    beliefs: GeneratedBeliefs | None = None

    def selector(
        self, model: Model, journal: RunLog, changes: ParameterUpdates, warnings: Diagnostics
    ) -> VerifiedSelector:
        """Return the selector for the declared queries. This explores the model of the running
        program and evaluates the queries. Raise :class:`InputError` if no query chooses plans."""
        if not self.declared.chooses:
            hint = (
                "add a section [verification] with 'objective = Pmax=? [ F ... ]' to the run "
                "file, or choose another selector"
            )
            raise InputError(
                [
                    Diagnostic(
                        "RUN212",
                        "the run file has no query that chooses plans",
                        hint=hint,
                    )
                ]
            )
        if isinstance(model, Executable) and all(
            map(model.is_environment, model.system.components)
        ):
            warnings.warning(
                "RUN216",
                "the queries that choose plans have no effect: agents in "
                f"{self.program.language} always take the first applicable plan",
            )
        values = ValueStore(
            TableRequest(self.program, self.declared.selection_queries, self.declared), self.worker
        )
        return VerifiedSelector(model, self.declared, values, journal, changes)

    def showing(self, runner: Runner, journal: RunLog) -> Runner:
        """Return the runner, wrapped in a monitor if the section ``[verification]`` has queries to
        show."""
        return (
            QueryMonitor(runner, self.program, self.declared, self.worker, journal)
            if self.declared.monitored
            else runner
        )

    def close(self) -> None:
        self.worker.close()


def verification_of(
    program: Program, file: RunFile, warnings: Diagnostics, *, real_time: bool = False
) -> Verification:
    """Return the run-time verification that a run file declares. Raise one :class:`InputError` with
    all errors in the section ``[verification]``."""
    errors = Diagnostics()
    declared = read_declared(file.sections.get("verification", ()), program.model(), errors)
    errors.raise_errors()
    warnings.extend(errors.warnings)
    worker: TableBuilder = SubprocessBuilder() if real_time else InProcessBuilder()
    if not declared.beliefs:
        return Verification(program, declared, worker)
    assert isinstance(program, LisaProgram), "others have no percepts to make"
    beliefs = GeneratedBeliefs(program, declared, worker)
    return Verification(beliefs.program, declared, worker, beliefs)
