"""What an agent consists of while it runs (Jason's circumstance): each structure is a slot of the
kernel's state, ``<agent>.<structure>``.

==========
===================================================================================================================
structure  what it holds ==========
===================================================================================================================
part       the part of the reasoning cycle that comes next, or that the agent sleeps seen       the
percepts that were last read, sorted by their text; None if there were some before the agent could
read any beliefs    BB, see :mod:`volition.languages.jason.beliefs` mail       MB: messages in the
order in which they arrived events     E and AE, first come first served; AE is the event of an
atomic intention running    I and AI; AI is the intention that is atomic actions    what the
environment has to do or has done, without a result yet: sorted by text acting     PA: the intention
behind each of the ``actions``, in the same order orphans    actions under way whose intention was
dropped, sorted by their text results    FA: results in the order in which they came, each with its
place in ``actions`` waiting    PI, and what is to happen at a certain time, sorted by their text
due        what is to be done at the next ``begin``, in this order shelved    PE: events that
``.suspend`` has put away ==========
===================================================================================================================

No value holds an identity or a name that depends on the past: a goal's free variables are called
``?0``, ``?1``, .. by their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Literal as OneOf
from typing import NamedTuple

from volition.languages.common.slots import Slot, SlotKind
from volition.languages.jason.continuations import Continuation, Values
from volition.languages.jason.syntax import GOAL_PREFIXES, TriggerKind
from volition.languages.jason.terms import Literal, Term

__all__ = [
    "ACT",
    "ASLEEP",
    "DELIBERATE",
    "DIRECTORY_FACILITATOR",
    "PERCEIVE",
    "STOPPED",
    "Branch",
    "Event",
    "IntendedMeans",
    "Intention",
    "Message",
    "Operator",
    "PendingAction",
    "Result",
    "Stage",
    "WaitingEntry",
    "mind_slot",
    "structure_names",
]  # fmt: skip

Stage = OneOf["Perceive", "Deliberate", "Act", "asleep"]
PERCEIVE: Stage = "Perceive"
DELIBERATE: Stage = "Deliberate"
ACT: Stage = "Act"
ASLEEP: Stage = "asleep"
Operator = OneOf["+", "-", "^"]

DIRECTORY_FACILITATOR = Slot("yellow pages", "memory")
"""Who has registered and who has subscribed: rows (``provides`` or ``wants``, agent, service),
sorted."""
STOPPED = Slot("stopped", "cycle")
"""Whether the end of the run is ``asked for`` by ``.stopMAS``, or the run is ``over``; empty before
that."""

_KINDS: Mapping[str, SlotKind] = {
    "part": "cycle",
    "seen": "memory",
    "beliefs": "belief",
    "mail": "queue",
    "events": "event",
    "running": "intention",
    "actions": "queue",
    "acting": "intention",
    "orphans": "queue",
    "results": "queue",
    "waiting": "intention",
    "due": "queue",
    "shelved": "event",
}


def structure_names() -> Iterable[str]:
    """The names of an agent's structures."""
    return _KINDS


@cache
def mind_slot(agent: str, structure: str) -> Slot:
    """The slot of a structure of an agent."""
    return Slot(f"{agent}.{structure}", _KINDS[structure], agent=agent, item=structure)


# --- what stands in the structures ----------------------------------------------------------------


class Branch(NamedTuple):
    """The last fork that an intention has come to, and how high its stack was then.

    Intentions with the same ``number`` are branches of one fork, and can be dropped together; it is
    0 once the fork is over.  The mark stays until the next fork replaces it, as failures below a
    ``|||`` are not handled afterwards.  It is ``spent`` where no branch is missing: to end a goal
    below the fork ends the whole intention then.
    """

    number: int
    join: OneOf["|&|", "|||"]
    depth: int
    spent: bool = False


