"""Refinement loop for one property: hide slots, explore the abstraction, concretise its
counterexample, and make those hidden slots visible that rule out a spurious counterexample."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from volition.checking.check import Answer
from volition.checking.explored_model import Exploration, attach_recipe
from volition.checking.graph.on_the_fly import on_the_fly_query
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.properties import Property
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Evidence, Lazy, Run, Verdict
from volition.diagnostics import InputError, plural
from volition.kernel import KernelError, explore
from volition.languages.protocols import Program
from volition.logic import expand_agents, modal_atoms
from volition.logic.syntax import And, Atom
from volition.slicing.cegar.abstraction import (
    NODE,
    Abstraction,
    AbstractionInapplicable,
    AbstractionTooLarge,
    AbstractModel,
    AbstractRun,
    RefinementNeeded,
)
from volition.slicing.cegar.access_profile import AccessProfile
from volition.slicing.cegar.concretisation import concretise
from volition.slicing.cegar.evidence import confirmed_counterexample
from volition.slicing.cegar.fragment import has_linear_counterexamples, reason_not_universal
from volition.slicing.cegar.traced_functions import FunctionsOfModels, TracedFunctions

__all__ = ["RefinementBudget", "RefinementTask"]

METHOD = "counterexample-guided abstraction refinement"


@dataclass(frozen=True, slots=True)
class RefinementBudget:
    """Limits of one round of counterexample-guided refinement.

    First ``concrete_states`` states of the complete program are explored. Then up to ``rounds``
    abstractions with up to ``states`` states each are tried. Together the abstractions may evaluate
    ``work_factor`` times ``states`` value combinations. For the next round the limits on states are
    multiplied by ``growth``.
    """

    concrete_states: int = 10_000
    states: int = 10_000
    work_factor: int = 2
    growth: int = 8
    rounds: int = 30

    def next_budget(self) -> RefinementBudget:
        """Return the limits for the next round of refinement, which may explore more states. The
        limit on states of one abstraction is multiplied by ``growth``. The limit on states of the
        complete program becomes ``growth`` times the larger of the two old limits. The other limits
        do not change."""
        return replace(
            self,
            concrete_states=max(self.concrete_states, self.states) * self.growth,
            states=self.states * self.growth,
        )


@dataclass(eq=False)
class RefinementTask:
    """Property that an over-approximation may decide, with what is needed to check it on
    abstractions."""

    program: Program
    prop: Property
    task: CheckTask
    observed: tuple[Atom, ...]
    functions: TracedFunctions
    why: str
    """Reason, as a clause for users, why the property is checked on the complete program if
    abstractions do not decide it."""
    attempts: int = 0

    @classmethod
    def of(
        cls,
        program: Program,
        prop: Property,
        settings: CheckSettings,
        budget: RefinementBudget,
        models: FunctionsOfModels,
    ) -> RefinementTask | str:
        """Return the task for a property, or the reason why an over-approximation cannot decide the
        property."""
        formula = (
            prop.formula if settings.assumption is None else And(prop.formula, settings.assumption)
        )
        try:
            observed = modal_atoms(expand_agents(formula, models.plain.model.agents))
            functions = models.for_atoms(observed)
            task = CheckTask(functions.model, prop.formula, settings)
            why_not = reason_not_universal(task)
        except InputError:
            return "the property is not valid for this program"  # the check reports the error
        return why_not or cls(
            program,
            prop,
            task,
            observed,
            functions,
            f"the first {budget.concrete_states:,} states are enough",
        )

    def check_abstraction(self, budget: RefinementBudget) -> Answer | None:
        """Check the property on abstractions within ``budget``. Return the answer. If none is
        found, return None and store the reason in ``why``."""
        start = time.perf_counter()
        answer = self._attempted(budget)
        if isinstance(answer, Answer):
            return replace(
                answer, verdict=replace(answer.verdict, seconds=time.perf_counter() - start)
            )
        self.why = answer
        return None

    def _attempted(self, budget: RefinementBudget) -> Answer | str:
        """Check the property on abstractions that are refined until one decides it. Return the
        answer, or the reason why none was found within the budget."""
        seconds = self.task.settings.limits.seconds
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        try:
            seen = self.functions.look(budget.states)
            groups = seen.hideable_groups(seen.read_by(self.task.resolved_atoms.values()))
        except Exception:  # the check of the whole program reports the error if it gets that far
            return "a step of the program may fail"
        effort = budget.states * budget.work_factor
        for _ in range(budget.rounds):
            if not groups:
                return "every hidden slot is needed" if self.attempts else "no slot can be hidden"
            if effort < budget.states:
                return "the abstractions are not smaller than the program"
            self.attempts += 1
            allowed = effort // 2
            abstraction = Abstraction(
                self.functions, groups, maximum=budget.states, effort=allowed, deadline=deadline
            )
            try:
                return self._answer(abstraction)
            except RefinementNeeded as refinement:
                groups = _without(groups, refinement.slots)
            except AbstractionTooLarge:
                groups = _without(groups, _grown(abstraction, seen))
            except (AbstractionInapplicable, KernelError) as why:
                return str(why)
            effort -= allowed - max(abstraction.work_left, 0)
        return f"{budget.rounds} abstractions were too coarse"

    def _answer(self, abstraction: Abstraction) -> Answer:
        """Return the answer that an abstraction gives for the property. If it gives none, raise an
        exception that says why: :class:`RefinementNeeded`, :class:`AbstractionTooLarge` or
        :class:`AbstractionInapplicable`."""
        model = AbstractModel(abstraction)
        task = self.task.with_model(model)
        query = on_the_fly_query(task)
        hit = abstraction.explore(None if query is None else query.stop_when)
        if hit is not None:
            return self._confirmed(abstraction, abstraction.path_to(hit))
        space = explore(model.system)
        verdict = check_qualitative(task, space)
        if not verdict.holds:
            run = verdict.run
            if run is None:
                raise AbstractionInapplicable("no single run is a counterexample")
            return self._confirmed(
                abstraction,
                AbstractRun(tuple(space.value(each, NODE) for each in run.states), run.loop),
            )
        hidden, slots = len(abstraction.hidden), len(abstraction.concrete_system.slots)
        note = (
            f"proved on an over-approximation: {hidden} of {slots} slots hidden, {self.attempts} {plural(self.attempts, 'round')}, "  # noqa: E501
            f"{space.num_states:,} {plural(space.num_states, 'state')}"
        )
        found = replace(verdict, method=METHOD).with_notes(note)
        return self._answered(
            found,
            Exploration(model, attach_recipe(space, self.program, self.observed), self.observed),
        )

    def _confirmed(self, abstraction: Abstraction, found: AbstractRun) -> Answer:
        """Return the answer that the property is violated, with the concrete run for an abstract
        counterexample as evidence. Raise :class:`RefinementNeeded` if the counterexample is
        spurious."""
        if found.loop is None and not has_linear_counterexamples(self.task.formula):
            raise AbstractionInapplicable("no single run is a counterexample")
        run = self._followed(abstraction, found, allow_stuttering=True) or self._followed(
            abstraction, found, allow_stuttering=False
        )
        if run is None:
            raise AbstractionInapplicable(
                "the run found on the over-approximation does not violate the property on the "
                "complete program"
            )
        hidden, slots = len(abstraction.hidden), len(abstraction.concrete_system.slots)
        note = (
            f"a run found on an over-approximation was confirmed on the whole program: {hidden} of "
            f"{slots} slots hidden, "
            f"{self.attempts} {plural(self.attempts, 'round')}, {len(abstraction.states):,} "
            f"{plural(len(abstraction.states), 'state')}"
        )
        verdict = Verdict(
            self.task.original_formula,
            METHOD,
            0.0,
            holds=False,
            evidence=Evidence(run=Lazy(lambda: run)),
        ).with_notes(note)
        return self._answered(verdict, Exploration(self.task.model, run.space, self.observed))

    def _followed(
        self, abstraction: Abstraction, found: AbstractRun, *, allow_stuttering: bool
    ) -> Run | None:
        """Return the concrete run for an abstract run if it also violates the formula; None if it
        does not. With ``allow_stuttering`` the concrete run may repeat visible values, and may
        therefore satisfy a formula that the abstract run violates."""
        return confirmed_counterexample(
            self.task,
            self.program,
            self.observed,
            concretise(abstraction, found, allow_stuttering=allow_stuttering),
            self.functions,
        )

    def _answered(self, verdict: Verdict, exploration: Exploration) -> Answer:
        expectation = self.prop.expectation
        return Answer(
            self.prop,
            verdict,
            exploration,
            None if expectation is None else expectation.is_met_by(verdict),
        )


def _without(groups: Iterable[tuple[str, ...]], slots: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the groups of hidden slots without these slots; empty groups are removed."""
    left = [tuple(slot for slot in group if slot not in slots) for group in groups]
    return [group for group in left if group]


def _grown(abstraction: Abstraction, seen: AccessProfile) -> tuple[str, ...]:
    """Return the group of hidden slots that the abstraction over-approximates most. It is the group
    with the largest number of joint values in the abstraction beyond those that it has in the
    explored part of the program."""
    return max(
        abstraction.groups,
        key=lambda group: (
            abstraction.group_size(abstraction.groups.index(group))
            - len(seen.observed_values(group))
        ),
    )
