"""Formula progression: translation of a path formula to a deterministic automaton whose states are
the obligations that remain after a prefix of the run.

After each state, *progression* gives the formula that the rest of the run must satisfy (Bacchus and
Kabanza, "Using temporal logics to express search control knowledge for planning", 2000). A formula
without release is satisfied once no obligation remains. A formula without until is satisfied as
long as it has not failed (Kupferman and Vardi, "Model checking of safety properties", 2001). This
module supports Boolean combinations of such formulas and of ``G F p`` and ``F G p`` for state
formulas p. For other formulas the remaining obligations are not sufficient.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import assert_never

from volition.diagnostics import InputError
from volition.logic.automata.automaton import Cube
from volition.logic.automata.obligations import FALSE, TRUE, Obligations
from volition.logic.printing import formula_text
from volition.logic.syntax import (
    And,
    Constant,
    Finally,
    Formula,
    Globally,
    Next,
    Not,
    Or,
    Release,
    Until,
)
from volition.logic.traversal import conjunction, disjunction

__all__ = ["ProgressionAutomaton", "RabinPair", "build_progression"]

MAX_PROPOSITIONS = 8
MAX_MODES = 1_000
"""Maximum number of states of a progression automaton. A larger automaton is not built, because a
person could not follow it."""

PendingObligations = frozenset[frozenset[int]]
"""Obligations for the rest of a run, in disjunctive normal form: a set of sets of obligation
numbers. All obligations of at least one of the sets must be met."""

NO_OBLIGATIONS: PendingObligations = frozenset([frozenset()])
CONTRADICTION: PendingObligations = frozenset()


ANY_STATE = Cube()


@dataclass(frozen=True, slots=True)
class RabinPair:
    """Pair of a Rabin acceptance condition. A run is accepted if it satisfies one of the pairs.

    A run satisfies a pair under two conditions. From some time on, the automaton stays in
    ``stay_modes`` and the run stays in states that satisfy ``stay_guard``. Infinitely often, the
    automaton is in one of ``recur_modes`` while the state of the run satisfies ``recur_guard``.
    """

    stay_modes: frozenset[int]
    stay_guard: Cube
    recur_guard: Cube
    recur_modes: frozenset[int]


@dataclass(frozen=True, slots=True)
class ProgressionAutomaton:
    """Deterministic Rabin automaton of a path formula. Its states are called modes.

    ``successors[mode][letter]`` is the mode after a state of the run; the bits of the letter are
    the propositions that hold in that state. ``initial`` is the mode before the first state.
    ``descriptions`` describe each mode to users. ``verdicts`` says for each mode whether the
    formula holds (True) or fails (False) whatever follows; None if that is still open. Each mode
    has the same successors and the same description as its ``equivalent_mode``.
    """

    propositions: tuple[Formula, ...]
    initial: int
    successors: tuple[tuple[int, ...], ...]
    descriptions: tuple[Mapping[str, str], ...]
    verdicts: tuple[bool | None, ...]
    equivalent_mode: tuple[int, ...]
    rabin_pairs: tuple[RabinPair, ...]


def build_progression(path: Formula, *, negated: bool = False) -> ProgressionAutomaton | None:
    """Return the progression automaton of a path formula, or of its negation if ``negated`` is set.
    Return None if the formula is not supported or the automaton is too large."""
    obligations = Obligations()
    builder = _ProgressionBuilder(obligations)
    try:
        start = builder.normalise(obligations.intern(path, negated=negated))
        return (
            builder.automaton(builder.rabin_pairs(start))
            if len(obligations.propositions) <= MAX_PROPOSITIONS
            else None
        )
    except (_NotSupported, InputError):  # InputError: a step bound is too large to be unrolled
        return None


class _NotSupported(Exception):
    """Exception raised if progression cannot decide a formula, or if the automaton would be too
    large."""


@dataclass(frozen=True, slots=True)
class _Conjunction:
    """Conjunction of three kinds of conditions on a run: ``parts`` are formulas that progression
    decides, the literals in ``recur_guard`` must each hold infinitely often, and the cube
    ``stay_guard`` must hold from some point on."""

    parts: frozenset[int] = frozenset()
    recur_guard: frozenset[Cube] = frozenset()
    stay_guard: Cube = ANY_STATE

    def __and__(self, other: _Conjunction) -> _Conjunction:
        return _Conjunction(
            self.parts | other.parts,
            self.recur_guard | other.recur_guard,
            self.stay_guard & other.stay_guard,
        )


Mode = tuple[tuple[PendingObligations, ...], int]
"""State of a progression automaton: the remaining obligations of each part of the formula, and the
index of the next goal. Goals are conditions that must each hold infinitely often; the automaton
waits for them one after the other."""


class _ProgressionBuilder:
    def __init__(self, obligations: Obligations) -> None:
        self._all = obligations
        self._operators = cache(self._find_operators)
        self._step = cache(self._progress_obligation)

    # --- normal form ------------------------------------------------------------------------------

    def normalise(self, number: int) -> int:
        """Return the number of an equivalent formula in which suffix-invariant subformulas, such as
        ``G F p``, are moved out of ``F`` and ``G``."""
        every = self._all
        this = every[number]
        if self._is_part(number):
            return number
        if this.operator in ("and", "or"):
            join = every.conjoin if this.operator == "and" else every.disjoin
            return join(self.normalise(this.left), self.normalise(this.right))
        if (this.operator, this.left) not in (("U", TRUE), ("R", FALSE)):
            return number
        until = this.operator == "U"
        inner = self.normalise(this.right)
        below = every[inner]
        suffix_invariant = [
            below.operator in ("and", "or") and self._is_suffix_invariant(each)
            for each in (below.left, below.right)
        ]
        if below.operator == ("or" if until else "and") or any(suffix_invariant):
            join = every.conjoin if below.operator == "and" else every.disjoin
            return join(
                *(
                    self.normalise(self._always_or_once(each, until))
                    for each in (below.left, below.right)
                )
            )
        return self._always_or_once(inner, until)

    def _always_or_once(self, number: int, until: bool) -> int:
        return self._all.until(TRUE, number) if until else self._all.release(FALSE, number)

    def _is_suffix_invariant(self, number: int) -> bool:
        return bool(self._all.is_eventual(number) and self._all.is_universal(number))

    def rabin_pairs(self, number: int) -> list[_Conjunction]:
        """Return the formula as a disjunction of conjunctions, each of which becomes one Rabin
        pair. Raise :class:`_NotSupported` if it has no such form."""
        this = self._all[number]
        if self._is_part(number):
            return [_Conjunction(parts=frozenset([number]))]
        if this.operator == "or":
            return [*self.rabin_pairs(this.left), *self.rabin_pairs(this.right)]
        if this.operator == "and":
            return [
                left & right
                for left, right in product(
                    self.rabin_pairs(this.left), self.rabin_pairs(this.right)
                )
            ]
        inner = self._all[this.right]
        literal = (
            self._literal(inner.right)
            if this.operator in ("U", "R") and inner.operator in ("U", "R")
            else None
        )
        match this.operator, this.left, inner.operator, inner.left:
            case "R", 1, "U", 0 if literal is not None:
                return [_Conjunction(recur_guard=frozenset([literal]))]
            case "U", 0, "R", 1 if literal is not None:
                return [_Conjunction(stay_guard=literal)]
            case _:
                pass
        raise _NotSupported

    def _literal(self, number: int) -> Cube | None:
        this = self._all[number]
        if this.operator == "is":
            return Cube(positive=1 << this.left)
        return Cube(negative=1 << this.left) if this.operator == "is not" else None

    def _is_part(self, number: int) -> bool:
        return not {"U", "R"} <= self._operators(number)

    def _find_operators(self, number: int) -> frozenset[str]:
        this = self._all[number]
        below = {
            "X": [this.left],
            "and": [this.left, this.right],
            "or": [this.left, this.right],
        }.get(this.operator, [])
        if this.operator in ("U", "R"):
            below = [this.left, this.right]
        return frozenset([this.operator]).union(*map(self._operators, below))

    # --- progression ------------------------------------------------------------------------------

    def _as_dnf(self, number: int) -> PendingObligations:
        """Return the disjunctive normal form of a formula, given by its number."""
        this = self._all[number]
        match this.operator:
            case "true":
                return NO_OBLIGATIONS
            case "false":
                return CONTRADICTION
            case "and":
                return self._both(self._as_dnf(this.left), self._as_dnf(this.right))
            case "or":
                return self._either(self._as_dnf(this.left), self._as_dnf(this.right))
            case "is" | "is not" | "X" | "U" | "R":
                return frozenset([frozenset([number])])
            case _:
                assert_never(this.operator)

    def _progress_obligation(self, number: int, letter: int) -> PendingObligations:
        """Return the obligations that remain of one obligation after a state in which the
        propositions of ``letter`` hold."""
        this = self._all[number]
        match this.operator:
            case "is":
                return NO_OBLIGATIONS if letter >> this.left & 1 else CONTRADICTION
            case "is not":
                return CONTRADICTION if letter >> this.left & 1 else NO_OBLIGATIONS
            case "X":
                return self._as_dnf(this.left)
            case "and":
                return self._both(self._step(this.left, letter), self._step(this.right, letter))
            case "or":
                return self._either(self._step(this.left, letter), self._step(this.right, letter))
            case "U":
                return self._either(
                    self._step(this.right, letter),
                    self._both(self._step(this.left, letter), self._as_dnf(number)),
                )
            case "R":
                return self._both(
                    self._step(this.right, letter),
                    self._either(self._step(this.left, letter), self._as_dnf(number)),
                )
            case "true" | "false":
                return self._as_dnf(number)
            case _:
                assert_never(this.operator)

    def _after(self, due: PendingObligations, letter: int) -> PendingObligations:
        result = CONTRADICTION
        for each in due:
            together = NO_OBLIGATIONS
            for number in each:
                together = self._both(together, self._step(number, letter))
            result = self._either(result, together)
        return result

    def _either(self, left: PendingObligations, right: PendingObligations) -> PendingObligations:
        return self._simplified(left | right)

    def _both(self, left: PendingObligations, right: PendingObligations) -> PendingObligations:
        return self._simplified(a | b for a, b in product(left, right))

    def _simplified(self, due: Iterable[frozenset[int]]) -> PendingObligations:
        """Return an equivalent, smaller disjunctive normal form: without obligations that follow
        from others in their set, and without sets that imply another set."""
        sets = list(
            dict.fromkeys(
                frozenset(n for n in each if not self._is_implied(n, each - {n})) for each in due
            )
        )
        kept: list[frozenset[int]] = []
        for index, each in enumerate(sets):
            others = [*kept, *sets[index + 1 :]]
            if not any(
                all(n in each or self._is_implied(n, each) for n in other) for other in others
            ):
                kept.append(each)
        return frozenset(kept)

    def _is_implied(self, number: int, by: frozenset[int]) -> bool:
        return any(self._follows(each, number) for each in by)

    def _follows(self, left: int, right: int) -> bool:
        """Return whether the obligation ``left`` implies ``right``, by a sufficient test. An until
        also implies every eventual formula that its right operand implies."""
        every = self._all
        if left == right or every.implies(left, right):
            return True
        return (
            every[left].operator == "U"
            and bool(every.is_eventual(right))
            and bool(every.implies(every[left].right, right))
        )

    # --- the automaton ----------------------------------------------------------------------------

    def automaton(self, disjuncts: list[_Conjunction]) -> ProgressionAutomaton:
        disjuncts = [each for each in disjuncts if each.stay_guard.consistent]
        parts = sorted({part for each in disjuncts for part in each.parts})
        several = {each.recur_guard for each in disjuncts if len(each.recur_guard) > 1}
        if len(several) > 1:
            raise _NotSupported
        goals = sorted(next(iter(several), ()), key=lambda cube: (cube.positive, cube.negative))
        letters = range(1 << len(self._all.propositions))
        start: Mode = (tuple(map(self._as_dnf, parts)), 0)
        numbers, after = {start: 0}, []
        for due, following in (modes := [start]):
            row = []
            for letter in letters:
                mode = (
                    tuple(self._after(each, letter) for each in due),
                    _next_goal(goals, following, letter),
                )
                if mode not in numbers:
                    numbers[mode] = len(modes)
                    modes.append(mode)
                row.append(numbers[mode])
            after.append(tuple(row))
            if len(modes) > MAX_MODES:
                raise _NotSupported
        meant = [dict(zip(parts, due, strict=True)) for due, _ in modes]
        like = [
            numbers.get((due, goal % max(len(goals), 1)), number)
            for number, (due, goal) in enumerate(modes)
        ]
        return ProgressionAutomaton(
            propositions=tuple(self._all.propositions),
            initial=0,
            successors=tuple(after),
            descriptions=_disambiguate(
                [
                    self._describe_mode(due, goals, goal)
                    for due, (_, goal) in zip(meant, modes, strict=True)
                ],
                like,
            ),
            verdicts=tuple(self._decided(disjuncts, due) for due in meant),
            equivalent_mode=tuple(like),
            rabin_pairs=tuple(self._rabin_pair(each, modes, meant, goals) for each in disjuncts),
        )

    def _rabin_pair(
        self,
        disjunct: _Conjunction,
        modes: list[Mode],
        meant: list[dict[int, PendingObligations]],
        goals: list[Cube],
    ) -> RabinPair:
        allowed = frozenset(
            mode
            for mode, due in enumerate(meant)
            if all(self._is_met(part, due[part]) for part in disjunct.parts)
        )
        if len(disjunct.recur_guard) > 1:
            return RabinPair(
                allowed,
                disjunct.stay_guard,
                ANY_STATE,
                frozenset(mode for mode, (_, goal) in enumerate(modes) if goal == len(goals)),
            )
        return RabinPair(
            allowed, disjunct.stay_guard, next(iter(disjunct.recur_guard), ANY_STATE), allowed
        )

    def _is_met(self, part: int, due: PendingObligations) -> bool:
        """Return whether a mode with the remaining obligations ``due`` counts as satisfying a part
        of the formula. A run that stays in such modes forever satisfies the part."""
        return due == NO_OBLIGATIONS or ("U" not in self._operators(part) and due != CONTRADICTION)

    def _decided(
        self, disjuncts: list[_Conjunction], due: Mapping[int, PendingObligations]
    ) -> bool | None:
        if any(
            not each.recur_guard
            and each.stay_guard == ANY_STATE
            and all(due[part] == NO_OBLIGATIONS for part in each.parts)
            for each in disjuncts
        ):
            return True
        return (
            False
            if all(any(due[part] == CONTRADICTION for part in each.parts) for each in disjuncts)
            else None
        )

    # --- descriptions -----------------------------------------------------------------------------

    def _describe_mode(
        self, meant: Mapping[int, PendingObligations], goals: list[Cube], goal: int
    ) -> dict[str, str]:
        items: dict[str, str] = {}
        for part, due in meant.items():
            if due == CONTRADICTION:
                items[f"{formula_text(self._formula(part))} has failed"] = ""
            elif len(due) == 1:
                items |= {
                    f"{formula_text(self._formula(number))} is due": ""
                    for number in sorted(next(iter(due)))
                }
            else:
                sets = [
                    conjunction([*map(self._formula, numbers)])
                    for numbers in sorted(map(sorted, due))
                ]
                items[f"{formula_text(disjunction(sets))} is due"] = ""
        return (
            {**items, "as the next goal": self._literal_text(goals[goal % len(goals)])}
            if goals
            else items
        )

    def _literal_text(self, literal: Cube) -> str:
        formula = self._all.propositions[(literal.positive | literal.negative).bit_length() - 1]
        return formula_text(formula if literal.positive else Not(formula))

    def _formula(self, number: int) -> Formula:
        """Return the formula of an obligation, as a syntax tree."""
        this = self._all[number]
        match this.operator:
            case "true" | "false":
                return Constant(this.operator == "true")
            case "is":
                return self._all.propositions[this.left]
            case "is not":
                return Not(self._all.propositions[this.left])
            case "X":
                return Next(self._formula(this.left))
            case "and":
                return And(self._formula(this.left), self._formula(this.right))
            case "or":
                return Or(self._formula(this.left), self._formula(this.right))
            case "U":
                right = self._formula(this.right)
                return (
                    Finally(right) if this.left == TRUE else Until(self._formula(this.left), right)
                )
            case "R":
                right = self._formula(this.right)
                return (
                    Globally(right)
                    if this.left == FALSE
                    else Release(self._formula(this.left), right)
                )
            case _:
                assert_never(this.operator)


def _disambiguate(texts: list[dict[str, str]], like: list[int]) -> tuple[Mapping[str, str], ...]:
    """Return the description of each mode. If modes that are not equivalent would have the same
    description, add a mode number to all descriptions."""
    words = {(tuple(sorted(items.items())), same) for items, same in zip(texts, like, strict=True)}
    if len({text for text, _ in words}) == len(words):
        return tuple(texts)
    return tuple(
        {**items, "as the mode": str(same)} for items, same in zip(texts, like, strict=True)
    )


def _next_goal(goals: list[Cube], following: int, letter: int) -> int:
    """Return the index of the goal to wait for after a state in which the propositions of
    ``letter`` hold. ``following`` is the index before this state.

    Goals are conditions that must each hold infinitely often. The automaton waits for them one
    after the other; one state may reach several. If a state reaches the last goal, the result is
    the number of goals, and the next call starts again with the first goal.
    """
    goal = following % len(goals) if goals else 0
    while goal < len(goals) and goals[goal].allows(letter, ~letter):
        goal += 1
    return goal
