"""Robust bounds: bounds of a probability for all parameter values in a box, computed with an
interval MDP.

Each transition probability of the program is enclosed in an interval over the box, and in every
step it may have any value in its interval. In the program, parameters have the same value in every
step and for all transitions. The interval MDP allows more behaviour, so the bounds are outer
bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from volition.analysis.sweeps.closed_forms import require_symbolic
from volition.analysis.sweeps.experiment import ParametricExploration, open_experiment
from volition.analysis.sweeps.grid import Axis
from volition.analysis.sweeps.regions import Box, enclosure
from volition.checking.graph.propositions import satisfying_states
from volition.checking.quantitative.probabilities import UntilProblem, normalise_path
from volition.checking.quantitative.robust import Between, Optimum, robust_reachability
from volition.checking.task import CheckSettings
from volition.diagnostics import Diagnostic, InputError
from volition.languages.protocols import ParametricProgram
from volition.logic.syntax import Formula, Probability, StepBound
from volition.logic.traversal import expand_agents, is_propositional

__all__ = ["RobustBounds", "robust_bounds"]


@dataclass(frozen=True, slots=True)
class RobustBounds:
    """Lower and upper bound of a probability for all parameter values in a box, and the number of
    states of the program."""

    lower: float
    upper: float
    states: int


def robust_bounds(
    program: ParametricProgram,
    box: Box,
    formula: Formula,
    *,
    settings: CheckSettings | None = None,
    seconds: float | None = None,
) -> RobustBounds:
    """Return bounds of the probability of a formula for all parameter values in the box.

    Raise :class:`InputError` if the formula is not supported or a parameter changes more than
    probabilities, and :class:`EngineError` if Storm has no method for the interval MDP.
    """
    prop, opposite = _reachability_problem(formula)
    middle = {name: (low + high) / 2 for name, (low, high) in box.items()}
    experiment = open_experiment(program, [formula], middle, settings)
    require_symbolic(
        experiment, [Axis(name, ends) for name, ends in box.items()], requested="robust bounds"
    )
    explored = experiment.explored(middle)
    assert isinstance(formula, Probability)
    reduced = normalise_path(expand_agents(formula.path, explored.model.agents)).prop
    assert isinstance(reduced, UntilProblem), "the formula was checked before"
    goal = satisfying_states(explored.model, explored.space, reduced.goal)
    through = satisfying_states(explored.model, explored.space, reduced.through)
    between = _intervals(explored, box)
    optimum: Optimum = formula.optimum or "max"  # a Markov chain has no choices
    choices = optimum if not opposite else _other(optimum)
    steps = None if prop.bound is None else prop.bound.upper

    def extreme(nature: Optimum) -> float:
        return robust_reachability(
            explored.mdp,
            between,
            goal,
            ~through & ~goal,
            choices=choices,
            nature=nature,
            steps=steps,
            seconds=seconds,
        )

    minimum, maximum = extreme("min"), extreme("max")
    return RobustBounds(
        *((1 - maximum, 1 - minimum) if opposite else (minimum, maximum)), explored.space.num_states
    )


def _reachability_problem(formula: Formula) -> tuple[UntilProblem, bool]:
    """Return the reachability problem that a formula reduces to, and whether the formula asks for
    the complement of its probability."""
    if isinstance(formula, Probability) and formula.relation is None:
        reduced = normalise_path(formula.path)
        reach = reduced.prop
        if (
            isinstance(reach, UntilProblem)
            and is_propositional(reach.goal)
            and is_propositional(reach.through)
            and _counts_from_0(reach.bound)
        ):
            return reach, reduced.opposite
    hint = "use a reachability probability, such as Pmax=? [ F done ]"
    raise InputError(
        [
            Diagnostic(
                "CHK120", "robust bounds are not supported for this formula", formula.span, hint
            )
        ]
    )


def _counts_from_0(bound: StepBound | None) -> bool:
    return bound is None or (bound.lower == 0 and bound.upper is not None)


def _intervals(explored: ParametricExploration, box: Box) -> Sequence[Between]:
    """Return an interval for each distinct transition probability of the program. ``box`` has the
    minimum and the maximum of each parameter. The interval contains every value that the
    probability has for such parameter values. Its ends are rounded outwards."""
    found = [enclosure(box, weight) for weight in explored.space.weights]
    if any(each is None for each in found):
        raise InputError(
            [
                Diagnostic(
                    "CHK121",
                    "robust bounds are not supported for probabilities with a parameter in a "
                    "denominator",
                )
            ]
        )
    return [_outwards(*each) for each in found if each is not None]


def _outwards(low: Fraction, high: Fraction) -> Between:
    if low == high and low in (0, 1):
        return float(low), float(high)
    return max(0.0, math.nextafter(float(low), -1.0)) if low > 0 else 0.0, min(
        1.0, math.nextafter(float(high), 2.0)
    )


def _other(optimum: Optimum) -> Optimum:
    return "min" if optimum == "max" else "max"
