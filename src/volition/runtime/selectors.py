"""Who decides where an agent has several choices: the first, or chance with a seed;
:mod:`.verification` knows more."""

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
"""The name of what a project declares for states in which a selector has no answer."""


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """What is to be decided in a state: one of ``choices`` for each of ``groups``, at once.

    A group is a component that has several choices by its name, such as the plans of a LISA agent
    that share a triggering event; of an agent whose components take turns there is one group with
    all that it can do.  ``step`` counts the steps of the model that were made before; a cycle may
    take several.
    """

    state: State
    choices_by_group: Mapping[str, Sequence[Choice]]
    cycle: int = 0
    step: int = 0


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """A decision that was made: the number of the chosen choice for each group, who made it, and
    what each choice is worth to it.

    ``values`` has for a group one mapping for each of its choices, from the name of a query to its
    value, None if that is infinite; a group may be left out.
    """

    chosen: Mapping[str, int]
    by: str
    values: Mapping[str, Sequence[Mapping[str, float | None]]]


class Selector(Protocol):
    """Decides."""

    @property
    def name(self) -> str: ...

    def select(self, decision: DecisionRequest) -> DecisionResult: ...


@dataclass(frozen=True, slots=True)
class FirstSelector:
    """Always the first choice, in the order of the program."""

    name: str = "first"

    def select(self, decision: DecisionRequest) -> DecisionResult:
        return DecisionResult(dict.fromkeys(decision.choices_by_group, 0), self.name, {})


@dataclass(frozen=True, slots=True)
class RandomSelector:
    """Every choice with the same probability."""

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
    """``first`` or ``random``; its random numbers are not those of the world."""
    return FirstSelector() if name == "first" else RandomSelector(Random(f"selector {seed}"))
