"""Agents that take turns in a world that is connected: what the model would draw is observed.

What the agents do by themselves goes on as in :mod:`.turns`.  An action is asked for outside, and
executed in the model when it was done there; a move of the world happens when what the agents
perceive has changed.  Both are found among the outcomes that the model has.
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

Asked = tuple[str, str, str]
"""An action that is to be executed: by which component, for which agent, and what."""


class ConnectedRunner(InterleavedRunner):
    """A program whose components take turns, and what is outside of it."""

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
        self._embodied = model
        self._outside = outside
        self._calls: dict[Asked, int] = {}
        self._told: Mapping[str, frozenset[str]] = {}
        """The percepts that were last looked for in vain."""

    def start(self) -> None:
        self._outside.begin()

    def advance(self, cycle: int, time: float) -> str | None:
        """One step, if there is something to do; a world outside may always bring something
        more."""
        seen = self._outside.percepts(self._journal, cycle)
        possible = enabled_choices(self._model.system, self.state)
        acting, drawing, free = self._sorted(possible)
        step = self._was_executed(acting, seen, cycle) or self._world_moved(drawing, seen, cycle)
        if step is None and free:
            able = self._choose(free, cycle)
            together = [
                each
                for each in free
                if each.component is able.component and is_of_world(self._model, each)
            ]
            step = (
                self._observed(together, seen, cycle)
                if len(together) > 1
                else (able, sample_outcome(able.choice, self._chance))
            )
        return None if step is None else self._execute(*step, cycle, time)

    def advance_time(self, start: float, end: float, cycle: int) -> str | None:
        self._outside.advance(start, end, cycle)
        return None

    def close(self) -> None:
        self._outside.close()

    def _sorted(
        self, possible: Sequence[EnabledChoice]
    ) -> tuple[dict[Asked, list[EnabledChoice]], list[EnabledChoice], list[EnabledChoice]]:
        """Actions to be executed, moves of the world by itself, and all that agents do without
        it."""
        acting: dict[Asked, list[EnabledChoice]] = {}
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

    def _world_moved(
        self, drawing: Sequence[EnabledChoice], seen: Mapping[str, frozenset[str]], cycle: int
    ) -> tuple[EnabledChoice, int] | None:
        """The move of the world after which the agents perceive what they do, if that is not what
        they perceived."""
        if not seen or seen == self._told:
            return None
        if not self._embodied.match_observation(
            self._model.system.components[0], self.state, [], seen
        ).is_unmodelled:
            return None
        for component in dict.fromkeys(id(move.component) for move in drawing):
            candidates = [move for move in drawing if id(move.component) == component]
            found = self._embodied.match_observation(
                candidates[0].component, self.state, [move.choice for move in candidates], seen
            )
            if not found.is_unmodelled:
                return _step(candidates, found)
        if (
            drawing and not self._calls
            # what an action does may be seen before it is done, and what an agent draws when it
            # looks
        ):
            self._told = dict(seen)
            self._tell_surprise(
                "environment",
                "what is perceived is none of what the world can bring about here",
                seen,
                cycle,
            )
        return None

    def _was_executed(
        self,
        acting: Mapping[Asked, list[EnabledChoice]],
        seen: Mapping[str, frozenset[str]],
        cycle: int,
    ) -> tuple[EnabledChoice, int] | None:
        """An action that was done outside; those that nobody has asked for yet are asked for."""
        for query in [each for each in self._calls if each not in acting]:
            self._outside.cancel(self._calls.pop(query))  # the agent has given it up
        for query, candidates in acting.items():
            if query not in self._calls:
                self._calls[query] = self._outside.call(query[1], query[2], cycle)
            elif self._outside.take_completion(self._calls[query]):
                del self._calls[query]
                return self._observed(candidates, seen, cycle)
        return None

    def _observed(
        self, candidates: Sequence[EnabledChoice], seen: Mapping[str, frozenset[str]], cycle: int
    ) -> tuple[EnabledChoice, int]:
        """Which of these moves it was, by what is perceived now; where it was none, the first is
        taken, and that is a surprise."""
        found = self._embodied.match_observation(
            candidates[0].component, self.state, [move.choice for move in candidates], seen
        )
        if not found.is_unmodelled:
            return _step(candidates, found)
        text = f"what is perceived is none of what '{candidates[0].choice.label}' leads to"
        self._tell_surprise(candidates[0].component.name, text, seen, cycle)
        return candidates[0], 0

    def _tell_surprise(
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
