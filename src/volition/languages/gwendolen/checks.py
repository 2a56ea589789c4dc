"""Warnings about Gwendolen agents: constructs that are legal but probably errors, such as goals
without a plan or messages to unknown agents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, assert_never

from volition.diagnostics import Diagnostics, Span, did_you_mean
from volition.languages.gwendolen.syntax import (
    Act,
    AddBelief,
    AddGoal,
    AgentProgram,
    Atom,
    BeliefGuard,
    Derivable,
    DropGoal,
    Goal,
    Lock,
    Plan,
    RemoveBelief,
    Send,
    Unlock,
    WaitFor,
)
from volition.languages.world.interface import EmptyWorld, World, spelling_hint
from volition.languages.world.terms import Structure, Term, Variable, predicate

__all__ = ["check_agents"]

_BUILT_IN = ("member/2",)
_SHARE_ACTION = "assert_shared"
_REQUEST_ACTIONS = ("perf", "query")


def check_agents(
    agents: Mapping[str, AgentProgram], world: World, diagnostics: Diagnostics
) -> None:
    """Add warnings about goals, plans, messages, actions and beliefs that are probably errors to
    ``diagnostics``."""
    for name in agents:
        _AgentChecker(name, agents, world, diagnostics).check()


class _AgentChecker:
    def __init__(
        self, name: str, agents: Mapping[str, AgentProgram], world: World, diagnostics: Diagnostics
    ) -> None:
        self._name = name
        self._agents = agents
        self._program = agents[name]
        self._world = world
        self._diagnostics = diagnostics

    def check(self) -> None:
        self._check_goals()
        self._check_unset_goals()
        self._check_hidden_plans()
        self._check_recipients()
        self._check_actions()
        self._check_beliefs()

    def _warning(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self._diagnostics.warning(code, message, span, hint=hint)

    # --- checks of goals and plans ----------------------------------------------------------------

    def _check_goals(self) -> None:
        """Warn about goals that the agent posts although it has no plan for them. Posting such a
        goal only raises the failure event ``-!g``."""
        for goal, span in self._posted():
            if not isinstance(goal.atom, Structure) or goal.type in self._planned_types:
                continue
            what = predicate(goal.atom)
            if (what, goal.type) not in self._planned:
                others = [other for known, other in self._planned if known == what]
                same = f"there are plans for {what} [{others[0]}]" if others else None
                hint = same or spelling_hint(goal.atom, (known for known, _ in self._planned))
                self._warning(
                    "GWN030",
                    f"no plan of {self._name} handles the goal {what} [{goal.type}]",
                    span,
                    hint,
                )

    def _check_unset_goals(self) -> None:
        """Warn about plans for goals that the agent never posts. These plans are never used."""
        settable = self._settable
        if settable is None:
            return
        reported: set[tuple[str, str | None]] = set()
        for plan in self._program.plans:
            trigger = plan.trigger
            if trigger.kind != "goal" or not isinstance(trigger.content, Structure):
                continue
            goal = (predicate(trigger.content), trigger.type)
            if goal not in settable and goal not in reported:
                reported.add(goal)
                others = [other for known, other in settable if known == goal[0]]
                same = f"it is posted as {goal[0]} [{others[0]}]" if others else None
                hint = same or spelling_hint(trigger.content, (known for known, _ in settable))
                self._warning(
                    "GWN036",
                    f"this plan is never used: nothing posts the goal {goal[0]} [{goal[1]}]",
                    trigger.span,
                    hint,
                )

    @cached_property
    def _settable(self) -> frozenset[tuple[str, str | None]] | None:
        """Return the goals that the agent may adopt. Each is a pair of a predicate, such as
        ``at/1``, and a goal type (achieve or perform). Return None if the agent may adopt any goal.
        """
        found: set[tuple[str, str | None]] = set()
        for goal, _ in self._program.goals:
            if isinstance(goal.atom, Structure):
                found.add((predicate(goal.atom), goal.type))
        for plan in self._program.plans:
            for deed in plan.body:
                if not isinstance(deed, AddGoal):
                    continue
                is_forwarded = (
                    plan.trigger.kind == "received" and deed.goal.atom == plan.trigger.content
                )
                for atom in self._received_contents(plan) if is_forwarded else [deed.goal.atom]:
                    if isinstance(atom, Variable):
                        return None
                    if isinstance(atom, Structure):
                        found.add((predicate(atom), deed.goal.type))
        return frozenset(found)

    def _posted(self) -> Iterator[tuple[Goal, Span]]:
        yield from self._program.goals
        yield from (
            (deed.goal, deed.span)
            for plan in self._program.plans
            for deed in plan.body
            if isinstance(deed, AddGoal)
        )

    @cached_property
    def _planned(self) -> frozenset[tuple[str, str | None]]:
        triggers = [
            each.trigger
            for each in self._program.plans
            if each.trigger.kind == "goal" and each.trigger.sign == "+"
        ]
        return frozenset(
            (predicate(each.content), each.type)
            for each in triggers
            if isinstance(each.content, Structure)
        )

    @cached_property
    def _planned_types(self) -> frozenset[str | None]:
        """Return the goal types (achieve, perform) for which the agent has a plan that handles
        every goal of that type: a plan with a variable in its trigger, such as ``+!G [achieve]``.
        """
        triggers = [each.trigger for each in self._program.plans]
        return frozenset(
            each.type
            for each in triggers
            if each.kind == "goal" and isinstance(each.content, Variable)
        )

    def _check_hidden_plans(self) -> None:
        """Warn about plans for messages that are never used, because an earlier plan handles every
        message with the same performative.

        Plans for messages are tried in program order (point 4 of ``docs/reference/gwendolen.md``).
        """
        catch_all: dict[str | None, Plan] = {}
        for plan in self._program.plans:
            if plan.trigger.kind != "received":
                continue
            if first := catch_all.get(plan.trigger.performative):
                message = (
                    f"this plan is never used: the plan in line {first.span.line} handles every "
                    f":{plan.trigger.performative} message"
                )
                self._warning("GWN031", message, plan.trigger.span, "move this plan above that one")
            elif isinstance(plan.trigger.content, Variable) and not plan.guard:
                catch_all[plan.trigger.performative] = plan

    # --- checks of messages and actions -----------------------------------------------------------

    def _check_recipients(self) -> None:
        reported: set[str] = set()
        for deed in self._deeds(Send):
            name = deed.recipient.functor if isinstance(deed.recipient, Structure) else None
            if name is not None and name not in self._agents and name not in reported:
                reported.add(name)
                self._warning(
                    "GWN032",
                    f"there is no agent '{name}': this message is lost",
                    deed.span,
                    did_you_mean(name, self._agents),
                )

    def _check_actions(self) -> None:
        known = [predicate(each) for each in self._world.actions or ()]
        for deed in self._deeds(Act):
            if predicate(deed.action) not in known and (hint := spelling_hint(deed.action, known)):
                what = predicate(deed.action)
                self._warning(
                    "GWN034",
                    f"the world does not define the action {what}: it succeeds without effect",
                    deed.span,
                    hint,
                )

    def _deeds(self, kind: type) -> Iterator[Any]:
        return (
            deed for plan in self._program.plans for deed in plan.body if isinstance(deed, kind)
        )

    # --- checks of beliefs ------------------------------------------------------------------------

    def _check_beliefs(self) -> None:
        believed = self._believed
        if believed is None:
            return
        unknown = [each for each in self._queried_beliefs() if predicate(each.atom) not in believed]
        if isinstance(self._world, EmptyWorld):
            if missing := dict.fromkeys(predicate(each.atom) for each in unknown if each.needed):
                message = (
                    f"there is no world: {self._name} perceives nothing and never "
                    f"believes {', '.join(missing)}"
                )
                self._warning(
                    "GWN033",
                    message,
                    self._program.span,
                    "describe the world in a file of the same name that ends in .world",
                )
            unknown = [
                each
                for each in unknown
                if predicate(each.atom) not in missing and spelling_hint(each.atom, believed)
            ]
        reported: set[str] = set()
        for atom, span, _ in unknown:
            if predicate(atom) not in reported:
                reported.add(predicate(atom))
                self._warning(
                    "GWN033",
                    f"{self._name} never believes {predicate(atom)}",
                    span,
                    spelling_hint(atom, believed),
                )

    def _queried_beliefs(self) -> Iterator[_QueriedBelief]:
        """Yield the beliefs that the agent's program refers to in rules, triggers, guards, waits
        and belief removals. If one of them is misspelt, the agent behaves differently."""
        for rule in self._program.rules:
            needed = {each.atom for each in rule.body if isinstance(each, Derivable)}
            for atom in rule.atoms:
                yield from _queried_belief(atom, rule.span, needed=atom in needed)
        for plan in self._program.plans:
            if plan.trigger.kind == "belief":
                yield from _queried_belief(plan.trigger.content, plan.trigger.span)
            for each in plan.guard:
                if isinstance(each.atom, BeliefGuard):
                    yield from _queried_belief(each.atom.atom, each.span, needed=each.positive)
            for deed in plan.body:
                match deed:
                    case WaitFor(atom, positive):
                        yield from _queried_belief(atom, deed.span, needed=positive)
                    case RemoveBelief(atom):
                        yield from _queried_belief(atom, deed.span, needed=False)
                    case AddBelief() | AddGoal() | DropGoal() | Lock() | Unlock() | Send() | Act():
                        pass
                    case _:
                        assert_never(deed)

    @cached_property
    def _believed(self) -> frozenset[str] | None:
        """Return the predicates, such as ``bid/2``, that the agent may believe, or None if it may
        believe any."""
        perceived = self._world.predicates
        if perceived is None:
            return None
        own: list[Term] = [
            *perceived,
            *(atom for atom, _ in self._program.beliefs),
            *(rule.head for rule in self._program.rules),
        ]
        shared = [term for agent in self._agents.values() for term in _shared(agent)]
        added: list[Term] = []
        for plan in self._program.plans:
            for deed in plan.body:
                if isinstance(deed, AddBelief):
                    added += (
                        self._received_contents(plan)
                        if plan.trigger.kind == "received" and deed.atom == plan.trigger.content
                        else [deed.atom]
                    )
        found = [*own, *shared, *added]
        if any(isinstance(each, Variable) for each in found):
            return None
        return frozenset(
            (*(predicate(each) for each in found if isinstance(each, Structure)), *_BUILT_IN)
        )

    def _received_contents(self, plan: Plan) -> Iterable[Term]:
        """Return the terms that a plan for messages may add as beliefs or goals.

        If the content in the plan's trigger is a variable, these are the contents of all messages
        that agents of the system may send to this agent.
        """
        if isinstance(plan.trigger.content, Structure):
            return [plan.trigger.content]
        sent = [
            deed
            for agent in self._agents.values()
            for each in agent.plans
            for deed in each.body
            if isinstance(deed, Send)
        ]
        contents = [
            each.content
            for each in sent
            if each.performative == plan.trigger.performative and self._may_get(each)
        ]
        return (
            [*contents, *self._requests_to_engine()]
            if plan.trigger.performative == "perform"
            else contents
        )

    def _requests_to_engine(self) -> Iterator[Term]:
        """Yield the actions that the checked agent may be asked to do if it is an abstraction
        engine. These are the arguments of ``perf`` and ``query`` in the plans of the agent that it
        serves (point 33 of ``docs/reference/gwendolen.md``)."""
        owner = self._agents.get(self._program.abstracts or "")
        for plan in owner.plans if owner is not None else ():
            for deed in plan.body:
                if (
                    isinstance(deed, Act)
                    and deed.action.functor in _REQUEST_ACTIONS
                    and len(deed.action.arguments) == 1
                ):
                    yield deed.action.arguments[0]

    def _may_get(self, deed: Send) -> bool:
        return isinstance(deed.recipient, Variable) or deed.recipient == Structure(self._name)


class _QueriedBelief(NamedTuple):
    """Belief that a construct of the program refers to, such as a guard or a deed that waits.

    ``needed`` is True if the construct requires that the atom is believed, and False if it also
    works, or only works, while the atom is not believed.
    """

    atom: Structure
    span: Span
    needed: bool


def _queried_belief(atom: Atom, span: Span, *, needed: bool = True) -> Iterator[_QueriedBelief]:
    if isinstance(atom, Structure):
        yield _QueriedBelief(atom, span, needed)


def _shared(agent: AgentProgram) -> Iterator[Term]:
    for plan in agent.plans:
        for deed in plan.body:
            if isinstance(deed, Act) and deed.action.functor == _SHARE_ACTION:
                yield from deed.action.arguments
