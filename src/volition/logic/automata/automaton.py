"""Omega-automata, into which path formulas are translated before the product with a state space.

Acceptance marks are on edges (transition-based generalised Büchi acceptance), which gives the
smallest automata and the simplest product. A run is accepted if it sees every mark of ``inf_marks``
infinitely often and satisfies every pair of ``streett_pairs``: if it sees a mark of the first set
infinitely often, it also sees a mark of the second set infinitely often. Streett pairs express
strong fairness and occur in automata of other tools. Sets of marks and of propositions are bits of
an integer.
"""

from __future__ import annotations

from dataclasses import dataclass

from volition.logic.syntax import Formula

__all__ = ["Automaton", "AutomatonEdge", "Cube", "bits"]


def bits(mask: int) -> list[int]:
    """Return the indices of the bits that are set in an integer, in ascending order."""
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


@dataclass(frozen=True, slots=True)
class Cube:
    """Conjunction of literals: the propositions in ``positive`` hold, and those in ``negative`` do
    not. Both are sets of propositions, encoded as bits of an integer."""

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
        """Return whether a letter satisfies the cube. ``true`` is the set of propositions that hold
        in the letter, ``false`` the set of those that do not, both as bits."""
        return self.positive & ~true == 0 and self.negative & ~false == 0


@dataclass(frozen=True, slots=True)
class AutomatonEdge:
    guard: Cube
    target: int
    marks: int


@dataclass(frozen=True, slots=True)
class Automaton:
    """Omega-automaton. ``edges[q]`` are the edges from state q, and ``propositions`` are the state
    formulas that the bits of a :class:`Cube` refer to."""

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
        """Number of acceptance marks: the highest mark in the acceptance condition plus one."""
        used = self.inf_marks
        for when, then in self.streett_pairs:
            used |= when | then
        return used.bit_length()

    def recurrent_states(self) -> set[int]:
        """Return the states that an accepting run may visit infinitely often: those of strongly
        connected components that contain all marks of ``inf_marks``."""
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
        """Return the states that are reachable from a state in one or more steps."""
        reached: set[int] = set()
        waiting = [state]
        while waiting:
            for edge in self.edges[waiting.pop()]:
                if edge.target not in reached:
                    reached.add(edge.target)
                    waiting.append(edge.target)
        return reached

    def accepts_everything_from(self, state: int) -> bool:
        """Return whether the state has an accepting self-loop for every letter. A run whose prefix
        reaches this state is then accepted, whatever follows."""
        return any(
            edge.target == state
            and edge.guard == Cube()
            and edge.marks & self.inf_marks == self.inf_marks
            and all(not edge.marks & when or edge.marks & then for when, then in self.streett_pairs)
            for edge in self.edges[state]
        )
