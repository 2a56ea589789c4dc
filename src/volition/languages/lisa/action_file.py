"""Reader of action files (``.sep``): fields ``name:: value``, whose values may span several lines
(Izzo, Fig. 3.4, 3.6)."""

from __future__ import annotations

import re
from pathlib import Path

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean, nearest
from volition.languages.common.sections import (
    content_lines,
    find_headings,
    find_preamble,
    split_sections,
)
from volition.languages.lisa.grammar import StatementReader
from volition.languages.lisa.names import name_of
from volition.languages.lisa.syntax import ActionFile, Sentence

__all__ = ["read_action_file"]

PROCEDURE, SENTENCES, MODE = "procedure name", "senglish sentences", "process, repeat mode"
INPUTS, OUTPUTS, FEEDBACKS = (
    "input classes and local names",
    "output classes and local names",
    "performance feedback",
)
_FIELDS = (PROCEDURE, SENTENCES, MODE, INPUTS, OUTPUTS, FEEDBACKS)
_FREE_FIELDS = (
    "mol reference",
    "senglish code",
    "matlab libraries",
    "matlab url",
    "conceptual graphs",
    "author data",
    "section number",
)
"""Fields of an action file whose contents are ignored, because the model does not need them (Izzo,
Sect. 3.3.1 and Fig. 3.4)."""
_MODES = ("runOnce", "runRepeated")
_MODE_VALUE = re.compile(
    r"(?:(?P<process>[^,\n]*),)?[ \t]*+(?P<mode>(?:[^\n]*[^ \t\n])?)[ \t]*+(?:\n(?P<rest>.*))?",
    re.DOTALL,
)
_SENTENCE = re.compile(r"[^\s.](?:[^.]|\.(?=\d))*")
"""Pattern of a sentence: the text up to a dot that is not a decimal point."""
_FIELD = re.compile(r"^[ \t]*(?P<title>[A-Za-z](?:[A-Za-z ,]*[A-Za-z,])?)[ \t]*+::", re.MULTILINE)

Range = tuple[int, int]


def read_action_file(source: Source, diagnostics: Diagnostics) -> ActionFile | None:
    """Return the action that a file defines, or None if the file has no sentence; errors go to
    ``diagnostics``.

    Fields that the model does not need (``senglish code``, ``matlab libraries``, ...) may contain
    anything. Unknown fields are ignored with a warning.
    """
    return _Reader(source, diagnostics).read()


class _Reader:
    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._statements = StatementReader(source, diagnostics)
        self._text = self._statements.text
        self._fields = self._find_fields()

    def read(self) -> ActionFile | None:
        procedure = self._procedure()
        sentences = self._sentences()
        process, repeated = self._mode()
        inputs = self._statements.classes(*self._fields[INPUTS]) if INPUTS in self._fields else []
        outputs = (
            self._statements.classes(*self._fields[OUTPUTS]) if OUTPUTS in self._fields else []
        )
        feedbacks = (
            self._statements.feedbacks(*self._fields[FEEDBACKS])
            if FEEDBACKS in self._fields
            else []
        )
        if not sentences:
            return None
        span = sentences[0].span
        return ActionFile(
            procedure,
            sentences,
            process,
            repeated,
            tuple(inputs or ()),
            tuple(outputs or ()),
            tuple(feedbacks or ()),
            span,
        )

    def _find_fields(self) -> dict[str, Range]:
        """Return the range of text of the value of each field, by the field's name. Fields without
        a value are left out. A misspelt field name is reported as an error and read as the most
        similar field."""
        fields: dict[str, Range] = {}
        seen: set[str] = set()
        headings = find_headings(self._text, _FIELD, self._source)
        if stray := find_preamble(headings, self._source):
            self._diagnostics.error(
                "LIS027",
                "text before the first field",
                stray,
                hint=f"the first field is '{PROCEDURE}::'",
            )
        missing = set(_FIELDS).difference(each.title.lower() for each in headings)
        for section in split_sections(headings, self._source):
            name, span = section.heading.title.lower(), section.heading.title_span
            if name not in _FIELDS and (meant := nearest(name, missing, letters=5)):
                self._diagnostics.error(
                    "LIS025", f"unknown field '{name}'", span, hint=f"did you mean '{meant}'?"
                )
                name = meant
            elif name not in (*_FIELDS, *_FREE_FIELDS):
                hint = (
                    did_you_mean(name, (*_FIELDS, *_FREE_FIELDS))
                    or f"known fields: {', '.join(_FIELDS)}"
                )
                self._diagnostics.warning(
                    "LIS026", f"the unknown field '{name}' is ignored", span, hint=hint
                )
            if name in seen:
                self._diagnostics.error("LIS020", f"duplicate field '{name}'", span)
            lines = list(content_lines(self._source, section.body.start, section.body.end))
            if lines and name not in fields:
                fields[name] = (lines[0].start, lines[-1].end)
            seen.add(name)
        return fields

    def _procedure(self) -> Sentence:
        stem = Path(self._source.name).stem
        if (position := self._required(PROCEDURE)) is None:
            return Sentence(stem, Span(self._source, 0, 0))
        procedure = self._statements.sentence(*position)
        if procedure.name != name_of(stem):
            hint = f"rename the file to '{procedure.name}.sep', or the procedure to '{stem}'"
            message = f"the procedure '{procedure.text}' must have the same name as its file"
            self._diagnostics.error("LIS022", message, procedure.span, hint=hint)
        return procedure

    def _sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences by which plans call the action. Each ends with a dot."""
        if (position := self._required(SENTENCES)) is None:
            return ()
        return tuple(
            self._statements.sentence(*self._trimmed(each))
            for each in _SENTENCE.finditer(self._text, *position)
        )

    def _mode(self) -> tuple[str, bool]:
        """Return the kind of process, as free text, and whether the action runs until it is
        stopped. Both are in one field, the process and repeat mode.

        Izzo's thesis calls the field mandatory, but its Fig. 3.4 does not have it. A missing field
        is therefore only a warning.
        """
        if (position := self._fields.get(MODE)) is None:
            message = f"missing field '{MODE}': assuming that the action runs once"
            self._diagnostics.warning(
                "LIS023",
                message,
                Span(self._source, 0, 0),
                hint=f"add a line '{MODE}:: control, runOnce'",
            )
            return "", False
        written = _MODE_VALUE.fullmatch(self._text, *position)
        assert written is not None
        mode = written["mode"]
        if mode.lower() not in [each.lower() for each in _MODES]:
            hint = did_you_mean(mode, _MODES) or f"expected {' or '.join(_MODES)}"
            self._diagnostics.error(
                "LIS024",
                f"'{mode}' is not a repeat mode",
                Span(self._source, *written.span("mode")),
                hint=hint,
            )
        if (written["rest"] or "").strip(". \t\n"):  # dots stand for omitted fields, as in Fig. 3.6
            message = f"the field '{MODE}' must be a single line"
            self._diagnostics.error(
                "LIS028",
                message,
                Span(self._source, *written.span("rest")),
                hint=f"write '{MODE}:: control, {mode}'",
            )
        return (written["process"] or "").strip(), mode.lower() == "runrepeated"

    @staticmethod
    def _trimmed(found: re.Match[str]) -> Range:
        return found.start(), found.start() + len(found[0].rstrip())

    def _required(self, field: str) -> Range | None:
        if field not in self._fields:
            hint = f"add a line '{field}:: ...'"
            self._diagnostics.error(
                "LIS021", f"missing field '{field}'", Span(self._source, 0, 0), hint=hint
            )
        return self._fields.get(field)
