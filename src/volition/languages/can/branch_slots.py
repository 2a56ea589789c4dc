"""The slots of an intention: one for itself, and two more for the sides of each ``∥`` that may be
under way in it.

The sides of a ``∥`` step independently of each other.  With a slot and a component each, what a
side can do is traced once and not once for every combination with the others.  How many ``∥`` may
be under way inside of each other is read off the plans: different plans, and what comes one after
the other in a plan, share rooms.  Where events raise themselves inside of a ``∥`` there is no end
to it: the side that does keeps one slot, as does what there is no room for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from volition.kernel.system import SlotView
from volition.languages.can.contexts import LEFT, RIGHT, FocusedProgram, ParallelFrame, decompose
from volition.languages.can.syntax import (
    Body,
    DeclarativeGoal,
    EventGoal,
    Parallel,
    Recovery,
    SplitParallel,
)
from volition.languages.can.syntax import Sequence as Chain
from volition.languages.common.slots import Slot

__all__ = ["MAX_SLOTS", "BranchSlot", "allocate_slots"]

MAX_SLOTS = 400
"""Slots of one intention: what goes beyond stays together in one slot."""


@dataclass(frozen=True, eq=False)
class BranchSlot:
    """A slot for what is left of an intention, or of a side of a ``∥`` in it; ``sides`` are the
    rooms of the two sides of a ``∥`` there."""

    slot: Slot
    branches: tuple[BranchSlot, ...] = ()

    def __iter__(self) -> Iterator[BranchSlot]:
        """The room and those inside of it, in the order of the text."""
        found = [self]
        while found:
            room = found.pop()
            yield room
            found += reversed(room.branches)

    @cached_property
    def branches_by_size(self) -> tuple[BranchSlot, ...]:
        """The sides in an order in which few slots are read to find one that can step."""
        return tuple(sorted(self.branches, key=lambda side: sum(1 for _ in side)))

    def content(self, state: SlotView) -> FocusedProgram:
        """What stands in the room, which is not empty."""
        held: FocusedProgram = state[self.slot]
        return held

    def writes_for(
        self, left: FocusedProgram, *, instead_of: FocusedProgram | None = None
    ) -> dict[str, Hashable]:
        """What is written so that something stands in the room, in the place of what stood there.

        A ``∥`` is divided over the rooms for its sides.
        """
        writes = {} if instead_of is None else self.clearing_writes(instead_of)
        found = [(self, left)]
        while found:
            room, left = found.pop()
            if isinstance(left.focus, Parallel) and room.branches:
                first, second = room.branches
                found.append((first, decompose(left.focus.left, left.context.inside(LEFT))))
                found.append((second, decompose(left.focus.right, left.context.inside(RIGHT))))
                left = FocusedProgram(SplitParallel(span=left.focus.span), left.context)
            writes[room.slot] = left
        return writes

    def clearing_writes(self, held: FocusedProgram) -> dict[str, Hashable]:
        """What is written so that nothing stands in the rooms any more over which something is
        divided."""
        return {room.slot: None for room in self} if isinstance(held.focus, SplitParallel) else {}

    def as_program(self, state: SlotView) -> Body:
        """What is left, as one program."""
        whole: dict[Slot, Body] = {}
        for room in reversed(list(self)):  # each after those inside of it
            left = state[room.slot]
            if left is None:
                continue
            if isinstance(left.focus, SplitParallel):
                first, second = (whole[side.slot] for side in room.branches)
                left = FocusedProgram(Parallel(first, second, span=left.focus.span), left.context)
            whole[room.slot] = left.plug()
        return whole[self.slot]


def allocate_slots(
    slot: Slot, event: str, bodies_for: Callable[[str], Sequence[Body]]
) -> BranchSlot:
    """The rooms of the intention for an external event; ``bodies_for`` are the bodies of the plans
    for an event."""
    paths: list[tuple[ParallelFrame, ...]] = [()]
    waiting: deque[tuple[tuple[ParallelFrame, ...], Sequence[Body], frozenset[int]]] = deque(
        [((), bodies_for(event), frozenset())]
    )
    while waiting and len(paths) < MAX_SLOTS:
        path, bodies, context = waiting.popleft()
        # A ∥ inside of itself has come about through an event that raises itself.
        divided = [
            each for each in _outermost_parallels(bodies, bodies_for) if id(each) not in context
        ]
        if divided:
            within = context | {id(each) for each in divided}
            waiting.append(((*path, LEFT), [each.left for each in divided], within))
            waiting.append(((*path, RIGHT), [each.right for each in divided], within))
            paths += [(*path, LEFT), (*path, RIGHT)]
    rooms: dict[tuple[ParallelFrame, ...], BranchSlot] = {}
    for path in reversed(paths):  # each after those inside of it
        named = [side.rule for side in path]
        sides = tuple(rooms[*path, side] for side in (LEFT, RIGHT) if (*path, side) in rooms)
        rooms[path] = BranchSlot(
            Slot(" ".join([slot, *named]), "intention", item=" ".join([slot.item, *named])), sides
        )
    return rooms[()]


def _outermost_parallels(
    bodies: Sequence[Body], bodies_for: Callable[[str], Sequence[Body]]
) -> list[Parallel]:
    """Every ``∥`` that may be under way in one of some bodies without another ``∥`` around it."""
    found: list[Parallel] = []
    raised: set[str] = set()
    waiting = list(bodies)
    while waiting:
        match waiting.pop():
            case Parallel() as parallel:
                found.append(parallel)
            case Chain(first, second) | Recovery(first, second):
                waiting += (first, second)
            case DeclarativeGoal(_, pursued, _):
                waiting.append(pursued)
            case EventGoal(name) if name not in raised:
                raised.add(name)
                waiting += bodies_for(name)
    return found
