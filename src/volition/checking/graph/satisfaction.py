"""Where formulas hold: CTL* on one state space.

State formulas are evaluated from the inside out; each ``A [..]`` or ``E [..]`` becomes a set of states that the formulas around it
see as a proposition (Emerson and Lei, "Modalities for model checking", 1987).  A path with one temporal operator is CTL and a
fixpoint decides it; any other is LTL and goes through an automaton.  Runs are infinite: a state in which nothing can
move is repeated for ever.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from volition.checking.graph.automaton_product import AutomatonProduct
from volition.checking.graph.ctl import CtlOperators, is_ctl_path, negation
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.partial_sets import PartialSet
from volition.checking.graph.propositions import DEADLOCK, resolve_leaves, state_set
from volition.checking.graph.state_graph import StateGraph
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.kernel.arrays import Mask
from volition.languages.model import Model
from volition.logic.automata.automaton import Automaton
from volition.logic.automata.translation import translate
from volition.logic.printing import show
from volition.logic.shape import QUANTITATIVE, STATE_LEAVES, is_state_formula
from volition.logic.syntax import And, Formula, Iff, Implies, Not, Or, PathQuantifier
from volition.logic.tree import leaves

__all__ = ["Satisfaction", "Translator"]

Translator = Callable[[Formula], Automaton]


class Satisfaction:
    """Answers for the formulas within ``formula``, each computed once.

    With ``fairness`` or ``assume`` (a path formula) only the runs count that are fair, or on which the assumption holds.
    ``translator`` turns path formulas into automata.  ``quantitative`` answers for ``P`` and ``R`` inside formulas, if given.
    """

    def __init__(
        self,
        model: Model,
        space: StateSpace,
        formula: Formula,
        *,
        fairness: Fairness | None = None,
        assume: Formula | None = None,
        translator: Translator = translate,
        quantitative: Callable[[Formula], Mask] | None = None,
    ) -> None:
        self.space = space
        self.fairness = fairness
        self._assume = assume
        self._translator = translator
        self._quantitative = quantitative
        self._resolved = resolve_leaves(model, formula if assume is None else And(formula, assume))
        self._graph = StateGraph(space)
        self._ctl = CtlOperators(self._graph)
        self._known: dict[Formula, PartialSet] = {}
        self._searches: dict[tuple[Formula, int], AutomatonProduct] = {}

    @property
    def restricted(self) -> bool:
        """Whether some runs do not count."""
        return self.fairness is not None or self._assume is not None

    def of(self, formula: Formula) -> PartialSet:
        """Where a state formula holds."""
        if formula not in self._known:
            self._known[formula] = self._compute(formula)
        return self._known[formula]

    def at(self, formula: Formula, state: int) -> bool | None:
        """Whether a state formula holds in one state; None if the explored part of the space does not tell.

        Unlike :meth:`of` this searches for runs from that state only.
        """
        match formula:
            case Not():
                return _not(self.at(formula.operand, state))
            case And():
                return _and(self.at(formula.left, state), self.at(formula.right, state))
            case Or():
                return _or(self.at(formula.left, state), self.at(formula.right, state))
            case Implies():
                return _or(_not(self.at(formula.left, state)), self.at(formula.right, state))
            case Iff():
                left, right = self.at(formula.left, state), self.at(formula.right, state)
                return None if left is None or right is None else left == right
            case PathQuantifier(quantifier="A"):
                return _not(self._exists_from(state, self.opposite(formula.path)))
            case PathQuantifier():
                return self._exists_from(state, formula.path)
            case _:
                return self.of(formula).at(state)

    def _compute(self, formula: Formula) -> PartialSet:
        match formula:
            case Not():
                return ~self.of(formula.operand)
            case And():
                return self.of(formula.left) & self.of(formula.right)
            case Or():
                return self.of(formula.left) | self.of(formula.right)
            case Implies():
                return ~self.of(formula.left) | self.of(formula.right)
            case Iff():
                left, right = self.of(formula.left), self.of(formula.right)
                return (left & right) | (~left & ~right)
            case PathQuantifier(quantifier="A"):
                return ~self._exists(self.opposite(formula.path))
            case PathQuantifier():
                return self._exists(formula.path)
        if isinstance(formula, STATE_LEAVES):
            return self._leaf(formula)
        if isinstance(formula, QUANTITATIVE) and self._quantitative is not None:
            # Probabilities may depend on any state that was not explored.
            unknown = PartialSet(~self._graph.everywhere, self._graph.everywhere)
            return PartialSet.exactly(self._quantitative(formula)) if self.space.complete else unknown
        raise InputError([Diagnostic("CHK003", f"'{show(formula)}' needs a probabilistic engine", formula.span)])

    def _leaf(self, formula: Formula) -> PartialSet:
        states = state_set(formula, self.space, self._resolved)
        if formula == DEADLOCK and not self.space.complete:
            return PartialSet(states, states | self._graph.frontier)
        return PartialSet.exactly(states)

    # --- runs ----------------------------------------------------------------------------------------------------------

    def opposite(self, path: Formula) -> Formula:
        """The path formula that holds where this one does not."""
        return negation(path) if is_ctl_path(path) else Not(path)

    def _without_automaton(self, path: Formula) -> bool:
        return not self.restricted and (is_ctl_path(path) or is_state_formula(path))

    def _exists(self, path: Formula) -> PartialSet:
        """The states from which some run satisfies the path formula."""
        if self._without_automaton(path):
            return self.of(path) if is_state_formula(path) else self._ctl.exists(path, self.of)
        certain = self._search(path, None, optimistic=False)
        if self._is_exact(certain.automaton):
            return PartialSet.exactly(certain.succeeding())
        return PartialSet(certain.succeeding(), self._search(path, None, optimistic=True).succeeding())

    def _exists_from(self, state: int, path: Formula) -> bool | None:
        """Whether some run from the state satisfies the path formula."""
        if self._without_automaton(path):
            return self._exists(path).at(state)
        certain = self.search(path, state)
        if certain.succeeds() or self._is_exact(certain.automaton):
            return certain.succeeds()
        return None if self._search(path, state, optimistic=True).succeeds() else False

    def search(self, path: Formula, state: int) -> AutomatonProduct:
        """The search for a run from a state on which the path formula holds; kept, since the run will be asked for."""
        key = (path, state)
        if key not in self._searches:
            self._searches[key] = self._search(path, state, optimistic=False)
        return self._searches[key]

    def _search(self, path: Formula, state: int | None, *, optimistic: bool) -> AutomatonProduct:
        automaton = self._translator(path if self._assume is None else And(self._assume, path))
        self._refuse_strangers(automaton, path)
        starts = np.arange(self.space.num_states, dtype=np.uint32) if state is None else np.array([state], dtype=np.uint32)
        propositions = [self.of(each) for each in automaton.propositions]
        return AutomatonProduct(self.space, automaton, propositions, starts=starts, fairness=self.fairness, optimistic=optimistic)

    def _refuse_strangers(self, automaton: Automaton, path: Formula) -> None:
        """An automaton from outside may ask for what its formula does not speak of."""
        for each in automaton.propositions:
            if any(leaf not in self._resolved and leaf != DEADLOCK for leaf in leaves(each)):
                message = f"the automaton for '{show(path)}' contains '{show(each)}', which is not in the formula"
                raise InputError([Diagnostic("LOG014", message, path.span, "the translator must keep the names in the formula")])

    def _is_exact(self, automaton: Automaton) -> bool:
        return self.space.complete and all(self.of(each).exact for each in automaton.propositions)


def _not(a: bool | None) -> bool | None:
    return None if a is None else not a


def _and(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _or(a: bool | None, b: bool | None) -> bool | None:
    return _not(_and(_not(a), _not(b)))
