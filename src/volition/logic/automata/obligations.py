"""Table of path formulas in negation normal form, simplified while they are built. It is the basis
of the translation to automata.

A formula is represented by a number; equal formulas have equal numbers. The simplifications are the
usual syntactic ones: constants, implication between subformulas (Somenzi and Bloem, CAV 2000), and
*eventual* and *universal* formulas (Etessami and Holzmann, CONCUR 2000). An eventual formula holds
on a run if it holds on any suffix of the run. A universal formula that holds on a run holds on
every suffix of the run.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal, assert_never

from volition.diagnostics import Diagnostic, InputError
from volition.logic.syntax import (
    AgentQuantifier,
    And,
    Atom,
    Comparison,
    Constant,
    Finally,
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
from volition.logic.traversal import is_state_formula

__all__ = ["FALSE", "TRUE", "Obligation", "Obligations", "has_large_bound"]

MAX_UNROLLED_BOUND = 200
"""Maximum step bound of a temporal operator inside a larger path formula. Such a bound is unrolled
into one formula per step. Larger bounds raise :class:`InputError`."""


def has_large_bound(formula: Formula) -> bool:
    """Return whether the outermost operator of a formula has a step bound above
    :data:`MAX_UNROLLED_BOUND`."""
    bound = (
        formula.bound
        if isinstance(formula, Finally | Globally | Until | Release | WeakUntil)
        else None
    )
    return bound is not None and max(bound.lower, bound.upper or 0) > MAX_UNROLLED_BOUND


Operator = Literal["true", "false", "is", "is not", "X", "and", "or", "U", "R"]


@dataclass(frozen=True, slots=True)
class Obligation:
    """Formula in the table :class:`Obligations`: an operator and the numbers of its operands in the
    table. For the literals ``is`` and ``is not``, ``left`` is the number of a proposition."""

    operator: Operator
    left: int = -1
    right: int = -1


TRUE, FALSE = 0, 1


class Obligations:
    """Table of path formulas and of the propositions that occur in them. A proposition is a maximal
    state formula in a path formula."""

    def __init__(self) -> None:
        self.propositions: list[Formula] = []
        self._all: list[Obligation] = []
        self._numbers: dict[Obligation, int] = {}
        self._number(Obligation("true"))
        self._number(Obligation("false"))
        self.implies = cache(self._implies)
        self.is_eventual = cache(self._is_eventual)
        self.is_universal = cache(self._is_universal)
        self.promises = cache(self._contains_until)

    def __getitem__(self, number: int) -> Obligation:
        return self._all[number]

    def _number(self, obligation: Obligation) -> int:
        number = self._numbers.setdefault(obligation, len(self._all))
        if number == len(self._all):
            self._all.append(obligation)
        return number

    # --- from formulas ----------------------------------------------------------------------------

    def intern(self, path: Formula, *, negated: bool = False) -> int:
        """Add a path formula, or its negation, to the table and return its number."""
        if isinstance(path, Not):
            return self.intern(path.operand, negated=not negated)
        if is_state_formula(path):
            return self._leaf(path, negated)
        conjoin, disjoin = (self.disjoin, self.conjoin) if negated else (self.conjoin, self.disjoin)
        match path:
            case And():
                return conjoin(
                    self.intern(path.left, negated=negated),
                    self.intern(path.right, negated=negated),
                )
            case Or():
                return disjoin(
                    self.intern(path.left, negated=negated),
                    self.intern(path.right, negated=negated),
                )
            case Implies():
                return disjoin(
                    self.intern(path.left, negated=not negated),
                    self.intern(path.right, negated=negated),
                )
            case Iff():
                both = self.conjoin(
                    self.intern(path.left, negated=negated), self.intern(path.right)
                )
                neither = self.conjoin(
                    self.intern(path.left, negated=not negated),
                    self.intern(path.right, negated=True),
                )
                return self.disjoin(both, neither)
            case Next():
                return self.next(self.intern(path.operand, negated=negated))
            case Finally():
                return self._until(
                    FALSE if negated else TRUE,
                    self.intern(path.operand, negated=negated),
                    path,
                    dual=negated,
                )
            case Globally():
                return self._until(
                    TRUE if negated else FALSE,
                    self.intern(path.operand, negated=negated),
                    path,
                    dual=not negated,
                )
            case Until() | Release():
                left, right = (
                    self.intern(path.left, negated=negated),
                    self.intern(path.right, negated=negated),
                )
                return self._until(left, right, path, dual=negated != isinstance(path, Release))
            case WeakUntil():
                holds, fails = And(path.left, Not(path.right)), And(Not(path.left), Not(path.right))
                return self.intern(
                    Not(Until(holds, fails, path.bound, span=path.span)), negated=negated
                )
            case (
                Constant()
                | Atom()
                | Proposition()
                | Comparison()
                | PathQuantifier()
                | Probability()
                | Reward()
                | SteadyState()
                | Multi()
                | AgentQuantifier()
            ):
                raise TypeError(f"{type(path).__name__} is not a path operator")
            case _:
                assert_never(path)

    def _leaf(self, formula: Formula, negated: bool) -> int:
        if isinstance(formula, Constant):
            return TRUE if formula.value != negated else FALSE
        if formula not in self.propositions:
            self.propositions.append(formula)
        return self._number(
            Obligation("is not" if negated else "is", self.propositions.index(formula))
        )

    def _until(
        self, left: int, right: int, path: Finally | Globally | Until | Release, *, dual: bool
    ) -> int:
        """Return the number of the formula ``left U right``, or of ``left R right`` if ``dual`` is
        set, with the step bound of the operator ``path``."""
        until, absorb, distribute = (
            (self.release, self.conjoin, self.disjoin)
            if dual
            else (self.until, self.disjoin, self.conjoin)
        )
        bound = path.bound
        if bound is None:
            return until(left, right)
        if has_large_bound(path):
            message = (
                f"a step bound above {MAX_UNROLLED_BOUND} is not supported inside a path formula"
            )
            hint = "put the operator directly after A, E or P, where larger bounds are supported"
            raise InputError([Diagnostic("LOG012", message, path.span, hint)])
        result = right if bound.upper is not None else until(left, right)
        for _ in range(0 if bound.upper is None else bound.upper - bound.lower):
            result = absorb(right, distribute(left, self.next(result)))
        for _ in range(bound.lower):
            result = distribute(left, self.next(result))
        return result

    # --- simplifying constructors -----------------------------------------------------------------

    def next(self, operand: int) -> int:
        if operand in (TRUE, FALSE) or (self.is_eventual(operand) and self.is_universal(operand)):
            return operand
        return self._number(Obligation("X", operand))

    def conjoin(self, left: int, right: int) -> int:
        if self.implies(left, right):
            return left
        if self.implies(right, left):
            return right
        if self._are_contradictory(left, right):
            return FALSE
        return self._number(Obligation("and", min(left, right), max(left, right)))

    def disjoin(self, left: int, right: int) -> int:
        if self.implies(left, right):
            return right
        if self.implies(right, left):
            return left
        if self._are_contradictory(left, right):
            return TRUE
        return self._number(Obligation("or", min(left, right), max(left, right)))

    def until(self, left: int, right: int) -> int:
        if self.implies(left, right) or self.is_eventual(right):
            return right
        inner = self[right]
        if inner.operator == "U" and self.implies(inner.left, left):
            return self.until(left, inner.right)
        return self._number(Obligation("U", left, right))

    def release(self, left: int, right: int) -> int:
        if self.implies(right, left) or self.is_universal(right):
            return right
        inner = self[right]
        if inner.operator == "R" and self.implies(left, inner.left):
            return self.release(left, inner.right)
        return self._number(Obligation("R", left, right))

    # --- predicates -------------------------------------------------------------------------------

    def _are_contradictory(self, left: int, right: int) -> bool:
        a, b = self[left], self[right]
        return {a.operator, b.operator} == {"is", "is not"} and a.left == b.left

    def _is_eventual(self, number: int) -> bool:
        """Return whether the formula is known to be eventual: it holds on a run if it holds on any
        suffix of the run. The test is sufficient, not necessary."""
        this = self[number]
        match this.operator:
            case "true" | "false":
                return True
            case "is" | "is not":
                return False
            case "X":
                return bool(self.is_eventual(this.left))
            case "U":
                return this.left == TRUE or bool(self.is_eventual(this.right))
            case "R" if this.left == FALSE:
                return bool(self.is_eventual(this.right))
            case _:
                return bool(self.is_eventual(this.left) and self.is_eventual(this.right))

    def _is_universal(self, number: int) -> bool:
        """Return whether the formula is known to be universal: if it holds on a run, it holds on
        every suffix of the run. The test is sufficient, not necessary."""
        this = self[number]
        match this.operator:
            case "true" | "false":
                return True
            case "is" | "is not":
                return False
            case "X":
                return bool(self.is_universal(this.left))
            case "R":
                return this.left == FALSE or bool(self.is_universal(this.right))
            case "U" if this.left == TRUE:
                return bool(self.is_universal(this.right))
            case _:
                return bool(self.is_universal(this.left) and self.is_universal(this.right))

    def _contains_until(self, number: int) -> bool:
        """Return whether an until occurs in the formula. Such a formula promises that something
        holds at some later time, and this promise could be postponed again and again."""
        this = self[number]
        if this.operator in ("true", "false", "is", "is not"):
            return False
        return this.operator == "U" or bool(
            self.promises(this.left) or (this.right >= 0 and self.promises(this.right))
        )

    def _implies(self, left: int, right: int) -> bool:
        """Return whether the formula ``left`` implies the formula ``right``, by a fast syntactic
        test. The test is sufficient, not necessary."""
        if left in (right, FALSE) or right == TRUE:
            return True
        a, b = self[left], self[right]
        implies = self.implies
        if a.operator == "or":
            return bool(implies(a.left, right) and implies(a.right, right))
        if b.operator == "and":
            return bool(implies(left, b.left) and implies(left, b.right))
        if a.operator == b.operator == "X":
            return bool(implies(a.left, b.left))
        if (
            a.operator == b.operator
            and a.operator in ("U", "R")
            and implies(a.left, b.left)
            and implies(a.right, b.right)
        ):
            return True
        return bool(
            (a.operator == "and" and (implies(a.left, right) or implies(a.right, right)))
            or (b.operator == "or" and (implies(left, b.left) or implies(left, b.right)))
            or (a.operator == "U" and implies(a.left, right) and implies(a.right, right))
            or (a.operator == "R" and implies(a.right, right))
            or (b.operator == "U" and implies(left, b.right))
            or (b.operator == "R" and implies(left, b.left) and implies(left, b.right))
        )
