"""Reward arrays of an MDP: the rewards of states and choices, in floating point for most formulas
and as exact fractions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.kernel.arrays import take_blockwise

__all__ = ["RewardArrays", "rewards_of", "simplest_fraction"]

LEAST = float(np.finfo(np.float64).smallest_normal)


@dataclass(frozen=True)
class RewardArrays:
    """One named reward of an MDP: the reward of each state per step spent in it, and of each choice
    when taken.

    The arrays contain floats, or fractions as objects if they must stay exact. ``exact_values``
    maps a float to the exact amount that it stands for, if that is known.
    """

    of_states: npt.NDArray[Any]
    of_choices: npt.NDArray[Any]
    exact_values: Mapping[float, Fraction] = field(default_factory=dict, repr=False)

    @property
    def never_negative(self) -> bool:
        return bool(self.of_states.min() >= 0 and self.of_choices.min() >= 0)

    @cached_property
    def error(self) -> float:
        """Largest relative error of an entry of the arrays compared with the reward as written in
        the program."""
        written = max(
            (
                _relative_error(amount, exact)
                for amount, exact in self.exact_values.items()
                if amount
            ),
            default=0.0,
        )
        amounts = np.unique(np.concatenate([self.of_states, self.of_choices]))
        # A whole number is exact. Any other float without a known exact value is rounded: it stands
        # for some fraction that rounds to it.
        fractional = any(
            amount not in self.exact_values
            for amount in amounts[amounts != np.rint(amounts)].tolist()
        )
        return max(written, 2.0**-53) if fractional else written

    def of_each_choice(self, choice_states: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], float]:
        """Return the reward of each choice plus that of its state, and a bound on the absolute
        error of these sums. ``choice_states`` is the state of each choice."""
        earned_before = self.of_states[choice_states]
        gains = earned_before + self.of_choices
        # The rounding error of an addition is itself a float (Knuth, The Art of Computer
        # Programming 2, Sect. 4.2.2).
        added = gains - earned_before
        lost = (earned_before - (gains - added)) + (self.of_choices - added)
        sizes = np.abs(earned_before) + np.abs(self.of_choices)
        off = self.error * float(sizes.max()) + float(np.abs(lost).max())
        return gains, off * (1 + 2.0**-50)

    def with_arrays(
        self, of_states: npt.NDArray[Any], of_choices: npt.NDArray[Any]
    ) -> RewardArrays:
        """Return the reward with other arrays of floats, for a derived MDP. The exact values that
        the floats stand for stay the same."""
        return replace(self, of_states=of_states, of_choices=of_choices)

    def exactly(self) -> RewardArrays:
        """Return the reward with fractions instead of floats."""
        return RewardArrays(self._fractions(self.of_states), self._fractions(self.of_choices))

    def fraction(self, amount: float | Fraction) -> Fraction:
        """Return the exact amount that an entry of the reward arrays stands for."""
        if isinstance(amount, Fraction):
            return amount
        return (
            self.exact_values[amount] if amount in self.exact_values else simplest_fraction(amount)
        )

    def _fractions(self, amounts: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if amounts.dtype == np.object_:
            return amounts
        distinct, positions = np.unique(amounts, return_inverse=True)  # few amounts are distinct
        table = np.array([self.fraction(each) for each in distinct.tolist()], dtype=object)
        result: npt.NDArray[Any] = table[positions]
        return result


def rewards_of(space: StateSpace, name: str) -> RewardArrays:
    """Return the arrays of the reward ``name`` of an explored space. Unexplored states come last;
    they have no reward and one choice each."""
    state_ids, by_states = space.state_reward_ids(name)
    choice_ids, by_choices = space.choice_reward_ids(name)
    floats = _distinct_floats(name, [*by_states, *by_choices])
    of_states, of_choices = (
        np.array([floats[each] for each in amounts]) for amounts in (by_states, by_choices)
    )
    earned = take_blockwise(of_states, state_ids)
    earned[space.num_expanded :] = 0.0
    unexplored = np.zeros(space.num_states - space.num_expanded)
    meant = {
        number: Fraction(amount)
        for amount, number in floats.items()
        if not isinstance(amount, float)
    }
    return RewardArrays(earned, np.concatenate([of_choices[choice_ids], unexplored]), meant)


def _distinct_floats(name: str, amounts: Iterable[Any]) -> dict[Any, float]:
    """Return a float for each amount of a reward, such that different amounts get different floats.

    An amount gets the nearest float or, if another amount has that float, the next one farther from
    0. Only the amount 0 gets the float 0.
    """
    floats: dict[Any, float] = {}
    taken: set[float] = set()
    for amount in dict.fromkeys(amounts):
        try:
            number = float(amount)
        except OverflowError:
            number = np.inf
        if not np.isfinite(number):
            raise InputError(
                [
                    Diagnostic(
                        "CHK019",
                        f"the reward '{name}' has values beyond 1e308, which cannot be summed",
                    )
                ]
            )
        if abs(number) < LEAST and amount != 0:
            number = LEAST if amount > 0 else -LEAST
        while number in taken:
            number = float(np.nextafter(number, np.inf if number > 0 else -np.inf))
        taken.add(number)
        floats[amount] = number
    return floats


def _relative_error(amount: float, exact: Fraction) -> float:
    """Return the difference between a float and the exact amount that it stands for, relative to
    the float and rounded up."""
    difference = abs(1 - exact / Fraction(amount))
    return math.nextafter(float(difference), math.inf) if difference else 0.0


def simplest_fraction(number: float) -> Fraction:
    """Return the number that an author most likely wrote for a float: a fraction with a small
    denominator that rounds to the float, for example 1/10 for 0.1."""
    for digits in (2, 4, 6, 8, 10, 12, 14):
        fraction = Fraction(number).limit_denominator(10**digits)
        if float(fraction) == number:
            return fraction
    return Fraction(number)
