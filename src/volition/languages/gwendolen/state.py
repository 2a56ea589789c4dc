"""Slots (state variables) of a Gwendolen agent, and the values they hold: beliefs, goals,
intentions, messages and events."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, assert_never

from volition.kernel.system import SlotView
from volition.languages.common.slots import Slot, SlotKind
from volition.languages.common.state_buffer import BoundExceeded, SlotAttribute, StateBuffer
from volition.languages.gwendolen.syntax import Deed, Goal, GoalType, Performative, Sign
from volition.languages.world.terms import TOO_LARGE, Structure, Term, is_too_large, predicate, show

__all__ = [
    "EMPTY",
    "NO_OP",
    "NO_PLAN_YET",
    "OTHER_BELIEFS",
    "AgentSlots",
    "Belief",
    "Event",
    "Intention",
    "IntentionRow",
    "Message",
    "PseudoDeed",
    "UnboundedRecursion",
    "expect_finite",
    "mind_slot",
]  # fmt: skip

EventKind = Literal["start", "percept", "belief", "goal", "received", "sent"]


class Event(NamedTuple):
    """Event that an intention handles, such as ``+b`` or ``+!g``. Each row of an intention is an
    event and one deed for it.

    - ``kind``: ``start`` stands for an initial goal. ``percept`` stands for a perceived change that
      is not believed yet; it occurs only in Gwendolen's cycle.
    - ``depth``: for a posted goal, the number of rows below it. It distinguishes two postings of
      the same goal in one intention.
    - ``posted_goal``: for a goal that was posted with variables, the goal as it is in the goal
      base. It stays unchanged if the variables are bound later.
    """

    sign: Sign
    kind: EventKind
    content: Term | None = None
    type: GoalType | None = None
    performative: Performative | None = None
    depth: int = 0
    posted_goal: Term | None = None

    def __str__(self) -> str:
        content = "" if self.content is None else show(self.content)
        match self.kind:
            case "start" | "percept":
                return self.kind
            case "belief":
                return f"{self.sign}{content}"
            case "goal":
                return f"{self.sign}!{content} [{self.type}]"
            case "received":
                return f"+.received(:{self.performative}, {content})"
            case "sent":
                return f"+.sent({content})"
            case _:
                assert_never(self.kind)

    @property
    def is_goal_addition(self) -> bool:
        """Return whether the event is a posted goal, ``+!g``."""
        return self.kind == "goal" and self.sign == "+"

    @property
    def goal(self) -> Goal:
        """Return the goal of a goal event as the goal base contains it."""
        atom = self.content if self.posted_goal is None else self.posted_goal
        assert isinstance(atom, Structure), "what is posted is a goal"
        assert self.type is not None
        return Goal(atom, self.type)


class PseudoDeed(NamedTuple):
    """Placeholder for the deed in a row of an intention. Either no plan has been chosen yet for the
    row's event (:data:`NO_PLAN_YET`), or nothing remains to be done (:data:`NO_OP`)."""

    name: str

    def __str__(self) -> str:
        return self.name


NO_PLAN_YET = PseudoDeed("no plan yet")
NO_OP = PseudoDeed("nothing to do")


class IntentionRow(NamedTuple):
    """Row of an intention (a stack of rows): an event, and one deed to be executed for it."""

    event: Event
    deed: Deed | PseudoDeed


class Intention(NamedTuple):
    """Intention: a stack of rows, each with an event and one deed for it. The last row is the top
    and is executed next.

    ``waits_for`` is the literal for which the intention is suspended, or None. ``source`` says
    whether a percept caused the intention. A current intention whose rows have all been executed
    still has its source.
    """

    rows: tuple[IntentionRow, ...] = ()
    source: Literal["self", "percept"] = "self"
    locked: bool = False
    waits_for: Term | None = None

    @property
    def suspended(self) -> bool:
        return self.waits_for is not None

    @property
    def top(self) -> IntentionRow:
        return self.rows[-1]

    def emptied(self) -> Intention:
        """Return the intention as it is when all its deeds have been executed: without events and
        deeds, and with the same source."""
        return Intention(source=self.source)

    @property
    def has_belief_root(self) -> bool:
        """Return whether the intention began with a belief event or a percept."""
        return bool(self.rows) and self.rows[0].event.kind in ("belief", "percept")


EMPTY = Intention()
"""Intention whose deeds have all been executed. An agent with it as its current intention differs
from an agent without a current intention (point 10 of ``docs/reference/gwendolen.md``)."""


class Belief(NamedTuple):
    """Belief of an agent. ``perceived`` is set if the belief comes from a percept; it is then
    removed when the percept disappears."""

    atom: Structure
    perceived: bool = False


class Message(NamedTuple):
    """Message in an agent's inbox or outbox. ``sender`` is None, except in inboxes if the option
    ``mailbox`` is ``set``."""

    recipient: str
    performative: Performative
    content: Term
    sender: str | None = None

    def __str__(self) -> str:
        return f":{self.performative} {show(self.content)} to {self.recipient}"


class UnboundedRecursion(BoundExceeded):
    """Error for reasoning rules that call each other without end."""

    def __init__(self, agent: str, atom: Term) -> None:
        super().__init__(
            "GWN060",
            f"the reasoning rules of {agent} recurse without end at '{show(atom)}'",
            "add a rule that ends the recursion",
        )


