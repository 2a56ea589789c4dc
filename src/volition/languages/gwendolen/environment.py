"""Environment of the agents: their percepts, the effects of their actions, and the delivery of
messages.

An EASS agent with an abstraction engine perceives only the beliefs that it shares with the engine.
The engine also perceives the world, and performs the actions that the agent requests (point 33 of
``docs/reference/gwendolen.md``). An agent without an engine perceives and acts itself. Free
percepts are percepts that the world chooses nondeterministically.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from volition.diagnostics import Diagnostic, InputError
from volition.kernel.system import SlotView, Weight
from volition.languages.common.slots import Slot
from volition.languages.gwendolen.builtin_actions import BUILTIN, INVISIBLE_ACTIONS
from volition.languages.gwendolen.inference import instantiate
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.state import NO_PLAN_YET, AgentSlots, Message, mind_slot
from volition.languages.gwendolen.syntax import PERFORMATIVE_NUMBERS, AgentProgram, Performative
from volition.languages.world.interface import (
    OUTPUT_VARIABLE_PREFIX,
    World,
    WorldTransition,
    split_answers,
)
from volition.languages.world.semantics import PERCEPTS
from volition.languages.world.terms import Bindings, Structure, Term, predicate, rename, show, unify

__all__ = ["PERCEPT_PHASE", "ActionResult", "AgentEnvironment", "sort_percepts"]

PERCEPT_PHASE = Slot("rounds", "counter")
"""Slot that records how far the choice of the free percepts is. (The world chooses free percepts
nondeterministically.) It is used if the option ``redraw`` is ``acted`` or ``acted_and_asleep``.

- :data:`INITIAL`: the free percepts have not been chosen yet.
- :data:`CHOSEN`: they have been chosen.
- :data:`FINAL`: they have been removed, because the agent has nothing left to do.
"""
INITIAL, CHOSEN, FINAL = "not yet", "drawn", "last"

_PRINTED = ("printstate", "printagentstate")
_SHARING = ("assert_shared", "remove_shared")
_REQUESTS = ("perf", "query")


@dataclass(frozen=True)
class ActionResult:
    """Probability distribution over the outcomes of an action. An outcome has slot writes and
    bindings of the action's variables. An action has several results if it is nondeterministic."""

    text: str
    outcomes: tuple[tuple[Weight, Mapping[str, object], Bindings], ...]
    drawn: bool = False
    """Whether the world chose the free percepts again after the action. (Free percepts are those
    that the world chooses nondeterministically.)"""


