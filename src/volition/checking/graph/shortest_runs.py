"""Runs as evidence: paths and lassos, as short as they can be found in linear time.

A run that an automaton accepts is told as a finite path where that already decides (the automaton accepts whatever
follows), else as a lasso: a shortest way into an accepting part of the product, then from edge to nearest edge through
all the marks that must be seen again and again, and back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from volition.checking.graph.automaton_product import NO_PART, AutomatonProduct
from volition.checking.verdict import Run
from volition.kernel import StateSpace, _native

__all__ = ["accepted_run", "joined", "run_to"]

Step = tuple[int, int]
"""A state and the choice taken in it."""


def run_to(space: StateSpace, state: int) -> Run:
    """A shortest run from the initial state."""
    states, choices = space.path_to(state)
    return Run(space, tuple(states), tuple(choices))


def joined(first: Run, second: Run) -> Run:
    """A finite run, continued by one that starts where it ends."""
    shift = len(first.choices)
    loop = None if second.loop is None else second.loop + shift
    return Run(first.space, first.states[:-1] + second.states, first.choices + second.choices, loop)


def accepted_run(search: AutomatonProduct) -> Run | None:
    """A run from the search's only start that the automaton accepts, or None."""
    runs = [run for node in range(len(search.automaton.initial)) for run in (_deciding_path(search, node), _lasso(search, node)) if run]
    # At equal length a path is easier to read than a lasso.
    return min(runs, key=lambda run: (len(run.choices), run.loop is not None), default=None)


def _deciding_path(search: AutomatonProduct, start: int) -> Run | None:
    """The shortest path after which everything is accepted."""
    universal = [search.automaton.accepts_everything_from(q) for q in range(search.automaton.num_states)]
    goal = np.array(universal, dtype=np.bool_)[search.automaton_states]
    edges = [] if goal[start] else _path(search, start, goal)
    if edges is None:
        return None
    # The last edge reads the last letter that matters: the state behind it does not.
    steps = _steps(search, start, edges)[:-1]
    last = int(search.states[_source(search, start, edges, len(edges) - 1)])
    return Run(search.space, (*(state for state, _ in steps), last), tuple(choice for _, choice in steps))


def _lasso(search: AutomatonProduct, start: int) -> Run | None:
    """A shortest way to an accepting part, and a short loop in it."""
    parts = search.parts
    inside_some = parts.of_node != NO_PART
    stem = [] if inside_some[start] else _path(search, start, inside_some)
    if stem is None:
        return None
    entry = int(search.targets[stem[-1]]) if stem else start
    part = int(parts.of_node[entry])
    inside = parts.of_node == part
    forbidden = int(parts.forbidden[part])
    missing = int(parts.required[part])
    loop: list[int] = []
    node = entry
    while missing:
        way = _path(search, node, inside, inside=inside, wanted=missing, forbidden=forbidden)
        assert way is not None, "an accepting part has an edge for each required mark"
        for edge in way:
            missing &= ~int(search.marks[edge])
        loop += way
        node = int(search.targets[way[-1]])
    if node != entry or not loop:
        back = np.zeros(search.num_nodes, dtype=np.bool_)
        back[entry] = True
        way = _path(search, node, back, inside=inside, forbidden=forbidden)
        assert way is not None, "a part is strongly connected"
        loop += way
    return _folded(search.space, _steps(search, start, stem), _steps(search, entry, loop))


def _path(
    search: AutomatonProduct,
    start: int,
    goal: npt.NDArray[np.bool_],
    *,
    inside: npt.NDArray[np.bool_] | None = None,
    wanted: int = 0,
    forbidden: int = 0,
) -> list[int] | None:
    everywhere = np.ones(search.num_nodes, dtype=np.bool_) if inside is None else inside
    return _native.shortest_path(search.offsets, search.targets, search.marks, start, everywhere, goal, wanted, forbidden)


def _source(search: AutomatonProduct, start: int, edges: Sequence[int], index: int) -> int:
    """The node that the edge at ``index`` of a path leaves."""
    return start if index <= 0 else int(search.targets[edges[index - 1]])


def _steps(search: AutomatonProduct, start: int, edges: Sequence[int]) -> list[Step]:
    """A path of the product as states and choices of the space."""
    steps = []
    for index, edge in enumerate(edges):
        node = _source(search, start, edges, index)
        steps.append((int(search.states[node]), _choice_of(search, node, edge)))
    return steps


def _choice_of(search: AutomatonProduct, node: int, edge: int) -> int:
    """The choice behind an edge of the product: one that leads there with the same marks."""
    space = search.space
    state, target = int(search.states[node]), int(search.targets[edge])
    automaton_marks = [
        marks for q, marks in search.edges_from(state, int(search.automaton_states[node])) if q == int(search.automaton_states[target])
    ]
    for choice in range(int(space.first_choice[state]), int(space.first_choice[state + 1])):
        reached = space.targets[space.first_transition[choice] : space.first_transition[choice + 1]]
        earned = int(search.fair.of_choice[choice]) if len(search.fair.of_choice) else 0
        if int(search.states[target]) in reached and any(marks | earned == int(search.marks[edge]) for marks in automaton_marks):
            return choice
    raise AssertionError("every edge of the product comes from a choice")


def _folded(space: StateSpace, stem: list[Step], loop: list[Step]) -> Run:
    """The same lasso, told as shortly as possible: the loop once, and no part of it before."""
    for period in range(1, len(loop) + 1):
        if len(loop) % period == 0 and loop == loop[:period] * (len(loop) // period):
            loop = loop[:period]
            break
    while stem and stem[-1] == loop[-1]:
        stem = stem[:-1]
        loop = [loop[-1], *loop[:-1]]
    steps = stem + loop
    return Run(space, tuple(state for state, _ in steps), tuple(choice for _, choice in steps), len(stem))
