"""Is a recorded run a run of the verified model: logic, support, likelihood (``docs/guides/conformance.md``)."""

from volition.runtime.conformance.findings import Conformance, Deviation, StateCoverage
from volition.runtime.conformance.replaying import conform, walk
from volition.runtime.conformance.replays import replay_record
from volition.runtime.conformance.traces import record_as_trace
from volition.runtime.conformance.walking import ConformanceChoice, ConformanceStep

__all__ = ["Conformance", "ConformanceChoice", "ConformanceStep", "Deviation", "StateCoverage", "conform", "record_as_trace", "replay_record", "walk"]