@dataclass(frozen=True)
class AgentEnvironment:
    """Environment shared by all agents of a system: the world, plus shared beliefs and messages."""

    agents: Mapping[str, AgentProgram]
    world: World
    options: Settings
    predicates: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def abstraction_engines(self) -> Mapping[str, str]:
        """Return the name of the abstraction engine of each agent that has one (EASS)."""
        return {
            each.abstracts: name
            for name, each in self.agents.items()
            if each.abstracts is not None and each.abstracts in self.agents
        }

    def shared_belief_owner(self, agent: str) -> str:
        """Return the agent whose shared beliefs ``agent`` perceives: for an abstraction engine the
        agent that it serves, else ``agent`` itself."""
        abstracts = self.agents[agent].abstracts
        return agent if abstracts is None or abstracts not in self.agents else abstracts

    # --- percepts of agents -----------------------------------------------------------------------

    @property
    def slots(self) -> dict[str, object]:
        slots: dict[str, object] = dict(sort_percepts(self.world.slots))
        if self._choose_percepts_after_actions:
            slots[PERCEPT_PHASE] = INITIAL
        return slots

    @cached_property
    def _choose_percepts_after_actions(self) -> bool:
        return self.world.has_free_percepts and self.options.redraw in ("acted", "acted_and_asleep")

    def keeps_perceiving(self, agent: str) -> bool:
        """Return whether an agent without anything to do keeps perceiving instead of falling
        asleep. It does so if the world may change its percepts at any time."""
        return self._perceives_free_percepts(agent) and not self._choose_percepts_after_actions

    def _perceives_free_percepts(self, agent: str) -> bool:
        if agent in self.abstraction_engines:
            return False
        return any(
            self.world.perceives_free_percepts(each)
            for each in {agent, self.shared_belief_owner(agent)}
        )

    @cached_property
    def perceivable(self) -> frozenset[str] | None:
        """Return the predicates, such as ``at/1``, that agents can perceive, or None if the world
        does not declare its predicates."""
        if self.world.predicates is None:
            return None
        shared = {predicate(atom) for atom in self._shareable()}
        return frozenset({predicate(each) for each in self.world.predicates} | shared)

    def _shareable(self) -> Iterator[Structure]:
        for agent in self.agents.values():
            for plan in agent.plans:
                for deed in plan.body:
                    action = getattr(deed, "action", None)
                    if isinstance(action, Structure) and action.functor in _SHARING:
                        yield from (
                            each for each in action.arguments if isinstance(each, Structure)
                        )

    def percepts(self, state: SlotView, agent: str) -> tuple[Structure, ...]:
        """Return the current percepts of an agent, sorted by printed form."""
        owner = self.shared_belief_owner(agent)
        shared: Sequence[Structure] = (
            state[mind_slot(owner, "shared")] if self.agents[agent].cycle == "eass" else ()
        )
        seen = () if agent in self.abstraction_engines else self.world.percepts(state, agent)
        if owner != agent:
            seen = (*seen, *self.world.percepts(state, owner))
        return tuple(sorted({*shared, *seen}, key=show))

    def percept_choices(self, mind: AgentSlots) -> Sequence[WorldTransition]:
        """Return the possible new choices of the free percepts (those that the world chooses
        nondeterministically) before this agent perceives. Return an empty sequence if the option
        ``redraw`` requires no new choice now."""
        if not self._perceives_free_percepts(mind.name):
            return ()
        match self.options.redraw:
            case "handled":
                due = all(self._belief_events_done(mind.of(agent)) for agent in self.agents)
            case "noticed":
                due = all(self._belief_events_planned(mind.of(agent)) for agent in self.agents)
            case "always":
                due = True
            case "acted" | "acted_and_asleep":
                due = mind.read(PERCEPT_PHASE) == INITIAL
            case _:
                assert_never(self.options.redraw)
        return self.world.free_percept_choices(mind.state) if due else ()

    def apply_percept_choice(self, mind: AgentSlots, draw: WorldTransition) -> None:
        """Set the free percepts (those that the world chooses nondeterministically) as ``draw``, a
        transition of the world, says. The agent ``mind`` perceives next in any case. Any other
        agent perceives again if its percepts have changed."""
        for slot, value in _percept_writes(draw).items():
            mind.write(slot, value)
        self.invalidate_percepts(mind, mind.state)
        mind.informed = False  # this agent perceives next in any case

    def percepts_chosen(self, mind: AgentSlots) -> None:
        """Record that the world has chosen the free percepts for the first time. From now on they
        are chosen after actions. This matters only if the option ``redraw`` is ``acted`` or
        ``acted_and_asleep``.

        With ``acted_and_asleep``, the agent will perceive once more. This is as in MCAPL's
        environments, which do not mark the agent as up to date after the first choice (point 14 of
        ``docs/reference/gwendolen.md``).
        """
        if self._choose_percepts_after_actions:
            mind.write(PERCEPT_PHASE, CHOSEN)
            mind.informed = self.options.redraw == "acted"

    def clear_percepts_when_idle(self, mind: AgentSlots) -> bool:
        """Remove all free percepts (those that the world chooses nondeterministically) of an agent
        that has nothing left to do. Do this only if the option ``redraw`` is ``acted_and_asleep``,
        as MCAPL's environments do.

        Return whether the agent had percepts. If so, it perceives once more before it falls asleep
        (point 29 of ``docs/reference/gwendolen.md``).
        """
        if (
            self.options.redraw != "acted_and_asleep"
            or not self.world.has_free_percepts
            or mind.read(PERCEPT_PHASE) != CHOSEN
        ):
            return False
        mind.write(PERCEPT_PHASE, FINAL)
        if not self.percepts(mind, mind.name):
            return False
        self.apply_percept_choice(mind, self.world.free_percept_choices(mind.state)[0])
        return True

    def is_final_round(self, mind: AgentSlots) -> bool:
        return self._choose_percepts_after_actions and mind.read(PERCEPT_PHASE) == FINAL

    def _belief_events_done(self, mind: AgentSlots) -> bool:
        """Return whether the agent has handled all belief events and percepts: no runnable
        intention began with one of them.

        With the option ``redraw = handled``, free percepts are chosen again only if this holds
        (point 34 of ``docs/reference/gwendolen.md``).
        """
        current = mind.current
        intentions = (*mind.others, *(() if current is None else (current,)))
        return not any(each.has_belief_root and not each.suspended for each in intentions)

    def _belief_events_planned(self, mind: AgentSlots) -> bool:
        """Return whether the agent has noticed all changes of its percepts. It has not if an
        intention has, as its next event, a perceived change that is not believed yet or a belief
        event without a plan.

        With the option ``redraw = noticed``, free percepts are chosen again only if this holds.
        """
        current = mind.current
        tops = [
            each.top
            for each in (*mind.others, *(() if current is None else (current,)))
            if each.rows
        ]
        return not any(
            top.event.kind == "percept" or (top.event.kind == "belief" and top.deed == NO_PLAN_YET)
            for top in tops
        )

    def invalidate_percepts(
        self, mind: AgentSlots, before: SlotView, *, drawn: bool = False
    ) -> None:
        """Wake every agent whose percepts differ from those in the state ``before``, and record
        that it has to perceive again. If ``drawn`` is set, do so for all agents."""
        for agent in self.agents:
            if drawn or self.percepts(mind, agent) != self.percepts(before, agent):
                other = mind.of(agent)
                other.informed, other.asleep = False, False

    # --- delivery of messages ---------------------------------------------------------------------

    def deliver(
        self, mind: AgentSlots, recipient: str, performative: Performative, content: Term
    ) -> None:
        """Put a message into the recipient's inbox and wake the recipient. A message to an unknown
        agent is lost."""
        if recipient not in self.agents:
            return
        other = mind.of(recipient)
        if self.options.mailbox == "queue":
            other.inbox = (*other.inbox, Message(recipient, performative, content))
        elif (message := Message(recipient, performative, content, mind.name)) not in other.inbox:
            other.inbox = tuple(sorted((*other.inbox, message), key=_mail_order))
        other.asleep = False

    # --- execution of actions ---------------------------------------------------------------------

    def execute_action(self, mind: AgentSlots, action: Structure) -> Sequence[ActionResult]:
        """Return the alternative results of an action; an empty sequence means that the action
        fails."""
        agent = mind.name
        if action.functor in INVISIBLE_ACTIONS:
            return [_no_effect(action)]
        if (
            action.functor in _SHARING
            and len(action.arguments) == 1
            and self.agents[agent].cycle == "eass"
        ):
            return [self._share(mind, action)]
        if (
            action.functor in _REQUESTS
            and agent in self.abstraction_engines
            and len(action.arguments) == 1
        ):
            return [self._ask_engine(mind, action)]
        effects = (
            self._computed(action)
            if action.functor in BUILTIN
            else self._in_world(mind, agent, action)
        )
        return (
            [each for effect in effects for each in self._with_percept_choices(mind, effect)]
            if self._choose_percepts_after_actions
            else effects
        )

    def _share(self, mind: AgentSlots, action: Structure) -> ActionResult:
        (atom,) = action.arguments
        slot = mind_slot(self.shared_belief_owner(mind.name), "shared")
        shared: tuple[Structure, ...] = mind.read(slot)
        if action.functor == "assert_shared" and isinstance(atom, Structure):
            then = tuple(sorted({*shared, atom}, key=show))
        else:
            then = tuple(each for each in shared if unify(atom, each, {}) is None)
        return ActionResult(f"does {show(action)}", ((1, {slot: then}, {}),))

    def _ask_engine(self, mind: AgentSlots, action: Structure) -> ActionResult:
        query = AgentSlots(mind.name, mind, self.predicates)
        self.deliver(query, self.abstraction_engines[mind.name], "perform", action.arguments[0])
        return ActionResult(f"does {show(action)}", ((1, query.writes, {}),))

    @staticmethod
    def _computed(action: Structure) -> list[ActionResult]:
        answer = BUILTIN[action.functor](action)
        return [] if answer is None else [_no_effect(action, answer)]

    def _in_world(self, mind: AgentSlots, agent: str, action: Structure) -> list[ActionResult]:
        known = self.world.actions
        if action.functor in _PRINTED or (
            known is not None and predicate(action) not in map(predicate, known)
        ):
            return [_no_effect(action)]
        names: dict[str, str] = {}
        query = rename(action, names, OUTPUT_VARIABLE_PREFIX)
        assert isinstance(query, Structure)
        own = {new: old for old, new in names.items()}
        effects = []
        for move in self.world.execute(mind.state, agent, query):
            split = [
                (weight, *split_answers(sort_percepts(writes))) for weight, writes in move.outcomes
            ]
            outcomes = tuple(
                (weight, writes, {own[name]: value for name, value in given.items() if name in own})
                for weight, writes, given in split
            )
            answers = {show(instantiate(action, given)) for _, _, given in outcomes}
            text = move.text.replace(
                show(query), answers.pop() if len(answers) == 1 else show(action)
            )
            effects.append(ActionResult(text, outcomes))
        return effects

    def _with_percept_choices(
        self, mind: AgentSlots, effect: ActionResult
    ) -> Iterator[ActionResult]:
        """Combine a result of an action with each possible new choice of the free percepts (those
        that the world chooses nondeterministically). Yield one result for each choice."""
        for draw in self.world.free_percept_choices(mind.state):
            drawn = _percept_writes(draw)
            outcomes = tuple(
                (weight, {**writes, **drawn, PERCEPT_PHASE: CHOSEN}, given)
                for weight, writes, given in effect.outcomes
            )
            yield ActionResult(f"{effect.text}; then {draw.text}", outcomes, drawn=True)


