"""Runtime state of an agent (Jason's circumstance). Each structure is a slot of the kernel's state,
named ``<agent>.<structure>``.

- ``part``: the next stage of the reasoning cycle, or ``asleep``
- ``seen``: the percepts that were last read, sorted by their text; None if there are percepts that
  the agent has not read yet
- ``beliefs``: BB, the belief base, see :mod:`volition.languages.jason.beliefs`
- ``mail``: MB, the mailbox: messages in the order of arrival
- ``events``: E and AE, the pending events, a FIFO queue; AE is the event of an atomic intention
- ``running``: I and AI, the running intentions; AI is the atomic intention
- ``actions``: actions that were requested or executed and have no processed result yet, sorted by
  their text
- ``acting``: PA, the intention of each of the ``actions``, in the same order
- ``orphans``: actions under way whose intention was dropped, sorted by their text
- ``results``: FA, results in the order of arrival, each with its index in ``actions``
- ``waiting``: PI, waiting intentions, and tasks for a later time, sorted by their text
- ``due``: tasks that the rule ``begin`` of the next cycle runs, in this order
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
"""Slot with the registrations and subscriptions at the directory facilitator: a sorted sequence of
triples of ``provides`` or ``wants``, the agent, and the service."""
STOPPED = Slot("stopped", "cycle")
"""Slot for the end of the run: empty at first, ``asked for`` after ``.stopMAS``, ``over`` after the
run has ended."""

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
    """Return the names of the structures of an agent's state, such as ``beliefs``."""
    return _KINDS


@cache
def mind_slot(agent: str, structure: str) -> Slot:
    """Return the slot that stores a structure, such as ``beliefs``, of an agent."""
    return Slot(f"{agent}.{structure}", _KINDS[structure], agent=agent, item=structure)


# --- values of the structures ---------------------------------------------------------------------


class Branch(NamedTuple):
    """Membership of an intention in a fork (``|&|`` or ``|||``): the last fork of which the
    intention is a branch.

    - ``number`` identifies the fork. Intentions with the same number are branches of one fork and
      can be dropped together. The number is 0 after the fork has ended.
    - ``join`` is the kind of the fork.
    - ``depth`` is the height of the intention's stack when the fork started.
    - ``spent`` means that all branches have ended. From then on, ending a goal below the fork ends
      the whole intention.

    This record stays after the fork has ended, until the next fork replaces it, because a ``|||``
    still prevents the handling of failures of the goals below it.
    """

    number: int
    join: OneOf["|&|", "|||"]
    depth: int
    spent: bool = False


class IntendedMeans(NamedTuple):
    """Intended means: a plan selected for an event, the remaining plan body, and the bindings of
    its live variables.

    ``literal`` is the literal of the event at the time when the plan was selected.
    ``return_bindings`` are the values that the variables of the calling step get when the means
    ends: terms over the variables of this means. ``depth_after_return`` is the height of the stack
    after the means has ended. For a plan for ``-!g`` this is less than the number of means below
    it, because the failed means are removed too.
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
        """Return a short text for traces. In contrast, ``str`` shows all fields."""
        return f"{self.operator}{GOAL_PREFIXES[self.kind]}{self.literal}"


class Intention(NamedTuple):
    """Intention: a stack of intended means, the top first. ``suspended`` means that ``.suspend``
    was called for it. ``branch`` is its last fork."""

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
"""Annotations of a failure event that traces leave out: the failed step, its position, and the
error message."""


class Event(NamedTuple):
    """Event: operator, kind and literal, with the intention that waits for it. An event without an
    intention is external.

    ``returns`` and ``below`` are data for the plan that will handle the event. They become
    ``return_bindings`` and ``depth_after_return`` of the new :class:`IntendedMeans`.
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
        """Return a short text for traces. In contrast, ``str`` shows all fields.

        The text of a failure event shows only its error; the previous transition of the trace shows
        what failed and where.
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

    ``ask`` is the identifying number of the message if its sender waits for an answer. ``reply`` is
    the number of the message that this one answers, if the receiver waits for the answer. Both are
    0 otherwise.
    """

    sender: str
    performative: str
    content: Term
    ask: int = 0
    reply: int = 0

    def __format__(self, _: str) -> str:
        """Return a short text for traces. In contrast, ``str`` shows all fields."""
        return f"{self.performative} {self.content} from {self.sender}"


class PendingAction(NamedTuple):
    """Action of the environment whose result the agent has not processed. ``stage`` says whether
    the action was requested, has been executed successfully (``done``), or has failed.

    ``completes_intention`` means that the success of the action ends its intention, and that no
    property or plan can observe when it ends. Such a success is never reported to the agent.
    """

    action: Literal
    stage: OneOf["requested", "done", "failed"] = "requested"
    completes_intention: bool = False


class Result(NamedTuple):
    """Result of the action at index ``position`` of the agent's pending ``actions``. With ``results
    = after perception`` it becomes visible once the agent has perceived."""

    position: int
    success: bool
    is_visible: bool = True


class WaitingEntry(NamedTuple):
    """Entry of PI: a waiting intention, or a task for a later time.

    The current step of a waiting intention shows what it waits for. ``remaining`` are the
    milliseconds until the timer of the entry ends: 0 with ``time = free``, None without a timer. An
    intention that has asked other agents has the ``number`` of its question, the ``answers``
    received, and the number of ``missing`` answers; ``asks_many`` means that the answers become a
    list.

    Without an intention, the entry is an ``event`` to post later (kinds ``at`` and ``meta``), a
    goal with a deadline (``deadline``), or a question whose answers come too late (``expired``).
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
