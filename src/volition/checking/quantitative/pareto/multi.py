"""Evaluation of ``multi(..)`` formulas: several objectives under one strategy.

``multi(P>=0.6 [..], P>=0.3 [..])`` checks whether one strategy meets all bounds. ``multi(Pmax=?
[..], P>=0.3 [..])`` computes the optimal value of one objective under bounds on the others. Several
objectives without a bound have a Pareto front instead of a single value, see
:mod:`volition.analysis.tradeoffs.pareto`.

In ``multi``, the reward of ``R [ F goal ]`` is counted until the goal is reached *or unreachable*.
It is therefore finite even if the goal may be missed; outside ``multi`` such a reward is infinite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.quantitative.context import LoadedMdp, UndecidedError
from volition.checking.quantitative.deadline import Deadline
from volition.checking.quantitative.pareto.front import (
    Bound,
    Bounds,
    ParetoFront,
    compute_pareto_front,
    mixture,
)
from volition.checking.quantitative.pareto.objectives import (
    AttainedPoint,
    ObjectiveProduct,
    read_objective,
)
from volition.checking.quantitative.rewards import reward_name
from volition.checking.task import CheckTask
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.logic.printing import as_typed
from volition.logic.syntax import Formula, Multi, Probability, Reward

__all__ = ["MultiObjectiveResult", "check_multi", "solve_multi_objective"]

_TOO_CLOSE = "the bounds are too close to the Pareto front to decide; use exact arithmetic"


@dataclass(frozen=True)
class MultiObjectiveResult:
    """Result for a ``multi(..)`` formula: its objectives, their Pareto fronts, and the bounds in
    their formulas.

    There is more than one front if some strategies make an objective infinitely bad: one for
    strategies that keep all objectives finite, and others for strategies that keep only some
    objectives finite.
    """

    objectives: ObjectiveProduct
    bounds: tuple[Bound | None, ...]
    _fronts: dict[tuple[int, ...], ParetoFront] = field(default_factory=dict, repr=False)

    @property
    def maximised(self) -> tuple[bool, ...]:
        return tuple(each.maximised for each in self.objectives.objectives)

    @property
    def front(self) -> ParetoFront:
        """Pareto front of the strategies that keep every objective finite."""
        return self.front_of(range(len(self.objectives.objectives)))

    def front_of(self, indices: Iterable[int]) -> ParetoFront:
        """Return the Pareto front of the objectives ``indices``, for strategies that keep these
        objectives finite. All other objectives may be infinite."""
        kept = tuple(indices)
        if kept not in self._fronts:
            maximised = [self.maximised[index] for index in kept]
            self._fronts[kept] = compute_pareto_front(
                lambda weights: self.objectives.best(weights, kept), maximised
            )
        return self._fronts[kept]

    def corners(self) -> tuple[AttainedPoint, ...]:
        """Return the corners of the front for strategies that keep every objective finite, then
        those of strategies that improve some objectives by making others infinitely bad."""
        found = list(self.front.corners)
        everything = range(len(self.objectives.objectives))
        endless = self.objectives.endless
        for count in range(1, len(endless) + 1):
            for given_up in combinations(endless, count):
                indices = [index for index in everything if index not in given_up]
                if not indices:
                    continue
                for corner in self.front_of(indices).corners:
                    known = [Bound(_exactly(value)) for value in corner.values]
                    dearer = [
                        self._attained_at(indices, known, [*indices, other]) for other in given_up
                    ]
                    if all(each is False for each in dearer):
                        found.append(self.objectives.evaluate(corner.choices))
        return tuple(found)

    def attains(self, bounds: Bounds) -> bool | None:
        """Return whether one strategy meets all the bounds; None if rounded values do not decide
        it. ``bounds`` has an entry for each objective."""
        indices = self._relevant_objectives(bounds)
        return (
            self.front_of(indices).attains([bounds[index] for index in indices])
            if indices
            else True
        )

    def best(self, objective: int, bounds: Bounds) -> tuple[Any, Any] | None:
        """Return the optimal value of one objective under bounds on the other objectives, possibly
        infinite; None if no strategy meets the bounds.

        The result has two values: one that is attained, and one that no strategy improves on. Raise
        :class:`UndecidedError` if rounded values do not decide whether the bounds can be met.
        """
        others = [None if index == objective else bound for index, bound in enumerate(bounds)]
        indices = sorted({*self._relevant_objectives(others), objective})
        kept = [others[position] for position in indices]
        answers = [self.front_of(indices).attains(kept)]
        if objective in self.objectives.endless and answers == [False]:
            answers.append(self.attains(others))
        if None in answers:
            raise UndecidedError(_TOO_CLOSE)
        if answers[0]:
            return self.front_of(indices).best(indices.index(objective), kept)
        worst = -np.inf if self.maximised[objective] else np.inf
        return (worst, worst) if True in answers else None

    def mixture(
        self, corners: Sequence[Sequence[Any]], target: Sequence[Any]
    ) -> tuple[Any, ...] | None:
        """Return the probabilities with which to play the strategies of ``corners`` so that the
        values in ``target`` are attained or exceeded; None if that is impossible. An infinite entry
        of ``target`` allows any value."""
        indices = [index for index, requested in enumerate(target) if np.isfinite(float(requested))]
        usable = [
            number
            for number, values in enumerate(corners)
            if all(np.isfinite(float(values[position])) for position in indices)
        ]
        points = [tuple(corners[number][index] for index in indices) for number in usable]
        shares = (
            mixture(
                points,
                [target[index] for index in indices],
                [self.maximised[index] for index in indices],
            )
            if points
            else None
        )
        if shares is None:
            return None
        by_number = dict(zip(usable, shares, strict=True))
        return tuple(by_number.get(number, Fraction(0)) for number in range(len(corners)))

    def _relevant_objectives(self, bounds: Bounds) -> list[int]:
        """Return the indices of the objectives that must stay finite when the bounds are checked:
        those that have a bound, and those that are finite under every strategy."""
        return [
            index
            for index, bound in enumerate(bounds)
            if bound is not None or index not in self.objectives.endless
        ]

    def _attained_at(
        self, indices: Sequence[int], known: Sequence[Bound], finite: Sequence[int]
    ) -> bool | None:
        """Return whether the bounds ``known`` on the objectives ``indices`` are met by a strategy
        that also keeps all objectives in ``finite`` finite; None if rounded values do not decide
        it. The entries of ``known`` are in the order of ``indices``."""
        by_index = dict(zip(indices, known, strict=True))
        kept = sorted(finite)
        return self.front_of(kept).attains([by_index.get(index) for index in kept])


def solve_multi_objective(
    task: CheckTask, loaded: LoadedMdp, deadline: Deadline | None = None
) -> MultiObjectiveResult:
    """Return the objectives of a ``multi(..)`` formula with their Pareto fronts, which are computed
    on demand. ``deadline`` limits the time; by default the time limit of the settings does.

    Raise :class:`InputError` for a formula that is not an objective. Computing a front raises
    :class:`EngineError` if it fails.
    """
    settings, formula = task.settings, task.formula
    assert isinstance(formula, Multi), "objectives stand in a formula together"
    deadline = deadline or Deadline(settings.seconds)
    if loaded.space.stopped is not None:
        raise UndecidedError(
            f"a trade-off needs the whole state space ({loaded.space.stopped.text})"
        )
    mdp = loaded.without_zero_transitions
    satisfaction = Satisfaction(task, loaded.space)
    errors = Diagnostics()
    objectives, bounds = [], []
    for each in formula.objectives:
        try:
            maximised, bound = _direction(each)
            states = lambda part: satisfaction.states(part).definite  # noqa: E731
            objectives.append(
                read_objective(each, maximised, mdp, states, lambda query: reward_name(mdp, query))
            )
            bounds.append(bound)
        except InputError as error:
            errors.extend(error.diagnostics)
    errors.raise_errors()
    exact = loaded.use_exact(settings.exact)
    return MultiObjectiveResult(
        ObjectiveProduct(
            mdp, objectives, exact=exact, precision=settings.precision, deadline=deadline
        ),
        tuple(bounds),
    )


def _direction(formula: Formula) -> tuple[bool, Bound | None]:
    """Return whether the objective of a formula is maximised, and its bound (None if it has
    none)."""
    if not isinstance(formula, Probability | Reward):
        raise InputError(
            [
                Diagnostic(
                    "CHK030",
                    f"'{as_typed(formula)}' cannot be one of several objectives",
                    formula.span,
                )
            ]
        )
    if formula.relation is None or formula.threshold is None:
        if formula.optimum is None:
            hint = "write Pmax=? or Pmin=?, Rmax=? or Rmin=?"
            raise InputError(
                [
                    Diagnostic(
                        "CHK031",
                        f"the objective '{as_typed(formula)}' must say whether to maximise or "
                        "minimise",
                        formula.span,
                        hint,
                    )
                ]
            )
        return formula.optimum == "max", None
    if formula.relation in ("=", "!="):
        raise InputError(
            [
                Diagnostic(
                    "CHK032",
                    "the bound of an objective must be one-sided",
                    formula.span,
                    "write >= or <=",
                )
            ]
        )
    return formula.relation in (">", ">="), Bound(
        formula.threshold, strict=formula.relation in ("<", ">")
    )


def check_multi(task: CheckTask, loaded: LoadedMdp) -> Verdict:
    """Return the verdict on a ``multi(..)`` formula: whether one strategy meets all bounds, or the
    optimal value of the one objective without a bound."""
    formula = task.formula
    assert isinstance(formula, Multi), "objectives stand in a formula together"
    unbounded = [
        index
        for index, each in enumerate(formula.objectives)
        if getattr(each, "relation", None) is None
    ]
    if len(unbounded) > 1:
        hint = "bound all but one of them, or compute the Pareto front"
        raise InputError(
            [Diagnostic("CHK033", "more than one objective without a bound", formula.span, hint)]
        )
    found = solve_multi_objective(task, loaded)
    arithmetic = (
        "exact arithmetic" if found.objectives.exact else "floating point with sound bounds"
    )
    method = f"policy iteration for weighted sums, {arithmetic}"
    if not unbounded:
        holds = found.attains(found.bounds)
        unknown = None if holds is not None else _TOO_CLOSE
        notes = (
            _mixture_notes(found, [bound.threshold for bound in found.bounds if bound is not None])
            if holds
            else ()
        )
        return Verdict(formula, method, 0.0, holds=holds, fixed_notes=notes, unknown=unknown)
    best = found.best(unbounded[0], found.bounds)
    if best is None:
        return Verdict(
            formula, method, 0.0, unknown="no strategy meets the bounds, so there is no value"
        )
    value = best[0]
    target = [value if bound is None else bound.threshold for bound in found.bounds]
    exact = found.objectives.exact and np.isfinite(float(value))
    verdict = Verdict(
        formula,
        method,
        0.0,
        value=value if exact else float(value),
        fixed_notes=_mixture_notes(found, target),
    )
    return verdict if best[0] == best[1] else verdict.with_bounds(min(best), max(best))


def _mixture_notes(found: MultiObjectiveResult, target: Sequence[Any]) -> tuple[str, ...]:
    """Return a note for users on how the values in ``target`` are attained: by one strategy, or by
    choosing a strategy at random at the start."""
    corners = [corner.values for corner in found.corners()]
    shares = found.mixture(corners, target)
    if shares is None:
        return ()
    played = [
        (share, values) for share, values in zip(shares, corners, strict=True) if share > 1e-9
    ]
    if len(played) == 1:
        return ("met by a single deterministic strategy",)
    parts = (
        (
            f"with probability {float(share):.6g} the one for "
            f"({', '.join(f'{float(x):.6g}' for x in values)})"
        )
        for share, values in played
    )
    return (f"met by choosing a strategy at random at the start: {', '.join(parts)}",)


def _exactly(value: Any) -> Fraction:
    return value if isinstance(value, Fraction) else Fraction(float(value))
