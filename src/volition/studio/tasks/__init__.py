"""Computations of the studio: functions that are called in a worker process.

Each takes a :class:`~volition.studio.workbench.Workbench` and plain data, and returns plain data
(:mod:`volition.studio.view_data`) that can be sent between processes.
"""

from volition.studio.tasks import (
    check,
    evidence,
    load,
    run,
    simulate,
    strategies,
    sweeps,
    tradeoffs,
)

__all__ = ["check", "evidence", "load", "run", "simulate", "strategies", "sweeps", "tradeoffs"]
