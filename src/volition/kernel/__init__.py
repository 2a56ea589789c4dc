"""The kernel: explores any :class:`System` at native speed and knows nothing of agents.

See :mod:`volition.kernel.system` for the seam and :mod:`volition.kernel.space` for the result.
"""

from volition.kernel.exploration import Limits, Progress, explore, explore_further
from volition.kernel.on_demand import GraphOnDemand, StateGraph
from volition.kernel.space import StateSpace, Stats, Stop
from volition.kernel.system import STUTTER, Amount, AnyOf, Breach, Choice, Component, NoneOf, Predicate, Reaction, System, View, Weight
from volition.kernel.tracing import KernelError, TooLarge

__all__ = [
    "STUTTER", "Amount", "AnyOf", "Breach", "Choice", "Component", "GraphOnDemand", "KernelError", "Limits", "NoneOf", "Predicate",
    "Progress", "Reaction", "StateGraph", "StateSpace", "Stats", "Stop", "System", "TooLarge", "View", "Weight", "explore",
    "explore_further",
]  # fmt: skip
