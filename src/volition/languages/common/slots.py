"""Names of slots that know what their slot holds.

The kernel takes any text for the name of a slot.  A :class:`Slot` is such a text that also says
whose it is, of which kind, and what it is about: nobody has to take a name apart.  What a name
looks like is a matter of its language; see ``docs/reference/trace_format.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal, TypeVar, get_args

__all__ = [
    "KINDS",
    "Slot",
    "SlotKind",
    "assign_owner",
    "qualified_names",
    "slots_of_agent",
    "slots_of_kind",
    "world_item",
    "world_slot",
]

SlotKind = Literal[
    "belief",
    "goal",
    "event",
    "intention",
    "plan",
    "queue",
    "cycle",
    "turn",
    "memory",
    "counter",
    "percept",
    "world",
]
"""What a slot holds.

``belief``, ``goal``, ``event``, ``intention`` and ``plan`` are what an agent believes and wants,
what it has to deal with, what it has set out to do, and what it does now.  ``queue`` is what waits
for somebody: mail, actions, intentions that can run.  ``cycle`` is the part of a reasoning cycle
that comes next, ``turn`` who was served last, ``memory`` what is kept because somebody asks for it
or compares with it. Three kinds belong to the environment: ``percept`` is what it shows, ``world``
what else is in it, ``counter`` a clock of its.
"""

KINDS: tuple[SlotKind, ...] = get_args(SlotKind)

_ENVIRONMENT: tuple[SlotKind, ...] = ("percept", "world", "counter")

T = TypeVar("T")


class Slot(str):
    """The name of a slot.

    ``agent`` is None where the slot belongs to no agent, ``item`` says which one it is among those
    of its agent and kind: the belief, the event, the variable.  As a name it is equal to its text,
    whatever else it knows.
    """

    __slots__ = ("agent", "item", "kind")

    agent: str | None
    kind: SlotKind
    item: str

    def __new__(
        cls, name: str, kind: SlotKind, *, agent: str | None = None, item: str | None = None
    ) -> Slot:
        """The item is the whole name unless it is said."""
        slot = super().__new__(cls, name)
        slot.agent, slot.kind, slot.item = agent, kind, name if item is None else item
        return slot

    def for_agent(self, agent: str) -> Slot:
        """The same slot, as an agent's."""
        return Slot(str(self), self.kind, agent=agent, item=self.item)

    def __getnewargs_ex__(self) -> tuple[tuple[str, SlotKind], dict[str, str | None]]:
        return (str(self), self.kind), {"agent": self.agent, "item": self.item}


def assign_owner(agent: str, slots: Mapping[Slot, T]) -> dict[str, T]:
    """The slots of a program of one agent: what is not the environment's is the agent's."""
    return {
        slot if slot.kind in _ENVIRONMENT else slot.for_agent(agent): value
        for slot, value in slots.items()
    }


def slots_of_agent(slots: Iterable[str], agent: str | None) -> list[Slot]:
    """Those of the slots that belong to an agent, in their order; for None those that belong to no
    agent."""
    return [slot for slot in slots if isinstance(slot, Slot) and slot.agent == agent]


def slots_of_kind(slots: Iterable[str], *kinds: SlotKind) -> list[Slot]:
    """Those of the slots that hold something of one of the kinds, in their order."""
    return [slot for slot in slots if isinstance(slot, Slot) and slot.kind in kinds]


_WORLD = "world."


@cache
def world_slot(name: str) -> Slot:
    """The slot of a variable of the world, or of a fact that nobody perceives."""
    return Slot(_WORLD + name, "world", item=name)


def world_item(slot: str) -> str:
    """What a slot of the world is about, also where its author gave it a plain text for a name."""
    return slot.item if isinstance(slot, Slot) else slot.removeprefix(_WORLD)


def qualified_names(names: Mapping[str, Iterable[str]]) -> list[str]:
    """Agent ▶ names of its things, as one list: each carries the name of its agent where there are
    several."""
    return [
        f"{agent}: {name}" if len(names) > 1 else name
        for agent, several in names.items()
        for name in several
    ]
