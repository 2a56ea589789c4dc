"""Key of a slice: those aspects of formulas on which their slice depends. Formulas with the same
key share one slice."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from volition.logic.syntax import Formula, Reward
from volition.logic.traversal import atomic_formulas, counts_steps, is_quantitative, subformulas

__all__ = ["slice_key"]


def slice_key(formulas: Sequence[Formula]) -> Hashable:
    """Return a key such that formulas with the same key have the same slice. It consists of their
    atoms, their rewards, whether they count steps, and whether they are quantitative."""
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
