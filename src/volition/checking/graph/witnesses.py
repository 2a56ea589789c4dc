"""The run that shows why a formula holds or fails: the witness of its first existential, the counterexample of its first universal.

Where the run of an existential formula ends in a state that has to satisfy a further formula about runs, the run for that one is
appended: ``E [ F E [ G p ] ]`` shows the way to the state and then the loop in which p stays.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from volition.checking.graph.ctl import is_ctl_path
from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.graph.shortest_runs import accepted_run, joined, run_to
from volition.checking.verdict import Run
from volition.logic.automata.obligations import is_long
from volition.logic.syntax import And, Finally, Formula, Globally, Iff, Implies, Next, Not, Or, PathQuantifier, Release, Until, WeakUntil
from volition.logic.tree import subformulas

__all__ = ["evidence"]


def evidence(satisfaction: Satisfaction, formula: Formula, holds: bool, state: int = 0) -> Run | None:
    """A run from the state that shows that the formula holds (or fails) there, if a single run can show it."""
    match formula:
        case Not():
            return evidence(satisfaction, formula.operand, not holds, state)
        case Implies():
            return evidence(satisfaction, Or(Not(formula.left), formula.right), holds, state)
        case And() | Or():
            # One side may decide alone; if both are needed, the first that has a run must do.
            return _first(satisfaction, (formula.left, formula.right), holds, state)
        case Iff():
            left = satisfaction.at(formula.left, state)
            first = None if left is None else evidence(satisfaction, formula.left, left, state)
            return first or evidence(satisfaction, formula.right, bool(left) == holds, state)
        case PathQuantifier() if (formula.quantifier == "E") == holds:
            return _witness(satisfaction, formula.path if holds else satisfaction.opposite(formula.path), state)
        case _:
            return None


def _first(satisfaction: Satisfaction, parts: tuple[Formula, ...], holds: bool, state: int) -> Run | None:
    for part in parts:
        if satisfaction.at(part, state) is holds:
            run = evidence(satisfaction, part, holds, state)
            if run is not None:
                return run
    return None


def _witness(satisfaction: Satisfaction, path: Formula, state: int) -> Run | None:
    """A run on which the path formula holds; none where its steps are too many to count by an automaton."""
    path = _unbounded(satisfaction, path)
    run = _nearest(satisfaction, path) if state == 0 else None
    if run is None and any(is_long(part) for part in subformulas(path)):
        return None
    if run is None:
        run = accepted_run(satisfaction.search(path, state))
    if run is None or run.loop is not None:
        return run
    goal = _goal(path)
    further = None if goal is None else evidence(satisfaction, goal, True, run.states[-1])
    return run if further is None else joined(run, further)


def _unbounded(satisfaction: Satisfaction, path: Formula) -> Formula:
    """The path formula without a bound of at least as many steps as there are states: a run that long repeats a state.

    It can turn round there for ever, or leave out what is between; so the same states have a run without the bound.  Fairness may
    forbid to turn round.
    """
    if not isinstance(path, Finally | Globally | Until | Release | WeakUntil) or not is_ctl_path(path) or satisfaction.restricted:
        return path
    bound = path.bound
    idle = bound is not None and bound.lower == 0 and bound.upper is not None and bound.upper >= satisfaction.space.num_states
    return replace(path, bound=None) if idle else path


def _nearest(satisfaction: Satisfaction, path: Formula) -> Run | None:
    """For plain reachability states are numbered by their distance: the first one that fits is nearest, and within any bound above."""
    if isinstance(path, Finally) and (path.bound is None or path.bound.lower == 0) and is_ctl_path(path) and not satisfaction.restricted:
        states = satisfaction.of(path.operand).must
        return run_to(satisfaction.space, int(np.argmax(states))) if states.any() else None
    return None


def _goal(path: Formula) -> Formula | None:
    """What must hold in the last state of a finite run, where that is a formula about this state."""
    if not is_ctl_path(path):
        return None
    match path:
        case Next() | Finally():
            return path.operand
        case Until():
            return path.right
        case _:
            return None
