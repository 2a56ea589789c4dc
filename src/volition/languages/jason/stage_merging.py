"""Which parts of a cycle make one step (``cycle = exact``): those between which nobody can tell
whether something else happened.

A part is *fixed* if it matters when it happens.  One that is not can be turned round with whatever
others do before or after it, changes nothing that formulas ask about, and can turn out in one way
only: with it or without it, the system can go on in the same ways.  So a step may have as many of
these as there are, and one fixed part at most.  That is a stuttering bisimulation, for which see
docs/reference/jason.md.

What an agent shares with others decides: ``Perceive`` reads percepts; ``Deliberate`` reads the
mailbox and which timers have ended; ``Act`` reads results, may send, and finds out whether there is
a reason to stay awake.  A part that changes what formulas ask about is fixed, too: ``F Int(bob,
say(hello))`` holds of a plan that ends in the cycle in which it is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from volition.languages.jason.agent_state import AgentContext, AgentState
from volition.languages.jason.environment import may_perceive_anything
from volition.languages.jason.state import ASLEEP, Intention, Stage, WaitingEntry
from volition.languages.jason.syntax import (
    Act,
    AgentProgram,
    BeliefRule,
    InternalAction,
    VariableStep,
)
from volition.languages.jason.terms import List, Literal, Term
from volition.languages.jason.traversal import steps_in, subterms, terms_of
from volition.languages.world.interface import World

__all__ = [
    "AtomMonitor",
    "Interference",
    "completion_is_unobservable",
    "has_actions",
    "has_deadlines",
    "inspects_intentions",
    "is_order_sensitive",
    "uses_internal_action",
]


@dataclass(frozen=True)
class Interference:
    """What others can do to an agent at all."""

    others_change_percepts: bool
    perceives_own_effects: bool
    others_send_messages: bool

    @classmethod
    def of(cls, agent: str, programs: Mapping[str, AgentProgram], world: World) -> Interference:
        others = [program for name, program in programs.items() if name != agent]
        sees = may_perceive_anything(agent, world)
        moved = (
            any(has_actions(each) for each in others)
            or world.has_spontaneous_transitions
            or world.perceives_free_percepts(agent)
        )
        own = programs[agent]
        subscribes = uses_internal_action(own, ".df_subscribe") and any(
            uses_internal_action(each, ".df_register") for each in others
        )
        sends = (
            subscribes
            or _may_receive_answers(own)
            or any(_may_send(each, agent) for each in others)
        )
        return cls(sees and moved, sees and has_actions(own), sends)


def _may_send(program: AgentProgram, agent: str) -> bool:
    """Whether an agent may send something to another one, beside answers."""
    return any(
        action.functor == ".broadcast"
        or (action.functor == ".send" and _may_be(action.arguments[0], agent))
        for action in _internal_actions(program)
    )


def _may_be(receiver: Term, agent: str) -> bool:
    match receiver:
        case Literal(functor, ()):
            return functor == agent
        case List(items, None):
            return any(_may_be(each, agent) for each in items)
    return True


def _may_receive_answers(program: AgentProgram) -> bool:
    """Whether an agent may get answers: those of the default plans are sent by whoever is asked."""
    talks = [
        action for action in _internal_actions(program) if action.functor in (".send", ".broadcast")
    ]
    performatives = [action.arguments[1 if action.functor == ".send" else 0] for action in talks]
    return any(
        not isinstance(each, Literal) or each.functor.startswith("ask") for each in performatives
    )


def _internal_actions(program: AgentProgram) -> Iterator[Literal]:
    """The internal actions of plans, and in the place of each variable that is a step one that may
    do anything."""
    for plan in program.plans:
        for step in steps_in(plan.body):
            if isinstance(step, InternalAction):
                yield step.action
            elif isinstance(step, VariableStep):
                yield Literal(".send", (step.variable, step.variable, step.variable))


def has_actions(program: AgentProgram) -> bool:
    """Whether an agent may do something to the environment."""
    return any(
        isinstance(step, Act | VariableStep)
        for plan in program.plans
        for step in steps_in(plan.body)
    )


def uses_internal_action(program: AgentProgram, *prefixes: str) -> bool:
    """Whether a plan has an internal action whose name begins like one of these, or a variable as a
    step, which may be one."""
    unknown = any(
        isinstance(step, VariableStep) for plan in program.plans for step in steps_in(plan.body)
    )
    return unknown or any(each.functor.startswith(prefixes) for each in _internal_actions(program))


def is_order_sensitive(
    stage: Stage, before: AgentState, after: AgentState, interference: Interference
) -> bool:
    """Whether somebody could tell a part from the same part a little earlier or later."""
    timers = _timers(before)
    if any(each not in after.waiting for each in timers):
        return True  # what was waited for has come, or is given up, before its time was over
    match stage:
        case "Perceive":
            return _percepts_can_change(before, interference)
        case "Deliberate":
            return bool(timers) or (
                interference.others_send_messages and not after.had_mail
            )  # with mail waiting, the first message stays the first
        case _:  # a request may be carried out later anyway
            return (
                after.accesses_shared_state
                or _waits_for_result(before)
                or _sleep_is_order_sensitive(before, after, interference)
            )


def _timers(mind: AgentState) -> list[WaitingEntry]:
    """Those that may end now."""
    return [each for each in mind.waiting if each.remaining == 0]


def _sleep_is_order_sensitive(
    before: AgentState, after: AgentState, interference: Interference
) -> bool:
    """Whether an agent that falls asleep would not have, if something had happened before, and this
    matters.

    Who is awake perceives before anything else.  Who is woken by more than other percepts may have
    looked just before they changed.
    """
    if after.part != ASLEEP:
        return False
    if _timers(before) and _percepts_can_change(after, interference):
        return True
    may_be_woken = (
        interference.others_send_messages
        or bool(after.actions)
        or any(each.remaining is not None for each in after.waiting)
    )
    return may_be_woken and _percepts_can_change(before, interference)


def _percepts_can_change(mind: AgentState, interference: Interference) -> bool:
    """Whether somebody else, or an action of its own under way, can change what the agent
    perceives."""
    if interference.others_change_percepts:
        return True
    return interference.perceives_own_effects and (
        any(each.stage == "requested" for each in mind.actions) or bool(mind.orphans)
    )


def _waits_for_result(mind: AgentState) -> bool:
    """Whether a result may come that this cycle would still hear of."""
    return len(mind.actions) > len(mind.results)


def completion_is_unobservable(agent: AgentContext, intention: Intention) -> bool:
    """Whether an intention ends with the action that is its current step, and nobody can tell when.

    The result of such an action changes nothing but that others are heard later, which may be
    anyway; unless the world waits for it.
    """
    if (
        agent.intentions_are_observed
        or agent.settings.results == "after perception"
        or intention.is_atomic
        or intention.branch is not None
    ):
        return False
    return all(len(each.body) == 1 for each in intention.stack)


_INSIDE = (".desire", ".intend", ".suspend", ".resume", ".drop", ".succeed_goal", ".fail_goal")


def inspects_intentions(program: AgentProgram) -> bool:
    """Whether an agent may ask itself which intentions it has, or change them; meta events tell of
    them too."""
    if uses_internal_action(program, *_INSIDE) or any(
        plan.trigger.operator == "^" for plan in program.plans
    ):
        return True
    return any(each.functor.startswith(_INSIDE) for each in _literals(program))


def has_deadlines(programs: Iterable[AgentProgram]) -> bool:
    """Whether a goal may have to be reached in time: goals may be values of variables, and come
    from others."""
    return any(
        each.functor == "hard_deadline" for program in programs for each in _literals(program)
    )


def _literals(program: AgentProgram) -> Iterator[Literal]:
    """All literals of beliefs, rules, contexts and bodies, and those inside of them."""
    formulas = [plan.context for plan in program.plans]
    formulas += [
        term for plan in program.plans for step in steps_in(plan.body) for term in terms_of(step)
    ]
    for each in (*program.beliefs, *program.project_beliefs):
        formulas += [each.head, each.body] if isinstance(each, BeliefRule) else [each.literal]
    return (part for each in formulas for part in subterms(each) if isinstance(part, Literal))


@dataclass(frozen=True)
class AtomMonitor:
    """The atoms of the checked formulas that an agent's steps can change, each with the structures
    that it is read from.

    ``actions`` are the slots of ``Does``, which are False after every step of an agent.
    """

    atoms: tuple[tuple[Callable[[_BufferedView], bool], frozenset[str]], ...] = ()
    actions: tuple[str, ...] = ()

    def detects_change(self, before: AgentState, after: AgentState, *, first: bool) -> bool:
        """Whether a part of a cycle changes the truth of an atom; the first one of a step ends what
        was done in the step before."""
        if not self.atoms:
            return False
        if first and any(before.read(slot) for slot in self.actions):
            return True
        changed = {
            name
            for name in _STRUCTURES
            if after.writes.get(after.slot_of(name)) is not before.writes.get(before.slot_of(name))
        }
        return any(
            atom(_BufferedView(before)) != atom(_BufferedView(after))
            for atom, read_from in self.atoms
            if read_from & changed
        )


_STRUCTURES = ("beliefs", "events", "running", "acting", "waiting", "due", "shelved")


class _BufferedView:
    """The state in the middle of a step."""

    def __init__(self, mind: AgentState) -> None:
        self._mind = mind

    def __getitem__(self, slot: str, /) -> object:
        return self._mind.read(slot)
