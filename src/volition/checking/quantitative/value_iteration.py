"""Numbers of questions with a bound on the steps: taken back from the last step to the first, one
after the other.

In floating point they come with bounds on what rounding adds up to.  Where values stay the same
from some step on, they are exact.
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
"""Steps times transitions up to which values are taken back step by step, and as how many
transitions a step counts at least."""

NARROW = 1e-9
"""A part of a value so small that bounds this far apart need not be made narrower."""

LEAST = float(np.finfo(np.float64).smallest_normal)
CONVERGENCE_RTOL = 1e-9
"""Far more than rounding adds in the few steps in which exact values may settle, for their size."""


def next_probability(on: QuantitativeContext, goal: Mask, spec: SolveSpec) -> StateValues:
    """The probability to be in the goal after one step."""
    if on.use_exact(1):
        return on.solve_with_storm(spec, "P{best}=? [X {0}]", goal, steps=1)
    reached = goal.astype(np.float64)
    return lower_bounded_until(
        on, 1, StateValues(reached, reached, reached, _by_steps(1)), np.ones_like(goal), spec
    )


def bounded_until(
    on: QuantitativeContext, steps: int, through: Mask, goal: Mask, spec: SolveSpec
) -> StateValues:
    """The probability of an until within so many steps."""
    if on.use_exact(steps) and not _is_too_long(on.mdp, steps):
        found = on.solve_with_storm(
            spec, f"P{{best}}=? [{{0}} U<={steps} {{1}}]", through, goal, steps=steps
        )
    else:
        found = _within(on, steps, through, goal, spec)
    return replace(found, through=through, goal=goal, seeks_goal=spec.maximises, step_bound=steps)


def _within(
    on: QuantitativeContext, steps: int, through: Mask, goal: Mask, spec: SolveSpec
) -> StateValues:
    """The same, one step back after the other: a large model need not go to Storm for that.

    For the value in the initial state, the states that count with k steps left are those reached in
    the steps before.
    """
    mdp, best, unsettled = on.mdp, spec.optimum_or_max, through & ~goal

    def before(values: NumberArray) -> NumberArray:
        return np.where(unsettled, mdp.bellman_backup(values, best), values)

    if _may_converge_exactly(on, goal.astype(np.float64), before, steps):
        exact = _exact_fixed_point(on, goal.astype(object) * Fraction(1), before, steps)
        if exact is not None:
            return exact
    _refuse_exact(on, steps)
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
    if done < steps and not (settled and _room(mdp, steps) <= NARROW):
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
    """An until that may not end before so many steps, from one that may end at once: so many steps
    back.

    Storm has no ``U>=k``, and its ``U[k,n]`` does not ask for the left side in states before step k
    that satisfy the right side.
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
    """What is earned in so many steps on the way, or in the state after them; ``question`` is the
    same for Storm."""
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
    _refuse_exact(on, steps)
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
    if done < steps and _room(mdp, steps) > NARROW:
        upper = np.minimum(
            upper,
            enclose_total(on.loaded.without_zero_transitions, rewards, spec.optimum_or_max).upper,
        )
    return StateValues(values, lower, upper, _by_steps(done))


def _by_steps(steps: int) -> str:
    return (
        f"{steps} {plural(steps, 'step')} of value iteration, floating point with bounds on the "
        "rounding"
    )


def _may_converge_exactly(
    on: QuantitativeContext,
    values: NumberArray,
    earlier: Callable[[NumberArray], NumberArray],
    steps: int,
) -> bool:
    """Whether it is worth a try to compute exactly although there are many steps: about the same
    values do settle in floating point."""
    if on.settings.exact is False or not on.loaded.is_rational:
        return False
    for _ in range(min(steps, _max_exact_steps(on.mdp))):
        before = earlier(values)
        if np.allclose(before, values, rtol=CONVERGENCE_RTOL, atol=0.0):
            return True
        values = before
    return False


