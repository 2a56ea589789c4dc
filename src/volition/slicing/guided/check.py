"""The loop: hide, explore, follow what seems to violate the formula, put back what was missing.

The whole program is explored in between, each time farther than the last, so that a program that is small, or violates the formula near
its initial state, is not kept waiting by an abstraction that does not help.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from volition.checking.check import Answer, Report
from volition.checking.exploration import Exploration, remember
from volition.checking.graph.fairness import Fairness
from volition.checking.graph.on_the_fly import early_question
from volition.checking.graph.qualitative import check_qualitative
from volition.checking.questions import Asked, Question, read_questions
from volition.checking.task import CheckSettings, CheckTask
from volition.checking.verdict import Evidence, OnDemand, Verdict
from volition.diagnostics import Diagnostics, InputError, plural
from volition.kernel import KernelError, Limits, explore
from volition.languages.model import Program
from volition.logic import atoms, expand_agents, parse
from volition.logic.syntax import And, Atom, Formula
from volition.slicing.guided.abstraction import NODE, Abstraction, AbstractModel, AbstractRun, GaveUp, PutBack, TooLargeToHelp
from volition.slicing.guided.confirmed import confirmed
from volition.slicing.guided.first_look import FirstLook, look
from volition.slicing.guided.following import follow
from volition.slicing.guided.functions import Functions
from volition.slicing.guided.universal import is_shown_by_one_run, why_not_universal

__all__ = ["Patience", "check_guided"]

METHOD = "an over-approximation, guided by counterexamples"


@dataclass(frozen=True, slots=True)
class Patience:
    """How much is tried before the whole program is explored farther.

    ``whole`` states of the program come first, then abstractions with up to ``states``, which together may follow ``effort`` times as many
    combinations of values; then all are ``growth`` times larger.  ``rounds`` of putting back are tried each time.
    """

    whole: int = 10_000
    states: int = 10_000
    effort: int = 10
    growth: int = 8
    rounds: int = 30


def check_guided(
    check: Callable[..., Report],
    program: Program,
    asked: Iterable[Asked],
    *,
    limits: Limits | None = None,
    fairness: Fairness | None = None,
    assume: str | Formula | None = None,
    engine: str = "auto",
    answered: Callable[[Answer], None] | None = None,
    mistakes: Diagnostics | None = None,
    patience: Patience | None = None,
    **options: Any,
) -> Report:
    """The verdicts of ``check``, by abstractions of the program where they help; each answer says how it was found."""
    start = time.perf_counter()
    doubts = Diagnostics()
    questions = read_questions(asked, doubts, mistakes)
    assumption = parse(assume, diagnostics=doubts) if isinstance(assume, str) else assume
    settings = CheckSettings(engine, limits=limits or Limits(), fairness=fairness, assumption=assumption)
    patience = patience or Patience()

    def on_the_whole(questions: Iterable[Question], limits: Limits) -> Report:
        return check(program, questions, limits=limits, fairness=fairness, assume=assumption, engine=engine, mistakes=mistakes, **options)

    report = Report(program, (), doubts.warnings, 0.0)
    answers: dict[int, Answer] = {}

    def take(found: Report) -> None:
        nonlocal report
        report = replace(
            report, warnings=tuple(dict.fromkeys((*report.warnings, *found.warnings))), interrupted=report.interrupted or found.interrupted
        )
        for answer in found.answers:
            answers[id(answer.question)] = answer
            if answered is not None:
                answered(answer)

    works = {id(each): _Work.of(program, each, settings, patience) for each in questions}
    reasons = {number: work for number, work in works.items() if isinstance(work, str)}
    if reasons:
        found = on_the_whole([each for each in questions if id(each) in reasons], settings.limits)
        take(replace(found, answers=tuple(_on_the_whole(each, reasons[id(each.question)]) for each in found.answers)))
    for work in works.values():
        if not isinstance(work, str) and not report.interrupted:
            take(work.report(on_the_whole))
    ordered = tuple(answers[id(each)] for each in questions if id(each) in answers)
    return replace(report, answers=ordered, seconds=time.perf_counter() - start)


def _on_the_whole(answer: Answer, why: str) -> Answer:
    return replace(answer, verdict=answer.verdict.noting(f"answered on the whole program: {why}"))


@dataclass(eq=False)
class _Work:
    """One question that an over-approximation may answer."""

    program: Program
    question: Question
    task: CheckTask
    observed: tuple[Atom, ...]
    patience: Patience
    functions: Functions
    attempts: int = 0

    @classmethod
    def of(cls, program: Program, question: Question, settings: CheckSettings, patience: Patience) -> _Work | str:
        """The work, or why there is none."""
        formula = question.formula if settings.assumption is None else And(question.formula, settings.assumption)
        try:
            observed = atoms(expand_agents(formula, program.model().agents))
            task = CheckTask(program.model(observed), question.formula, settings)
            why_not = why_not_universal(task)
        except InputError:
            return "it is not a question about this program"  # and the check says why
        return why_not or cls(program, question, task, observed, patience, Functions(task.model))

    def report(self, on_the_whole: Callable[[Iterable[Question], Limits], Report]) -> Report:
        start = time.monotonic()
        limits = self.task.settings.limits
        deadline = math.inf if limits.seconds is None else start + limits.seconds
        whole, states = self.patience.whole, self.patience.states
        why = "it is small enough"
        while True:
            last = limits.states is not None and whole >= limits.states
            left = None if limits.seconds is None else max(0.0, deadline - time.monotonic())
            report = on_the_whole([self.question], replace(limits, states=limits.states if last else whole, seconds=left))
            decided = all(each.verdict.unknown is None for each in report.answers)
            stopped = [each.exploration.space.stopped for each in report.answers]
            if decided or last or report.interrupted or any(each is None or each.reason != "states" for each in stopped):
                return replace(report, answers=tuple(_on_the_whole(each, why) for each in report.answers))
            answer = self._by_abstraction(states, deadline)
            if isinstance(answer, Answer):
                seconds = time.monotonic() - start
                verdict = replace(answer.verdict, seconds=seconds)
                return replace(report, answers=(replace(answer, verdict=verdict),), seconds=seconds)
            why = answer
            whole, states = max(whole, states) * self.patience.growth, states * self.patience.growth

    def _by_abstraction(self, size: int, deadline: float) -> Answer | str:
        """An answer with as much work as this, or why there is none."""
        seen = look(self.task.model.system, self.task.leaves.values(), size)
        groups = seen.private()
        effort = size * self.patience.effort
        for _ in range(self.patience.rounds):
            if not groups:
                return "no slot can be hidden"
            if effort < size:
                return "abstractions are not smaller"
            self.attempts += 1
            allowed = effort // 2
            abstraction = Abstraction(self.functions, groups, most=size, effort=allowed, deadline=deadline)
            try:
                return self._answer(abstraction)
            except PutBack as back:
                groups = _without(groups, back.slots)
            except TooLargeToHelp:
                groups = _without(groups, _grown(abstraction, seen))
            except (GaveUp, KernelError) as why:
                return str(why)
            effort -= allowed - max(abstraction.effort, 0)
        return f"{self.patience.rounds} abstractions were too coarse"

    def _answer(self, abstraction: Abstraction) -> Answer:
        """The answer that an abstraction gives, or an exception that says why it gives none."""
        model = AbstractModel(abstraction)
        task = self.task.about(model)
        question = early_question(task)
        hit = abstraction.explore(None if question is None else question.stop_when)
        if hit is not None:
            return self._confirmed(abstraction, abstraction.path_to(hit))
        space = explore(model.system)
        verdict = check_qualitative(task, space)
        if not verdict.holds:
            run = verdict.run
            if run is None:
                raise GaveUp("no single run shows that it is violated")
            return self._confirmed(abstraction, AbstractRun(tuple(space.value(each, NODE) for each in run.states), run.loop))
        hidden, slots = len(abstraction.hidden), len(abstraction.whole.slots)
        note = (
            f"proved on an over-approximation: {hidden} of {slots} slots hidden, {self.attempts} {plural(self.attempts, 'round')}, "
            f"{space.num_states:,} {plural(space.num_states, 'state')}"
        )
        found = replace(verdict, method=METHOD).noting(note)
        return self._answered(found, Exploration(model, remember(space, self.program, self.observed), self.observed))

    def _confirmed(self, abstraction: Abstraction, found: AbstractRun) -> Answer:
        """The violation that an abstract run becomes on the whole program."""
        if found.loop is None and not is_shown_by_one_run(self.task.formula):
            raise GaveUp("no single run shows that it is violated")
        run = confirmed(self.task, self.program, self.observed, follow(abstraction, found), self.functions)
        if run is None:
            raise GaveUp("the run that was found shows too little")
        hidden, slots = len(abstraction.hidden), len(abstraction.whole.slots)
        note = (
            f"a run found on an over-approximation was confirmed on the whole program: {hidden} of {slots} slots hidden, "
            f"{self.attempts} {plural(self.attempts, 'round')}, {len(abstraction.states):,} {plural(len(abstraction.states), 'state')}"
        )
        verdict = Verdict(self.task.stated, METHOD, 0.0, holds=False, evidence=Evidence(run=OnDemand(lambda: run))).noting(note)
        return self._answered(verdict, Exploration(self.task.model, run.space, self.observed))

    def _answered(self, verdict: Verdict, exploration: Exploration) -> Answer:
        expectation = self.question.expectation
        return Answer(self.question, verdict, exploration, None if expectation is None else expectation.is_met_by(verdict))


def _without(groups: Iterable[tuple[str, ...]], slots: Iterable[str]) -> list[tuple[str, ...]]:
    """The groups without the slots that are shown again."""
    left = [tuple(slot for slot in group if slot not in slots) for group in groups]
    return [group for group in left if group]


def _grown(abstraction: Abstraction, seen: FirstLook) -> tuple[str, ...]:
    """The group that took most values beyond those that the program was seen to give it."""
    return max(abstraction.groups, key=lambda group: abstraction.spread(abstraction.groups.index(group)) - len(seen.reached(group)))
