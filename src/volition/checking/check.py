"""From a program and formulas to a report: explores as rarely as possible, and asks the right checker for each formula.

Most formulas read the state of the program as it is and share one exploration.  Some atoms (``Does``) ask for something that a
state does not hold; the language then adds a slot that remembers it, which makes the model larger.  Formulas that need
the same memory share an exploration, those that need none keep the plain model.

Where all formulas that share a model are about runs alone, exploration goes only as far as they need.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from volition.checking.engines import Engine, OutsideEngine, agreed, check_by_storm, outside_engine, refuse_unfit
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.on_the_fly import check_while_exploring
from volition.checking.graph.propositions import resolve_leaves
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.numbers.quantitative import Settings, check_quantitative
from volition.checking.questions import Question, doubts_about, read_questions
from volition.checking.storm.client import EngineError, await_engine, start_engine
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace, explore
from volition.languages.model import Model, Program, StatedProperty
from volition.logic import expand_agents, parse
from volition.logic.shape import is_quantitative
from volition.logic.syntax import And, Atom, Formula
from volition.logic.tree import atoms

__all__ = ["Answer", "Exploration", "Question", "Report", "check"]

INTERRUPTED = "interrupted by Ctrl-C"


@dataclass(frozen=True, slots=True)
class Exploration:
    """A model and what was explored of it; ``observed`` are the atoms that made it remember more than the program does."""

    model: Model
    space: StateSpace
    observed: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, its answer, and the exploration that gave it.  ``as_expected`` is None where nothing was expected or known."""

    question: Question
    verdict: Verdict
    exploration: Exploration
    as_expected: bool | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """The answers in the order of the questions.  ``interrupted`` says that Ctrl-C ended the work before all were found."""

    program: Program
    answers: tuple[Answer, ...]
    warnings: tuple[Diagnostic, ...]
    seconds: float
    interrupted: bool = False

    @property
    def explorations(self) -> tuple[Exploration, ...]:
        """Each exploration once, in the order of the answers."""
        return tuple({id(answer.exploration): answer.exploration for answer in self.answers}.values())

    @property
    def as_expected(self) -> bool:
        """Whether no answer differs from what its author expects."""
        return all(answer.as_expected is not False for answer in self.answers)


