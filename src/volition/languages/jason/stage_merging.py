"""Merging of consecutive stages of the reasoning cycle into one transition (setting ``cycle =
exact``).

A stage is *order-sensitive* (fixed, in the documentation) if it does not commute with the
transitions of other components, changes a queried atom, or has more than one outcome. A merged
transition contains at most one order-sensitive stage, and any number of others. The merged system
is stuttering bisimilar to the one with a transition per stage; see docs/reference/jason.md.

Whether a stage commutes depends on the shared data that it accesses. ``Perceive`` reads percepts.
``Deliberate`` reads the mailbox and expired timers. ``Act`` reads results of actions, may send
messages, and determines whether the agent stays awake.

Every change of a queried atom must be visible in a state between two transitions. For example, ``F
Int(bob, say(hello))`` must hold even if the plan for ``say(hello)`` ends in the same cycle in which
it is selected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

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
    """Possible influences on an agent while it reasons, found by a static analysis of the programs
    and the world: whether other components can change its percepts, whether it can perceive effects
    of its own actions, and whether other agents can send it messages."""

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
    """Return whether a program may send messages to ``agent``. Answers that its default plans send
    do not count."""
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
        case _:
            pass
    return True


def _may_receive_answers(program: AgentProgram) -> bool:
    """Return whether an agent with this program may ask questions, and therefore receive answers.
    The default plans of the agents that it asks send the answers."""
    talks = [
        action for action in _internal_actions(program) if action.functor in (".send", ".broadcast")
    ]
    performatives = [action.arguments[1 if action.functor == ".send" else 0] for action in talks]
    return any(
        not isinstance(each, Literal) or each.functor.startswith("ask") for each in performatives
    )


def _internal_actions(program: AgentProgram) -> Iterator[Literal]:
    """Yield the internal actions in the bodies of all plans. A step that is a variable counts as a
    ``.send`` with unknown arguments."""
    for plan in program.plans:
        for step in steps_in(plan.body):
            if isinstance(step, InternalAction):
                yield step.action
            elif isinstance(step, VariableStep):
                yield Literal(".send", (step.variable, step.variable, step.variable))


def has_actions(program: AgentProgram) -> bool:
    """Return whether an agent with this program may execute actions of the environment."""
    return any(
        isinstance(step, Act | VariableStep)
        for plan in program.plans
        for step in steps_in(plan.body)
    )


def uses_internal_action(program: AgentProgram, *prefixes: str) -> bool:
    """Return whether a plan of a program may execute an internal action whose name begins with one
    of the prefixes. A step that is a variable may be any internal action."""
    unknown = any(
        isinstance(step, VariableStep) for plan in program.plans for step in steps_in(plan.body)
    )
    return unknown or any(each.functor.startswith(prefixes) for each in _internal_actions(program))


def is_order_sensitive(
    stage: Stage, before: AgentState, after: AgentState, interference: Interference
) -> bool:
    """Return whether a stage of the reasoning cycle does not commute with the transitions of other
    components. ``before`` and ``after`` are the agent's states before and after the stage."""
    timers = _timers(before)
    if any(each not in after.waiting for each in timers):
        return True  # the wait was ended or dropped before its timer expired
    match stage:
        case "Perceive":
            return _percepts_can_change(before, interference)
        case "Deliberate":
            return bool(timers) or (
                interference.others_send_messages and not after.had_mail
            )  # if mail is waiting, its first message stays the first
        case "Act" | "asleep":  # a requested action may be executed later anyway
            return (
                after.accesses_shared_state
                or _waits_for_result(before)
                or _sleep_is_order_sensitive(before, after, interference)
            )
        case _:
            assert_never(stage)


def _timers(mind: AgentState) -> list[WaitingEntry]:
    """Return the waiting intentions and tasks of an agent (entries of PI) that have a timer which
    may end now."""
    return [each for each in mind.waiting if each.remaining == 0]


