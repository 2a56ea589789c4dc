"""An agent in the middle of a step: what it reads and writes of its structures, within bounds, and
what it tells of it."""

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
from volition.languages.common import state_buffer as kit
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

_MAX_PARTS = 1000


class BoundExceeded(kit.BoundExceeded):
    """A run needs more room than there is."""

    def is_visible_step(self, label: Hashable) -> bool:
        return not (isinstance(label, Origin) and label.text == IDLE_TEXT)


IDLE_TEXT = "has nothing to do in this part"


@dataclass(frozen=True)
class AgentContext:
    """What does not change while an agent runs."""

    name: str
    library: PlanLibrary
    settings: Settings
    world: World
    agents: tuple[str, ...]
    functions: Mapping[tuple[str, int], str] = field(default_factory=dict)
    intentions_are_observed: bool = True
    """Whether somebody, a formula or the agent itself, asks which intentions there are."""
    initial_counts: Mapping[str, int] = field(default_factory=dict)
    """Bound ▶ how much of it there is or may be because of what the agent believes, wants and sees
    at first: this is no growth."""

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        """The slots of its structures."""
        return {each: mind_slot(self.name, each) for each in structure_names()}


class StageResult(NamedTuple):
    """What came of a part of the cycle: see :class:`Mind`."""

    writes: Mapping[str, Hashable]
    rules: tuple[str, ...]
    texts: tuple[str, ...]
    plan: str | None
    span: Span | None
    had_mail: bool
    touches_others: bool
    sent: tuple[tuple[str, Message], ...]


class AgentState(kit.StateBuffer):
    """One agent in the middle of a step: reads what it has written, or else the state; and tells
    what it does.

    ``selected`` is the intention whose step is executed, ``selected_event`` the event for which a
    plan is looked for, ``had_mail`` whether there was a message to process, and ``touches_others``
    whether the step reads or writes what others do.  ``rules`` are the stages that did something,
    ``told`` what they did in words, ``sent`` the messages that are to be put into boxes, in their
    order.
    """

    part = kit.SlotAttribute[Stage]()
    seen = kit.SlotAttribute[tuple[Literal, ...] | None]()
    beliefs = kit.SlotAttribute[Beliefs]()
    mail = kit.SlotAttribute[tuple[Message, ...]]()
    events = kit.SlotAttribute[tuple[Event, ...]]()
    running = kit.SlotAttribute[tuple[Intention, ...]]()
    actions = kit.SlotAttribute[tuple[PendingAction, ...]]()
    acting = kit.SlotAttribute[tuple[Intention, ...]]()
    orphans = kit.SlotAttribute[tuple[Literal, ...]]()
    results = kit.SlotAttribute[tuple[Result, ...]]()
    waiting = kit.SlotAttribute[tuple[WaitingEntry, ...]]()
    due = kit.SlotAttribute[tuple[WaitingEntry, ...]]()
    shelved = kit.SlotAttribute[tuple[Event, ...]]()

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
        """What came of a part, for which it was made."""
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
        """The agent when one more part of the cycle is over."""
        later = AgentState(self.agent, self.state, {**self.writes, **part.writes})
        later.rules, later.texts = (*self.rules, *part.rules), (*self.texts, *part.texts)
        later.plan, later.span = part.plan or self.plan, part.span or self.span
        later.had_mail, later.accesses_shared_state = (
            self.had_mail or part.had_mail,
            self.accesses_shared_state or part.touches_others,
        )
        later.sent = (*self.sent, *part.sent)
        return later

    def slot_of(self, part: str) -> Slot:
        return self.agent.slots[part]

    def record(
        self, stage: str, text: str, *, plan: str | None = None, span: Span | None = None
    ) -> None:
        """What a stage did, and by which plan and line if by one; the last one that is named counts
        for the step."""
        self.rules = (*self.rules, stage)
        self.texts = (*self.texts, text)
        self.plan = plan or self.plan
        self.span = span or self.span

    def choose(self, amount: int) -> int:
        """Which of so many comes first: as ``draws`` say, and the first beyond them; ``sizes``
        remember among how many it was."""
        if amount < 2:
            return 0
        if len(self.choice_counts) == len(self.choices):
            self.choices.append(0)
        self.choice_counts.append(amount)
        return self.choices[len(self.choice_counts) - 1]

    # --- containers, within bounds ----------------------------------------------------------------

    def run(self, intention: Intention) -> None:
        """Puts an intention at the end of I."""
        self.running = (*self.running, intention)
        self._limit_means(self.running)

    def wait(self, waiting: WaitingEntry) -> None:
        """Puts something into PI."""
        self.waiting = (
            tuple(sorted((*self.waiting, waiting), key=str)) if self.waiting else (waiting,)
        )
        self._limit_means(each.intention for each in self.waiting if each.intention)
        self.check_bound("M_Int", len(self.waiting), "things that it waits for")

    def stop_waiting(self, waiting: WaitingEntry) -> None:
        """Takes one such thing out of PI."""
        index = self.waiting.index(waiting)
        self.waiting = self.waiting[:index] + self.waiting[index + 1 :]

    def request(self, action: Literal, intention: Intention, *, ends_all: bool = False) -> None:
        """Hands an action over to the environment; its intention waits in PA."""
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
        """Takes an action and its intention out of PA, with its result if there is one."""
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
        """Puts a message into the box of an agent: when the step is over, as it does not matter to
        it what is in the box."""
        self.check_term_size(message.content)
        self.accesses_shared_state = (
            True  # even where it writes to itself: others may write to it as well
        )
        self.sent = (*self.sent, (receiver, message))

    def deliver(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Messages come to be where they were sent to."""
        for receiver, message in messages:
            slot = mind_slot(receiver, "mail")
            box = (*self.read(slot), message)
            self.write(slot, box)
            self.check_bound("M_Msg", len(box), "messages", f"the mailbox of {receiver}")

    def check_bound(self, bound: str, needed: int, what: str, owner: str | None = None) -> None:
        """Ends the run where it needs more room than there is."""
        bounds = self.agent.settings.bounds
        limit = bounds.limit(bound) + (
            0 if bound in bounds.explicit else self.agent.initial_counts.get(bound, 0)
        )
        if needed > limit:
            message = (
                f"{owner or self.agent.name} exceeds the bound {bound} = {limit}: {needed} "
                f"{what} in a reachable state"
            )
            hint = f"set {bound} higher in the project, if the system really needs more"
            if bound not in bounds.explicit:
                hint = (
                    f"the project sets no {bound}, and {needed} {what} look like unbounded "
                    f"growth; {hint}"
                )
            raise BoundExceeded("JSN050", message, hint)

    def check_term_size(self, term: Term) -> None:
        """Ends the run where a term has probably grown without end."""
        parts = list(islice(subterms(term), _MAX_PARTS + 1))
        if (
            len(parts) > _MAX_PARTS
        ):  # one that is nested very deeply is found where it is instantiated
            message = f"a term of {self.agent.name} has more than {_MAX_PARTS} parts"
            raise BoundExceeded(
                "JSN051",
                message,
                "a list or structure that gets longer each time makes infinitely many states",
            )
        largest = max((abs(part) for part in parts if isinstance(part, int | float)), default=0)
        if isfinite(largest):
            self.check_bound("M_Num", int(largest), "as the largest number")
