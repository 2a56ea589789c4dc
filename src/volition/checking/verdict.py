"""The answer to one property, with its evidence.  "Unknown, because" is an answer too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from volition.checking.strategy import RememberingStrategy, Strategy
from volition.display import Shown
from volition.kernel import StateSpace
from volition.logic.printing import show
from volition.logic.syntax import Formula

__all__ = ["Run", "Verdict", "answer_text"]


@dataclass(frozen=True, slots=True, repr=False)
class Run(Shown):
    """A run of the system: ``choices[i]`` leads from ``states[i]`` to ``states[i + 1]``.

    ``loop`` is the position in ``states`` that the last choice leads back to, where the run is a lasso; then there
    are as many choices as states.  A run without a loop has one state more than choices.
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

    def __getitem__(self, place: int) -> dict[str, Any]:
        """The values of the slots after so many steps."""
        return self.space.values(self.states[place])

    def __repr__(self) -> str:
        loop = "" if self.loop is None else f", of which those after step {self.loop} repeat for ever"
        return f"<Run: {len(self.choices)} steps{loop}>"


@dataclass(frozen=True, slots=True, repr=False)
class Verdict(Shown):
    """``holds`` for a yes/no property, ``value`` for a query; both None if ``unknown`` says why there is no answer.

    ``lower`` and ``upper`` bound a value that was not computed exactly.  ``method`` says how the answer was found;
    ``notes`` are remarks for people, such as that the property holds vacuously.  ``remembering`` stands in for ``strategy`` where the
    best choices depend on more than the state, such as how many steps are left.
    """

    formula: Formula
    method: str
    seconds: float
    holds: bool | None = None
    value: float | Fraction | None = None
    lower: float | None = None
    upper: float | None = None
    run: Run | None = None
    strategy: Strategy | None = None
    notes: tuple[str, ...] = ()
    unknown: str | None = None
    remembering: RememberingStrategy | None = None

    def __repr__(self) -> str:
        return f"<Verdict: {show(self.formula)} {answer_text(self)}>"


def answer_text(verdict: Verdict) -> str:
    """``holds``, ``is violated``, ``is 0.81`` or ``is unknown``: the end of a sentence."""
    if verdict.unknown is not None:
        return "is unknown"
    if verdict.value is not None:
        return f"is {float(verdict.value):.10g}"
    return "holds" if verdict.holds else "is violated"
