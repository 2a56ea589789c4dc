"""Values of step-bounded formulas: the probability of an until or the expected reward within a
number of steps.

Values are computed by value iteration, backwards from the last step, unless Storm can cheaply
compute exact values. In floating point, the values come with bounds on the accumulated rounding
error. Exact iteration is used if it reaches a fixed point after a few steps: further steps then
change nothing, so the exact values after any number of steps are known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.rewards import RewardArrays
from volition.checking.quantitative.certified_bounds import enclose_reach, enclose_total
from volition.checking.quantitative.context import (
    CHEAP_STEPS,
    QuantitativeContext,
    SolveSpec,
    StateValues,
    UndecidedError,
)
from volition.diagnostics import plural
from volition.kernel.arrays import Mask, NumberArray

__all__ = ["bounded_reward", "bounded_until", "lower_bounded_until", "next_probability"]

MAX_WORK = 10**9
STEP_WORK = 10_000
"""Overhead of one step of backward iteration, counted in transitions. The number of steps times
(transitions + ``STEP_WORK``) must not exceed ``MAX_WORK``."""

NARROW = 1e-9
"""Relative width of the bounds on a value up to which they need not be improved."""

LEAST = float(np.finfo(np.float64).smallest_normal)
CONVERGENCE_RTOL = 1e-9
"""Relative change of the values in one floating-point step below which exact iteration is tried,
because the exact values may have reached a fixed point. This limit is much larger than the rounding
error of the few steps considered, so rounding does not hide a fixed point."""


def next_probability(on: QuantitativeContext, goal: Mask, spec: SolveSpec) -> StateValues:
    """Return the optimal probability that the next state is in ``goal``."""
    if on.use_exact(1):
        return on.solve_with_storm(spec, "P{best}=? [X {0}]", goal, steps=1)
    reached = goal.astype(np.float64)
    return lower_bounded_until(
        on, 1, StateValues(reached, reached, reached, _by_steps(1)), np.ones_like(goal), spec
    )


def bounded_until(
    on: QuantitativeContext, steps: int, through: Mask, goal: Mask, spec: SolveSpec
) -> StateValues:
    """Return the optimal probability of ``through U<=steps goal``."""
    if on.use_exact(steps) and not _is_too_long(on.mdp, steps):
        found = on.solve_with_storm(
            spec, f"P{{best}}=? [{{0}} U<={steps} {{1}}]", through, goal, steps=steps
        )
    else:
        found = _bounded_until_backwards(on, steps, through, goal, spec)
    return replace(found, through=through, goal=goal, seeks_goal=spec.maximises, step_bound=steps)


def _bounded_until_backwards(
    on: QuantitativeContext, steps: int, through: Mask, goal: Mask, spec: SolveSpec
) -> StateValues:
    """Return the optimal probability of ``through U<=steps goal`` by backward iteration, which
    avoids sending a large model to Storm.

    If only the value in the initial state is needed, the values for n remaining steps are computed
    only in the states that can be reached in the ``steps`` - n steps before.
    """
    mdp, best, unsettled = on.mdp, spec.optimum_or_max, through & ~goal

    def before(values: NumberArray) -> NumberArray:
        return np.where(unsettled, mdp.bellman_backup(values, best), values)

    if _may_converge_exactly(on, goal.astype(np.float64), before, steps):
        exact = _exact_fixed_point(on, goal.astype(object) * Fraction(1), before, steps)
        if exact is not None:
            return exact
    _raise_if_exact(on, steps)
    horizons = [mdp.num_states] if spec.all_states else mdp.bfs_prefix_sizes()
    values, done, settled = goal.astype(np.float64), 0, False
    while done < steps and not settled and not _is_too_long(mdp, done):
        done += 1
        first = horizons[min(steps - done, len(horizons) - 1)]
        earlier = np.where(
            unsettled[:first], mdp.bellman_backup(values, best, first), values[:first]
        )
        settled = _unchanged(earlier, values[:first])
        values[:first] = earlier
    values = values[: horizons[0]]
    lower, upper = _rounded_after(mdp, values, done, steps, 1.0, settled=settled)
    if done < steps and not (settled and _error_bound(mdp, steps) <= NARROW):
        upper = np.minimum(
            upper,
            enclose_reach(on.loaded.without_zero_transitions, through, goal, best).upper[
                : len(upper)
            ],
        )
    return StateValues(values, lower, upper, _by_steps(done))


def lower_bounded_until(
    on: QuantitativeContext, steps: int, later: StateValues, through: Mask, spec: SolveSpec
) -> StateValues:
    """Return the optimal probability of an until with the lower step bound ``steps``.

    ``later`` are the probabilities of the same until without the lower bound; they apply in the
    state after ``steps`` steps. In every state before that one, ``through`` must hold.

    Storm is not used for two reasons. It has no ``U>=k``, and its ``U[k,n]`` has another meaning:
    if a state before step k satisfies the right side, Storm does not require the left side in it.
    """

    def earlier(values: NumberArray) -> NumberArray:
        return np.where(through, on.mdp.bellman_backup(values, spec.optimum_or_max), 0 * values)

    values = _iterate_backwards(on, later.values, earlier, steps)
    if values is None:
        rounded = later.values.astype(np.float64)
        above = np.where(later.values > 0, np.maximum(rounded, LEAST), 0.0)
        later = StateValues(rounded, *_rounded(on.mdp, rounded, above, 1), later.method)
        return lower_bounded_until(on, steps, later, through, spec)
    if later.lower is None or later.upper is None:
        return StateValues(values, None, None, later.method)
    lower, upper = (
        _iterate_backwards(on, later.lower, earlier, steps),
        _iterate_backwards(on, later.upper, earlier, steps),
    )
    assert lower is not None, "floating point is always affordable"
    assert upper is not None, "floating point is always affordable"
    return StateValues(values, *_rounded(on.mdp, lower, upper, steps), later.method)


def bounded_reward(
    on: QuantitativeContext,
    prop: str,
    steps: int,
    rewards: RewardArrays,
    spec: SolveSpec,
    *,
    on_the_way: bool,
) -> StateValues:
    """Return the optimal expected reward collected within ``steps`` steps (if ``on_the_way``), or
    the expected reward of the state after ``steps`` steps. ``prop`` is the same query in Storm's
    syntax."""
    mdp = on.mdp
    if on.use_exact(steps) and not _is_too_long(mdp, steps):
        return on.solve_with_storm(spec, prop, steps=steps)

    def gains_and_last(
        of_states: NumberArray, of_choices: NumberArray
    ) -> tuple[NumberArray, NumberArray]:
        per_choice = of_states[mdp.choice_states] + of_choices
        return (per_choice, 0 * of_states) if on_the_way else (0 * per_choice, of_states)

    gains, last = gains_and_last(rewards.of_states, rewards.of_choices)
    if _may_converge_exactly(
        on,
        last.astype(np.float64),
        lambda values: mdp.bellman_backup(values, spec.optimum_or_max, gains=gains),
        steps,
    ):
        written = rewards.exactly()
        exact_gains, exact_last = gains_and_last(written.of_states, written.of_choices)
        exact = _exact_fixed_point(
            on,
            exact_last,
            lambda values: mdp.bellman_backup(values, spec.optimum_or_max, gains=exact_gains),
            steps,
        )
        if exact is not None:
            return exact
    _raise_if_exact(on, steps)
    if not rewards.never_negative:
        return on.solve_with_storm(spec, prop, steps=steps)
    values, done, settled = last.astype(np.float64), 0, False
    while done < steps and not settled:
        if _is_too_long(mdp, done):
            raise UndecidedError(f"{steps} steps are too many for value iteration")
        earlier, done = mdp.bellman_backup(values, spec.optimum_or_max, gains=gains), done + 1
        settled, values = _unchanged(earlier, values), earlier
    if not on_the_way:
        return StateValues(
            values, *_rounded(mdp, values, values, steps, maximum=np.inf), _by_steps(steps)
        )
    lower, upper = _rounded_after(mdp, values, done, steps, np.inf, settled=settled)
    if done < steps and _error_bound(mdp, steps) > NARROW:
        upper = np.minimum(
            upper,
            enclose_total(on.loaded.without_zero_transitions, rewards, spec.optimum_or_max).upper,
        )
    return StateValues(values, lower, upper, _by_steps(done))


def _by_steps(steps: int) -> str:
    return (
        f"{steps} {plural(steps, 'step')} of value iteration, floating point with bounds on the "
        "rounding error"
    )


def _may_converge_exactly(
    on: QuantitativeContext,
    values: NumberArray,
    earlier: Callable[[NumberArray], NumberArray],
    steps: int,
) -> bool:
    """Return whether it is worth trying exact iteration although there are many steps, because the
    exact values may reach a fixed point. This is guessed from a few steps in floating point.
    ``earlier`` is a function that computes the values before a step from those after it."""
    if on.settings.exact is False or not on.loaded.is_rational:
        return False
    for _ in range(min(steps, _max_exact_steps(on.mdp))):
        before = earlier(values)
        if np.allclose(before, values, rtol=CONVERGENCE_RTOL, atol=0.0):
            return True
        values = before
    return False


def _max_exact_steps(mdp: Mdp) -> int:
    """Return the largest number of steps of exact iteration that are tried in order to reach a
    fixed point."""
    return min(mdp.num_states + 1, CHEAP_STEPS // mdp.num_transitions)


def _exact_fixed_point(
    on: QuantitativeContext,
    values: NumberArray,
    earlier: Callable[[NumberArray], NumberArray],
    steps: int,
) -> StateValues | None:
    """Return the exact values after ``steps`` steps if the iteration reaches a fixed point within a
    few steps; otherwise None. ``earlier`` is a function that computes the values before a step from
    those after it."""
    for done in range(1, min(steps, _max_exact_steps(on.mdp)) + 1):
        before = earlier(values)
        if np.array_equal(before, values):
            method = (
                f"{done} {plural(done, 'step')} of value iteration to a fixed point, "
                "exact arithmetic"
            )
            return StateValues(values, None, None, method)
        values = before
    return None


def _is_too_long(mdp: Mdp, steps: int) -> bool:
    return steps * (mdp.num_transitions + STEP_WORK) > MAX_WORK


def _raise_if_exact(on: QuantitativeContext, steps: int) -> None:
    if on.settings.exact:
        raise UndecidedError(f"exact fractions grow with each step, and {steps} steps are too many")


def _iterate_backwards(
    on: QuantitativeContext,
    values: NumberArray,
    earlier: Callable[[NumberArray], NumberArray],
    steps: int,
) -> NumberArray | None:
    """Return ``values`` after ``steps`` steps of backward iteration. ``earlier`` is a function that
    computes the values before a step from those after it.

    Exact values may become too expensive. Then return None or, if the settings require exact
    values, raise :class:`UndecidedError`.

    The iteration stops early when a step changes nothing. In floating point, a change of the last
    digit is ignored, but the error bounds of :func:`_rounded` for all ``steps`` steps cover this.
    """
    exact = values.dtype == np.object_
    same = np.array_equal if exact else _unchanged
    affordable = not exact or (on.use_exact(steps) and not _is_too_long(on.mdp, steps))
    for done in range(steps):
        if not affordable and done > _max_exact_steps(on.mdp):
            _raise_if_exact(on, steps)
            return None
        if _is_too_long(on.mdp, done):
            raise UndecidedError(f"{steps} steps are too many for value iteration")
        before = earlier(values)
        if same(before, values):
            return before
        values = before
    return values


def _rounded(
    mdp: Mdp, lower: NumberArray, upper: NumberArray, steps: int, maximum: float = 1.0
) -> tuple[NumberArray, NumberArray]:
    """Return the bounds ``lower`` and ``upper``, widened by the rounding errors of ``steps`` steps
    of backward iteration in floating point. They are bounds on values between 0 and ``maximum``.

    A step computes, for each choice, a sum of products without subtraction, one product for each of
    the ``terms`` transitions of the choice. Its result is therefore off by a factor of at most 1 +
    (terms + 3)u, where u = 2^-53 is the rounding error of one operation (Higham, Accuracy and
    Stability, Sect. 3.1). Results below the smallest normal number are raised to it; the lower
    bounds account for this separately.
    """
    relative_error = _error_bound(mdp, steps)
    if relative_error >= 1:
        return np.zeros_like(lower), np.where(upper > 0, maximum, 0.0)
    vanishing = (
        steps * int(np.diff(mdp.first_transition).max()) * LEAST * max(1.0, float(lower.max()))
    )
    return np.maximum(lower * (1 - relative_error) - vanishing, 0.0), np.minimum(
        upper * (1 + relative_error), maximum
    )


def _rounded_after(
    mdp: Mdp, values: NumberArray, done: int, steps: int, maximum: float, *, settled: bool
) -> tuple[NumberArray, NumberArray]:
    """Return lower and upper bounds on the values after ``steps`` steps, given the ``values`` after
    the first ``done`` steps. Values must not decrease from step to step. Therefore ``values`` are
    lower bounds, up to rounding. If steps are left, the upper bounds depend on ``settled``:

    - False: the upper bounds are ``maximum``.
    - True: the last step multiplied each value by at most c = 1 + 2^-51. Every later step then does
      so too. The reason is that the Bellman backup is monotone, and that multiplying its inputs by
      c multiplies its results by at most c. The upper bounds are ``values``, widened by the error
      bound of ``steps`` steps. The error bound of a step is large enough for the factor c.
    """
    lower, upper = _rounded(mdp, values, values, done, maximum)
    if done < steps:
        upper = (
            _rounded(mdp, values, values, steps, maximum)[1]
            if settled
            else np.full_like(upper, maximum)
        )
    return lower, upper


def _error_bound(mdp: Mdp, steps: int) -> float:
    """Return a bound on the relative error of a value after ``steps`` steps of backward iteration
    in floating point."""
    terms = int(np.diff(mdp.first_transition).max())
    return float(2 * steps * (terms + 3)) * 2.0**-53


def _unchanged(values: NumberArray, others: NumberArray) -> bool:
    """Return whether two arrays of floating-point values are equal up to their last digit, which
    may oscillate."""
    return bool(np.allclose(values, others, rtol=2.0**-51, atol=0.0))
