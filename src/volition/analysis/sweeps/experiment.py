"""Evaluation of formulas of a program at many points, where a point assigns a value to each varied
parameter.

The program is explored once with symbolic parameters; each point then only determines a small array
of probabilities. A parameter that determines which transitions exist cannot be symbolic: the
program is explored again for each of its values. :func:`open_experiment` finds out by trial which
parameters these are.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from volition.analysis.sweeps.grid import Point, point_text
from volition.analysis.sweeps.result import Value
from volition.checking.explored_model import attach_recipe
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.check import check_quantitative
from volition.checking.quantitative.context import LoadedMdp
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, InputError, at_settings
from volition.kernel import KernelError, StateSpace, explore
from volition.kernel.weights import ParameterValueNeeded, ParametricWeight, value_at
from volition.languages.protocols import Model, ParametricProgram
from volition.logic.numbers import number_text
from volition.logic.syntax import Formula, PathQuantifier, Probability, Reward, SteadyState
from volition.logic.traversal import expand_agents, is_quantitative, modal_atoms, subformulas

__all__ = ["Experiment", "ParametricExploration", "PointBatch", "compute", "open_experiment"]


@dataclass(frozen=True)
class ParametricExploration:
    """Model, state space and MDP of a program explored with some parameters fixed and the others
    symbolic."""

    model: Model
    space: StateSpace
    mdp: Mdp

    def at(self, point: Point) -> Mdp:
        """Return the MDP for a point (a value for each varied parameter), without the transitions
        that have probability 0 there."""
        return self.mdp.with_weights(
            [_probability(weight, point) for weight in self.space.weights]
        ).without_zero_transitions()


@dataclass
class Experiment:
    """Program and formulas, to be evaluated for many combinations of parameter values (points).

    ``open_parameters`` stay symbolic; the others are fixed before the program is explored. State
    spaces are cached, but not pickled: in another process they are explored again. ``seconds``
    limits the time of the whole experiment, counted from its creation.
    """

    program: ParametricProgram
    formulas: Sequence[Formula]
    open_parameters: frozenset[str]
    settings: CheckSettings
    seconds: float | None = None
    explorations: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._deadline = None if self.seconds is None else time.monotonic() + self.seconds
        self._explored: dict[tuple[tuple[str, Fraction], ...], ParametricExploration] = {}
        self._lock = threading.Lock()

    def __getstate__(self) -> dict[str, Any]:
        attributes = {
            name: value
            for name, value in self.__dict__.items()
            if name not in ("_explored", "_lock", "_deadline", "explorations")
        }
        return {**attributes, "seconds": self.seconds_left}  # clocks differ between machines

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state, explorations=0)
        self.__post_init__()

    @property
    def seconds_left(self) -> float | None:
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def fixed_part(self, point: Point) -> Point:
        """Return only those parameter values of a point that must be known before the program is
        explored. A point has a value for each varied parameter."""
        return {name: value for name, value in point.items() if name not in self.open_parameters}

    def with_fixed(self, parameters: frozenset[str]) -> Experiment:
        """Return the experiment with fewer symbolic parameters: those in ``parameters`` become
        fixed."""
        assert parameters & self.open_parameters, "only an open parameter can be needed"
        return replace(
            self, open_parameters=self.open_parameters - parameters, seconds=self.seconds_left
        )

    def explored(self, point: Point) -> ParametricExploration:
        """Return the explored program for a point, which has a value for each varied parameter.
        Parameters that are not symbolic have their value in the point.

        The program is explored only once for the same values of these parameters. Raise
        :class:`ParameterValueNeeded` if a parameter was left symbolic although exploration needs
        its value.
        """
        fixed = self.fixed_part(point)
        key = tuple(fixed.items())
        with self._lock:
            if key not in self._explored:
                self._explored[key] = self._explore(fixed)
            return self._explored[key]

    def _explore(self, fixed: Point) -> ParametricExploration:
        self.explorations += 1
        program = self._at(fixed)
        agents = program.model().agents
        observed = tuple(
            atom
            for formula in self.formulas
            for atom in modal_atoms(expand_agents(formula, agents))
        )
        model = program.model(observed, symbolic=self.open_parameters)
        try:
            space = explore(
                model.system, limits=replace(self.settings.limits, seconds=self.seconds_left)
            )
        except KernelError:
            if (
                self.open_parameters
            ):  # the probabilities may sum to 1 at some points only: explore each point
                raise ParameterValueNeeded(self.open_parameters) from None
            raise
        if space.stopped is not None and space.stopped.reason == "interrupted":
            raise KeyboardInterrupt  # end the whole experiment, not only this exploration
        return ParametricExploration(
            model,
            attach_recipe(space, program, observed, open_parameters=self.open_parameters),
            Mdp.from_space(space),
        )

    def _at(self, point: Point) -> ParametricProgram:
        """Return the program with the parameter values of a point. If the program rejects a value,
        raise an error positioned at the setting of the parameter in ``--vary``."""
        try:
            return self.program.with_parameters(point) if point else self.program
        except InputError as error:
            given = {name: number_text(value) for name, value in point.items()}
            raise at_settings(
                error,
                given,
                lambda names: self._accepts({name: point[name] for name in names}),
                "<vary>",
            ) from None

    def _accepts(self, point: Point) -> bool:
        try:
            self.program.with_parameters(point)
        except InputError:
            return False
        return True

    def verdicts(self, point: Point) -> list[Verdict]:
        """Return the verdict on each formula at a point, which has a value for each varied
        parameter."""
        explored = self.explored(point)
        settings = (
            self.settings if self._deadline is None else self.settings.within(self.seconds_left)
        )
        try:
            loaded = LoadedMdp(explored.space, explored.at(point))
        except (ValueError, ZeroDivisionError) as error:
            self._at(point)  # its error is better: it has a position in the program
            raise InputError([Diagnostic("CHK068", f"for {point_text(point)}: {error}")]) from None
        tasks = [CheckTask(explored.model, formula, settings) for formula in self.formulas]
        return [
            check_quantitative(task, loaded)
            if is_quantitative(task.original_formula)
            else check_qualitative(task, explored.space)
            for task in tasks
        ]

    def values(self, point: Point) -> list[tuple[Value, str | None]]:
        """Return a pair for each formula: its value at a point (a number, a truth value or None),
        and the reason if the value is None. A point has a value for each varied parameter."""
        if self.seconds_left == 0:
            return [(None, "the time limit was reached before this point was computed")] * len(
                self.formulas
            )
        verdicts = self.verdicts(point)
        return [
            (verdict.value if verdict.holds is None else verdict.holds, verdict.unknown)
            for verdict in verdicts
        ]


def open_experiment(
    program: ParametricProgram,
    formulas: Sequence[Formula],
    first: Point,
    settings: CheckSettings | None = None,
) -> Experiment:
    """Return an experiment with as many symbolic parameters as possible.

    Which parameters can be symbolic is found out by evaluating the formulas at the point ``first``,
    which has a value for each varied parameter. A parameter whose value is needed for exploration
    is no longer symbolic.
    """
    left_open = (
        frozenset(first) if all(map(_depends_on_probabilities_only, formulas)) else frozenset[str]()
    )
    settings = settings or CheckSettings()
    experiment = Experiment(program, formulas, left_open, settings, settings.seconds)
    while True:
        try:
            experiment.values(first)
        except ParameterValueNeeded as needed:
            experiment = experiment.with_fixed(needed.parameters)
        else:
            return experiment


@dataclass(frozen=True, slots=True)
class PointBatch:
    """Batch of points of a sweep and, once computed, the values of all formulas at each point. A
    point has a value for each varied parameter, and comes with its number in the sweep."""

    points: Sequence[tuple[int, Point]]
    values: Sequence[Sequence[tuple[Value, str | None]]] = ()
    explorations: int = 0


def compute(experiment: Experiment, portion: PointBatch) -> PointBatch:
    """Return a batch of points of a sweep with the values of all formulas at these points. Workers
    of the sweep execute this function."""
    before = experiment.explorations
    values = [experiment.values(point) for _, point in portion.points]
    return PointBatch(portion.points, values, experiment.explorations - before)


def _depends_on_probabilities_only(formula: Formula) -> bool:
    """Return whether the value of a formula is the same with and without transitions of probability
    0. Only then can parameters be symbolic, because a symbolic probability may become 0. Such
    transitions matter to a path quantifier (``A``, ``E``)."""
    asks_for_numbers = isinstance(formula, Probability | Reward | SteadyState)
    return asks_for_numbers and not any(
        isinstance(part, PathQuantifier) for part in subformulas(formula)
    )


def _probability(weight: Any, point: Point) -> Any:
    value = value_at(weight, point)
    if isinstance(weight, ParametricWeight) and not 0 <= value <= 1:
        raise ValueError(f"the probability {weight} is {number_text(value)}")
    return value
