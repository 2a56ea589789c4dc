"""Slots (state variables) of an intention: one for the intention, and two more for the branches of
each ``∥`` that may be active in it.

The branches of a ``∥`` step independently of each other. Because each has its own slot and
component, its transitions are computed once and not once per combination with the other branches.
The plans determine how many ``∥`` may be active inside each other. Different plans, and the
consecutive parts of one plan, share slots. If an event raises itself inside a ``∥``, the nesting
has no bound; the branch that raises the event then stays in one slot. The same holds for programs
that would need more than ``MAX_SLOTS`` slots.
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
"""Limit on the number of slots of one intention. Programs that would need more keep both branches
of a ``∥`` in one slot."""


@dataclass(frozen=True, eq=False)
class BranchSlot:
    """Slot for the remaining program of an intention, or of one branch of a ``∥`` in it.
    ``branches`` are the slots of the two branches if this program is a ``∥``."""

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
        """Slots of the two branches of a ``∥``, the one with the fewest nested slots first.
        Searching them in this order for a branch that can step reads few slots."""
        return tuple(sorted(self.branches, key=lambda side: sum(1 for _ in side)))

    def content(self, state: SlotView) -> FocusedProgram:
        """Return the program in this slot in a state. The slot must not be empty."""
        held: FocusedProgram = state[self.slot]
        return held

    def writes_for(
        self, left: FocusedProgram, *, instead_of: FocusedProgram | None = None
    ) -> dict[str, Hashable]:
        """Return the slot writes that store the program ``left`` in this slot. ``instead_of`` is
        the program that it replaces.

        A ``∥`` is split over the slots of its branches.
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
        """Return the slot writes that empty this slot and all slots nested in it, if ``held``, the
        program in this slot, is split over them. Otherwise there are none."""
        return (
            {branch.slot: None for branch in self} if isinstance(held.focus, SplitParallel) else {}
        )

    def as_program(self, state: SlotView) -> Body:
        """Return the remaining program as one body, assembled from this slot and the slots nested
        in it."""
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
        # A ∥ can occur inside itself only if an event raises itself; such a ∥ is not split.
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
    """Return every ``∥`` that may become active in one of the bodies, or in a plan for an event
    that they raise, without an enclosing ``∥``."""
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
