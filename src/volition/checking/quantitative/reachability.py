"""Graph reachability in an MDP, and runs of a strategy that reach or miss a goal."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from volition.checking.mdp.mdp import Mdp
from volition.checking.verdict import Run
from volition.kernel import StateSpace, _native
from volition.kernel.arrays import Indices, Mask

__all__ = ["most_probable_run", "prob_greater_0_some", "run_of_strategy"]


SHORTNESS = 1e-9
"""Cost of a step in addition to ``-log p`` in the search for a most probable run. Of two equally
probable runs, the shorter one is chosen."""


def prob_greater_0_some(mdp: Mdp, through: Mask, goal: Mask) -> Mask:
    """Return the states from which some strategy reaches a state of ``goal``, through states of
    ``through``, with positive probability."""
    if not goal.any():
        return goal.copy()
    offsets = mdp.first_transition[mdp.first_choice]
    backward = _native.reversed_graph(offsets, mdp.targets)
    return _native.exists_until(backward, goal, through, None)


def run_of_strategy(
    space: StateSpace, mdp: Mdp, choices: Indices, through: Mask, goal: Mask, *, towards: bool
) -> Run | None:
    """Return a run of a strategy: the most probable run to the goal, or a lasso that misses the
    goal.

    With ``towards``, a lasso is returned only if no run reaches the goal. Without it, the strategy
    aims to miss the goal, and a run to the goal is returned only if no run misses it. None if there
    is neither kind of run.
    """
    chain = mdp.induced_chain(choices)
    hopeless = ~prob_greater_0_some(chain, through, goal)
    attempts = (goal, hopeless) if towards else (hopeless, goal)
    for requested in attempts:
        run = most_probable_run(space, chain.with_absorbing(goal | hopeless), requested)
        if run is not None:
            return run if requested is goal else _extend_to_lasso(run, chain)
    return None


def most_probable_run(space: StateSpace, chain: Mdp, requested: Mask) -> Run | None:
    """Return the most probable run of a Markov chain from the initial state to a state of
    ``requested``; None if there is none."""
    costs = SHORTNESS - np.log(chain.probabilities)
    graph: sparse.csr_array = sparse.csr_array(
        (costs, chain.targets, chain.first_transition), shape=(chain.num_states, chain.num_states)
    )
    distances, parents = sparse.csgraph.dijkstra(
        graph, indices=np.array([0]), return_predecessors=True
    )
    costs_to_wanted = np.where(requested, distances[0], np.inf)
    last = int(np.argmin(costs_to_wanted))
    if not np.isfinite(costs_to_wanted[last]):
        return None
    states = [last]
    while states[-1] != 0:
        states.append(int(parents[0, states[-1]]))
    states.reverse()
    return Run(
        space, tuple(states), tuple(int(chain.original_choices[state]) for state in states[:-1])
    )


def _extend_to_lasso(run: Run, chain: Mdp) -> Run:
    """Return the run extended by the most probable transitions until it returns to one of its
    states."""
    states, choices = list(run.states), list(run.choices)
    position = {state: index for index, state in enumerate(states)}
    while True:
        state = states[-1]
        choices.append(int(chain.original_choices[state]))
        if choices[-1] < 0:  # an unexplored state
            return run
        begin, end = chain.first_transition[state], chain.first_transition[state + 1]
        target = int(chain.targets[begin + int(np.argmax(chain.probabilities[begin:end]))])
        if target in position:
            return Run(run.space, tuple(states), tuple(choices), position[target])
        position[target] = len(states)
        states.append(target)
