"""Runner for programs, in any language, whose components move one at a time.

In each step, one of the parties that can move is drawn at random. A party is an agent or a
component of the world (:mod:`volition.runtime.parties`). If the program has a scheduler, it may
leave only one party that can move. A selector decides what an agent does; the moves of the world
are drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from volition.languages.protocols import Model
from volition.runtime.executive import DEADLOCK
from volition.runtime.parties import is_of_world, option_name, party_of
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import DecisionRequest, Selector
from volition.runtime.step_lines import make_step
from volition.runtime.stop_conditions import StopCondition, first_satisfied
from volition.runtime.successor import EnabledChoice, State, enabled_choices, sample_outcome

__all__ = ["InterleavedRunner"]


class InterleavedRunner:
    """Runner of a program with interleaved components. It stores the current state."""

    def __init__(
        self,
        model: Model,
        selector: Selector,
        journal: RunLog,
        *,
        chance: Random,
        ends: Sequence[StopCondition],
    ) -> None:
        self.state: State = dict(model.system.slots)
        self._model = model
        self._selector = selector
        self._journal = journal
        self._chance = chance
        self._ends = ends
        self._view = model.describe(self.state)
        self._steps = 0

    def start(self) -> None: ...

    def advance(self, cycle: int, time: float) -> str | None:
        """Execute one step. Return the reason if the run ends, or None if it goes on."""
        possible = enabled_choices(self._model.system, self.state)
        if not possible:
            return DEADLOCK
        move = self._choose(possible, cycle)
        return self._execute(move, sample_outcome(move.choice, self._chance), cycle, time)

    def _execute(self, move: EnabledChoice, number: int, cycle: int, time: float) -> str | None:
        """Execute outcome ``number`` of a move and log it. Return the text of the stop condition
        that then holds, or None."""
        self._steps += 1
        made = make_step(self._model, self.state, self._view, move, number, self._steps)
        self._journal.write("step", **made.fields, cycle=cycle, t=time)
        self.state, self._view = made.after, made.view
        return first_satisfied(self._ends, self.state)

    def advance_time(self, start: float, end: float, cycle: int) -> str | None: ...

    def close(self) -> None: ...

    def _choose(self, possible: Sequence[EnabledChoice], cycle: int) -> EnabledChoice:
        """Return the next move: draw the party that moves, then let the selector choose among the
        moves of an agent, and draw among those of the world."""
        parties: dict[str, list[EnabledChoice]] = {}
        for move in possible:
            parties.setdefault(party_of(self._model, move), []).append(move)
        party = self._chance.choice(list(parties)) if len(parties) > 1 else next(iter(parties))
        able = parties[party]
        if len(able) == 1:
            return able[0]
        if is_of_world(self._model, able[0]):
            return self._chance.choice(able)
        selection = self._selector.select(
            DecisionRequest(self.state, {party: [move.choice for move in able]}, cycle, cycle)
        )
        values = selection.values.get(party, [{}] * len(able))
        names = [option_name(move) for move in able]
        options = [
            {"plan": name, "q": dict(value)} for name, value in zip(names, values, strict=True)
        ]
        chosen = selection.chosen[party]
        self._journal.write(
            "choice",
            cycle=cycle,
            agent=party,
            group=party,
            options=options,
            chosen=names[chosen],
            by=selection.by,
        )
        return able[chosen]
