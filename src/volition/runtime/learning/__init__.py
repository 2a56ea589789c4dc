"""Estimation of a program's parameters from recorded runs (``docs/guides/learning.md``)."""

from volition.runtime.learning.learn import TIMINGS, Timing, learn
from volition.runtime.learning.plot import save_waiting_picture
from volition.runtime.learning.results import EstimatedParameter, LearningResult
from volition.runtime.learning.sensitivity import ValueRange, value_ranges

__all__ = [
    "TIMINGS",
    "EstimatedParameter",
    "LearningResult",
    "Timing",
    "ValueRange",
    "learn",
    "save_waiting_picture",
    "value_ranges",
]
