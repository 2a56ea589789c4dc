"""State of one agent while one of its transitions is computed.

It buffers reads and writes of the agent's slots, checks the bounds on the agent's data, and records
which rules were applied.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import isfinite
from typing import NamedTuple

from volition.diagnostics import Span
from volition.kernel.system import SlotView
from volition.languages.common import state_buffer
from volition.languages.common.slots import Slot
from volition.languages.jason.beliefs import Beliefs
from volition.languages.jason.plans import PlanLibrary
from volition.languages.jason.settings import Settings
from volition.languages.jason.state import (
    Event,
    Intention,
    Message,
    PendingAction,
    Result,
    Stage,
    WaitingEntry,
    mind_slot,
    structure_names,
)
from volition.languages.jason.terms import Literal, Term
from volition.languages.jason.traversal import subterms
from volition.languages.world.interface import World
from volition.origin import Origin

__all__ = ["IDLE_TEXT", "AgentContext", "AgentState", "BoundExceeded", "StageResult"]

_MAX_SUBTERMS = 1000


class BoundExceeded(state_buffer.BoundExceeded):
    """Error: an agent exceeds a bound, such as ``M_Bel``, in a reachable state."""

    def is_visible_step(self, label: Hashable) -> bool:
        return not (isinstance(label, Origin) and label.text == IDLE_TEXT)


IDLE_TEXT = "has nothing to do in this part"


@dataclass(frozen=True)
class AgentContext:
    """Constant data of an agent: everything about it that does not change during a run."""

    name: str
    library: PlanLibrary
    settings: Settings
    world: World
    agents: tuple[str, ...]
    functions: Mapping[tuple[str, int], str] = field(default_factory=dict)
    intentions_are_observed: bool = True
    """Whether a checked formula, or a plan of the agent, queries the agent's intentions."""
    initial_counts: Mapping[str, int] = field(default_factory=dict)
    """Map from the name of a bound, such as ``M_Bel``, to the number that is added to the default
    limit of this bound. It is the size of the agent's initial data, such as the number of its
    initial beliefs and percepts, so that the default limit restricts only growth. A limit that the
    user sets stays unchanged."""

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        """Map from the name of each structure of the agent, such as ``beliefs``, to its slot in the
        state. The structures are listed in :mod:`volition.languages.jason.state`."""
        return {each: mind_slot(self.name, each) for each in structure_names()}


class StageResult(NamedTuple):
    """Result of one stage of an agent's reasoning cycle: the slots that the stage wrote, the rules
    that it applied, and the messages that it sent. Each field has the meaning of the attribute of
    :class:`AgentState` with the same name."""

    writes: Mapping[str, Hashable]
    rules: tuple[str, ...]
    texts: tuple[str, ...]
    plan: str | None
    span: Span | None
    had_mail: bool
    accesses_shared_state: bool
    sent: tuple[tuple[str, Message], ...]


