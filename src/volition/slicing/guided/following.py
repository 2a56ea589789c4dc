"""Following a run of an abstraction on the whole program: a run of the program that shows the same, or where none goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from volition.slicing.guided.abstraction import Abstraction, AbstractRun, GaveUp, PutBack, TooLargeToHelp

__all__ = ["Followed", "follow"]

MOST_FOLLOWED = 5_000
"""States of the whole program that are looked at for one run."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A run of the whole program: its states, with numbers for values; the last is followed by the one at ``loop``, if there is one."""

    states: tuple[Mapping[str, int], ...]
    loop: int | None


class _Search:
    """Depth first through the pairs of a place in the abstract run and a state of the program that looks like the one there."""

    def __init__(self, abstraction: Abstraction, run: AbstractRun) -> None:
        self._abstraction = abstraction
        self._run = run
        self._whole = Abstraction(abstraction.functions, (), most=MOST_FOLLOWED, effort=100 * MOST_FOLLOWED)
        self._successors: dict[int, list[int]] = {}
        self._stuck: tuple[int, int, int] | None = None

    def found(self) -> Followed:
        """A run of the program; raises :class:`PutBack` if there is none."""
        way: list[tuple[int, int, list[int]]] = []
        on_way: dict[tuple[int, int], int] = {}
        done: set[tuple[int, int]] = set()
        entering: tuple[int, int] | None = (0, 0)
        while entering is not None or way:
            if entering is not None:
                place, state = entering
                if self._next(place) is None:
                    return self._followed([*(each for _, each, _ in way), state], None)
                on_way[entering] = len(way)
                way.append((place, state, self._fitting(place, state, len(way))))
            place, state, rest = way[-1]
            entering = None
            if not rest:
                way.pop()
                del on_way[place, state]
                done.add((place, state))
                continue
            following = self._next(place)
            assert following is not None
            pair = following, rest.pop()
            if pair in on_way:
                return self._followed([each for _, each, _ in way], on_way[pair])
            if pair not in done:
                entering = pair
        assert self._stuck is not None
        raise self._blame(*self._stuck[1:])

    def _next(self, place: int) -> int | None:
        return place + 1 if place + 1 < len(self._run.states) else self._run.loop

    def _fitting(self, place: int, state: int, depth: int) -> list[int]:
        """The states after a state that look as the run goes on; where there is none, how far it was followed is kept in mind."""
        following = self._next(place)
        assert following is not None
        if state not in self._successors:
            try:
                self._successors[state] = list(self._whole.expand(state))
            except TooLargeToHelp:
                raise GaveUp(f"more than {MOST_FOLLOWED:,} states of the program look like a run of the abstraction") from None
        wanted = self._abstraction.states[self._run.states[following]].shown
        fitting = [each for each in self._successors[state] if self._abstraction.seen_of(self._whole_state(each)) == wanted]
        if not fitting and (self._stuck is None or depth > self._stuck[0]):
            self._stuck = depth, place, state
        return fitting

    def _whole_state(self, number: int) -> dict[str, int]:
        return dict(zip(self._whole.shown, self._whole.states[number].shown, strict=True))

    def _followed(self, states: list[int], loop: int | None) -> Followed:
        return Followed(tuple(self._whole_state(each) for each in states), loop)

    def _blame(self, place: int, state: int) -> PutBack:
        """The slots in which the abstract step found other values than the program has where it cannot follow: as few as explain it."""
        following = self._next(place)
        assert following is not None
        abstraction, actual = self._abstraction, self._whole_state(state)
        wanted = abstraction.states[self._run.states[following]].shown
        explanations: list[set[str]] = [
            {slot for reads in move.reads for slot in _mistaken(reads, actual)}
            for move in abstraction.moves(self._run.states[place], {})
            if move.shown == wanted
        ]
        fewest: set[str] = min((each for each in explanations if each), key=_size, default=set(abstraction.hidden))
        return PutBack(fewest)


def _size(slots: set[str]) -> int:
    return len(slots)


def _mistaken(reads: Sequence[Mapping[str, int]], actual: Mapping[str, int]) -> set[str]:
    """The slots in which a component found other values than there are, where it found fewest such."""
    return min(({slot for slot, value in read.items() if actual[slot] != value} for read in reads), key=_size)


def follow(abstraction: Abstraction, run: AbstractRun) -> Followed:
    """A run of the whole program that shows what the given run does; raises :class:`PutBack` where there is none."""
    return _Search(abstraction, run).found()