def _mail_order(message: Message) -> tuple[str, int, str]:
    return message.sender or "", PERFORMATIVE_NUMBERS[message.performative], show(message.content)


def _percept_writes(draw: WorldTransition) -> Mapping[str, Hashable]:
    """Return the slot writes of a choice of free percepts.

    Raise :class:`InputError` if the world makes the choice probabilistic; it must be
    nondeterministic.
    """
    if len(draw.outcomes) != 1:
        raise InputError(
            [
                Diagnostic(
                    "GWN066",
                    f"free percepts cannot change probabilistically: {draw.text}",
                    draw.span,
                    hint="free percepts come and go nondeterministically: give each change exactly "
                    "one outcome",
                )
            ]
        )
    ((_, writes),) = draw.outcomes
    return writes


def sort_percepts(writes: Mapping[str, Hashable]) -> Mapping[str, Hashable]:
    """Return slot writes in which the percepts are sorted by printed form, because their order is
    not observable (point 15 of ``docs/reference/gwendolen.md``)."""
    percepts = writes.get(PERCEPTS)
    return (
        {**writes, PERCEPTS: tuple(sorted(percepts, key=show))}
        if isinstance(percepts, tuple)
        else writes
    )


def _no_effect(action: Structure, answer: Bindings | None = None) -> ActionResult:
    """Return the result of an action that does not change the state. It binds the variables in
    ``answer``."""
    return ActionResult(f"does {show(action)}", ((1, {}, answer or {}),))
