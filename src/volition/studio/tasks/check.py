"""Answers to properties."""

from __future__ import annotations

from collections.abc import Sequence

import volition
from volition.checking.check import Answer
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Progress
from volition.logic.numbers import rounded_text
from volition.reporting.formatting import value_behind
from volition.studio.tasks.diagnostics import mistake
from volition.studio.view_data import AnswerData, DiagnosticData, ProgressShown
from volition.studio.workbench import Workbench

__all__ = ["answer_to", "check"]


def check(bench: Workbench, texts: Sequence[str]) -> tuple[DiagnosticData, ...]:
    """Answer properties one after the other, each told as soon as it is known; what is wrong with
    some of them is returned."""
    errors = Diagnostics()
    for text in texts:
        try:
            bench.report_progress(_shown(text, _asked(bench, text)))
        except InputError as error:
            errors.extend(error.diagnostics)
    return tuple(mistake(each, bench.folder) for each in errors)


def answer_to(bench: Workbench, text: str) -> Answer:
    """The answer to what was asked before; asked again where this process does not know it."""
    return bench.answers[text] if text in bench.answers else _asked(bench, text)


def _asked(bench: Workbench, text: str) -> Answer:
    """The answer to a text; what the program itself states comes with its name and the result that
    is expected."""

    def heard(update: Progress) -> None:
        bench.report_progress(ProgressShown(text, update.states, update.seconds))

    bench.report_progress(ProgressShown(text, 0, 0.0))
    stated = next((each for each in bench.program.properties if each.text == text), text)
    answers = volition.check(bench.program, [stated], progress=heard).answers
    if len(answers) != 1:
        raise InputError(
            [Diagnostic("STU014", "write one formula", hint="such as Pmax=? [ F done ]")]
        )
    bench.answers[text] = answers[0]
    return answers[0]


def _shown(text: str, answer: Answer) -> AnswerData:
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
        evidence="strategy" if _is_number(verdict) else "run" if verdict.run is not None else "",
    )


def _verdict(verdict: Verdict) -> str:
    if verdict.unknown is not None:
        return "unknown"
    if verdict.value is not None and _is_number(verdict):
        return rounded_text(verdict.value)
    return "holds" if verdict.holds else "violated"


def _kind(verdict: Verdict) -> str:
    if verdict.unknown is not None:
        return "open"
    return "plain" if _is_number(verdict) else "good" if verdict.holds else "bad"


def _is_number(verdict: Verdict) -> bool:
    """Return whether the answer is the value of a query."""
    return verdict.unknown is None and verdict.holds is None
