"""Access profile of a system: which slots (state variables) its components and reactions read and
write in states near the initial one. The profile suggests which slots an abstraction can hide."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from volition.kernel import (
    AnyPredicate,
    Choice,
    Component,
    Limits,
    NoPredicate,
    Reaction,
    SlotView,
    StateSpace,
    System,
    explore,
)

__all__ = ["AccessProfile", "profile"]


class _RecordingView:
    """View of a state that adds each slot that is read to the set ``read``."""

    def __init__(self, view: SlotView, read: set[str]) -> None:
        self._view = view
        self._read = read

    def __getitem__(self, slot: str) -> Any:
        self._read.add(slot)
        return self._view[slot]


@dataclass(frozen=True, slots=True)
class _Call:
    reads: frozenset[str]
    changes: frozenset[str]


@dataclass(frozen=True, eq=False)
class AccessProfile:
    """Explored part of a system, and the slots that each call of a component or reaction read and
    changed. ``calls`` has the name of the component or reaction as key."""

    space: StateSpace
    calls: Mapping[str, Sequence[_Call]]

    def changed_by(self, slot: str) -> frozenset[str]:
        """Return the names of the components and reactions that change a slot in the explored part
        of the system."""
        return frozenset(
            name
            for name, calls in self.calls.items()
            if any(slot in call.changes for call in calls)
        )

    def written_only_by(self, name: str) -> frozenset[str]:
        """Return the slots that the component with this name changes and no other component or
        reaction changes."""
        changed = {slot for call in self.calls[name] for slot in call.changes}
        return frozenset(slot for slot in changed if self.changed_by(slot) == {name})

    def control_slots(self, name: str) -> frozenset[str]:
        """Return the slots that a component reads in at least half of its calls. They usually
        determine what the component does next, as a program counter does."""
        calls = self.calls[name]
        return frozenset(
            slot
            for slot in self.space.system.slots
            if 2 * sum(slot in call.reads for call in calls) >= len(calls) > 0
        )

    def readers(self, slot: str) -> int:
        """Return the number of components and reactions that read a slot."""
        return sum(any(slot in call.reads for call in calls) for calls in self.calls.values())

    def read_by(self, leaves: Iterable[Callable[[SlotView], Any]]) -> frozenset[str]:
        """Return the slots that the atoms of a formula read in the explored states."""
        read: set[str] = set()

        def watched(leaf: Callable[[SlotView], Any]) -> Callable[[SlotView], bool]:
            return lambda view: bool(leaf(_RecordingView(view, read)))

        for leaf in leaves:
            for part in leaf.parts if isinstance(leaf, AnyPredicate | NoPredicate) else [leaf]:
                self.space.holds(watched(part))
        return frozenset(read)

    def hideable_groups(self, shown: frozenset[str]) -> list[tuple[str, ...]]:
        """Return the groups of slots that the first abstraction hides: slots outside ``shown`` that
        only one component changes and few components or reactions read.

        The hidden slots of one component form a group, which is tracked jointly. If the system has
        only one component, such a group would be as large as the system. Then the control slots of
        the component stay visible, and every other hidden slot is a group by itself.
        """
        components = self.space.system.components
        groups: list[tuple[str, ...]] = []
        for each in components:
            own = sorted(
                slot
                for slot in self.written_only_by(each.name) - shown
                if self.readers(slot) <= max(2, len(components) // 2)
            )
            if len(components) > 1:
                groups.append(tuple(own))
            else:
                groups += [(slot,) for slot in own if slot not in self.control_slots(each.name)]
        return [group for group in groups if group]

    def observed_values(self, slots: Sequence[str]) -> list[tuple[Hashable, ...]]:
        """Return the distinct joint values that slots have in the explored states: a tuple for
        each, in the order of ``slots``."""
        columns, objects = zip(*map(self.space.column, slots), strict=True)
        found = dict.fromkeys(zip(*(column.tolist() for column in columns), strict=True))
        return [
            tuple(of[number] for of, number in zip(objects, joint, strict=True)) for joint in found
        ]


def profile(system: System, states: int) -> AccessProfile:
    """Explore up to ``states`` states of a system, and return which slots each call of a component
    or reaction read and changed."""
    calls: dict[str, list[_Call]] = {}

    def noted(
        name: str,
        view: SlotView,
        work: Callable[[SlotView], Any],
        written: Callable[[Any], Iterable[Mapping[str, Hashable]]],
    ) -> Any:
        read: set[str] = set()
        answer = work(_RecordingView(view, read))
        changes = frozenset(
            slot
            for writes in written(answer)
            for slot, value in writes.items()
            if slot not in read or view[slot] != value
        )
        calls.setdefault(name, []).append(_Call(frozenset(read), changes))
        return answer

    def component(each: Component) -> Component:
        calls.setdefault(each.name, [])

        def writes(choices: Sequence[Choice]) -> Iterable[Mapping[str, Hashable]]:
            return (writes for choice in choices for _, writes in choice.outcomes)

        return Component(each.name, lambda view: noted(each.name, view, each.step, writes))

    def reaction(each: Reaction) -> Reaction:
        calls.setdefault(each.name, [])
        return Reaction(
            each.name, lambda view: noted(each.name, view, each.react, lambda writes: [writes])
        )

    watched = replace(
        system,
        components=[component(each) for each in system.components],
        reactions=[reaction(each) for each in system.reactions],
    )
    space = explore(watched, limits=Limits(states=states))
    return AccessProfile(space, calls)
