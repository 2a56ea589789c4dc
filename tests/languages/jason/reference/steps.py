"""ExecInt: what each kind of step does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.languages.jason.reference import beliefs
from tests.languages.jason.reference.cycle import Cycle
from tests.languages.jason.reference.events import trigger_in
from tests.languages.jason.reference.forks import Join, joined, split
from tests.languages.jason.reference.goals import GOAL_ACTIONS, fail_goal
from tests.languages.jason.reference.intentions import instantiated, ready, without_step
from tests.languages.jason.reference.loops import Loop
from tests.languages.jason.reference.queries import PURE, Failed, service, solutions
from tests.languages.jason.reference.state import Acting, Event, Intention, Message, Mind, Timer, Waiting
from tests.languages.jason.reference.terms import Substitution, Unspecified, applied, is_ground, items_of, renamed, with_annotations
from volition.languages.jason.syntax import (
    Achieve,
    Act,
    AddBelief,
    Call,
    Constraint,
    For,
    Fork,
    If,
    RemoveBelief,
    ReplaceBelief,
    Rule,
    Test,
    ValueOf,
    While,
)
from volition.languages.jason.terms import And, List, Literal, Term, Text, Variable, indicator

__all__ = ["Steps"]

_LISTS = (".member", ".range")


class Steps(Cycle):
    """An agent that acts.  ``new_ask`` gives a name for an ask that nothing in the system is called by."""

    def execute(self, mind: Mind, new_ask: Callable[[], Literal]) -> None:
        """One step of the current intention, if there is one, and ClrInt."""
        if mind.current is None:
            return
        self._new_ask = new_ask
        body = mind.current[-1].body
        if body:
            self._step(mind, body[0])
        else:
            ready(mind, self.cleared(mind, mind.current))
        mind.current = None

    def _step(self, mind: Mind, step: Any) -> None:
        match step:
            case Act(action):
                self._act(mind, action)
            case Call(action):
                self._call(mind, action)
            case Achieve(goal, own_intention):
                self._achieve(mind, goal, own_intention)
            case Test(query):
                self._test(mind, query)
            case AddBelief(belief, own_intention, last):
                self._add(mind, belief, own_intention, last)
            case RemoveBelief(belief, own_intention):
                self._remove(mind, belief, own_intention)
            case ReplaceBelief(belief):
                literal = _known(belief)
                event, _ = beliefs.remove(mind, beliefs.pattern(literal))
                self.external(mind, "-", "belief", event)
                self._add(mind, literal, own_intention=False, last=False)
            case Constraint(formula):
                self._first_solution(mind, formula, "constraint_failed")
            case If(condition, then, otherwise):
                found = self._solution(mind, condition)
                self._go_on_with(mind, otherwise if found is None else then, found or {})
            case For(query, body):
                self._loop(mind, Loop(query, body, self._candidates(mind, query)))
            case Loop():
                self._loop(mind, step)
            case While(condition, body):
                found = self._solution(mind, condition)
                self._go_on_with(mind, () if found is None else (*renamed(applied(body, found)), step), {})
            case Fork():
                split(mind, self._current(mind), step)
            case Join():
                going_on = joined(mind, self._current(mind), step)
                self.tell_dropped(mind)
                if going_on is not None:
                    ready(mind, self.cleared(mind, without_step(going_on)))
            case ValueOf(Literal() as action):
                self._call(mind, action) if action.is_internal else self._act(mind, action)
            case _:
                raise Unspecified(f"the step {step!r}")

    # --- what all have in common -----------------------------------------------------------------------------------------

    def _current(self, mind: Mind) -> Intention:
        assert mind.current is not None
        return mind.current

    def _solution(self, mind: Mind, formula: Term) -> Substitution | None:
        return next(solutions(formula, {}, self.query(mind)), None)

    def _go_on(self, mind: Mind, bindings: Substitution) -> None:
        """The step is done."""
        ready(mind, self.cleared(mind, without_step(instantiated(self._current(mind), bindings))))

    def _go_on_with(self, mind: Mind, body: tuple[Any, ...], bindings: Substitution) -> None:
        """The step is done, and another body is spliced in."""
        current = without_step(self._current(mind))
        top = current[-1]._replace(body=(*body, *current[-1].body))
        ready(mind, self.cleared(mind, instantiated((*current[:-1], top), bindings)))

    def _first_solution(self, mind: Mind, formula: Term, error: str) -> None:
        found = self._solution(mind, formula)
        if found is None:
            self.fail(mind, self._current(mind), Literal(error))
        else:
            self._go_on(mind, found)

    # --- the rows of the table -------------------------------------------------------------------------------------------

    def _act(self, mind: Mind, action: Literal) -> None:
        if not is_ground(action):
            raise Unspecified(f"an action with variables: {action}")
        self.observe_top(mind, self._current(mind), "waiting")
        mind.PA.append(Acting(with_annotations(action, ()), "asked", self._current(mind)))

    def _achieve(self, mind: Mind, goal: Literal | Variable, own_intention: bool) -> None:
        literal = _known(goal)
        if own_intention:
            self.external(mind, "+", "achieve", beliefs.from_self(literal))
            self._go_on(mind, {})
        else:
            self._ask_for(mind, "achieve", literal)
        self._set_deadline(mind, beliefs.from_self(literal))

    def _set_deadline(self, mind: Mind, goal: Literal) -> None:
        """``!g[hard_deadline(milliseconds)]``: the goal fails if it is still pursued then."""
        for each in items_of(goal.annotations):
            if isinstance(each, Literal) and each.functor == "hard_deadline":
                mind.timers.append(Timer("deadline", Event("+", "achieve", renamed(goal)), self._time(each.arguments[0])))

    def deadline(self, mind: Mind, goal: Literal) -> None:
        fail_goal(self, mind, goal, Literal("deadline_reached"))

    def _ask_for(self, mind: Mind, kind: str, goal: Literal) -> None:
        current = self._current(mind)
        literal, outer = renamed((beliefs.from_self(goal), current[-1].returns))
        self.internal(mind, Event("+", kind, literal, current, outer=outer))

    def _test(self, mind: Mind, query: Term) -> None:
        found = self._solution(mind, query)
        if found is not None:
            self._go_on(mind, found)
        elif isinstance(query, Literal) and not query.is_internal and self.planned("+", "test", query):
            self._ask_for(mind, "test", query)
        else:
            self.fail(mind, self._current(mind), Literal("test_goal_failed"))

    def _add(self, mind: Mind, belief: Term, own_intention: bool, last: bool) -> None:
        self._changed(mind, "+", beliefs.add(mind, beliefs.from_self(_known(belief)), last=last), own_intention)

    def _remove(self, mind: Mind, belief: Term, own_intention: bool) -> None:
        event, found = beliefs.remove(mind, beliefs.from_self(_known(belief)))
        mind.current = instantiated(self._current(mind), found)
        self._changed(mind, "-", event, own_intention)

    def _changed(self, mind: Mind, sign: str, literal: Literal | None, own_intention: bool) -> None:
        """The plan waits until the event has been handled, if there is one."""
        if literal is None or own_intention or self.has_new_focus:
            self.external(mind, sign, "belief", literal)
            self._go_on(mind, {})
        else:
            current = self._current(mind)
            self.internal(mind, Event(sign, "belief", literal, current, outer=renamed(current[-1].returns)))

    # --- loops -----------------------------------------------------------------------------------------------------------

    def _candidates(self, mind: Mind, query: Term) -> tuple[Any, ...]:
        first = _first(query)
        if first.is_internal:
            if first.functor not in _LISTS:
                raise Unspecified(f"a loop over {first}")
            return tuple(tuple(sorted(each.items())) for each in solutions(first, {}, self.query(mind)))
        entries = mind.BB.get(indicator(first), [])
        if any(isinstance(each, Rule) for each in entries):
            raise Unspecified("a loop over what a rule says")
        return tuple(beliefs.bare(each) for each in entries)

    def _loop(self, mind: Mind, loop: Loop) -> None:
        """The next round, or the end."""
        left = list(loop.candidates)
        while left:
            found = self._round(mind, loop.query, left.pop(0))
            if found is not None:
                body = (*renamed(applied(loop.body, found)), loop._replace(candidates=tuple(left)))
                self._go_on_with(mind, body, {})
                return
        self._go_on(mind, {})

    def _round(self, mind: Mind, query: Term, candidate: Any) -> Substitution | None:
        """The solution of a query whose first part is about a certain belief or value."""
        first, rest = _first(query), _rest(query)
        asker = self.query(mind)
        if isinstance(candidate, tuple):
            starts = [dict(candidate)]
        else:
            belief = next(each for each in mind.BB[indicator(candidate)] if beliefs.bare(each) == candidate)
            all_ = dict(mind.BB)
            mind.BB = {**all_, indicator(candidate): [belief]}
            starts = list(solutions(first, {}, asker))
            mind.BB = all_
        found = [each for start in starts for each in (solutions(rest, start, asker) if rest is not None else [start])]
        if len(found) > 1:
            raise Unspecified("a loop that visits a belief several times")
        return found[0] if found else None

    # --- internal actions ------------------------------------------------------------------------------------------------

    def _call(self, mind: Mind, action: Literal) -> None:
        match action.functor, action.arguments:
            case ".send", _:
                self._send(mind, action.arguments)
            case ".broadcast", (Literal(performative), content):
                for other in self.agents:
                    if other != self.name:
                        mind.sent.append((other, Message(self.name, performative, content)))
                self._go_on(mind, {})
            case ".wait", _:
                self._wait(mind, action.arguments)
            case ".at", (Text(when), what):
                trigger = trigger_in(what)
                assert trigger is not None
                mind.timers.append(
                    Timer("at", Event(trigger.operator, trigger.kind, renamed(_known(trigger.literal))), self._time(_later(when)))
                )
                self._go_on(mind, {})
            case ".fail", ():
                self.fail(mind, self._current(mind), Literal("ia_failed"))
            case ".fail", (Literal("error", (error,)),):
                self.fail(mind, self._current(mind), error)
            case ".abolish", (Literal() as asked,):
                for gone in beliefs.abolish(mind, asked):
                    self.external(mind, "-", "belief", gone)
                self._go_on(mind, {})
            case ".signal", (Literal() as literal,):
                self.signal(mind, literal)
                self._go_on(mind, {})
            case functor, arguments if functor in GOAL_ACTIONS:
                if GOAL_ACTIONS[functor](self, mind, *arguments):
                    self._go_on(mind, {})
            case ".df_register", (what, *_):
                self._register(mind, service(what))
                self._go_on(mind, {})
            case ".df_deregister", (what, *_):
                mind.directory = mind.directory[0] - {(self.name, service(what))}, mind.directory[1]
                self._go_on(mind, {})
            case ".df_subscribe", (what, *_):
                self._subscribe(mind, service(what))
                self._go_on(mind, {})
            case functor, arguments if functor in PURE or functor in self.internals:
                try:
                    found = next(self.query(mind).action(functor)(arguments, {}, self.query(mind)), None)
                except Failed:
                    found = None
                if found is None:
                    self.fail(mind, self._current(mind), Literal("ia_failed"))
                else:
                    self._go_on(mind, found)
            case _:
                raise Unspecified(f"{action}")

    def _send(self, mind: Mind, arguments: tuple[Term, ...]) -> None:
        receiver, kind, content, *more = arguments
        assert isinstance(kind, Literal)
        names = [_name(each) for each in receiver.items] if isinstance(receiver, List) else [_name(receiver)]
        names = [self.name if each == "self" else each for each in names]
        if any(each not in self.agents for each in names):
            if len(names) > 1:
                raise Unspecified("some receivers that are not there")
            self.fail(mind, self._current(mind), Literal("receiver_not_found"))
            return
        is_ask = kind.functor in ("askOne", "askAll")
        waits = is_ask and bool(more)
        ask = self._new_ask() if waits else None
        answers = more[0] if more and not is_ask and more[0] != Literal("none") else None
        for name in names:
            mind.sent.append((name, Message(self.name, kind.functor, content, ask, answers)))  # type: ignore[arg-type]
        if waits:
            time = self._time(more[1]) if len(more) > 1 else None
            self.observe_top(mind, self._current(mind), "waiting")
            mind.PI.append(Waiting("ask", self._current(mind), time=time, ask=ask))
        else:
            self._go_on(mind, {})

    def _register(self, mind: Mind, what: str) -> None:
        """Those who have subscribed are told."""
        providers, subscribers = mind.directory
        mind.directory = providers | {(self.name, what)}, subscribers
        mind.sent += [(each, _provider(self.name, what)) for each in self.agents if (each, what) in subscribers]

    def _subscribe(self, mind: Mind, what: str) -> None:
        """Told of those who are there, and of those who come."""
        providers, subscribers = mind.directory
        mind.directory = providers, subscribers | {(self.name, what)}
        mind.sent += [(self.name, _provider(each, what)) for each in self.agents if (each, what) in providers]

    def _wait(self, mind: Mind, arguments: tuple[Term, ...]) -> None:
        current = self._current(mind)
        if isinstance(arguments[0], int | float):
            self.observe_top(mind, current, "waiting")
            mind.PI.append(Waiting("timer", current, time=self._time(arguments[0])))
            return
        is_event = trigger_in(arguments[0]) is not None
        found = None if is_event else self._solution(mind, arguments[0])
        if found is not None:
            self._go_on(mind, found)
        else:
            time = self._time(arguments[1]) if len(arguments) > 1 else None
            self.observe_top(mind, current, "waiting")
            mind.PI.append(Waiting("event" if is_event else "query", current, time=time))

    def _time(self, milliseconds: Term) -> int:
        assert isinstance(milliseconds, int)
        return 0 if self.is_time_free else milliseconds


def _provider(name: str, what: str) -> Message:
    return Message("df", "tell", Literal("provider", (Literal(name), Text(what))))


def _later(when: str) -> int:
    """``now +3 s`` in milliseconds."""
    number, _, unit = when.removeprefix("now").strip().removeprefix("+").strip().partition(" ")
    return int(number) * {"": 1, "s": 1000, "m": 60_000}[unit.strip()]


def _known(term: Term) -> Literal:
    if not isinstance(term, Literal):
        raise Unspecified(f"{term} where a literal should stand")
    return term


def _first(query: Term) -> Literal:
    """The leftmost part of a conjunction."""
    return _first(query.left) if isinstance(query, And) else _known(query)


def _rest(query: Term) -> Term | None:
    """What is left of a conjunction without its leftmost part."""
    if not isinstance(query, And):
        return None
    rest = _rest(query.left)
    return query.right if rest is None else And(rest, query.right)


def _name(term: Term) -> str:
    match term:
        case Literal(functor, ()):
            return functor
        case Text(value):
            return value
    raise Unspecified(f"the receiver {term}")
