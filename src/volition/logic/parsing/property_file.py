"""Parser for property files: a list of properties, each with an optional expected result.

::

    // what the agent must never do
    // RESULT: true
    "no collision": A [ G !Bel(car, crashed) ]

    // RESULT: 0.6561
    Pmax=? [ F Bel(success1)
             & Bel(success2) ];

A property ends at ``;``, or at the end of a line if all its brackets are closed. ``//`` starts a
comment. A comment ``RESULT:`` belongs to the property before it on the same line, or else to the
next property. Quoted text may contain any character.

All languages read their properties with this module, in property files and inside programs. A
comment that looks like a result must be a valid one. Otherwise it is an error, because a result
that is silently ignored would go unnoticed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from volition.diagnostics import Diagnostics, InputError, Source, Span
from volition.logic.parsing.expected_results import looks_like_result, read_result, stated_result
from volition.logic.parsing.operands import OPERATORS

__all__ = ["UnparsedProperty", "read_properties", "reject_results"]

_NAME = re.compile(r'(?:"(?P<quoted>[^"\n]*)"|(?P<plain>[^\W\d]\w*))\s*:(?!=)')
_PIECE = re.compile(r'//(?P<comment>[^\n]*)|"[^"\n]*"|[^/"]|.', re.DOTALL)
_COMMENT = re.compile(r'"[^"\n]*"|//(?P<comment>[^\n]*)')
_INDENTED = re.compile(r"[ \t]+(?!//)\S")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n")

_NO_TITLES = OPERATORS | {"not", "true", "false", "forall", "exists", "multi"}
"""Words that formulas begin with. If one of them is followed by a colon, it is probably not meant
as the title of a property."""

_WHERE = "write a result above its property, or after it on the same line: '// RESULT: true'"


@dataclass(frozen=True, slots=True)
class UnparsedProperty:
    """Property of a property file as text, with its expected result as written, if any.

    ``text`` is the formula, ``span`` its location in the file, and ``name`` its title, if any.
    ``meaning`` is the formula to check if it differs from ``text``: atoms that can never be true
    are replaced by ``false``.
    """

    text: str
    span: Span
    expected: str | None = None
    name: str | None = None
    meaning: str | None = None


def read_properties(
    source: Source,
    *,
    start: int = 0,
    end: int | None = None,
    indented: bool = False,
    diagnostics: Diagnostics | None = None,
) -> tuple[UnparsedProperty, ...]:
    """Return the properties in ``source.text[start:end]``, each as unparsed text.

    With ``indented``, a line that begins with a space continues the property above it. Errors are
    added to ``diagnostics``. If that is None, they are raised as one :class:`InputError`.
    """
    found = Diagnostics()
    reader = _PropertyFileParser(source, found)
    for statement in _statements(
        source, start, len(source.text) if end is None else end, indented=indented
    ):
        reader.add(statement)
    properties = reader.finish()
    if diagnostics is None:
        found.raise_errors()
    else:
        diagnostics.extend(found)
    return properties


def reject_results(
    source: Source,
    diagnostics: Diagnostics,
    *,
    start: int = 0,
    end: int | None = None,
    only_stated: bool = False,
) -> None:
    """Report an error for each expected result (``// RESULT: 0.5``) in a text without properties.

    By default, comments that only resemble an expected result are reported too. With
    ``only_stated``, only comments with a valid value are reported. Use it for programs written for
    another tool, whose comments may mention results.
    """
    for comment in _COMMENT.finditer(source.text, start, len(source.text) if end is None else end):
        text = comment["comment"]
        if text is not None and (
            _states_value(text) if only_stated else stated_result(text) or looks_like_result(text)
        ):
            message = "this expected result does not belong to a property"
            diagnostics.error("LOG011", message, source.span(*comment.span()), hint=_WHERE)


def _states_value(comment: str) -> bool:
    """Return whether a comment has the form ``RESULT: value`` with a valid value."""
    stated = stated_result(comment)
    try:
        return stated is not None and bool(read_result(stated["value"]))
    except InputError:
        return False


@dataclass(frozen=True, slots=True)
class _Statement:
    """Text of a property and the comments inside and after it. The text is None for comments that
    are not part of a property."""

    text: Span | None
    comments: Sequence[Span]


def _statements(source: Source, start: int, end: int, *, indented: bool) -> Iterator[_Statement]:
    """Yield the statements of a property file in order. A statement ends at the end of a property,
    or at the end of a line without a property."""
    begin: int | None = None
    last, depth = start, 0
    comments: list[Span] = []

    def statement() -> _Statement:
        return _Statement(None if begin is None else source.span(begin, last), tuple(comments))

    for piece in _PIECE.finditer(source.text, start, end):
        text = piece.group()
        if piece["comment"] is not None:
            comments.append(source.span(*piece.span()))
            continue
        depth += (text in "([{") - (text in ")]}")
        ends = text == ";" or (
            text == "\n"
            and not (
                indented and begin is not None and _INDENTED.match(source.text, piece.end(), end)
            )
        )
        if depth <= 0 and ends:
            yield statement()
            begin, depth = None, 0
            comments.clear()
        elif not text.isspace():
            begin = piece.start() if begin is None else begin
            last = piece.end()
    yield statement()


class _PropertyFileParser:
    """Parser for the statements of a property file. It assigns each expected result to its
    property."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self._source = source
        self._diagnostics = diagnostics
        self._properties: list[UnparsedProperty] = []
        self._titles: set[str] = set()
        self._formulas: dict[str, Span] = {}
        self._waiting: tuple[str, Span] | None = None
        """Expected result on a separate line, to be assigned to the next property: its text and its
        span."""

    def add(self, statement: _Statement) -> None:
        results = [
            result
            for comment in statement.comments
            if (result := self._result(comment)) is not None
        ]
        if statement.text is not None and (stated := self._split_name(statement.text)) is not None:
            if self._waiting is not None:
                self._check_place(self._waiting[1], stated)
                results.insert(0, self._waiting)
                self._waiting = None
            self._report_second_result(results[1:], stated.span)
            self._properties.append(replace(stated, expected=results[0][0]) if results else stated)
            self._check_duplicate(stated.span)
            return
        for result in results:
            self._attach_standalone_result(result)

    def finish(self) -> tuple[UnparsedProperty, ...]:
        if self._waiting is not None:
            self._diagnostics.error(
                "LOG011", "no property follows this expected result", self._waiting[1], hint=_WHERE
            )
        return tuple(self._properties)

    def _attach_standalone_result(self, result: tuple[str, Span]) -> None:
        """Assign an expected result that is not part of a property's statement. It belongs to the
        property before it if only a semicolon separates them, otherwise to the next property."""
        above = self._properties[-1] if self._properties else None
        if above is not None and not self._source.text[above.span.end : result[1].start].strip(
            " \t;"
        ):
            if above.expected is not None:
                self._report_second_result([result], above.span)
            self._properties[-1] = replace(above, expected=result[0])
        elif self._waiting is not None:
            self._report_second_result([result], None)
        else:
            self._waiting = result

    def _result(self, comment: Span) -> tuple[str, Span] | None:
        """Return the expected result that a comment states, as written, and the span of the
        comment; None if the comment states none. Report an error if the comment only looks like an
        expected result."""
        text = comment.text[2:]
        result = stated_result(text)
        if result is None:
            if looks_like_result(text):
                message = "this comment looks like an expected result, but would be ignored"
                self._diagnostics.error(
                    "LOG017",
                    message,
                    comment,
                    hint="write '// RESULT: true', or a number in place of true",
                )
            return None
        try:
            read_result(result["value"], comment)
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
        return result["value"], comment

    def _report_second_result(
        self, results: Sequence[tuple[str, Span]], stated: Span | None
    ) -> None:
        for _, span in results:
            begun = (
                f"; the property begins in line {stated.line}"
                if stated and stated.line < span.line
                else ""
            )
            self._diagnostics.error(
                "LOG016",
                "this property already has an expected result",
                span,
                hint=f"remove one of them{begun}",
            )

    def _check_place(self, result: Span, below: UnparsedProperty) -> None:
        """Report an expected result that probably belongs to the property above it instead of the
        one below: it directly follows a property without a result."""
        above = self._properties[-1] if self._properties else None
        if (
            above is None
            or above.expected is not None
            or _EMPTY_LINE.search(self._source.text, above.span.end, result.start)
        ):
            return
        message = (
            "this expected result applies to the property below, but it is written directly under "
            "the property above"
        )
        if _EMPTY_LINE.search(self._source.text, result.end, below.span.start):
            self._diagnostics.error("LOG018", message, result, hint=_WHERE)
        else:
            self._diagnostics.warning(
                "LOG018",
                message,
                result,
                hint=f"{_WHERE}; to keep it for the property below, write an empty line above it",
            )

    def _check_duplicate(self, formula: Span) -> None:
        before = self._formulas.setdefault(" ".join(formula.text.split()), formula)
        if before is not formula:
            hint = f"remove or correct one of them; the first is in line {before.line}"
            self._diagnostics.warning("LOG024", "duplicate property", formula, hint=hint)

    def _split_name(self, source_span: Span) -> UnparsedProperty | None:
        """Split the text of a property into its title and its formula, without white space around
        the formula. Report an error and return None if there is only a title."""
        named = _NAME.match(source_span.text)
        if named is None:
            return UnparsedProperty(source_span.text, source_span)
        title = source_span.source.span(source_span.start, source_span.start + named.end())
        name = named["quoted"] if named["quoted"] is not None else named["plain"]
        self._check_name(name, title, quoted=named["quoted"] is not None)
        text = source_span.text[named.end() :]
        span = source_span.source.span(source_span.end - len(text.lstrip()), source_span.end)
        if not span.text:
            self._diagnostics.error(
                "LOG021", "no property follows this title", title, hint="write it on the same line"
            )
            return None
        return UnparsedProperty(span.text, span, name=name)

    def _check_name(self, name: str, title: Span, *, quoted: bool) -> None:
        if not name.strip():
            self._diagnostics.error(
                "LOG021", "empty title", title, hint="remove the quotation marks and the colon"
            )
        elif looks_like_result(f"{name.upper()}:"):
            message = (
                "this looks like an expected result, but would be read as the title of a property"
            )
            self._diagnostics.error(
                "LOG017", message, title, hint="a result is a comment: write '// RESULT: true'"
            )
        elif not quoted and name in _NO_TITLES:
            message = f"'{name}' is an operator, but with a colon it is read as a title"
            self._diagnostics.error(
                "LOG019", message, title, hint=f'remove the colon, or write "{name}" for the title'
            )
        elif name in self._titles:
            message = f"duplicate title '{name}'"
            self._diagnostics.warning(
                "LOG020", message, title, hint="give each property a different title"
            )
        self._titles.add(name)
