"""HTML rendering of reports, answers, verdicts, runs and replays for notebooks."""

from __future__ import annotations

from collections.abc import Sequence

from volition.checking.check import Answer, Report
from volition.checking.explored_model import ModelFactory, rebuild_model
from volition.checking.verdict import Run, Verdict
from volition.diagnostics import plural
from volition.languages.protocols import Model
from volition.logic.printing import formula_text
from volition.notebook.markup import (
    HtmlCell,
    badge,
    details_block,
    escaped,
    lines,
    paragraph,
    table,
    title,
    warning_list,
)
from volition.notebook.rendering import rendered
from volition.reporting import formatting
from volition.reporting.annotated_runs import (
    AnnotatedRun,
    AnnotatedStep,
    TraceRow,
    annotate_run,
    trace_rows,
)
from volition.reporting.replay import Replay, ReplayedStep

__all__ = ["answer", "replay", "report", "run", "run_table", "verdict"]

LONGEST_RUN_OPEN = 30
"""Maximum number of steps of a run that is shown expanded below an answer. Longer runs are
collapsed."""


@rendered.register
def report(shown: Report) -> str:
    """Render a report: a table of its verdicts, then the run of each."""
    parts = [_table(shown.answers), warning_list(shown.warnings)]
    for each in shown.answers:
        if each.verdict.run is not None and each.verdict.holds is not None:
            parts.append(_evidence_block(each, each.verdict.run))
    if shown.interrupted:
        parts.append(paragraph("interrupted by Ctrl-C before all answers were found"))
    return "".join(parts)


@rendered.register
def answer(shown: Answer) -> str:
    """Render one answer of a report as a table row, with its run below."""
    return _table([shown]) + (
        "" if shown.verdict.run is None else _evidence_block(shown, shown.verdict.run)
    )


@rendered.register
def verdict(shown: Verdict) -> str:
    """Render a verdict: the formula, its result and notes, and a collapsed run."""
    rows_ = [
        [
            lines(
                ("v-code", formula_text(shown.formula)),
                *(("v-quiet", each) for each in formatting.verdict_notes(shown)),
            ),
            _result(shown),
        ]
    ]
    evidence = (
        ""
        if shown.run is None
        else details_block(
            f"a run of {len(shown.run)} {plural(len(shown.run), 'step')}", run(shown.run)
        )
    )
    return table(["property", "result"], rows_) + evidence


@rendered.register
def run(shown: Run) -> str:
    """Render a run as a table of annotated steps, or its ``repr`` if its program is not known."""
    if not isinstance(shown.space.system_factory, ModelFactory):
        return paragraph(repr(shown))
    return run_table(annotate_run(shown, rebuild_model(shown.space)))


@rendered.register
def annotated_run(shown: AnnotatedRun) -> str:
    """Render an annotated run as a table of its steps."""
    return run_table(shown)


@rendered.register
def step(shown: AnnotatedStep) -> str:
    """Render one step of an annotated run as a paragraph with its text."""
    return paragraph(shown.text)


def run_table(annotated: AnnotatedRun) -> str:
    """Return an HTML table of the steps of a run, with the changes of each step below its text."""
    found = trace_rows(annotated, "changes")
    agents = {row.agent for row in found if row.agent}
    columns: dict[str, list[str | HtmlCell]] = {"step": [row.number for row in found]}
    if len(agents) > 1:
        columns["agent"] = [row.agent for row in found]
    columns["what happens"] = [_step_cell(row) for row in found]
    if any(row.rules for row in found):  # a system of your own has no rules
        columns["rules"] = [lines(("v-quiet", row.rules)) for row in found]
    if any(row.positions for row in found):
        columns["source"] = [
            lines(*(("v-quiet", position.rpartition("/")[2]) for position in row.positions))
            for row in found
        ]
    names = [index for index, column in enumerate(columns) if column in ("agent", "source")]
    return table(list(columns), zip(*columns.values(), strict=True), numbers=[0], names=names)


def _step_cell(row: TraceRow) -> HtmlCell:
    details = [
        f'<br><span class="v-quiet">{escaped(section)}:</span> {escaped(text)}'
        for section, text in row.details
    ]
    return HtmlCell(escaped(row.text) + "".join(details))


def _evidence_block(shown: Answer, of: Run) -> str:
    model: Model = shown.exploration.model
    text = run_table(annotate_run(of, model))
    head = (
        f"{shown.prop.name or shown.prop.text}: {formatting.verdict_text(shown.verdict)}. "
        "Evidence: a run"
    )
    if len(of) > LONGEST_RUN_OPEN:
        return details_block(f"{head} of {len(of)} steps", text)
    return title(head) + text


def _table(answers: Sequence[Answer]) -> str:
    stated = any(each.prop.expected is not None for each in answers)
    columns = ["property", "result", *(["expected"] if stated else []), "time"]
    found: list[list[str | HtmlCell]] = []
    for each in answers:
        prop = each.prop
        named = [("", prop.name)] if prop.name else []
        quiet = [("v-quiet", text) for text in formatting.verdict_notes(each.verdict)]
        what = lines(*named, ("v-code v-quiet" if named else "v-code", prop.text), *quiet)
        expected = [_expected(each)] if stated else []
        found.append(
            [what, _result(each.verdict), *expected, formatting.duration(each.verdict.seconds)]
        )
    return table(columns, found, numbers=[len(columns) - 1])


def _result(of: Verdict) -> HtmlCell:
    word = formatting.verdict_text(of)
    return badge(word, {"holds": "good", "violated": "bad", "unknown": "open"}.get(word, "plain"))


def _expected(each: Answer) -> HtmlCell:
    sign = {True: "✓ ", False: "✗ ", None: ""}[each.as_expected]
    return lines(("", sign + (each.prop.expected or "")))


@rendered.register
def replay(shown: Replay) -> str:
    """Render a replay: a table of the recorded steps with the outcome of each."""
    found: list[list[str | HtmlCell]] = []
    if shown.start:
        found.append(["0", "initial state", badge("differs", "open")])
    for each in shown.steps:
        found.append([str(each.number), each.text, _replay_status(each)])
    if shown.loop_closes is False:
        found.append(["", "back to an earlier state", badge("the loop no longer closes", "bad")])
    return title(shown.summary()) + table(["step", "what happened", "now"], found, numbers=[0])


def _replay_status(each: ReplayedStep) -> HtmlCell:
    if each.outcome == "same":
        return badge("possible, same effect", "good")
    if each.outcome == "other effect":
        changes = ", ".join(f"{change.section}: {change}" for change in each.differences)
        return HtmlCell(
            f"{badge('possible, different effect', 'open').markup} "
            f"{escaped(changes or 'no changes')}"
        )
    return HtmlCell(
        f"{badge('impossible', 'bad').markup} possible steps: "
        f"{escaped('; '.join(each.alternatives))}"
    )
