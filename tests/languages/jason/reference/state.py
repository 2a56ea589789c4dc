"""What an agent has in mind: lists to work on, which freeze to a plain tuple.

Ids are positions, and variables are named by their first appearance, so that minds that are alike
are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from tests.languages.jason.reference.choices import Choose
from tests.languages.jason.reference.terms import applied, free_variables, renamed
from volition.languages.jason.terms import Literal, Variable

__all__ = [
    "Acting",
    "Branch",
    "Directory",
    "Due",
    "Event",
    "Intention",
    "Means",
    "Message",
    "Mind",
    "Timer",
    "Waiting",
    "is_atomic",
]


class Branch(NamedTuple):
    """An intention runs a branch of a fork; ``depth`` is how many means there were when it split.

    Something stays when it is over, without a ``fork``: after ``|||`` failures are not handled at
    or below that depth.  ``left`` is how many branches had not ended then.
    """

    join: str
    depth: int
    fork: int | None
    number: int = 0
    left: int = 0


class Means(NamedTuple):
    """An intended means.  ``trigger`` is as it was when the plan was chosen; ``returns`` is the
    goal with the values found since.

    A means that handles a failure remembers how many of the means below ``stay`` when it ends.  The
    one at the bottom of the stack knows the ``branch`` of the last fork that the intention is.
    """

    sign: str
    kind: str
    trigger: Literal
    label: str
    atomic: bool
    body: tuple[Any, ...]
    returns: Literal
    stay: int | None = None
    branch: Branch | None = None


Intention = tuple[Means, ...]
"""From the bottom of the stack to its top."""


def is_atomic(intention: Intention) -> bool:
    return any(each.atomic for each in intention)


class Event(NamedTuple):
    """With an intention it is internal.  ``outer`` is what the means on top of it returns, with the
    variables of the literal."""

    sign: str
    kind: str
    literal: Literal
    intention: Intention | None = None
    stay: int | None = None
    outer: Literal | None = None


class Message(NamedTuple):
    sender: str
    performative: str
    content: Any
    ask: Literal | None = None
    """What an ask is called whose sender waits for the answer."""
    answers: Literal | None = None
    """The ask of the receiver that this is an answer to."""


@dataclass(eq=False)
class Acting:
    """An action in the hands of the environment: ``asked``, ``done`` or ``failed``; without an
    intention if that was dropped."""

    action: Literal
    status: str
    intention: Intention | None
    suspended: bool = False
    seen: bool = True
    """Whether the agent has perceived since it had its effect."""


@dataclass(eq=False)
class Waiting:
    """An intention that waits: in ``.wait``, for an answer (``ask``), or because it is
    ``suspended`` or has suspended itself (``self``)."""

    reason: str
    intention: Intention
    suspended: bool = False
    time: int | None = None
    """What remains until its timer ends, if it has one; 0 where time is free."""
    ask: Literal | None = None
    is_over: bool = False
    took: int = 0
    answers: tuple[Any, ...] = ()
    """Of those who were asked together, in the order in which they came."""
    """How much time has passed, where somebody asks for it."""


@dataclass(eq=False)
class Timer:
    """An event that is posted later (``at``), or a goal that fails then (``deadline``)."""

    reason: str
    event: Event
    time: int | None


class Due(NamedTuple):
    """What is done when the next cycle begins: a :class:`Waiting` is over, or a :class:`Timer`, or
    there is an event of a goal's state."""

    reason: str
    what: Any


Directory = tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]
"""The yellow pages: who provides what, and who wants to be told."""


