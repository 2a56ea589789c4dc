"""Automata on infinite words: what a path formula becomes before it meets a state space.

Marks sit on edges (transition-based generalised Büchi acceptance), which gives the smallest
automata and the simplest product.  A run is accepted if it sees every mark of ``always`` infinitely
often and obeys every pair of ``pairs``: marks of ``when`` infinitely often only if marks of
``then`` infinitely often (Streett acceptance, for strong fairness and for automata that come from
elsewhere).  Sets of marks and of propositions are bits of an integer.
"""

from __future__ import annotations

from dataclasses import dataclass

from volition.logic.syntax import Formula

__all__ = ["Automaton", "AutomatonEdge", "Cube", "bits"]


def bits(mask: int) -> list[int]:
    """The numbers in a set of bits."""
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


@dataclass(frozen=True, slots=True)
class Cube:
    """A conjunction of literals: the propositions in ``positive`` hold, those in ``negative`` do
    not."""

    positive: int = 0
    negative: int = 0

    def __and__(self, other: Cube) -> Cube:
        return Cube(self.positive | other.positive, self.negative | other.negative)

    @property
    def consistent(self) -> bool:
        return self.positive & self.negative == 0

    def implies(self, other: Cube) -> bool:
        return self & other == self

    def allows(self, true: int, false: int) -> bool:
        """Whether a letter fits in which the propositions in ``true`` hold and those in ``false``
        do not."""
        return self.positive & ~true == 0 and self.negative & ~false == 0


@dataclass(frozen=True, slots=True)
class AutomatonEdge:
    guard: Cube
    target: int
    marks: int


@dataclass(frozen=True, slots=True)
class Automaton:
    """``edges[q]`` leave state q; ``propositions`` are the state formulas that the bits of a
    :class:`Cube` stand for."""

    propositions: tuple[Formula, ...]
    initial: tuple[int, ...]
    edges: tuple[tuple[AutomatonEdge, ...], ...]
    inf_marks: int = 0
    streett_pairs: tuple[tuple[int, int], ...] = ()

    @property
    def num_states(self) -> int:
        return len(self.edges)

    @property
    def num_marks(self) -> int:
        """How many marks are in use, counted up to the highest one."""
        used = self.inf_marks
        for when, then in self.streett_pairs:
            used |= when | then
        return used.bit_length()

    def recurrent_states(self) -> set[int]:
        """The states that an accepted run may visit infinitely often: those on loops that can
        collect all marks of ``always``."""
        reach = [self._reachable_from(state) for state in range(self.num_states)]
        recurrent = set()
        for state in range(self.num_states):
            together = {other for other in reach[state] if state in reach[other]}
            marks = 0
            for inner in (
                edge for each in together for edge in self.edges[each] if edge.target in together
            ):
                marks |= inner.marks
            if together and marks & self.inf_marks == self.inf_marks:
                recurrent.add(state)
        return recurrent

    def _reachable_from(self, state: int) -> set[int]:
        """The states that can be reached in one step or more."""
        reached: set[int] = set()
        waiting = [state]
        while waiting:
            for edge in self.edges[waiting.pop()]:
                if edge.target not in reached:
                    reached.add(edge.target)
                    waiting.append(edge.target)
        return reached

    def accepts_everything_from(self, state: int) -> bool:
        """Whether some loop on the state takes every letter and is accepted: then a finite run that
        gets here decides."""
        return any(
            edge.target == state
            and edge.guard == Cube()
            and edge.marks & self.inf_marks == self.inf_marks
            and all(not edge.marks & when or edge.marks & then for when, then in self.streett_pairs)
            for edge in self.edges[state]
        )
