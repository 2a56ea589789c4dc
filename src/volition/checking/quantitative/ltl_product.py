"""Strategies for formulas about whole runs: what is best depends on what of the formula is still
due.

The process is unfolded with the modes of :mod:`volition.logic.automata.progression` as its memory.
A run satisfies the formula if it ends up, for ever, in a part of the unfolding that does it in one
of the formula's ways.  Storm finds the strategy that gets there most often; there the strategy
stays and comes back to what must be met again and again (Baier and Katoen, "Principles of Model
Checking", 2008, Sect. 10.6).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from volition.checking.mdp.end_components import end_components, scc_numbers, shortest_path_choices
from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.memory_product import MemoryProduct, build_memory_product
from volition.checking.quantitative.certified_bounds import Enclosure, enclose_reach
from volition.checking.quantitative.context import LoadedMdp
from volition.checking.quantitative.reachability import prob_greater_0_some
from volition.checking.storm.client import StormModel
from volition.checking.strategy import AutomatonMemory, Strategy
from volition.checking.task import CheckSettings
from volition.kernel.arrays import Indices, Mask
from volition.logic.automata.automaton import Cube
from volition.logic.automata.progression import ProgressionAutomaton, RabinPair, build_progression
from volition.logic.printing import formula_text
from volition.logic.syntax import Formula

__all__ = ["ProgressionProduct", "build_progression_product", "enclose_ltl", "ltl_strategy"]

MAX_UNFOLDED = 2_000_000
"""States times modes up to which a process is unfolded."""


@dataclass(frozen=True)
class ProgressionProduct:
    """A process unfolded with what of a path formula is due; ``letters`` are the propositions that
    hold in each state, as bits."""

    progress: ProgressionAutomaton
    letters: Indices
    unfolding: MemoryProduct

    @property
    def memory(self) -> AutomatonMemory:
        """What is remembered, and how it changes."""
        texts = tuple(formula_text(each) for each in self.progress.propositions)
        return AutomatonMemory(
            int(self.unfolding.memory[0]),
            self.progress.descriptions,
            texts,
            self.progress.successors,
        )

    def allowed_states(self, way: RabinPair) -> Mask:
        """The pairs in which a run may stay that satisfies the formula this way."""
        return self._in_modes(way.stay_modes) & self._holding(way.stay_guard)

    def recurring_states(self, way: RabinPair) -> Mask:
        """The pairs that such a run visits again and again."""
        return self._in_modes(way.recur_modes) & self._holding(way.recur_guard)

    def decided_states(self, chain: Mdp) -> tuple[Mask, Mask]:
        """Where it is certain that a run will satisfy the formula, and where that it will not, if
        choices are made by chance.

        ``chain`` is the unfolded process, or a part of its choices.  Such a run goes through all of
        the part that it cannot leave.
        """
        everywhere = np.ones(chain.num_states, dtype=np.bool_)
        won = np.zeros(chain.num_states, dtype=np.bool_)
        closed, number = _closed_components(chain)
        for way in self.progress.rabin_pairs:
            outside = np.unique(number[~self.allowed_states(way)])
            won |= (
                closed
                & ~np.isin(number, outside)
                & np.isin(number, np.unique(number[self.recurring_states(way)]))
            )
        lost = closed & ~won
        return ~prob_greater_0_some(chain, everywhere, lost), ~prob_greater_0_some(
            chain, everywhere, won
        )

    def _in_modes(self, modes: frozenset[int]) -> Mask:
        return np.isin(self.unfolding.memory, sorted(modes))

    def _holding(self, literals: Cube) -> Mask:
        letters = self.letters[self.unfolding.states]
        holding: Mask = (letters & literals.positive == literals.positive) & (
            letters & literals.negative == 0
        )
        return holding


def build_progression_product(
    mdp: Mdp, states_of: Callable[[Formula], Mask], path: Formula, *, negated: bool = False
) -> ProgressionProduct | None:
    """The process with what is due of a path formula, or of its negation; None where the formula is
    not covered or this gets too large."""
    progress = build_progression(path, negated=negated)
    if progress is None or len(progress.successors) * mdp.num_states > MAX_UNFOLDED:
        return None
    after = np.array(progress.successors)
    decided = np.array([each is not None for each in progress.verdicts])
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

    unfolding = build_memory_product(
        mdp, after[progress.initial, letters[:1]], update, settled=settled
    )
    return ProgressionProduct(progress, letters, unfolding)


def enclose_ltl(
    mdp: Mdp, states_of: Callable[[Formula], Mask], path: Formula, *, negated: bool
) -> Enclosure | None:
    """Bounds on the greatest probability of a path formula, or of its negation, in the initial
    state; None where it is not covered."""
    found = build_progression_product(mdp, states_of, path, negated=negated)
    if found is None:
        return None
    won = _choices_staying_accepted(found) >= 0
    reached = enclose_reach(found.unfolding.mdp, np.ones_like(won), won, "max")
    return Enclosure(reached.values[:1], reached.lower[:1], reached.upper[:1])


def ltl_strategy(
    loaded: LoadedMdp,
    states: Callable[[Formula], Mask],
    path: Formula,
    settings: CheckSettings,
    *,
    seek: bool,
) -> Strategy | None:
    """The strategy on whose runs the path formula holds most often, or, if it does not ``seek``
    that, least often.

    None where the formula is not covered, or the process with its memory is too large.
    """
    found = build_progression_product(loaded.mdp, states, path, negated=not seek)
    if found is None:
        return None
    mdp = found.unfolding.mdp
    staying = _choices_staying_accepted(found)
    won = staying >= 0
    hopeful = prob_greater_0_some(mdp, np.ones(mdp.num_states, dtype=np.bool_), won)
    storm = StormModel(mdp, exact=loaded.use_exact(settings.exact))
    prop = f"P{'' if mdp.is_markov_chain else 'max'}=? [F {storm.label(won)}]"
    answer = storm.check(
        prop,
        strategy=True,
        everywhere=False,
        precision=settings.precision,
        seconds=settings.seconds,
    )
    going = np.arange(mdp.num_choices) if answer.choices is None else answer.choices
    choices = _merge_equivalent_modes(found, np.where(won, staying, going))
    return Strategy(loaded.space, mdp, choices, hopeful, found.unfolding, found.memory)


def _choices_staying_accepted(found: ProgressionProduct) -> Indices:
    """A choice for each pair from which the formula can be satisfied for certain without leaving
    that part; -1 in the others."""
    mdp = found.unfolding.mdp
    choice = np.full(mdp.num_states, -1, dtype=np.int64)
    for way in found.progress.rabin_pairs:
        staying, number = end_components(mdp, found.allowed_states(way)[mdp.choice_states])
        again = found.recurring_states(way) & (number >= 0)
        good = (number >= 0) & np.isin(number, np.unique(number[again]))
        towards = shortest_path_choices(mdp, staying & good[mdp.choice_states], again)
        # Who is in a part for an earlier way stays there.
        choice = np.where((choice < 0) & good, towards, choice)
    return choice


def _merge_equivalent_modes(found: ProgressionProduct, choices: Indices) -> Indices:
    """The same strategy, which in modes that are alike makes the same choices."""
    unfolding = found.unfolding
    like = np.array(found.progress.equivalent_mode)[unfolding.memory]
    indices = {
        pair: number
        for number, pair in enumerate(
            zip(unfolding.states.tolist(), unfolding.memory.tolist(), strict=True)
        )
    }
    result = choices.copy()
    for pair in np.flatnonzero(like != unfolding.memory).tolist():
        same = indices.get((int(unfolding.states[pair]), int(like[pair])))
        if same is not None:
            result[pair] = (
                unfolding.mdp.first_choice[pair] + choices[same] - unfolding.mdp.first_choice[same]
            )
    return result


def _closed_components(mdp: Mdp) -> tuple[Mask, Indices]:
    """Where one cannot get away any more, whatever is chosen, and the number of the strongly
    connected component of each state."""
    number = scc_numbers(mdp, np.ones(mdp.num_choices, dtype=np.bool_))
    sources = number[mdp.choice_states[mdp.transition_choices]]
    left = np.unique(sources[sources != number[mdp.targets]])
    return ~np.isin(number, left), number
