"""Pareto fronts: which values of several objectives can be attained together, and by which
strategies.

See Archibald et al., Sect. 4.4 and Fig. 6. The corners of the front belong to deterministic
strategies. Every point between them is attained by a random choice between these strategies, made
once at the start.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from volition.checking.explored_model import explore_for, rebuild_model
from volition.checking.properties import PropertyLike, parse_properties
from volition.checking.quantitative.context import UndecidedError
from volition.checking.quantitative.deadline import Deadline
from volition.checking.quantitative.pareto.front import Bound
from volition.checking.quantitative.pareto.multi import MultiObjectiveResult, solve_multi_objective
from volition.checking.quantitative.pareto.objectives import OPEN, REACHED, ObjectiveProduct
from volition.checking.strategy import OpaqueMemory, Strategy
from volition.checking.task import CheckSettings, CheckTask
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import HtmlDisplay, data_frame
from volition.kernel import Progress, StateSpace
from volition.languages.protocols import Model, Program, Table
from volition.logic.numbers import exact_text, rounded_text
from volition.logic.syntax import Multi
from volition.reporting.strategies.strategy_table import tabulate_strategy

__all__ = ["Corner", "Mixture", "ParetoResult", "number_text", "pareto"]


@dataclass(frozen=True, repr=False)
class Corner:
    """Corner of a Pareto front: the values of all objectives, attained by a deterministic
    strategy."""

    number: int
    values: tuple[Any, ...]
    strategy: Strategy

    @property
    def name(self) -> str:
        return f"strategy {self.number}"

    def __repr__(self) -> str:
        return f"<Corner {self.number}: {', '.join(map(number_text, self.values))}>"


@dataclass(frozen=True)
class Mixture:
    """Point on or below a Pareto front, attained by a random choice, made once at the start,
    between the strategies of corners. ``parts`` are the corners with their probabilities."""

    values: tuple[Any, ...]
    parts: tuple[tuple[Any, Corner], ...]

    def sentence(self) -> str:
        """Return a sentence such as ``with probability 0.4 play strategy 1, else strategy 2, chosen
        once at the start``."""
        if len(self.parts) == 1:
            return f"play {self.parts[0][1].name}"
        *first, (_, last) = self.parts
        text = ", ".join(
            f"with probability {number_text(share)} play {corner.name}" for share, corner in first
        )
        return f"{text}, else {last.name}, chosen once at the start"


@dataclass(frozen=True, repr=False)
class ParetoResult(HtmlDisplay):
    """Pareto front of several objectives. ``bound_meeting_point`` is the point that meets the
    thresholds in the formulas, if there are any.

    The last corners may belong to strategies that are better than all others in some objectives,
    but infinitely bad in others.
    """

    model: Model
    space: StateSpace
    objectives: tuple[str, ...]
    maximised: tuple[bool, ...]
    solution: MultiObjectiveResult
    corners: tuple[Corner, ...]
    bounds: tuple[Bound | None, ...]
    exact: bool
    seconds: float
    warnings: tuple[Diagnostic, ...] = ()

    def __len__(self) -> int:
        return len(self.corners)

    def __iter__(self) -> Iterator[Corner]:
        return iter(self.corners)

    def __getitem__(self, index: int) -> Corner:
        return self.corners[index]

    def __repr__(self) -> str:
        points = ", ".join(
            f"({', '.join(map(number_text, corner.values))})" for corner in self.corners
        )
        return f"<Pareto front of {' and '.join(self.objectives)}: {points}>"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "model"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state, model=rebuild_model(state["space"]))

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each corner and one column for each
        objective."""
        rows = [[corner.number, *map(float, corner.values)] for corner in self.corners]
        return data_frame(["strategy", *self.objectives], rows)

    @property
    def attainable(self) -> bool | None:
        """Whether the thresholds of all objectives can be met together; None if there are none, or
        if rounding leaves it open."""
        return self.solution.attains(self.bounds) if any(self.bounds) else None

    @property
    def has_infinite_corner(self) -> bool:
        """Whether a corner has an infinite value in an objective."""
        return not all(isfinite(value) for corner in self.corners for value in corner.values)

    @property
    def bound_meeting_point(self) -> Mixture | None:
        """Point that meets the thresholds and is best in the objectives without a threshold, the
        first of them taking precedence; None if there is no such point or no threshold."""
        if not self.attainable:
            return None
        bounds = list(self.bounds)
        target: list[Any] = [None if bound is None else bound.threshold for bound in bounds]
        for index, bound in enumerate(bounds):
            if bound is None:
                best = self.solution.best(index, bounds)
                assert best is not None, "the bounds can be met"
                target[index] = best[0]
                bounds[index] = Bound(Fraction(best[0])) if isfinite(best[0]) else None
        return self.mixture(target)

    def mixture(self, target: Sequence[Any]) -> Mixture | None:
        """Return a mixture of corners whose values are at least as good as those of the target, or
        None if that is impossible. An infinite target value allows any value."""
        shares = self.solution.mixture([corner.values for corner in self.corners], target)
        if shares is None:
            return None
        parts = tuple(
            (share, corner)
            for share, corner in zip(shares, self.corners, strict=True)
            if share > 1e-9
        )
        values = tuple(
            _mean_point([(share, corner.values[i]) for share, corner in parts])
            for i in range(len(target))
        )
        return Mixture(values, parts)

    def table(self) -> Table:
        """Return a table with one row for each corner and one column for each objective."""
        rows = [
            [corner.name, *(number_text(value) for value in corner.values)]
            for corner in self.corners
        ]
        return Table("Pareto front", ["", *self.objectives], rows)

    def to_json(self, *, strategies: bool = False) -> dict[str, Any]:
        """Return the Pareto front as JSON data. Values are floating-point numbers; if all values of
        a point are exact, their fractions are added as strings. With ``strategies``, each corner
        includes its strategy table."""
        chosen = self.bound_meeting_point
        document: dict[str, Any] = {
            "objectives": [
                {"formula": text, "direction": "max" if up else "min"}
                for text, up in zip(self.objectives, self.maximised, strict=True)
            ],
            "exact": self.exact,
            "corners": [
                {
                    "name": corner.name,
                    **_values(corner.values),
                    **(
                        {"strategy": tabulate_strategy(self.model, corner.strategy).as_json()}
                        if strategies
                        else {}
                    ),
                }
                for corner in self.corners
            ],
            "seconds": self.seconds,
        }
        if any(self.bounds):
            document["attainable"] = self.attainable
        if chosen is not None:
            shares = [
                {"probability": float(share), "strategy": corner.name}
                for share, corner in chosen.parts
            ]
            document["chosen"] = {
                **_values(chosen.values),
                "mixture": shares,
                "text": chosen.sentence(),
            }
        return document


