"""Process in which Storm runs. For checking, this is the only module that imports stormpy.

Storm's algorithms cannot be interrupted from Python, and its own signal handler makes them return
meaningless numbers. Storm therefore runs in a separate process.
:mod:`volition.checking.storm.client` starts it, sends it calls, and kills it on a timeout or
Ctrl-C. Calls and results are pickled tuples over an inherited socket.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.kernel.arrays import NumberArray
from volition.subprocesses import kill_with_parent

__all__ = ["NOT_INSTALLED", "EngineAnswer", "StormWorker", "main", "serve"]

NOT_INSTALLED = 69
"""Exit code of the Storm process if stormpy cannot be imported."""

LONG_RUN_PRECISION = "1e-11"
"""Precision that Storm is given for long-run averages."""
ROBUST_PRECISION = "1/1000000000000"
"""Precision that Storm is given for robust value iteration."""


@dataclass(frozen=True)
class EngineAnswer:
    """Result of Storm for a query: the value in the initial state or in all states, bounds if Storm
    has them, and the optimal choices if they were requested.

    Values are float64 or, in exact arithmetic, objects (``Fraction``, and ``inf`` as a float).
    ``choices`` is the choice of each state; None if Storm has no strategy, or one that needs
    memory.
    """

    values: NumberArray
    lower: NumberArray | None
    upper: NumberArray | None
    choices: npt.NDArray[np.int64] | None = None

    def exceeds_precision(self, precision: float) -> bool:
        """Return whether the bounds for the initial state are more than 100 times wider than the
        requested precision."""
        if (
            self.lower is None
            or self.upper is None
            or self.values.dtype == np.object_
            or not np.isfinite(self.values[0])
        ):
            return False
        return bool(self.upper[0] - self.lower[0] > 100 * precision * max(1.0, abs(self.values[0])))


class StormWorker:
    """Worker that holds the models loaded into Storm. The parent process calls its methods."""

    def __init__(self) -> None:
        import stormpy

        self._storm = stormpy
        stormpy.developer.set_log_level(stormpy.developer.LogLevel.OFF)
        # Long-run averages are the only queries whose precision cannot be set in the environment.
        stormpy.developer.set_from_exploded_string(
            ["--sound", "--lra:precision", LONG_RUN_PRECISION]
        )
        self._models: dict[int, Any] = {}

    def load(self, path: Path, exact: bool) -> int:
        """Load a UMB archive and return a number that identifies the model in later calls."""
        options = self._storm.io.UmbImportOptions()
        kinds = self._storm.io.UmbImportValueType
        options.value_type = kinds.RATIONAL if exact else kinds.DOUBLE
        options.build_choice_labeling = options.build_state_valuations = False
        number = max(self._models, default=0) + 1
        self._models[number] = self._storm.build_model_from_umb(path, options=options)
        return number

    def forget(self, models: Sequence[int]) -> None:
        """Drop the models with these numbers, which are no longer used."""
        for model in models:
            self._models.pop(model, None)

    def label(self, model: int, name: str, bits: str) -> None:
        """Add a label for a set of states to a model. ``bits`` is the set in Storm's text format
        for bit vectors."""
        labeling = self._models[model].labeling
        labeling.add_label(name)
        labeling.set_states(name, self._storm.datastructures.BitVector.load_from_string(bits))

    def closed_form(self, path: Path, prop: str, parameters: int) -> tuple[list[Any], list[Any]]:
        """Return the value of a query on a parametric Markov chain as a fraction of two polynomials
        in the parameters x0, x1, ...: the terms of its numerator and of its denominator.

        A term is a pair of a tuple with the exponents of all parameters, and the coefficient.
        ``path`` is the chain in DRN format.
        """
        chain = self._storm.build_model_from_drn[self._storm.RationalFunction](path)
        result = self._storm.model_checking(
            chain, self._storm.parse_property(prop), only_initial_states=True
        )
        function = result.get_value(chain.initial_states[0]).rational_function()

        def terms(polynomial: Any) -> list[Any]:
            exponents = (
                {str(variable): exponent for variable, exponent in term.monomial or ()}
                for term in polynomial
            )
            numbers = (Fraction(str(term.coeff)) for term in polynomial)
            return [
                (tuple(powers.get(f"x{i}", 0) for i in range(parameters)), n)
                for powers, n in zip(exponents, numbers, strict=True)
            ]

        return terms(function.numerator), terms(function.denominator)

    def robust(self, path: Path, prop: str, nature: str) -> float:
        """Return the value of a query on an interval MDP in which nature minimises (``min``) or
        maximises (``max``) it. ``path`` is the MDP in DRN format."""
        process = self._storm.build_model_from_drn[self._storm.Interval](path)
        environment = self._storm.developer.EnvironmentBuilder.build_environment()
        environment.solver().min_max().method = (
            self._storm.environments.MinMaxMethod.VALUE_ITERATION
        )
        environment.solver().min_max().precision = self._storm.Rational(ROBUST_PRECISION)
        modes = self._storm.UncertaintyResolutionMode
        result = self._storm.model_checking(
            process,
            self._storm.parse_property(prop),
            uncertainty_resolution_mode=modes.MINIMIZE if nature == "min" else modes.MAXIMIZE,
            environment=environment,
        )
        return float(result.get_value(process.initial_states[0]))

    def check(
        self, model: int, prop: str, *, strategy: bool, everywhere: bool, precision: float
    ) -> EngineAnswer:
        """Return the value of a query such as ``Pmax=? [F "goal"]`` on a loaded model."""
        environment = self._environment(model, precision, long_run="LRA" in prop)
        answer = self._check(model, prop, strategy, everywhere, environment)
        if answer.exceeds_precision(precision):
            # Try again with other solvers. Storm's default, one solver per strongly connected
            # component, sometimes loses its bounds at high precision.
            kinds = self._storm.environments
            environment.solver().min_max().method = kinds.MinMaxMethod.OPTIMISTIC_VALUE_ITERATION
            environment.solver().set_linear_equation_solver_type(kinds.EquationSolverType.NATIVE)
            return self._check(model, prop, strategy, everywhere, environment)
        return answer

    def _check(
        self, model: int, prop: str, strategy: bool, everywhere: bool, environment: Any
    ) -> EngineAnswer:
        target = self._models[model]
        result = self._storm.model_checking(
            target,
            self._storm.parse_property(prop),
            # Restricting the result to the initial state makes Storm's products with automata
            # smaller. Do so only in exact arithmetic: in floating point, Storm would lose some
            # bounds.
            only_initial_states=bool(target.is_exact) and not everywhere and not strategy,
            extract_scheduler=strategy and bool(target.is_nondeterministic_model),
            environment=environment,
        )
        if result is None:
            raise RuntimeError("Storm has no algorithm for this formula")

        def numbers(values: list[Any]) -> NumberArray:
            return _numbers(values, exact=bool(target.is_exact))

        # Fetch the values of all states only if they are requested, because fetching takes longer
        # than most computations.
        if everywhere:
            values = numbers(result.get_value_vector())
            lower = numbers(result.get_lower_bound_vector()) if result.has_lower_bounds() else None
            upper = numbers(result.get_upper_bound_vector()) if result.has_upper_bounds() else None
        else:
            start = target.initial_states[0]
            values = numbers([result.get_value(start)])
            lower = numbers([result.get_lower_bound(start)]) if result.has_lower_bounds() else None
            upper = numbers([result.get_upper_bound(start)]) if result.has_upper_bounds() else None
        choices = self._choices(model, result.get_scheduler()) if result.has_scheduler() else None
        if lower is None or upper is None or not np.all((lower <= values) & (values <= upper)):
            # Storm 2.0 reports uninitialised bounds for some formulas. Ignore bounds that do not
            # enclose the value.
            lower = upper = None
        return EngineAnswer(values, lower, upper, choices)

    def holds(self, model: int, prop: str) -> npt.NDArray[np.bool_]:
        """Return the states of a loaded model in which a formula with a threshold holds. Storm
        decides the thresholds 0 and 1 on the graph, whatever the arithmetic."""
        target = self._models[model]
        environment = self._storm.environments.default(target)
        result = self._storm.model_checking(
            target, self._storm.parse_property(prop), environment=environment
        )
        states = np.zeros(target.nr_states, dtype=np.bool_)
        states[list(result.get_truth_values_vector())] = True
        return states

    def _environment(self, model: int, precision: float, *, long_run: bool = False) -> Any:
        """Return Storm's solver environment for a query on a loaded model. For a long-run average,
        it is built from Storm's global settings, the only place where the precision of such queries
        can be set. These settings must not affect other queries."""
        if self._models[model].is_exact:
            return self._storm.environments.exact()
        if long_run:
            environment = self._storm.developer.EnvironmentBuilder.build_environment()
            environment.solver().set_linear_equation_solver_type(
                self._storm.environments.EquationSolverType.NATIVE
            )
        else:
            environment = self._storm.environments.sound()
        for solver in (environment.solver().min_max(), environment.solver().native()):
            solver.precision = self._storm.Rational(
                str(Fraction(precision).limit_denominator(10**15))
            )
        return environment

    def _choices(self, model: int, scheduler: Any) -> npt.NDArray[np.int64] | None:
        """Return the choice of each state under a scheduler of Storm; None if the scheduler is
        randomised or needs memory."""
        if not scheduler.memoryless or not scheduler.deterministic:
            return None
        first_choice = np.array(self._models[model].nondeterministic_choice_indices, dtype=np.int64)
        taken = np.array(
            list(scheduler.compute_action_support(first_choice.tolist())), dtype=np.int64
        )
        # Storm omits states in which all choices are equally good; they get their first choice.
        choices = first_choice[:-1].copy()
        choices[np.searchsorted(first_choice, taken, side="right") - 1] = taken
        return choices


def _numbers(values: list[Any], *, exact: bool) -> NumberArray:
    """Return Storm's values as an array: of objects in exact arithmetic, where infinity is a float
    even if all values are infinite."""
    if not exact:
        return np.array(values, dtype=np.float64)
    return np.array(
        [value if isinstance(value, float) else Fraction(str(value)) for value in values],
        dtype=object,
    )


def serve(connection: Connection) -> None:
    """Answer the calls that the parent process sends, until it closes the connection. An answer is
    ``("done", result)`` or ``("failed", message)``."""
    try:
        worker = StormWorker()
    except ImportError:
        sys.exit(NOT_INSTALLED)
    while True:
        try:
            discarded, method, arguments, options = connection.recv()
        except EOFError:
            return
        worker.forget(discarded)
        try:
            connection.send(("done", getattr(worker, method)(*arguments, **options)))
        except Exception as error:  # any failure in Storm or stormpy is reported as an answer
            connection.send(
                ("failed", str(getattr(error, "message", None) or error or type(error).__name__))
            )


def main() -> None:
    """Run the Storm worker. The command-line argument is the file descriptor of the socket on which
    it receives calls."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    kill_with_parent()
    # Exact numbers may have any length. The texts come from Storm, so they are trusted.
    sys.set_int_max_str_digits(0)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    serve(Connection(int(sys.argv[1])))