class IntendedMeans(NamedTuple):
    """An intended means: a plan for an occasion, what is left of its body, and the values of the
    variables that are still needed.

    ``literal`` is the trigger as it was when the plan was taken.  ``returns`` says what the
    variables of the step below get when the means ends: terms over the means' own variables.
    ``below`` counts the means that stay when it ends, which for ``-!g`` are fewer than those under
    it.
    """

    plan: str
    operator: Operator
    kind: TriggerKind
    literal: Literal
    body: Continuation
    bindings: Values = ()
    return_bindings: Values = ()
    depth_after_return: int = 0
    atomic: bool = False

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds."""
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{self.literal}"


class Intention(NamedTuple):
    """A stack of intended means, the top first.  ``suspended`` says that ``.suspend`` was called
    for it, wherever it is."""

    stack: tuple[IntendedMeans, ...]
    suspended: bool = False
    branch: Branch | None = None

    @property
    def top(self) -> IntendedMeans:
        return self.stack[0]

    @property
    def is_atomic(self) -> bool:
        return any(each.atomic for each in self.stack)

    def with_top(self, top: IntendedMeans) -> Intention:
        return self._replace(stack=(top, *self.stack[1:]))


_OF_THE_PLACE = ("code", "code_src", "code_line", "error_msg")
"""Annotations of a failure that say where it happened."""


class Event(NamedTuple):
    """A trigger, and the intention that waits for it; an event without one is external.

    ``returns`` and ``below`` are those of the means that a plan for the event becomes.
    """

    operator: Operator
    kind: TriggerKind
    literal: Literal
    intention: Intention | None = None
    returns: Values = ()
    below: int = 0

    @property
    def is_goal(self) -> bool:
        return self.kind != "belief"

    @property
    def is_atomic(self) -> bool:
        return self.intention is not None and self.intention.is_atomic

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds.  The step before tells what failed and where,
        so that the error is enough here."""
        literal, annotations = self.literal, self.literal.annotations
        if self.operator == "-" and self.is_goal and isinstance(annotations, tuple):
            kept = tuple(
                each
                for each in annotations
                if not (isinstance(each, Literal) and each.functor in _OF_THE_PLACE)
            )
            literal = replace(literal, annotations=kept)
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{literal}"


class Message(NamedTuple):
    """``reply`` is the number of the ask that it answers and that is waited for, ``ask`` its own
    number if an answer is waited for."""

    sender: str
    performative: str
    content: Term
    ask: int = 0
    reply: int = 0

    def __format__(self, _: str) -> str:
        """In words: as data it is all that it holds."""
        return f"{self.performative} {self.content} from {self.sender}"


class PendingAction(NamedTuple):
    """An action: ``requested``, or executed by the environment with a result that is not there yet.

    Where success ends the intention, and nobody can tell when, it ``ends_all``, and its success is
    never told.
    """

    action: Literal
    stage: OneOf["requested", "done", "failed"] = "requested"
    completes_intention: bool = False


class Result(NamedTuple):
    """The result of the action at a place of ``actions``; with ``results = after perception`` it
    counts once the agent has perceived."""

    position: int
    success: bool
    is_visible: bool = True


class WaitingEntry(NamedTuple):
    """An intention in PI, with what is known of its end: its current step says what it waits for.

    ``remaining`` are the milliseconds until its timer ends; with ``time = free`` they are 0, and
    None stands for no timer.  An intention that asked others has a ``number``, the ``answers`` so
    far, how many are ``missing``, and whether it ``asks_many``.  Without an intention it is an
    ``event`` that will be posted (``at``, ``meta``), a goal that must be reached by then
    (``deadline``), or an ask whose answers come too late (``expired``).
    """

    kind: OneOf["wait", "ask", "suspended", "suspended itself", "at", "deadline", "expired", "meta"]
    intention: Intention | None = None
    remaining: int | None = None
    event: Event | None = None
    number: int = 0
    missing: int = 0
    asks_many: bool = False
    answers: tuple[Term, ...] = ()
    wakeup: OneOf["", "time", "event"] = ""
