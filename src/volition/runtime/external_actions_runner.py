"""Runner for languages that have no syntax for a world, such as CAN and Dribble: an external world
executes the actions.

The model gives the possible outcomes of an action; the beliefs that the external world reports
determine which of them happened. An agent that has requested an action waits until it is completed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from volition.languages.protocols import Model
from volition.reporting.annotated_runs import origins_of
from volition.runtime.executive import DEADLOCK
from volition.runtime.interleaved_runner import InterleavedRunner
from volition.runtime.parties import party_of
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import Selector
from volition.runtime.stop_conditions import StopCondition
from volition.runtime.successor import EnabledChoice, enabled_choices, sample_outcome, successor
from volition.runtime.worlds.external import ExternalWorld

__all__ = ["ExternalActionRunner"]

Facts = frozenset[str]


class ExternalActionRunner(InterleavedRunner):
    """Runner of a program with interleaved components whose actions are executed by an external
    world."""

    def __init__(
        self,
        model: Model,
        outside: ExternalWorld,
        selector: Selector,
        journal: RunLog,
        *,
        chance: Random,
        ends: Sequence[StopCondition],
    ) -> None:
        super().__init__(model, selector, journal, chance=chance, ends=ends)
        self._external = outside
        self._waiting: dict[str, tuple[EnabledChoice, int]] = {}
        """For each agent that waits for the completion of an action: the action, and the number of
        the call that requested it."""

    def start(self) -> None:
        self._external.begin()

    def advance(self, cycle: int, time: float) -> str | None:
        """Execute one step: a completed action, an internal step of an agent, or the request of an
        action. Return the reason for the end of the run, or None if the run goes on."""
        seen = self._external.percepts(self._journal, cycle)
        for party, (move, call) in list(self._waiting.items()):
            if self._external.take_completion(call):
                del self._waiting[party]
                return self._execute(
                    move,
                    self._observed_outcome(move, seen.get(_agent(move), frozenset()), cycle),
                    cycle,
                    time,
                )
        possible = enabled_choices(self._model.system, self.state)
        able = [move for move in possible if party_of(self._model, move) not in self._waiting]
        if not able:
            return None if possible else DEADLOCK
        move = self._choose(able, cycle)
        if (action := _action(move)) is None:
            return self._execute(move, sample_outcome(move.choice, self._chance), cycle, time)
        self._waiting[party_of(self._model, move)] = (
            move,
            self._external.call(_agent(move), action, cycle),
        )
        return None

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        self._external.advance(start, end, cycle)
        return None

    def close(self) -> None:
        self._external.close()

    def _observed_outcome(self, move: EnabledChoice, seen: Facts, cycle: int) -> int:
        """Return the index of the outcome of an action that happened: the most probable one that
        agrees with the observed facts ``seen``.

        Only facts in which the outcomes differ are compared. If no outcome agrees, log a surprise
        and return the most probable outcome.
        """
        believed = [
            self._believed_after(move, number) for number in range(len(move.choice.outcomes))
        ]
        annotated = frozenset.union(*believed) - frozenset.intersection(*believed)
        chances = [float(chance) for chance, _ in move.choice.outcomes]
        fitting = [
            number
            for number, facts in enumerate(believed)
            if facts & annotated == seen & annotated and chances[number] > 0
        ]
        if not fitting:
            text = f"the observed beliefs match no outcome of '{move.choice.label}'"
            self._journal.write(
                "surprise",
                cycle=cycle,
                what="state",
                name=move.component.name,
                observed=sorted(seen),
                text=text,
            )
        return max(fitting or range(len(chances)), key=lambda number: chances[number])

    def _believed_after(self, move: EnabledChoice, number: int) -> Facts:
        """Return what the agent believes after outcome ``number`` of a move, as texts: ``fact``, or
        ``fact=value`` for a belief with a value."""
        _, effect = move.choice.outcomes[number]
        following = successor(
            self._model.system, self.state, effect, reacts=move.choice.triggers_reactions
        )
        beliefs = self._model.describe(following).get("beliefs", {})
        return frozenset(f"{fact}={value}" if value else fact for fact, value in beliefs.items())


def _agent(move: EnabledChoice) -> str:
    return next((origin.agent for origin in origins_of(move.choice.label)), "")


def _action(move: EnabledChoice) -> str | None:
    return next(
        (origin.action for origin in origins_of(move.choice.label) if origin.action is not None),
        None,
    )