@dataclass
class Mind:
    """One agent; the names of the fields are those of the circumstance in Jason's documentation."""

    name: str
    part: str = "Perceive"
    seen: frozenset[str] = frozenset()
    BB: dict[str, list[Any]] = field(default_factory=dict)
    """Name and arity ▶ beliefs and rules."""
    MB: list[Message] = field(default_factory=list)
    E: list[Event] = field(default_factory=list)
    AE: list[Event] = field(default_factory=list)
    I: list[Intention] = field(default_factory=list)  # noqa: E741
    AI: list[Intention] = field(default_factory=list)
    PA: list[Acting] = field(default_factory=list)
    FA: list[Acting] = field(default_factory=list)
    PI: list[Waiting] = field(default_factory=list)
    PE: list[Event] = field(default_factory=list)
    tasks: list[Due] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)
    forks: dict[int, int] = field(default_factory=dict)
    """How many branches of each fork have not ended."""
    current: Intention | None = None
    sent: list[tuple[str, Message]] = field(default_factory=list)
    dropped: list[Intention] = field(default_factory=list)
    stops: bool = False
    choose: Choose = lambda _: 0
    directory: Directory = (frozenset(), frozenset())
    """The intention that is executed, what it says, those that were dropped, ..: inside of a step
    only, no part of a mind."""

    def frozen(self) -> tuple[Any, ...]:
        return (
            self.part,
            self.seen,
            tuple(sorted((name, tuple(some)) for name, some in self.BB.items() if some)),
            tuple(Message(*_canonical(tuple(each))) for each in self.MB),
            *(tuple(map(_event, some)) for some in (self.E, self.AE)),
            *(tuple(map(_intention, some)) for some in (self.I, self.AI)),
            *(
                tuple(
                    (
                        each.action,
                        each.status,
                        _intention(each.intention),
                        each.suspended,
                        each.seen,
                    )
                    for each in some
                )
                for some in (self.PA, self.FA)
            ),
            tuple(
                (
                    each.reason,
                    _intention(each.intention),
                    each.suspended,
                    each.time,
                    each.ask,
                    each.is_over,
                    each.took,
                    each.answers,
                )
                for each in self.PI
            ),
            tuple(map(_event, self.PE)),
            tuple(
                Due(
                    each.reason,
                    self.PI.index(each.what)
                    if isinstance(each.what, Waiting)
                    else _event(each.what),
                )
                for each in self.tasks
            ),
            tuple((each.reason, _event(each.event), each.time) for each in self.timers),
            tuple(
                sorted(
                    (fork, left)
                    for fork, left in self.forks.items()
                    if fork in self._forks_that_run()
                )
            ),
        )

    def intentions(self) -> Iterator[Intention]:
        """All but the current one."""
        yield from (*self.I, *self.AI)
        pending: list[Any] = [*self.E, *self.AE, *self.PE, *self.PA, *self.FA, *self.PI]
        yield from (each.intention for each in pending if each.intention)

    def _forks_that_run(self) -> set[int]:
        marks = [each[0].branch for each in self.intentions()]
        ends = [
            step
            for each in self.intentions()
            for means in each
            for step in means.body
            if hasattr(step, "fork")
        ]
        return {each.fork for each in (*marks, *ends) if each is not None and each.fork is not None}

    @staticmethod
    def thawed(name: str, frozen: tuple[Any, ...]) -> Mind:
        (
            part,
            seen,
            beliefs,
            mail,
            events,
            atomic,
            ready,
            alone,
            acting,
            results,
            waiting,
            suspended,
            tasks,
            timers,
            forks,
        ) = frozen
        pending = [Waiting(*each) for each in waiting]
        return Mind(
            name,
            part,
            seen,
            {key: list(some) for key, some in beliefs},
            list(mail),
            list(events),
            list(atomic),
            list(ready),
            list(alone),
            [Acting(*each) for each in acting],
            [Acting(*each) for each in results],
            pending,
            list(suspended),
            [
                Due(reason, pending[what] if isinstance(what, int) else what)
                for reason, what in tasks
            ],
            [Timer(*each) for each in timers],
            dict(forks),
        )


@lru_cache(50_000)
def _canonical(node: Any) -> Any:
    apart = renamed(node)
    return applied(
        apart, {name: Variable(f"V{number}") for number, name in enumerate(free_variables(apart))}
    )


def _intention(intention: Intention | None) -> Intention | None:
    return (
        None if intention is None else tuple(Means(*_canonical(tuple(each))) for each in intention)
    )


def _event(event: Event) -> Event:
    literal, outer = _canonical((event.literal, event.outer))
    return event._replace(literal=literal, outer=outer, intention=_intention(event.intention))
