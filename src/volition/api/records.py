"""``conform`` as a call: recorded runs and the model."""

from __future__ import annotations

import os
from collections.abc import Sequence

from volition.api.subjects import Settings, Subject, as_program, limits_of
from volition.runtime import conformance
from volition.runtime.conformance import Conformance
from volition.runtime.record import Record, read_record

__all__ = ["Recorded", "as_record", "conform"]

Recorded = Record | str | os.PathLike[str]
"""A record that was read, or the file of one."""


def as_record(recorded: Recorded) -> Record:
    """The record that is meant; raises :class:`InputError` where it cannot be read."""
    return recorded if isinstance(recorded, Record) else read_record(recorded)


def conform(
    runs: Recorded | Sequence[Recorded],
    program: Subject,
    *,
    settings: Settings | None = None,
    explore: bool = False,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
) -> list[Conformance]:
    """Whether recorded runs are runs of a program's model: ``volition conform``.

    With ``explore`` the model is explored within the limits, and every step is looked up in the explored space as well.
    """
    records = [as_record(each) for each in ([runs] if isinstance(runs, Record | str | os.PathLike) else runs)]
    model_of = as_program(program, settings=settings)
    limits = limits_of(max_states, max_memory, timeout, jobs) if explore else None
    return [conformance.conform(each, model_of, limits=limits) for each in records]