def _max_exact_steps(mdp: Mdp) -> int:
    """Steps after which exact values have settled, if they do so at a low price."""
    return min(mdp.num_states + 1, CHEAP_STEPS // mdp.num_transitions)


def _exact_fixed_point(
    on: QuantitativeContext,
    values: NumberArray,
    earlier: Callable[[NumberArray], NumberArray],
    steps: int,
) -> StateValues | None:
    """The exact values so many steps back, if they stay the same from some step on that is cheap to
    get to."""
    for done in range(1, min(steps, _max_exact_steps(on.mdp)) + 1):
        before = earlier(values)
        if np.array_equal(before, values):
            method = (
                f"{done} {plural(done, 'step')} of value iteration, after which nothing "
                "changes, exact arithmetic"
            )
            return StateValues(values, None, None, method)
        values = before
    return None


def _is_too_long(mdp: Mdp, steps: int) -> bool:
    return steps * (mdp.num_transitions + STEP_WORK) > MAX_WORK


def _refuse_exact(on: QuantitativeContext, steps: int) -> None:
    if on.settings.exact:
        raise UndecidedError(
            f"exact numbers get longer with each step, and {steps} steps are too many"
        )


def _iterate_backwards(
    on: QuantitativeContext,
    values: NumberArray,
    earlier: Callable[[NumberArray], NumberArray],
    steps: int,
) -> NumberArray | None:
    """Values so many steps back; None if they are exact, which costs too much by then, and need not
    be.

    In floating point one may stop where nothing changes: how far off that is at most,
    :func:`_rounded` knows for all steps.
    """
    exact = values.dtype == np.object_
    same = np.array_equal if exact else _unchanged
    affordable = not exact or (on.use_exact(steps) and not _is_too_long(on.mdp, steps))
    for done in range(steps):
        if not affordable and done > _max_exact_steps(on.mdp):
            _refuse_exact(on, steps)
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
    """Bounds on numbers from 0 to ``most`` that were taken so many steps back in floating point.

    Nothing is subtracted on the way, so each step of sums of at most ``terms`` products is off by a
    factor of at most 1 + (terms + 3)u, where u = 2^-53 is the rounding of one operation (Higham,
    Accuracy and Stability, Sect. 3.1), and what is too small for that is raised to the least normal
    number.
    """
    room = _room(mdp, steps)
    if room >= 1:
        return np.zeros_like(lower), np.where(upper > 0, maximum, 0.0)
    vanishing = (
        steps * int(np.diff(mdp.first_transition).max()) * LEAST * max(1.0, float(lower.max()))
    )
    return np.maximum(lower * (1 - room) - vanishing, 0.0), np.minimum(upper * (1 + room), maximum)


def _rounded_after(
    mdp: Mdp, values: NumberArray, done: int, steps: int, maximum: float, *, settled: bool
) -> tuple[NumberArray, NumberArray]:
    """Return bounds on numbers that grow with each step, of which only the ones after ``done`` of
    the steps are known.

    They are lower bounds for the rest.  Once they are ``settled``, one step multiplies them by at
    most 1 + 2^-51, and so does every later one: taking a step back is monotone, and a factor common
    to all values and gains passes through it.  The room of a step covers that.
    """
    lower, upper = _rounded(mdp, values, values, done, maximum)
    if done < steps:
        upper = (
            _rounded(mdp, values, values, steps, maximum)[1]
            if settled
            else np.full_like(upper, maximum)
        )
    return lower, upper


def _room(mdp: Mdp, steps: int) -> float:
    """Return the part of a value by which it may be off after so many steps in floating point."""
    terms = int(np.diff(mdp.first_transition).max())
    return float(2 * steps * (terms + 3)) * 2.0**-53


def _unchanged(values: NumberArray, others: NumberArray) -> bool:
    """Return whether floating point numbers are the same up to their last digit, which may go up
    and down without end."""
    return bool(np.allclose(values, others, rtol=2.0**-51, atol=0.0))
