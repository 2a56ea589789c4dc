"""One question that an over-approximation may answer: hide, explore, follow what seems to violate
it, put back what was missing."""

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

METHOD = "an over-approximation, guided by counterexamples"


@dataclass(frozen=True, slots=True)
class RefinementBudget:
    """How much is tried before the whole program is explored farther.

    ``whole`` states of the program come first, then abstractions with up to ``states``, which
    together may follow ``effort`` times as many combinations of values; then all are ``growth``
    times larger.  ``rounds`` of putting back are tried each time.
    """

    concrete_states: int = 10_000
    states: int = 10_000
    work_factor: int = 2
    growth: int = 8
    rounds: int = 30

    def next_budget(self) -> RefinementBudget:
        """What is tried next."""
        return replace(
            self,
            concrete_states=max(self.concrete_states, self.states) * self.growth,
            states=self.states * self.growth,
        )


@dataclass(eq=False)
class RefinementTask:
    """One question that an over-approximation may answer."""

    program: Program
    prop: Property
    task: CheckTask
    observed: tuple[Atom, ...]
    functions: TracedFunctions
    why: str
    """Why the whole program is asked."""
    attempts: int = 0

    @classmethod
    def of(
        cls,
        program: Program,
        prop: Property,
        settings: CheckSettings,
        patience: RefinementBudget,
        models: FunctionsOfModels,
    ) -> RefinementTask | str:
        """The work, or why there is none."""
        formula = (
            prop.formula if settings.assumption is None else And(prop.formula, settings.assumption)
        )
        try:
            observed = modal_atoms(expand_agents(formula, models.plain.model.agents))
            functions = models.for_atoms(observed)
            task = CheckTask(functions.model, prop.formula, settings)
            why_not = reason_not_universal(task)
        except InputError:
            return "it is not a question about this program"  # and the check says why
        return why_not or cls(
            program,
            prop,
            task,
            observed,
            functions,
            f"the first {patience.concrete_states:,} states are enough",
        )

    def check_abstraction(self, stage: RefinementBudget) -> Answer | None:
        """An answer with as much work as this; where there is none, ``why`` says why."""
        start = time.perf_counter()
        answer = self._attempted(stage)
        if isinstance(answer, Answer):
            return replace(
                answer, verdict=replace(answer.verdict, seconds=time.perf_counter() - start)
            )
        self.why = answer
        return None

    def _attempted(self, stage: RefinementBudget) -> Answer | str:
        """The answer, or why there is none."""
        seconds = self.task.settings.limits.seconds
        deadline = math.inf if seconds is None else time.monotonic() + seconds
        try:
            seen = self.functions.look(stage.states)
            groups = seen.hideable_groups(seen.read_by(self.task.resolved_atoms.values()))
        except (
            Exception
        ):  # whatever is wrong with the program, the check of the whole says it, if it comes so far
            return "a step of it may fail"
        effort = stage.states * stage.work_factor
        for _ in range(stage.rounds):
            if not groups:
                return (
                    "everything that was hidden is needed"
                    if self.attempts
                    else "no slot can be hidden"
                )
            if effort < stage.states:
                return "abstractions are not smaller"
            self.attempts += 1
            allowed = effort // 2
            abstraction = Abstraction(
                self.functions, groups, maximum=stage.states, effort=allowed, deadline=deadline
            )
            try:
                return self._answer(abstraction)
            except RefinementNeeded as back:
                groups = _without(groups, back.slots)
            except AbstractionTooLarge:
                groups = _without(groups, _grown(abstraction, seen))
            except (AbstractionInapplicable, KernelError) as why:
                return str(why)
            effort -= allowed - max(abstraction.work_left, 0)
        return f"{stage.rounds} abstractions were too coarse"

    def _answer(self, abstraction: Abstraction) -> Answer:
        """The answer that an abstraction gives, or an exception that says why it gives none."""
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
                raise AbstractionInapplicable("no single run shows that it is violated")
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
        """The violation that an abstract run becomes on the whole program."""
        if found.loop is None and not has_linear_counterexamples(self.task.formula):
            raise AbstractionInapplicable("no single run shows that it is violated")
        run = self._followed(abstraction, found, patient=True) or self._followed(
            abstraction, found, patient=False
        )
        if run is None:
            raise AbstractionInapplicable("the run that was found shows too little")
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
        self, abstraction: Abstraction, found: AbstractRun, *, patient: bool
    ) -> Run | None:
        """The run on the program, if it violates the formula there too: a patient one shows some
        things for longer."""
        return confirmed_counterexample(
            self.task,
            self.program,
            self.observed,
            concretise(abstraction, found, patient=patient),
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
    """The groups without the slots that are shown again."""
    left = [tuple(slot for slot in group if slot not in slots) for group in groups]
    return [group for group in left if group]


def _grown(abstraction: Abstraction, seen: AccessProfile) -> tuple[str, ...]:
    """The group that took most values beyond those that the program was seen to give it."""
    return max(
        abstraction.groups,
        key=lambda group: (
            abstraction.group_size(abstraction.groups.index(group))
            - len(seen.observed_values(group))
        ),
    )
