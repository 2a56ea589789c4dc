"""The slots of an intention: one for itself, and two more for the sides of each ``∥`` that may be under way in it.

The sides of a ``∥`` step independently of each other.  With a slot and a component each, what a side can do is traced once and
not once for every combination with the others.  How many ``∥`` may be under way inside of each other is read off the plans: different
plans, and what comes one after the other in a plan, share rooms.  Where events raise themselves inside of a ``∥`` there is no end
to it: the side that does keeps one slot, as does what there is no room for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from volition.kernel.system import View
from volition.languages.can.running import LEFT, RIGHT, Running, Side, entered
from volition.languages.can.syntax import Body, Event, Fork, Goal, Parallel, Recovery
from volition.languages.can.syntax import Sequence as Chain
from volition.languages.kit.slots import Slot

__all__ = ["MOST_ROOMS", "Room", "rooms_for"]

MOST_ROOMS = 400
"""Slots of one intention: what goes beyond stays together in one slot."""


@dataclass(frozen=True, eq=False)
class Room:
    """A slot for what is left of an intention, or of a side of a ``∥`` in it; ``sides`` are the rooms of the two sides of a ``∥`` there."""

    slot: Slot
    sides: tuple[Room, ...] = ()

    def __iter__(self) -> Iterator[Room]:
        """The room and those inside of it, in the order of the text."""
        found = [self]
        while found:
            room = found.pop()
            yield room
            found += reversed(room.sides)

    @cached_property
    def smaller_side_first(self) -> tuple[Room, ...]:
        """The sides in an order in which few slots are read to find one that can step."""
        return tuple(sorted(self.sides, key=lambda side: sum(1 for _ in side)))

    def held(self, state: View) -> Running:
        """What stands in the room, which is not empty."""
        held: Running = state[self.slot]
        return held

    def put(self, left: Running, *, instead_of: Running | None = None) -> dict[str, Hashable]:
        """What is written so that something stands in the room, in the place of what stood there.

        A ``∥`` is divided over the rooms for its sides.
        """
        writes = {} if instead_of is None else self.emptied(instead_of)
        found = [(self, left)]
        while found:
            room, left = found.pop()
            if isinstance(left.focus, Parallel) and room.sides:
                first, second = room.sides
                found.append((first, entered(left.focus.left, left.context.inside(LEFT))))
                found.append((second, entered(left.focus.right, left.context.inside(RIGHT))))
                left = Running(Fork(span=left.focus.span), left.context)
            writes[room.slot] = left
        return writes

    def emptied(self, held: Running) -> dict[str, Hashable]:
        """What is written so that nothing stands in the rooms any more over which something is divided."""
        return {room.slot: None for room in self} if isinstance(held.focus, Fork) else {}

    def program(self, state: View) -> Body:
        """What is left, as one program."""
        whole: dict[Slot, Body] = {}
        for room in reversed(list(self)):  # each after those inside of it
            left = state[room.slot]
            if left is None:
                continue
            if isinstance(left.focus, Fork):
                first, second = (whole[side.slot] for side in room.sides)
                left = Running(Parallel(first, second, span=left.focus.span), left.context)
            whole[room.slot] = left.up_to()
        return whole[self.slot]


def rooms_for(slot: Slot, event: str, bodies_for: Callable[[str], Sequence[Body]]) -> Room:
    """The rooms of the intention for an external event; ``bodies_for`` are the bodies of the plans for an event."""
    paths: list[tuple[Side, ...]] = [()]
    waiting: deque[tuple[tuple[Side, ...], Sequence[Body], frozenset[int]]] = deque([((), bodies_for(event), frozenset())])
    while waiting and len(paths) < MOST_ROOMS:
        path, bodies, around = waiting.popleft()
        # A ∥ inside of itself has come about through an event that raises itself.
        divided = [each for each in _first_parallels(bodies, bodies_for) if id(each) not in around]
        if divided:
            within = around | {id(each) for each in divided}
            waiting.append(((*path, LEFT), [each.left for each in divided], within))
            waiting.append(((*path, RIGHT), [each.right for each in divided], within))
            paths += [(*path, LEFT), (*path, RIGHT)]
    rooms: dict[tuple[Side, ...], Room] = {}
    for path in reversed(paths):  # each after those inside of it
        named = [side.rule for side in path]
        sides = tuple(rooms[*path, side] for side in (LEFT, RIGHT) if (*path, side) in rooms)
        rooms[path] = Room(Slot(" ".join([slot, *named]), "intention", item=" ".join([slot.item, *named])), sides)
    return rooms[()]


def _first_parallels(bodies: Sequence[Body], bodies_for: Callable[[str], Sequence[Body]]) -> list[Parallel]:
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
            case Goal(_, pursued, _):
                waiting.append(pursued)
            case Event(name) if name not in raised:
                raised.add(name)
                waiting += bodies_for(name)
    return found
