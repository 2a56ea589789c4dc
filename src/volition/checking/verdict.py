"""The answer to one property, with its evidence.  "Unknown, because" is an answer too."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

from volition.checking.strategy import Strategy
from volition.diagnostics import plural
from volition.display import HtmlDisplay, data_frame
from volition.kernel import StateSpace
from volition.logic.numbers import rounded_text
from volition.logic.printing import as_typed, formula_text
from volition.logic.syntax import Formula

__all__ = ["Evidence", "Lazy", "Run", "Verdict", "verdict_phrase"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class Run(HtmlDisplay):
    """A run of the system: ``choices[i]`` leads from ``states[i]`` to ``states[i + 1]``.

    ``loop`` is the position in ``states`` that the last choice leads back to, where the run is a
    lasso; then there are as many choices as states.  A run without a loop has one state more than
    choices.
    """

    space: StateSpace
    states: tuple[int, ...]
    choices: tuple[int, ...]
    loop: int | None = None

    def __len__(self) -> int:
        """How many steps it has."""
        return len(self.choices)

    def __bool__(self) -> bool:
        return True  # a run without steps is a run

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self.space.values(state) for state in self.states)

    def __getitem__(self, index: int) -> dict[str, Any]:
        """The values of the slots after so many steps."""
        return self.space.values(self.states[index])

    def to_dataframe(self) -> Any:
        """The values of the slots, a row for each state, for pandas."""
        slots = list(self.space.system.slots)
        return data_frame(slots, [[state[slot] for slot in slots] for state in self])

    def __repr__(self) -> str:
        loop = (
            "" if self.loop is None else f", of which those after step {self.loop} repeat for ever"
        )
        return f"<Run: {len(self.choices)} {plural(len(self.choices), 'step')}{loop}>"


class Lazy(Generic[T]):
    """Something that is found when it is first asked for, and then kept; what it was found from is
    let go."""

    def __init__(self, find: Callable[[], T]) -> None:
        self._find: Callable[[], T] | None = find
        self._found: T

    def __call__(self) -> T:
        if self._find is not None:
            self._found = self._find()
            self._find = None
        return self._found

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as what is found: what it is found from stays here."""
        return _evaluated, (self(),)


def _evaluated(found: T) -> Lazy[T]:
    return Lazy(lambda: found)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows why an answer is as it is, each on demand."""

    run: Lazy[Run | None] = field(default_factory=lambda: Lazy(lambda: None))
    strategy: Lazy[Strategy | None] = field(default_factory=lambda: Lazy(lambda: None))
    remarks: Lazy[tuple[str, ...]] = field(default_factory=lambda: Lazy(tuple))


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(HtmlDisplay):
    """``holds`` for a yes/no property, ``value`` for a query and for a threshold; both None if
    ``unknown`` says why there is no answer.

    It is true if the property holds, and false if it is violated or unknown; the answer to a query
    is neither.

    ``lower`` and ``upper`` bound a value that was not computed exactly.  ``method`` says how the
    answer was found, ``seconds`` how long that took.  The evidence (``run``, ``strategy``, and what
    ``notes`` say about vacuity) is looked for when it is first asked for.
    """

    formula: Formula
    method: str
    seconds: float
    holds: bool | None = None
    value: float | Fraction | None = None
    lower: float | None = None
    upper: float | None = None
    unknown: str | None = None
    fixed_notes: tuple[str, ...] = ()
    evidence: Evidence = field(default_factory=Evidence, repr=False, compare=False)

    @property
    def run(self) -> Run | None:
        """A run that shows why: the counterexample of a property, or one that the strategy behind a
        value takes; None if none does."""
        return self.evidence.run()

    @property
    def strategy(self) -> Strategy | None:
        """The strategy behind an extreme value, None if there is none; raises
        :class:`volition.checking.storm.client.EngineError` where the engine does not find it in
        time.
        """
        return self.evidence.strategy()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for people: that a property holds vacuously, and on how the answer was found."""
        return (*self.evidence.remarks(), *self.fixed_notes)

    def with_strategy(self, strategy: Strategy | None) -> Verdict:
        """The same answer with another strategy to it."""
        return replace(self, evidence=replace(self.evidence, strategy=Lazy(lambda: strategy)))

    def with_notes(self, *said: str) -> Verdict:
        """The same answer with more remarks."""
        return replace(self, fixed_notes=(*self.fixed_notes, *said))

    def with_bounds(self, lower: float | Fraction, upper: float | Fraction) -> Verdict:
        """The same with bounds, rounded to floating point numbers that are bounds as well."""
        return replace(self, lower=_rounded(lower, -math.inf), upper=_rounded(upper, math.inf))

    def __bool__(self) -> bool:
        if self.holds is None and self.unknown is None:
            message = (
                f"'{as_typed(self.formula)}' asks for a number and is neither true nor "
                "false: compare its 'value', or ask with a threshold"
            )
            raise TypeError(message)
        return self.holds is True

    def __repr__(self) -> str:
        return f"<Verdict: {formula_text(self.formula)} {verdict_phrase(self)}>"


def verdict_phrase(verdict: Verdict) -> str:
    """``holds``, ``is violated``, ``is 0.81`` or ``is unknown``: the end of a sentence."""
    if verdict.unknown is not None:
        return "is unknown"
    if verdict.holds is not None:
        return "holds" if verdict.holds else "is violated"
    assert verdict.value is not None, "an answer is one of these"
    return f"is {rounded_text(verdict.value)}"


def _rounded(number: float | Fraction, towards: float) -> float:
    try:
        nearest = float(number)
    except OverflowError:
        nearest = math.inf if number > 0 else -math.inf
    if nearest == number or (nearest > number) == (towards > 0):
        return nearest
    return math.nextafter(nearest, towards)
