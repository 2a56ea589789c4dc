"""Monitors: what they decide on a run is what the formula says about it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from volition import InputError, parse
from volition.analysis.smc.monitors import PathMonitor
from volition.kernel.sampling import ACCEPTED, INITIAL, REJECTED
from volition.logic.syntax import (
    And,
    Constant,
    Finally,
    Formula,
    Globally,
    Iff,
    Implies,
    Next,
    Not,
    Or,
    Probability,
    Proposition,
    Release,
    StepBound,
    Until,
    WeakUntil,
)

NAMES = ("p", "q")
Word = tuple[list[frozenset[str]], list[frozenset[str]]]
"""Which propositions hold in the states of a run: first these, then those for ever."""


def holds(formula: Formula, word: Word, index: int = 0) -> bool:
    """The definition, read aloud: until is a search, and one round of the loop after all bounds
    shows everything there is."""
    before, loop = word
    end = max(index, len(before)) + 2 * len(loop)

    def at(part: Formula, position: int) -> bool:
        return holds(
            part,
            word,
            position
            if position < len(before)
            else len(before) + (position - len(before)) % len(loop),
        )

    def until(left: Formula, right: Formula, bound: StepBound | None) -> bool:
        lower, upper = (0, None) if bound is None else (bound.lower, bound.upper)
        last = end + lower if upper is None else index + upper
        for position in range(index, last + 1):
            if position >= index + lower and at(right, position):
                return True
            if not at(left, position):
                return False
        return False

    match formula:
        case Constant(value=value):
            return value
        case Proposition(name=name):
            return name in (
                before[index] if index < len(before) else loop[(index - len(before)) % len(loop)]
            )
        case Not(operand=operand):
            return not at(operand, index)
        case And(left=left, right=right):
            return at(left, index) and at(right, index)
        case Or(left=left, right=right):
            return at(left, index) or at(right, index)
        case Implies(left=left, right=right):
            return not at(left, index) or at(right, index)
        case Iff(left=left, right=right):
            return at(left, index) == at(right, index)
        case Next(operand=operand):
            return at(operand, index + 1)
        case Finally(operand=operand, bound=bound):
            return until(Constant(True), operand, bound)
        case Globally(operand=operand, bound=bound):
            return not until(Constant(True), Not(operand), bound)
        case Until(left=left, right=right, bound=bound):
            return until(left, right, bound)
        case Release(left=left, right=right, bound=bound):
            return not until(Not(left), Not(right), bound)
        case WeakUntil(left=left, right=right, bound=bound):
            return not until(And(left, Not(right)), And(Not(left), Not(right)), bound)
    raise AssertionError(formula)


BOUNDS = st.none() | st.tuples(st.integers(0, 3), st.none() | st.integers(0, 4)).map(
    lambda pair: StepBound(pair[0], None if pair[1] is None else pair[0] + pair[1])
)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(
    st.sampled_from([Proposition("p"), Proposition("q"), Constant(True), Constant(False)]),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(Next, inner),
        *(st.builds(kind, inner, inner) for kind in (And, Or, Implies, Iff)),
        *(st.builds(kind, inner, BOUNDS) for kind in (Finally, Globally)),
        *(st.builds(kind, inner, inner, BOUNDS) for kind in (Until, Release, WeakUntil)),
    ),
    max_leaves=6,
)
STATES = st.frozensets(st.sampled_from(NAMES))
WORDS = st.tuples(st.lists(STATES, max_size=5), st.lists(STATES, min_size=1, max_size=4))


def letters(monitor: PathMonitor, states: Sequence[frozenset[str]]) -> list[int]:
    names = [each.name for each in monitor.propositions if isinstance(each, Proposition)]
    return [sum((name in state) << bit for bit, name in enumerate(names)) for state in states]


P, Q, SOON = Proposition("p"), Proposition("q"), StepBound(0, 2)
NONE, ONLY_P, ONLY_Q, BOTH = frozenset[str](), frozenset("p"), frozenset("q"), frozenset("pq")


# Of several bounds that are due at once the right one counts.
@example(Globally(Implies(P, Finally(Q, SOON))), ([ONLY_P, ONLY_P, NONE, ONLY_Q], [NONE]))
@example(Finally(And(P, Globally(Q, SOON))), ([BOTH, BOTH, ONLY_Q], [NONE]))
@given(FORMULAS, WORDS)
def test_a_monitor_decides_what_the_formula_says(formula: Formula, word: Word) -> None:
    before, loop = word
    monitor = PathMonitor(formula)
    mode = INITIAL
    for letter in letters(monitor, [*before, loop[0]]):
        mode = monitor.step(mode, letter)
        if mode in (REJECTED, ACCEPTED):
            break
    truth = (
        mode == ACCEPTED
        if mode in (REJECTED, ACCEPTED)
        else monitor.accepts_loop(mode, letters(monitor, [*loop[1:], loop[0]]))
    )
    assert truth == holds(formula, word)


def path(text: str) -> Formula:
    formula = parse(f"P=? [ {text} ]")
    assert isinstance(formula, Probability)
    return formula.path


@pytest.mark.parametrize(
    ("text", "states", "mode"),
    [
        ("F p", ["", "p"], ACCEPTED),
        ("G p", ["p", ""], REJECTED),
        ("p U q", ["p", ""], REJECTED),
        ("F<=2 p", ["", "", ""], REJECTED),
        ("G<=2 p", ["p", "p", "p"], ACCEPTED),
        ("G (p -> F<=1 q)", ["p", ""], REJECTED),
        ("X p", ["", "p"], ACCEPTED),
    ],
)
def test_a_run_is_decided_as_soon_as_it_can_be(text: str, states: list[str], mode: int) -> None:
    monitor = PathMonitor(path(text))
    found = INITIAL
    for index, letter in enumerate(letters(monitor, [frozenset(each.split()) for each in states])):
        found = monitor.step(found, letter)
        assert (found in (REJECTED, ACCEPTED)) == (index == len(states) - 1)
    assert found == mode


def test_long_bounds_are_counted_and_not_unrolled() -> None:
    monitor = PathMonitor(path("G<=100000 (p -> F<=1000 q)"))
    mode = INITIAL
    for _ in range(3_000):
        mode = monitor.step(mode, 1)
        if mode == REJECTED:
            break
    assert mode == REJECTED


def test_what_single_runs_do_not_show_is_refused() -> None:
    with pytest.raises(InputError, match="which a single run cannot decide"):
        PathMonitor(path("F (P>=0.5 [ X p ])"))
