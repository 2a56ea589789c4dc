"""Data structures of an agent (Bordini et al., Sect. 4.1). Each is a slot of the system's state,
named ``<agent>.<structure>``."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from typing import Literal, NamedTuple

from volition.kernel.system import SlotView
from volition.languages.agentspeak.settings import Bounds
from volition.languages.agentspeak.syntax import GOAL_PREFIXES, Force, Sign, TriggerKind
from volition.languages.common import state_buffer
from volition.languages.common.slots import Slot, SlotKind
from volition.languages.world.terms import TOO_LARGE, Structure, Term, is_too_large, predicate
from volition.origin import Origin

__all__ = [
    "ACTIONS",
    "IDLE_STEPS",
    "AgentState",
    "Belief",
    "BoundExceeded",
    "Event",
    "IntendedMeans",
    "Message",
    "Request",
    "is_idle",
    "mind_slot",
]  # fmt: skip

ACTIONS = Slot("actions", "queue")
"""Slot of channel ``a``: the queue of actions that agents have requested from the environment,
first in, first out."""

STRUCTURES: Mapping[str, SlotKind] = {
    "part": "cycle",
    "beliefs": "belief",
    "mail": "queue",
    "events": "event",
    "ready": "queue",
    "means": "intention",
}
"""Names of the data structures of an agent, such as its beliefs and events, with the kind of slot
that stores each."""


@cache
def mind_slot(agent: str, structure: str) -> Slot:
    """Return the slot that stores a data structure of an agent."""
    return Slot(f"{agent}.{structure}", STRUCTURES[structure], agent=agent, item=structure)


class Belief(NamedTuple):
    """Belief with its source. Belief revision removes only beliefs that came from percepts."""

    atom: Structure
    source: Literal["initial", "percept", "other"]


class Message(NamedTuple):
    """Message in the mailbox of an agent (channel ``m`` of Bordini et al.)."""

    sender: str
    performative: Force
    content: Structure

    def __str__(self) -> str:
        return f"{self.performative} {self.content} from {self.sender}"


class Event(NamedTuple):
    """Triggering event with the index of the plan instance that waits for it. The index is None for
    an external event, which belongs to the true intention T of Bordini et al."""

    sign: Sign
    kind: TriggerKind
    atom: Structure
    intention: int | None = None

    def __str__(self) -> str:
        return f"{self.sign}{GOAL_PREFIXES[self.kind]}{self.atom}"


class IntendedMeans(NamedTuple):
    """Plan instance, an element of the array ``i_data`` of Bordini et al. ``counter`` is the
    position of the next formula in the plan's body, and ``bindings`` are the values of the plan's
    variables.

    ``parent`` is the index of the plan instance that waits for this one, or None.
    """

    plan: int
    counter: int
    parent: int | None
    bindings: tuple[tuple[str, Term], ...]


class Request(NamedTuple):
    """Action that an agent has requested from the environment, an element of channel ``a`` of
    Bordini et al."""

    agent: str
    action: Structure

    def __str__(self) -> str:
        return f"{self.action} by {self.agent}"


class BoundExceeded(state_buffer.BoundExceeded):
    """Error for a reachable state that exceeds a bound of the project. In Bordini et al., Sect.
    4.1, an assertion fails and interrupts the verification."""

    def is_visible_step(self, label: Hashable) -> bool:
        return not is_idle(label)


NO_MAIL, NOTHING_NEW, NO_EVENT, NO_INTENTION = (
    "has no mail",
    "sees nothing new",
    "has no event",
    "has no intention to run",
)
IDLE_STEPS = (NO_MAIL, NOTHING_NEW, NO_EVENT, NO_INTENTION)
"""Texts of the steps of the interpretation cycle that have no effect except to move on to the next
stage."""


def is_idle(label: Hashable) -> bool:
    """Return whether a step, given by its label, has no effect except to move on to the next stage
    of the interpretation cycle."""
    return isinstance(label, Origin) and label.text in IDLE_STEPS


class AgentState(state_buffer.StateBuffer):
    """State of one agent while a step is computed. Reads return values written in this step, or
    else those of the state before it.

    - ``part`` is the next stage of the interpretation cycle.
    - ``means`` are the plan instances, the array ``i_data`` of Bordini et al. A free position is
      None;
      free positions at the end are cut off.
    - ``ready`` are the indices of the runnable plan instances (channel ``i``).
    """

    part = state_buffer.SlotAttribute[int]()
    beliefs = state_buffer.SlotAttribute[tuple[Belief, ...]]()
    mail = state_buffer.SlotAttribute[tuple[Message, ...]]()
    events = state_buffer.SlotAttribute[tuple[Event, ...]]()
    ready = state_buffer.SlotAttribute[tuple[int, ...]]()
    means = state_buffer.SlotAttribute[tuple[IntendedMeans | None, ...]]()

    def __init__(
        self,
        agent: str,
        state: SlotView,
        bounds: Bounds,
        writes: Mapping[str, Hashable] | None = None,
    ) -> None:
        super().__init__(state, writes)
        self.agent = agent
        self._bounds = bounds

    def copy(self) -> AgentState:
        return AgentState(self.agent, self.state, self._bounds, self.writes)

    def slot_of(self, part: str) -> Slot:
        return mind_slot(self.agent, part)

    # --- changes of beliefs and events ------------------------------------------------------------

    def believes(self, atom: Structure) -> bool:
        return any(each.atom == atom for each in self.beliefs)

    def add_belief(self, atom: Structure, source: Literal["percept", "other"]) -> bool:
        """Add a belief. If it is new, post the event ``<+at, T>``. Return whether it was new.

        If a belief that came from a percept is also received in a message or added by a plan, its
        source changes, without an event. It then stays when it is no longer perceived.
        """
        self._finite(atom)
        if self.believes(atom):
            if source == "other" and Belief(atom, "percept") in self.beliefs:
                self.beliefs = tuple(
                    Belief(atom, source) if each.atom == atom else each for each in self.beliefs
                )
            return False
        self.beliefs = (*self.beliefs, Belief(atom, source))
        self._within("M_Bel", len(self.beliefs), "beliefs")
        self._within(
            "M_Inst",
            sum(predicate(each.atom) == predicate(atom) for each in self.beliefs),
            f"beliefs {predicate(atom)}",
        )
        self.post(Event("+", "belief", atom))
        return True

    def remove_belief(self, atom: Structure) -> bool:
        """Remove a belief and post the event ``<-at, T>``. Return whether it was believed."""
        if not self.believes(atom):
            return False
        self.beliefs = tuple(each for each in self.beliefs if each.atom != atom)
        self.post(Event("-", "belief", atom))
        return True

    def post(self, event: Event) -> None:
        self._finite(event.atom)
        self.events = (*self.events, event)
        self._within("M_Ev", len(self.events), "pending events")

    # --- changes of intended means ----------------------------------------------------------------

    def find_free_space(self, means: IntendedMeans) -> int:
        """Store a plan instance in the first free position of the array ``i_data`` and return its
        index (``FindFreeSpace`` of Bordini et al.)."""
        index = self.means.index(None) if None in self.means else len(self.means)
        self.set_means(index, means)
        self._within("M_Int", sum(each is not None for each in self.means), "intended means")
        return index

    def set_means(self, index: int, means: IntendedMeans | None) -> None:
        entries = [*self.means, None][: max(len(self.means), index + 1)]
        entries[index] = means
        while entries and entries[-1] is None:
            entries.pop()
        self.means = tuple(entries)

    # --- requested actions, messages and bounds ---------------------------------------------------

    def request(self, action: Structure) -> None:
        """Append a basic action to channel ``a``, the queue of actions requested from the
        environment."""
        self._finite(action)
        waiting = (*self.read(ACTIONS), Request(self.agent, action))
        self.write(ACTIONS, waiting)
        self._within(
            "M_Act",
            len(waiting),
            "actions that wait for the environment",
            "the agents' action queue",
        )

    def send(self, receiver: str, force: Force, content: Structure) -> None:
        """Insert a message into the mailbox of another agent immediately (Bordini et al., Sect.
        3)."""
        self._finite(content)
        slot = mind_slot(receiver, "mail")
        self.write(slot, (*self.read(slot), Message(self.agent, force, content)))
        self._within("M_Msg", len(self.read(slot)), "messages", f"the mailbox of {receiver}")

    def _within(self, bound: str, needed: int, what: str, owner: str | None = None) -> None:
        limit = self._bounds.limit(bound)
        if needed > limit:
            message = (
                f"{owner or self.agent} exceeds the bound {bound} = {limit}: {needed} {what} "
                "in a reachable state"
            )
            hint = f"set {bound} higher in the project, if the system really needs more"
            if bound not in self._bounds.explicit:
                hint = (
                    f"the project sets no {bound}, and {needed} {what} look like unbounded "
                    f"growth; {hint}"
                )
            raise BoundExceeded("ASP050", message, hint)

    def _finite(self, atom: Structure) -> None:
        if is_too_large(atom):
            message = f"a term of {self.agent} {TOO_LARGE}, in an atom {predicate(atom)}"
            raise BoundExceeded(
                "ASP051",
                message,
                "a list or structure that keeps growing leads to infinitely many states",
            )
