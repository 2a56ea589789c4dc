"""Counterexamples and witnesses: the run that shows why a formula holds or is violated.

The run is the witness of the first existential path quantifier of the formula, or the
counterexample of the first universal one.

If a witness ends in a state that must satisfy another path quantifier, the run for that quantifier
is appended: the run for ``E [ F E [ G p ] ]`` leads to the state and then into the loop in which p
stays true.

Runs are finite paths and lassos, as short as possible in linear time. If a finite path decides a
formula (its automaton accepts every continuation), the run is that path. Otherwise it is a lasso: a
shortest path into an accepting component of the product of the state space and the automaton, then
through the nearest edge for each acceptance mark that must recur, and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from volition.checking.graph.automaton_product import NO_PART, AutomatonProduct
from volition.checking.graph.ctl import is_ctl_path
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.verdict import Run
from volition.kernel import StateSpace, _native
from volition.logic.automata.obligations import has_large_bound
from volition.logic.syntax import (
    And,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    PathQuantifier,
    Release,
    Until,
    WeakUntil,
)
from volition.logic.traversal import subformulas

__all__ = ["find_evidence", "shortest_run_to"]


def find_evidence(
    satisfaction: Satisfaction, formula: Formula, holds: bool, state: int = 0
) -> Run | None:
    """Return a run from ``state`` that shows that the formula holds there (or, without ``holds``,
    is violated there); None if no single run shows it."""
    match formula:
        case Not():
            return find_evidence(satisfaction, formula.operand, not holds, state)
        case Implies():
            return find_evidence(satisfaction, Or(Not(formula.left), formula.right), holds, state)
        case And() | Or():
            # If one side of the formula shows the result, use its run. If both sides are needed,
            # use the run of the first side that has one.
            return _first_evidence(satisfaction, (formula.left, formula.right), holds, state)
        case Iff():
            left = satisfaction.at(formula.left, state)
            first = None if left is None else find_evidence(satisfaction, formula.left, left, state)
            return first or find_evidence(satisfaction, formula.right, bool(left) == holds, state)
        case PathQuantifier() if (formula.quantifier == "E") == holds:
            return _witness(
                satisfaction, formula.path if holds else satisfaction.opposite(formula.path), state
            )
        case _:
            return None


def _first_evidence(
    satisfaction: Satisfaction, parts: tuple[Formula, ...], holds: bool, state: int
) -> Run | None:
    for part in parts:
        if satisfaction.at(part, state) is holds:
            run = find_evidence(satisfaction, part, holds, state)
            if run is not None:
                return run
    return None


def _witness(satisfaction: Satisfaction, path: Formula, state: int) -> Run | None:
    """Return a run from ``state`` that satisfies the path formula; None if a step bound is too
    large for an automaton."""
    path = _unbounded(satisfaction, path)
    run = _nearest(satisfaction, path) if state == 0 else None
    if run is None and any(has_large_bound(part) for part in subformulas(path)):
        return None
    if run is None:
        run = _accepted_run(satisfaction.product_for(path, state))
    if run is None or run.loop is not None:
        return run
    goal = _goal(path)
    further = None if goal is None else find_evidence(satisfaction, goal, True, run.states[-1])
    return run if further is None else _joined(run, further)


def _unbounded(satisfaction: Satisfaction, path: Formula) -> Formula:
    """Return the path formula without its step bound if the bound is at least the number of states.

    Removing such a bound does not change in which states the formula holds. A run of that length
    visits a state twice, and the loop between the two visits can be skipped or repeated forever.
    With fairness or an assumption, skipping or repeating the loop may not be allowed; the bound is
    then kept.
    """
    if (
        not isinstance(path, Finally | Globally | Until | Release | WeakUntil)
        or not is_ctl_path(path)
        or satisfaction.restricted
    ):
        return path
    bound = path.bound
    idle = (
        bound is not None
        and bound.lower == 0
        and bound.upper is not None
        and bound.upper >= satisfaction.space.num_states
    )
    return replace(path, bound=None) if idle else path


def _nearest(satisfaction: Satisfaction, path: Formula) -> Run | None:
    """Return a shortest run from the initial state that satisfies a plain reachability formula;
    None for other formulas. The formula must hold in the initial state.

    States are numbered by their distance from the initial state, so the first state that satisfies
    the operand of ``F`` is the nearest one. Because the formula holds, this state is within the
    upper step bound, if there is one.
    """
    if (
        isinstance(path, Finally)
        and (path.bound is None or path.bound.lower == 0)
        and is_ctl_path(path)
        and not satisfaction.restricted
    ):
        states = satisfaction.states(path.operand).definite
        return shortest_run_to(satisfaction.space, int(np.argmax(states))) if states.any() else None
    return None


def _goal(path: Formula) -> Formula | None:
    """Return the state formula that must hold in the last state of a finite run that satisfies a
    path formula: the operand of ``X`` or ``F``, or the right side of ``U``. None for other path
    formulas."""
    if not is_ctl_path(path):
        return None
    match path:
        case Next() | Finally():
            return path.operand
        case Until():
            return path.right
        case _:
            return None


# --- search for shortest runs ---------------------------------------------------------------------

Step = tuple[int, int]
"""Step of a run: a state and the choice taken in it."""


def shortest_run_to(space: StateSpace, state: int) -> Run:
    """Return a shortest run from the initial state to ``state``."""
    states, choices = space.path_to(state)
    return Run(space, tuple(states), tuple(choices))


def _joined(first: Run, second: Run) -> Run:
    """Return the finite run ``first`` continued by the run ``second``, which starts in its last
    state."""
    shift = len(first.choices)
    loop = None if second.loop is None else second.loop + shift
    return Run(first.space, first.states[:-1] + second.states, first.choices + second.choices, loop)


def _accepted_run(search: AutomatonProduct) -> Run | None:
    """Return a run from the single start state of a product that its automaton accepts; None if
    there is none."""
    kinds = (_deciding_path, _path_to_unexplored, _lasso)
    runs = [
        run
        for node in range(len(search.automaton.initial))
        for kind in kinds
        if (run := kind(search, node)) is not None
    ]
    # Of two runs of equal length, prefer the path: it is easier to read than a lasso.
    return min(runs, key=lambda run: (len(run.choices), run.loop is not None), default=None)


def _deciding_path(search: AutomatonProduct, start: int) -> Run | None:
    """Return the shortest path from product node ``start`` after which the automaton accepts every
    continuation; None if there is none."""
    universal = [
        search.automaton.accepts_everything_from(q) for q in range(search.automaton.num_states)
    ]
    goal = np.array(universal, dtype=np.bool_)[search.automaton_states]
    edges = [] if goal[start] else _path(search, start, goal)
    if edges is None:
        return None
    # Drop the last step. The last edge of the product only reads the truth values in the state
    # where it starts, so the run can end in that state.
    steps = _steps(search, start, edges)[:-1]
    last = int(search.states[_source(search, start, edges, len(edges) - 1)])
    return Run(
        search.space, (*(state for state, _ in steps), last), tuple(choice for _, choice in steps)
    )


def _path_to_unexplored(search: AutomatonProduct, start: int) -> Run | None:
    """Return the shortest path from product node ``start`` to an unexplored state in which the
    automaton accepts every continuation; None if there is none."""
    goal = search.accepting_frontier
    edges = [] if goal[start] else _path(search, start, goal)
    if edges is None:
        return None
    steps = _steps(search, start, edges)
    last = int(search.states[_source(search, start, edges, len(edges))])
    return Run(
        search.space, (*(state for state, _ in steps), last), tuple(choice for _, choice in steps)
    )


def _lasso(search: AutomatonProduct, start: int) -> Run | None:
    """Return a lasso that the automaton of a product accepts: a shortest path from node ``start``
    to an accepting component, and a short loop in it. Return None if no accepting component can be
    reached."""
    parts = search.accepting_sccs
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
        path = _path(search, node, inside, inside=inside, requested=missing, forbidden=forbidden)
        assert path is not None, "an accepting part has an edge for each required mark"
        for edge in path:
            missing &= ~int(search.marks[edge])
        loop += path
        node = int(search.targets[path[-1]])
    if node != entry or not loop:
        back = np.zeros(search.num_nodes, dtype=np.bool_)
        back[entry] = True
        path = _path(search, node, back, inside=inside, forbidden=forbidden)
        assert path is not None, "a part is strongly connected"
        loop += path
    return _minimise_lasso(search.space, _steps(search, start, stem), _steps(search, entry, loop))


def _path(
    search: AutomatonProduct,
    start: int,
    goal: npt.NDArray[np.bool_],
    *,
    inside: npt.NDArray[np.bool_] | None = None,
    requested: int = 0,
    forbidden: int = 0,
) -> list[int] | None:
    everywhere = np.ones(search.num_nodes, dtype=np.bool_) if inside is None else inside
    return _native.shortest_path(
        search.offsets, search.targets, search.marks, start, everywhere, goal, requested, forbidden
    )


def _source(search: AutomatonProduct, start: int, edges: Sequence[int], index: int) -> int:
    """Return the product node at which the edge at ``index`` of a path starts. The path starts at
    ``start``."""
    return start if index <= 0 else int(search.targets[edges[index - 1]])


def _steps(search: AutomatonProduct, start: int, edges: Sequence[int]) -> list[Step]:
    """Return a path of the product as pairs of a state of the space and the choice taken in it."""
    steps = []
    for index, edge in enumerate(edges):
        node = _source(search, start, edges, index)
        steps.append((int(search.states[node]), _choice_of(search, node, edge)))
    return steps


def _choice_of(search: AutomatonProduct, node: int, edge: int) -> int:
    """Return a choice of the space that gives rise to an edge of the product: one with the same
    target and the same acceptance marks."""
    space = search.space
    state, target = int(search.states[node]), int(search.targets[edge])
    automaton_marks = [
        marks
        for q, marks in search.edges_from(state, int(search.automaton_states[node]))
        if q == int(search.automaton_states[target])
    ]
    for choice in space.choices_of(state):
        reached = space.targets_of(choice)
        earned = int(search.fair.of_choice[choice]) if len(search.fair.of_choice) else 0
        if int(search.states[target]) in reached and any(
            marks | earned == int(search.marks[edge]) for marks in automaton_marks
        ):
            return choice
    raise AssertionError("every edge of the product comes from a choice")


def _minimise_lasso(space: StateSpace, stem: list[Step], loop: list[Step]) -> Run:
    """Return the shortest run with the same infinite sequence of states as a lasso: the loop is
    traversed only once, and the stem contains no part of the loop."""
    for period in range(1, len(loop) + 1):
        if len(loop) % period == 0 and loop == loop[:period] * (len(loop) // period):
            loop = loop[:period]
            break
    while stem and stem[-1] == loop[-1]:
        stem = stem[:-1]
        loop = [loop[-1], *loop[:-1]]
    steps = stem + loop
    return Run(
        space, tuple(state for state, _ in steps), tuple(choice for _, choice in steps), len(stem)
    )
