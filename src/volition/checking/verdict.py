"""The answer to one property, with its evidence.  "Unknown, because" is an answer too."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from volition.checking.strategy import RememberingStrategy, Strategy
from volition.kernel import StateSpace
from volition.logic.syntax import Formula

__all__ = ["Run", "Verdict"]


@dataclass(frozen=True, slots=True)
class Run:
    """A run of the system: ``choices[i]`` leads from ``states[i]`` to ``states[i + 1]``.

    ``loop`` is the position in ``states`` that the last choice leads back to, where the run is a lasso; then there
    are as many choices as states.  A run without a loop has one state more than choices.
    """

    space: StateSpace
    states: tuple[int, ...]
    choices: tuple[int, ...]
    loop: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
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
