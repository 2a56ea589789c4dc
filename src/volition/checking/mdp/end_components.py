"""End components of an MDP and graph-based (qualitative) reachability analysis."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from volition.checking.mdp.mdp import Mdp
from volition.kernel import _native
from volition.kernel.arrays import Floats, Indices, Mask

__all__ = [
    "bottom_scc_states",
    "distances_to",
    "end_components",
    "prob_1_some",
    "prob_greater_0_all",
    "scc_numbers",
    "shortest_path_choices",
]


def end_components(mdp: Mdp, choices: Mask) -> tuple[Mask, Indices]:
    """Return the maximal end components of an MDP that use only the given ``choices``: a mask of
    the choices that belong to one, and the component number of each state (-1 for none).

    Definition: de Alfaro, "Formal Verification of Probabilistic Systems", 1997. The algorithm
    computes strongly connected components and removes the choices that may leave them, until
    nothing changes.
    """
    kept = _choices_that_can_stay(mdp, choices)
    if not kept.any():
        return kept, np.full(mdp.num_states, -1, dtype=np.int64)
    while True:
        alive = np.logical_or.reduceat(kept, mdp.first_choice[:-1])
        number = np.where(alive, scc_numbers(mdp, kept), -1)
        source, target = number[mdp.choice_states], number[mdp.targets]
        leaving = np.logical_or.reduceat(
            target != source[mdp.transition_choices], mdp.first_transition[:-1]
        )
        if not (kept & leaving).any():
            return kept, number
        kept &= ~leaving


def _choices_that_can_stay(mdp: Mdp, choices: Mask) -> Mask:
    """Return those of the given ``choices`` after which a strategy can go on forever with given
    choices only, because it can avoid all states that have none. The strategy need not return to a
    state that it has visited."""
    without = ~np.logical_or.reduceat(choices, mdp.first_choice[:-1])
    everywhere = np.ones(mdp.num_states, dtype=np.bool_)
    ending = _native.prob_greater_0_all(
        mdp.first_choice, mdp.first_transition, mdp.targets, choices, without, everywhere
    )
    return choices & ~mdp.choices_into(ending)


def bottom_scc_states(chain: Mdp) -> Mask:
    """Return the states in bottom strongly connected components of a Markov chain."""
    every_choice = np.ones(chain.num_choices, dtype=np.bool_)
    return end_components(chain, every_choice)[1] >= 0


def prob_greater_0_all(mdp: Mdp, through: Mask, goal: Mask) -> Mask:
    """Return the states from which every strategy reaches a state of ``goal``, through states of
    ``through``, with positive probability."""
    every_choice = np.ones(mdp.num_choices, dtype=np.bool_)
    return _native.prob_greater_0_all(
        mdp.first_choice, mdp.first_transition, mdp.targets, every_choice, goal, through
    )


def prob_1_some(mdp: Mdp, through: Mask, goal: Mask) -> Mask:
    """Return the states from which some strategy reaches a state of ``goal``, through states of
    ``through``, with probability 1 (de Alfaro 1997)."""
    found = np.ones(mdp.num_states, dtype=np.bool_)
    while True:
        safe = ~mdp.choices_into(~found)
        backward = _graph(mdp, safe & through[mdp.choice_states]).T.tocsr()
        smaller = _native.exists_until(
            np.asarray(backward.indptr, dtype=np.int64),
            np.asarray(backward.indices, dtype=np.uint32),
            goal,
            through,
            None,
        )
        if np.array_equal(smaller, found):
            return found
        found = smaller


def scc_numbers(mdp: Mdp, choices: Mask) -> Indices:
    """Return, for each state, the number of its strongly connected component in the graph of the
    given ``choices``."""
    _, number = sparse.csgraph.connected_components(
        _graph(mdp, choices), directed=True, connection="strong"
    )
    return np.asarray(number, dtype=np.int64)


def distances_to(mdp: Mdp, choices: Mask, goal: Mask) -> Floats:
    """Return, for each state, the length of a shortest path to ``goal`` that uses only the given
    ``choices``; infinite if there is none."""
    if not goal.any():
        return np.full(mdp.num_states, np.inf)
    backward = _graph(mdp, choices).T.tocsr()
    found = sparse.csgraph.dijkstra(
        backward, indices=np.flatnonzero(goal), unweighted=True, min_only=True
    )
    return np.asarray(found, dtype=np.float64)


def shortest_path_choices(mdp: Mdp, choices: Mask, goal: Mask) -> Indices:
    """Return, for each state, the one of the given ``choices`` with the successor that is closest
    to ``goal``; -1 if the state has none of the given choices.

    The distance to ``goal`` is the length of a shortest path that uses only the given choices. It
    may be infinite; then any given choice of the state is returned.
    """
    steps = np.minimum.reduceat(
        distances_to(mdp, choices, goal)[mdp.targets], mdp.first_transition[:-1]
    )
    # The best choice of each state comes first: given choices before others, then by distance.
    order = np.lexsort((steps, ~choices, mdp.choice_states))
    best: Indices = order[mdp.first_choice[:-1]]
    return np.where(choices[best], best, -1)


def _graph(mdp: Mdp, choices: Mask) -> sparse.csr_array:
    used = choices[mdp.transition_choices]
    sources = mdp.choice_states[mdp.transition_choices][used]
    ones = np.ones(len(sources), dtype=np.int8)
    return sparse.csr_array(
        (ones, (sources, mdp.targets[used])), shape=(mdp.num_states, mdp.num_states)
    )
