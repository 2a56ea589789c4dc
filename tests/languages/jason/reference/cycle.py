"""The reasoning cycle of one agent, stage by stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.languages.jason.reference import beliefs, intentions
from tests.languages.jason.reference.forks import is_given_up
from tests.languages.jason.reference.intentions import atomic_waits, instantiated, ready, without_step
from tests.languages.jason.reference.messages import RECEIVED, default_plans
from tests.languages.jason.reference.queries import Action, Query, nested, solutions
from tests.languages.jason.reference.state import Acting, Branch, Due, Event, Intention, Means, Message, Mind, Waiting, is_atomic
from tests.languages.jason.reference.terms import (
    Substitution,
    Unspecified,
    annotated,
    applied,
    free_variables,
    items_of,
    renamed,
    unified,
    with_annotations,
)
from volition.languages.jason.syntax import AddBelief, AgentProgram, Belief, Plan, RemoveBelief, Trigger
from volition.languages.jason.terms import FALSE, Block, List, Literal, Term, Variable, indicator, source

__all__ = ["Cycle", "trigger_in"]


class Cycle:
    """An agent's program; its methods change the mind that they are given."""

    def __init__(self, name: str, program: AgentProgram, agents: list[str]) -> None:
        self.name = name
        self.agents = agents
        self.program = program
        self.plans = (*program.plans, *default_plans())
        self.handles_messages = any(
            (each.trigger.operator, each.trigger.kind) == ("+", "achieve")
            and isinstance(each.trigger.literal, Literal)
            and indicator(each.trigger.literal) == f"{RECEIVED}/4"
            for each in program.plans
        )

    internals: Mapping[str, Action] = {}
    is_time_free = True
    requeues = False
    has_new_focus = False

    def query(self, mind: Mind) -> Query:
        return Query(mind, self.agents, mind.current, internals=self.internals)

    def start(self) -> Mind:
        mind = Mind(self.name)
        for statement in (*self.program.project_beliefs, *reversed(self.program.beliefs)):
            if isinstance(statement, Belief):
                self.external(mind, "+", "belief", beliefs.add(mind, beliefs.from_self(applied(statement.literal, {}))))
            else:
                mind.BB.setdefault(indicator(statement.head), []).insert(0, statement)
        for goal in (*self.program.project_goals, *self.program.goals):
            self.external(mind, "+", "achieve", beliefs.from_self(applied(goal.literal, {})))
        return mind

    # --- sense -------------------------------------------------------------------------------------------------------------

    def perceive(self, mind: Mind, percepts: Sequence[Literal]) -> None:
        """Belief update: what is no longer perceived, then what is new."""
        mind.seen = frozenset(map(str, percepts))
        gone = [
            each
            for _, entries in sorted(mind.BB.items())
            for each in entries
            if isinstance(each, Literal) and source("percept") in items_of(each.annotations) and beliefs.bare(each) not in percepts
        ]
        for each in gone:
            event = beliefs.remove_percept(mind, each)
            if self.planned("-", "belief", each) or any(
                waiting.reason in ("timer", "query", "event") and not waiting.is_over for waiting in mind.PI
            ):
                self.external(mind, "-", "belief", event)
        for percept in percepts:
            self.external(mind, "+", "belief", beliefs.add(mind, annotated(percept, source("percept"))))

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
        if isinstance(content, Literal) and not self.handles_messages and message.performative in ("tell", "achieve", "signal"):
            literal = nested(content, sender)
            if message.performative == "tell":
                self.external(mind, "+", "belief", beliefs.add(mind, literal))
            elif message.performative == "achieve":
                self.external(mind, "+", "achieve", literal)
            else:
                self.signal(mind, literal)
            return
        arguments = (Literal(sender), Literal(message.performative), content, message.ask or Literal("none"))
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
            content = List(tuple(nested(each, message.sender) for each in content.items if isinstance(each, Literal)))
        asked = send.arguments[0]
        if isinstance(asked, List):
            waiting.answers = (*waiting.answers, renamed(content))
            if len(waiting.answers) < len(asked.items):
                return
            content = List(waiting.answers)
        self.goes_on_with_answer(mind, waiting, send.arguments[3], renamed(content))

    def goes_on_with_answer(self, mind: Mind, waiting: Waiting, variable: Term, answer: Term) -> None:
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

    # --- deliberate --------------------------------------------------------------------------------------------------------

    def deliberate(self, mind: Mind) -> None:
        if mind.MB:
            self.mail(mind)
        self._begin(mind)
        self._select_event(mind)

    def _begin(self, mind: Mind) -> None:
        """Waits that are over, deadlines, and what was to happen later."""
        self._expected = len(mind.tasks)
        while mind.tasks:
            due = mind.tasks[0]
            if len(mind.tasks) > self._expected:
                raise Unspecified("what becomes due while things that are due are done")
            self._expected -= 1
            if isinstance(due.what, Waiting):
                self._end_of_wait(mind, due.what, is_done=due.reason == "done")
                continue
            del mind.tasks[0]
            if due.reason == "at":
                self.external(mind, due.what.sign, due.what.kind, due.what.literal)
            elif due.reason == "meta":
                place = sum(each.sign == "^" for each in mind.E)
                mind.E.insert(place, due.what)
                self._test_waits(mind, due.what)
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
            if self.is_time_free and set(free_variables(arguments[2:])) & set(free_variables(waiting.intention[-1].body[1:])):
                raise Unspecified("how much time has passed, where time is free")
            self._goes_on(mind, waiting, instantiated(waiting.intention, found or {}))
        elif waiting.suspended:
            raise Unspecified("the timeout of a wait that is suspended")
        else:
            self.fail(mind, waiting.intention, Literal("wait_timeout"))

    def deadline(self, mind: Mind, goal: Literal) -> None:
        """The time for a goal is over."""
        raise NotImplementedError

    def can_select_event(self, mind: Mind) -> bool:
        return not (mind.AI or atomic_waits(mind)) and bool(mind.AE or mind.E)

    def is_kept_awake(self, mind: Mind) -> bool:
        """By an event that may be selected; those that are put back again and again, as no plan is for them, do not count."""
        events = [*mind.AE, *mind.E]
        if self.requeues:
            events = [each for each in events if each.intention is not None or self._is_relevant(each)]
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
        """Whether the trigger of some plan unifies with the event; goals without a plan fail, so that they do not stay."""
        if event.sign == "+" and event.kind != "belief":
            return True
        return any(
            _may_be_about(each, event.sign, event.kind, event.literal)
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
        error = "no_applicable" if self.planned(event.sign, event.kind, event.literal) else "no_relevant"
        query = Query(mind, self.agents, selected=event, internals=self.internals)
        for plan in self.plans:
            if not _may_be_about(plan, event.sign, event.kind, event.literal):
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
                event.sign, event.kind, applied(event.literal, found), plan.label, plan.is_atomic, applied(body, found),
                applied(returns, found), event.stay, event.intention[0].branches if event.intention and not stack else (),
            )  # fmt: skip
            if event.sign == "+" and event.kind == "achieve":
                self.goal_state(mind, means, "executing")
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
        same = (top.sign, top.kind, indicator(top.trigger)) == ("+", event.kind, indicator(event.literal))
        return same and len(top.body) == 1

    # --- events ------------------------------------------------------------------------------------------------------------

    def planned(self, sign: str, kind: str, literal: Literal) -> bool:
        """Whether there is any plan for such an event: name and arity count."""
        return any(_may_be_about(each, sign, kind, literal) for each in self.plans)

    def external(self, mind: Mind, sign: str, kind: str, literal: Literal | None) -> None:
        """Posts an event that nobody waits for, if there is one."""
        if literal is not None:
            event = Event(sign, kind, renamed(literal))
            mind.E.append(event)
            self._posted(mind, event)

    def internal(self, mind: Mind, event: Event) -> None:
        """Posts an event that an intention waits for."""
        assert event.intention is not None
        (mind.AE if is_atomic(event.intention) else mind.E).append(event)
        self._posted(mind, event)

    def _posted(self, mind: Mind, event: Event) -> None:
        self._test_waits(mind, event)
        if event.sign == "+" and event.kind != "belief":
            self.goal_state(mind, Means("+", "achieve", event.literal, "", False, (), event.literal), "pending")

    def _test_waits(self, mind: Mind, event: Event) -> None:
        for waiting in mind.PI:
            if waiting.reason in ("query", "event") and not waiting.is_over:
                awaited = waiting.intention[-1].body[0].action.arguments[0]
                if waiting.reason == "query":
                    found = next(solutions(awaited, {}, self.query(mind)), None)
                else:
                    found = _happened(trigger_in(awaited), event)
                if found is not None:
                    waiting.intention = instantiated(waiting.intention, found)
                    waiting.is_over, waiting.time = True, None
                    mind.tasks.append(Due("done", waiting))

    # --- failure -----------------------------------------------------------------------------------------------------------

    def fail(self, mind: Mind, intention: Intention, error: Term | None) -> None:
        """The means on top has failed."""
        is_handled = self._search(mind, intention, len(intention) - 1, error)
        if intention[-1].kind != "belief":
            self._observe_failure(mind, intention[-1], intention[:-1], is_handled)
        elif not is_handled and self.observes(intention):
            raise Unspecified("goals below a plan for a belief that fails")

    def _search(self, mind: Mind, intention: Intention, place: int, error: Term | None) -> bool:
        """Down the stack for the first goal whose failure is planned for; without one the whole intention is dropped."""
        while place >= 0:
            means = intention[place]
            if means.stay is not None:
                place = means.stay - 1
            elif means.sign == "+" and means.kind != "belief" and self.planned("-", means.kind, means.trigger):
                break
            else:
                place -= 1
        is_handled = not is_given_up(mind, intention[0].branches, place + 1) and place >= 0
        self.tell_dropped(mind)
        if is_handled:
            means = intention[place]
            self.internal(mind, Event("-", means.kind, _with_error(means.trigger, error), intention, place))
        return is_handled

    def goal_failed(self, mind: Mind, event: Event, error: Term | None, branches: tuple[Branch, ...] | None = None) -> None:
        """The goal of an event has failed: no plan was found, or somebody says so, in an intention that runs some branches."""
        is_handled = self._goal_failed(mind, event, error, branches)
        self._observe_failure(
            mind, Means(event.sign, event.kind, event.literal, "", False, (), event.literal), event.intention or (), is_handled
        )

    def _goal_failed(self, mind: Mind, event: Event, error: Term | None, branches: tuple[Branch, ...] | None) -> bool:
        if branches is None:
            branches = event.intention[0].branches if event.intention else ()
        if self.planned("-", event.kind, event.literal):
            if is_given_up(mind, branches, len(event.intention or ()) + 1):
                return False
            self.tell_dropped(mind)
            literal = _with_error(event.literal, error)
            if event.intention:
                self.internal(mind, Event("-", event.kind, literal, event.intention, len(event.intention)))
            else:
                failed = Event("-", event.kind, literal, stay=0)
                mind.E.append(failed)
                self._test_waits(mind, failed)
            return True
        return bool(event.intention) and self._search(mind, event.intention or (), len(event.intention or ()) - 1, error)

    # --- states of goals ---------------------------------------------------------------------------------------------------

    def goal_state(self, mind: Mind, means: Means, *states: str) -> None:
        """``^!g[state(..)]`` at the beginning of the next cycle, if it is planned for."""
        if means.sign != "^" and means.kind != "belief" and self.planned("^", means.kind, means.trigger):
            for state in states:
                literal = annotated(means.trigger, Literal("state", (Literal(state),)))
                mind.tasks.append(Due("meta", Event("^", means.kind, renamed(literal))))

    def observe_top(self, mind: Mind, intention: Intention, state: str) -> None:
        """The goal on top of an intention that waits, or goes on."""
        if intention[-1].sign == "+":
            self.goal_state(mind, intention[-1], state)

    def achieved(self, mind: Mind, means: Means) -> None:
        self.goal_state(mind, means, "achieved", "finished")

    def cleared(self, mind: Mind, intention: Intention) -> Intention:
        """ClrInt: goals whose plans have ended are achieved."""
        return intentions.cleared(intention, lambda means: self.achieved(mind, means))

    def tell_dropped(self, mind: Mind) -> None:
        """Goals whose intentions were dropped are finished."""
        dropped = [each for each in mind.dropped if self.observes(each)]
        mind.dropped = []
        if len(dropped) > 1:
            raise Unspecified("in which order intentions are dropped")
        for intention in dropped:
            for means in reversed(intention):
                if means.sign == "+":
                    self.goal_state(mind, means, "dropped", "finished")

    def observes(self, intention: Intention) -> bool:
        return any(each.kind != "belief" and self.planned("^", each.kind, each.trigger) for each in intention)

    def expect_unobserved(self, mind: Mind, events: Callable[[Event], bool]) -> None:
        """It is not said what is told of goals that are still pending when they are dropped."""
        pending = [each for each in (*mind.E, *mind.AE, *mind.PE) if each.kind != "belief" and events(each)]
        if any(self.planned("^", each.kind, each.literal) for each in pending):
            raise Unspecified("the state of a pending goal that is dropped")

    def _observe_failure(self, mind: Mind, failed: Means, below: Intention, is_handled: bool) -> None:
        self.goal_state(mind, failed, "failed")
        if is_handled:
            self.goal_state(mind, failed, "executing")
        else:
            self.goal_state(mind, failed, "finished")
            for means in reversed(below):
                self.goal_state(mind, means, "failed", "finished")

    def _observe_result(self, mind: Mind, result: Acting) -> None:
        for means in reversed((mind.AI or mind.I)[-1] if result.intention and (mind.AI or mind.I) else ()):
            self.goal_state(mind, means, "executing")

    # --- act ---------------------------------------------------------------------------------------------------------------

    def results(self, mind: Mind) -> list[Acting]:
        """Those of intentions that are suspended have to wait, and those whose effects the agent has to perceive before."""
        return [each for each in mind.FA if not each.suspended and each.seen]

    def process_result(self, mind: Mind) -> None:
        """ProcAct: one result."""
        for result in self.results(mind)[:1]:
            mind.FA.remove(result)
            assert result.intention is not None
            if result.status == "failed":
                self.fail(mind, result.intention, Literal("action_failed"))
            else:
                ready(mind, self.cleared(mind, without_step(result.intention)))
                self._observe_result(mind, result)

    def can_select_intention(self, mind: Mind) -> bool:
        return not atomic_waits(mind) and bool(mind.AI or mind.I)

    def select_intention(self, mind: Mind) -> None:
        """SelInt."""
        if self.can_select_intention(mind):
            mind.current = (mind.AI or mind.I).pop(0)


