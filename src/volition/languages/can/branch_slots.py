"""Slots (state variables) of an intention: one for the intention, and two more for the branches of
each ``∥`` that may be active in it.

The branches of a ``∥`` step independently of each other. Because each has its own slot and
component, its transitions are computed once and not once per combination with the other branches.

The number of slots is fixed before the exploration. It follows from the plans: they determine how
deeply active ``∥`` may be nested. Two ``∥`` that are never active at the same time, because they
are in different plans or one comes after the other, share slots. A ``∥`` gets no slots for its
branches in two cases; both branches then stay in one slot:

- It is nested in itself, because an event raises itself. The nesting then has no bound.
- The intention already has ``MAX_SLOTS`` slots.
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
"""Maximum number of slots of one intention. Once it is reached, both branches of any further ``∥``
stay in one slot."""


@dataclass(frozen=True, eq=False)
class BranchSlot:
    """Slot (state variable) for the remaining program of an intention, or of one branch of a ``∥``
    in an intention. If this program is itself a ``∥``, ``branches`` are the slots of its two
    branches."""

    slot: Slot
    branches: tuple[BranchSlot, ...] = ()

    def __iter__(self) -> Iterator[BranchSlot]:
        """Yield this branch slot and all branch slots nested in it, in the order of the program
        text."""
        found = [self]
        while found:
            branch = found.pop()
            yield branch
            found += reversed(branch.branches)

    @cached_property
    def branches_by_size(self) -> tuple[BranchSlot, ...]:
        """Slots of the two branches of a ``∥``. The branch with fewer nested slots comes first. A
        search for a branch that can step uses this order, so that it reads few slots."""
        return tuple(sorted(self.branches, key=lambda side: sum(1 for _ in side)))

    def content(self, state: SlotView) -> FocusedProgram:
        """Return the program in this slot in a state. The slot must not be empty."""
        held: FocusedProgram = state[self.slot]
        return held

    def writes_for(
        self, left: FocusedProgram, *, instead_of: FocusedProgram | None = None
    ) -> dict[str, Hashable]:
        """Return the slot writes that store the program ``left`` in this slot. If ``left`` is a
        ``∥`` and this slot has slots for its branches, the branches are stored there.

        ``instead_of`` is the program that the slot held before, if any. If its branches are in
        slots of their own, these slots are emptied.
        """
        writes = {} if instead_of is None else self.clearing_writes(instead_of)
        found = [(self, left)]
        while found:
            branch, left = found.pop()
            if isinstance(left.focus, Parallel) and branch.branches:
                first, second = branch.branches
                found.append((first, decompose(left.focus.left, left.context.inside(LEFT))))
                found.append((second, decompose(left.focus.right, left.context.inside(RIGHT))))
                left = FocusedProgram(SplitParallel(span=left.focus.span), left.context)
            writes[branch.slot] = left
        return writes

    def clearing_writes(self, held: FocusedProgram) -> dict[str, Hashable]:
        """Return the slot writes that empty this slot and all slots nested in it. ``held`` is the
        program in this slot. If its branches are not in slots of their own, nothing has to be
        emptied, and the result is empty."""
        return (
            {branch.slot: None for branch in self} if isinstance(held.focus, SplitParallel) else {}
        )

    def as_program(self, state: SlotView) -> Body:
        """Return the remaining program in a state as one plan body, assembled from this slot and
        the slots nested in it."""
        whole: dict[Slot, Body] = {}
        for branch in reversed(list(self)):  # nested slots first
            left = state[branch.slot]
            if left is None:
                continue
            if isinstance(left.focus, SplitParallel):
                first, second = (whole[side.slot] for side in branch.branches)
                left = FocusedProgram(Parallel(first, second, span=left.focus.span), left.context)
            whole[branch.slot] = left.plug()
        return whole[self.slot]


def allocate_slots(
    slot: Slot, event: str, bodies_for: Callable[[str], Sequence[Body]]
) -> BranchSlot:
    """Return the branch slots of the intention for the external event ``event``.

    ``slot`` is the slot of the whole intention. ``bodies_for`` returns the bodies of the plans for
    an event.
    """
    paths: list[tuple[ParallelFrame, ...]] = [()]
    waiting: deque[tuple[tuple[ParallelFrame, ...], Sequence[Body], frozenset[int]]] = deque(
        [((), bodies_for(event), frozenset())]
    )
    while waiting and len(paths) < MAX_SLOTS:
        path, bodies, context = waiting.popleft()
        # A ∥ that is nested in itself is not split into slots again. Such nesting occurs only if an
        # event raises itself.
        parallels = [
            each for each in _outermost_parallels(bodies, bodies_for) if id(each) not in context
        ]
        if parallels:
            within = context | {id(each) for each in parallels}
            waiting.append(((*path, LEFT), [each.left for each in parallels], within))
            waiting.append(((*path, RIGHT), [each.right for each in parallels], within))
            paths += [(*path, LEFT), (*path, RIGHT)]
    allocated: dict[tuple[ParallelFrame, ...], BranchSlot] = {}
    for path in reversed(paths):  # nested slots first
        named = [side.rule for side in path]
        sides = tuple(
            allocated[*path, side] for side in (LEFT, RIGHT) if (*path, side) in allocated
        )
        allocated[path] = BranchSlot(
            Slot(" ".join([slot, *named]), "intention", item=" ".join([slot.item, *named])), sides
        )
    return allocated[()]


def _outermost_parallels(
    bodies: Sequence[Body], bodies_for: Callable[[str], Sequence[Body]]
) -> list[Parallel]:
    """Return every ``∥`` that can become active when one of the bodies is executed and that is not
    inside another ``∥``. It may also be in a plan for an event that a body raises, directly or
    through other events."""
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
            case _:
                pass
    return found
