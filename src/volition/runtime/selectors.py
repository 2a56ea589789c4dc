"""Selectors, which decide if an agent has several choices: the first choice, or a random one.
:mod:`.verification` has the verified selector."""

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
"""Name for decisions by the default that a project declares for states in which a selector has no
answer."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """A decision to be made in a state: one choice for each of the groups, all at once.

    A group is a component with several choices, such as the plans of a LISA agent with the same
    triggering event. An agent with interleaved components has one group with everything it can do.
    ``step`` counts the previous steps of the model; a cycle may take several.
    """

    state: State
    choices_by_group: Mapping[str, Sequence[Choice]]
    cycle: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """A decision: the index of the chosen choice for each group, the name of the selector, and the
    values of the choices.

    ``values`` maps a group to one mapping per choice, from the name of a query to its value, or
    None if the value is infinite. Groups without values are left out.
    """

    chosen: Mapping[str, int]
    by: str
    values: Mapping[str, Sequence[Mapping[str, float | None]]]


class Selector(Protocol):
    """Makes the decisions of an agent."""

    @property
    def name(self) -> str: ...

    def select(self, decision: DecisionRequest) -> DecisionResult: ...


@dataclass(frozen=True, slots=True)
class FirstSelector:
    """Selects the first choice in program order."""

    name: str = "first"

    def select(self, decision: DecisionRequest) -> DecisionResult:
        return DecisionResult(dict.fromkeys(decision.choices_by_group, 0), self.name, {})


@dataclass(frozen=True, slots=True)
class RandomSelector:
    """Selects every choice with the same probability."""

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
    """Return the selector ``first`` or ``random``. Its random numbers are independent of those of
    the world."""
    return FirstSelector() if name == "first" else RandomSelector(Random(f"selector {seed}"))
