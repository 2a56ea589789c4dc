"""From a program and the section ``[verification]`` of its run file to what a run needs: the program that runs, and who decides."""

from __future__ import annotations

from dataclasses import dataclass

from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.lisa.program import LisaProgram
from volition.languages.model import EmbodiedModel, Model, Program
from volition.runtime.executive import Runner
from volition.runtime.journal import Journal
from volition.runtime.run_file import RunFile
from volition.runtime.verification.changes import Changes
from volition.runtime.verification.declared import Declared, read_declared
from volition.runtime.verification.generated import GeneratedBeliefs
from volition.runtime.verification.preparation import Order
from volition.runtime.verification.selection import Verified
from volition.runtime.verification.shown import Showing
from volition.runtime.verification.values import Values
from volition.runtime.verification.worker import Apart, Here, Worker

__all__ = ["Verification", "verification_of"]


@dataclass(frozen=True, eq=False)
class Verification:
    """Run-time verification of one run; ``program`` is the one that runs, with its beliefs made where some are declared."""

    program: Program
    declared: Declared
    worker: Worker
    beliefs: GeneratedBeliefs | None = None

    def selector(self, model: Model, journal: Journal, changes: Changes, doubts: Diagnostics) -> Verified:
        """Chooses plans by the declared queries; explores the model of the program that runs."""
        if not self.declared.chooses:
            hint = "write a section [verification] with 'objective = Pmax=? [ F ... ]' into its run file, or choose another selector"
            raise InputError([Diagnostic("RUN212", "the project does not say by which query plans are chosen", hint=hint)])
        if isinstance(model, EmbodiedModel) and all(map(model.is_of_world, model.system.components)):
            doubts.warning("RUN216", f"agents in {self.program.language} take the first plan that fits: there is nothing to choose")
        values = Values(Order(self.program, self.declared.of_choices, self.declared), self.worker)
        return Verified(model, self.declared, values, journal, changes)

    def showing(self, runner: Runner, journal: Journal) -> Runner:
        """The runner, which tells what the queries that are to be shown are worth, if there are such."""
        return Showing(runner, self.program, self.declared, self.worker, journal) if self.declared.shown else runner

    def close(self) -> None:
        self.worker.close()


def verification_of(program: Program, file: RunFile, doubts: Diagnostics, *, real_time: bool = False) -> Verification:
    """What a project declares; raises :class:`InputError` with all mistakes in it."""
    mistakes = Diagnostics()
    declared = read_declared(file.sections.get("verification", ()), program.model(), mistakes)
    mistakes.raise_errors()
    doubts.extend(mistakes.warnings)
    worker: Worker = Apart() if real_time else Here()
    if not declared.beliefs:
        return Verification(program, declared, worker)
    assert isinstance(program, LisaProgram), "others have no percepts to make"
    beliefs = GeneratedBeliefs(program, declared, worker)
    return Verification(beliefs.program, declared, worker, beliefs)
