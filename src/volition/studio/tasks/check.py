"""Task of a studio worker: check properties of the open program."""

from __future__ import annotations

from collections.abc import Sequence

import volition
from volition.checking.check import Answer
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Progress
from volition.logic.numbers import rounded_text
from volition.reporting.formatting import value_behind
from volition.studio.tasks.diagnostics import diagnostic_data
from volition.studio.view_data import AnswerData, DiagnosticData, ProgressData
from volition.studio.workbench import Workbench

__all__ = ["answer_to", "check"]


def check(bench: Workbench, texts: Sequence[str]) -> tuple[DiagnosticData, ...]:
    """Check properties, given as texts, one after the other, and return the errors in them. Each
    answer is sent to the page as soon as it is known."""
    errors = Diagnostics()
    for text in texts:
        try:
            bench.report_progress(_answer_data(text, _check_one(bench, text)))
        except InputError as error:
            errors.extend(error.diagnostics)
    return tuple(diagnostic_data(each, bench.folder) for each in errors)


def answer_to(bench: Workbench, text: str) -> Answer:
    """Return the answer for the property with this text; check the property if this worker process
    has not done so yet."""
    return bench.answers[text] if text in bench.answers else _check_one(bench, text)


def _check_one(bench: Workbench, text: str) -> Answer:
    """Check the property with this text. If it is stated in the program, it keeps its name and
    expected result."""

    def report(update: Progress) -> None:
        bench.report_progress(ProgressData(text, update.states, update.seconds))

    bench.report_progress(ProgressData(text, 0, 0.0))
    stated = next((each for each in bench.program.properties if each.text == text), text)
    answers = volition.check(bench.program, [stated], progress=report).answers
    if len(answers) != 1:
        raise InputError(
            [Diagnostic("STU014", "enter exactly one formula", hint="such as Pmax=? [ F done ]")]
        )
    bench.answers[text] = answers[0]
    return answers[0]


def _answer_data(text: str, answer: Answer) -> AnswerData:
    verdict, prop = answer.verdict, answer.prop
    return AnswerData(
        query=text,
        name=prop.name or "",
        text=prop.text,
        expected=prop.expected or "",
        verdict=_verdict(verdict),
        kind=_kind(verdict),
        as_expected=answer.as_expected,
        bounds=""
        if verdict.lower is None or verdict.upper is None
        else f"between {verdict.lower:.10g} and {verdict.upper:.10g}",
        method=verdict.method,
        seconds=verdict.seconds,
        states=answer.exploration.space.num_states,
        notes=(
            *((verdict.unknown,) if verdict.unknown else ()),
            *value_behind(verdict),
            *verdict.notes,
        ),
        evidence="strategy" if _is_value(verdict) else "run" if verdict.run is not None else "",
    )


def _verdict(verdict: Verdict) -> str:
    if verdict.unknown is not None:
        return "unknown"
    if verdict.value is not None and _is_value(verdict):
        return rounded_text(verdict.value)
    return "holds" if verdict.holds else "violated"


def _kind(verdict: Verdict) -> str:
    if verdict.unknown is not None:
        return "open"
    return "plain" if _is_value(verdict) else "good" if verdict.holds else "bad"


def _is_value(verdict: Verdict) -> bool:
    """Return whether a verdict is the value of a query, rather than true or false."""
    return verdict.unknown is None and verdict.holds is None
