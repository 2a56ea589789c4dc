"""Sets of states that may be known only in part, because the state space was not explored to its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["PartialSet"]


@dataclass(frozen=True, slots=True, eq=False)
class PartialSet:
    """``must``: the states in which a formula holds for certain; ``may``: those in which it is not known to fail.

    The two are one array when the space is complete.
    """

    must: npt.NDArray[np.bool_]
    may: npt.NDArray[np.bool_]

    @classmethod
    def exactly(cls, states: npt.NDArray[np.bool_]) -> PartialSet:
        return cls(states, states)

    @property
    def exact(self) -> bool:
        return self.must is self.may

    def at(self, state: int) -> bool | None:
        """True, false, or None if it is not known."""
        return bool(self.must[state]) if self.must[state] == self.may[state] else None

    def __invert__(self) -> PartialSet:
        if self.exact:
            return PartialSet.exactly(~self.must)
        return PartialSet(~self.may, ~self.must)

    def __and__(self, other: PartialSet) -> PartialSet:
        if self.exact and other.exact:
            return PartialSet.exactly(self.must & other.must)
        return PartialSet(self.must & other.must, self.may & other.may)

    def __or__(self, other: PartialSet) -> PartialSet:
        return ~(~self & ~other)
