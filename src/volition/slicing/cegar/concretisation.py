"""Following a run of an abstraction on the whole program: a run of the program that shows the same,
or where none goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volition.slicing.cegar.abstraction import (
    Abstraction,
    AbstractionInapplicable,
    AbstractionTooLarge,
    AbstractRun,
    RefinementNeeded,
)

__all__ = ["ConcreteRun", "concretise"]

MAX_FOLLOWED = 5_000
"""States of the whole program that are looked at for one run."""
MAX_REFINEMENT_CANDIDATES = 20
"""States at which a run may end whose differences from it are looked at."""


@dataclass(frozen=True, slots=True)
class ConcreteRun:
    """A run of the whole program: its states, with numbers for values; the last is followed by the
    one at ``loop``, if there is one."""

    states: tuple[Mapping[str, int], ...]
    loop: int | None


@dataclass(slots=True)
class _SearchNode:
    """A state of the program on the way, at a place of the abstract run: what may come next, and
    how often the run has gone on so far."""

    index: int
    state: int
    progress: int
    options: list[tuple[int, int, int]]


class _ConcreteRunSearch:
    """Depth first through the pairs of a place in the abstract run and a state of the program that
    looks like the one there.

    Steps that nobody sees take no place in a shortest abstract run; ``patient`` lets the program
    make them.
    """

    def __init__(self, abstraction: Abstraction, run: AbstractRun, *, patient: bool) -> None:
        self._abstraction = abstraction
        self._run = run
        self._patient = patient
        self._whole = Abstraction(
            abstraction.functions, (), maximum=MAX_FOLLOWED, effort=100 * MAX_FOLLOWED
        )
        self._successors: dict[int, list[int]] = {}
        self._farthest = -1
        self._stuck: list[tuple[int, int]] = []

    def found(self) -> ConcreteRun:
        """A run of the program; raises :class:`PutBack` if there is none."""
        way: list[_SearchNode] = []
        on_way: dict[tuple[int, int], int] = {}
        done: set[tuple[int, int]] = set()
        entering: tuple[int, int, int] | None = (0, 0, 0)
        while entering is not None or way:
            if entering is not None:
                index, state, progress = entering
                if self._next(index) is None:
                    return self._followed([*(each.state for each in way), state], None)
                on_way[index, state] = len(way)
                way.append(
                    _SearchNode(index, state, progress, self._options(index, state, progress))
                )
                entering = None
            last = way[-1]
            if not last.options:
                way.pop()
                del on_way[last.index, last.state]
                done.add((last.index, last.state))
                continue
            index, state, progress = last.options.pop()
            earlier = on_way.get((index, state))
            if earlier is not None:
                if (
                    progress > way[earlier].progress
                ):  # the loop was gone through, not only waited in
                    return self._followed([each.state for each in way], earlier)
            elif (index, state) not in done:
                entering = index, state, progress
        raise self._refinement_slots()

    def _next(self, index: int) -> int | None:
        return index + 1 if index + 1 < len(self._run.states) else self._run.loop

    def _options(self, index: int, state: int, progress: int) -> list[tuple[int, int, int]]:
        """Where the program can go on as the run does, the last option first; where it cannot, that
        is kept in mind."""
        if state not in self._successors:
            try:
                self._successors[state] = list(self._whole.expand(state))
            except AbstractionTooLarge:
                raise AbstractionInapplicable(
                    f"more than {MAX_FOLLOWED:,} states of the program look like a run of the "
                    "abstraction"
                ) from None
        following = self._next(index)
        assert following is not None
        seen = [
            (each, self._abstraction.abstract_state_of(self._whole_state(each)))
            for each in self._successors[state]
        ]
        forward = [
            (following, each, progress + 1)
            for each, shown in seen
            if shown == self._shown(following)
        ]
        if not forward and progress >= self._farthest:
            self._stuck = [*(self._stuck if progress == self._farthest else []), (index, state)]
            self._farthest = progress
        waiting = (
            [(index, each, progress) for each, shown in seen if shown == self._shown(index)]
            if self._patient
            else []
        )
        return [*waiting, *forward]

    def _shown(self, index: int) -> tuple[int, ...]:
        return self._abstraction.states[self._run.states[index]].visible

    def _whole_state(self, number: int) -> dict[str, int]:
        return dict(zip(self._whole.visible_slots, self._whole.states[number].visible, strict=True))

    def _followed(self, states: list[int], loop: int | None) -> ConcreteRun:
        return ConcreteRun(tuple(self._whole_state(each) for each in states), loop)

    def _refinement_slots(self) -> RefinementNeeded:
        """The slots in which the abstract step found other values than the program has where it
        cannot follow: as few as explain it."""
        abstraction = self._abstraction
        explanations: list[set[str]] = []
        for index, state in self._stuck[:MAX_REFINEMENT_CANDIDATES]:
            actual = self._whole_state(state)
            following = self._next(index)
            assert following is not None
            explanations += [
                {slot for reads in move.reads for slot in _mismatched_slots(reads, actual)}
                for move in abstraction.moves(self._run.states[index], {})
                if move.shown == self._shown(following)
            ]
        fewest: set[str] = min(
            (each for each in explanations if each), key=_size, default=set(abstraction.hidden)
        )
        return RefinementNeeded(fewest)


def _size(slots: set[str]) -> int:
    return len(slots)


def _mismatched_slots(reads: Sequence[Mapping[str, int]], actual: Mapping[str, int]) -> set[str]:
    """The slots in which a component found other values than there are, where it found fewest
    such."""
    return min(
        ({slot for slot, value in read.items() if actual[slot] != value} for read in reads),
        key=_size,
    )


def concretise(abstraction: Abstraction, run: AbstractRun, *, patient: bool) -> ConcreteRun:
    """A run of the whole program that shows what the given run does; raises :class:`PutBack` where
    there is none.

    A ``patient`` one may take longer: it repeats what it shows while it does what nobody sees.
    """
    return _ConcreteRunSearch(abstraction, run, patient=patient).found()
