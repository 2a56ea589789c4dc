"""``slice`` as a call, and the slice on which ``check`` answers where it is asked to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, get_args

from volition.api.asked import Asked, Formulas, questions_for
from volition.api.subjects import Settings, Subject, as_program
from volition.checking.check import Answer, Report
from volition.checking.exploration import Exploration
from volition.checking.questions import Question, read_questions
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.display import Shown
from volition.kernel import Limits, explore
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.model import Program
from volition.logic import parse
from volition.logic.printing import show
from volition.logic.syntax import Formula
from volition.slicing.guarded_actions import GuardedAction, conjuncts, guarded_action
from volition.slicing.slice import Method, SlicedProgram, slice_program
from volition.slicing.writing import explanation, summary, text_of_slice

__all__ = ["Sliced", "check_on_slice", "slice"]


@dataclass(frozen=True, slots=True, repr=False)
class Sliced(Shown):
    """The part of a program that matters to formulas; ``warnings`` say why a verdict may change, by the methods by which it may."""

    sliced: SlicedProgram
    holds_by_guards: tuple[GuardedAction, ...] = ()
    """Parts of the formulas that need no exploration."""
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def program(self) -> Program:
        """The slice as a program, which can be checked; its plans keep their numbers and places."""
        return self.sliced.program

    @property
    def method(self) -> Method:
        """How it was made."""
        return self.sliced.method

    @property
    def text(self) -> str:
        """The slice as a file, with what was left out in comments."""
        return text_of_slice(self.sliced)

    @property
    def explanation(self) -> tuple[str, ...]:
        """For each plan and step why it stays, or why it cannot matter."""
        return tuple(explanation(self.sliced))

    def summary(self) -> str:
        """How much was left out."""
        return summary(self.sliced)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Sliced: {self.summary()}>"


def slice(program: Subject, formulas: Formulas | None = None, *, settings: Settings | None = None, method: Method = "sound") -> Sliced:
    """The part of a program that matters to formulas, by default to those that it carries: ``volition slice``.

    ``sound`` keeps every verdict; ``old`` and ``new`` are the methods of Bordini et al. and of Winikoff et al., which may change it and
    then say by which pattern.  Raises :class:`InputError` for a language or a formula that cannot be sliced for.
    """
    if method not in get_args(Method):
        raise InputError([Diagnostic("API011", f"method cannot be {method!r}", hint=f"it is {', '.join(get_args(Method))}")])
    whole = _expect_gwendolen(as_program(program, settings=settings))
    doubts = Diagnostics()
    asked = [each.formula for each in read_questions(questions_for(whole, formulas, doubts), doubts)]
    parts = [part for formula in asked for part in conjuncts(formula)]
    guarded = tuple(found for part in parts if (found := guarded_action(whole, part)) is not None)
    sliced = slice_program(whole, asked, method)
    return Sliced(sliced, guarded, (*doubts.warnings, *sliced.warnings))


def _expect_gwendolen(program: Program) -> GwendolenProgram:
    if not isinstance(program, GwendolenProgram):
        hint = "programs in Gwendolen and EASS can"
        raise InputError([Diagnostic("SLC004", f"{program.language} programs cannot be sliced", hint=hint)])
    return program


# --- for check -----------------------------------------------------------------------------------------------------------


def check_on_slice(
    check: Callable[..., Report],
    program: Program,
    asked: Iterable[Asked],
    *,
    fairness: str | None = None,
    assume: str | Formula | None = None,
    answered: Callable[[Answer], None] | None = None,
    **options: Any,
) -> Report:
    """Answers by the guards of plans where they suffice, and else as ``check`` gives them for the sound slice of each question."""
    whole = _expect_gwendolen(program)
    if fairness is not None:
        raise InputError([Diagnostic("SLC005", "a slice knows nothing of fairness", hint="leave out one of the two")])
    start = time.perf_counter()
    doubts = Diagnostics()
    questions = read_questions(asked, doubts)
    by_guards = {place: found for place, each in enumerate(questions) if (found := _by_guards(whole, each)) is not None}
    for answer in by_guards.values():
        if answered is not None:
            answered(answer)
    assumed = [] if assume is None else [parse(assume) if isinstance(assume, str) else assume]
    groups: list[tuple[SlicedProgram, list[int]]] = []
    for place, question in enumerate(questions):
        if place not in by_guards:
            sliced = slice_program(whole, [question.formula, *assumed])
            same = next((places for other, places in groups if other.program.agents == sliced.program.agents), None)
            if same is None:
                groups.append((sliced, [place]))
            else:
                same.append(place)
    report = Report(program, (), doubts.warnings, 0.0)
    answers = dict(by_guards)
    for sliced, places in groups:
        part = check(sliced.program, [questions[each] for each in places], fairness=None, assume=assume, answered=answered, **options)
        note = f"checked on the part that matters: {summary(sliced)}"
        by_question = {id(each.question): replace(each, verdict=each.verdict.noting(note)) for each in part.answers}
        answers |= {place: by_question[id(questions[place])] for place in places if id(questions[place]) in by_question}
        warnings = dict.fromkeys((*report.warnings, *part.warnings))
        report = replace(report, warnings=tuple(warnings), interrupted=report.interrupted or part.interrupted)
        if part.interrupted:
            break
    return replace(report, answers=tuple(answers[each] for each in sorted(answers)), seconds=time.perf_counter() - start)


def _by_guards(program: GwendolenProgram, question: Question) -> Answer | None:
    """The answer to a question that the guards of plans give."""
    start = time.perf_counter()
    found = [guarded_action(program, part) for part in conjuncts(question.formula)]
    if None in found:
        return None
    model = program.model()
    initial = Exploration(model, explore(model.system, limits=Limits(states=0)))
    why = "; ".join(f"{show(each.formula)}: {each.why}" for each in found if each is not None)
    verdict = Verdict(question.formula, "guards", time.perf_counter() - start, True).noting(f"holds by guards, nothing was explored: {why}")
    expected = None if question.expectation is None else question.expectation.is_met_by(verdict)
    return Answer(question, verdict, initial, expected)
