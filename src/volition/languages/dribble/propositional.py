"""Propositional formulas in disjunctive normal form, and exact entailment (Trang et al., Sect.
2.1).

Trang et al. keep their language finite: a formula is a disjunction of clauses, and a clause is a
conjunction of literals, without duplicates and in a fixed order. In Volition a formula is a set of
sets of literals, which is free of duplicates by construction; the order matters only for printing.
A contradictory clause adds nothing to a disjunction and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

__all__ = [
    "FALSE",
    "MAX_CLAUSES",
    "TRUE",
    "Clause",
    "Dnf",
    "Literal",
    "TooManyClauses",
    "all_of",
    "any_of",
    "assign",
    "assigned",
    "conjunct_of",
    "consistent",
    "entails",
    "entails_if_consistent",
    "fact",
    "prime_implicants",
]  # fmt: skip

MAX_CLAUSES = 4096
"""Maximum number of clauses of a formula in disjunctive normal form."""


class TooManyClauses(Exception):
    """Raised if a disjunctive normal form has more than :data:`MAX_CLAUSES` clauses."""


@dataclass(frozen=True, slots=True, order=True)
class Literal:
    """Literal: an atom or its negation."""

    atom: str
    positive: bool = True

    @property
    def complement(self) -> Literal:
        return Literal(self.atom, not self.positive)

    def __str__(self) -> str:
        return self.atom if self.positive else f"~{self.atom}"


Clause = frozenset[Literal]
"""Clause of a disjunctive normal form: a conjunction of literals."""


@dataclass(frozen=True, slots=True)
class Dnf:
    """Formula in disjunctive normal form, a disjunction of clauses: a formula of the language L of
    Trang et al."""

    clauses: frozenset[Clause]

    @property
    def atoms(self) -> frozenset[str]:
        return frozenset(literal.atom for clause in self.clauses for literal in clause)

    def __str__(self) -> str:
        if not self.clauses:
            return "false"
        return " | ".join(
            " & ".join(map(str, clause)) or "true" for clause in sorted(map(sorted, self.clauses))
        )


TRUE = Dnf(frozenset([frozenset()]))
FALSE = Dnf(frozenset())


def fact(atom: str, positive: bool = True) -> Dnf:
    """Return the formula that consists of one literal."""
    return Dnf(frozenset([frozenset([Literal(atom, positive)])]))


def any_of(formulas: Iterable[Dnf]) -> Dnf:
    """Return the disjunction of the given formulas."""
    clauses = frozenset[Clause]().union(*(formula.clauses for formula in formulas))
    if len(clauses) > MAX_CLAUSES:
        raise TooManyClauses
    return Dnf(clauses)


def all_of(formulas: Sequence[Dnf]) -> Dnf:
    """Return the conjunction of the given formulas, in disjunctive normal form."""
    result = TRUE
    for formula in formulas:
        pairs = product(result.clauses, formula.clauses)
        result = any_of(
            Dnf(frozenset([left | right])) for left, right in pairs if not _contradicts(left, right)
        )
    return result


def conjunct_of(formula: Dnf) -> Clause | None:
    """Return the only clause of a formula, which is then a conjunction of literals. Return None if
    the formula does not have exactly one clause."""
    return next(iter(formula.clauses)) if len(formula.clauses) == 1 else None


def consistent(formulas: Iterable[Dnf]) -> bool:
    """Return whether the formulas have a common model."""
    return _can_choose([_terms(formula) for formula in formulas], _nothing)


@lru_cache(maxsize=1 << 16)
def entails(base: frozenset[Dnf], formula: Dnf) -> bool:
    """Return whether a set of formulas entails a formula: ``base ⊨_Prop formula``."""
    return not _can_choose([*map(_terms, base), *_refutation(formula)], _nothing)


def entails_if_consistent(about: Callable[[str], Iterable[Dnf]], formula: Dnf) -> bool:
    """Return whether the base, a consistent set of formulas, entails ``formula``. ``about`` returns
    the formulas of the base that contain a given atom.

    The search looks for literals that refute ``formula``, and reads only the formulas of the base
    about the atoms of these literals. This is sufficient. Suppose the literals satisfy every
    formula of the base that contains one of their atoms. Then they can be extended to a model of
    the whole base: the other atoms get their values from any model of the base (an autarky; Monien
    and Speckenmeyer, "Solving Satisfiability in Less Than 2^n Steps", 1985).
    """
    return not _can_choose(_refutation(formula), about)


def prime_implicants(formula: Dnf) -> frozenset[Clause]:
    """Return the prime implicants of a formula: the minimal conjunctions of literals that entail
    it. A conjunction entails the formula exactly if it contains one of them.

    The algorithm is iterated consensus: two clauses that clash in exactly one atom give a clause
    without that atom, and clauses that contain others are dropped.
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
    """Return a belief base after ``literals`` were made true: the belief update of Trang et al.
    (Sect. 4.3, action ``mR``).

    In every clause of every formula, the complement of each of ``literals`` is replaced by the
    literal. This suffices for the belief bases in that paper, which mention every atom. Volition
    also allows bases that do not. There, a literal that the base does not entail after the
    replacement is added as a formula of its own.
    """
    changed = assigned(base, literals)
    facts = (fact(literal.atom, literal.positive) for literal in literals)
    return changed | {each for each in facts if not entails(changed, each)}


