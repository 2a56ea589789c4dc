"""The functions ``conform`` and ``learn``: compare recorded runs with the model of a program, and
estimate its probabilities from them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Real

from volition.api.inputs import Settings, Subject, as_program, limits_of, whole_number
from volition.api.property_input import Formulas, parse_with_warnings
from volition.api.verification import as_it_runs
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.runtime import conformance, learning
from volition.runtime.conformance import Conformance
from volition.runtime.learning import TIMINGS, LearningResult, Timing, ValueRange
from volition.runtime.record import Record, read_record

__all__ = ["Recorded", "conform", "learn", "value_ranges"]

Recorded = Record | str | os.PathLike[str]
"""Recorded run: a parsed record, or the path of its file."""


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
    """Check whether recorded runs are runs of a program's model: ``volition conform``.

    With ``explore``, the model is explored within the limits, and every step is also looked up in
    the state space.
    """
    model_of = as_it_runs(as_program(program, settings=settings))
    limits = limits_of(max_states, max_memory, timeout, jobs) if explore else None
    return [conformance.conform(each, model_of, limits=limits) for each in _records(runs)]


def learn(
    runs: Recorded | Sequence[Recorded],
    program: Subject,
    *,
    settings: Settings | None = None,
    timing: Timing = "program",
    confidence: float = 0.95,
) -> LearningResult:
    """Estimate the probabilities of a program from recorded runs, each with a confidence interval:
    ``volition learn``.

    ``timing`` is for LISA programs. It selects how the parameters mu (mean) and sigma (deviation)
    are determined, which say after how many cycles a percept can flip or a feedback arrives.
    ``program`` keeps the values of the program. ``every-cycle`` assumes that a percept can flip in
    every cycle, and takes the most likely values for feedbacks. ``fit`` takes the most likely
    values for percepts and feedbacks. ``LearningResult.settings`` can be passed to
    :func:`volition.load`.
    """
    if timing not in TIMINGS:
        raise InputError(
            [
                Diagnostic(
                    "API011", f"'timing' cannot be {timing!r}", hint=f"use {' or '.join(TIMINGS)}"
                )
            ]
        )
    if not isinstance(confidence, Real) or not 0 < confidence < 1:
        raise InputError(
            [
                Diagnostic(
                    "API011",
                    f"'confidence' cannot be {confidence!r}",
                    hint="give it a number between 0 and 1",
                )
            ]
        )
    return learning.learn(
        _records(runs),
        as_it_runs(as_program(program, settings=settings)),
        timing=timing,
        confidence=float(confidence),
    )


def value_ranges(
    learned: LearningResult,
    program: Subject,
    formulas: Formulas | None = None,
    *,
    settings: Settings | None = None,
    robust: bool = True,
    processes: int | None = None,
    max_states: int | None = None,
    max_memory: int | None = None,
    timeout: float | None = None,
    jobs: int | None = None,
) -> list[ValueRange]:
    """Return the range of values that each property can have if the probabilities of a program lie
    in their learned intervals: ``volition learn -p``.

    Values are computed at the ends of the intervals. With ``robust``, the result also has bounds
    that are valid for all probabilities in the intervals.
    """
    loaded = as_program(program, settings=settings)
    properties = parse_with_warnings(loaded, formulas, Diagnostics())
    workers = None if processes is None else whole_number("processes", processes, minimum=1)
    within = CheckSettings(limits=limits_of(max_states, max_memory, timeout, jobs or 1))
    return learning.value_ranges(
        loaded, learned, properties, settings=within, processes=workers, robust=robust
    )


def _records(runs: Recorded | Sequence[Recorded]) -> list[Record]:
    """Return the parsed records of one or several runs; raise :class:`InputError` if one cannot be
    read."""
    several = [runs] if isinstance(runs, Record | str | os.PathLike) else runs
    return [each if isinstance(each, Record) else read_record(each) for each in several]
