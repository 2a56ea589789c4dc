"""The function ``run``, which executes a program."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import IO

from volition.api.inputs import Settings, Subject, as_program, seconds, whole_number
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.languages.common.trust import FULL_TRUST, with_trust
from volition.languages.lisa.resolved import ResolvedAgent
from volition.reporting.annotated_runs import TraceRow
from volition.runtime.executive import RunResult
from volition.runtime.launch import RunOptions, run_program
from volition.runtime.run_file import RunFile
from volition.runtime.run_log import LogListener
from volition.runtime.verification.parameter_updates import ParameterUpdates
from volition.runtime.worlds.interface import RuntimeWorld

__all__ = ["run"]


def run(
    program: Subject,
    *,
    settings: Settings | None = None,
    seed: int = 1,
    cycles: int | None = None,
    selector: str | None = None,
    objective: str | None = None,
    world: str | None = None,
    mission: str | os.PathLike[str] | None = None,
    until: str | None = None,
    record: str | os.PathLike[str] | IO[str] | None = None,
    overwrite: bool = False,
    real_time: bool = False,
    cycle: float | None = None,
    changes: ParameterUpdates | None = None,
    trust: bool = False,
    watch: LogListener | None = None,
    report: Callable[[TraceRow], None] | None = None,
    warnings: Diagnostics | None = None,
) -> RunResult:
    """Run a program: ``volition run``.

    Options that are None are taken from the run file of the program, or else have their defaults.
    ``cycles`` limits the number of reasoning cycles, or of steps if the language has no cycles;
    ``cycle`` is the duration of one cycle in seconds. If the agent has several choices,
    ``selector`` decides, or an optimal strategy for the query ``objective``. ``mission`` is a
    mission file for the world ``vessel``. ``record`` is a stream, or a file that is overwritten
    only with ``overwrite``.

    ``watch`` is called with the kind and the fields of every line of the record, ``report`` with
    each row of the annotated run. Ctrl-C ends the run between two cycles. ``trust`` allows the
    program to run code that it brings: worlds and skills in Python. ``changes`` passes new
    probabilities to an agent that chooses by verification. Warnings about the program or its run
    file are added to ``warnings``.

    Raise :class:`InputError` for invalid input.
    """
    options = RunOptions(
        seed=whole_number("seed", seed),
        cycles=None if cycles is None else whole_number("cycles", cycles, minimum=1),
        select=selector,
        objective=objective,
        world=world,
        mission=None if mission is None else Path(mission),
        end=until,
        record=Path(record) if isinstance(record, str | os.PathLike) else record,
        overwrite=overwrite,
        real_time=real_time,
        cycle=None if cycle is None else seconds("cycle", cycle),
        settings={name: str(value) for name, value in (settings or {}).items()},
        changes=ParameterUpdates() if changes is None else changes,
    )
    with with_trust(FULL_TRUST) if trust else nullcontext():
        query = as_program(program, settings=settings)
        warnings = Diagnostics() if warnings is None else warnings
        warnings.extend(query.warnings)
        return run_program(
            query,
            options,
            watch=watch,
            report=report,
            warnings=warnings,
            worlds={"vessel": _vessel},
        )


def _vessel(agent: ResolvedAgent, file: RunFile, seed: int) -> RuntimeWorld:
    try:
        from volition.vessel.world import (
            vessel_world,
        )  # imported on demand: it needs an optional library
    except ImportError as error:
        hint = "install volition[vessel]"
        raise InputError(
            [
                Diagnostic(
                    "RUN005",
                    f"the world 'vessel' needs a library that is missing: {error.name}",
                    hint=hint,
                )
            ]
        ) from None
    return vessel_world(agent, file.mission, seed)
