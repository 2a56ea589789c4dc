"""From a program and formulas to a report: explores as rarely as possible, and asks the right checker for each formula.

Most formulas read the state of the program as it is and share one exploration.  Some atoms (``Does``) ask for something that a
state does not hold; the language then adds a slot that remembers it, which makes the model larger.  Formulas that need
the same memory share an exploration, those that need none keep the plain model.

Where all formulas that share a model are about runs alone, exploration goes only as far as they need.

Where a model is large, and its questions cannot tell the orders of independent steps apart, it is explored with reduction
(:mod:`volition.checking.reduction`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from volition.checking.engines import OWN, OutsideEngine, agreed, outside_engine, outside_engines, refuse_unfit
from volition.checking.exploration import Exploration, explored_before, refuse_unremembered, remember
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.on_the_fly import check_while_exploring, larger
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.numbers.quantitative import check_quantitative
from volition.checking.numbers.runs_by_storm import check_runs_by_storm
from volition.checking.questions import Asked, Question, doubts_about, read_questions
from volition.checking.reduction import REDUCED_ABOVE, Reduce, is_branching, reduction_for, why_not_reduced
from volition.checking.runs_in_full import in_full
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import OnDemand, Verdict, answer_text
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import Shown, data_frame
from volition.kernel import Limits, Progress, StateSpace, explore, explore_further
from volition.languages.model import MarkedModel, Model, Program
from volition.logic import expand_agents, parse
from volition.logic.syntax import And, Atom, Formula
from volition.logic.tree import atoms, is_quantitative

__all__ = ["Answer", "Exploration", "Question", "Report", "check"]

INTERRUPTED = "interrupted by Ctrl-C"


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Shown):
    """A question, its answer, and the exploration that gave it.  ``as_expected`` is None where nothing was expected or known.

    It is true if the property holds, whatever was expected (see :class:`Verdict`).

    ``not_reduced`` says why the exploration of a large model could not be reduced; None where it could, or where nobody asked.
    """

    question: Question
    verdict: Verdict
    exploration: Exploration
    as_expected: bool | None = None
    not_reduced: str | None = None

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def __repr__(self) -> str:
        return f"<Answer: {self.question.text} {answer_text(self.verdict)}>"


@dataclass(frozen=True, slots=True, repr=False)
class Report(Shown):
    """The answers in the order of the questions.  ``interrupted`` says that Ctrl-C ended the work before all were found.

    It is true if it has answers and every property holds (see :class:`Verdict`).
    """

    program: Program
    answers: tuple[Answer, ...]
    warnings: tuple[Diagnostic, ...]
    seconds: float
    interrupted: bool = False

    def __len__(self) -> int:
        return len(self.answers)

    def __bool__(self) -> bool:
        truths = [bool(answer) for answer in self.answers]  # each is asked: a query among them is a mistake wherever it stands
        return bool(truths) and all(truths)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self.answers)

    def __getitem__(self, place: int) -> Answer:
        return self.answers[place]

    def __repr__(self) -> str:
        return f"<Report: {'; '.join(f'{each.question.text} {answer_text(each.verdict)}' for each in self.answers) or 'no answers'}>"

    def to_dataframe(self) -> Any:
        """A row for each answer, for pandas."""
        columns = ["name", "formula", "holds", "value", "lower", "upper", "expected", "as_expected", "unknown", "seconds"]
        rows = [
            [
                each.question.name,
                each.question.text,
                each.verdict.holds,
                None if each.verdict.value is None else float(each.verdict.value),
                each.verdict.lower,
                each.verdict.upper,
                each.question.expected,
                each.as_expected,
                each.verdict.unknown,
                each.verdict.seconds,
            ]
            for each in self.answers
        ]
        return data_frame(columns, rows)

    @property
    def explorations(self) -> tuple[Exploration, ...]:
        """Each exploration once, in the order of the answers."""
        return tuple({id(answer.exploration): answer.exploration for answer in self.answers}.values())

    @property
    def models(self) -> tuple[Exploration, ...]:
        """The models behind the answers, with what was explored of them, the program's own first.

        One that remembers more than the program does, for the sake of some atoms, is another model; of one that was explored
        several times the farthest exploration counts: the whole, else one with reduction, else a part.
        """
        farthest: dict[tuple[Atom, ...], Exploration] = {}
        for each in sorted(self.explorations, key=_how_far):
            farthest[each.observed] = each
        return tuple(sorted(farthest.values(), key=lambda each: len(each.observed)))

    @property
    def as_expected(self) -> bool | None:
        """Whether every stated result is as its author expects; None where none is stated, or one is not known and no other differs."""
        stated = [answer.as_expected for answer in self.answers if answer.question.expectation is not None]
        return None if not stated or (None in stated and False not in stated) else all(stated)


def check(
    program: Program,
    formulas: Iterable[Asked] | None = None,
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
    mistakes: Diagnostics | None = None,
) -> Report:
    """Answer formulas about a program, by default those that it carries.

    Where a ``space`` of the program is there already, it is asked, and nothing is explored.
    ``limits`` hold for each exploration, and their seconds for each question to Storm too.  ``fairness`` and ``assume`` restrict the
    runs that count for formulas without probabilities.  ``exact`` asks for fractions instead of floating point numbers, None
    leaves that to the size of the model.  ``engine`` says who answers (:mod:`volition.checking.engines`), ``cross`` that all answer who
    can and must agree.  ``reduce`` says how hard to look for steps whose order does not matter to the formulas: ``auto`` in models of more
    than 10,000 states, ``off``, ``static`` or ``full``.  ``answered`` is called with each answer as soon as it is there.

    Raises :class:`InputError` with everything that is wrong with the formulas, mostly before anything is explored.  Where ``mistakes`` is
    given they go there, and the report has the answers to the other formulas, if there are any.
    """
    start = time.perf_counter()
    warnings, wrong = Diagnostics(), Diagnostics()
    questions = read_questions(program.properties if formulas is None else formulas, warnings, wrong)
    if mistakes is None or not questions:
        wrong.raise_errors()
    assumption = parse(assume, diagnostics=warnings) if isinstance(assume, str) else assume
    warnings.extend(doubts_about(program, [*(each.formula for each in questions), *([] if assumption is None else [assumption])]))
    settings = CheckSettings(engine, exact, limits=limits or Limits(), fairness=fairness, assumption=assumption)
    work = _Work(program, space, settings, reduce, progress, answered, wrong, tolerant=mistakes is not None)
    answers, interrupted = work.answers(questions)
    if mistakes is None or not answers:
        wrong.raise_errors()
    else:
        mistakes.extend(wrong)
    ordered = tuple(answers[place] for place in sorted(answers))
    return Report(program, ordered, warnings.warnings, time.perf_counter() - start, interrupted)


@dataclass(eq=False)
class _Shared:
    """Questions that share a model, by their places, and what was explored of it so far: ``all_there_is`` if the limits allow no more."""

    model: Model
    observed: tuple[Atom, ...]
    tasks: dict[int, CheckTask] = field(default_factory=dict)
    exploration: Exploration | None = None
    all_there_is: bool = False
    reduced: dict[bool, Exploration] = field(default_factory=dict)
    """What was explored with reduction, perhaps not to its end: for questions about one run at a time, and for all."""

    @property
    def slots(self) -> frozenset[str]:
        """What its states consist of; marks count as one, as more of them cost no state."""
        marks = self.model.marks if isinstance(self.model, MarkedModel) else ()
        return frozenset(self.model.system.slots).difference(marks).union(["marks"] if marks else [])

    @property
    def about_runs_alone(self) -> bool:
        return not any(is_quantitative(task.formula) for task in self.tasks.values())


@dataclass(frozen=True)
class _Work:
    """What :func:`check` was asked for."""

    program: Program
    space: StateSpace | None
    settings: CheckSettings
    reduce: Reduce
    progress: Callable[[Progress], None] | None
    answered: Callable[[Answer], None] | None
    wrong: Diagnostics
    tolerant: bool

    def answers(self, questions: Sequence[Question]) -> tuple[dict[int, Answer], bool]:
        """The answer to each question by its place, and whether Ctrl-C came in between."""
        shared = self._shared(questions) if self.space is None else [self._about_space(self.space, questions)]
        answers: dict[int, Answer] = {}
        interrupted = False
        for place, question in enumerate(questions):
            group = next((each for each in shared if place in each.tasks), None)
            if group is None:
                continue  # it is wrong, and the others are asked
            try:
                answers[place] = answer = self._answer(group, question, group.tasks[place], interrupted)
                if self.answered is not None:
                    self.answered(answer)
                interrupted = interrupted or _was_interrupted(answer)
            except InputError as error:
                self.wrong.extend(error.diagnostics)
        return answers, interrupted

    # --- who shares what -------------------------------------------------------------------------------------------------

    def _shared(self, questions: Sequence[Question]) -> list[_Shared]:
        """The questions by the model that they need; what the program does not know is wrong, and raised if nothing may be."""
        plain = _Shared(self.program.model(), ())
        groups: dict[frozenset[str], _Shared] = {plain.slots: plain}
        for place, question in enumerate(questions):
            assumed = self.settings.assumption
            formula = question.formula if assumed is None else And(question.formula, assumed)
            observed = atoms(expand_agents(formula, plain.model.agents))
            try:
                needed = _Shared(self.program.model(observed), observed)
                group = groups.get(needed.slots, needed)
                task = CheckTask((plain if group is plain else needed).model, question.formula, self.settings)
                _ = task.leaves  # what the program does not know is said now
            except InputError as error:
                self.wrong.extend(error.diagnostics)
                continue
            groups[needed.slots] = group
            group.tasks[place] = task
            if group is not plain and group is not needed:
                self._observe_also(group, observed)
        if not self.tolerant:
            self.wrong.raise_errors()
        merged = self._merged(groups, plain)
        for group in merged:
            group.tasks = {place: task.about(group.model) for place, task in group.tasks.items()}
        return merged

    def _about_space(self, space: StateSpace, questions: Sequence[Question]) -> _Shared:
        """All questions about a space that is there already."""
        exploration = explored_before(space)
        group = _Shared(exploration.model, exploration.observed, exploration=exploration, all_there_is=True)
        for place, question in enumerate(questions):
            task = CheckTask(exploration.model, question.formula, self.settings)
            try:
                asked = task.formula if task.assumption is None else And(task.formula, task.assumption)
                refuse_unremembered(exploration, self.program, asked)
            except InputError as error:
                self.wrong.extend(error.diagnostics)
            else:
                group.tasks[place] = task
        if not self.tolerant:
            self.wrong.raise_errors()
        return group

    def _merged(self, groups: Mapping[frozenset[str], _Shared], plain: _Shared) -> list[_Shared]:
        """Groups whose memory is part of another's join it, except the plain model, whose figures are the program's own."""
        kept = [plain]
        for group in sorted(groups.values(), key=lambda each: len(each.slots), reverse=True):
            if group is plain:
                continue
            larger = next((each for each in kept if group.slots <= each.slots), None)
            if larger is None:
                kept.append(group)
                continue
            self._observe_also(larger, group.observed)
            larger.tasks |= group.tasks
        return kept

    def _observe_also(self, group: _Shared, observed: Sequence[Atom]) -> None:
        """Make a group's model remember more: two models with the same slots need not watch the same things in them."""
        group.observed = tuple(dict.fromkeys((*group.observed, *observed)))
        group.model = self.program.model(group.observed)

    # --- answers ---------------------------------------------------------------------------------------------------------

    def _answer(self, group: _Shared, question: Question, task: CheckTask, interrupted: bool) -> Answer:
        start = time.perf_counter()
        found = None
        try:
            if interrupted:
                verdict = Verdict(task.stated, "not asked", 0.0, unknown=INTERRUPTED)
            else:
                refuse_unfit(self.settings, task.stated)
                found = self._with_reduction(group, task)
                verdict = self._verdict(group, task) if found is None else found[1]
        except KeyboardInterrupt:
            verdict = Verdict(task.stated, "stopped", time.perf_counter() - start, unknown=INTERRUPTED)
        expectation = question.expectation
        as_expected = None if expectation is None else expectation.is_met_by(verdict)
        if found is not None:
            return Answer(question, verdict, found[0], as_expected)
        exploration = group.exploration or self._explored(group, nothing=True)
        if self.reduce == "off" or (self.reduce == "auto" and exploration.space.num_states <= REDUCED_ABOVE):
            return Answer(question, verdict, exploration, as_expected)
        not_reduced = why_not_reduced(task) or self._why_whole(group)
        if not_reduced is not None and self.reduce != "auto":
            verdict = verdict.noting(f"not reduced: {not_reduced}")
        return Answer(question, verdict, exploration, as_expected, not_reduced)

    def _verdict(self, group: _Shared, task: CheckTask) -> Verdict:
        settings, formula = self.settings, task.stated
        if settings.engine not in OWN:
            return outside_engine(settings.engine, self.program, formula).check(self.program, formula, seconds=settings.seconds)
        if is_quantitative(formula):
            return self._by_numbers(group, task)
        if settings.engine == "storm":
            return check_runs_by_storm(task, self._explored(group).loaded_graph)
        if settings.engine == "cross":
            others = [] if settings.restricted else self._others(group, task)
            return agreed(self._on_graph(group, task), others)
        return self._on_graph(group, task) if group.all_there_is or not group.about_runs_alone else self._early(group, task)

    def _by_numbers(self, group: _Shared, task: CheckTask) -> Verdict:
        return self._numbers_on(self._explored(group), task)

    def _numbers_on(self, exploration: Exploration, task: CheckTask) -> Verdict:
        verdict = check_quantitative(task, exploration.loaded)
        if self.settings.restricted:
            verdict = verdict.noting("fairness and assumptions do not apply to probabilities")
        return agreed(verdict, []) if self.settings.engine == "cross" else verdict

    def _on_graph(self, group: _Shared, task: CheckTask) -> Verdict:
        return check_qualitative(task, self._explored(group).space)

    def _early(self, group: _Shared, task: CheckTask) -> Verdict:
        """The answer with only as much exploration as it needs."""
        so_far = None if group.exploration is None else group.exploration.space
        space, verdict = check_while_exploring(task, self.progress, so_far)
        group.exploration = Exploration(group.model, remember(space, self.program, group.observed), group.observed)
        group.all_there_is = space.complete or verdict.unknown is not None
        return verdict

    # --- with reduction ----------------------------------------------------------------------------------------------------

    def _with_reduction(self, group: _Shared, task: CheckTask) -> tuple[Exploration, Verdict] | None:
        """The answer on a reduced space, and that space; None where the whole one is to be asked, or what there is of it decides."""
        if self.reduce == "off" or why_not_reduced(task) is not None or self._why_whole(group) is not None:
            return None
        if self.reduce == "auto" and not self._is_large(group, task):
            return None
        branching = is_branching(task.formula)
        kindred = [each for each in group.tasks.values() if why_not_reduced(each) is None and is_branching(each.formula) == branching]
        reduction = reduction_for(kindred, branching=branching, futures=self.reduce == "full")
        known = group.reduced.get(branching)
        so_far = None if known is None else known.space
        if is_quantitative(task.formula):
            if known is None or not known.space.complete:
                space = larger(group.model.system, so_far, self.settings.limits, None, self.progress, reduction)
                known = self._kept(group, space, branching)
            verdict = self._numbers_on(known, task)
            behind = OnDemand(lambda: check_quantitative(task, self._explored(group).loaded).strategy)
            told = _told_in_full(verdict, strategy=behind)
        elif known is not None and known.space.complete:
            told = _told_in_full(check_qualitative(task, known.space))
        else:
            space, verdict = check_while_exploring(task, self.progress, so_far, reduction=reduction)
            known, told = self._kept(group, space, branching), _told_in_full(verdict)
        if not known.space.complete and len(kindred) > 1:
            _ = told.run  # is found now: how the space was reduced is forgotten when another question goes on from it
        return known, told

    def _why_whole(self, group: _Shared) -> str | None:
        """Why the whole space is there, or must be explored in any case; None if there is no reason."""
        if any(is_quantitative(each.formula) and why_not_reduced(each) is not None for each in group.tasks.values()):
            return "another property needs the whole space"
        if group.exploration is not None and (group.all_there_is or group.exploration.space.complete):
            return "the whole space is explored already"
        if self.settings.limits.depth is not None:
            return "the depth counts every step"
        return None

    def _is_large(self, group: _Shared, task: CheckTask) -> bool:
        """Whether a question needs more states than are explored as a whole in any case; what was found of them is kept."""
        limits = self.settings.limits
        if limits.states is not None and limits.states <= REDUCED_ABOVE:
            return False
        if group.exploration is not None and group.exploration.space.num_states > REDUCED_ABOVE:
            space = group.exploration.space
        else:
            space = explore(group.model.system, limits=replace(limits, states=REDUCED_ABOVE), progress=self.progress)
            group.exploration = Exploration(group.model, remember(space, self.program, group.observed), group.observed)
        if space.stopped is None or space.stopped.reason != "states":
            group.all_there_is = True
            return False
        # A run inside of this part shows something at once, and it is short.
        return is_quantitative(task.formula) or check_qualitative(task, space).unknown is not None

    def _kept(self, group: _Shared, space: StateSpace, branching: bool) -> Exploration:
        """The exploration of a space, from which other questions go on."""
        group.reduced[branching] = Exploration(group.model, remember(space, self.program, group.observed), group.observed)
        return group.reduced[branching]

    def _others(self, group: _Shared, task: CheckTask) -> list[tuple[str, Verdict]]:
        """What all other engines say, or why they cannot."""
        storm = check_runs_by_storm(task, self._explored(group).loaded_graph)
        return [("Storm", storm), *((each.name, self._outside_answer(each, task.stated)) for each in outside_engines())]

    def _outside_answer(self, engine: OutsideEngine, formula: Formula) -> Verdict:
        why_not = engine.why_not(self.program, formula)
        if why_not is not None:
            return Verdict(formula, engine.name, 0.0, unknown=why_not)
        return engine.check(self.program, formula, seconds=self.settings.seconds)

    def _explored(self, group: _Shared, *, nothing: bool = False) -> Exploration:
        """The group's exploration, made when it is first needed; ``nothing`` makes one of the initial state only."""
        if group.exploration is None:
            limits = Limits(states=1) if nothing else self.settings.limits
            progress = None if nothing else self.progress
            space = remember(explore(group.model.system, limits=limits, progress=progress), self.program, group.observed)
            group.exploration = Exploration(group.model, space, group.observed)
            group.all_there_is = not nothing
        elif not nothing and not group.all_there_is and group.exploration.space.stopped is not None:
            space = explore_further(group.exploration.space, limits=self.settings.limits, progress=self.progress)
            group.exploration = Exploration(group.model, remember(space, self.program, group.observed), group.observed)
            group.all_there_is = True
        return group.exploration


def _how_far(exploration: Exploration) -> tuple[bool, bool, int]:
    space = exploration.space
    return space.complete, space.reduction is None, space.num_states


def _told_in_full(verdict: Verdict, strategy: OnDemand[Any] | None = None) -> Verdict:
    """The same answer with a run of the whole program, and with a strategy for it."""
    found = verdict.evidence

    def run() -> Any:
        shown = found.run()
        return None if shown is None else in_full(shown)

    return replace(verdict, evidence=replace(found, run=OnDemand(run), strategy=found.strategy if strategy is None else strategy))


def _was_interrupted(answer: Answer) -> bool:
    stopped = answer.exploration.space.stopped
    return answer.verdict.unknown == INTERRUPTED or (stopped is not None and stopped.reason == "interrupted")
