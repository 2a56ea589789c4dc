"""The reasoning cycle of one agent, stage by stage."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from tests.languages.jason.reference import beliefs
from tests.languages.jason.reference.failure import Failing
from tests.languages.jason.reference.intentions import (
    atomic_waits,
    instantiated,
    ready,
    without_step,
)
from tests.languages.jason.reference.messages import RECEIVED
from tests.languages.jason.reference.observing import may_be_about
from tests.languages.jason.reference.queries import Query, nested, solutions
from tests.languages.jason.reference.state import (
    Acting,
    Event,
    Intention,
    Means,
    Message,
    Mind,
    Waiting,
)
from tests.languages.jason.reference.terms import (
    Unspecified,
    annotated,
    applied,
    free_variables,
    items_of,
    renamed,
    unified,
)
from volition.languages.jason.syntax import InitialBelief
from volition.languages.jason.terms import FALSE, List, Literal, Term, Variable, indicator, source

__all__ = ["Cycle"]


class Cycle(Failing, ABC):
    """An agent that senses and deliberates, and takes up results."""

    def start(self) -> Mind:
        mind = Mind(self.name)
        for statement in (*self.program.project_beliefs, *reversed(self.program.beliefs)):
            if isinstance(statement, InitialBelief):
                self.external(
                    mind,
                    "+",
                    "belief",
                    beliefs.add(mind, beliefs.from_self(applied(statement.literal, {}))),
                )
            else:
                mind.BB.setdefault(indicator(statement.head), []).insert(0, statement)
        for goal in (*self.program.project_goals, *self.program.goals):
            self.external(mind, "+", "achieve", beliefs.from_self(applied(goal.literal, {})))
        return mind

    # --- sense ------------------------------------------------------------------------------------

    def perceive(self, mind: Mind, percepts: Sequence[Literal]) -> None:
        """Belief update: what is no longer perceived, then what is new."""
        mind.seen = frozenset(map(str, percepts))
        gone = [
            each
            for _, entries in sorted(mind.BB.items())
            for each in entries
            if isinstance(each, Literal)
            and source("percept") in items_of(each.annotations)
            and beliefs.bare(each) not in percepts
        ]
        for each in gone:
            event = beliefs.remove_percept(mind, each)
            if self.planned("-", "belief", each) or any(
                waiting.reason in ("timer", "query", "event") and not waiting.is_over
                for waiting in mind.PI
            ):
                self.external(mind, "-", "belief", event)
        for percept in percepts:
            self.external(
                mind, "+", "belief", beliefs.add(mind, annotated(percept, source("percept")))
            )

    def mail(self, mind: Mind) -> None:
        """Processes one message."""
        message = mind.MB.pop(0)
        if message.answers is not None:
            for waiting in mind.PI:
                if waiting.ask == message.answers and not waiting.is_over:
                    self._answered(mind, waiting, message)
                    return
            return  # nobody waits for it any more
        sender = "self" if message.sender == self.name else message.sender
        content = message.content
        if (
            isinstance(content, Literal)
            and not self.handles_messages
            and message.performative in ("tell", "achieve", "signal")
        ):
            literal = nested(content, sender)
            if message.performative == "tell":
                self.external(mind, "+", "belief", beliefs.add(mind, literal))
            elif message.performative == "achieve":
                self.external(mind, "+", "achieve", literal)
            else:
                self.signal(mind, literal)
            return
        arguments = (
            Literal(sender),
            Literal(message.performative),
            content,
            message.ask or Literal("none"),
        )
        self.external(mind, "+", "achieve", Literal(RECEIVED, arguments))

    def signal(self, mind: Mind, literal: Literal) -> None:
        self.external(mind, "+", "belief", annotated(literal, Literal("signal")))

    def _answered(self, mind: Mind, waiting: Waiting, message: Message) -> None:
        send = waiting.intention[-1].body[0].action
        kind, content = send.arguments[1].functor, message.content
        if message.performative == "untell" and kind == "askOne":
            content = FALSE
        elif isinstance(content, Literal):
            content = nested(content, message.sender)
        elif isinstance(content, List) and kind == "askAll":
            content = List(
                tuple(
                    nested(each, message.sender)
                    for each in content.items
                    if isinstance(each, Literal)
                )
            )
        query = send.arguments[0]
        if isinstance(query, List):
            waiting.answers = (*waiting.answers, renamed(content))
            if len(waiting.answers) < len(query.items):
                return
            content = List(waiting.answers)
        self.goes_on_with_answer(mind, waiting, send.arguments[3], renamed(content))

    def goes_on_with_answer(
        self, mind: Mind, waiting: Waiting, variable: Term, answer: Term
    ) -> None:
        found = unified(variable, answer, {})
        self._leave(mind, waiting)
        if found is None:
            self.fail(mind, waiting.intention, Literal("ask_failed"))
        else:
            self._goes_on(mind, waiting, instantiated(waiting.intention, found))

    def _leave(self, mind: Mind, waiting: Waiting) -> None:
        mind.PI.remove(waiting)
        mind.tasks = [each for each in mind.tasks if each.what is not waiting]

    def _goes_on(self, mind: Mind, waiting: Waiting, intention: Intention) -> None:
        """What it waited for is there: to I, unless it was suspended meanwhile."""
        if waiting.suspended:
            mind.PI.append(Waiting("suspended", without_step(intention), suspended=True))
        else:
            self.observe_top(mind, intention, "executing")
            ready(mind, without_step(intention))

    # --- deliberate -------------------------------------------------------------------------------

    def deliberate(self, mind: Mind) -> None:
        if mind.MB:
            self.mail(mind)
        self._begin(mind)
        self._select_event(mind)

    def _begin(self, mind: Mind) -> None:
        """Waits that are over, deadlines, and what was to happen later."""
        while mind.tasks:
            due = mind.tasks[0]
            if isinstance(due.what, Waiting):
                self._end_of_wait(mind, due.what, is_done=due.reason == "done")
                continue
            del mind.tasks[0]
            if due.reason == "at":
                self.external(mind, due.what.sign, due.what.kind, due.what.literal)
            elif due.reason == "meta":
                index = sum(each.sign == "^" for each in mind.E)
                mind.E.insert(index, due.what)
                self.test_waits(mind, due.what)
            else:
                assert due.reason == "deadline"
                self.deadline(mind, due.what.literal)

    def _end_of_wait(self, mind: Mind, waiting: Waiting, *, is_done: bool) -> None:
        arguments = waiting.intention[-1].body[0].action.arguments
        if waiting.reason == "ask":
            late = List(waiting.answers) if isinstance(arguments[0], List) else Literal("timeout")
            self.goes_on_with_answer(mind, waiting, arguments[3], late)
            return
        self._leave(mind, waiting)
        if is_done or len(arguments) > 2:
            found = unified(arguments[2], waiting.took, {}) if len(arguments) > 2 else {}
            if self.is_time_free and set(free_variables(arguments[2:])) & set(
                free_variables(waiting.intention[-1].body[1:])
            ):
                raise Unspecified("how much time has passed, where time is free")
            self._goes_on(mind, waiting, instantiated(waiting.intention, found or {}))
        elif waiting.suspended:
            raise Unspecified("the timeout of a wait that is suspended")
        else:
            self.fail(mind, waiting.intention, Literal("wait_timeout"))

    @abstractmethod
    def deadline(self, mind: Mind, goal: Literal) -> None:
        """The time for a goal is over."""

    def can_select_event(self, mind: Mind) -> bool:
        return not (mind.AI or atomic_waits(mind)) and bool(mind.AE or mind.E)

    def is_kept_awake(self, mind: Mind) -> bool:
        """By an event that may be selected; those that are put back again and again, as no plan is
        for them, do not count."""
        events = [*mind.AE, *mind.E]
        if self.requeues:
            events = [
                each for each in events if each.intention is not None or self._is_relevant(each)
            ]
            if events and not any(self._has_plan(mind, each) for each in events):
                raise Unspecified("whether an agent rests that puts back all of its events")
        return self.can_select_event(mind) and bool(events)

    def _has_plan(self, mind: Mind, event: Event) -> bool:
        """Whether something comes of an event other than that it is put back."""
        if event.intention is not None or (event.sign == "+" and event.kind != "belief"):
            return True
        trial = Mind.thawed(mind.name, mind.frozen())
        return self._planned_for(trial, event)

    def _is_relevant(self, event: Event) -> bool:
        """Whether the trigger of some plan unifies with the event; goals without a plan fail, so
        that they do not stay."""
        if event.sign == "+" and event.kind != "belief":
            return True
        return any(
            may_be_about(each, event.sign, event.kind, event.literal)
            and unified(renamed(each.trigger.literal), renamed(event.literal), {}) is not None
            for each in self.plans
        )

    def _select_event(self, mind: Mind) -> None:
        """SelEv: beliefs without a plan are skipped in the same cycle."""
        while self.can_select_event(mind):
            event = (mind.AE or mind.E).pop(0)
            if self._planned_for(mind, event):
                return
            if event.kind != "belief" and event.sign != "^":
                return
            if event.intention is not None:
                ready(mind, without_step(event.intention))
                return
            if self.requeues:
                mind.E.append(event)
                return

    def _planned_for(self, mind: Mind, event: Event) -> bool:
        """RelPl, ApplPl, SelAppl, AddIM; a goal without a plan fails."""
        error = (
            "no_applicable"
            if self.planned(event.sign, event.kind, event.literal)
            else "no_relevant"
        )
        query = Query(mind, self.agents, selected=event, internals=self.internals)
        for plan in self.plans:
            if not may_be_about(plan, event.sign, event.kind, event.literal):
                continue
            trigger, context, body = renamed((plan.trigger.literal, plan.context, plan.body))
            if isinstance(trigger, Variable) and event.literal.namespace is not None:
                raise Unspecified("a variable as a trigger, and a namespace")
            relevant = unified(trigger, event.literal, {})
            if relevant is None:
                continue
            found = next(solutions(context, relevant, query), None)
            if found is None:
                continue
            stack = event.intention or ()
            returns = event.literal
            if self._is_last_call(event):
                assert event.outer is not None
                stack, returns = stack[:-1], event.outer
            means = Means(
                event.sign,
                event.kind,
                applied(event.literal, found),
                plan.label,
                plan.is_atomic,
                applied(body, found),
                applied(returns, found),
                event.stay,
                event.intention[0].branch if event.intention and not stack else None,
            )
            if event.sign == "+" and event.kind == "achieve":
                self.goal_state(mind, means._replace(trigger=event.literal), "executing")
            if event.intention and len(stack) < len(event.intention):
                self.achieved(mind, event.intention[-1])
            ready(mind, (*stack, means))
            return True
        if event.kind != "belief" and event.sign == "+":
            self.goal_failed(mind, event, Literal(error))
        return False

    def _is_last_call(self, event: Event) -> bool:
        if not event.intention or event.sign != "+" or event.kind == "belief":
            return False
        top = event.intention[-1]
        same = (top.sign, top.kind, indicator(top.trigger)) == (
            "+",
            event.kind,
            indicator(event.literal),
        )
        return same and len(top.body) == 1

    # --- act --------------------------------------------------------------------------------------

    def results(self, mind: Mind) -> list[Acting]:
        """Those of intentions that are suspended have to wait, and those whose effects the agent
        has to perceive before."""
        return [each for each in mind.FA if not each.suspended and each.seen]

    def process_result(self, mind: Mind) -> None:
        """ProcAct: one result."""
        for result in self.results(mind)[:1]:
            mind.FA.remove(result)
            assert result.intention is not None
            if result.status == "failed":
                self.fail(mind, result.intention, Literal("action_failed"))
            else:
                going_on = self.cleared(mind, without_step(result.intention))
                ready(mind, going_on)
                for means in reversed(going_on):
                    self.goal_state(mind, means, "executing")

    def can_select_intention(self, mind: Mind) -> bool:
        return not atomic_waits(mind) and bool(mind.AI or mind.I)

    def select_intention(self, mind: Mind) -> None:
        """SelInt."""
        if self.can_select_intention(mind):
            mind.current = (mind.AI or mind.I).pop(0)
