"""What the studio computes: functions of a :class:`~volition.studio.workbench.Bench`, called in its
process.

Each takes the bench first and plain data after it, and gives plain data
(:mod:`volition.studio.view_data`), which goes from process to process.
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
