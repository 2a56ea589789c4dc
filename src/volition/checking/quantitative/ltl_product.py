"""Strategies for LTL formulas, whose choices depend on the remaining obligations of the formula.

The memory of such a strategy is a mode: a number that stands for the remaining obligations
(:mod:`volition.logic.automata.progression`). The strategy is computed on the product of the MDP
with this memory. A run satisfies the formula if it eventually stays in an end component of the
product that satisfies one of the Rabin pairs. Storm finds the strategy that reaches an accepting
component of this kind with the greatest probability. Inside it, the strategy stays and visits the
recurring states again and again (Baier and Katoen, "Principles of Model Checking", 2008, Sect.
10.6).
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
"""Largest number of states times modes for which the product is built."""


@dataclass(frozen=True)
class ProgressionProduct:
    """Product of an MDP with the remaining obligations of a path formula. ``letters`` are the
    propositions that hold in each state of the MDP, as bits."""

    progress: ProgressionAutomaton
    letters: Indices
    unfolding: MemoryProduct

    @property
    def memory(self) -> AutomatonMemory:
        """Memory of a strategy on the product: the modes, which are the remaining obligations of
        the formula, and their update."""
        texts = tuple(formula_text(each) for each in self.progress.propositions)
        return AutomatonMemory(
            int(self.unfolding.memory[0]),
            self.progress.descriptions,
            texts,
            self.progress.successors,
        )

    def allowed_states(self, rabin: RabinPair) -> Mask:
        """Return the product states in which a run must eventually stay to satisfy a Rabin pair."""
        return self._in_modes(rabin.stay_modes) & self._holding(rabin.stay_guard)

    def recurring_states(self, rabin: RabinPair) -> Mask:
        """Return the product states of which a run must visit at least one infinitely often to
        satisfy a Rabin pair."""
        return self._in_modes(rabin.recur_modes) & self._holding(rabin.recur_guard)

    def decided_states(self, chain: Mdp) -> tuple[Mask, Mask]:
        """Return two sets of states: those from which a run almost surely satisfies the formula,
        and those from which it almost surely violates it. All choices count as random.

        ``chain`` is the product MDP, possibly with fewer choices. A run with random choices almost
        surely ends in a bottom component and visits all its states, so the component decides the
        formula.
        """
        everywhere = np.ones(chain.num_states, dtype=np.bool_)
        won = np.zeros(chain.num_states, dtype=np.bool_)
        closed, number = _closed_components(chain)
        for rabin in self.progress.rabin_pairs:
            outside = np.unique(number[~self.allowed_states(rabin)])
            won |= (
                closed
                & ~np.isin(number, outside)
                & np.isin(number, np.unique(number[self.recurring_states(rabin)]))
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
    """Return the product of an MDP with the remaining obligations of a path formula or, if
    ``negated``, of its negation. ``states_of`` returns the states that satisfy a state formula.

    Return None if the formula is not supported or the product is too large.
    """
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
    """Return the maximum probability of a path formula or, if ``negated``, of its negation, in the
    initial state, with certified bounds. Return None if the formula is not supported or the product
    is too large."""
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
    """Return the strategy that maximises the probability of a path formula or, without ``seek``,
    minimises it.

    None if the formula is not supported, or if the product with its memory is too large.
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
    """Return a choice for each product state in an accepting end component, such that the run stays
    in the component and satisfies the formula almost surely; -1 for all other states."""
    mdp = found.unfolding.mdp
    choice = np.full(mdp.num_states, -1, dtype=np.int64)
    for rabin in found.progress.rabin_pairs:
        staying, number = end_components(mdp, found.allowed_states(rabin)[mdp.choice_states])
        recurring = found.recurring_states(rabin) & (number >= 0)
        good = (number >= 0) & np.isin(number, np.unique(number[recurring]))
        towards = shortest_path_choices(mdp, staying & good[mdp.choice_states], recurring)
        # A state in an accepting component of an earlier Rabin pair keeps its choice.
        choice = np.where((choice < 0) & good, towards, choice)
    return choice


def _merge_equivalent_modes(found: ProgressionProduct, choices: Indices) -> Indices:
    """Return the choices of a strategy on the product, changed so that a state has the same choice
    in equivalent modes. A mode is a memory value that stands for the remaining obligations of the
    formula. One mode represents all that are equivalent to it, and its choice is taken."""
    unfolding = found.unfolding
    representative = np.array(found.progress.equivalent_mode)[unfolding.memory]
    indices = {
        pair: number
        for number, pair in enumerate(
            zip(unfolding.states.tolist(), unfolding.memory.tolist(), strict=True)
        )
    }
    result = choices.copy()
    for pair in np.flatnonzero(representative != unfolding.memory).tolist():
        same = indices.get((int(unfolding.states[pair]), int(representative[pair])))
        if same is not None:
            result[pair] = (
                unfolding.mdp.first_choice[pair] + choices[same] - unfolding.mdp.first_choice[same]
            )
    return result


def _closed_components(mdp: Mdp) -> tuple[Mask, Indices]:
    """Return a mask of the states in bottom strongly connected components, and the component number
    of each state."""
    number = scc_numbers(mdp, np.ones(mdp.num_choices, dtype=np.bool_))
    sources = number[mdp.choice_states[mdp.transition_choices]]
    left = np.unique(sources[sources != number[mdp.targets]])
    return ~np.isin(number, left), number
