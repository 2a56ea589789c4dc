"""An agent in the middle of a step: what it reads and writes of its structures, within bounds, and what it tells of it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from math import isfinite
from typing import NamedTuple

from volition.diagnostics import Span
from volition.kernel.system import View
from volition.languages.jason.beliefs import Beliefs
from volition.languages.jason.plans import Library
from volition.languages.jason.settings import Settings
from volition.languages.jason.state import Event, Intention, Message, Outstanding, Result, Stage, Waiting, mind_slot, structures
from volition.languages.jason.terms import Literal, Term
from volition.languages.jason.walk import parts_of
from volition.languages.kit import steps as kit
from volition.languages.kit.slots import Slot
from volition.languages.world.interface import World
from volition.origin import Origin

__all__ = ["NOTHING", "Agent", "BoundExceeded", "Done", "Mind"]

_MOST_PARTS = 1000


class BoundExceeded(kit.BoundExceeded):
    """A run needs more room than there is."""

    def does_something(self, label: Hashable) -> bool:
        return not (isinstance(label, Origin) and label.text == NOTHING)


NOTHING = "has nothing to do in this part"


@dataclass(frozen=True)
class Agent:
    """What does not change while an agent runs."""

    name: str
    library: Library
    settings: Settings
    world: World
    agents: tuple[str, ...]
    functions: Mapping[tuple[str, int], str] = field(default_factory=dict)
    looks_inside: bool = True
    """Whether somebody, a formula or the agent itself, asks which intentions there are."""
    begins_with: Mapping[str, int] = field(default_factory=dict)
    """Bound ▶ how much of it there is or may be because of what the agent believes, wants and sees at first: this is no growth."""

    @cached_property
    def slots(self) -> Mapping[str, Slot]:
        """The slots of its structures."""
        return {each: mind_slot(self.name, each) for each in structures()}


class Done(NamedTuple):
    """What came of a part of the cycle: see :class:`Mind`."""

    writes: Mapping[str, Hashable]
    rules: tuple[str, ...]
    told: tuple[str, ...]
    plan: str | None
    span: Span | None
    had_mail: bool
    touches_others: bool
    sent: tuple[tuple[str, Message], ...]


class Mind(kit.InStep):
    """One agent in the middle of a step: reads what it has written, or else the state; and tells what it does.

    ``selected`` is the intention whose step is executed, ``selected_event`` the event for which a plan is looked for, ``had_mail`` whether
    there was a message to process, and ``touches_others`` whether the step reads or writes what others do.  ``rules`` are the stages that
    did something, ``told`` what they did in words, ``sent`` the messages that are to be put into boxes, in their order.
    """

    part = kit.Part[Stage]()
    seen = kit.Part[tuple[Literal, ...] | None]()
    beliefs = kit.Part[Beliefs]()
    mail = kit.Part[tuple[Message, ...]]()
    events = kit.Part[tuple[Event, ...]]()
    running = kit.Part[tuple[Intention, ...]]()
    actions = kit.Part[tuple[Outstanding, ...]]()
    acting = kit.Part[tuple[Intention, ...]]()
    orphans = kit.Part[tuple[Literal, ...]]()
    results = kit.Part[tuple[Result, ...]]()
    waiting = kit.Part[tuple[Waiting, ...]]()
    due = kit.Part[tuple[Waiting, ...]]()
    shelved = kit.Part[tuple[Event, ...]]()

    def __init__(self, agent: Agent, state: View, writes: Mapping[str, Hashable] | None = None) -> None:
        super().__init__(state, writes)
        self.agent = agent
        self.rules: tuple[str, ...] = ()
        self.told: tuple[str, ...] = ()
        self.selected: Intention | None = None
        self.selected_event: Event | None = None
        self.had_mail = False
        self.touches_others = False
        self.sent: tuple[tuple[str, Message], ...] = ()
        self.draws: list[int] = []
        self.sizes: list[int] = []
        self.plan: str | None = None
        self.span: Span | None = None

    def copy(self) -> Mind:
        twin = Mind(self.agent, self.state, self.writes)
        twin.rules, twin.told, twin.plan, twin.span, twin.selected = self.rules, self.told, self.plan, self.span, self.selected
        twin.had_mail, twin.touches_others, twin.sent = self.had_mail, self.touches_others, self.sent
        twin.draws, twin.sizes = self.draws, self.sizes
        return twin

    @property
    def done(self) -> Done:
        """What came of a part, for which it was made."""
        return Done(self.writes, self.rules, self.told, self.plan, self.span, self.had_mail, self.touches_others, self.sent)

    def after(self, part: Done) -> Mind:
        """The agent when one more part of the cycle is over."""
        later = Mind(self.agent, self.state, {**self.writes, **part.writes})
        later.rules, later.told = (*self.rules, *part.rules), (*self.told, *part.told)
        later.plan, later.span = part.plan or self.plan, part.span or self.span
        later.had_mail, later.touches_others = self.had_mail or part.had_mail, self.touches_others or part.touches_others
        later.sent = (*self.sent, *part.sent)
        return later

    def slot_of(self, part: str) -> Slot:
        return self.agent.slots[part]

    def tell(self, stage: str, text: str, *, plan: str | None = None, span: Span | None = None) -> None:
        """What a stage did, and by which plan and line if by one; the last one that is named counts for the step."""
        self.rules = (*self.rules, stage)
        self.told = (*self.told, text)
        self.plan = plan or self.plan
        self.span = span or self.span

    def draw(self, amount: int) -> int:
        """Which of so many comes first: as ``draws`` say, and the first beyond them; ``sizes`` remember among how many it was."""
        if amount < 2:
            return 0
        if len(self.sizes) == len(self.draws):
            self.draws.append(0)
        self.sizes.append(amount)
        return self.draws[len(self.sizes) - 1]

    # --- containers, within bounds ---------------------------------------------------------------------------------------------

    def run(self, intention: Intention) -> None:
        """Puts an intention at the end of I."""
        self.running = (*self.running, intention)
        self._limit_means(self.running)

    def wait(self, waiting: Waiting) -> None:
        """Puts something into PI."""
        self.waiting = tuple(sorted((*self.waiting, waiting), key=str)) if self.waiting else (waiting,)
        self._limit_means(each.intention for each in self.waiting if each.intention)
        self.within("M_Int", len(self.waiting), "things that it waits for")

    def no_longer_waits(self, waiting: Waiting) -> None:
        """Takes one such thing out of PI."""
        place = self.waiting.index(waiting)
        self.waiting = self.waiting[:place] + self.waiting[place + 1 :]

    def request(self, action: Literal, intention: Intention, *, ends_all: bool = False) -> None:
        """Hands an action over to the environment; its intention waits in PA."""
        self.finite(action)
        order = [(str(known.action), str(who.stack)) for known, who in zip(self.actions, self.acting, strict=True)]
        place = bisect_right(order, (str(action), str(intention.stack)))
        self.actions = (*self.actions[:place], Outstanding(action, ends_all=ends_all), *self.actions[place:])
        self.acting = (*self.acting[:place], intention, *self.acting[place:])
        self.results = tuple(each._replace(place=each.place + (each.place >= place)) for each in self.results)
        self.within("M_Act", len(self.actions), "actions without a result")

    def forget_action(self, place: int) -> tuple[Outstanding, Intention]:
        """Takes an action and its intention out of PA, with its result if there is one."""
        action, intention = self.actions[place], self.acting[place]
        self.actions = self.actions[:place] + self.actions[place + 1 :]
        self.acting = self.acting[:place] + self.acting[place + 1 :]
        left = [each for each in self.results if each.place != place]
        self.results = tuple(each._replace(place=each.place - (each.place > place)) for each in left)
        return action, intention

    def _limit_means(self, intentions: Iterable[Intention]) -> None:
        self.within("M_Int", sum(len(each.stack) for each in intentions), "intended means")

    def send(self, receiver: str, message: Message) -> None:
        """Puts a message into the box of an agent: when the step is over, as it does not matter to it what is in the box."""
        self.finite(message.content)
        self.touches_others = True  # even where it writes to itself: others may write to it as well
        self.sent = (*self.sent, (receiver, message))

    def deliver(self, messages: Iterable[tuple[str, Message]]) -> None:
        """Messages come to be where they were sent to."""
        for receiver, message in messages:
            slot = mind_slot(receiver, "mail")
            box = (*self.read(slot), message)
            self.write(slot, box)
            self.within("M_Msg", len(box), "messages", f"the mailbox of {receiver}")

    def within(self, bound: str, needed: int, what: str, who: str | None = None) -> None:
        """Ends the run where it needs more room than there is."""
        bounds = self.agent.settings.bounds
        limit = bounds.limit(bound) + (0 if bound in bounds.stated else self.agent.begins_with.get(bound, 0))
        if needed > limit:
            message = f"{who or self.agent.name} exceeds the bound {bound} = {limit}: {needed} {what} in a reachable state"
            hint = f"set {bound} higher in the project, if the system really needs more"
            if bound not in bounds.stated:
                hint = f"the project sets no {bound}, and {needed} {what} look like unbounded growth; {hint}"
            raise BoundExceeded("JSN050", message, hint)

    def finite(self, term: Term) -> None:
        """Ends the run where a term has probably grown without end."""
        parts = list(islice(parts_of(term), _MOST_PARTS + 1))
        if len(parts) > _MOST_PARTS:  # one that is nested very deeply is found where it is instantiated
            message = f"a term of {self.agent.name} has more than {_MOST_PARTS} parts"
            raise BoundExceeded("JSN051", message, "a list or structure that gets longer each time makes infinitely many states")
        largest = max((abs(part) for part in parts if isinstance(part, int | float)), default=0)
        if isfinite(largest):
            self.within("M_Num", int(largest), "as the largest number")
