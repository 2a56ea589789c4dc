"""From a program and formulas to a report: explores as rarely as possible, and asks the right checker for each formula.

Most formulas read the state of the program as it is and share one exploration.  Some atoms (``Does``) ask for something that a
state does not hold; the language then adds a slot that remembers it, which makes the model larger.  Formulas that need
the same memory share an exploration, those that need none keep the plain model.

Where all formulas that share a model are about runs alone, exploration goes only as far as they need.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from volition.checking.engines import OWN, OutsideEngine, agreed, outside_engine, outside_engines, refuse_unfit
from volition.checking.exploration import Exploration, remember
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.on_the_fly import check_while_exploring
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.numbers.quantitative import check_quantitative
from volition.checking.numbers.runs_by_storm import check_runs_by_storm
from volition.checking.questions import Asked, Question, doubts_about, read_questions
from volition.checking.storm.client import EngineError, await_engine, start_engine
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Verdict, answer_text
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import Shown, data_frame
from volition.kernel import Limits, Progress, explore
from volition.languages.model import Model, Program
from volition.logic import expand_agents, parse
from volition.logic.syntax import And, Atom, Formula
from volition.logic.tree import atoms, is_quantitative

__all__ = ["Answer", "Exploration", "Question", "Report", "check"]

INTERRUPTED = "interrupted by Ctrl-C"


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Shown):
    """A question, its answer, and the exploration that gave it.  ``as_expected`` is None where nothing was expected or known."""

    question: Question
    verdict: Verdict
    exploration: Exploration
    as_expected: bool | None = None

    def __repr__(self) -> str:
        return f"<Answer: {self.question.text} {answer_text(self.verdict)}>"


@dataclass(frozen=True, slots=True, repr=False)
class Report(Shown):
    """The answers in the order of the questions.  ``interrupted`` says that Ctrl-C ended the work before all were found."""

    program: Program
    answers: tuple[Answer, ...]
    warnings: tuple[Diagnostic, ...]
    seconds: float
    interrupted: bool = False

    def __len__(self) -> int:
        return len(self.answers)

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
        several times the farthest exploration counts.
        """
        farthest: dict[tuple[Atom, ...], Exploration] = {}
        for each in sorted(self.explorations, key=lambda each: each.space.num_states):
            farthest[each.observed] = each
        return tuple(sorted(farthest.values(), key=lambda each: len(each.observed)))

    @property
    def as_expected(self) -> bool:
        """Whether no answer differs from what its author expects."""
        return all(answer.as_expected is not False for answer in self.answers)


def check(
    program: Program,
    formulas: Iterable[Asked] | None = None,
    *,
    limits: Limits | None = None,
    fairness: Fairness | None = None,
    assume: str | Formula | None = None,
    exact: bool | None = None,
    engine: str = "auto",
    progress: Callable[[Progress], None] | None = None,
    answered: Callable[[Answer], None] | None = None,
    mistakes: Diagnostics | None = None,
) -> Report:
    """Answer formulas about a program, by default those that it carries.

    ``limits`` hold for each exploration, and their seconds for each question to Storm too.  ``fairness`` and ``assume`` restrict the
    runs that count for formulas without probabilities.  ``exact`` asks for fractions instead of floating point numbers, None
    leaves that to the size of the model.  ``engine`` says who answers (:mod:`volition.checking.engines`), ``cross`` that all answer who
    can and must agree.  ``answered`` is called with each answer as soon as it is there.

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
    work = _Work(program, settings, progress, answered, wrong, tolerant=mistakes is not None)
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

    @property
    def slots(self) -> frozenset[str]:
        return frozenset(self.model.system.slots)

    @property
    def about_runs_alone(self) -> bool:
        return not any(is_quantitative(task.formula) for task in self.tasks.values())


@dataclass(frozen=True)
class _Work:
    """What :func:`check` was asked for."""

    program: Program
    settings: CheckSettings
    progress: Callable[[Progress], None] | None
    answered: Callable[[Answer], None] | None
    wrong: Diagnostics
    tolerant: bool

    def answers(self, questions: Sequence[Question]) -> tuple[dict[int, Answer], bool]:
        """The answer to each question by its place, and whether Ctrl-C came in between."""
        shared = self._shared(questions)
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
        try:
            verdict = Verdict(task.stated, "not asked", 0.0, unknown=INTERRUPTED) if interrupted else self._verdict(group, task)
        except KeyboardInterrupt:
            verdict = Verdict(task.stated, "stopped", time.perf_counter() - start, unknown=INTERRUPTED)
        expectation = question.expectation
        as_expected = None if expectation is None else expectation.is_met_by(verdict)
        return Answer(question, verdict, self._explored(group, nothing=interrupted or group.exploration is None), as_expected)

    def _verdict(self, group: _Shared, task: CheckTask) -> Verdict:
        settings, formula = self.settings, task.stated
        refuse_unfit(settings, formula)
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
        exploration = self._explored(group)
        with suppress(EngineError):  # the question itself will say what is wrong with Storm
            await_engine(self.settings.seconds)
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
            if not nothing and not group.about_runs_alone:
                start_engine()
            space = remember(explore(group.model.system, limits=limits, progress=progress), self.program, group.observed)
            group.exploration = Exploration(group.model, space, group.observed)
        return group.exploration


def _was_interrupted(answer: Answer) -> bool:
    stopped = answer.exploration.space.stopped
    return answer.verdict.unknown == INTERRUPTED or (stopped is not None and stopped.reason == "interrupted")
