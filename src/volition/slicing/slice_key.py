"""What a slice depends on of the formulas that it is made for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from volition.logic.syntax import Formula, Reward
from volition.logic.traversal import atomic_formulas, counts_steps, is_quantitative, subformulas

__all__ = ["slice_key"]


def slice_key(formulas: Sequence[Formula]) -> Hashable:
    """The leaves, the rewards, whether steps are counted and whether numbers are asked for: no
    slice depends on more."""
    rewards = (
        part.name
        for formula in formulas
        for part in subformulas(formula)
        if isinstance(part, Reward)
    )
    return (
        frozenset(atom for formula in formulas for atom in atomic_formulas(formula)),
        frozenset(rewards),
        any(map(counts_steps, formulas)),
        any(map(is_quantitative, formulas)),
    )
