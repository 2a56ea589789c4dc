"""Runner for agents whose components move one at a time (interleaved), and which are connected to
an external world. Where the model draws an outcome at random, this runner observes the outcome in
the external world.

Steps that agents take by themselves work as in :mod:`.interleaved_runner`. An action is requested
from the external world, and executed in the model once the external world reports its completion. A
move of the world is executed in the model when the agents' percepts have changed. In both cases the
runner takes the outcome of the model that matches the observed percepts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from volition.languages.protocols import Executable, ObservedTransition
from volition.origin import Origin
from volition.runtime.interleaved_runner import InterleavedRunner
from volition.runtime.parties import is_of_world
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import Selector
from volition.runtime.stop_conditions import StopCondition
from volition.runtime.successor import EnabledChoice, enabled_choices, sample_outcome
from volition.runtime.worlds.external import ExternalWorld

__all__ = ["ConnectedRunner"]

RequestedAction = tuple[str, str, str]
"""An action requested from the external world: the name of the component that executes it, the name
of the agent, and the action."""


class ConnectedRunner(InterleavedRunner):
    """Runner of a program with interleaved components that is connected to an external world."""

    def __init__(
        self,
        model: Executable,
        outside: ExternalWorld,
        selector: Selector,
        journal: RunLog,
        *,
        chance: Random,
        ends: Sequence[StopCondition],
    ) -> None:
        super().__init__(model, selector, journal, chance=chance, ends=ends)
        self._executable = model
        self._external = outside
        self._calls: dict[RequestedAction, int] = {}
        self._unmatched: Mapping[str, frozenset[str]] = {}
        """The percepts of each agent for which a surprise was last logged, because no outcome of
        the model matched these percepts. They are stored to avoid a second log line for the same
        percepts."""

    def start(self) -> None:
        self._external.begin()

    def advance(self, cycle: int, time: float) -> str | None:
        """Execute one step if one is possible, and return the stop condition that then holds, or
        None. The run never ends in a deadlock, because the external world may always change."""
        seen = self._external.percepts(self._journal, cycle)
        possible = enabled_choices(self._model.system, self.state)
        acting, drawing, free = self._split_choices(possible)
        step = self._completed_action(acting, seen, cycle) or self._world_move(drawing, seen, cycle)
        if step is None and free:
            able = self._choose(free, cycle)
            together = [
                each
                for each in free
                if each.component is able.component and is_of_world(self._model, each)
            ]
            step = (
                self._observed_move(together, seen, cycle)
                if len(together) > 1
                else (able, sample_outcome(able.choice, self._chance))
            )
        return None if step is None else self._execute(*step, cycle, time)

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        self._external.advance(start, end, cycle)
        return None

    def close(self) -> None:
        self._external.close()

    def _split_choices(
        self, possible: Sequence[EnabledChoice]
    ) -> tuple[
        dict[RequestedAction, list[EnabledChoice]], list[EnabledChoice], list[EnabledChoice]
    ]:
        """Return the enabled choices in three collections, by who executes them. The first has the
        actions that the external world executes when they are requested. The second has the moves
        that the world makes by itself. The third has the steps that agents execute themselves."""
        acting: dict[RequestedAction, list[EnabledChoice]] = {}
        drawing, free = [], []
        for move in possible:
            label = move.choice.label
            if not is_of_world(self._model, move):
                free.append(move)
            elif isinstance(label, Origin) and label.action is not None:
                acting.setdefault((move.component.name, label.agent, label.action), []).append(move)
            elif move.component.name in self._model.agents:
                free.append(move)
            else:
                drawing.append(move)
        return acting, drawing, free

    def _world_move(
        self, drawing: Sequence[EnabledChoice], seen: Mapping[str, frozenset[str]], cycle: int
    ) -> tuple[EnabledChoice, int] | None:
        """Return the move of the world that leads to the current percepts, as a choice and the
        index of its outcome. Return None if the percepts have not changed or if no move leads to
        them."""
        if not seen or seen == self._unmatched:
            return None
        if not self._executable.match_observation(
            self._model.system.components[0], self.state, [], seen
        ).is_unmodelled:
            return None
        for component in dict.fromkeys(id(move.component) for move in drawing):
            candidates = [move for move in drawing if id(move.component) == component]
            found = self._executable.match_observation(
                candidates[0].component, self.state, [move.choice for move in candidates], seen
            )
            if not found.is_unmodelled:
                return _step(candidates, found)
        if (
            drawing and not self._calls
            # While a call is open, percepts that no move of the world explains are not logged as a
            # surprise. They may show the effect of the called action before it is reported as
            # completed. They may also show a random draw of a perceiving agent.
        ):
            self._unmatched = dict(seen)
            self._log_surprise(
                "environment",
                "the percepts match no move of the world that the model allows in this state",
                seen,
                cycle,
            )
        return None

    def _completed_action(
        self,
        acting: Mapping[RequestedAction, list[EnabledChoice]],
        seen: Mapping[str, frozenset[str]],
        cycle: int,
    ) -> tuple[EnabledChoice, int] | None:
        """Return the choice and the outcome index of an action that the external world has
        completed, or None. Request the enabled actions that were not requested yet, and cancel the
        requested ones that are no longer enabled."""
        for query in [each for each in self._calls if each not in acting]:
            self._external.cancel(self._calls.pop(query))  # the agent has dropped it
        for query, candidates in acting.items():
            if query not in self._calls:
                self._calls[query] = self._external.call(query[1], query[2], cycle)
            elif self._external.take_completion(self._calls[query]):
                del self._calls[query]
                return self._observed_move(candidates, seen, cycle)
        return None

    def _observed_move(
        self, candidates: Sequence[EnabledChoice], seen: Mapping[str, frozenset[str]], cycle: int
    ) -> tuple[EnabledChoice, int]:
        """Return the candidate that leads to the current percepts, and the index of its outcome. If
        no candidate does, log a surprise and return the first candidate with its first outcome."""
        found = self._executable.match_observation(
            candidates[0].component, self.state, [move.choice for move in candidates], seen
        )
        if not found.is_unmodelled:
            return _step(candidates, found)
        text = f"the percepts match no outcome of '{candidates[0].choice.label}'"
        self._log_surprise(candidates[0].component.name, text, seen, cycle)
        return candidates[0], 0

    def _log_surprise(
        self, name: str, text: str, seen: Mapping[str, frozenset[str]], cycle: int
    ) -> None:
        texts = {agent: sorted(percepts) for agent, percepts in seen.items()}
        self._journal.write(
            "surprise", cycle=cycle, what="state", name=name, observed=texts, text=text
        )


def _step(
    candidates: Sequence[EnabledChoice], found: ObservedTransition
) -> tuple[EnabledChoice, int]:
    move = next(each for each in candidates if each.choice is found.choice)
    return move, next(
        number for number, (_, effect) in enumerate(move.choice.outcomes) if effect is found.writes
    )
