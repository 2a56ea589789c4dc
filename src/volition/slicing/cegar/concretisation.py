"""Concretisation of abstract runs: finds a run of the complete program with the same visible
values. If there is none, finds the hidden slots that must become visible to exclude the abstract
run."""

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
"""Maximum number of concrete states explored for one abstract run."""
MAX_REFINEMENT_CANDIDATES = 20
"""Maximum number of dead ends that are examined to find the slots that must become visible. A dead
end is a concrete state from which no step matches the next step of the abstract run."""


@dataclass(frozen=True, slots=True)
class ConcreteRun:
    """Run of the complete program. Each state maps slots to the numbers of their values. If
    ``loop`` is set, the last state is followed by the one at that index."""

    states: tuple[Mapping[str, int], ...]
    loop: int | None


@dataclass(slots=True)
class _SearchNode:
    """Node on the current path of the search: a concrete state (``state``) that matches a position
    of the abstract run (``index``).

    ``options`` are the moves from this node that are still to be tried. ``progress`` is the number
    of steps on the path that advanced in the abstract run.
    """

    index: int
    state: int
    progress: int
    options: list[tuple[int, int, int]]


class _ConcreteRunSearch:
    """Depth-first search for a concrete run that matches an abstract run. It searches pairs of a
    position in the abstract run and a concrete state.

    A shortest abstract run omits steps that change no visible slot. With ``allow_stuttering`` the
    concrete run may take these invisible steps.
    """

    def __init__(
        self, abstraction: Abstraction, run: AbstractRun, *, allow_stuttering: bool
    ) -> None:
        self._abstraction = abstraction
        self._run = run
        self._allow_stuttering = allow_stuttering
        self._whole = Abstraction(
            abstraction.functions, (), maximum=MAX_FOLLOWED, effort=100 * MAX_FOLLOWED
        )
        self._successors: dict[int, list[int]] = {}
        self._farthest = -1
        self._stuck: list[tuple[int, int]] = []

    def found(self) -> ConcreteRun:
        """Return a concrete run that matches the abstract run. Raise :class:`RefinementNeeded` if
        there is none."""
        path: list[_SearchNode] = []
        on_path: dict[tuple[int, int], int] = {}
        done: set[tuple[int, int]] = set()
        entering: tuple[int, int, int] | None = (0, 0, 0)
        while entering is not None or path:
            if entering is not None:
                index, state, progress = entering
                if self._next(index) is None:
                    return self._followed([*(each.state for each in path), state], None)
                on_path[index, state] = len(path)
                path.append(
                    _SearchNode(index, state, progress, self._options(index, state, progress))
                )
                entering = None
            last = path[-1]
            if not last.options:
                path.pop()
                del on_path[last.index, last.state]
                done.add((last.index, last.state))
                continue
            index, state, progress = last.options.pop()
            earlier = on_path.get((index, state))
            if earlier is not None:
                # The loop must advance in the abstract run, not only take invisible steps.
                if progress > path[earlier].progress:
                    return self._followed([each.state for each in path], earlier)
            elif (index, state) not in done:
                entering = index, state, progress
        raise self._refinement_needed()

    def _next(self, index: int) -> int | None:
        return index + 1 if index + 1 < len(self._run.states) else self._run.loop

    def _options(self, index: int, state: int, progress: int) -> list[tuple[int, int, int]]:
        """Return the moves of the complete program from a concrete state that match the abstract
        run at position ``index``. Moves that advance in the abstract run come last.

        Each move is a triple: the position in the abstract run after it, the concrete state after
        it, and the number of steps that have advanced in the abstract run. If no move advances, the
        state may be recorded as a dead end.
        """
        if state not in self._successors:
            try:
                self._successors[state] = list(self._whole.expand(state))
            except AbstractionTooLarge:
                raise AbstractionInapplicable(
                    f"more than {MAX_FOLLOWED:,} states of the program match a run of the "
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
            if self._allow_stuttering
            else []
        )
        return [*waiting, *forward]

    def _shown(self, index: int) -> tuple[int, ...]:
        return self._abstraction.states[self._run.states[index]].visible

    def _whole_state(self, number: int) -> dict[str, int]:
        return dict(zip(self._whole.visible_slots, self._whole.states[number].visible, strict=True))

    def _followed(self, states: list[int], loop: int | None) -> ConcreteRun:
        return ConcreteRun(tuple(self._whole_state(each) for each in states), loop)

    def _refinement_needed(self) -> RefinementNeeded:
        """Return the exception that names the hidden slots to make visible, so that the abstract
        run is excluded.

        They are found from the dead ends of the search. A dead end is a concrete state in which the
        next step of the abstract run is impossible: this step reads values that some slots do not
        have in the concrete state. The result is the smallest such set of slots over all dead ends,
        or all hidden slots if no set is found.
        """
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
    """Return the slots in which the state ``actual`` differs from the values that were read.
    ``reads`` has several combinations of values; the one with the fewest differences is used."""
    return min(
        ({slot for slot, value in read.items() if actual[slot] != value} for read in reads),
        key=_size,
    )


def concretise(
    abstraction: Abstraction, run: AbstractRun, *, allow_stuttering: bool
) -> ConcreteRun:
    """Return a run of the complete program with the same visible values as an abstract run. Raise
    :class:`RefinementNeeded` if there is none.

    With ``allow_stuttering`` the concrete run may repeat visible values while it takes invisible
    steps.
    """
    return _ConcreteRunSearch(abstraction, run, allow_stuttering=allow_stuttering).found()
