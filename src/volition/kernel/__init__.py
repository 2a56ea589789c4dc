"""Kernel: explores the state space of any :class:`System` in native code, independent of the agent
language.

See :mod:`volition.kernel.system` for the interface that languages implement and
:mod:`volition.kernel.space` for the resulting state space.
"""

from volition.kernel.exploration import Limits, Progress, explore, explore_further
from volition.kernel.lazy_graph import LazyStateGraph, StateGraph
from volition.kernel.space import ExplorationStop, StateSpace, Stats
from volition.kernel.system import (
    STUTTER,
    AnyPredicate,
    Choice,
    Component,
    ModelError,
    NoPredicate,
    Predicate,
    Reaction,
    RewardValue,
    SlotView,
    System,
    Weight,
)
from volition.kernel.tracing import KernelError, TooLarge

__all__ = [
    "STUTTER",
    "AnyPredicate",
    "Choice",
    "Component",
    "ExplorationStop",
    "KernelError",
    "LazyStateGraph",
    "Limits",
    "ModelError",
    "NoPredicate",
    "Predicate",
    "Progress",
    "Reaction",
    "RewardValue",
    "SlotView",
    "StateGraph",
    "StateSpace",
    "Stats",
    "System",
    "TooLarge",
    "Weight",
    "explore",
    "explore_further",
]  # fmt: skip
