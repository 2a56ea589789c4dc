"""The workbench: what the studio computes, in a process of its own.  Every method is a few calls of the library.

A bench keeps the program that is open and the answers that it gave, so that evidence can be asked for later.  It knows no pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import volition
from volition.api.answers import strategy_of
from volition.checking.check import Answer
from volition.checking.verdict import Verdict
from volition.diagnostics import Diagnostic, Diagnostics, InputError, Span
from volition.kernel import Progress
from volition.languages.model import ParametricProgram, Program, Table
from volition.logic.numbers import rounded_text
from volition.studio.shown import (
    AnswerShown,
    Mistake,
    Opened,
    Place,
    PropertyShown,
    RunShown,
    StepShown,
    StrategyShown,
    TableShown,
)
from volition.telling.runs import ToldStep

__all__ = ["Bench"]


class Bench:
    """One program on the bench; ``folder`` is what file names are told relative to."""

    def __init__(self) -> None:
        self._folder = Path()
        self._program: Program | None = None
        self._answers: list[Answer] = []

    # --- the program ---------------------------------------------------------------------------------------------------

    def open(self, folder: Path, program: Path, trust: bool) -> Opened | tuple[Mistake, ...]:
        """Read the program; what is wrong with it, if it cannot be read."""
        self._folder, self._program, self._answers = folder, None, []
        try:
            loaded = volition.load(folder / program, trust=trust or None)
        except InputError as error:
            return tuple(map(self._mistake, error.diagnostics))
        self._program = loaded
        return Opened(
            language=loaded.language,
            agents=tuple(loaded.model().agents),
            warnings=tuple(map(self._mistake, loaded.warnings)),
            properties=tuple(PropertyShown(each.name or "", each.text, each.expected or "", each.span.line) for each in loaded.properties),
            tables=tuple(map(_table, loaded.tables())),
            parameters={name: str(value) for name, value in loaded.parameters.items()} if isinstance(loaded, ParametricProgram) else {},
            words=(),
        )

    # --- answers -------------------------------------------------------------------------------------------------------

    def check(
        self, texts: Sequence[str], progress: Callable[[int, float], None], answered: Callable[[AnswerShown], None]
    ) -> tuple[Mistake, ...]:
        """Answer properties one after the other; what is wrong with some of them is returned."""
        mistakes = Diagnostics()

        def heard(update: Progress) -> None:
            progress(update.states, update.seconds)

        for text in texts:
            try:
                report = volition.check(self._opened(), text, progress=heard)
            except InputError as error:
                mistakes.extend(error.diagnostics)
                continue
            for answer in report:
                self._answers.append(answer)
                answered(self._shown(len(self._answers) - 1, answer))
        return tuple(map(self._mistake, mistakes))

    def run_of(self, number: int) -> RunShown | None:
        """The run that an answer has for evidence."""
        telling = volition.tell(self._answers[number])
        if telling is None:
            return None
        return RunShown(telling.start, tuple(map(self._step, telling.steps)), telling.loop)

    def strategy_of(self, number: int) -> StrategyShown:
        """The decision table of the strategy behind an answer."""
        found = strategy_of(self._answers[number])
        if found is None:
            return StrategyShown(None, "there is nothing to choose")
        if isinstance(found, Diagnostic):
            return StrategyShown(None, found.message)
        rows = tuple((each.text, row.text, row.answer, "; ".join(row.others), str(row.situations)) for each, row in found.rows())
        return StrategyShown(TableShown("strategy", ("decision", "when", "choose", "rather than", "states"), rows), found.summary())

    # --- as data -------------------------------------------------------------------------------------------------------

    def _opened(self) -> Program:
        assert self._program is not None, "a program is opened first"
        return self._program

    def _shown(self, number: int, answer: Answer) -> AnswerShown:
        verdict, question = answer.verdict, answer.question
        return AnswerShown(
            number=number,
            name=question.name or "",
            text=question.text,
            expected=question.expected or "",
            verdict=_verdict(verdict),
            kind=_kind(verdict),
            as_expected=answer.as_expected,
            bounds="" if verdict.lower is None or verdict.upper is None else f"between {verdict.lower:.10g} and {verdict.upper:.10g}",
            method=verdict.method,
            seconds=verdict.seconds,
            states=answer.exploration.space.num_states,
            notes=(*((verdict.unknown,) if verdict.unknown else ()), *verdict.notes),
            has_strategy=verdict.value is not None,
        )

    def _step(self, step: ToldStep) -> StepShown:
        return StepShown(
            number=step.number,
            agent=step.agent,
            text=step.text,
            rules=step.rules,
            places=tuple(self._places(origin.span for origin in step.origins)),
            changes=tuple((each.section, each.item, each.before, each.after) for each in step.changes),
            portrait=step.portrait,
            probability=step.probability,
            stays=step.stays,
        )

    def _places(self, spans: Iterable[Span | None]) -> list[Place]:
        return list(dict.fromkeys(place for span in spans if (place := self._place(span)) is not None))

    def _mistake(self, diagnostic: Diagnostic) -> Mistake:
        return Mistake(diagnostic.code, diagnostic.severity, diagnostic.message, diagnostic.hint, self._place(diagnostic.span))

    def _place(self, span: Span | None) -> Place | None:
        if span is None:
            return None
        name = Path(span.source.name)
        file = str(name.relative_to(self._folder)) if name.is_relative_to(self._folder) else span.source.name
        return Place(file, span.line, span.column, span.start, span.end)


def _table(table: Table) -> TableShown:
    return TableShown(table.title, tuple(table.columns), tuple(tuple(row) for row in table.rows))


def _verdict(verdict: Verdict) -> str:
    if verdict.unknown is not None:
        return "unknown"
    if verdict.value is not None:
        return rounded_text(verdict.value)
    return "holds" if verdict.holds else "violated"


def _kind(verdict: Verdict) -> str:
    if verdict.unknown is not None:
        return "open"
    return "plain" if verdict.value is not None else "good" if verdict.holds else "bad"
