"""Monitors for path formulas on sampled runs: they compute the obligation that remains after each
state, until the formula is decided on the run.

Formulas are progressed (Bacchus and Kabanza, "Using temporal logics to express search control
knowledge for planning", 2000), and step bounds count down, so that ``F<=1000 p`` needs no
automaton. Obligations are simplified, but their satisfiability is not checked: if both ``G p`` and
``F !p`` remain, the run is not known to fail before it ends. A decision is therefore always right,
but sometimes late.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from volition.diagnostics import Diagnostic, InputError
from volition.kernel.sampling import ACCEPTED, REJECTED
from volition.logic.printing import as_typed
from volition.logic.syntax import (
    AgentQuantifier,
    And,
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
    Release,
    Reward,
    SteadyState,
    StepBound,
    Until,
    WeakUntil,
)
from volition.logic.traversal import STATE_LEAVES

__all__ = ["PathMonitor"]

MAX_PROPOSITIONS = 63
MAX_MODES = 1_000_000
"""Maximum number of modes (distinct obligations) of a monitor; formulas that need more are
rejected."""


@dataclass(frozen=True, slots=True)
class _Literal:
    """Obligation that a proposition holds in the current state or, if ``requested`` is false, does
    not hold."""

    proposition: int
    requested: bool


@dataclass(frozen=True, slots=True)
class _NextObligation:
    """Obligation that ``operand`` holds from the next state on."""

    operand: Due


@dataclass(frozen=True, slots=True)
class _Until:
    """Obligation ``left U right``, where ``right`` must hold after ``lower`` to ``upper`` steps. If
    ``dual`` is set, it is the release ``left R right`` instead, which means ``!(!left U !right)``.
    """

    left: Due
    right: Due
    lower: int
    upper: int | None
    dual: bool


@dataclass(frozen=True, slots=True)
class _Junction:
    """Conjunction (``join`` is ``"and"``) or disjunction (``"or"``) of obligations."""

    join: Literal["and", "or"]
    parts: frozenset[Due]


Due = bool | _Literal | _NextObligation | _Until | _Junction
"""Obligation that the rest of a run must satisfy."""


class PathMonitor:
    """Automaton that reads the states of a run and decides a path formula. Its modes are the
    obligations that remain.

    ``propositions`` are the state formulas in the path formula. The monitor reads a state as a
    letter: an integer whose bits are the truth values of the propositions in that state.
    """

    def __init__(self, path: Formula) -> None:
        self.propositions: list[Formula] = []
        self._path = path
        self._modes: list[Due] = [False, True]
        self._numbers: dict[Due, int] = {False: REJECTED, True: ACCEPTED}
        # In the first mode no state has been read yet, so it must not be decided, even if the
        # formula is a constant: the initial state is read first.
        self._modes.append(_NextObligation(self._read(path, requested=True)))
        self._first = self._modes[-1]
        if len(self.propositions) > MAX_PROPOSITIONS:
            message = (
                f"'{as_typed(path)}' is too large to simulate: it has more than {MAX_PROPOSITIONS} "
                "state subformulas"
            )
            raise InputError([Diagnostic("CHK089", message, path.span, "split the formula")])

    def step(self, mode: int, letter: int) -> int:
        due = self._modes[mode]
        if due is self._first:
            assert isinstance(due, _NextObligation)
            due = due.operand
        return self._number(_progress(due, letter))

    def accepts_loop(self, mode: int, letters: Sequence[int]) -> bool:
        return _holds_on_loop(self._modes[mode], letters)[0]

    def _number(self, due: Due) -> int:
        known = self._numbers.get(due)
        if known is None:
            if len(self._modes) >= MAX_MODES:
                message = (
                    f"'{as_typed(self._path)}' is too large to simulate: its monitor automaton has "
                    f"more than {MAX_MODES:,} states"
                )
                raise InputError(
                    [Diagnostic("CHK089", message, self._path.span, "use smaller step bounds")]
                )
            self._numbers[due] = known = len(self._modes)
            self._modes.append(due)
        return known

    # --- translation of formulas to obligations ---------------------------------------------------

    def _read(self, path: Formula, *, requested: bool) -> Due:
        """Return a path formula (if ``requested``) or its negation as an obligation in negation
        normal form."""
        match path:
            case Constant(value=value):
                return value == requested
            case Not():
                return self._read(path.operand, requested=not requested)
            case And() | Or():
                join = _all if isinstance(path, And) == requested else _any
                return join(
                    [
                        self._read(path.left, requested=requested),
                        self._read(path.right, requested=requested),
                    ]
                )
            case Implies():
                join = _any if requested else _all
                return join(
                    [
                        self._read(path.left, requested=not requested),
                        self._read(path.right, requested=requested),
                    ]
                )
            case Iff():
                both = _all(
                    [
                        self._read(path.left, requested=requested),
                        self._read(path.right, requested=True),
                    ]
                )
                neither = _all(
                    [
                        self._read(path.left, requested=not requested),
                        self._read(path.right, requested=False),
                    ]
                )
                return _any([both, neither])
            case Next():
                return _NextObligation(self._read(path.operand, requested=requested))
            case Finally():
                return _until(
                    requested,
                    self._read(path.operand, requested=requested),
                    path.bound,
                    dual=not requested,
                )
            case Globally():
                return _until(
                    not requested,
                    self._read(path.operand, requested=requested),
                    path.bound,
                    dual=requested,
                )
            case Until() | Release():
                dual = isinstance(path, Release) == requested
                return _until(
                    self._read(path.left, requested=requested),
                    self._read(path.right, requested=requested),
                    path.bound,
                    dual=dual,
                )
            case WeakUntil():
                holds, fails = And(path.left, Not(path.right)), And(Not(path.left), Not(path.right))
                return self._read(Until(holds, fails, path.bound), requested=not requested)
            case _ if isinstance(path, STATE_LEAVES):
                if path not in self.propositions:
                    self.propositions.append(path)
                return _Literal(self.propositions.index(path), requested)
            case (
                PathQuantifier()
                | Probability()
                | Reward()
                | SteadyState()
                | Multi()
                | AgentQuantifier()
            ):
                pass
            case _:
                assert_never(path)
        message = f"'{as_typed(path)}' is about several runs, which a single run cannot decide"
        raise InputError(
            [
                Diagnostic(
                    "CHK083",
                    message,
                    path.span,
                    "use a path formula: F, G, U and X over state formulas",
                )
            ]
        )


# --- construction of simplified obligations -------------------------------------------------------


def _until(left: Due, right: Due, bound: StepBound | None, *, dual: bool) -> Due:
    bound = bound or StepBound()
    if isinstance(right, bool) and bound.lower == 0:
        return right
    return _Until(left, right, bound.lower, bound.upper, dual)


def _all(parts: Iterable[Due]) -> Due:
    return _joined("and", parts)


def _any(parts: Iterable[Due]) -> Due:
    return _joined("or", parts)


def _joined(join: Literal["and", "or"], parts: Iterable[Due]) -> Due:
    ends = join == "or"  # one part with this truth value decides the junction
    kept: set[Due] = set()
    for part in parts:
        if part is ends:
            return ends
        if isinstance(part, bool):
            continue
        kept |= part.parts if isinstance(part, _Junction) and part.join == join else {part}
    kept = _without_weaker(kept, join)
    if not kept:
        return not ends
    return next(iter(kept)) if len(kept) == 1 else _Junction(join, frozenset(kept))


def _without_weaker(parts: set[Due], join: Literal["and", "or"]) -> set[Due]:
    """Return the parts of a conjunction or disjunction, with only one of several untils that differ
    only in their upper bounds: the strongest in a conjunction, the weakest in a disjunction."""
    groups: dict[Any, list[_Until]] = {}
    for part in parts:
        if isinstance(part, _Until) and part.lower == 0:
            groups.setdefault((part.left, part.right, part.dual), []).append(part)
    redundant: set[Due] = set()
    for (_, _, dual), group in groups.items():
        if len(group) > 1:
            group.sort(key=lambda each: float("inf") if each.upper is None else each.upper)
            # A shorter bound makes an until stronger and its dual weaker.
            deciding = group[0] if dual == (join == "or") else group[-1]
            redundant |= {each for each in group if each is not deciding}
    return parts - redundant


# --- evaluation of obligations on the states of a run ---------------------------------------------


def _progress(due: Due, letter: int) -> Due:
    """Return the obligation for the rest of a run after its current state, given as a letter, was
    read."""
    match due:
        case bool():
            return due
        case _Literal():
            return bool(letter >> due.proposition & 1) == due.requested
        case _NextObligation():
            return due.operand
        case _Junction():
            return _joined(due.join, [_progress(part, letter) for part in due.parts])
        case _Until():
            both, either = (_any, _all) if due.dual else (_all, _any)
            left = _progress(due.left, letter)
            upper = None if due.upper is None else due.upper - 1
            if due.lower > 0:
                return both([left, _Until(due.left, due.right, due.lower - 1, upper, due.dual)])
            right = _progress(due.right, letter)
            if due.upper == 0:
                return right
            return either([right, both([left, _Until(due.left, due.right, 0, upper, due.dual)])])
        case _:
            assert_never(due)


def _holds_on_loop(due: Due, letters: Sequence[int]) -> list[bool]:
    """Return for each position in ``letters`` whether the obligation holds from that position on,
    on the run that repeats these letters forever."""
    size = len(letters)
    match due:
        case bool():
            return [due] * size
        case _Literal():
            return [bool(letter >> due.proposition & 1) == due.requested for letter in letters]
        case _NextObligation():
            inner = _holds_on_loop(due.operand, letters)
            return [*inner[1:], inner[0]]
        case _Junction():
            every = [_holds_on_loop(part, letters) for part in due.parts]
            join: Callable[[Iterable[bool]], bool] = all if due.join == "and" else any
            return [join(column) for column in zip(*every, strict=True)]
        case _Until():
            # A dual until is the negation of an until of negations.
            left, right = (
                [each != due.dual for each in _holds_on_loop(part, letters)]
                for part in (due.left, due.right)
            )
            within = size if due.upper is None else min(due.upper - due.lower, size)
            return [
                _until_on_loop(left, right, index, due.lower, within) != due.dual
                for index in range(size)
            ]
        case _:
            assert_never(due)


def _until_on_loop(
    left: Sequence[bool], right: Sequence[bool], index: int, lower: int, within: int
) -> bool:
    size = len(left)
    if not all(left[(index + i) % size] for i in range(min(lower, size))):
        return False
    for i in range(lower, lower + within + 1):
        if right[(index + i) % size]:
            return True
        if not left[(index + i) % size]:
            return False
    return False