class AgentState(state_buffer.StateBuffer):
    """State of one agent while one of its transitions is computed. Reading a slot returns the value
    that this transition has written to it, if any, otherwise the value in the state before the
    transition.

    - ``selected``: the intention whose step is being executed.
    - ``selected_event``: the event for which a plan is being selected.
    - ``had_mail``: whether there was a message to process.
    - ``accesses_shared_state``: whether the transition reads or writes data that other components
      write or read.
    - ``rules``: names of the applied rules, in order; ``texts`` describes what each of them did.
    - ``sent``: messages to deliver at the end of the transition, in order, each with its receiver.
    - ``choices``, ``choice_counts``: resolution of the nondeterministic choices, see
      :meth:`choose`.
    """

    part = state_buffer.SlotAttribute[Stage]()
    seen = state_buffer.SlotAttribute[tuple[Literal, ...] | None]()
    beliefs = state_buffer.SlotAttribute[Beliefs]()
    mail = state_buffer.SlotAttribute[tuple[Message, ...]]()
    events = state_buffer.SlotAttribute[tuple[Event, ...]]()
    running = state_buffer.SlotAttribute[tuple[Intention, ...]]()
    actions = state_buffer.SlotAttribute[tuple[PendingAction, ...]]()
    acting = state_buffer.SlotAttribute[tuple[Intention, ...]]()
    orphans = state_buffer.SlotAttribute[tuple[Literal, ...]]()
    results = state_buffer.SlotAttribute[tuple[Result, ...]]()
    waiting = state_buffer.SlotAttribute[tuple[WaitingEntry, ...]]()
    due = state_buffer.SlotAttribute[tuple[WaitingEntry, ...]]()
    shelved = state_buffer.SlotAttribute[tuple[Event, ...]]()

    def __init__(
        self, agent: AgentContext, state: SlotView, writes: Mapping[str, Hashable] | None = None
    ) -> None:
        super().__init__(state, writes)
        self.agent = agent
        self.rules: tuple[str, ...] = ()
        self.texts: tuple[str, ...] = ()
        self.selected: Intention | None = None
        self.selected_event: Event | None = None
        self.had_mail = False
        self.accesses_shared_state = False
        self.sent: tuple[tuple[str, Message], ...] = ()
        self.choices: list[int] = []
        self.choice_counts: list[int] = []
        self.plan: str | None = None
        self.span: Span | None = None

    def copy(self) -> AgentState:
        twin = AgentState(self.agent, self.state, self.writes)
        twin.rules, twin.texts, twin.plan, twin.span, twin.selected = (
            self.rules,
            self.texts,
            self.plan,
            self.span,
            self.selected,
        )
        twin.had_mail, twin.accesses_shared_state, twin.sent = (
            self.had_mail,
            self.accesses_shared_state,
            self.sent,
        )
        twin.choices, twin.choice_counts = self.choices, self.choice_counts
        return twin

    @property
    def result(self) -> StageResult:
        """Return what has been computed so far as the result of a stage of the reasoning cycle: the
        written slots, the applied rules and the sent messages."""
        return StageResult(
            self.writes,
            self.rules,
            self.texts,
            self.plan,
            self.span,
            self.had_mail,
            self.accesses_shared_state,
            self.sent,
        )

    def with_result(self, part: StageResult) -> AgentState:
        """Return the state of the agent after one more stage of the reasoning cycle. ``part`` is
        the result of that stage."""
        later = AgentState(self.agent, self.state, {**self.writes, **part.writes})
        later.rules, later.texts = (*self.rules, *part.rules), (*self.texts, *part.texts)
        later.plan, later.span = part.plan or self.plan, part.span or self.span
        later.had_mail, later.accesses_shared_state = (
            self.had_mail or part.had_mail,
            self.accesses_shared_state or part.accesses_shared_state,
        )
        later.sent = (*self.sent, *part.sent)
        return later

    def slot_of(self, part: str) -> Slot:
        return self.agent.slots[part]

    def record(
        self, rule: str, text: str, *, plan: str | None = None, span: Span | None = None
    ) -> None:
        """Record that a rule was applied, with a description of its effect. If the rule executed a
        plan, the label of the plan and a source position are recorded too. The trace shows the
        label and the position that were recorded last in a transition."""
        self.rules = (*self.rules, rule)
        self.texts = (*self.texts, text)
        self.plan = plan or self.plan
        self.span = span or self.span

    def choose(self, amount: int) -> int:
        """Resolve a nondeterministic choice: return the index of one of ``amount`` alternatives. If
        there are fewer than two, the index is 0 and the call does not count as a choice.

        The attribute ``choices`` lists the indices to return, one for each choice in order. Choices
        after the end of this list return 0. The ``amount`` of each choice is appended to
        ``choice_counts``, so that the caller can enumerate the other alternatives.
        """
        if amount < 2:
            return 0
        if len(self.choice_counts) == len(self.choices):
            self.choices.append(0)
        self.choice_counts.append(amount)
        return self.choices[len(self.choice_counts) - 1]

    # --- structures and their bounds --------------------------------------------------------------

    def run(self, intention: Intention) -> None:
        """Append an intention to I, the queue of running intentions."""
        self.running = (*self.running, intention)
        self._limit_means(self.running)

    def wait(self, waiting: WaitingEntry) -> None:
        """Add an entry to PI, the waiting intentions and timers."""
        self.waiting = (
            tuple(sorted((*self.waiting, waiting), key=str)) if self.waiting else (waiting,)
        )
        self._limit_means(each.intention for each in self.waiting if each.intention)
        self.check_bound("M_Int", len(self.waiting), "waiting intentions and timers")

    def stop_waiting(self, waiting: WaitingEntry) -> None:
        """Remove an entry from PI, the waiting intentions and timers."""
        index = self.waiting.index(waiting)
        self.waiting = self.waiting[:index] + self.waiting[index + 1 :]

    def request(self, action: Literal, intention: Intention, *, ends_all: bool = False) -> None:
        """Request an action of the environment. The intention that executes the action waits in PA
        (pending actions) for the result.

        ``ends_all`` means that the success of the action ends the intention, and that no property
        or plan can observe when it ends. The value is stored as ``completes_intention`` of the
        :class:`PendingAction`.
        """
        self.check_term_size(action)
        order = [
            (str(known.action), str(owner.stack))
            for known, owner in zip(self.actions, self.acting, strict=True)
        ]
        index = bisect_right(order, (str(action), str(intention.stack)))
        self.actions = (
            *self.actions[:index],
            PendingAction(action, completes_intention=ends_all),
            *self.actions[index:],
        )
        self.acting = (*self.acting[:index], intention, *self.acting[index:])
        self.results = tuple(
            each._replace(position=each.position + (each.position >= index))
            for each in self.results
        )
        self.check_bound("M_Act", len(self.actions), "actions without a result")

    def remove_action(self, index: int) -> tuple[PendingAction, Intention]:
        """Remove the action at ``index`` and its intention from PA (pending actions), and return
        both. A result that has arrived for this action is removed too."""
        action, intention = self.actions[index], self.acting[index]
        self.actions = self.actions[:index] + self.actions[index + 1 :]
        self.acting = self.acting[:index] + self.acting[index + 1 :]
        left = [each for each in self.results if each.position != index]
        self.results = tuple(
            each._replace(position=each.position - (each.position > index)) for each in left
        )
        return action, intention

    def _limit_means(self, intentions: Iterable[Intention]) -> None:
        self.check_bound("M_Int", sum(len(each.stack) for each in intentions), "intended means")

    def send(self, receiver: str, message: Message) -> None:
        """Send a message. It is added to the receiver's mailbox only at the end of the transition,
        so that the rest of the transition does not depend on the contents of the mailbox."""
        self.check_term_size(message.content)
        # A message to the agent itself counts too: other agents may write to the same mailbox.
        self.accesses_shared_state = True
        self.sent = (*self.sent, (receiver, message))

    def deliver(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Append messages to the mailboxes of their receivers."""
        for receiver, message in messages:
            slot = mind_slot(receiver, "mail")
            box = (*self.read(slot), message)
            self.write(slot, box)
            self.check_bound("M_Msg", len(box), "messages", f"the mailbox of {receiver}")

    def check_bound(self, bound: str, needed: int, what: str, owner: str | None = None) -> None:
        """Raise BoundExceeded if ``needed`` is greater than the limit of ``bound``, such as
        ``M_Bel``.

        The error message names what is counted (``what``) and the owner of the data, by default the
        agent.
        """
        bounds = self.agent.settings.bounds
        limit = bounds.limit(bound) + (
            0 if bound in bounds.explicit else self.agent.initial_counts.get(bound, 0)
        )
        if needed > limit:
            message = (
                f"{owner or self.agent.name} exceeds the bound {bound} = {limit}: {needed} "
                f"{what} in a reachable state"
            )
            hint = f"set {bound} higher in the options file, if the system really needs more"
            if bound not in bounds.explicit:
                hint = f"the project sets no {bound}, and this looks like unbounded growth; {hint}"
            raise BoundExceeded("JSN050", message, hint)

    def check_term_size(self, term: Term) -> None:
        """Raise BoundExceeded if a term has more than 1000 subterms, or contains a number above
        ``M_Num``. Such a term has probably grown without bound."""
        parts = list(islice(subterms(term), _MAX_SUBTERMS + 1))
        # Terms that are nested too deeply are not reported here, but by
        # volition.languages.jason.substitution.
        if len(parts) > _MAX_SUBTERMS:
            message = (
                f"a term of {self.agent.name} is too large: it has more than {_MAX_SUBTERMS} parts"
            )
            raise BoundExceeded(
                "JSN051",
                message,
                "a list or structure that keeps growing leads to infinitely many states",
            )
        largest = max((abs(part) for part in parts if isinstance(part, int | float)), default=0)
        if isfinite(largest):
            self.check_bound("M_Num", int(largest), "as the largest number")
