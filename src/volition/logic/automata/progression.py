"""What of a path formula is still due: a deterministic automaton whose modes a person can follow.

After each state, *progression* says what the rest of the run must satisfy (Bacchus and Kabanza, "Using temporal logics to express
search control knowledge for planning", 2000).  A formula without release is satisfied once nothing is due any more, one without
until as long as it has not failed (Kupferman and Vardi, "Model checking of safety properties", 2001).  Here are Boolean
combinations of these and of ``G F p`` and ``F G p`` with a state formula p.  Other formulas need more than knowing what is due.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product

from volition.diagnostics import InputError
from volition.logic.automata.automaton import Cube
from volition.logic.automata.obligations import FALSE, TRUE, Obligations
from volition.logic.printing import show
from volition.logic.syntax import And, Constant, Finally, Formula, Globally, Next, Not, Or, Release, Until
from volition.logic.tree import conjunction, disjunction

__all__ = ["Progression", "Way", "progression"]

MOST_PROPOSITIONS = 8
MOST_MODES = 1_000
"""An automaton with more is not made: nobody could follow it."""

Due = frozenset[frozenset[int]]
"""Obligations for the rest of the run: all of one of the sets."""

NOTHING: Due = frozenset([frozenset()])
FAILED: Due = frozenset()


ANYWHERE = Cube()


@dataclass(frozen=True, slots=True)
class Way:
    """One way to satisfy the formula: from some time on the run stays in ``modes`` and where ``always`` holds.

    Again and again it comes to states where ``again`` holds, in one of ``again_modes``.
    """

    modes: frozenset[int]
    always: Cube
    again: Cube
    again_modes: frozenset[int]


@dataclass(frozen=True, slots=True)
class Progression:
    """The automaton: ``after[mode][letter]`` is the mode after a state, whose letter says by its bits which propositions hold.

    ``start`` is the mode before the first state.  ``items`` tells each mode to a person.  ``decided`` says of each mode whether the
    formula holds whatever comes, or fails whatever comes; None where that is open.  What comes next after a mode is the same as after
    the mode that it is ``like``; they are told alike.
    """

    propositions: tuple[Formula, ...]
    start: int
    after: tuple[tuple[int, ...], ...]
    items: tuple[Mapping[str, str], ...]
    decided: tuple[bool | None, ...]
    like: tuple[int, ...]
    ways: tuple[Way, ...]


def progression(path: Formula, *, negated: bool = False) -> Progression | None:
    """The automaton for a path formula, or for its negation; None where it has no such automaton, or none that is small."""
    obligations = Obligations()
    made = _Progress(obligations)
    try:
        start = made.pulled(obligations.read(path, negated=negated))
        return made.automaton(made.ways(start)) if len(obligations.propositions) <= MOST_PROPOSITIONS else None
    except (_NotCovered, InputError):  # the latter for step bounds that are too large to be unrolled
        return None


class _NotCovered(Exception):
    """The formula needs another automaton."""


@dataclass(frozen=True, slots=True)
class _Conjunction:
    """Parts that are to be satisfied, and literals that hold again and again, or always from some time on."""

    parts: frozenset[int] = frozenset()
    again: frozenset[Cube] = frozenset()
    always: Cube = ANYWHERE

    def __and__(self, other: _Conjunction) -> _Conjunction:
        return _Conjunction(self.parts | other.parts, self.again | other.again, self.always & other.always)


Mode = tuple[tuple[Due, ...], int]
"""What is due of each part, and which of several goals to be met again and again comes next."""


class _Progress:
    def __init__(self, obligations: Obligations) -> None:
        self._all = obligations
        self._operators = cache(self._find_operators)
        self._step = cache(self._find_step)

    # --- the ways to satisfy a formula -----------------------------------------------------------------------------------

    def pulled(self, number: int) -> int:
        """The same formula with what does not depend on when it is asked (such as ``G F p``) pulled out of ``F`` and ``G``."""
        every = self._all
        this = every[number]
        if self._is_part(number):
            return number
        if this.operator in ("and", "or"):
            join = every.conjoin if this.operator == "and" else every.disjoin
            return join(self.pulled(this.left), self.pulled(this.right))
        if (this.operator, this.left) not in (("U", TRUE), ("R", FALSE)):
            return number
        until = this.operator == "U"
        inner = self.pulled(this.right)
        below = every[inner]
        timeless = [below.operator in ("and", "or") and self._is_timeless(each) for each in (below.left, below.right)]
        if below.operator == ("or" if until else "and") or any(timeless):
            join = every.conjoin if below.operator == "and" else every.disjoin
            return join(*(self.pulled(self._always_or_once(each, until)) for each in (below.left, below.right)))
        return self._always_or_once(inner, until)

    def _always_or_once(self, number: int, until: bool) -> int:
        return self._all.until(TRUE, number) if until else self._all.release(FALSE, number)

    def _is_timeless(self, number: int) -> bool:
        return bool(self._all.is_eventual(number) and self._all.is_universal(number))

    def ways(self, number: int) -> list[_Conjunction]:
        """The formula as a disjunction of conjunctions."""
        this = self._all[number]
        if self._is_part(number):
            return [_Conjunction(parts=frozenset([number]))]
        if this.operator == "or":
            return [*self.ways(this.left), *self.ways(this.right)]
        if this.operator == "and":
            return [left & right for left, right in product(self.ways(this.left), self.ways(this.right))]
        inner = self._all[this.right]
        literal = self._literal(inner.right) if this.operator in ("U", "R") and inner.operator in ("U", "R") else None
        match this.operator, this.left, inner.operator, inner.left:
            case "R", 1, "U", 0 if literal is not None:
                return [_Conjunction(again=frozenset([literal]))]
            case "U", 0, "R", 1 if literal is not None:
                return [_Conjunction(always=literal)]
        raise _NotCovered

    def _literal(self, number: int) -> Cube | None:
        this = self._all[number]
        if this.operator == "is":
            return Cube(positive=1 << this.left)
        return Cube(negative=1 << this.left) if this.operator == "is not" else None

    def _is_part(self, number: int) -> bool:
        return not {"U", "R"} <= self._operators(number)

    def _find_operators(self, number: int) -> frozenset[str]:
        this = self._all[number]
        below = {"X": [this.left], "and": [this.left, this.right], "or": [this.left, this.right]}.get(this.operator, [])
        if this.operator in ("U", "R"):
            below = [this.left, this.right]
        return frozenset([this.operator]).union(*map(self._operators, below))

    # --- one state after the other ---------------------------------------------------------------------------------------

    def _due(self, number: int) -> Due:
        """A formula as sets of obligations."""
        this = self._all[number]
        match this.operator:
            case "true":
                return NOTHING
            case "false":
                return FAILED
            case "and":
                return self._both(self._due(this.left), self._due(this.right))
            case "or":
                return self._either(self._due(this.left), self._due(this.right))
            case _:
                return frozenset([frozenset([number])])

    def _find_step(self, number: int, letter: int) -> Due:
        """What is due of an obligation after a state."""
        this = self._all[number]
        match this.operator:
            case "is":
                return NOTHING if letter >> this.left & 1 else FAILED
            case "is not":
                return FAILED if letter >> this.left & 1 else NOTHING
            case "X":
                return self._due(this.left)
            case "and":
                return self._both(self._step(this.left, letter), self._step(this.right, letter))
            case "or":
                return self._either(self._step(this.left, letter), self._step(this.right, letter))
            case "U":
                return self._either(self._step(this.right, letter), self._both(self._step(this.left, letter), self._due(number)))
            case "R":
                return self._both(self._step(this.right, letter), self._either(self._step(this.left, letter), self._due(number)))
            case _:
                return self._due(number)

    def _after(self, due: Due, letter: int) -> Due:
        result = FAILED
        for each in due:
            together = NOTHING
            for number in each:
                together = self._both(together, self._step(number, letter))
            result = self._either(result, together)
        return result

    def _either(self, left: Due, right: Due) -> Due:
        return self._simplified(left | right)

    def _both(self, left: Due, right: Due) -> Due:
        return self._simplified(a | b for a, b in product(left, right))

    def _simplified(self, due: Iterable[frozenset[int]]) -> Due:
        """Without obligations that follow from others, and without sets that ask for more than another one."""
        sets = list(dict.fromkeys(frozenset(n for n in each if not self._is_implied(n, each - {n})) for each in due))
        kept: list[frozenset[int]] = []
        for place, each in enumerate(sets):
            others = [*kept, *sets[place + 1 :]]
            if not any(all(n in each or self._is_implied(n, each) for n in other) for other in others):
                kept.append(each)
        return frozenset(kept)

    def _is_implied(self, number: int, by: frozenset[int]) -> bool:
        return any(self._follows(each, number) for each in by)

    def _follows(self, left: int, right: int) -> bool:
        """Whether an obligation implies another one; what must come true at some time does, if that is true once it is true later."""
        every = self._all
        if left == right or every.implies(left, right):
            return True
        return every[left].operator == "U" and bool(every.is_eventual(right)) and bool(every.implies(every[left].right, right))

    # --- the automaton ---------------------------------------------------------------------------------------------------

    def automaton(self, ways: list[_Conjunction]) -> Progression:
        ways = [each for each in ways if each.always.consistent]
        parts = sorted({part for each in ways for part in each.parts})
        several = {each.again for each in ways if len(each.again) > 1}
        if len(several) > 1:
            raise _NotCovered
        goals = sorted(next(iter(several), ()), key=lambda cube: (cube.positive, cube.negative))
        letters = range(1 << len(self._all.propositions))
        start: Mode = (tuple(map(self._due, parts)), 0)
        numbers, after = {start: 0}, []
        for due, following in (modes := [start]):
            row = []
            for letter in letters:
                mode = (tuple(self._after(each, letter) for each in due), _next_goal(goals, following, letter))
                if mode not in numbers:
                    numbers[mode] = len(modes)
                    modes.append(mode)
                row.append(numbers[mode])
            after.append(tuple(row))
            if len(modes) > MOST_MODES:
                raise _NotCovered
        meant = [dict(zip(parts, due, strict=True)) for due, _ in modes]
        like = [numbers.get((due, goal % max(len(goals), 1)), number) for number, (due, goal) in enumerate(modes)]
        return Progression(
            propositions=tuple(self._all.propositions),
            start=0,
            after=tuple(after),
            items=_told_apart([self._told(due, goals, goal) for due, (_, goal) in zip(meant, modes, strict=True)], like),
            decided=tuple(self._decided(ways, due) for due in meant),
            like=tuple(like),
            ways=tuple(self._way(each, modes, meant, goals) for each in ways),
        )

    def _way(self, way: _Conjunction, modes: list[Mode], meant: list[dict[int, Due]], goals: list[Cube]) -> Way:
        allowed = frozenset(mode for mode, due in enumerate(meant) if all(self._is_met(part, due[part]) for part in way.parts))
        if len(way.again) > 1:
            return Way(allowed, way.always, ANYWHERE, frozenset(mode for mode, (_, goal) in enumerate(modes) if goal == len(goals)))
        return Way(allowed, way.always, next(iter(way.again), ANYWHERE), allowed)

    def _is_met(self, part: int, due: Due) -> bool:
        """Whether a part is satisfied if this stays due for ever."""
        return due == NOTHING or ("U" not in self._operators(part) and due != FAILED)

    def _decided(self, ways: list[_Conjunction], due: Mapping[int, Due]) -> bool | None:
        if any(not each.again and each.always == ANYWHERE and all(due[part] == NOTHING for part in each.parts) for each in ways):
            return True
        return False if all(any(due[part] == FAILED for part in each.parts) for each in ways) else None

    # --- words -----------------------------------------------------------------------------------------------------------

    def _told(self, meant: Mapping[int, Due], goals: list[Cube], goal: int) -> dict[str, str]:
        items: dict[str, str] = {}
        for part, due in meant.items():
            if due == FAILED:
                items[f"{show(self._formula(part))} has failed"] = ""
            elif len(due) == 1:
                items |= {f"{show(self._formula(number))} is due": "" for number in sorted(next(iter(due)))}
            else:
                sets = [conjunction([*map(self._formula, numbers)]) for numbers in sorted(map(sorted, due))]
                items[f"{show(disjunction(sets))} is due"] = ""
        return {**items, "as the next goal": self._literal_text(goals[goal % len(goals)])} if goals else items

    def _literal_text(self, literal: Cube) -> str:
        formula = self._all.propositions[(literal.positive | literal.negative).bit_length() - 1]
        return show(formula if literal.positive else Not(formula))

    def _formula(self, number: int) -> Formula:
        """An obligation as a formula again."""
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
                return Finally(right) if this.left == TRUE else Until(self._formula(this.left), right)
            case "R":
                right = self._formula(this.right)
                return Globally(right) if this.left == FALSE else Release(self._formula(this.left), right)


def _told_apart(told: list[dict[str, str]], like: list[int]) -> tuple[Mapping[str, str], ...]:
    """The items of all modes, with a number where the words do not tell two apart that are not alike."""
    words = {(tuple(sorted(items.items())), same) for items, same in zip(told, like, strict=True)}
    if len({text for text, _ in words}) == len(words):
        return tuple(told)
    return tuple({**items, "as the mode": str(same)} for items, same in zip(told, like, strict=True))


def _next_goal(goals: list[Cube], following: int, letter: int) -> int:
    """The goal that comes next after a state; as many as there are, if the last one was met right there."""
    goal = following % len(goals) if goals else 0
    while goal < len(goals) and goals[goal].allows(letter, ~letter):
        goal += 1
    return goal
