"""Satisfaction sets of CTL* formulas on one state space.

State formulas are evaluated from the inside out. Each ``A [..]`` or ``E [..]`` becomes a set of
states, which the enclosing formulas use as a proposition (Emerson and Lei, "Modalities for model
checking", 1987). A path formula with one temporal operator is CTL and is decided by a fixpoint; any
other is LTL and is decided by an automaton. Runs are infinite: a deadlock state repeats forever.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from volition.checking.graph.automaton_product import AutomatonProduct
from volition.checking.graph.ctl import (
    CtlGraph,
    CtlOperators,
    ThreeValuedSet,
    is_ctl_path,
    negation,
)
from volition.checking.graph.propositions import DEADLOCK, state_set
from volition.checking.task import CheckTask
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace
from volition.kernel.arrays import Mask
from volition.logic.automata.automaton import Automaton
from volition.logic.automata.translation import translate
from volition.logic.printing import as_typed
from volition.logic.syntax import And, Formula, Iff, Implies, Not, Or, PathQuantifier
from volition.logic.traversal import STATE_LEAVES, atomic_formulas, is_state_formula, subformulas

__all__ = ["Satisfaction", "Translator"]

Translator = Callable[[Formula], Automaton]


class Satisfaction:
    """Evaluator that computes the satisfaction sets of the subformulas of a task's formula, each
    once.

    With fairness or an assumption, only fair runs, or runs that satisfy the assumption, count.
    ``translator`` turns path formulas into automata. This class does not compute the states that
    satisfy ``P`` and ``R`` formulas. They must be given with :meth:`set_states` before an enclosing
    formula is evaluated.
    """

    def __init__(
        self, task: CheckTask, space: StateSpace, *, translator: Translator = translate
    ) -> None:
        self.task = task
        self.space = space
        self._assumption = task.assumption
        self._translator = translator
        self._leaves = task.resolved_atoms
        self._graph = CtlGraph(space)
        self._ctl = CtlOperators(self._graph)
        self._known: dict[Formula, ThreeValuedSet] = {}
        self._searches: dict[tuple[Formula, int], AutomatonProduct] = {}
        self._decided: dict[tuple[Formula, int], bool | None] = {}

    @property
    def restricted(self) -> bool:
        """Whether fairness or an assumption excludes some runs."""
        return self.task.settings.restricts_runs

    def set_states(self, formula: Formula, holding: Mask | None) -> None:
        """Set the states that satisfy a quantitative subformula; None if they are unknown."""
        everywhere = self._graph.everywhere
        self._known[formula] = (
            ThreeValuedSet(~everywhere, everywhere)
            if holding is None
            else ThreeValuedSet.exactly(holding)
        )

    def is_known(self, formula: Formula) -> bool:
        """Return whether the states that satisfy a formula are computed or set already."""
        return formula in self._known

    def states(self, formula: Formula) -> ThreeValuedSet:
        """Return the states that satisfy a state formula."""
        if formula not in self._known:
            self._known[formula] = self._compute(formula)
        return self._known[formula]

    def at(self, formula: Formula, state: int) -> bool | None:
        """Return whether a state formula holds in one state; None if the explored part of the space
        does not decide it.

        Unlike :meth:`states`, this method only searches for runs from that state.
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
                return self.states(formula).at(state)

    def _compute(self, formula: Formula) -> ThreeValuedSet:
        match formula:
            case Not():
                return ~self.states(formula.operand)
            case And():
                return self.states(formula.left) & self.states(formula.right)
            case Or():
                return self.states(formula.left) | self.states(formula.right)
            case Implies():
                return ~self.states(formula.left) | self.states(formula.right)
            case Iff():
                left, right = self.states(formula.left), self.states(formula.right)
                return (left & right) | (~left & ~right)
            case PathQuantifier(quantifier="A"):
                return ~self._exists(self.opposite(formula.path))
            case PathQuantifier():
                return self._exists(formula.path)
            case _:
                pass
        if isinstance(formula, STATE_LEAVES):
            return self._leaf(formula)
        in_assumption = self._assumption is not None and formula in subformulas(self._assumption)
        place = "an assumption" if in_assumption else "a formula that is checked on the graph"
        message = f"{place} must not contain probabilities or rewards: '{as_typed(formula)}'"
        hint = "remove the part with P, R or S"
        raise InputError([Diagnostic("CHK003", message, formula.span, hint)])

    def _leaf(self, formula: Formula) -> ThreeValuedSet:
        states = state_set(formula, self.space, self._leaves)
        if formula == DEADLOCK and not self.space.complete:
            return ThreeValuedSet(states, states | self._graph.frontier)
        return ThreeValuedSet.exactly(states)

    # --- states from which a run satisfies a path formula -----------------------------------------

    def opposite(self, path: Formula) -> Formula:
        """Return the negation of a path formula. It is a CTL path formula if ``path`` is one."""
        return negation(path) if is_ctl_path(path) else Not(path)

    def _without_automaton(self, path: Formula) -> bool:
        return not self.restricted and (is_ctl_path(path) or is_state_formula(path))

    def _exists(self, path: Formula) -> ThreeValuedSet:
        """Return the states from which some run satisfies the path formula."""
        if self._without_automaton(path):
            return (
                self.states(path) if is_state_formula(path) else self._ctl.exists(path, self.states)
            )
        certain = self._search(path, None, optimistic=False)
        if self._is_exact(certain.automaton):
            return ThreeValuedSet.exactly(certain.nonempty_starts())
        return ThreeValuedSet(
            certain.nonempty_starts(), self._search(path, None, optimistic=True).nonempty_starts()
        )

    def _exists_from(self, state: int, path: Formula) -> bool | None:
        """Return whether some run from the state satisfies the path formula; None if that is
        unknown."""
        if self._without_automaton(path):
            return self._exists(path).at(state)
        key = (path, state)
        if key not in self._decided:
            self._decided[key] = self._decide(path, state)
        return self._decided[key]

    def _decide(self, path: Formula, state: int) -> bool | None:
        certain = self._search(path, state, optimistic=False)
        if certain.is_nonempty():
            self._searches[path, state] = certain  # for the witness, which is computed on demand
            return True
        if self._is_exact(certain.automaton):
            return False
        return None if self._search(path, state, optimistic=True).is_nonempty() else False

    def product_for(self, path: Formula, state: int) -> AutomatonProduct:
        """Return the product of the space, from the start state ``state``, with the automaton of a
        path formula. Its accepting runs satisfy the path formula."""
        key = (path, state)
        return (
            self._searches[key]
            if key in self._searches
            else self._search(path, state, optimistic=False)
        )

    def _search(self, path: Formula, state: int | None, *, optimistic: bool) -> AutomatonProduct:
        automaton = self._translator(
            path if self._assumption is None else And(self._assumption, path)
        )
        self._check_automaton_atoms(automaton, path)
        starts = (
            np.arange(self.space.num_states, dtype=np.uint32)
            if state is None
            else np.array([state], dtype=np.uint32)
        )
        propositions = [self.states(each) for each in automaton.propositions]
        fairness = self.task.settings.fairness
        return AutomatonProduct(
            self.space,
            automaton,
            propositions,
            starts=starts,
            fairness=fairness,
            optimistic=optimistic,
        )

    def _check_automaton_atoms(self, automaton: Automaton, path: Formula) -> None:
        """Raise :class:`InputError` if the automaton of a path formula has an atom that is not in
        the formula. This can happen with an external translator."""
        for each in automaton.propositions:
            if any(atom not in self._leaves and atom != DEADLOCK for atom in atomic_formulas(each)):
                message = (
                    f"the automaton for '{as_typed(path)}' contains '{as_typed(each)}', "
                    "which is not in the formula"
                )
                raise InputError(
                    [
                        Diagnostic(
                            "LOG014",
                            message,
                            path.span,
                            "the translator must keep the names in the formula",
                        )
                    ]
                )

    def _is_exact(self, automaton: Automaton) -> bool:
        return self.space.complete and all(
            self.states(each).exact for each in automaton.propositions
        )


def _not(a: bool | None) -> bool | None:
    return None if a is None else not a


def _and(a: bool | None, b: bool | None) -> bool | None:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True


def _or(a: bool | None, b: bool | None) -> bool | None:
    return _not(_and(_not(a), _not(b)))
