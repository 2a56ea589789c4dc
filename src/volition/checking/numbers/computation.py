"""What every computation about one process needs: sets of states for state formulas, whether to compute exactly, and Storm.

Storm sees bare numbers: the process as arrays, and sets of states in the places of state formulas.

On a space that was not explored to its end a question is asked *pessimistically*, as if unexplored states never did what is hoped
for, or *optimistically*, as if they always did; the two answers enclose the true value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from volition.checking.graph.satisfaction import Satisfaction
from volition.checking.mdp.mdp import Mdp
from volition.checking.numbers.quantity import Quantity, Wanted
from volition.checking.storm.client import EngineAnswer
from volition.checking.storm.loaded_mdp import LoadedMdp
from volition.checking.task import CheckSettings
from volition.kernel.arrays import Mask, Numbers
from volition.logic.syntax import Formula

__all__ = ["Computation"]

FEW_TRANSITIONS = 100_000
GUESS_PRECISION = 1e-6
"""Larger processes than this ask Storm first where about the values lie."""


@dataclass(frozen=True)
class Computation:
    """A process, where the formulas in a question hold in it, and the settings."""

    loaded: LoadedMdp
    satisfaction: Satisfaction
    settings: CheckSettings

    @property
    def mdp(self) -> Mdp:
        """The process itself."""
        return self.loaded.mdp

    @property
    def why_partial(self) -> str | None:
        """Why the space was not explored to its end; None if it was."""
        stopped = self.loaded.space.stopped
        return None if stopped is None else stopped.text

    def exactly(self, steps: int = 0) -> bool:
        """Whether to compute with fractions, which get longer with each of so many steps."""
        return self.loaded.exactly(self.settings.exact, steps)

    def states(self, formula: Formula, *, optimistic: bool = False) -> Mask:
        """Where a state formula holds, for certain or perhaps; an unexplored state could be anything."""
        known = self.satisfaction.of(formula)
        return known.may | self.mdp.frontier if optimistic else known.must

    def guess(self, wanted: Wanted, template: str, *masks: Mask) -> Numbers | None:
        """About the values in all states, where Storm finds them much sooner than policy iteration that starts from nothing."""
        if self.mdp.num_transitions <= FEW_TRANSITIONS:
            return None
        return self._answer(replace(wanted, everywhere=True), template, masks, precision=GUESS_PRECISION).values

    def ask(self, wanted: Wanted, template: str, *masks: Mask, steps: int = 0, how: str | None = None) -> Quantity:
        """Storm's answer to a question with sets of states in the places of ``{0}``, ``{1}``, and min or max in that of ``{best}``.

        ``steps`` is a bound on the steps.  Bounds that Storm gives in floating point are none: they leave out what it rounds away.
        """
        arithmetic = "exact arithmetic" if self.exactly(steps) else "floating point without bounds"
        answer = self._answer(wanted, template, masks, steps=steps)
        return Quantity(
            answer.values,
            None,
            None,
            f"Storm, {how}, {arithmetic}" if how else f"Storm, {arithmetic}",
            lambda: self._answer(replace(wanted, everywhere=False), template, masks, steps=steps, strategy=True).choices,
        )

    def _answer(
        self,
        wanted: Wanted,
        template: str,
        masks: tuple[Mask, ...],
        *,
        steps: int = 0,
        strategy: bool = False,
        precision: float | None = None,
    ) -> EngineAnswer:
        storm = self.loaded.storm(self.exactly(steps))
        return storm.check(
            template.format(*map(storm.label, masks), best=wanted.optimum or ""),
            strategy=strategy,
            everywhere=wanted.everywhere,
            precision=precision or self.settings.precision,
            seconds=self.settings.seconds,
        )
