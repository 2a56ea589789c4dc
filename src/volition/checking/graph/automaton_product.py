"""Product of a state space and an automaton for a path formula, and its accepting strongly
connected components.

Vardi and Wolper, "An automata-theoretic approach to automatic program verification" (1986), with
generalised acceptance on edges as in Couvreur, "On-the-fly verification of linear temporal logic"
(1999). The native core builds only the reachable product. On a complete space, some run
satisfies the formula if and only if the product has an accepting strongly connected component.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from volition.checking.graph.ctl import ThreeValuedSet
from volition.checking.graph.fairness import Fairness, fairness_acceptance
from volition.kernel import StateSpace, TooLarge, _native
from volition.kernel.arrays import Mask, block_slices, take_blockwise
from volition.logic.automata.automaton import Automaton, AutomatonEdge

__all__ = ["NO_PART", "AutomatonProduct"]

NO_PART = np.iinfo(np.uint32).max

MAX_NODES = 2**32 - 2
"""Largest number of nodes that a product can have, because node numbers have 32 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class _AcceptingSccs:
    """Accepting strongly connected components of a product: the component of each node (``NO_PART``
    for none), and for each component the acceptance marks that an accepting loop in it must contain
    (``required``) and must not contain (``forbidden``)."""

    of_node: npt.NDArray[np.uint32]
    required: npt.NDArray[np.uint64]
    forbidden: npt.NDArray[np.uint64]


