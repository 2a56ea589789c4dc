"""The experiment "crossing": policies on an explored model, and missions that walk through it, many
at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from volition.checking.check import Answer
from volition.diagnostics import Diagnostics
from volition.kernel import StateSpace, explore
from volition.kernel.arrays import Floats, Indices, Mask
from volition.kernel.system import System
from volition.languages.lisa.program import LisaProgram, load
from volition.runtime.run_file import run_file_of
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import DecisionRequest, Selector
from volition.runtime.verification.parameter_updates import ParameterUpdates
from volition.runtime.verification.setup import Verification, verification_of

PROJECT = Path(__file__).parents[3] / "examples" / "lisa" / "crossing"


def number(answer: Answer) -> float:
    """The value of a query that was answered."""
    assert answer.verdict.value is not None
    return float(answer.verdict.value)


def crossing(settings: Mapping[str, str] | None = None) -> LisaProgram:
    """The program, perhaps with other numbers."""
    return load(PROJECT, settings or {})


def verification(program: LisaProgram) -> Verification:
    """What the project declares about run-time verification."""
    errors = Diagnostics()
    file = run_file_of(program, errors)
    errors.raise_errors()
    return verification_of(program, file, errors)


def verified(program: LisaProgram) -> Selector:
    """The verified selector of the project, of which the model is this program's."""
    return verification(program).selector(
        program.model(), RunLog(), ParameterUpdates(), Diagnostics()
    )


@dataclass(frozen=True)
class World:
    """What really happens: an explored model, in which somebody chooses."""

    system: System
    space: StateSpace

    @classmethod
    def of(cls, program: LisaProgram) -> World:
        system = program.model().system
        return cls(system, explore(system))

    @property
    def deciding(self) -> Indices:
        """The states with a choice."""
        return np.flatnonzero(np.diff(self.space.first_choice) > 1)

    def decision(self, state: int) -> DecisionRequest:
        values = self.space.values(state)
        groups = {
            each.name: choices
            for each in self.system.components
            if len(choices := each.step(values)) > 1
        }
        return DecisionRequest(values, groups)

    def policy(self, choose: Callable[[int], int]) -> Indices:
        """The choice in each state: the first where there is only one, else the number that is
        chosen."""
        chosen = self.space.first_choice[:-1].copy()
        for state in self.deciding.tolist():
            chosen[state] += choose(state)
        return chosen

    def by(self, selector: Selector) -> Indices:
        """What a selector chooses: each decision here is about one group of plans."""
        return self.policy(
            lambda state: next(iter(selector.select(self.decision(state)).chosen.values()))
        )

    def by_leg(self, ways: Sequence[int]) -> Indices:
        """One way for each leg, whatever the state is: 0 is open water, 1 the sheltered route."""
        return self.policy(
            lambda state: next(
                way
                for leg, way in enumerate(ways, 1)
                if self.space.value(state, f"leg_{leg}_ahead")
            )
        )

    @cached_property
    def success(self) -> Floats:
        return self.space.holds(
            lambda state: state["home"] == 1 and state["lost"] == 0 and state["battery_low"] == 0
        ).astype(np.float64)

    @cached_property
    def over(self) -> Mask:
        return self.space.holds(
            lambda state: state["home"] == 1 or state["lost"] == 1 or state["battery_low"] == 1
        )

    def missions(self, policy: Indices | None, number: int, seed: int) -> tuple[float, float]:
        """The part of so many missions that succeeds, and their mean cycles; without a policy every
        choice is drawn."""
        space, chance = self.space, np.random.default_rng(seed)
        upto = np.cumsum(
            space.probabilities
        )  # over all transitions, so that one search finds an outcome of any choice
        states, cycles = np.zeros(number, dtype=np.int64), np.zeros(number)
        for step in range(400):
            going = ~self.over[states]
            cycles[going] += step % 2 == 0
            here = states[going]
            if not len(here):
                return float(self.success[states].mean()), float(cycles.mean())
            first, counts = space.first_choice[here], np.diff(space.first_choice)[here]
            choices = first + chance.integers(counts) if policy is None else policy[here]
            begin, end = space.first_transition[choices], space.first_transition[choices + 1]
            below = np.where(begin > 0, upto[begin - 1], 0.0)
            found = np.searchsorted(
                upto, below + chance.random(len(here)) * (upto[end - 1] - below), side="right"
            )
            states[going] = space.targets[np.clip(found, begin, end - 1)]
        raise AssertionError("a mission never ends")


def predicted(world: World, policy: Indices) -> float:
    """The probability of success under a policy, by the equations of its Markov chain: 400 steps
    back, by which all missions are over."""
    space, values = world.space, world.success
    for _ in range(400):
        value = np.add.reduceat(
            space.probabilities * values[space.targets], space.first_transition[:-1]
        )[policy]
        values = np.where(world.over, world.success, value)
    return float(values[0])