def _may_be_about(plan: Plan, sign: str, kind: str, literal: Literal) -> bool:
    trigger = plan.trigger
    if (trigger.operator, trigger.kind) != (sign, kind):
        return False
    return isinstance(trigger.literal, Variable) or indicator(trigger.literal) == indicator(literal)


def trigger_in(term: Term) -> Trigger | None:
    """The trigger that stands in braces; ``{+b}`` is read as a body."""
    match term:
        case Block(Trigger() as trigger):
            return trigger
        case Block((AddBelief(belief=Literal() | Variable() as literal) as step,)):
            return Trigger("+", "belief", literal, span=step.span)
        case Block((RemoveBelief(belief=Literal() | Variable() as literal) as step,)):
            return Trigger("-", "belief", literal, span=step.span)
    return None


def _happened(awaited: Trigger | None, event: Event) -> Substitution | None:
    """The values that an event gives to the variables of the one that is waited for."""
    if awaited is None or (awaited.operator, awaited.kind) != (event.sign, event.kind):
        return None
    return unified(awaited.literal, renamed(event.literal), {})


def _with_error(literal: Literal, error: Term | None) -> Literal:
    """Of the annotations that a failure has, only the kind of error is looked at here."""
    kept = tuple(each for each in items_of(literal.annotations) if not (isinstance(each, Literal) and each.functor == "error"))
    literal = with_annotations(literal, kept)
    failed: Literal = renamed(literal if error is None else annotated(literal, Literal("error", (error,))))
    return failed