def pareto(
    program: Program,
    formulas: Iterable[PropertyLike],
    *,
    space: StateSpace | None = None,
    settings: CheckSettings | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> ParetoResult:
    """Compute the Pareto front of two or more objectives, such as ``Pmax=? [ F done ]`` and
    ``R{"cost"}min=? [ F done ]``.

    A formula with a threshold (``P>=0.5 [..]``) is an objective with a bound;
    :attr:`ParetoResult.bound_meeting_point` meets all bounds. Raise :class:`InputError` for invalid
    input, and :class:`volition.checking.storm.client.EngineError` if the engine finds no answer or
    the time limit is reached.
    """
    start = time.perf_counter()
    settings = settings or CheckSettings()
    deadline = Deadline(settings.seconds)
    properties = parse_properties(formulas, Diagnostics())
    if len(properties) < 2:
        raise InputError(
            [
                Diagnostic(
                    "CHK034", "a trade-off needs at least two objectives", hint="name two of them"
                )
            ]
        )
    queries = [each.formula for each in properties]
    exploration, expanded = explore_for(
        program, queries, space=space, limits=settings.limits, progress=progress
    )
    deadline.check()
    found = solve_multi_objective(
        CheckTask(exploration.model, Multi(tuple(expanded)), settings),
        exploration.mdp_model,
        deadline,
    )
    compromises = found.corners()
    if not compromises:
        raise UndecidedError("all of these objectives are infinite under every strategy")
    corners = tuple(
        Corner(number, each.values, _strategy(exploration.space, found.objectives, each.choices))
        for number, each in enumerate(compromises, 1)
    )
    return ParetoResult(
        model=exploration.model,
        space=exploration.space,
        objectives=tuple(each.text for each in properties),
        maximised=found.maximised,
        solution=found,
        corners=corners,
        bounds=found.bounds,
        exact=found.objectives.exact,
        seconds=time.perf_counter() - start,
    )


def _strategy(space: StateSpace, objectives: ObjectiveProduct, choices: Any) -> Strategy:
    texts = [
        each.text.partition("[")[2].rpartition("]")[0].strip() for each in objectives.objectives
    ]

    def so_far(memory: int) -> dict[str, str]:
        statuses = zip(texts, objectives.statuses_of(memory), strict=True)
        return {
            f"{text} was {'reached' if status == REACHED else 'missed'}": ""
            for text, status in statuses
            if status != OPEN
        }

    unfolding = objectives.unfolding
    everywhere = np.ones(unfolding.mdp.num_states, dtype=np.bool_)
    return Strategy(space, unfolding.mdp, choices, everywhere, unfolding, OpaqueMemory(so_far))


def _mean_point(parts: Sequence[tuple[Any, Any]]) -> Any:
    """Return the mean of one objective over the parts of a mixture, given as pairs of probability
    and value. The mean is infinite if one of the values is."""
    infinite = [value for _, value in parts if not isfinite(value)]
    return (
        infinite[0]
        if infinite
        else sum((share * Fraction(value) for share, value in parts), Fraction(0))
    )


def number_text(value: Any) -> str:
    """Return a value rounded to few significant digits, as text."""
    return rounded_text(value).replace("inf", "∞")


def _values(values: Sequence[Any]) -> dict[str, Any]:
    # JSON has no infinity; it becomes the string "inf".
    document: dict[str, Any] = {
        "values": [float(value) if isfinite(value) else str(float(value)) for value in values]
    }
    if all(isinstance(value, Fraction) for value in values):
        document["exact"] = [exact_text(value) for value in values]
    return document
