"""A program as it runs where verification makes some of its beliefs (``check --generated``), as a
call."""

from __future__ import annotations

from volition.api.inputs import Settings, Subject, as_program
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.protocols import Program
from volition.runtime.run_file import run_file_of
from volition.runtime.verification.setup import verification_of

__all__ = ["as_it_runs", "with_generated_beliefs"]


def with_generated_beliefs(
    program: Subject, *, settings: Settings | None = None, warnings: Diagnostics | None = None
) -> Program:
    """The program with the beliefs that its run file makes of queries; what is asked of it is asked
    of the agent that runs.

    Raises :class:`InputError` where the run file has mistakes, or makes no beliefs.
    """
    loaded = as_program(program, settings=settings)
    running = as_it_runs(loaded, warnings=warnings)
    if running is loaded:
        hint = "write 'belief NAME = QUERY on NUMBER off NUMBER' below [verification]"
        raise InputError(
            [
                Diagnostic(
                    "RUN214", "the run file of the program makes no beliefs of queries", hint=hint
                )
            ]
        )
    return running


def as_it_runs(program: Program, *, warnings: Diagnostics | None = None) -> Program:
    """The same, where the run file makes beliefs; otherwise the program as it is."""
    errors = Diagnostics()
    file = run_file_of(program, errors)
    errors.raise_errors()
    return verification_of(program, file, Diagnostics() if warnings is None else warnings).program