def assigned(base: Collection[Dnf], literals: Collection[Literal]) -> frozenset[Dnf]:
    """Return the formulas of a belief base with each literal that contradicts one of ``literals``
    replaced by its complement. In contrast to :func:`assign`, no formulas are added."""
    replacement = {literal.complement: literal for literal in literals}

    def replaced(clause: Clause) -> Clause:
        return frozenset(replacement.get(literal, literal) for literal in clause)

    return frozenset(Dnf(frozenset(map(replaced, formula.clauses))) for formula in base)


def _contradicts(left: Clause, right: Clause) -> bool:
    return any(literal.complement in right for literal in left)


_Term = tuple[int, int, tuple[str, ...]]
"""Clause for the search in :func:`_can_choose`: the bit set of its literals, the bit set of their
complements, and the names of its atoms. Each literal has one bit."""

_BIT_INDEX: dict[str, int] = {}
"""Map from each atom to the bit that stands for it, assigned when the atom first occurs. The next
bit stands for the negation of the atom."""


@lru_cache(maxsize=1 << 16)
def _terms(formula: Dnf) -> tuple[_Term, ...]:
    return tuple(_term(clause) for clause in sorted(formula.clauses, key=sorted))


def _term(clause: Clause) -> _Term:
    literals = complements = 0
    for literal in clause:
        bit = 1 << _BIT_INDEX.setdefault(literal.atom, 2 * len(_BIT_INDEX))
        literals |= bit if literal.positive else bit << 1
        complements |= bit << 1 if literal.positive else bit
    return literals, complements, tuple(sorted(literal.atom for literal in clause))


def _refutation(formula: Dnf) -> list[tuple[_Term, ...]]:
    """Return the negation of a formula as a conjunction of disjunctions: a list with one tuple for
    each clause of the formula. The tuple contains the complements of the clause's literals, of
    which at least one must be true."""
    return [
        tuple(_term(frozenset([literal.complement])) for literal in sorted(clause))
        for clause in formula.clauses
    ]


def _nothing(atom: str) -> tuple[Dnf, ...]:  # noqa: ARG001
    return ()


def _can_choose(
    requested: Sequence[tuple[_Term, ...]],
    about: Callable[[str], Iterable[Dnf]],
    chosen: int = 0,
    excluded: int = 0,
    met: frozenset[str] = frozenset(),
) -> bool:
    """Return whether there are literals that satisfy all disjunctions in ``requested``, in addition
    to the literals chosen so far. A disjunction is a tuple of clauses, of which one must be true.

    ``chosen`` are the literals chosen so far, ``excluded`` their complements, and ``met`` their
    atoms. When a chosen clause contains a new atom, the formulas about that atom are requested as
    well.

    A disjunction with only one possible clause is decided immediately (unit propagation). Then the
    search backtracks over the clauses of the disjunction with the fewest possible clauses. If all
    clauses are single literals, this is DPLL.
    """
    while True:
        open_disjunctions: list[tuple[_Term, ...]] = []
        atoms: set[str] = set()
        forced = False
        for terms in requested:
            possible = tuple(term for term in terms if not term[0] & excluded)
            if any(term[0] & chosen == term[0] for term in possible):
                continue
            if not possible:
                return False
            if len(possible) == 1:
                ((literals, complements, names),) = possible
                chosen, excluded, forced = chosen | literals, excluded | complements, True
                atoms.update(names)
            else:
                open_disjunctions.append(possible)
        if not forced:
            break
        fresh = sorted(atoms - met)
        met |= atoms
        requested = [
            *open_disjunctions,
            *(_terms(formula) for atom in fresh for formula in about(atom)),
        ]
    if not open_disjunctions:
        return True
    tightest = min(open_disjunctions, key=len)
    return any(
        _can_choose([(term,), *open_disjunctions], about, chosen, excluded, met)
        for term in tightest
    )