class AutomatonProduct:
    """Product of a state space and an automaton, reachable from given start states.

    ``propositions`` has, for each proposition of the automaton, the states in which it holds. If
    they are not fully known, or if the space is only partly explored, the result is three-valued:
    with ``optimistic`` the product accepts every run that might be accepted, otherwise only runs
    that certainly are.

    Raise :class:`TooLarge` if the product has more than ``MAX_NODES`` nodes.
    """

    def __init__(
        self,
        space: StateSpace,
        automaton: Automaton,
        propositions: Sequence[ThreeValuedSet],
        *,
        starts: npt.NDArray[np.uint32],
        fairness: Fairness | None = None,
        optimistic: bool = False,
    ) -> None:
        self.space = space
        self.automaton = automaton
        self.starts = starts
        self._optimistic = optimistic
        self.fair = fairness_acceptance(space, fairness, automaton.num_marks)
        self.letters, self._alphabet = _letters(space.num_states, propositions, optimistic)
        first_edge, edge_targets, edge_marks = self._edge_table()
        try:
            self.states, self.automaton_states, self.offsets, self.targets, self.marks = (
                _native.build_product(
                    space.transition_matrix,
                    self.fair.of_choice,
                    self.letters,
                    automaton.num_states,
                    len(self._alphabet),
                    first_edge,
                    edge_targets,
                    edge_marks,
                    starts,
                    np.array(automaton.initial, dtype=np.uint32),
                    MAX_NODES,
                )
            )
        except _native.TooManyNodes:
            message = (
                "the automaton of the formula and the state space together have more than "
                f"{MAX_NODES:,} states"
            )
            raise TooLarge(message) from None

    def edges_from(self, state: int, automaton_state: int) -> list[tuple[int, int]]:
        """Return the edges of the automaton from ``automaton_state`` that are enabled in a state of
        the space, as pairs of target and acceptance marks."""
        return [
            (edge.target, edge.marks)
            for edge in self._open_edges(automaton_state, int(self.letters[state]))
        ]

    def _open_edges(self, automaton_state: int, letter: int) -> list[AutomatonEdge]:
        true, false = self._alphabet[letter]
        return [
            edge for edge in self.automaton.edges[automaton_state] if edge.guard.allows(true, false)
        ]

    def _edge_table(
        self,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
        """Return the automaton edges that are enabled for each pair of an automaton state and a
        letter (the truth values of the propositions in a state of the space). The result is three
        CSR arrays: offsets, targets and acceptance marks."""
        offsets, targets, marks = [0], [], []
        for state in range(self.automaton.num_states):
            for letter in range(len(self._alphabet)):
                open_edges = self._open_edges(state, letter)
                targets += [edge.target for edge in open_edges]
                marks += [edge.marks for edge in open_edges]
                offsets.append(len(targets))
        return (
            np.array(offsets, dtype=np.int64),
            np.array(targets, dtype=np.uint32),
            np.array(marks, dtype=np.uint64),
        )

    @property
    def num_nodes(self) -> int:
        return len(self.states)

    @cached_property
    def accepting_sccs(self) -> _AcceptingSccs:
        always = self.automaton.inf_marks | self.fair.inf_marks
        pairs = [*self.automaton.streett_pairs, *self.fair.streett_pairs]
        # Search only nodes whose automaton state lies on an accepting loop of the automaton. This
        # is sufficient, because every loop of the product is also a loop of the automaton.
        recurrent = np.zeros(self.automaton.num_states, dtype=np.bool_)
        recurrent[list(self.automaton.recurrent_states())] = True
        candidates = take_blockwise(recurrent, self.automaton_states)
        return _AcceptingSccs(
            *_native.accepting_sccs(
                self.offsets, self.targets, self.marks, candidates, always, pairs
            )
        )

    @cached_property
    def _accepting_nodes(self) -> npt.NDArray[np.bool_]:
        accepting: npt.NDArray[np.bool_] = self.accepting_sccs.of_node != NO_PART
        if not self.space.complete:
            accepting |= (
                self._unexplored_after(lambda _: True)
                if self._optimistic
                else self.accepting_frontier
            )
        return accepting

    @cached_property
    def accepting_frontier(self) -> Mask:
        """Mask of the product nodes that accept although their state of the space is unexplored. In
        such a node, the truth values of the propositions lead the automaton to a state from which
        it accepts every continuation."""
        universal = {
            q for q in range(self.automaton.num_states) if self.automaton.accepts_everything_from(q)
        }
        return self._unexplored_after(lambda edge: edge.target in universal)

    def _unexplored_after(self, suffices: Callable[[AutomatonEdge], bool]) -> Mask:
        """Return a mask of those product nodes whose state of the space was found but not explored,
        and whose automaton state has a suitable edge. An edge is suitable if the truth values of
        the propositions in the state of the space enable it and ``suffices`` is true for it."""
        shape = (self.automaton.num_states, len(self._alphabet))
        takes = np.zeros(shape, dtype=np.bool_)
        for q, letter in np.ndindex(shape):
            takes[q, letter] = any(map(suffices, self._open_edges(q, letter)))
        unexplored = self.states >= self.space.num_expanded
        result: Mask = unexplored & takes[self.automaton_states, self.letters[self.states]]
        return result

    def is_nonempty(self) -> bool:
        """Return whether the automaton accepts some run from some start state. All nodes of the
        product are reachable, so one accepting node is enough."""
        return bool(self._accepting_nodes.any())

    def nonempty_starts(self) -> npt.NDArray[np.bool_]:
        """Return for each start state whether the automaton accepts some run from it."""
        initial = len(self.automaton.initial)
        if initial == 0:
            return np.zeros(len(self.starts), dtype=np.bool_)
        backward = _native.reversed_graph(self.offsets, self.targets)
        reach = _native.exists_until(
            backward, self._accepting_nodes, np.ones(self.num_nodes, dtype=np.bool_), None
        )
        result: npt.NDArray[np.bool_] = np.logical_or.reduce(
            reach[: len(self.starts) * initial].reshape(len(self.starts), initial), axis=1
        )
        return result


_Letter = tuple[int, int]
"""Letter that the automaton reads in a state, as two bit sets: the propositions that are (or may
be) true in the state, and those that are (or may be) false."""


def _letters(
    states: int, propositions: Sequence[ThreeValuedSet], optimistic: bool
) -> tuple[npt.NDArray[np.uint32], list[_Letter]]:
    """Return the letter of each state as an index into a list of letters, and this list. A letter
    gives the truth values of the propositions in a state.

    The letters are built by adding one proposition at a time, so that the cost is linear in the
    number of propositions.
    """
    ids = np.zeros(states, dtype=np.uint32)
    alphabet: list[_Letter] = [(0, 0)]
    for index, proposition in enumerate(propositions):
        bit = 1 << index
        true = proposition.possible if optimistic else proposition.definite
        # A proposition can be true, false or unknown in a state. Unknown counts as both
        # (optimistic) or as neither.
        not_false = proposition.definite if optimistic else proposition.possible
        used = np.zeros(4 * len(alphabet), dtype=np.bool_)
        for block in block_slices(states):
            ids[block] = ids[block] * 4 + true[block] * 2 + ~not_false[block]
            used[ids[block]] = True
        alphabet = [
            (
                alphabet[old // 4][0] | (bit if old & 2 else 0),
                alphabet[old // 4][1] | (bit if old & 1 else 0),
            )
            for old in map(int, np.flatnonzero(used))
        ]
        ids = take_blockwise((np.cumsum(used) - 1).astype(np.uint32), ids)
    return ids, alphabet
