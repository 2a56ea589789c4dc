"""Strategies for formulas about whole runs: what is best depends on what of the formula is still due.

The process is unfolded with the modes of :mod:`volition.logic.automata.progression` as its memory.  A run satisfies the formula if it ends
up, for ever, in a part of the unfolding that does it in one of the formula's ways.  Storm finds the strategy that gets there most often;
there the strategy stays and comes back to what must be met again and again (Baier and Katoen, "Principles of Model Checking", 2008,
Sect. 10.6).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from volition.checking.mdp.end_components import choices_towards, end_components, strong_components
from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.memory_product import Unfolding, unfold
from volition.checking.numbers.bounds import Enclosure, enclose_reach
from volition.checking.numbers.computation import LoadedMdp
from volition.checking.numbers.reachability import can_reach
from volition.checking.storm.client import StormModel
from volition.checking.strategy import Modes, Strategy
from volition.checking.task import CheckSettings
from volition.kernel.arrays import Indices, Mask
from volition.logic.automata.automaton import Cube
from volition.logic.automata.progression import Progression, Way, progression
from volition.logic.printing import show
from volition.logic.syntax import Formula

__all__ = ["PathUnfolding", "enclose_path", "strategy_on_paths", "unfold_path"]

MOST_UNFOLDED = 2_000_000
"""States times modes up to which a process is unfolded."""


@dataclass(frozen=True)
class PathUnfolding:
    """A process unfolded with what of a path formula is due; ``letters`` are the propositions that hold in each state, as bits."""

    progress: Progression
    letters: Indices
    unfolding: Unfolding

    @property
    def memory(self) -> Modes:
        """What is remembered, and how it changes."""
        texts = tuple(show(each) for each in self.progress.propositions)
        return Modes(int(self.unfolding.memory[0]), self.progress.items, texts, self.progress.after)

    def allowed(self, way: Way) -> Mask:
        """The pairs in which a run may stay that satisfies the formula this way."""
        return self._in_modes(way.modes) & self._holding(way.always)

    def again(self, way: Way) -> Mask:
        """The pairs that such a run visits again and again."""
        return self._in_modes(way.again_modes) & self._holding(way.again)

    def ended(self, chain: Mdp) -> tuple[Mask, Mask]:
        """Where it is certain that a run will satisfy the formula, and where that it will not, if choices are made by chance.

        ``chain`` is the unfolded process, or a part of its choices.  Such a run goes through all of the part that it cannot leave.
        """
        everywhere = np.ones(chain.num_states, dtype=np.bool_)
        won = np.zeros(chain.num_states, dtype=np.bool_)
        closed, number = _closed_components(chain)
        for way in self.progress.ways:
            outside = np.unique(number[~self.allowed(way)])
            won |= closed & ~np.isin(number, outside) & np.isin(number, np.unique(number[self.again(way)]))
        lost = closed & ~won
        return ~can_reach(chain, everywhere, lost), ~can_reach(chain, everywhere, won)

    def _in_modes(self, modes: frozenset[int]) -> Mask:
        return np.isin(self.unfolding.memory, sorted(modes))

    def _holding(self, literals: Cube) -> Mask:
        letters = self.letters[self.unfolding.states]
        holding: Mask = (letters & literals.positive == literals.positive) & (letters & literals.negative == 0)
        return holding


def unfold_path(mdp: Mdp, states_of: Callable[[Formula], Mask], path: Formula, *, negated: bool = False) -> PathUnfolding | None:
    """The process with what is due of a path formula, or of its negation; None where the formula is not covered or this gets too large."""
    progress = progression(path, negated=negated)
    if progress is None or len(progress.after) * mdp.num_states > MOST_UNFOLDED:
        return None
    after = np.array(progress.after)
    decided = np.array([each is not None for each in progress.decided])
    letters = np.zeros(mdp.num_states, dtype=np.int64)
    for bit, proposition in enumerate(progress.propositions):
        letters |= states_of(proposition).astype(np.int64) << bit

    def update(memory: Indices, choices: Indices, targets: Indices) -> Indices:
        del choices
        following: Indices = after[memory, letters[targets]]
        return following

    def settled(states: Indices, memory: Indices) -> Mask:
        del states
        over: Mask = decided[memory]
        return over

    unfolding = unfold(mdp, after[progress.start, letters[:1]], update, settled=settled)
    return PathUnfolding(progress, letters, unfolding)


def enclose_path(mdp: Mdp, states_of: Callable[[Formula], Mask], path: Formula, *, negated: bool) -> Enclosure | None:
    """Bounds on the greatest probability of a path formula, or of its negation, in the initial state; None where it is not covered."""
    found = unfold_path(mdp, states_of, path, negated=negated)
    if found is None:
        return None
    won = _staying(found) >= 0
    reached = enclose_reach(found.unfolding.mdp, np.ones_like(won), won, "max")
    return Enclosure(reached.values[:1], reached.lower[:1], reached.upper[:1])


def strategy_on_paths(
    loaded: LoadedMdp, states: Callable[[Formula], Mask], path: Formula, settings: CheckSettings, *, seek: bool
) -> Strategy | None:
    """The strategy on whose runs the path formula holds most often, or, if it does not ``seek`` that, least often.

    None where the formula is not covered, or the process with its memory is too large.
    """
    found = unfold_path(loaded.mdp, states, path, negated=not seek)
    if found is None:
        return None
    mdp = found.unfolding.mdp
    staying = _staying(found)
    won = staying >= 0
    hopeful = can_reach(mdp, np.ones(mdp.num_states, dtype=np.bool_), won)
    storm = StormModel(mdp, exact=loaded.exactly(settings.exact))
    question = f"P{'' if mdp.deterministic else 'max'}=? [F {storm.label(won)}]"
    answer = storm.check(question, strategy=True, everywhere=False, precision=settings.precision, seconds=settings.seconds)
    going = np.arange(mdp.num_choices) if answer.choices is None else answer.choices
    choices = _alike(found, np.where(won, staying, going))
    return Strategy(loaded.space, mdp, choices, hopeful, found.unfolding, found.memory)


def _staying(found: PathUnfolding) -> Indices:
    """A choice for each pair from which the formula can be satisfied for certain without leaving that part; -1 in the others."""
    mdp = found.unfolding.mdp
    choice = np.full(mdp.num_states, -1, dtype=np.int64)
    for way in found.progress.ways:
        staying, number = end_components(mdp, found.allowed(way)[mdp.choice_states])
        again = found.again(way) & (number >= 0)
        good = (number >= 0) & np.isin(number, np.unique(number[again]))
        towards = choices_towards(mdp, staying & good[mdp.choice_states], again)
        # Who is in a part for an earlier way stays there.
        choice = np.where((choice < 0) & good, towards, choice)
    return choice


def _alike(found: PathUnfolding, choices: Indices) -> Indices:
    """The same strategy, which in modes that are alike makes the same choices."""
    unfolding = found.unfolding
    like = np.array(found.progress.like)[unfolding.memory]
    places = {pair: number for number, pair in enumerate(zip(unfolding.states.tolist(), unfolding.memory.tolist(), strict=True))}
    result = choices.copy()
    for pair in np.flatnonzero(like != unfolding.memory).tolist():
        same = places.get((int(unfolding.states[pair]), int(like[pair])))
        if same is not None:
            result[pair] = unfolding.mdp.first_choice[pair] + choices[same] - unfolding.mdp.first_choice[same]
    return result


def _closed_components(mdp: Mdp) -> tuple[Mask, Indices]:
    """Where one cannot get away any more, whatever is chosen, and the number of the strongly connected component of each state."""
    number = strong_components(mdp, np.ones(mdp.num_choices, dtype=np.bool_))
    sources = number[mdp.choice_states[mdp.transition_choices]]
    left = np.unique(sources[sources != number[mdp.targets]])
    return ~np.isin(number, left), number
