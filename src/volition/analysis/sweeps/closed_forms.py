"""Closed forms: a probability as a function of the parameters of a program or, with
nondeterministic choices, as several functions, each for a region of parameter values.

For a Markov chain this is one function. For a program with nondeterministic choices, ``Pmax`` is
the upper envelope of the functions of all its strategies. Storm finds an optimal strategy at the
points of a grid and between them; each strategy induces a chain with its own function. A strategy
that is optimal at one point is possible everywhere. The functions found are therefore lower bounds
of ``Pmax`` (upper bounds of ``Pmin``) in the whole box of parameter values. At each of these points
the functions are compared with the value that Storm computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from volition.analysis.sweeps.experiment import Experiment, ParametricExploration, open_experiment
from volition.analysis.sweeps.grid import Axis, Grid, Point, point_text, points
from volition.analysis.sweeps.regions import Box, Function, box_of, region_where_at_least
from volition.analysis.sweeps.result import Value
from volition.analysis.sweeps.sweep import Progress, as_parametric, axes_of, values_at
from volition.checking.graph.propositions import satisfying_states
from volition.checking.mdp.mdp import Mdp
from volition.checking.properties import Property, PropertyLike, parse_properties
from volition.checking.quantitative.parametric import parametric_reachability
from volition.checking.quantitative.probabilities import UntilProblem, normalise_path
from volition.checking.strategy import Strategy
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, Diagnostics, InputError, plural
from volition.display import HtmlDisplay
from volition.kernel import Limits
from volition.kernel.weights import value_at
from volition.languages.protocols import Program, Table
from volition.logic.numbers import number_text
from volition.logic.syntax import Probability
from volition.logic.traversal import expand_agents, is_propositional

__all__ = [
    "ClosedForm",
    "ClosedFormPiece",
    "closed_form",
    "require_reachability",
    "require_symbolic",
    "strategy_function",
]

TOLERANCE = 1e-9
"""Maximum difference between a computed value and the value of a function for them to count as
equal."""

LARGEST_CHAIN = 2000
"""Maximum number of states that a strategy may reach for its closed form to be computed; the number
of terms of the function grows fast with the number of states."""


@dataclass(frozen=True)
class ClosedFormPiece:
    """One function of a closed form, the region of parameter values where it is the answer (an
    inequality), and a strategy that attains it there.

    ``strategy`` is None for a program without nondeterministic choices.
    """

    function: Function
    region: str
    strategy: Strategy | None


@dataclass(frozen=True, repr=False)
class ClosedForm(HtmlDisplay):
    """Answer to a formula as functions of the parameters, within a box of parameter values.

    At ``num_checked`` points of the box the functions in ``pieces`` have the value that Storm
    computed. ``exceptions`` are the points where they do not, usually on the border of the box,
    where the value jumps.
    """

    formula: str
    box: Box
    pieces: tuple[ClosedFormPiece, ...]
    num_checked: int
    exceptions: tuple[Point, ...] = ()

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[ClosedFormPiece]:
        return iter(self.pieces)

    def __getitem__(self, index: int) -> ClosedFormPiece:
        return self.pieces[index]

    def __repr__(self) -> str:
        return (
            f"<Closed form of {self.formula}: "
            f"{'; '.join(str(piece.function) for piece in self.pieces)}>"
        )

    def table(self) -> Table:
        """Return a table with one row for each function and the region where it is the answer."""
        return Table(
            self.formula,
            ["closed form", "where"],
            [[str(piece.function), piece.region] for piece in self.pieces],
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row for each function."""
        return self.table().to_dataframe()

    def remark(self) -> str:
        """Return a sentence that says at how many points the functions agree with Storm's values,
        and at how many they do not."""
        text = (
            f"equal to Storm's value at {self.num_checked} {plural(self.num_checked, 'point')} "
            f"in {_box_text(self.box)}"
        )
        if self.exceptions:
            text += (
                f", different at {len(self.exceptions)}, such as {point_text(self.exceptions[0])}"
            )
        return text

    def to_json(self) -> dict[str, Any]:
        """Return the closed form, without the strategies, as JSON data."""
        return {
            "formula": self.formula,
            "box": {name: [float(low), float(high)] for name, (low, high) in self.box.items()},
            "pieces": [
                {"function": str(piece.function), "where": piece.region} for piece in self.pieces
            ],
            "checked": self.num_checked,
            "exceptions": [
                {name: float(value) for name, value in point.items()} for point in self.exceptions
            ],
        }


