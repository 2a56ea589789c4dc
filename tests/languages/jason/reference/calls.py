"""Internal actions: at once, in the step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.languages.jason.reference import beliefs
from tests.languages.jason.reference.cycle import Cycle
from tests.languages.jason.reference.events import trigger_in
from tests.languages.jason.reference.goals import GOAL_ACTIONS
from tests.languages.jason.reference.intentions import instantiated, ready, without_step
from tests.languages.jason.reference.queries import PURE, Failed, service, solutions
from tests.languages.jason.reference.state import Event, Intention, Message, Mind, Timer, Waiting
from tests.languages.jason.reference.terms import Substitution, Unspecified, renamed
from volition.languages.jason.terms import List, Literal, Term, Text

__all__ = ["Calls", "known_literal"]


class Calls(Cycle):
    """An agent that calls internal actions.  ``new_ask`` gives a name for an ask that nothing in
    the system is called by."""

    new_ask: Callable[[], Literal]

    def current(self, mind: Mind) -> Intention:
        assert mind.current is not None
        return mind.current

    def solution(self, mind: Mind, formula: Term) -> Substitution | None:
        return next(solutions(formula, {}, self.query(mind)), None)

    def go_on(self, mind: Mind, bindings: Substitution) -> None:
        """The step is done."""
        ready(mind, self.cleared(mind, without_step(instantiated(self.current(mind), bindings))))

    def go_on_with(self, mind: Mind, body: tuple[Any, ...], bindings: Substitution) -> None:
        """The step is done, and another body is spliced in."""
        current = without_step(self.current(mind))
        top = current[-1]._replace(body=(*body, *current[-1].body))
        ready(mind, self.cleared(mind, instantiated((*current[:-1], top), bindings)))

    def first_solution(self, mind: Mind, formula: Term, error: str) -> None:
        found = self.solution(mind, formula)
        if found is None:
            self.fail(mind, self.current(mind), Literal(error))
        else:
            self.go_on(mind, found)

    # --- internal actions -------------------------------------------------------------------------

    def call(self, mind: Mind, action: Literal) -> None:
        match action.functor, action.arguments:
            case ".send", _:
                self._send(mind, action.arguments)
            case ".broadcast", (Literal(performative), content):
                for other in self.agents:
                    if other != self.name:
                        mind.sent.append((other, Message(self.name, performative, content)))
                self.go_on(mind, {})
            case ".wait", _:
                self._wait(mind, action.arguments)
            case ".at", (Text(when), what):
                trigger = trigger_in(what)
                assert trigger is not None
                mind.timers.append(
                    Timer(
                        "at",
                        Event(
                            trigger.operator, trigger.kind, renamed(known_literal(trigger.literal))
                        ),
                        self.time(_later(when)),
                    )
                )
                self.go_on(mind, {})
            case ".stopMAS", _:
                mind.stops = True
                self.go_on(mind, {})
            case ".fail", ():
                self.fail(mind, self.current(mind), Literal("ia_failed"))
            case ".fail", (Literal("error", (error,)),):
                self.fail(mind, self.current(mind), error)
            case ".abolish", (Literal() as query,):
                for gone in beliefs.abolish(mind, query):
                    self.external(mind, "-", "belief", gone)
                self.go_on(mind, {})
            case ".signal", (Literal() as literal,):
                self.signal(mind, literal)
                self.go_on(mind, {})
            case functor, arguments if functor in GOAL_ACTIONS:
                if GOAL_ACTIONS[functor](self, mind, *arguments):
                    self.go_on(mind, {})
            case ".df_register", (what, *_):
                self._register(mind, service(what))
                self.go_on(mind, {})
            case ".df_deregister", (what, *_):
                mind.directory = mind.directory[0] - {(self.name, service(what))}, mind.directory[1]
                self.go_on(mind, {})
            case ".df_subscribe", (what, *_):
                self._subscribe(mind, service(what))
                self.go_on(mind, {})
            case functor, arguments if functor in PURE or functor in self.internals:
                try:
                    found = next(
                        self.query(mind).action(functor)(arguments, {}, self.query(mind)), None
                    )
                except Failed:
                    found = None
                if found is None:
                    self.fail(mind, self.current(mind), Literal("ia_failed"))
                else:
                    self.go_on(mind, found)
            case _:
                raise Unspecified(f"{action}")

    def _send(self, mind: Mind, arguments: tuple[Term, ...]) -> None:
        receiver, kind, content, *more = arguments
        assert isinstance(kind, Literal)
        names = (
            [_name(each) for each in receiver.items]
            if isinstance(receiver, List)
            else [_name(receiver)]
        )
        names = [self.name if each == "self" else each for each in names]
        if any(each not in self.agents for each in names):
            if len(names) > 1:
                raise Unspecified("some receivers that are not there")
            self.fail(mind, self.current(mind), Literal("receiver_not_found"))
            return
        is_ask = kind.functor in ("askOne", "askAll")
        waits = is_ask and bool(more)
        ask = self.new_ask() if waits else None
        answers = more[0] if more and not is_ask and more[0] != Literal("none") else None
        for name in names:
            mind.sent.append((name, Message(self.name, kind.functor, content, ask, answers)))  # type: ignore[arg-type]
        if waits:
            time = self.time(more[1]) if len(more) > 1 else None
            self.observe_top(mind, self.current(mind), "waiting")
            mind.PI.append(Waiting("ask", self.current(mind), time=time, ask=ask))
        else:
            self.go_on(mind, {})

    def _register(self, mind: Mind, what: str) -> None:
        """Those who have subscribed are told."""
        providers, subscribers = mind.directory
        mind.directory = providers | {(self.name, what)}, subscribers
        mind.sent += [
            (each, _provider(self.name, what))
            for each in self.agents
            if (each, what) in subscribers
        ]

    def _subscribe(self, mind: Mind, what: str) -> None:
        """Told of those who are there, and of those who come."""
        providers, subscribers = mind.directory
        mind.directory = providers, subscribers | {(self.name, what)}
        mind.sent += [
            (self.name, _provider(each, what)) for each in self.agents if (each, what) in providers
        ]

    def _wait(self, mind: Mind, arguments: tuple[Term, ...]) -> None:
        current = self.current(mind)
        if isinstance(arguments[0], int | float):
            self.observe_top(mind, current, "waiting")
            mind.PI.append(Waiting("timer", current, time=self.time(arguments[0])))
            return
        is_event = trigger_in(arguments[0]) is not None
        found = None if is_event else self.solution(mind, arguments[0])
        if found is not None:
            self.go_on(mind, found)
        else:
            time = self.time(arguments[1]) if len(arguments) > 1 else None
            self.observe_top(mind, current, "waiting")
            mind.PI.append(Waiting("event" if is_event else "query", current, time=time))

    def time(self, milliseconds: Term) -> int:
        assert isinstance(milliseconds, int)
        return 0 if self.is_time_free else milliseconds


def _provider(name: str, what: str) -> Message:
    return Message("df", "tell", Literal("provider", (Literal(name), Text(what))))


def _later(when: str) -> int:
    """``now +3 s`` in milliseconds."""
    number, _, unit = when.removeprefix("now").strip().removeprefix("+").strip().partition(" ")
    return int(number) * {"": 1, "s": 1000, "m": 60_000}[unit.strip()]


def known_literal(term: Term) -> Literal:
    if not isinstance(term, Literal):
        raise Unspecified(f"{term} where a literal should stand")
    return term


def _name(term: Term) -> str:
    match term:
        case Literal(functor, ()):
            return functor
        case Text(value):
            return value
    raise Unspecified(f"the receiver {term}")
