"""Reasoning cycle of an agent: stages E (perceive), F (read messages), A (select an intention), B
and C (find and apply a plan) and D (execute a deed), in this order.

A transition of the system is one call of an agent's cycle. A call ends after stage C, after stage
D, or in stage A if the agent has nothing to do (point 12 of ``docs/reference/gwendolen.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volition.kernel.system import Choice, SlotView
from volition.languages.common.state_buffer import BoundExceeded
from volition.languages.gwendolen.agent_state import AgentState
from volition.languages.gwendolen.deeds import DeedOutcome, execute
from volition.languages.gwendolen.environment import AgentEnvironment, sort_percepts
from volition.languages.gwendolen.inference import RuleBase
from volition.languages.gwendolen.observation import ActionObserver
from volition.languages.gwendolen.perception import PERCEIVE, messages
from volition.languages.gwendolen.planning import plan_for_event
from volition.languages.gwendolen.scheduler import ENVIRONMENT, TurnScheduler
from volition.languages.gwendolen.selection import select
from volition.languages.gwendolen.state import AgentSlots
from volition.languages.gwendolen.syntax import AgentProgram, Cycle
from volition.languages.world.interface import WorldTransition
from volition.origin import Origin

__all__ = ["EnvironmentComponent", "Interpreter"]


@dataclass(frozen=True)
class Interpreter:
    """Interpreter of one agent: the component of the transition system that runs the agent's
    reasoning cycle."""

    program: AgentProgram
    cycle: Cycle
    rules: RuleBase
    environment: AgentEnvironment
    turns: TurnScheduler
    observer: ActionObserver

    @property
    def name(self) -> str:
        return self.program.name

    def step(self, state: SlotView) -> Sequence[Choice]:
        """Return the choices of one call of the agent's reasoning cycle in a state. There are none
        if it is not the agent's turn.

        A call starts in stage D (execute a deed) if a deed is to be executed, otherwise in stage E
        (perceive).
        """
        if not self.turns.is_enabled(self.name, state):
            return ()
        mind = AgentState(self.name, state, self.environment.predicates, self.rules)
        if mind.stage == "D":
            mind.stage = "E"
            return [self._choice(ending) for ending in execute(mind, self.environment, self.cycle)]
        draws: Sequence[WorldTransition | None] = self.environment.percept_choices(mind) or (None,)
        return [self._choice(self._stages_e_to_c(mind.copy(), draw)) for draw in draws]

    def _stages_e_to_c(self, mind: AgentState, draw: WorldTransition | None) -> DeedOutcome:
        """Run stages E to C of the reasoning cycle, from perception to the application of a plan.
        Return their only outcome.

        ``draw`` is the world's new choice of the percepts that it chooses nondeterministically
        (free percepts), or None if they do not change now.
        """
        is_last = self.environment.is_final_round(mind)
        self._perceive(mind, draw)
        messages(mind)
        is_running = self._stages_a_to_c(mind)
        while is_last and is_running and mind.stage == "E":
            # With redraw = acted_and_asleep, the agent perceives once more after its percepts were
            # removed. In this last call of the cycle it skips events for which it has no plan, so
            # that they do not take another call (point 29 of docs/reference/gwendolen.md).
            is_running = self._stages_a_to_c(mind)
        if is_last:
            mind.asleep = True
        return DeedOutcome(((1, mind),))

    def _stages_a_to_c(self, mind: AgentState) -> bool:
        """Run stages A to C of the reasoning cycle: select an intention, find a plan for it and
        apply the plan. Return whether an intention was selected."""
        is_running = select(mind, self.cycle)
        if is_running:
            plan_for_event(mind, self.program.plans)
            mind.stage = "D" if mind.current_or_fail.rows else "E"
        else:
            self._idle(mind)
        return is_running

    def _perceive(self, mind: AgentState, draw: WorldTransition | None) -> None:
        """Run stage E of the reasoning cycle, perception. ``draw`` is the world's new choice of the
        percepts that it chooses nondeterministically, or None if they do not change now."""
        if draw is not None:
            before = self.environment.percepts(mind, self.name)
            self.environment.apply_percept_choice(mind, draw)
            mind.percepts_unchanged = before == self.environment.percepts(mind, self.name)
        PERCEIVE[self.cycle](mind, self.environment, self.program.span)
        if draw is not None:
            self.environment.percepts_chosen(mind)
            self._expect_short_queue(mind)

    def _expect_short_queue(self, mind: AgentState) -> None:
        """Raise :class:`BoundExceeded` if the agent has more than ``longest_queue`` waiting
        intentions and the option ``redraw`` is ``always`` (point 34 of
        ``docs/reference/gwendolen.md``). The percepts then change faster than the agent handles
        them."""
        maximum = self.environment.options.longest_queue
        if self.environment.options.redraw == "always" and len(mind.others) > maximum:
            message = (
                f"{self.name} has more than {maximum} waiting intentions while its "
                "percepts keep changing"
            )
            raise BoundExceeded(
                "GWN065",
                message,
                "increase longest_queue, or draw percepts only when earlier changes have been "
                "handled (redraw=handled)",
            )

    def _idle(self, mind: AgentState) -> None:
        """End a call of the reasoning cycle in which no intention can continue. The agent falls
        asleep, unless its percepts may still change."""
        if self.environment.keeps_perceiving(
            self.name
        ) or self.environment.clear_percepts_when_idle(mind):
            mind.record("A:nothing", "has nothing to do")
        else:
            mind.record("A:sleep", "sleeps")
            mind.sleep()

    def _choice(self, ending: DeedOutcome) -> Choice:
        for _, mind in ending.minds:
            if self.environment.options.goal_base == "postings":
                mind.adopt_all_postings()
            self.turns.record_turn(mind, self.name, mind.something_changed)
            self.observer.note(mind, self.name, mind.done_action, steady=mind.percepts_unchanged)
        first = ending.minds[0][1]
        text = "; ".join(first.texts) or "continues"
        origin = Origin(
            self.name,
            tuple(dict.fromkeys(first.rules_applied)),
            text,
            first.action,
            first.plan,
            first.span,
        )
        return Choice(origin, [(weight, mind.writes) for weight, mind in ending.minds])


@dataclass(frozen=True)
class EnvironmentComponent:
    """Component of the transition system that makes the spontaneous transitions of the world, those
    without an action of an agent."""

    environment: AgentEnvironment
    turns: TurnScheduler
    observer: ActionObserver

    def step(self, state: SlotView) -> Sequence[Choice]:
        if not self.turns.is_enabled(ENVIRONMENT, state):
            return ()
        return [
            self._choice(state, move)
            for move in self.environment.world.spontaneous_transitions(state)
        ]

    def _choice(self, state: SlotView, move: WorldTransition) -> Choice:
        outcomes = []
        for weight, writes in move.outcomes:
            after = AgentSlots(
                ENVIRONMENT, state, self.environment.predicates, sort_percepts(writes)
            )
            self.environment.invalidate_percepts(after, state)
            # Record that the transition changed something, so that any component may move next.
            # Otherwise only the environment could move, and it may have nothing to do.
            self.turns.record_turn(after, ENVIRONMENT, True)
            self.observer.note(after, ENVIRONMENT, None)
            outcomes.append((weight, after.writes))
        return Choice(
            Origin(ENVIRONMENT, ("Environment", move.name), move.text, span=move.span), outcomes
        )