def _box_text(box: Box) -> str:
    return ", ".join(
        f"{number_text(low)} <= {name} <= {number_text(high)}" for name, (low, high) in box.items()
    )


def require_reachability(formulas: Iterable[PropertyLike]) -> None:
    """Raise :class:`InputError` if a formula is not an unbounded reachability probability, because
    only those have closed forms."""
    diagnostics = Diagnostics()
    for prop in parse_properties(formulas, diagnostics):
        try:
            _probability(prop)
        except InputError as error:
            diagnostics.extend(error.diagnostics)
    diagnostics.raise_errors()


def closed_form(
    program: Program,
    grid: Sequence[str] | Grid,
    formula: PropertyLike,
    *,
    processes: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> ClosedForm:
    """Return the probability of ``formula`` as functions of the parameters, within the box that the
    grid spans.

    The formula is ``P``, ``Pmax`` or ``Pmin`` of a path formula with ``F``, ``U`` or ``G`` and
    without a step bound. Varied parameters may only change probabilities, not the transitions that
    exist. Raise :class:`InputError` if one of these conditions is violated, and
    :class:`EngineError` if Storm fails.
    """
    parametric = as_parametric(program)
    axes = axes_of(parametric, grid)
    (prop,) = parse_properties([formula], Diagnostics())
    query = _probability(prop)
    samples = _samples(axes)
    experiment = open_experiment(parametric, [query], samples[0])
    require_symbolic(experiment, axes)
    found, _ = values_at(experiment, samples, processes=processes, progress=progress)
    envelope = _PiecewiseBuilder(experiment, query, seconds)
    envelope.add_functions_for(samples, [values[0][0] for _, values in sorted(found.items())])
    return envelope.result(prop.text, box_of(axes))


def strategy_function(
    explored: ParametricExploration,
    query: Probability,
    strategy: Strategy | None,
    *,
    seconds: float | None = None,
) -> Function:
    """Return the probability of a formula under a strategy as a function of the symbolic
    parameters.

    In states for which the strategy has no choice, because the outcome is settled or the state is
    not reached, the first choice is taken.
    """
    reduced = normalise_path(expand_agents(query.path, explored.model.agents))
    assert isinstance(reduced.prop, UntilProblem), "the formula was checked before"
    goal = satisfying_states(explored.model, explored.space, reduced.prop.goal)
    through = satisfying_states(explored.model, explored.space, reduced.prop.through)
    chain = _chain(explored, strategy).with_absorbing(goal | ~through)
    if np.count_nonzero(chain.reachable()) > LARGEST_CHAIN:
        hint = "compute values at points instead"
        raise InputError(
            [
                Diagnostic(
                    "CHK071",
                    f"closed forms are only supported for chains of at most {LARGEST_CHAIN} states",
                    query.span,
                    hint,
                )
            ]
        )
    function = parametric_reachability(chain, goal, ~through & ~goal, seconds=seconds)
    return 1 - function if reduced.opposite else function


def _chain(explored: ParametricExploration, strategy: Strategy | None) -> Mdp:
    mdp = explored.mdp.with_weights(explored.space.weights)
    if strategy is None:
        return mdp
    return mdp.induced_chain(
        np.where(strategy.reachable_choices >= 0, strategy.reachable_choices, mdp.first_choice[:-1])
    )


# --- supported formulas and parameters ------------------------------------------------------------


def _probability(prop: Property) -> Probability:
    formula = prop.formula
    if isinstance(formula, Probability) and formula.relation is None:
        reach = normalise_path(formula.path).prop
        if (
            isinstance(reach, UntilProblem)
            and reach.bound is None
            and is_propositional(reach.goal)
            and is_propositional(reach.through)
        ):
            return formula
    hint = "use an unbounded reachability probability, such as Pmax=? [ F done ]"
    raise InputError(
        [
            Diagnostic(
                "CHK070", f"closed forms are not supported for '{prop.text}'", formula.span, hint
            )
        ]
    )


def require_symbolic(
    experiment: Experiment, axes: Sequence[Axis], *, requested: str = "closed form"
) -> None:
    """Raise :class:`InputError` if a parameter to vary cannot stay symbolic, because its value
    changes which transitions exist. ``requested`` names the analysis in the message."""
    settled = [axis.name for axis in axes if axis.name not in experiment.open_parameters]
    if settled:
        message = (
            f"no {requested} can be computed over {', '.join(settled)}: the value of {settled[0]} "
            "changes transitions or rewards, not only probabilities"
        )
        raise InputError([Diagnostic("CHK072", message, hint="set it to a single value")])


def _samples(axes: Sequence[Axis]) -> list[Point]:
    """Return the midpoints between neighbouring points of the grid, then the points of the grid.
    The midpoints come first because they avoid the border, where values may jump."""
    between = [
        Axis(axis.name, tuple((a + b) / 2 for a, b in pairwise(axis.values)) or axis.values)
        for axis in axes
    ]
    return [*points(between), *points(axes)]


# --- functions of optimal strategies and their regions --------------------------------------------


class _PiecewiseBuilder:
    """Builder of a closed form. A sample point is a combination of parameter values at which Storm
    has computed the probability. Functions of optimal strategies are collected until, at each
    sample point, one of them has the computed value."""

    def __init__(self, experiment: Experiment, query: Probability, seconds: float | None) -> None:
        self._experiment = replace(
            experiment, settings=CheckSettings(limits=Limits(seconds=seconds))
        )
        self._query = query
        self._seconds = seconds
        self._strategies: dict[Function, Strategy | None] = {}
        self._covered: dict[Function, set[int]] = {}
        self._exceptions: list[Point] = []
        self._number = 0

    def add_functions_for(self, samples: Sequence[Point], values: Sequence[Value]) -> None:
        """Add functions of optimal strategies until, at each sample point, one of the functions has
        the given value. A point becomes an exception if even the function of its own optimal
        strategy has another value there."""
        for point, value in zip(samples, values, strict=True):
            if not any(_attains(function, point, value) for function in self._strategies):
                self._add_strategy_at(point)
        for number, (point, value) in enumerate(zip(samples, values, strict=True)):
            attaining = [
                function for function in self._strategies if _attains(function, point, value)
            ]
            for function in attaining:
                self._covered.setdefault(function, set()).add(number)
            if not attaining:
                self._exceptions.append(point)
        self._number = len(samples)

    def _add_strategy_at(self, point: Point) -> None:
        (verdict,) = self._experiment.verdicts(point)
        function = strategy_function(
            self._experiment.explored(point), self._query, verdict.strategy, seconds=self._seconds
        )
        self._strategies.setdefault(function, verdict.strategy)

    def result(self, formula: str, box: Box) -> ClosedForm:
        """Return the closed form: a small subset of the collected functions, each with the region
        of the box where it is the answer."""
        functions = self._needed()
        pieces = tuple(
            ClosedFormPiece(each, self._region(each, functions, box), self._strategies[each])
            for each in functions
        )
        return ClosedForm(
            formula, box, pieces, self._number - len(self._exceptions), tuple(self._exceptions)
        )

    def _needed(self) -> list[Function]:
        """Return functions that together have the right value at all sample points. They are chosen
        greedily: first the function with the right value at most of the remaining points."""
        left = set().union(*self._covered.values())
        chosen: list[Function] = []
        while left:
            best = max(self._covered, key=lambda function: len(self._covered[function] & left))
            chosen.append(best)
            left -= self._covered[best]
        return chosen

    def _region(self, function: Function, functions: Sequence[Function], box: Box) -> str:
        """Return the region of the box where one of the functions is the largest of all (the
        smallest for ``Pmin``), as an inequality."""
        texts = []
        for other in functions:
            if other is not function:
                pair = (other, function) if self._query.optimum == "min" else (function, other)
                texts.append(region_where_at_least(*pair, box).text)
        limits = list(dict.fromkeys(text for text in texts if text != "everywhere"))
        return " and ".join(limits) or "everywhere"


def _attains(function: Function, point: Point, value: Value) -> bool:
    try:
        return (
            value is not None and abs(float(value_at(function, point)) - float(value)) <= TOLERANCE
        )
    except ZeroDivisionError:
        return False
