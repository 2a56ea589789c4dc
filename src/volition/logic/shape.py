"""Which logic a formula belongs to.

LTL, CTL, CTL* and PCTL are sets of formulas of the one language; a checker asks here before it starts.
"""

from __future__ import annotations

from volition.logic.syntax import (
    And,
    Atom,
    Comparison,
    Constant,
    Finally,
    ForAgents,
    Formula,
    Globally,
    Iff,
    Implies,
    Multi,
    Next,
    Not,
    Or,
    PathQuantifier,
    Probability,
    Proposition,
    Release,
    Reward,
    SteadyState,
    Until,
    WeakUntil,
)
from volition.logic.tree import children, subformulas

__all__ = [
    "BOOLEAN",
    "QUANTITATIVE",
    "STATE_LEAVES",
    "TEMPORAL",
    "is_ctl",
    "is_ltl",
    "is_path_formula",
    "is_propositional",
    "is_quantitative",
    "is_state_formula",
]

STATE_LEAVES = Constant | Atom | Proposition | Comparison
BOOLEAN = Not | And | Or | Implies | Iff | ForAgents
TEMPORAL = Next | Finally | Globally | Until | WeakUntil | Release
QUANTITATIVE = Probability | Reward | SteadyState | Multi


def is_propositional(formula: Formula) -> bool:
    """Boolean over one state: no time, no runs, no numbers asked."""
    return isinstance(formula, STATE_LEAVES) or (isinstance(formula, BOOLEAN) and all(is_propositional(part) for part in children(formula)))


def is_state_formula(formula: Formula) -> bool:
    """True or false (or a number) of a state: every temporal operator stands below A, E, P or R."""
    if isinstance(formula, BOOLEAN):
        return all(is_state_formula(part) for part in children(formula))
    return not isinstance(formula, TEMPORAL)


def is_path_formula(formula: Formula) -> bool:
    """Some temporal operator stands below no A, E, P or R."""
    return not is_state_formula(formula)


def is_quantitative(formula: Formula) -> bool:
    """Some part asks for a probability or a reward."""
    return any(isinstance(part, QUANTITATIVE) for part in subformulas(formula))


def is_ltl(path: Formula) -> bool:
    """A path formula over propositional formulas, without A, E, P, R inside."""
    return not any(isinstance(part, PathQuantifier | QUANTITATIVE) for part in subformulas(path))


def is_ctl(formula: Formula) -> bool:
    """Every A or E is followed by exactly one temporal operator, over CTL formulas (Clarke and Emerson 1981)."""
    if isinstance(formula, STATE_LEAVES):
        return True
    if isinstance(formula, BOOLEAN):
        return all(is_ctl(part) for part in children(formula))
    if isinstance(formula, PathQuantifier) and isinstance(formula.path, TEMPORAL):
        return all(is_ctl(part) for part in children(formula.path))
    return False
