"""What the studio computes: functions of a :class:`~volition.studio.bench.Bench`, called in its process.

Each takes the bench first and plain data after it, and gives plain data (:mod:`volition.studio.shown`), which goes from process to process.
"""

from volition.studio.work import checking, evidence, reading, running, strategies, sweeps, tradeoffs, walking

__all__ = ["checking", "evidence", "reading", "running", "strategies", "sweeps", "tradeoffs", "walking"]
