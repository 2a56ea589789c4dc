"""``multi(..)``: several objectives under one strategy.

``multi(P>=0.6 [..], P>=0.3 [..])`` asks whether one strategy meets all bounds, ``multi(Pmax=? [..], P>=0.3 [..])`` for the best value
of one objective among strategies that meet the bounds on the others.  Several open objectives have no single answer but a front
of trade-offs, see :mod:`volition.analysis.pareto`.

The reward of ``R [ F goal ]`` is counted here until the goal is reached *or out of reach*, so that it is finite also where the goal
may be missed; alone, such a reward would be infinite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from volition.checking.front import Bound, Front, find_front
from volition.checking.objectives import Objectives, read_objective
from volition.checking.process import Process, process_of
from volition.checking.quantities import Settings, Undecided, reward_name
from volition.checking.satisfaction import Satisfaction
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import StateSpace
from volition.languages.model import Model
from volition.logic.printing import show
from volition.logic.syntax import Formula, Multi, Probability, Reward
from volition.logic.tree import conjunction

__all__ = ["TradeOff", "check_multi", "trade_off"]


@dataclass(frozen=True)
class TradeOff:
    """Objectives, the front between them, and the bounds that their formulas state."""

    objectives: Objectives
    front: Front
    bounds: tuple[Bound | None, ...]


def trade_off(
    model: Model, space: StateSpace, formulas: Sequence[Formula], settings: Settings | None = None, *, process: Process | None = None
) -> TradeOff:
    """The front between objectives; quantifiers over agents must be expanded before.

    Raises :class:`InputError` for what is no objective, and :class:`EngineError` where Storm has no answer.
    """
    settings = settings or Settings()
    process = process or process_of(space)
    if space.stopped is not None:
        raise Undecided(f"a trade-off needs the whole state space ({space.stopped.text})")
    satisfaction = Satisfaction(model, space, conjunction(formulas))
    mistakes = Diagnostics()
    objectives, bounds = [], []
    for formula in formulas:
        try:
            maximised, bound = _direction(formula)
            states = lambda part: satisfaction.of(part).must  # noqa: E731
            objectives.append(read_objective(formula, maximised, process.mdp, states, lambda asked: reward_name(process.mdp, asked)))
            bounds.append(bound)
        except InputError as error:
            mistakes.extend(error.diagnostics)
    mistakes.raise_errors()
    asked = Objectives(process, objectives, settings)
    return TradeOff(asked, find_front(asked.best, [each.maximised for each in objectives]), tuple(bounds))


def _direction(formula: Formula) -> tuple[bool, Bound | None]:
    """Whether the objective is to be large, and what it must be at least or at most."""
    if not isinstance(formula, Probability | Reward):
        raise InputError([Diagnostic("CHK030", f"'{show(formula)}' cannot be one of several objectives", formula.span)])
    if formula.relation is None or formula.threshold is None:
        if formula.optimum is None:
            hint = "write Pmax=? or Pmin=?, Rmax=? or Rmin=?"
            raise InputError([Diagnostic("CHK031", f"'{show(formula)}' does not say whether more or less is better", formula.span, hint)])
        return formula.optimum == "max", None
    if formula.relation in ("=", "!="):
        raise InputError([Diagnostic("CHK032", "an objective is bounded from one side", formula.span, "write >= or <=")])
    return formula.relation in (">", ">="), Bound(formula.threshold, strict=formula.relation in ("<", ">"))


def check_multi(model: Model, space: StateSpace, formula: Multi, settings: Settings, process: Process) -> Verdict:
    """Whether the bounds can be met together, or the best value of the one open objective."""
    open_places = [place for place, each in enumerate(formula.objectives) if getattr(each, "relation", None) is None]
    if len(open_places) > 1:
        hint = "bound all but one of them, or ask for the front of trade-offs (volition pareto)"
        raise InputError([Diagnostic("CHK033", "several open objectives have no single answer", formula.span, hint)])
    found = trade_off(model, space, formula.objectives, settings, process=process)
    arithmetic = "exact arithmetic" if found.objectives.exact else "floating point"
    method = f"Storm, multi-objective by weighted sums, {arithmetic}"
    if not open_places:
        holds = found.front.attains(found.bounds)
        unknown = None if holds is not None else "the bounds are too close to the front to decide; ask for exact arithmetic"
        notes = _how(found, [bound.threshold for bound in found.bounds if bound is not None]) if holds else ()
        return Verdict(formula, method, 0.0, holds=holds, notes=notes, unknown=unknown)
    value = found.front.best(open_places[0], found.bounds)
    if value is None:
        return Verdict(formula, method, 0.0, unknown="no strategy meets the bounds, so there is no value")
    target = [value if bound is None else bound.threshold for bound in found.bounds]
    return Verdict(formula, method, 0.0, value=value if isinstance(value, Fraction) else float(value), notes=_how(found, target))


def _how(found: TradeOff, target: Sequence[Any]) -> tuple[str, ...]:
    """How the target is met: by one strategy, or by a coin tossed at the start."""
    shares = found.front.mixture(target)
    if shares is None:
        return ()
    played = [(share, corner.values) for share, corner in zip(shares, found.front.corners, strict=True) if share > 1e-9]
    if len(played) == 1:
        return ("met by a single strategy without chance",)
    parts = (
        f"with probability {float(share):.6g} the one for ({', '.join(f'{float(x):.6g}' for x in values)})" for share, values in played
    )
    return (f"met by deciding at the start between strategies: {', '.join(parts)}",)
