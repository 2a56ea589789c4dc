"""Selectors, which decide when an agent has several choices. The two selectors in this module take
the first choice or a random one; :mod:`.verification` has the verified selector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from volition.kernel.system import Choice
from volition.runtime.successor import State

__all__ = [
    "DEFAULT",
    "DecisionRequest",
    "DecisionResult",
    "FirstSelector",
    "RandomSelector",
    "Selector",
    "selector_named",
]

DEFAULT = "default"
"""Name that is recorded instead of a selector if the run file's default made a decision. This
happens if the selector ``verified`` does not know the values of the choices."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """Request to a selector to decide in a state. ``choices_by_group`` has the choices that are
    open. It may have several groups; the selector must take one choice in each group.

    For a LISA agent, there is one group for each component with several choices, such as the plans
    with the same triggering event. The choices of all groups are executed together. For an agent
    with interleaved components, there is one group with all moves of the agent. ``step`` is the
    number of steps that the model has made since the start of the run; a reasoning cycle has
    several.
    """

    state: State
    choices_by_group: Mapping[str, Sequence[Choice]]
    cycle: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """Decision of a selector (the rule that chooses between the plans or moves of an agent): the
    choices taken, and the name of the selector.

    A decision may consist of several parallel choices. For a LISA agent there is one for each set
    of plans with the same triggering event, called a group. ``chosen`` maps each group to the index
    of the choice taken. ``values`` maps a group to the query values that the selector computed,
    with one mapping for each of its choices. The mapping has the value of each query by name; an
    infinite value is None. Groups without computed values are left out.
    """

    chosen: Mapping[str, int]
    by: str
    values: Mapping[str, Sequence[Mapping[str, float | None]]]


class Selector(Protocol):
    """Object that makes the decisions of an agent."""

    @property
    def name(self) -> str: ...

    def select(self, decision: DecisionRequest) -> DecisionResult: ...


@dataclass(frozen=True, slots=True)
class FirstSelector:
    """Selector that takes the first choice in program order."""

    name: str = "first"

    def select(self, decision: DecisionRequest) -> DecisionResult:
        return DecisionResult(dict.fromkeys(decision.choices_by_group, 0), self.name, {})


@dataclass(frozen=True, slots=True)
class RandomSelector:
    """Selector that takes every choice with the same probability."""

    chance: Random
    name: str = "random"

    def select(self, decision: DecisionRequest) -> DecisionResult:
        return DecisionResult(
            {
                group: self.chance.randrange(len(choices))
                for group, choices in decision.choices_by_group.items()
            },
            self.name,
            {},
        )


def selector_named(name: str, seed: int) -> Selector:
    """Return the selector ``first`` or ``random``. The random draws of the selector are independent
    of those of the world."""
    return FirstSelector() if name == "first" else RandomSelector(Random(f"selector {seed}"))
