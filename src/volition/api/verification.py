"""Programs extended by the beliefs that run-time verification derives (``check
--derived-beliefs``)."""

from __future__ import annotations

from volition.api.inputs import Settings, Subject, as_program
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.protocols import Program
from volition.runtime.run_file import run_file_of
from volition.runtime.verification.setup import verification_of

__all__ = ["as_it_runs", "with_derived_beliefs"]


def with_derived_beliefs(
    program: Subject, *, settings: Settings | None = None, warnings: Diagnostics | None = None
) -> Program:
    """Return the program extended by the beliefs that its run file derives from the values of
    queries, so that the checked agent has the same beliefs as the running agent.

    Raise :class:`InputError` if the run file has errors or derives no beliefs.
    """
    loaded = as_program(program, settings=settings)
    running = as_it_runs(loaded, warnings=warnings)
    if running is loaded:
        hint = "write 'belief NAME = QUERY on NUMBER off NUMBER' below [verification]"
        raise InputError(
            [
                Diagnostic(
                    "RUN214",
                    "the run file of the program derives no beliefs from queries",
                    hint=hint,
                )
            ]
        )
    return running


def as_it_runs(program: Program, *, warnings: Diagnostics | None = None) -> Program:
    """Return the program as it behaves at run time: extended by derived beliefs if its run file
    defines some, otherwise unchanged."""
    errors = Diagnostics()
    file = run_file_of(program, errors)
    errors.raise_errors()
    return verification_of(program, file, Diagnostics() if warnings is None else warnings).program
