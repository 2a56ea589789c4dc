"""What is to be answered, and how: one formula about one model, and the settings that all questions
of a user share.

The state space is not part of a task: the same task is asked of a space that is still growing, of a
process with other probabilities, of Storm.
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
    """How questions are answered.

    ``engine`` says who answers (:mod:`volition.checking.engines`).  ``exact`` asks for fractions
    instead of floating point numbers; None means: where that is cheap.  ``precision`` is the
    relative error of floating point answers.  ``limits`` hold for each exploration, and their
    seconds for each question to another engine too.  ``fairness`` and ``assumption`` restrict the
    runs that count for formulas without probabilities: to those that are fair to every component,
    to those on which a path formula holds.
    """

    engine: str = "auto"
    exact: bool | None = None
    precision: float = 1e-10
    limits: Limits = field(default_factory=Limits)
    fairness: Fairness | None = None
    assumption: Formula | None = None

    @property
    def seconds(self) -> float | None:
        """How long one question may take."""
        return self.limits.seconds

    @property
    def restricts_runs(self) -> bool:
        """Whether some runs do not count."""
        return self.fairness is not None or self.assumption is not None

    def within(self, seconds: float | None) -> CheckSettings:
        """The same settings with so many seconds for each question."""
        return replace(self, limits=replace(self.limits, seconds=seconds))


@dataclass(frozen=True, eq=False)
class CheckTask:
    """A formula to be answered about a model: ``stated`` as its author wrote it, ``formula``
    without quantifiers over agents."""

    model: Model
    original_formula: Formula
    settings: CheckSettings = field(default_factory=CheckSettings)

    @cached_property
    def formula(self) -> Formula:
        return expand_agents(self.original_formula, self.model.agents)

    @cached_property
    def assumption(self) -> Formula | None:
        """What holds on all runs that count, as a path formula; ``A [path]``, as a bare formula is
        parsed, is taken for its path."""
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
        """The traced function of each leaf; raises one :class:`InputError` with everything that the
        program does not know."""
        return resolve_atoms(
            self.model,
            self.formula if self.assumption is None else And(self.formula, self.assumption),
        )

    def with_model(self, model: Model) -> CheckTask:
        """The same question about another model."""
        return self if model is self.model else replace(self, model=model)

    def unrestricted(self) -> CheckTask:
        """The same question about all runs, as questions about probabilities are."""
        return (
            self
            if not self.settings.restricts_runs
            else replace(self, settings=replace(self.settings, fairness=None, assumption=None))
        )
