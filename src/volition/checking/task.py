"""Check tasks: one formula about one model, and the settings shared by all properties of a check.

The state space is not part of a task. The same task can be checked on a space that is still
growing, on an MDP with other probabilities, or by Storm.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from volition.checking.graph.fairness import Fairness
from volition.checking.graph.propositions import Resolved, resolve_atoms
from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits
from volition.languages.protocols import Model
from volition.logic.syntax import And, Formula, PathQuantifier
from volition.logic.traversal import expand_agents

__all__ = ["CheckSettings", "CheckTask"]


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Settings that are shared by all properties of a check.

    ``engine`` selects the engine (:mod:`volition.checking.engines`). ``exact`` requests fractions
    instead of floating-point numbers; None means exact if that is cheap. ``precision`` is the
    relative error of floating-point results. ``limits`` apply to each exploration; their time limit
    also applies to each call of another engine. ``fairness`` and ``assumption`` restrict the runs
    that count for formulas without probabilities: to runs that are fair to every component, and to
    runs that satisfy a path formula.
    """

    engine: str = "auto"
    exact: bool | None = None
    precision: float = 1e-10
    limits: Limits = field(default_factory=Limits)
    fairness: Fairness | None = None
    assumption: Formula | None = None

    @property
    def seconds(self) -> float | None:
        """Time limit for one property, in seconds; None for no limit."""
        return self.limits.seconds

    @property
    def restricts_runs(self) -> bool:
        """Whether fairness or an assumption excludes some runs."""
        return self.fairness is not None or self.assumption is not None

    def within(self, seconds: float | None) -> CheckSettings:
        """Return the settings with the time limit ``seconds`` per property instead of their own."""
        return replace(self, limits=replace(self.limits, seconds=seconds))


@dataclass(frozen=True, eq=False)
class CheckTask:
    """Formula to check on a model, with the settings of the check.

    ``original_formula`` is as its author wrote it. ``formula`` has quantifiers over agents
    expanded.
    """

    model: Model
    original_formula: Formula
    settings: CheckSettings = field(default_factory=CheckSettings)

    @cached_property
    def formula(self) -> Formula:
        return expand_agents(self.original_formula, self.model.agents)

    @cached_property
    def assumption(self) -> Formula | None:
        """Path formula to which the check is restricted: only runs that satisfy it count. None if
        the check has no assumption. An assumption is parsed as ``A [path]``; its path is used."""
        given = self.settings.assumption
        assumed = None if given is None else expand_agents(given, self.model.agents)
        if not isinstance(assumed, PathQuantifier):
            return assumed
        if assumed.quantifier == "A":
            return assumed.path
        hint = "such as G F p -> G F q"
        raise InputError(
            [
                Diagnostic(
                    "CHK005",
                    "an assumption is a path formula and cannot contain E",
                    assumed.span,
                    hint,
                )
            ]
        )

    @cached_property
    def resolved_atoms(self) -> Resolved:
        """Function that evaluates each atom of the formula in a state, by atom. Raise one
        :class:`InputError` with all atoms that the program does not know."""
        return resolve_atoms(
            self.model,
            self.formula if self.assumption is None else And(self.formula, self.assumption),
        )

    def with_model(self, model: Model) -> CheckTask:
        """Return the task with ``model`` instead of its model."""
        return self if model is self.model else replace(self, model=model)

    def unrestricted(self) -> CheckTask:
        """Return the task without fairness and assumption, so that all runs count. Use it to
        compute probabilities, which fairness and assumptions never affect."""
        return (
            self
            if not self.settings.restricts_runs
            else replace(self, settings=replace(self.settings, fairness=None, assumption=None))
        )