def _sleep_is_order_sensitive(
    before: AgentState, after: AgentState, interference: Interference
) -> bool:
    """Return whether the agent falls asleep at the end of the stage ``Act`` and this does not
    commute with the transitions of other components.

    If percepts change or a timer expires before the stage, the agent stays awake, and its next
    cycle begins with ``Perceive``. If the same happens after the stage, the agent is asleep. When
    it is then woken by a message, a result or a timer, its cycle may begin with ``Deliberate``
    instead, as if it had perceived just before the percepts changed. So the order matters only if
    percepts can change and something other than percepts can wake the agent.
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
    """Return whether another component, or a pending action of the agent, can change what the agent
    perceives."""
    if interference.others_change_percepts:
        return True
    return interference.perceives_own_effects and (
        any(each.stage == "requested" for each in mind.actions) or bool(mind.orphans)
    )


def _waits_for_result(mind: AgentState) -> bool:
    """Return whether a result may still arrive that the stage ``Act`` would process."""
    return len(mind.actions) > len(mind.results)


def completion_is_unobservable(agent: AgentContext, intention: Intention) -> bool:
    """Return whether the success of an intention's current action ends the intention, and no
    property or plan can observe when it ends.

    The environment then ends the intention without reporting a result to the agent. Such a result
    would have only one effect: it would delay the results of other actions. The model lets these
    arrive late anyway. With ``results = after perception`` this argument does not hold, because the
    world waits for the agent; so the function returns False.
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
    """Return whether an agent with this program may query or change its own intentions. Plans for
    meta events count as queries."""
    if uses_internal_action(program, *_INSIDE) or any(
        plan.trigger.operator == "^" for plan in program.plans
    ):
        return True
    return any(each.functor.startswith(_INSIDE) for each in _literals(program))


def has_deadlines(programs: Iterable[AgentProgram]) -> bool:
    """Return whether a goal of any agent may have a deadline (``!g[hard_deadline(ms)]``).

    The programs of all agents are searched, because a goal may be the value of a variable and may
    come from another agent.
    """
    return any(
        each.functor == "hard_deadline" for program in programs for each in _literals(program)
    )


def _literals(program: AgentProgram) -> Iterator[Literal]:
    """Yield all literals in the beliefs, rules, contexts and bodies of a program, including
    literals inside other terms."""
    formulas = [plan.context for plan in program.plans]
    formulas += [
        term for plan in program.plans for step in steps_in(plan.body) for term in terms_of(step)
    ]
    for each in (*program.beliefs, *program.project_beliefs):
        formulas += [each.head, each.body] if isinstance(each, BeliefRule) else [each.literal]
    return (part for each in formulas for part in subterms(each) if isinstance(part, Literal))


@dataclass(frozen=True)
class AtomMonitor:
    """Detector of the stages of an agent's reasoning cycle (perceive, deliberate, act) that change
    a queried atom. Several stages can be merged into one transition, but at most one may change a
    queried atom.

    - ``atoms`` are the atoms of the checked formulas that the agent can change, each with the
      structures of the agent's state that it depends on.
    - ``actions`` are the slots of the atoms ``Does``. Each says whether the last transition
      executed an action. Actions are executed by transitions of the environment, so every
      transition of an agent sets these slots to False.
    """

    atoms: tuple[tuple[Callable[[_BufferedView], bool], frozenset[str]], ...] = ()
    actions: tuple[str, ...] = ()

    def detects_change(self, before: AgentState, after: AgentState, *, first: bool) -> bool:
        """Return whether a stage changes the truth value of a queried atom. The ``first`` stage of
        a transition also resets the atoms ``Does`` that the previous transition made true."""
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
    """View of a state while a transition is computed, including the slots that the transition has
    already written."""

    def __init__(self, mind: AgentState) -> None:
        self._mind = mind

    def __getitem__(self, slot: str, /) -> object:
        return self._mind.read(slot)
