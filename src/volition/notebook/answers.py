"""Answers: reports, verdicts, runs, replays."""

from __future__ import annotations

from collections.abc import Sequence

from volition.checking.check import Answer, Report
from volition.checking.exploration import MadeFromProgram, model_again
from volition.checking.verdict import Run, Verdict
from volition.diagnostics import plural
from volition.languages.model import Model
from volition.logic.printing import show
from volition.notebook.markup import Cell, escaped, folded, lines, mark, paragraph, remarks, table, title
from volition.notebook.rendering import rendered
from volition.telling import words
from volition.telling.replay import Replay, ReplayedStep
from volition.telling.runs import Row, Telling, ToldStep, rows, tell

__all__ = ["answer", "replay", "report", "run", "run_table", "verdict"]

LONGEST_RUN_OPEN = 30
"""Runs of more steps are folded where they stand below something else."""


@rendered.register
def report(shown: Report) -> str:
    """The verdicts, and the runs of those that are violated."""
    parts = [_table(shown.answers), remarks(shown.warnings)]
    for each in shown.answers:
        if each.verdict.run is not None and each.verdict.holds is not None:
            parts.append(_because(each, each.verdict.run))
    if shown.interrupted:
        parts.append(paragraph("interrupted by Ctrl-C before all answers were found"))
    return "".join(parts)


@rendered.register
def answer(shown: Answer) -> str:
    """One row of a report, with its run."""
    return _table([shown]) + ("" if shown.verdict.run is None else _because(shown, shown.verdict.run))


@rendered.register
def verdict(shown: Verdict) -> str:
    """The formula and its answer; the run opens with a click."""
    rows_ = [[lines(("v-code", show(shown.formula)), *(("v-quiet", each) for each in words.remarks(shown))), _result(shown)]]
    evidence = "" if shown.run is None else folded(f"a run of {len(shown.run)} {plural(len(shown.run), 'step')}", run(shown.run))
    return table(["property", "result"], rows_) + evidence


@rendered.register
def run(shown: Run) -> str:
    """A run in the words of its program, where that is known."""
    if not isinstance(shown.space.recipe, MadeFromProgram):
        return paragraph(repr(shown))
    return run_table(tell(shown, model_again(shown.space)))


@rendered.register
def telling(shown: Telling) -> str:
    """A run that was told before."""
    return run_table(shown)


@rendered.register
def step(shown: ToldStep) -> str:
    """One step of it."""
    return paragraph(shown.text)


def run_table(told: Telling) -> str:
    """A run, step by step, with what each step changed below it."""
    found = rows(told, "changes")
    agents = {row.agent for row in found if row.agent}
    columns: dict[str, list[str | Cell]] = {"step": [row.number for row in found]}
    if len(agents) > 1:
        columns["agent"] = [row.agent for row in found]
    columns["what happens"] = [_what_happens(row) for row in found]
    if any(row.rules for row in found):  # a system of one's own has none
        columns["rules"] = [lines(("v-quiet", row.rules)) for row in found]
    if any(row.places for row in found):
        columns["source"] = [lines(*(("v-quiet", place.rpartition("/")[2]) for place in row.places)) for row in found]
    names = [place for place, column in enumerate(columns) if column in ("agent", "source")]
    return table(list(columns), zip(*columns.values(), strict=True), numbers=[0], names=names)


def _what_happens(row: Row) -> Cell:
    details = [f'<br><span class="v-quiet">{escaped(section)}:</span> {escaped(text)}' for section, text in row.details]
    return Cell(escaped(row.text) + "".join(details))


def _because(shown: Answer, of: Run) -> str:
    model: Model = shown.exploration.model
    told = run_table(tell(of, model))
    head = f"{shown.question.name or shown.question.text}: {words.result(shown.verdict)}, as this run shows"
    if len(of) > LONGEST_RUN_OPEN:
        return folded(f"{head} of {len(of)} steps", told)
    return title(head) + told


def _table(answers: Sequence[Answer]) -> str:
    stated = any(each.question.expected is not None for each in answers)
    columns = ["property", "result", *(["expected"] if stated else []), "time"]
    found: list[list[str | Cell]] = []
    for each in answers:
        question = each.question
        named = [("", question.name)] if question.name else []
        quiet = [("v-quiet", text) for text in words.remarks(each.verdict)]
        what = lines(*named, ("v-code v-quiet" if named else "v-code", question.text), *quiet)
        expected = [_expected(each)] if stated else []
        found.append([what, _result(each.verdict), *expected, words.duration(each.verdict.seconds)])
    return table(columns, found, numbers=[len(columns) - 1])


def _result(of: Verdict) -> Cell:
    word = words.result(of)
    return mark(word, {"holds": "good", "violated": "bad", "unknown": "open"}.get(word, "plain"))


def _expected(each: Answer) -> Cell:
    sign = {True: "✓ ", False: "✗ ", None: ""}[each.as_expected]
    return lines(("", sign + (each.question.expected or "")))


@rendered.register
def replay(shown: Replay) -> str:
    """The recorded steps, and what has become of each."""
    found: list[list[str | Cell]] = []
    if shown.start:
        found.append(["0", "initial state", mark("differs", "open")])
    for each in shown.steps:
        found.append([str(each.number), each.text, _today(each)])
    if shown.closes is False:
        found.append(["", "back to an earlier state", mark("the loop no longer closes", "bad")])
    return title(shown.summary()) + table(["step", "what happened", "today"], found, numbers=[0])


def _today(each: ReplayedStep) -> Cell:
    if each.outcome == "same":
        return mark("possible, same effect", "good")
    if each.outcome == "other effect":
        changes = ", ".join(f"{change.section}: {change}" for change in each.differences)
        return Cell(f"{mark('possible, other effect', 'open').markup} {escaped(changes or 'changes nothing')}")
    return Cell(f"{mark('impossible', 'bad').markup} possible is: {escaped('; '.join(each.instead))}")
