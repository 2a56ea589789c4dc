"""Conformance check: whether a recorded run is a run of the verified model. It has three levels:
logic, support and likelihood (``docs/guides/conformance.md``)."""

from volition.runtime.conformance.check import conform, walk
from volition.runtime.conformance.replay_step import ConformanceChoice, ConformanceStep
from volition.runtime.conformance.replays import replay_record
from volition.runtime.conformance.result import Conformance, Deviation, StateCoverage
from volition.runtime.conformance.traces import record_as_trace

__all__ = [
    "Conformance",
    "ConformanceChoice",
    "ConformanceStep",
    "Deviation",
    "StateCoverage",
    "conform",
    "record_as_trace",
    "replay_record",
    "walk",
]
