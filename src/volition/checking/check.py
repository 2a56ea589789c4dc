"""Check of the properties of a program: explores its models, checks each property, and collects the
answers in a report.

Most formulas read only the program's own state, so they share one exploration. Some atoms
(``Does``) need information that a state does not contain. The language then adds a slot (state
variable) that records it, which makes the model larger. Formulas that need the same extra slots
share an exploration; formulas that need none use the plain model.

If all formulas that share a model are qualitative, exploration stops as soon as they are decided.

If a model is large and its properties do not depend on the order of independent steps, it is
explored with partial-order reduction (:mod:`volition.checking.reduction_policy`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from volition.checking.engines import (
    BUILTIN_ENGINES,
    ExternalEngine,
    cross_check,
    external_engine,
    external_engines,
    require_supported,
)
from volition.checking.explored_model import (
    Exploration,
    attach_recipe,
    exploration_of,
    require_observed,
)
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.on_the_fly import check_while_exploring, explore_more
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.properties import Property, PropertyLike, formula_warnings, parse_properties
from volition.checking.quantitative.check import check_quantitative
from volition.checking.quantitative.qualitative_by_storm import check_qualitative_by_storm
from volition.checking.reduction_policy import (
    REDUCTION_THRESHOLD,
    Reduce,
    build_reduction,
    is_branching,
    no_reduction_reason,
)
from volition.checking.run_expansion import expand_run
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Lazy, Verdict, verdict_phrase
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import HtmlDisplay, data_frame
from volition.kernel import Limits, Progress, StateSpace, explore, explore_further
from volition.languages.protocols import HasConstantSlots, Model, Program
from volition.logic import expand_agents, parse
from volition.logic.syntax import And, Atom, Formula
from volition.logic.traversal import is_quantitative, modal_atoms

__all__ = ["Answer", "Exploration", "Property", "Report", "check"]

INTERRUPTED = "interrupted by Ctrl-C"


@dataclass(frozen=True, slots=True, repr=False)
class Answer(HtmlDisplay):
    """Property with its verdict and the exploration that decided it.

    An answer is true in a Boolean context if the property holds, whatever result was expected (see
    :class:`Verdict`).

    ``as_expected`` is None if no result was expected or the verdict is unknown.
    ``no_reduction_reason`` says why a large model was explored without partial-order reduction; it
    is None if the model was reduced, or if reduction was not considered.
    """

    prop: Property
    verdict: Verdict
    exploration: Exploration
    as_expected: bool | None = None
    no_reduction_reason: str | None = None

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def __repr__(self) -> str:
        return f"<Answer: {self.prop.text} {verdict_phrase(self.verdict)}>"


@dataclass(frozen=True, slots=True, repr=False)
class Report(HtmlDisplay):
    """Result of :func:`check`: an answer for each property, in the order of the properties.

    A report is true in a Boolean context if it has answers and every property holds (see
    :class:`Verdict`).

    ``interrupted`` is set if Ctrl-C stopped the check before all properties were answered.
    """

    program: Program
    answers: tuple[Answer, ...]
    warnings: tuple[Diagnostic, ...]
    seconds: float
    interrupted: bool = False

    def __len__(self) -> int:
        return len(self.answers)

    def __bool__(self) -> bool:
        # Evaluate every answer, even after one that is false: the answer to a query has no truth
        # value, and must raise TypeError wherever it is in the list.
        truths = [bool(answer) for answer in self.answers]
        return bool(truths) and all(truths)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __getitem__(self, index: int) -> Answer:
        return self.answers[index]

    def __repr__(self) -> str:
        return (
            "<Report: "
            f"{'; '.join(f'{each.prop.text} {verdict_phrase(each.verdict)}' for each in self.answers) or 'no answers'}>"  # noqa: E501
        )

    def to_dataframe(self) -> Any:
        """Return a pandas data frame with one row per answer: formula, result, bounds, expected
        result and time."""
        columns = [
            "name",
            "formula",
            "holds",
            "value",
            "lower",
            "upper",
            "expected",
            "as_expected",
            "unknown",
            "seconds",
        ]
        rows = [
            [
                each.prop.name,
                each.prop.text,
                each.verdict.holds,
                None if each.verdict.value is None else float(each.verdict.value),
                each.verdict.lower,
                each.verdict.upper,
                each.prop.expected,
                each.as_expected,
                each.verdict.unknown,
                each.verdict.seconds,
            ]
            for each in self.answers
        ]
        return data_frame(columns, rows)

    @property
    def explorations(self) -> tuple[Exploration, ...]:
        """Explorations that the answers are based on, each once, in the order of the answers."""
        return tuple(
            {id(answer.exploration): answer.exploration for answer in self.answers}.values()
        )

    @property
    def models(self) -> tuple[Exploration, ...]:
        """One exploration for each model that the answers are based on, the plain model first.

        A model with extra slots for some atoms is a separate model. If a model was explored several
        times, the most complete exploration is returned: a full one before a reduced one, and a
        reduced one before a partial one.
        """
        farthest: dict[tuple[Atom, ...], Exploration] = {}
        for each in sorted(self.explorations, key=_exploration_rank):
            farthest[each.observed] = each
        return tuple(sorted(farthest.values(), key=lambda each: len(each.observed)))

    @property
    def as_expected(self) -> bool | None:
        """Whether every property with an expected result has that result.

        None if no property has an expected result. Also None if the verdict on one of them is
        unknown and every known verdict is as expected.
        """
        stated = [
            answer.as_expected for answer in self.answers if answer.prop.expectation is not None
        ]
        return None if not stated or (None in stated and False not in stated) else all(stated)


def check(
    program: Program,
    formulas: Iterable[PropertyLike] | None = None,
    *,
    space: StateSpace | None = None,
    limits: Limits | None = None,
    fairness: Fairness | None = None,
    assume: str | Formula | None = None,
    exact: bool | None = None,
    engine: str = "auto",
    reduce: Reduce = "auto",
    progress: Callable[[Progress], None] | None = None,
    answered: Callable[[Answer], None] | None = None,
    errors: Diagnostics | None = None,
) -> Report:
    """Check properties of a program, by default those in its own file, and return the answers.

    If a ``space`` of the program is given, the properties are checked on it and nothing is
    explored. ``limits`` apply to each exploration; their time limit also applies to each call of
    Storm. ``fairness`` and ``assume`` restrict the runs that count for formulas without
    probabilities. ``exact`` requests fractions instead of floating-point numbers; None decides by
    the size of the model. ``engine`` selects the engine (:mod:`volition.checking.engines`);
    ``cross`` runs every engine that supports the formula and requires them to agree. ``reduce``
    selects the partial-order reduction: ``auto`` reduces models of more than 10,000 states; the
    other values are ``off``, ``static`` and ``lookahead``
    (:data:`volition.checking.reduction_policy.Reduce`). ``answered`` is called with each answer as
    soon as it is available.

    Raise :class:`InputError` with all errors in the formulas; most of them are found before
    anything is explored. If ``errors`` is given, the errors are added to it instead, and the report
    has the answers for the formulas without errors, if there are any.
    """
    start = time.perf_counter()
    warnings, wrong = Diagnostics(), Diagnostics()
    properties = parse_properties(
        program.properties if formulas is None else formulas, warnings, wrong
    )
    if errors is None or not properties:
        wrong.raise_errors()
    assumption = parse(assume, diagnostics=warnings) if isinstance(assume, str) else assume
    warnings.extend(
        formula_warnings(
            program,
            [*(each.formula for each in properties), *([] if assumption is None else [assumption])],
        )
    )
    settings = CheckSettings(
        engine, exact, limits=limits or Limits(), fairness=fairness, assumption=assumption
    )
    work = _CheckSession(
        program,
        space,
        settings,
        reduce,
        progress,
        answered,
        wrong,
        collect_errors=errors is not None,
    )
    answers, interrupted = work.answers(properties)
    if errors is None or not answers:
        wrong.raise_errors()
    else:
        errors.extend(wrong)
    ordered = tuple(answers[index] for index in sorted(answers))
    return Report(program, ordered, warnings.warnings, time.perf_counter() - start, interrupted)


@dataclass(eq=False)
class _ModelGroup:
    """Group of properties that are checked on the same model, and the part of the model explored so
    far.

    ``tasks`` has the check task of each property. The key is the index of the property in the
    check. ``exhausted`` is set if the explored part cannot be extended: the model is fully
    explored, or the limits are reached.
    """

    model: Model
    observed_atoms: tuple[Atom, ...]
    tasks: dict[int, CheckTask] = field(default_factory=dict)
    exploration: Exploration | None = None
    exhausted: bool = False
    reduced: dict[bool, Exploration] = field(default_factory=dict)
    """Explorations of the model with partial-order reduction, perhaps partial. The key False is for
    formulas about one run at a time, the key True for branching formulas."""

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots of the model's states, for the comparison with other models. One name
        stands for all constant slots together, because additional constant slots do not add states.
        """
        marks = self.model.constant_slots if isinstance(self.model, HasConstantSlots) else ()
        return (
            frozenset(self.model.system.slots).difference(marks).union(["marks"] if marks else [])
        )

    @property
    def is_qualitative(self) -> bool:
        return not any(is_quantitative(task.formula) for task in self.tasks.values())