def expect_finite(agent: str, atom: Term) -> None:
    """Raise :class:`BoundExceeded` if a term of an agent is so large that it probably grows without
    bound."""
    if is_too_large(atom):
        hint = "a term that grows in every step leads to infinitely many states"
        raise BoundExceeded("GWN063", f"a term of {agent} {TOO_LARGE}: {show(atom)[:60]}", hint)


# --- slots of an agent ----------------------------------------------------------------------------

_KINDS: Mapping[str, SlotKind] = {
    "stage": "cycle",
    "current": "intention",
    "others": "intention",
    "goals": "goal",
    "inbox": "queue",
    "outbox": "memory",
    "asleep": "cycle",
    "informed": "percept",
    "shared": "percept",
}
OTHER_BELIEFS = "other beliefs"


@cache
def mind_slot(agent: str, part: str) -> Slot:
    """Return the slot for a part of an agent's state, such as ``goals``.

    If ``part`` is a predicate such as ``bid/2``, the slot holds the agent's beliefs with that
    predicate.
    """
    return Slot(f"{agent}.{part}", _KINDS.get(part, "belief"), agent=agent, item=part)


class AgentSlots(StateBuffer):
    """View of an agent's slots while a transition is computed. Reads see earlier writes of the same
    transition."""

    stage = SlotAttribute[Literal["E", "D"]]()
    current = SlotAttribute["Intention | None"]()
    others = SlotAttribute[tuple[Intention, ...]]()
    goals = SlotAttribute[tuple[Goal, ...]]()
    inbox = SlotAttribute[tuple[Message, ...]]()
    outbox = SlotAttribute[tuple[Message, ...]]()
    asleep = SlotAttribute[bool]()
    informed = SlotAttribute[bool]()
    """Whether the agent is up to date: it has perceived since its percepts last changed."""
    shared = SlotAttribute[tuple[Structure, ...]]()
    """Beliefs shared between an agent and its abstraction engine (EASS)."""

    def __init__(
        self,
        name: str,
        state: SlotView,
        predicates: frozenset[str],
        writes: Mapping[str, Hashable] | None = None,
    ) -> None:
        super().__init__(state, writes)
        self.name = name
        self.predicates = predicates

    def slot_of(self, part: str) -> Slot:
        return mind_slot(self.name, part)

    def __getitem__(self, slot: str) -> Any:
        """Return the value of a slot, including what this transition has already written."""
        return self.read(slot)

    def of(self, agent: str) -> AgentSlots:
        """Return a view of another agent's slots that shares the writes of this one."""
        other = AgentSlots(agent, self.state, self.predicates)
        other.writes = self.writes
        return other

    # --- access to beliefs ------------------------------------------------------------------------

    def _slot_of(self, kind: str) -> Slot:
        return mind_slot(self.name, kind if kind in self.predicates else OTHER_BELIEFS)

    def beliefs(self, kind: str) -> tuple[Belief, ...]:
        found: tuple[Belief, ...] = self.read(self._slot_of(kind))
        return (
            found
            if kind in self.predicates
            else tuple(each for each in found if predicate(each.atom) == kind)
        )

    def facts(self, kind: str) -> Iterable[Structure]:
        return [each.atom for each in self.beliefs(kind)]

    def all_beliefs(self) -> tuple[Belief, ...]:
        """Return all beliefs of the agent, sorted by printed form."""
        parts = [*sorted(self.predicates), OTHER_BELIEFS]
        return _sorted(each for part in parts for each in self.read(mind_slot(self.name, part)))

    def add_belief(self, atom: Structure, *, perceived: bool) -> None:
        """Add a belief. If ``perceived`` is set, mark it as coming from a percept, even if the
        agent has it already."""
        slot = self._slot_of(predicate(atom))
        before: tuple[Belief, ...] = self.read(slot)
        perceived = perceived or any(each.perceived for each in before if each.atom == atom)
        self.write(
            slot,
            _sorted([*(each for each in before if each.atom != atom), Belief(atom, perceived)]),
        )

    def remove_belief(self, atom: Structure) -> None:
        """Remove a belief, whether or not it comes from a percept."""
        slot = self._slot_of(predicate(atom))
        self.write(slot, tuple(each for each in self.read(slot) if each.atom != atom))

    # --- changes of the goal base -----------------------------------------------------------------

    def add_goal(self, goal: Goal) -> None:
        self.goals = tuple(sorted({*self.goals, goal}, key=str))

    def remove_goal(self, goal: Goal) -> None:
        self.goals = tuple(each for each in self.goals if each != goal)

    def adopt_all_postings(self) -> None:
        """Add every goal that an intention pursues to the goal base, if it is missing there. This
        implements the option ``goal_base = postings``: a goal that two intentions pursue stays in
        the goal base when only one of them has ended its pursuit."""
        intentions = (*self.others, *(() if self.current is None else (self.current,)))
        for goal in {
            row.event.goal for each in intentions for row in each.rows if row.event.is_goal_addition
        } - {*self.goals}:
            self.add_goal(goal)


def _sorted(beliefs: Iterable[Belief]) -> tuple[Belief, ...]:
    return tuple(sorted(beliefs, key=lambda each: show(each.atom)))
