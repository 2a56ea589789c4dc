"""Whether two explorations found the same, number for number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.kernel import StateSpace

__all__ = ["same"]


def same(one: StateSpace, other: StateSpace) -> bool:
    """Whether two spaces of one system have the same numbers for the same things."""
    arrays: list[Callable[[StateSpace], npt.NDArray[Any]]] = [
        lambda space: space.first_choice,
        lambda space: space.first_transition,
        lambda space: space.targets,
        lambda space: space.weight_ids,
        lambda space: space.label_ids,
        lambda space: space.component_ids,
        lambda space: space.choice_signatures,
        *((lambda space, slot=slot: space.column(slot)[0]) for slot in one.system.slots),
    ]
    return (
        all(np.array_equal(of(one), of(other)) for of in arrays)
        and [str(each) for each in one.labels] == [str(each) for each in other.labels]
        and (one.stop_state, one.complete, one.stats.python_calls)
        == (other.stop_state, other.complete, other.stats.python_calls)
    )
