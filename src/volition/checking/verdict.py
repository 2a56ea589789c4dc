"""Verdict on one property, with its evidence. A verdict may be unknown; it then gives the
reason."""

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
    """Run of a system: ``choices[i]`` leads from ``states[i]`` to ``states[i + 1]``.

    If the run is a lasso, ``loop`` is the index in ``states`` that the last choice leads back to,
    and there are as many choices as states. A run without a loop has one state more than choices.
    """

    space: StateSpace
    states: tuple[int, ...]
    choices: tuple[int, ...]
    loop: int | None = None

    def __len__(self) -> int:
        """Return the number of steps of the run. The loop of a lasso counts once."""
        return len(self.choices)

    def __bool__(self) -> bool:
        return True  # even a run without steps

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self.space.values(state) for state in self.states)

    def __getitem__(self, index: int) -> dict[str, Any]:
        """Return the slot values of the state after ``index`` steps."""
        return self.space.values(self.states[index])

    def to_dataframe(self) -> Any:
        """Return a pandas data frame of the slot values, with one row per state of the run."""
        slots = list(self.space.system.slots)
        return data_frame(slots, [[state[slot] for slot in slots] for state in self])

    def __repr__(self) -> str:
        loop = "" if self.loop is None else f", repeating forever after step {self.loop}"
        return f"<Run: {len(self.choices)} {plural(len(self.choices), 'step')}{loop}>"


class Lazy(Generic[T]):
    """Value that is computed on first use and then stored. Afterwards the function that computed it
    is released, together with all objects it refers to."""

    def __init__(self, find: Callable[[], T]) -> None:
        self._find: Callable[[], T] | None = find
        self._found: T

    def __call__(self) -> T:
        if self._find is not None:
            self._found = self._find()
            self._find = None
        return self._found

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the pickled form: the computed value, not the function that computes it."""
        return _evaluated, (self(),)


def _evaluated(found: T) -> Lazy[T]:
    return Lazy(lambda: found)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence for a verdict: a run, a strategy and remarks. Each is computed on demand."""

    run: Lazy[Run | None] = field(default_factory=lambda: Lazy(lambda: None))
    strategy: Lazy[Strategy | None] = field(default_factory=lambda: Lazy(lambda: None))
    remarks: Lazy[tuple[str, ...]] = field(default_factory=lambda: Lazy(tuple))


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(HtmlDisplay):
    """Result of checking a property.

    ``holds`` is the result of a yes/no property. ``value`` is the result of a query, and the
    computed value behind a threshold. Both are None if the result is unknown; ``unknown`` then says
    why.

    A verdict is true in a Boolean context if the property holds, and false if it is violated or
    unknown. The verdict on a query is neither and raises :class:`TypeError`.

    ``lower`` and ``upper`` bound a value that was not computed exactly. ``method`` says how the
    result was found, ``seconds`` how long that took. The evidence (``run``, ``strategy``, and the
    ``notes`` about vacuity) is computed on first use.
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
        """Run that shows the result: a counterexample or witness of a property, or a run of the
        strategy that attains a value. None if no single run shows it."""
        return self.evidence.run()

    @property
    def strategy(self) -> Strategy | None:
        """Strategy that attains an optimal value; None if there is none.

        Raise :class:`volition.checking.storm.client.EngineError` if the engine does not find it in
        time.
        """
        return self.evidence.strategy()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks for the user: that a property holds vacuously, and how the result was found."""
        return (*self.evidence.remarks(), *self.fixed_notes)

    def with_strategy(self, strategy: Strategy | None) -> Verdict:
        """Return the verdict with ``strategy`` instead of its strategy."""
        return replace(self, evidence=replace(self.evidence, strategy=Lazy(lambda: strategy)))

    def with_notes(self, *notes: str) -> Verdict:
        """Return the verdict with additional notes for users."""
        return replace(self, fixed_notes=(*self.fixed_notes, *notes))

    def with_bounds(self, lower: float | Fraction, upper: float | Fraction) -> Verdict:
        """Return the verdict with bounds on its value, rounded outwards to floating-point
        numbers."""
        return replace(self, lower=_rounded(lower, -math.inf), upper=_rounded(upper, math.inf))

    def __bool__(self) -> bool:
        if self.holds is None and self.unknown is None:
            message = (
                f"'{as_typed(self.formula)}' is a query, so its result is neither "
                "true nor false: compare its 'value', or check a threshold"
            )
            raise TypeError(message)
        return self.holds is True

    def __repr__(self) -> str:
        return f"<Verdict: {formula_text(self.formula)} {verdict_phrase(self)}>"


def verdict_phrase(verdict: Verdict) -> str:
    """Return the result of a verdict as a phrase that ends a sentence: ``holds``, ``is violated``,
    ``is 0.81`` or ``is unknown``."""
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
