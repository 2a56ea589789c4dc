"""Small random Markov decision processes, and their values computed slowly and plainly with
fractions.

The oracle enumerates every memoryless strategy and solves linear equations for the chain that it
induces; optima of reachability, rewards, long-run averages and repeated reachability are attained
by such strategies (Puterman 1994).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from hypothesis import strategies as st

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Choice, Component, SlotView, StateSpace, System, explore
from volition.languages.protocols import StateView
from volition.logic.syntax import AtomicFormula, Proposition

INFINITY = float("inf")
Number = Fraction | float
Distribution = Mapping[int, Fraction]
Row = tuple[Distribution, int | Fraction]
"""What a choice leads to, and what it earns."""


@dataclass(frozen=True)
class SmallMdp:
    """A process with labels a and b and one reward; it implements
    :class:`volition.languages.protocols.Model`."""

    rows: tuple[tuple[Row, ...], ...]
    labels: tuple[frozenset[str], ...]
    earned_in: tuple[int | Fraction, ...]
    agents: Sequence[str] = ("agent",)

    @cached_property
    def system(self) -> System:
        return System(
            {"at": 0},
            [Component("agent", self._step)],
            state_rewards={"gain": lambda view: self.earned_in[view["at"]]},
        )

    def _step(self, view: SlotView) -> list[Choice]:
        return [
            Choice(
                f"choice {number}",
                [(p, {"at": target}) for target, p in row.items()],
                {"gain": gain},
            )
            for number, (row, gain) in enumerate(self.rows[view["at"]])
        ]

    def resolve(self, atom: AtomicFormula) -> Callable[[SlotView], Any]:
        if not isinstance(atom, Proposition) or atom.name not in "ab":
            raise InputError([Diagnostic("TST001", "unknown", atom.span)])
        return lambda view: atom.name in self.labels[view["at"]]

    def in_units_of(self, unit: Fraction) -> SmallMdp:
        """The same process, with each reward so many times as large."""
        rows = tuple(tuple((row, gain * unit) for row, gain in each) for each in self.rows)
        return SmallMdp(rows, self.labels, tuple(gain * unit for gain in self.earned_in))

    def describe(self, state: SlotView) -> StateView:
        return {"beliefs": {"at": str(state["at"])}}

    def explored(self) -> StateSpace:
        return explore(self.system)

    # --- the oracle -------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        return len(self.rows)

    def chains(self) -> Iterator[list[Row]]:
        """The chain of every memoryless deterministic strategy."""
        stutter = [({state: Fraction(1)}, 0) for state in range(self.size)]
        yield from map(
            list,
            itertools.product(*(rows or (stutter[state],) for state, rows in enumerate(self.rows))),
        )

    def before(self, best: Callable[..., Number], values: Sequence[Number]) -> list[Number]:
        """One step back: the best of the choices."""
        stutter = [(({state: Fraction(1)}, 0),) for state in range(self.size)]
        return [
            best(expected(row, values) for row, _ in rows or stutter[state])
            for state, rows in enumerate(self.rows)
        ]


def expected(row: Distribution, values: Sequence[Number]) -> Number:
    total: Number = Fraction(0)
    for target, p in row.items():
        total += p * values[target]
    return total


def reachable(chain: Sequence[Row], start: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for target in chain[waiting.pop()][0]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def solve(
    chain: Sequence[Row], unknown: set[int], constant: Callable[[int], Fraction]
) -> list[Fraction]:
    """x[s] = constant(s) + sum of p * x[t] over unknown t, by elimination; 0 for known states."""
    order = sorted(unknown)
    rows = [
        [Fraction(int(s == t)) - chain[s][0].get(t, Fraction(0)) for t in order] + [constant(s)]
        for s in order
    ]
    for pivot in range(len(order)):
        other = next(r for r in range(pivot, len(order)) if rows[r][pivot] != 0)
        rows[pivot], rows[other] = rows[other], rows[pivot]
        rows[pivot] = [x / rows[pivot][pivot] for x in rows[pivot]]
        for r in range(len(order)):
            if r != pivot and rows[r][pivot] != 0:
                rows[r] = [
                    x - rows[r][pivot] * y for x, y in zip(rows[r], rows[pivot], strict=True)
                ]
    result = [Fraction(0)] * len(chain)
    for s, row in zip(order, rows, strict=True):
        result[s] = row[-1]
    return result


def until(chain: Sequence[Row], through: set[int], goal: set[int]) -> list[Fraction]:
    """The probability of ``through U goal`` from each state."""
    cut = [row if s in through - goal else ({s: Fraction(1)}, 0) for s, row in enumerate(chain)]
    unknown = {s for s in range(len(chain)) if s not in goal and reachable(cut, s) & goal}
    found = solve(
        cut, unknown, lambda s: sum((p for t, p in cut[s][0].items() if t in goal), Fraction(0))
    )
    return [Fraction(1) if s in goal else found[s] for s in range(len(chain))]


def recurrent(chain: Sequence[Row]) -> list[set[int]]:
    """The bottom strongly connected components."""
    reach = [reachable(chain, s) for s in range(len(chain))]
    return [
        set(each)
        for each in {
            frozenset(reach[s]) for s in range(len(chain)) if all(s in reach[t] for t in reach[s])
        }
    ]


def until_reward(
    chain: Sequence[Row], earned_in: Sequence[int | Fraction], goal: set[int]
) -> Number:
    """What is earned on the way to the goal from state 0; infinite if it may be missed."""
    everywhere = set(range(len(chain)))
    if until(chain, everywhere, goal)[0] < 1:
        return INFINITY
    way = {
        s
        for s in reachable(
            [row if s not in goal else ({s: Fraction(1)}, 0) for s, row in enumerate(chain)], 0
        )
        if s not in goal
    }
    return solve(chain, way, lambda s: Fraction(earned_in[s] + chain[s][1]))[0]


def long_run(chain: Sequence[Row], gain: Callable[[int], Fraction]) -> Fraction:
    """The average gain per step in the long run from state 0."""
    total = Fraction(0)
    everywhere = set(range(len(chain)))
    for component in recurrent(chain):
        root = min(component)
        # Expected gain and length of a cycle from the root back to it, by renewal.
        rest = component - {root}
        gains = solve(chain, rest, gain)
        steps = solve(chain, rest, lambda _: Fraction(1))
        row = chain[root][0]
        cycle = gain(root) + sum(p * gains[t] for t, p in row.items() if t != root)
        length = 1 + sum(p * steps[t] for t, p in row.items() if t != root)
        total += until(chain, everywhere, component)[0] * cycle / length
    return total


# --- random ones ----------------------------------------------------------------------------------

_SPLITS = [
    (Fraction(1),),
    (Fraction(1, 2), Fraction(1, 2)),
    (Fraction(1, 3), Fraction(2, 3)),
    (Fraction(9, 10), Fraction(1, 10)),
]
_RARE = [(Fraction(1, each), 1 - Fraction(1, each)) for each in (10**6, 3 * 10**9)]
_FRACTIONS = [Fraction(1, 3), Fraction(1, 10), 1 + Fraction(1, 10**20)]
"""Rewards that are no floating point numbers, of which the last is none but 1 either."""


@st.composite
def small_mdps(
    draw: st.DrawFn,
    *,
    states: int = 5,
    choices: int = 2,
    deciding: int | None = None,
    rare: bool = False,
    whole: bool = True,
) -> SmallMdp:
    """Up to so many states, and choices in each of them; ``deciding`` bounds the number of states
    with more than one choice.

    With ``rare`` some outcomes hardly ever happen; rewards that are not ``whole`` may be fractions.
    """
    splits = [*_SPLITS, *_RARE] if rare else _SPLITS
    rewards = (
        st.integers(0, 3) if whole else st.one_of(st.integers(0, 3), st.sampled_from(_FRACTIONS))
    )
    size = draw(st.integers(1, states))
    decide = range(size) if deciding is None else draw(st.permutations(range(size)))[:deciding]

    def row() -> Row:
        split = draw(st.sampled_from(splits))
        targets = draw(st.permutations(range(size)))[: len(split)]
        if len(targets) < len(split):
            split = (Fraction(1),)
        return dict(zip(targets, split, strict=True)), draw(rewards)

    rows = tuple(
        tuple(row() for _ in range(draw(st.integers(0, choices if state in decide else 1))))
        for state in range(size)
    )
    labels = tuple(
        frozenset(draw(st.lists(st.sampled_from("ab"), max_size=2))) for _ in range(size)
    )
    return SmallMdp(rows, labels, tuple(draw(rewards) for _ in range(size)))


@st.composite
def winding_mdps(draw: st.DrawFn, *, states: int = 12) -> SmallMdp:
    """Rings on which a run goes forward, waits or jumps: what it does within some steps depends on
    how many they are for a long while."""
    size = draw(st.integers(2, states))

    def row(state: int) -> Row:
        split = draw(st.sampled_from(_SPLITS))
        other = draw(st.integers(0, size - 1))
        chances: dict[int, Fraction] = {}
        for target, p in zip(((state + 1) % size, other), split, strict=False):
            chances[target] = chances.get(target, Fraction(0)) + p
        return chances, draw(st.integers(0, 1))

    rows = tuple(
        tuple(row(state) for _ in range(draw(st.sampled_from([1, 1, 1, 2]))))
        for state in range(size)
    )
    labels = tuple(frozenset(draw(st.sampled_from(["a", "a", "a", "b", ""]))) for _ in range(size))
    return SmallMdp(rows, labels, (0,) * size)
