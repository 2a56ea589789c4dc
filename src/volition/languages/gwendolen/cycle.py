"""The reasoning cycle: stages E, F, A, B, C and D, one after the other.

A step of the system is one call of an agent's cycle, which ends after stage C, after stage D, or in stage A when there is nothing to do
(point 12).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from volition.kernel.system import Choice, View
from volition.languages.gwendolen.deeds import Ending, execute
from volition.languages.gwendolen.inference import RuleBase
from volition.languages.gwendolen.mind import Mind
from volition.languages.gwendolen.observation import Observer
from volition.languages.gwendolen.perception import PERCEIVE, messages
from volition.languages.gwendolen.planning import plan_for_event
from volition.languages.gwendolen.scheduler import ENVIRONMENT, Turns
from volition.languages.gwendolen.selection import select
from volition.languages.gwendolen.state import Slots
from volition.languages.gwendolen.surroundings import Surroundings, without_order
from volition.languages.gwendolen.syntax import AgentProgram, Cycle
from volition.languages.kit.steps import BoundExceeded
from volition.languages.world.interface import Move
from volition.origin import Origin

__all__ = ["Environment", "Interpreter"]


@dataclass(frozen=True)
class Interpreter:
    """One agent: a component of the system."""

    program: AgentProgram
    cycle: Cycle
    rules: RuleBase
    around: Surroundings
    turns: Turns
    observer: Observer

    @property
    def name(self) -> str:
        return self.program.name

    def step(self, state: View) -> Sequence[Choice]:
        """One call of the cycle, from stage E or from stage D."""
        if not self.turns.may_go_on(self.name, state):
            return ()
        mind = Mind(self.name, state, self.around.predicates, self.rules)
        if mind.stage == "D":
            mind.stage = "E"
            return [self._choice(ending) for ending in execute(mind, self.around, self.cycle)]
        draws: Sequence[Move | None] = self.around.draws(mind) or (None,)
        return [self._choice(self._pass(mind.copy(), draw)) for draw in draws]

    def _pass(self, mind: Mind, draw: Move | None) -> Ending:
        """Stages E to C."""
        is_last = self.around.is_last_round(mind)
        self._perceive(mind, draw)
        messages(mind)
        goes_on = self._select(mind)
        while is_last and goes_on and mind.stage == "E":
            goes_on = self._select(mind)  # what is ignored in the last round takes no call of its own (point 29)
        if is_last:
            mind.asleep = True
        return Ending(((1, mind),))

    def _select(self, mind: Mind) -> bool:
        """Stages A to C; says whether there was an intention to go on with."""
        goes_on = select(mind, self.cycle)
        if goes_on:
            plan_for_event(mind, self.program.plans)
            mind.stage = "D" if mind.active.rows else "E"
        else:
            self._rest(mind)
        return goes_on

    def _perceive(self, mind: Mind, draw: Move | None) -> None:
        """E, after free percepts were drawn anew where it is time for that."""
        if draw is not None:
            before = self.around.percepts(mind, self.name)
            self.around.draw(mind, draw)
            mind.steady = before == self.around.percepts(mind, self.name)
        PERCEIVE[self.cycle](mind, self.around, self.program.span)
        if draw is not None:
            self.around.has_drawn(mind)
            self._expect_short_queue(mind)

    def _expect_short_queue(self, mind: Mind) -> None:
        """Percepts that are always drawn anew may bring more events than are ever handled (point 34)."""
        most = self.around.options.longest_queue
        if self.around.options.redraw == "always" and len(mind.others) > most:
            message = f"{self.name} has more than {most} intentions in its list while its percepts keep changing"
            raise BoundExceeded(
                "GWN065", message, "set longest_queue higher, or draw percepts anew only when they were handled (redraw=handled)"
            )

    def _rest(self, mind: Mind) -> None:
        """A, nothing to do: the agent sleeps, unless its percepts may still change."""
        if self.around.never_sleeps(self.name) or self.around.draws_a_last_time(mind):
            mind.tell("A:nothing", "has nothing to do")
        else:
            mind.tell("A:sleep", "sleeps")
            mind.sleep()

    def _choice(self, ending: Ending) -> Choice:
        for _, mind in ending.minds:
            if self.around.options.goal_base == "postings":
                mind.adopt_all_postings()
            self.turns.after(mind, self.name, mind.something_changed)
            self.observer.note(mind, self.name, mind.done_action, steady=mind.steady)
        first = ending.minds[0][1]
        text = "; ".join(first.told) or "goes on"
        origin = Origin(self.name, tuple(dict.fromkeys(first.applied)), text, first.action, first.plan, first.span)
        return Choice(origin, [(weight, mind.writes) for weight, mind in ending.minds])


@dataclass(frozen=True)
class Environment:
    """A world that moves by itself, as a component of the system."""

    around: Surroundings
    turns: Turns
    observer: Observer

    def step(self, state: View) -> Sequence[Choice]:
        if not self.turns.may_go_on(ENVIRONMENT, state):
            return ()
        return [self._choice(state, move) for move in self.around.world.steps(state)]

    def _choice(self, state: View, move: Move) -> Choice:
        outcomes = []
        for weight, writes in move.outcomes:
            after = Slots(ENVIRONMENT, state, self.around.predicates, without_order(writes))
            self.around.inform(after, state)
            # An environment with nothing to do next must not keep the turn.
            self.turns.after(after, ENVIRONMENT, True)
            self.observer.note(after, ENVIRONMENT, None)
            outcomes.append((weight, after.writes))
        return Choice(Origin(ENVIRONMENT, ("Environment", move.name), move.text, span=move.span), outcomes)
