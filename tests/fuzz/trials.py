"""One call of the command line on files of its own, and what is wrong with the way it ended."""

from __future__ import annotations

import json
import os
import re
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from volition.cli.program import main

__all__ = ["Outcome", "Trial", "complaint", "inside", "run", "understood"]

VERDICTS = {0, 1, 2, 3}
LONGEST_OUTPUT = 20_000_000
_LINE = re.compile(r"\b(lines?) \d+\b")


@dataclass(frozen=True, slots=True)
class Trial:
    """Files, by their names, and the arguments of ``volition`` in the folder that holds them."""

    files: Mapping[str, str]
    arguments: tuple[str, ...]

    def with_file(self, name: str, text: str) -> Trial:
        return replace(self, files={**self.files, name: text})

    def with_argument(self, place: int, text: str) -> Trial:
        return replace(self, arguments=(*self.arguments[:place], text, *self.arguments[place + 1 :]))

    def write(self, folder: Path) -> None:
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: its exit code, both its outputs, and the exception that nobody caught, if any."""

    exit_code: int
    output: str
    errors: str
    escaped: str | None
    seconds: float


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """With ``folder`` as the current one, as a user would stand in it."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(trial: Trial, folder: Path) -> Outcome:
    """Writes the files into ``folder`` and makes the call there."""
    trial.write(folder)
    start = time.perf_counter()
    with inside(folder):
        result = CliRunner().invoke(main, list(trial.arguments))
    escaped = None
    if result.exc_info is not None and not isinstance(result.exception, SystemExit | None):
        kind, _, trace = result.exc_info
        frames = traceback.extract_tb(trace)
        ours = [each for each in frames if f"{os.sep}volition{os.sep}" in each.filename] or list(frames)
        escaped = f"{kind.__name__} in {Path(ours[-1].filename).name}, {ours[-1].name}" if ours else kind.__name__
    return Outcome(result.exit_code, result.stdout, result.stderr, escaped, time.perf_counter() - start)


def complaint(trial: Trial, outcome: Outcome) -> str | None:
    """What must never happen, whatever the input, if it did: the same words for the same mistake."""
    if outcome.escaped is not None:
        return f"not caught: {outcome.escaped}"
    if outcome.exit_code not in VERDICTS:
        return f"exit code {outcome.exit_code}"
    if len(outcome.output) > LONGEST_OUTPUT:
        return "megabytes of output"
    if "Traceback (most recent call last)" in outcome.output + outcome.errors:
        return "a traceback is printed"
    if any(_is_control(each) for each in outcome.output + outcome.errors):
        return "control characters reach the terminal"
    document = _document(outcome) if "--json" in trial.arguments else {}
    if document is None:
        return "the output is not JSON"
    if outcome.exit_code == 2 and not (document.get("errors") or outcome.errors.strip()):
        return "refused without a word"
    if outcome.exit_code == 1 and trial.arguments[0] == "check" and not _speaks_of_a_violation(document):
        return "exit code 1 without a verdict"
    return None


def understood(outcome: Outcome) -> Any:
    """What ``volition show --json`` says about a program, without the lines at which it says it."""
    document = _document(outcome)
    if document is None:
        return None
    tables = []
    for table in document.get("tables", ()):
        kept = [place for place, column in enumerate(table["columns"]) if column not in ("line", "place", "where")]
        tables.append((table["title"], [[_without_line(row[place]) for place in kept] for row in table["rows"]]))
    warnings = sorted((each["code"], _without_line(each["message"])) for each in document.get("warnings", ()))
    return tables, warnings


def _without_line(text: str) -> str:
    """A text that is the same where only lines above it are more or fewer."""
    return _LINE.sub(r"\1 ...", text)


def _document(outcome: Outcome) -> dict[str, Any] | None:
    if not outcome.output.strip():
        return {}
    try:
        document = json.loads(outcome.output)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None


def _speaks_of_a_violation(document: Mapping[str, Any]) -> bool:
    answers = document.get("answers") or document.get("properties") or ()
    return any(each.get("holds") is False or each.get("as_expected") is False for each in answers)


def _is_control(character: str) -> bool:
    return (ord(character) < 32 and character not in "\n\t\r") or 127 <= ord(character) < 160
