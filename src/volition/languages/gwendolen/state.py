"""An agent's mind: each part of it is a slot of the kernel's state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

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
    """What a row is there for.

    ``start`` is an initial goal's, ``percept`` a change that was perceived and is yet to be
    believed (in Gwendolen's cycle).  A goal is posted where ``depth`` rows lie below it, so that
    two postings of one goal in one intention are told apart; ``posted`` is what stands in the goal
    base for it, where its variables have got values since.
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

    @property
    def is_goal_addition(self) -> bool:
        """Whether it is ``+!g``."""
        return self.kind == "goal" and self.sign == "+"

    @property
    def goal(self) -> Goal:
        """What stands in the goal base for a goal that was posted."""
        atom = self.content if self.posted_goal is None else self.posted_goal
        assert isinstance(atom, Structure), "what is posted is a goal"
        assert self.type is not None
        return Goal(atom, self.type)


class PseudoDeed(NamedTuple):
    """In the place of a deed."""

    name: str

    def __str__(self) -> str:
        return self.name


NO_PLAN_YET = PseudoDeed("no plan yet")
NO_OP = PseudoDeed("nothing to do")


class IntentionRow(NamedTuple):
    """An event and one deed that is to be done about it."""

    event: Event
    deed: Deed | PseudoDeed


class Intention(NamedTuple):
    """A stack of rows; the last one is the top, which is next.  ``waits_for`` is the literal for
    which it is suspended.

    ``source`` says whether it came about by perception; the agent remembers that also of a current
    intention that has ended.
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
        """What is left of it when all is done."""
        return Intention(source=self.source)

    @property
    def has_belief_root(self) -> bool:
        """Whether a belief event or a percept is what it is about in the end."""
        return bool(self.rows) and self.rows[0].event.kind in ("belief", "percept")


EMPTY = Intention()
"""Not the same as no current intention at all (point 10)."""


class Belief(NamedTuple):
    """``perceived`` is set where a percept is among its sources: then it goes when the percept
    goes."""

    atom: Structure
    perceived: bool = False


class Message(NamedTuple):
    """In an inbox or an outbox.  ``sender`` is known where it matters, in a mailbox that is a
    set."""

    recipient: str
    performative: Performative
    content: Term
    sender: str | None = None

    def __str__(self) -> str:
        return f":{self.performative} {show(self.content)} to {self.recipient}"


class UnboundedRecursion(BoundExceeded):
    """A reasoning rule that needs itself without end."""

    def __init__(self, agent: str, atom: Term) -> None:
        super().__init__(
            "GWN060",
            f"the reasoning rules of {agent} go round in a circle at '{show(atom)}'",
            "give the rule another way to end",
        )


def expect_finite(agent: str, atom: Term) -> None:
    """Raise an error about an atom that looks like growth without end."""
    if is_too_large(atom):
        hint = "a term that grows makes infinitely many states"
        raise BoundExceeded("GWN063", f"a term of {agent} {TOO_LARGE}: {show(atom)[:60]}", hint)


# --- slots ----------------------------------------------------------------------------------------

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
    """The slot of a part of an agent's mind; a part that is a predicate, such as ``bid/2``, is what
    the agent believes of it."""
    return Slot(f"{agent}.{part}", _KINDS.get(part, "belief"), agent=agent, item=part)


class AgentSlots(StateBuffer):
    """The state of an agent in the middle of a step: reads what was written, or else the state
    before."""

    stage = SlotAttribute[Literal["E", "D"]]()
    current = SlotAttribute["Intention | None"]()
    others = SlotAttribute[tuple[Intention, ...]]()
    goals = SlotAttribute[tuple[Goal, ...]]()
    inbox = SlotAttribute[tuple[Message, ...]]()
    outbox = SlotAttribute[tuple[Message, ...]]()
    asleep = SlotAttribute[bool]()
    informed = SlotAttribute[bool]()
    """Whether the agent has perceived what there is to perceive."""
    shared = SlotAttribute[tuple[Structure, ...]]()
    """EASS: what the agent and its abstraction engine have told each other."""

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
        """A view of the state as it will be."""
        return self.read(slot)

    def of(self, agent: str) -> AgentSlots:
        """Another agent, in the same step."""
        other = AgentSlots(agent, self.state, self.predicates)
        other.writes = self.writes
        return other

    # --- beliefs ----------------------------------------------------------------------------------

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
        """All of them, sorted as they are printed."""
        parts = [*sorted(self.predicates), OTHER_BELIEFS]
        return _sorted(each for part in parts for each in self.read(mind_slot(self.name, part)))

    def add_belief(self, atom: Structure, *, perceived: bool) -> None:
        """Adds a belief; one that is there gets a further source."""
        slot = self._slot_of(predicate(atom))
        before: tuple[Belief, ...] = self.read(slot)
        perceived = perceived or any(each.perceived for each in before if each.atom == atom)
        self.write(
            slot,
            _sorted([*(each for each in before if each.atom != atom), Belief(atom, perceived)]),
        )

    def remove_belief(self, atom: Structure) -> None:
        """Removes a belief, whatever its sources."""
        slot = self._slot_of(predicate(atom))
        self.write(slot, tuple(each for each in self.read(slot) if each.atom != atom))

    # --- goals ------------------------------------------------------------------------------------

    def add_goal(self, goal: Goal) -> None:
        self.goals = tuple(sorted({*self.goals, goal}, key=str))

    def remove_goal(self, goal: Goal) -> None:
        self.goals = tuple(each for each in self.goals if each != goal)

    def adopt_all_postings(self) -> None:
        """Adopt every goal that an intention pursues, also where another pursuit of it has
        ended."""
        intentions = (*self.others, *(() if self.current is None else (self.current,)))
        for goal in {
            row.event.goal for each in intentions for row in each.rows if row.event.is_goal_addition
        } - {*self.goals}:
            self.add_goal(goal)


def _sorted(beliefs: Iterable[Belief]) -> tuple[Belief, ...]:
    return tuple(sorted(beliefs, key=lambda each: show(each.atom)))
