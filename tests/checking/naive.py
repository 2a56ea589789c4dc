"""Slow, plain semantics of the logics, written from their definitions: the oracle of the
differential tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tests.checking.small_systems import SmallSystem
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
    Proposition,
    Release,
    StepBound,
    Until,
    WeakUntil,
)

__all__ = ["Lasso", "ctl_states", "holds_on", "is_fair", "lassos"]

Lasso = tuple[tuple[int, ...], int]
"""States, and the position to which the last one goes back."""

StateTruth = Callable[[Formula, int], bool]


def lassos(system: SmallSystem, start: int, length: int) -> Iterator[Lasso]:
    """Every lasso from a state with at most so many states in stem and loop together."""

    def extend(path: tuple[int, ...]) -> Iterator[Lasso]:
        for target in system.successors(path[-1]):
            for position, state in enumerate(path):
                if state == target:
                    yield path, position
            if len(path) < length:
                yield from extend((*path, target))

    yield from extend((start,))


def holds_on(formula: Formula, lasso: Lasso, truth: StateTruth) -> bool:
    """Whether a path formula holds on a lasso; ``truth`` answers for formulas about one state."""
    states, loop = lasso
    return _truth_along(formula, states, loop, truth)[0]


def _truth_along(
    formula: Formula, states: tuple[int, ...], loop: int, truth: StateTruth
) -> list[bool]:
    """The truth of a path formula at each position of the lasso."""
    positions = range(len(states))

    def along(part: Formula) -> list[bool]:
        return _truth_along(part, states, loop, truth)

    def after(position: int, steps: int) -> int:
        for _ in range(steps):
            position = position + 1 if position + 1 < len(states) else loop
        return position

    def until(left: list[bool], right: list[bool], bound: StepBound | None) -> list[bool]:
        lower, upper = (bound.lower, bound.upper) if bound else (0, None)
        # Beyond this many steps every position of the loop has been seen again after the lower
        # bound.
        last = lower + 2 * len(states) if upper is None else upper
        return [
            any(
                right[after(p, i)] and all(left[after(p, j)] for j in range(i))
                for i in range(lower, last + 1)
            )
            for p in positions
        ]

    def opposite(values: list[bool]) -> list[bool]:
        return [not value for value in values]

    everywhere = [True for _ in positions]
    match formula:
        case Not():
            return opposite(along(formula.operand))
        case And():
            return [a and b for a, b in zip(along(formula.left), along(formula.right), strict=True)]
        case Or():
            return [a or b for a, b in zip(along(formula.left), along(formula.right), strict=True)]
        case Implies():
            return [
                not a or b for a, b in zip(along(formula.left), along(formula.right), strict=True)
            ]
        case Iff():
            return [a == b for a, b in zip(along(formula.left), along(formula.right), strict=True)]
        case Next():
            values = along(formula.operand)
            return [values[after(p, 1)] for p in positions]
        case Finally():
            return until(everywhere, along(formula.operand), formula.bound)
        case Globally():
            return opposite(until(everywhere, opposite(along(formula.operand)), formula.bound))
        case Until():
            return until(along(formula.left), along(formula.right), formula.bound)
        case Release():
            return opposite(
                until(opposite(along(formula.left)), opposite(along(formula.right)), formula.bound)
            )
        case WeakUntil():
            left, right = along(formula.left), along(formula.right)
            holds = [a and not b for a, b in zip(left, right, strict=True)]
            fails = [not a and not b for a, b in zip(left, right, strict=True)]
            return opposite(until(holds, fails, formula.bound))
        case _:
            return [truth(formula, state) for state in states]


def is_fair(
    system: SmallSystem, components: tuple[set[int], ...], lasso: Lasso, fairness: str
) -> bool:
    """Whether a lasso is fair if at each position one of ``movers`` moves.

    The loop is fair if every component moves in it, or (weak) is disabled somewhere in it, or
    (strong) everywhere in it.
    """
    states, loop = lasso
    for component in range(system.components):
        moves = any(component in each for each in components[loop:])
        enabled = [component in system.enabled(state) for state in states[loop:]]
        if not moves and (all(enabled) if fairness == "weak" else any(enabled)):
            return False
    return True


def ctl_states(system: SmallSystem, formula: Formula) -> set[int]:
    """The states in which a CTL formula holds, by fixpoints over sets as in the textbooks."""
    every = set(range(len(system.edges)))

    def of(part: Formula) -> set[int]:
        return ctl_states(system, part)

    match formula:
        case Proposition():
            return {state for state in every if formula.name in system.labels[state]}
        case Not():
            return every - of(formula.operand)
        case And():
            return of(formula.left) & of(formula.right)
        case Or():
            return of(formula.left) | of(formula.right)
        case Implies():
            return (every - of(formula.left)) | of(formula.right)
        case Iff():
            left, right = of(formula.left), of(formula.right)
            return (left & right) | (every - left - right)
        case PathQuantifier():
            return _quantified(system, formula, every, of)
        case _:
            raise TypeError(formula)


def _quantified(
    system: SmallSystem, formula: PathQuantifier, every: set[int], of: Callable[[Formula], set[int]]
) -> set[int]:
    together: Mapping[str, Callable[[Iterator[bool]], bool]] = {"A": all, "E": any}
    quantify = together[formula.quantifier]

    def before(states: set[int]) -> set[int]:
        return {
            state
            for state in every
            if quantify(target in states for target in system.successors(state))
        }

    def until(left: set[int], right: set[int], bound: StepBound | None) -> set[int]:
        bound = bound or StepBound()
        rounds = len(every) if bound.upper is None else bound.upper - bound.lower
        result = right
        for _ in range(rounds):
            result = right | (left & before(result))
        for _ in range(bound.lower):
            result = left & before(result)
        return result

    def release(left: set[int], right: set[int], bound: StepBound | None) -> set[int]:
        bound = bound or StepBound()
        rounds = len(every) if bound.upper is None else bound.upper - bound.lower
        result = right
        for _ in range(rounds):
            result = right & (left | before(result))
        for _ in range(bound.lower):
            result = left | before(result)
        return result

    path = formula.path
    match path:
        case Next():
            return before(of(path.operand))
        case Finally():
            return until(every, of(path.operand), path.bound)
        case Globally():
            return release(set(), of(path.operand), path.bound)
        case Until():
            return until(of(path.left), of(path.right), path.bound)
        case Release():
            return release(of(path.left), of(path.right), path.bound)
        case WeakUntil():
            left, right = of(path.left), of(path.right)
            return release((every - left) | right, left | right, path.bound)
        case _:
            raise TypeError(path)
