"""Agents and worlds that take turns: the programs of all languages whose components move one at a time.

Who goes on next is nobody's decision: one of those that can move is drawn, unless the program's own scheduler leaves only one.  What an
agent then does is decided by a selector, what the world does by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from volition.languages.model import EmbodiedModel, Model
from volition.runtime.ending import Ending, reached
from volition.runtime.executive import NOTHING_MOVES
from volition.runtime.journal import Journal
from volition.runtime.selectors import Decision, Selector
from volition.runtime.stepping import Move, State, after, drawn, moves
from volition.telling.runs import ToldStep, changes_between, origins_of, picked
from volition.telling.slot_values import as_data
from volition.telling.trace_format import step_data

__all__ = ["Turns"]


class Turns:
    """A program whose components take turns, and its state."""

    def __init__(self, model: Model, selector: Selector, journal: Journal, *, chance: Random, ends: Sequence[Ending]) -> None:
        self.state: State = dict(model.system.slots)
        self._model = model
        self._selector = selector
        self._journal = journal
        self._chance = chance
        self._ends = ends
        self._portrait = model.portray(self.state)
        self._steps = 0

    def begin(self) -> None: ...

    def advance(self, cycle: int, time: float) -> str | None:
        """One step; why the run is over, if it is."""
        possible = moves(self._model.system, self.state)
        if not possible:
            return NOTHING_MOVES
        move = self._decided(possible, cycle)
        return self._make(move, drawn(move.choice, self._chance), cycle, time)

    def _make(self, move: Move, number: int, cycle: int, time: float) -> str | None:
        """One outcome of one move happens."""
        chance, effect = move.choice.outcomes[number]
        following = after(self._model.system, self.state, effect, reacts=move.choice.reacts)
        portrait = self._model.portray(following)
        self._steps += 1
        step = ToldStep(
            number=self._steps,
            origins=tuple(picked(each, self.state.__getitem__, following.__getitem__) for each in origins_of(move.choice.label)),
            changes=tuple(changes_between(self._portrait, portrait)),
            portrait=portrait,
            probability=None if len(move.choice.outcomes) == 1 else str(chance),
        )
        told = step_data(step, _data(self.state), _data(following))
        place = {"cycle": cycle, "t": time, "mover": move.component.name, "choice": move.number, "outcome": number}
        self._journal.write("step", **told, **place)
        self.state, self._portrait = following, portrait
        return reached(self._ends, self.state)

    def let_pass(self, start: float, end: float, cycle: int) -> str | None: ...

    def close(self) -> None: ...

    def _decided(self, possible: Sequence[Move], cycle: int) -> Move:
        """Whose turn it is, and what is done in it."""
        parties: dict[str, list[Move]] = {}
        for move in possible:
            parties.setdefault(self._party(move), []).append(move)
        party = self._chance.choice(list(parties)) if len(parties) > 1 else next(iter(parties))
        able = parties[party]
        if len(able) == 1:
            return able[0]
        if self._is_of_world(able[0]):
            return self._chance.choice(able)
        selection = self._selector.select(Decision(self.state, {party: [move.choice for move in able]}, cycle, cycle))
        values = selection.values.get(party, [{}] * len(able))
        names = [_name(move) for move in able]
        options = [{"plan": name, "q": dict(value)} for name, value in zip(names, values, strict=True)]
        chosen = selection.chosen[party]
        self._journal.write("choice", cycle=cycle, agent=party, group=party, options=options, chosen=names[chosen], by=selection.by)
        return able[chosen]

    def _party(self, move: Move) -> str:
        """Who decides about a move: the world's component, an agent, or the one agent whose parts the components are."""
        own = self._is_of_world(move) or move.component.name in self._model.agents or len(self._model.agents) != 1
        return move.component.name if own else self._model.agents[0]

    def _is_of_world(self, move: Move) -> bool:
        return isinstance(self._model, EmbodiedModel) and self._model.is_of_world(move.component)


def _name(move: Move) -> str:
    return "; ".join(origin.text for origin in origins_of(move.choice.label))


def _data(state: State) -> dict[str, object]:
    return {slot: as_data(value) for slot, value in state.items()}
