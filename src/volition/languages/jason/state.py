"""Runtime state of an agent (Jason's circumstance). Each structure is a slot of the kernel's state,
named ``<agent>.<structure>``.

- ``part``: the next stage of the reasoning cycle, or ``asleep``
- ``seen``: the percepts that were last read, sorted by their text; None if there are percepts that
  the agent has not read yet
- ``beliefs``: BB, see :mod:`volition.languages.jason.beliefs`
- ``mail``: MB, messages in the order of arrival
- ``events``: E and AE, a FIFO queue; AE is the event of an atomic intention
- ``running``: I and AI; AI is the atomic intention
- ``actions``: actions that were requested or executed and have no processed result yet, sorted by
  their text
- ``acting``: PA, the intention of each of the ``actions``, in the same order
- ``orphans``: actions under way whose intention was dropped, sorted by their text
- ``results``: FA, results in the order of arrival, each with its index in ``actions``
- ``waiting``: PI, and tasks for a certain time, sorted by their text
- ``due``: tasks for the next ``begin``, in this order
- ``shelved``: PE, events that ``.suspend`` removed from E

Values contain no identities and no names that depend on the history of the run: the free variables
of a goal are called ``?0``, ``?1``, .. in the order of their occurrence.
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
"""Registrations and subscriptions of the directory facilitator: rows (``provides`` or ``wants``,
agent, service), sorted."""
STOPPED = Slot("stopped", "cycle")
"""``asked for`` after ``.stopMAS``, ``over`` after the end of the run, empty before."""

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
    """Return the names of an agent's structures."""
    return _KINDS


@cache
def mind_slot(agent: str, structure: str) -> Slot:
    """Return the slot of a structure of an agent."""
    return Slot(f"{agent}.{structure}", _KINDS[structure], agent=agent, item=structure)


# --- values of the structures ---------------------------------------------------------------------


class Branch(NamedTuple):
    """Mark of the last fork of an intention, with the height of its stack at that time.

    Intentions with the same ``number`` are branches of one fork and can be dropped together; the
    number is 0 after the fork has ended. The mark stays until the next fork replaces it, because
    failures below a ``|||`` are not handled afterwards. ``spent`` means that all branches have
    ended: then ending a goal below the fork ends the whole intention.
    """

    number: int
    join: OneOf["|&|", "|||"]
    depth: int
    spent: bool = False


class IntendedMeans(NamedTuple):
    """Intended means: a plan for an event, the remaining plan body, and the bindings of its live
    variables.

    ``literal`` is the trigger at the time when the plan was selected. ``return_bindings`` are the
    values that the variables of the calling step get when the means ends: terms over the means' own
    variables. ``depth_after_return`` is the height of the stack after the means has ended. For
    ``-!g`` this is less than the number of means below it, because the failed means are removed
    too.
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
        """Return a text for traces. ``str`` shows all fields."""
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{self.literal}"


class Intention(NamedTuple):
    """Stack of intended means, the top first. ``suspended`` means that ``.suspend`` was called for
    it, no matter which structure contains it."""

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


_POSITION_ANNOTATIONS = ("code", "code_src", "code_line", "error_msg")
"""Annotations of a failure that give its position."""


class Event(NamedTuple):
    """Trigger with the intention that waits for it. An event without an intention is external.

    ``returns`` and ``below`` become ``return_bindings`` and ``depth_after_return`` of the means
    that a plan for the event becomes.
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
        """Return a text for traces. ``str`` shows all fields.

        The text of a failure shows its error only; the previous step of the trace shows what failed
        and where.
        """
        literal, annotations = self.literal, self.literal.annotations
        if self.operator == "-" and self.is_goal and isinstance(annotations, tuple):
            kept = tuple(
                each
                for each in annotations
                if not (isinstance(each, Literal) and each.functor in _POSITION_ANNOTATIONS)
            )
            literal = replace(literal, annotations=kept)
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{literal}"


class Message(NamedTuple):
    """Message in a mailbox.

    ``ask`` is the number of the message if its sender waits for an answer. ``reply`` is the number
    of the ask that the message answers, if the receiver waits for the answer. Both are 0 otherwise.
    """

    sender: str
    performative: str
    content: Term
    ask: int = 0
    reply: int = 0

    def __format__(self, _: str) -> str:
        """Return a text for traces. ``str`` shows all fields."""
        return f"{self.performative} {self.content} from {self.sender}"


class PendingAction(NamedTuple):
    """Action that was requested, or executed by the environment but without an available result.

    ``completes_intention`` means that success ends the intention at an unobservable moment. Such a
    success is never reported to the agent.
    """

    action: Literal
    stage: OneOf["requested", "done", "failed"] = "requested"
    completes_intention: bool = False


class Result(NamedTuple):
    """Result of the action at ``position`` of ``actions``. With ``results = after perception`` it
    becomes visible once the agent has perceived."""

    position: int
    success: bool
    is_visible: bool = True


class WaitingEntry(NamedTuple):
    """Entry of PI: an intention and what is known about the end of its waiting. Its current step
    shows what it waits for.

    ``remaining`` are the milliseconds until its timer ends: 0 with ``time = free``, None without a
    timer. An intention that asked other agents has a ``number``, the ``answers`` so far, and the
    number of ``missing`` answers; ``asks_many`` means that the answers become a list.

    Without an intention, the entry is an ``event`` to post later (``at``, ``meta``), a goal with a
    deadline (``deadline``), or an ask whose answers come too late (``expired``).
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
