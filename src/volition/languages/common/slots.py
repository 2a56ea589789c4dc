"""Names of slots (state variables) that also say what their slot contains.

The kernel accepts any text as the name of a slot. A :class:`Slot` is such a text with attributes
for its owner, kind and item, so that names need not be parsed. Each language decides how its names
look; see ``docs/reference/trace_format.md``.
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
"""Kind of content of a slot.

Kinds of slots that belong to an agent:

- ``belief``, ``goal``, ``event``, ``intention``: mental state of the agent.
- ``plan``: the plan that the agent executes now.
- ``queue``: waiting messages, actions, or runnable intentions.
- ``cycle``: the next stage of the reasoning cycle.
- ``turn``: the component scheduled last.
- ``memory``: a history variable that a property or a comparison needs.

Kinds of slots that belong to the environment:

- ``percept``: what agents can perceive.
- ``world``: hidden state.
- ``counter``: a timer.
"""

KINDS: tuple[SlotKind, ...] = get_args(SlotKind)

_ENVIRONMENT: tuple[SlotKind, ...] = ("percept", "world", "counter")

T = TypeVar("T")


class Slot(str):
    """Name of a slot (state variable), with attributes that say what the slot contains.

    ``agent`` is the agent to which the slot belongs, or None. ``kind`` says what kind of content it
    has. ``item`` identifies the slot among those of the same agent and kind: the belief, the event,
    the variable. Two slots are equal if their texts are equal; the attributes do not count.
    """

    __slots__ = ("agent", "item", "kind")

    agent: str | None
    kind: SlotKind
    item: str

    def __new__(
        cls, name: str, kind: SlotKind, *, agent: str | None = None, item: str | None = None
    ) -> Slot:
        """Create a slot name. ``item`` identifies the slot among those of the same agent and kind,
        and defaults to the whole name."""
        slot = super().__new__(cls, name)
        slot.agent, slot.kind, slot.item = agent, kind, name if item is None else item
        return slot

    def for_agent(self, agent: str) -> Slot:
        """Return a copy of the slot name with ``agent`` as its owner."""
        return Slot(str(self), self.kind, agent=agent, item=self.item)

    def __getnewargs_ex__(self) -> tuple[tuple[str, SlotKind], dict[str, str | None]]:
        return (str(self), self.kind), {"agent": self.agent, "item": self.item}


def assign_owner(agent: str, slots: Mapping[Slot, T]) -> dict[str, T]:
    """Return the slots of a single-agent program with their values, with ``agent`` as the owner of
    all slots except those of the environment."""
    return {
        slot if slot.kind in _ENVIRONMENT else slot.for_agent(agent): value
        for slot, value in slots.items()
    }


def slots_of_agent(slots: Iterable[str], agent: str | None) -> list[Slot]:
    """Return the slots that belong to an agent, in their original order. If ``agent`` is None,
    return those without an owner."""
    return [slot for slot in slots if isinstance(slot, Slot) and slot.agent == agent]


def slots_of_kind(slots: Iterable[str], *kinds: SlotKind) -> list[Slot]:
    """Return the slots whose kind is one of ``kinds``, in their original order."""
    return [slot for slot in slots if isinstance(slot, Slot) and slot.kind in kinds]


_WORLD = "world."


@cache
def world_slot(name: str) -> Slot:
    """Return the slot of a variable of the world, or of a fact that agents cannot perceive."""
    return Slot(_WORLD + name, "world", item=name)


def world_item(slot: str) -> str:
    """Return the variable or fact of the world that a slot holds. A Python world may also use a
    plain text as a slot name."""
    return slot.item if isinstance(slot, Slot) else slot.removeprefix(_WORLD)


def qualified_names(names: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the names of all agents as one list. ``names`` maps each agent to its names. If there
    are several agents, each name is prefixed with its agent."""
    return [
        f"{agent}: {name}" if len(names) > 1 else name
        for agent, several in names.items()
        for name in several
    ]