@dataclass(frozen=True)
class _CheckSession:
    """State of one call of :func:`check`: its arguments, and the methods that carry out the
    check."""

    program: Program
    space: StateSpace | None
    settings: CheckSettings
    reduce: Reduce
    progress: Callable[[Progress], None] | None
    on_answer: Callable[[Answer], None] | None
    errors: Diagnostics
    collect_errors: bool

    def answers(self, properties: Sequence[Property]) -> tuple[dict[int, Answer], bool]:
        """Check all properties. Return the answers by the index of the property, and whether Ctrl-C
        interrupted the check. Properties with errors have no answer."""
        shared = (
            self._group_by_model(properties)
            if self.space is None
            else [self._group_for_space(self.space, properties)]
        )
        answers: dict[int, Answer] = {}
        interrupted = False
        for index, prop in enumerate(properties):
            group = next((each for each in shared if index in each.tasks), None)
            if group is None:
                continue  # it has an error, which is reported; the others are still checked
            try:
                answers[index] = answer = self._answer(group, prop, group.tasks[index], interrupted)
                if self.on_answer is not None:
                    self.on_answer(answer)
                interrupted = interrupted or _is_interrupted(answer)
            except InputError as error:
                self.errors.extend(error.diagnostics)
        return answers, interrupted

    # --- properties that share a model ------------------------------------------------------------

    def _group_by_model(self, properties: Sequence[Property]) -> list[_ModelGroup]:
        """Return the properties grouped by the model that they need.

        Errors about unknown names are collected in ``errors``. They are raised here unless the
        caller of :func:`check` collects errors.
        """
        plain = _ModelGroup(self.program.model(), ())
        groups: dict[frozenset[str], _ModelGroup] = {plain.slots: plain}
        for index, prop in enumerate(properties):
            assumed = self.settings.assumption
            formula = prop.formula if assumed is None else And(prop.formula, assumed)
            observed = modal_atoms(expand_agents(formula, plain.model.agents))
            try:
                needed = _ModelGroup(self.program.model(observed), observed)
                group = groups.get(needed.slots, needed)
                task = CheckTask(
                    (plain if group is plain else needed).model, prop.formula, self.settings
                )
                _ = task.resolved_atoms  # report unknown atoms now, before anything is explored
            except InputError as error:
                self.errors.extend(error.diagnostics)
                continue
            groups[needed.slots] = group
            group.tasks[index] = task
            if group is not plain and group is not needed:
                self._add_observed(group, observed)
        if not self.collect_errors:
            self.errors.raise_errors()
        merged = self._merge_groups(groups, plain)
        for group in merged:
            group.tasks = {
                position: task.with_model(group.model) for position, task in group.tasks.items()
            }
        return merged

    def _group_for_space(self, space: StateSpace, properties: Sequence[Property]) -> _ModelGroup:
        """Return one group with all properties, to be checked on a space that the caller has
        explored."""
        exploration = exploration_of(space)
        group = _ModelGroup(
            exploration.model, exploration.observed, exploration=exploration, exhausted=True
        )
        for index, prop in enumerate(properties):
            task = CheckTask(exploration.model, prop.formula, self.settings)
            try:
                formula = (
                    task.formula if task.assumption is None else And(task.formula, task.assumption)
                )
                require_observed(exploration, self.program, formula)
            except InputError as error:
                self.errors.extend(error.diagnostics)
            else:
                group.tasks[index] = task
        if not self.collect_errors:
            self.errors.raise_errors()
        return group

    def _merge_groups(
        self, groups: Mapping[frozenset[str], _ModelGroup], plain: _ModelGroup
    ) -> list[_ModelGroup]:
        """Return the groups of properties after merging: a group is merged into another one if the
        model of the other group has all slots of its model.

        The group of the plain model stays separate, because the size of the plain model is reported
        as the size of the program.
        """
        kept = [plain]
        for group in sorted(groups.values(), key=lambda each: len(each.slots), reverse=True):
            if group is plain:
                continue
            larger = next((each for each in kept if group.slots <= each.slots), None)
            if larger is None:
                kept.append(group)
                continue
            self._add_observed(larger, group.observed_atoms)
            larger.tasks |= group.tasks
        return kept

    def _add_observed(self, group: _ModelGroup, observed: Sequence[Atom]) -> None:
        """Extend the model of a group of properties so that its states record additional atoms.
        This is needed even if the model keeps the same slots, because two models with the same
        slots may record different atoms in them."""
        group.observed_atoms = tuple(dict.fromkeys((*group.observed_atoms, *observed)))
        group.model = self.program.model(group.observed_atoms)

    # --- verdicts on properties -------------------------------------------------------------------

    def _answer(
        self, group: _ModelGroup, prop: Property, task: CheckTask, interrupted: bool
    ) -> Answer:
        start = time.perf_counter()
        found = None
        try:
            if interrupted:
                verdict = Verdict(task.original_formula, "not checked", 0.0, unknown=INTERRUPTED)
            else:
                require_supported(self.settings, task.original_formula)
                found = self._check_reduced(group, task)
                verdict = self._verdict(group, task) if found is None else found[1]
        except KeyboardInterrupt:
            verdict = Verdict(
                task.original_formula, "stopped", time.perf_counter() - start, unknown=INTERRUPTED
            )
        expectation = prop.expectation
        as_expected = None if expectation is None else expectation.is_met_by(verdict)
        if found is not None:
            return Answer(prop, verdict, found[0], as_expected)
        exploration = group.exploration or self._explored(group, nothing=True)
        if self.reduce == "off" or (
            self.reduce == "auto" and exploration.space.num_states <= REDUCTION_THRESHOLD
        ):
            return Answer(prop, verdict, exploration, as_expected)
        not_reduced = no_reduction_reason(task) or self._full_space_reason(group)
        if not_reduced is not None and self.reduce != "auto":
            verdict = verdict.with_notes(f"not reduced: {not_reduced}")
        return Answer(prop, verdict, exploration, as_expected, not_reduced)

    def _verdict(self, group: _ModelGroup, task: CheckTask) -> Verdict:
        settings, formula = self.settings, task.original_formula
        if settings.engine not in BUILTIN_ENGINES:
            return external_engine(settings.engine, self.program, formula).check(
                self.program, formula, seconds=settings.seconds
            )
        if is_quantitative(formula):
            return self._check_quantitative(group, task)
        if settings.engine == "storm":
            return check_qualitative_by_storm(task, self._explored(group).nondeterministic_model)
        if settings.engine == "cross":
            others = [] if settings.restricts_runs else self._other_engines(group, task)
            return cross_check(self._check_qualitative(group, task), others)
        return (
            self._check_qualitative(group, task)
            if group.exhausted or not group.is_qualitative
            else self._check_on_the_fly(group, task)
        )

    def _check_quantitative(self, group: _ModelGroup, task: CheckTask) -> Verdict:
        return self._check_quantitative_on(self._explored(group), task)

    def _check_quantitative_on(self, exploration: Exploration, task: CheckTask) -> Verdict:
        verdict = check_quantitative(task, exploration.mdp_model)
        if self.settings.restricts_runs:
            verdict = verdict.with_notes("fairness and assumptions do not apply to probabilities")
        return cross_check(verdict, []) if self.settings.engine == "cross" else verdict

    def _check_qualitative(self, group: _ModelGroup, task: CheckTask) -> Verdict:
        return check_qualitative(task, self._explored(group).space)

    def _check_on_the_fly(self, group: _ModelGroup, task: CheckTask) -> Verdict:
        """Return the verdict on a property, exploring the model of its group only as far as
        needed."""
        so_far = None if group.exploration is None else group.exploration.space
        space, verdict = check_while_exploring(task, self.progress, so_far)
        group.exploration = Exploration(
            group.model,
            attach_recipe(space, self.program, group.observed_atoms),
            group.observed_atoms,
        )
        group.exhausted = space.complete or verdict.unknown is not None
        return verdict

    # --- partial-order reduction ------------------------------------------------------------------

    def _check_reduced(
        self, group: _ModelGroup, task: CheckTask
    ) -> tuple[Exploration, Verdict] | None:
        """Return the verdict on a property, found with partial-order reduction, and the exploration
        of the reduced space.

        None if the property needs the full space, or if the part explored without reduction decides
        it.
        """
        if (
            self.reduce == "off"
            or no_reduction_reason(task) is not None
            or self._full_space_reason(group) is not None
        ):
            return None
        if self.reduce == "auto" and not self._exceeds_threshold(group, task):
            return None
        branching = is_branching(task.formula)
        kindred = [
            each
            for each in group.tasks.values()
            if no_reduction_reason(each) is None and is_branching(each.formula) == branching
        ]
        reduction = build_reduction(
            kindred, branching=branching, futures=self.reduce == "lookahead"
        )
        known = group.reduced.get(branching)
        so_far = None if known is None else known.space
        if is_quantitative(task.formula):
            if known is None or not known.space.complete:
                space = explore_more(
                    group.model.system, so_far, self.settings.limits, None, self.progress, reduction
                )
                known = self._store_reduced(group, space, branching)
            verdict = self._check_quantitative_on(known, task)
            behind = Lazy(
                lambda: check_quantitative(task, self._explored(group).mdp_model).strategy
            )
            reported = _with_expanded_run(verdict, strategy=behind)
        elif known is not None and known.space.complete:
            reported = _with_expanded_run(check_qualitative(task, known.space))
        else:
            space, verdict = check_while_exploring(task, self.progress, so_far, reduction=reduction)
            known, reported = (
                self._store_reduced(group, space, branching),
                _with_expanded_run(verdict),
            )
        if not known.space.complete and len(kindred) > 1:
            # Compute the run now. It depends on how the space was reduced, and this information is
            # lost when another property extends the space.
            _ = reported.run
        return known, reported

    def _full_space_reason(self, group: _ModelGroup) -> str | None:
        """Return why partial-order reduction is useless for a group: its full space is explored
        already or must be explored anyway. None if there is no such reason."""
        if any(
            is_quantitative(each.formula) and no_reduction_reason(each) is not None
            for each in group.tasks.values()
        ):
            return "another property needs the whole space"
        if group.exploration is not None and (group.exhausted or group.exploration.space.complete):
            return "the whole space is already explored"
        if self.settings.limits.depth is not None:
            return "the depth limit counts every step"
        return None

    def _exceeds_threshold(self, group: _ModelGroup, task: CheckTask) -> bool:
        """Return whether more than ``REDUCTION_THRESHOLD`` states are needed to decide a property.

        The states explored to find this out are stored in the group.
        """
        limits = self.settings.limits
        if limits.states is not None and limits.states <= REDUCTION_THRESHOLD:
            return False
        if (
            group.exploration is not None
            and group.exploration.space.num_states > REDUCTION_THRESHOLD
        ):
            space = group.exploration.space
        else:
            space = explore(
                group.model.system,
                limits=replace(limits, states=REDUCTION_THRESHOLD),
                progress=self.progress,
            )
            group.exploration = Exploration(
                group.model,
                attach_recipe(space, self.program, group.observed_atoms),
                group.observed_atoms,
            )
        if space.stopped is None or space.stopped.reason not in ("states", "stop_condition"):
            group.exhausted = True
            return False
        # If the explored part decides the property, it does so by a short run inside that part.
        # Reduction is then not needed.
        return is_quantitative(task.formula) or check_qualitative(task, space).unknown is not None

    def _store_reduced(self, group: _ModelGroup, space: StateSpace, branching: bool) -> Exploration:
        """Store a reduced space in the group of properties that share its model, so that later
        properties can extend the space. Return the space together with the model."""
        group.reduced[branching] = Exploration(
            group.model,
            attach_recipe(space, self.program, group.observed_atoms),
            group.observed_atoms,
        )
        return group.reduced[branching]

    def _other_engines(self, group: _ModelGroup, task: CheckTask) -> list[tuple[str, Verdict]]:
        """Return the name and the verdict of every engine except ``native``. If an engine cannot
        check the property, its verdict is unknown and says why."""
        storm = check_qualitative_by_storm(task, self._explored(group).nondeterministic_model)
        return [
            ("Storm", storm),
            *(
                (each.name, self._outside_answer(each, task.original_formula))
                for each in external_engines()
            ),
        ]

    def _outside_answer(self, engine: ExternalEngine, formula: Formula) -> Verdict:
        why_not = engine.unsupported_reason(self.program, formula)
        if why_not is not None:
            return Verdict(formula, engine.name, 0.0, unknown=why_not)
        return engine.check(self.program, formula, seconds=self.settings.seconds)

    def _explored(self, group: _ModelGroup, *, nothing: bool = False) -> Exploration:
        """Return the model of a group of properties with its explored state space. The model is
        explored as far as the limits allow, unless a previous call has done so.

        With ``nothing``, the result is the part that has been explored already. If there is none,
        only the initial state is explored.
        """
        if group.exploration is None:
            limits = Limits(states=1) if nothing else self.settings.limits
            progress = None if nothing else self.progress
            space = attach_recipe(
                explore(group.model.system, limits=limits, progress=progress),
                self.program,
                group.observed_atoms,
            )
            group.exploration = Exploration(group.model, space, group.observed_atoms)
            group.exhausted = not nothing
        elif not nothing and not group.exhausted and group.exploration.space.stopped is not None:
            space = explore_further(
                group.exploration.space, limits=self.settings.limits, progress=self.progress
            )
            group.exploration = Exploration(
                group.model,
                attach_recipe(space, self.program, group.observed_atoms),
                group.observed_atoms,
            )
            group.exhausted = True
        return group.exploration


def _exploration_rank(exploration: Exploration) -> tuple[bool, bool, int]:
    space = exploration.space
    return space.complete, space.reduction is None, space.num_states


def _with_expanded_run(verdict: Verdict, strategy: Lazy[Any] | None = None) -> Verdict:
    """Return a verdict on a reduced space with its run expanded to all steps of the program.
    ``strategy`` replaces the strategy of the verdict if one is given."""
    found = verdict.evidence

    def run() -> Any:
        shown = found.run()
        return None if shown is None else expand_run(shown)

    return replace(
        verdict,
        evidence=replace(
            found, run=Lazy(run), strategy=found.strategy if strategy is None else strategy
        ),
    )


def _is_interrupted(answer: Answer) -> bool:
    stopped = answer.exploration.space.stopped
    return answer.verdict.unknown == INTERRUPTED or (
        stopped is not None and stopped.reason == "interrupted"
    )
