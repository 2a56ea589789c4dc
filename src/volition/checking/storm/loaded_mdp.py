"""A process for questions about numbers, loaded into Storm: once for each kind of arithmetic, however many questions are asked about it."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from volition.checking.mdp.mdp import Mdp
from volition.checking.storm.client import StormModel
from volition.kernel import StateSpace

__all__ = ["CHEAP_STEPS", "LoadedMdp"]

CHEAP_TRANSITIONS = 30_000
CHEAP_COMPONENT = 300
CHEAP_STEPS = 2_000_000
"""Exact arithmetic is used unasked up to this many transitions, states on a common cycle, and steps times transitions."""


class LoadedMdp:
    """The process of a space, and whether its probabilities allow exact answers (``rational``), at a low price (``cheap``).

    The process may have other probabilities than the space, or some of its choices only, but it has the same states.
    """

    def __init__(self, space: StateSpace, mdp: Mdp) -> None:
        self.space = space
        self.mdp = mdp.at_nominal()
        self.rational = all(isinstance(weight, int | Fraction) for weight in self.mdp.weights)
        self.cheap = self.mdp.num_transitions <= CHEAP_TRANSITIONS and self.mdp.largest_strong_component() <= CHEAP_COMPONENT
        self._loaded: dict[bool, StormModel] = {}

    @cached_property
    def possible(self) -> Mdp:
        """The process without what has probability 0."""
        return self.mdp.without_impossible()

    def exactly(self, wanted: bool | None, steps: int = 0) -> bool:
        """Whether to compute exactly: as wanted, or where it is cheap.  Exact numbers get longer with each of ``steps``."""
        if wanted is not None:
            return wanted
        return self.rational and self.cheap and steps * self.mdp.num_transitions <= CHEAP_STEPS

    def storm(self, exact: bool) -> StormModel:
        """The process as Storm has it."""
        if exact not in self._loaded:
            self._loaded[exact] = StormModel(self.mdp, exact=exact)
        return self._loaded[exact]
