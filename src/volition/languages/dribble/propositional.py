"""Propositional formulas in disjunctive normal form, and exact entailment between them (Trang et al., Sect. 2.1).

The paper keeps its language finite: a formula is a disjunction of clauses, a clause a conjunction of literals, without
duplicates and in a fixed order.  Here a formula is a set of sets of literals, which has these properties by itself; the
order is that of printing.  A clause that contradicts itself adds nothing to a disjunction and is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

__all__ = [
    "FALSE", "MOST_CLAUSES", "TRUE", "Clause", "Dnf", "Literal", "TooManyClauses", "all_of", "any_of", "assign", "conjunct_of",
    "consistent", "entails", "fact", "prime_implicants",
]  # fmt: skip

MOST_CLAUSES = 4096
"""The largest number of clauses that a formula may have once it is in disjunctive normal form."""


class TooManyClauses(Exception):
    """A formula whose disjunctive normal form has more than :data:`MOST_CLAUSES` clauses."""


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """An atom or its negation."""

    atom: str
    positive: bool = True

    @property
    def complement(self) -> Literal:
        return Literal(self.atom, not self.positive)

    def __str__(self) -> str:
        return self.atom if self.positive else f"~{self.atom}"


Clause = frozenset[Literal]
"""A conjunction of literals."""


@dataclass(frozen=True, slots=True)
class Dnf:
    """A disjunction of clauses: the formulas of the paper's language L."""

    clauses: frozenset[Clause]

    @property
    def atoms(self) -> frozenset[str]:
        return frozenset(literal.atom for clause in self.clauses for literal in clause)

    def __str__(self) -> str:
        if not self.clauses:
            return "false"
        return " | ".join(" & ".join(map(str, clause)) or "true" for clause in sorted(map(sorted, self.clauses)))


TRUE = Dnf(frozenset([frozenset()]))
FALSE = Dnf(frozenset())


def fact(atom: str, positive: bool = True) -> Dnf:
    """The formula that is one literal."""
    return Dnf(frozenset([frozenset([Literal(atom, positive)])]))


def any_of(formulas: Iterable[Dnf]) -> Dnf:
    """The disjunction of formulas."""
    clauses = frozenset[Clause]().union(*(formula.clauses for formula in formulas))
    if len(clauses) > MOST_CLAUSES:
        raise TooManyClauses
    return Dnf(clauses)


def all_of(formulas: Sequence[Dnf]) -> Dnf:
    """The conjunction of formulas, multiplied out."""
    result = TRUE
    for formula in formulas:
        pairs = product(result.clauses, formula.clauses)
        result = any_of(Dnf(frozenset([left | right])) for left, right in pairs if not _contradicts(left, right))
    return result


def conjunct_of(formula: Dnf) -> Clause | None:
    """The clause of a formula that has only one: a conjunction of literals."""
    return next(iter(formula.clauses)) if len(formula.clauses) == 1 else None


def consistent(formulas: Iterable[Dnf]) -> bool:
    """Whether the formulas have a model together."""
    return _have_model(frozenset(), [formula.clauses for formula in formulas])


@lru_cache(maxsize=1 << 16)
def entails(base: frozenset[Dnf], formula: Dnf) -> bool:
    """Whether every model of the base is one of the formula: ``base ⊨_Prop formula``."""
    refutation = [frozenset(frozenset([literal.complement]) for literal in clause) for clause in formula.clauses]
    return not _have_model(frozenset(), [*(each.clauses for each in base), *refutation])


def prime_implicants(formula: Dnf) -> frozenset[Clause]:
    """The smallest conjunctions of literals that entail a formula: a conjunction entails it exactly if it contains one of them.

    By iterated consensus: two clauses that clash in one atom give a clause without it, and clauses that contain others are dropped.
    """
    found: set[Clause] = set()
    waiting = sorted(formula.clauses, key=len)
    while waiting:
        clause = waiting.pop()
        if any(other <= clause for other in found):
            continue
        found = {other for other in found if not clause <= other}
        for other in found:
            clashing = {literal for literal in clause if literal.complement in other}
            if len(clashing) == 1:
                (literal,) = clashing
                waiting.append((clause | other) - {literal, literal.complement})
        found.add(clause)
    return frozenset(found)


def assign(base: Collection[Dnf], literals: Collection[Literal]) -> frozenset[Dnf]:
    """The base after the literals were made true: the paper's belief update (Sect. 4.3, action ``mR``).

    In every disjunct of every formula the complement of a literal is replaced by the literal.  The paper's bases speak
    of every atom; a literal that the base does not entail after the replacement joins it as a formula of its own.
    """
    replacement = {literal.complement: literal for literal in literals}

    def replaced(clause: Clause) -> Clause:
        return frozenset(replacement.get(literal, literal) for literal in clause)

    changed = frozenset(Dnf(frozenset(map(replaced, formula.clauses))) for formula in base)
    facts = (fact(literal.atom, literal.positive) for literal in literals)
    return changed | {each for each in facts if not entails(changed, each)}


def _contradicts(left: Clause, right: Clause) -> bool:
    return any(literal.complement in right for literal in left)


def _have_model(chosen: Clause, disjunctions: Sequence[Collection[Clause]]) -> bool:
    """Whether one clause of each disjunction can be made true on top of the chosen literals.

    What has only one clause left is chosen at once; then backtracking over the clauses of the most constrained
    disjunction.  Where clauses are single literals this is DPLL.
    """
    while True:
        disjunctions = [_possible(clauses, chosen) for clauses in disjunctions if not any(clause <= chosen for clause in clauses)]
        if not disjunctions:
            return True
        forced = [clause for clauses in disjunctions if len(clauses) == 1 for clause in clauses]
        if not forced:
            break
        for clause in forced:
            if _contradicts(clause, chosen):
                return False
            chosen |= clause
    tightest = min(range(len(disjunctions)), key=lambda index: len(disjunctions[index]))
    others = [*disjunctions[:tightest], *disjunctions[tightest + 1 :]]
    return any(_have_model(chosen | clause, others) for clause in disjunctions[tightest])


def _possible(clauses: Collection[Clause], chosen: Clause) -> list[Clause]:
    return [clause for clause in clauses if not _contradicts(clause, chosen)]