def check(
    program: Program,
    formulas: Iterable[str | Formula | StatedProperty] | None = None,
    *,
    limits: Limits | None = None,
    fairness: Fairness | None = None,
    assume: str | Formula | None = None,
    exact: bool | None = None,
    engine: Engine = "auto",
    outside: Sequence[OutsideEngine] = (),
    evidenced: bool = True,
    strategies: bool = True,
    progress: Callable[[Progress], None] | None = None,
    answered: Callable[[Answer], None] | None = None,
    mistakes: Diagnostics | None = None,
) -> Report:
    """Answer formulas about a program, by default those that it carries.

    ``limits`` hold for each exploration, and their seconds for each question to Storm too.  ``fairness`` and ``assume`` restrict the
    runs that count for formulas without probabilities.  ``exact`` asks for fractions instead of floating point numbers, None
    leaves that to the size of the model.  ``engine`` says who answers, ``cross`` that all answer who can and must agree; ``outside`` are
    model checkers beyond our own algorithms and Storm.  ``evidenced`` asks for runs and strategies, ``strategies`` also for those that cost
    extra: with a bound on the steps.  ``answered`` is called with each answer as soon as it is there.

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
    limits = limits or Limits()
    settings = Settings(exact=exact, seconds=limits.seconds, evidenced=evidenced, strategies=strategies)
    work = _Work(program, limits, fairness, assumption, settings, engine, outside, progress, answered, wrong, tolerant=mistakes is not None)
    answers, interrupted = work.answers(questions)
    if mistakes is None or not answers:
        wrong.raise_errors()
    else:
        mistakes.extend(wrong)
    ordered = tuple(answers[place] for place in sorted(answers))
    return Report(program, ordered, warnings.warnings, time.perf_counter() - start, interrupted)


@dataclass(eq=False)
class _Shared:
    """Questions that share a model, and what was explored of it so far: ``all_there_is`` if the limits allow no more."""

    model: Model
    observed: tuple[Atom, ...]
    questions: list[Question] = field(default_factory=list)
    exploration: Exploration | None = None
    all_there_is: bool = False

    @property
    def slots(self) -> frozenset[str]:
        return frozenset(self.model.system.slots)

    @property
    def about_runs_alone(self) -> bool:
        return not any(is_quantitative(question.formula) for question in self.questions)


@dataclass(frozen=True)
class _Work:
    """What :func:`check` was asked for."""

    program: Program
    limits: Limits
    fairness: Fairness | None
    assume: Formula | None
    settings: Settings
    engine: Engine
    outside: Sequence[OutsideEngine]
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
            group = next((each for each in shared if any(question is one for one in each.questions)), None)
            if group is None:
                continue  # it is wrong, and the others are asked
            try:
                answers[place] = answer = self._answer(group, question, interrupted)
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
        for question in questions:
            formula = question.formula if self.assume is None else And(question.formula, self.assume)
            observed = atoms(expand_agents(formula, plain.model.agents))
            try:
                needed = _Shared(self.program.model(observed), observed)
                resolve_leaves(needed.model, expand_agents(formula, needed.model.agents))
            except InputError as error:
                self.wrong.extend(error.diagnostics)
                continue
            group = groups.setdefault(needed.slots, needed)
            group.questions.append(question)
            if group is not plain and group is not needed:
                self._observe_also(group, observed)
        if not self.tolerant:
            self.wrong.raise_errors()
        return self._merged(groups, plain)

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
            larger.questions += group.questions
        return kept

    def _observe_also(self, group: _Shared, observed: Sequence[Atom]) -> None:
        """Make a group's model remember more: two models with the same slots need not watch the same things in them."""
        group.observed = tuple(dict.fromkeys((*group.observed, *observed)))
        group.model = self.program.model(group.observed)

    # --- answers ---------------------------------------------------------------------------------------------------------

    def _answer(self, group: _Shared, question: Question, interrupted: bool) -> Answer:
        start = time.perf_counter()
        try:
            verdict = Verdict(question.formula, "not asked", 0.0, unknown=INTERRUPTED) if interrupted else self._verdict(group, question)
        except KeyboardInterrupt:
            verdict = Verdict(question.formula, "stopped", time.perf_counter() - start, unknown=INTERRUPTED)
        expectation = question.expectation
        as_expected = None if expectation is None else expectation.is_met_by(verdict)
        return Answer(question, verdict, self._explored(group, nothing=interrupted or group.exploration is None), as_expected)

    @property
    def _restricted(self) -> bool:
        return self.fairness is not None or self.assume is not None

    def _verdict(self, group: _Shared, question: Question) -> Verdict:
        formula = question.formula
        refuse_unfit(self.engine, formula, restricted=self._restricted)
        if self.engine == "spin":
            return outside_engine("spin", self.outside, self.program, formula).check(self.program, formula, seconds=self.limits.seconds)
        if is_quantitative(formula):
            return self._by_numbers(group, formula)
        if self.engine == "storm":
            return check_by_storm(group.model, self._explored(group).space, formula, self.settings)
        if self.engine == "cross":
            others = [] if self._restricted else self._others(group, formula)
            return agreed(self._on_graph(group, formula), others)
        return self._on_graph(group, formula) if group.all_there_is or not group.about_runs_alone else self._early(group, formula)

    def _by_numbers(self, group: _Shared, formula: Formula) -> Verdict:
        space = self._explored(group).space
        with suppress(EngineError):  # the question itself will say what is wrong with Storm
            await_engine(self.limits.seconds)
        verdict = check_quantitative(group.model, space, formula, self.settings)
        if self._restricted:
            verdict = replace(verdict, notes=(*verdict.notes, "fairness and assumptions do not apply to probabilities"))
        return agreed(verdict, []) if self.engine == "cross" else verdict

    def _on_graph(self, group: _Shared, formula: Formula) -> Verdict:
        space = self._explored(group).space
        return check_qualitative(group.model, space, formula, fairness=self.fairness, assume=self.assume, evidenced=self.settings.evidenced)

    def _early(self, group: _Shared, formula: Formula) -> Verdict:
        """The answer with only as much exploration as it needs."""
        space, verdict = check_while_exploring(
            group.model,
            formula,
            limits=self.limits,
            progress=self.progress,
            fairness=self.fairness,
            assume=self.assume,
            evidenced=self.settings.evidenced,
        )
        group.exploration = Exploration(group.model, space, group.observed)
        group.all_there_is = space.complete or verdict.unknown is not None
        return verdict

    def _others(self, group: _Shared, formula: Formula) -> list[tuple[str, Verdict]]:
        """What all other engines say, or why they cannot."""
        storm = check_by_storm(group.model, self._explored(group).space, formula, self.settings)
        return [("Storm", storm), *((each.name, self._outside_answer(each, formula)) for each in self.outside)]

    def _outside_answer(self, engine: OutsideEngine, formula: Formula) -> Verdict:
        why_not = engine.why_not(self.program, formula)
        if why_not is not None:
            return Verdict(formula, engine.name, 0.0, unknown=why_not)
        return engine.check(self.program, formula, seconds=self.limits.seconds)

    def _explored(self, group: _Shared, *, nothing: bool = False) -> Exploration:
        """The group's exploration, made when it is first needed; ``nothing`` makes one of the initial state only."""
        if group.exploration is None:
            limits = Limits(states=1) if nothing else self.limits
            progress = None if nothing else self.progress
            if not nothing and not group.about_runs_alone:
                start_engine()
            space = explore(group.model.system, limits=limits, progress=progress)
            group.exploration = Exploration(group.model, space, group.observed)
        return group.exploration


def _was_interrupted(answer: Answer) -> bool:
    stopped = answer.exploration.space.stopped
    return answer.verdict.unknown == INTERRUPTED or (stopped is not None and stopped.reason == "interrupted")
