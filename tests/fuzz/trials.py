"""One call on files of its own, and the faults that no call may show."""

from __future__ import annotations

import json
import os
import re
import resource
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner

from tests.fuzz.library import LIBRARY
from volition.cli.program import main

__all__ = ["Content", "Outcome", "Trial", "complaint", "document", "inside", "run", "text_of"]

VERDICTS = {0, 1, 2, 3}
LONGEST_OUTPUT = 20_000_000
MAX_MEMORY = 2_000_000
"""Kilobytes that one call may add to the greatest memory of the process."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

Content = str | bytes


@dataclass(frozen=True, slots=True)
class Trial:
    """Files by name, and the arguments of a call in the folder that holds them.

    The first argument is a command of ``volition``, or a function of
    :data:`tests.fuzz.library.LIBRARY`.
    """

    files: Mapping[str, Content]
    arguments: tuple[str, ...]

    def with_file(self, name: str, content: Content) -> Trial:
        return replace(self, files={**self.files, name: content})

    def with_argument(self, index: int, text: str) -> Trial:
        return replace(
            self, arguments=(*self.arguments[:index], text, *self.arguments[index + 1 :])
        )

    def calling(self, *arguments: str) -> Trial:
        return replace(self, arguments=arguments)

    @property
    def command(self) -> str:
        return self.arguments[0]

    def write(self, folder: Path) -> None:
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                path.write_text(content, encoding="utf-8", errors="surrogateescape", newline="")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended: its exit code, its two outputs, the files that it wrote, and the exception
    that ended it, if any."""

    exit_code: int
    output: str
    errors: str
    written: Mapping[str, bytes]
    escaped: str | None
    seconds: float
    kilobytes: int

    @property
    def accepted(self) -> bool:
        return self.exit_code != 2


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Make ``folder`` the current folder, as it is for a user."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(trial: Trial, folder: Path) -> Outcome:
    """Write the files into ``folder`` and make the call there."""
    trial.write(folder)
    if trial.command not in LIBRARY:
        # No operating system passes a null byte in an argument.
        trial = trial.calling(*(each.replace("\0", "") for each in trial.arguments))
    errors: list[BaseException] = []
    start, memory = time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # A mistake of the program is a finding by itself; a report of it in the home folder is not
    # needed.
    with (
        inside(folder),
        patch("volition.cli.crash_report.report_crash", lambda error, _: errors.append(error)),
    ):
        # The list of trusted folders is an input as well: here it lies beside the program.
        result = CliRunner(env={"XDG_CONFIG_HOME": str(folder / "config")}).invoke(
            LIBRARY.get(trial.command, main),
            list(trial.arguments[1:] if trial.command in LIBRARY else trial.arguments),
        )
    seconds = time.perf_counter() - start
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        errors.append(result.exception)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    escaped = _place(errors[0]) if errors else None
    return Outcome(
        result.exit_code,
        result.stdout,
        result.stderr,
        dict(_written(trial, folder)),
        escaped,
        seconds,
        grown,
    )


def _place(error: BaseException) -> str:
    """The kind of an exception and the function of Volition that raised it: the same words for the
    same mistake."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [each for each in frames if f"{os.sep}volition{os.sep}" in each.filename] or list(frames)
    return (
        f"{type(error).__name__} in {Path(own[-1].filename).name}, {own[-1].name}"
        if own
        else type(error).__name__
    )


def _written(trial: Trial, folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if name not in trial.files and path.is_file() and "__pycache__" not in path.parts:
            yield name, path.read_bytes()


def text_of(content: Content) -> str:
    """The text of a file; bytes that are not UTF-8 are kept as lone surrogates."""
    return (
        content if isinstance(content, str) else content.decode("utf-8", errors="surrogateescape")
    )


def complaint(trial: Trial, outcome: Outcome) -> str | None:
    """The fault of a call that no input excuses, if there is one: the same words for the same
    mistake."""
    if outcome.escaped is not None:
        return f"not caught: {outcome.escaped}"
    if outcome.exit_code not in VERDICTS:
        return f"exit code {outcome.exit_code}"
    if len(outcome.output) > LONGEST_OUTPUT:
        return "megabytes of output"
    if outcome.kilobytes > MAX_MEMORY:
        return f"{trial.command} takes gigabytes of memory"
    if "Traceback (most recent call last)" in outcome.output + outcome.errors:
        return "a traceback is printed"
    if _CONTROL.search(outcome.output + outcome.errors):
        return "control characters reach the terminal"
    found = document(outcome) if "--json" in trial.arguments else {}
    if found is None:
        return f"the output of {trial.command} is not JSON"
    if outcome.exit_code == 2:
        return _fault_of_a_refusal(outcome, found)
    return _fault_of_a_file(outcome) or (
        _fault_of_a_verdict(outcome, found) if trial.command == "check" and found else None
    )


def _fault_of_a_refusal(outcome: Outcome, found: Mapping[str, Any]) -> str | None:
    if not (found.get("diagnostics") or outcome.errors.strip()):
        return "refused without a message"
    answered = bool(
        found.get("properties")
    )  # of several questions some may be refused, and the others be answered
    return (
        f"refused, but a file is written: {_ending(next(iter(outcome.written)))}"
        if outcome.written and not answered
        else None
    )


def _fault_of_a_file(outcome: Outcome) -> str | None:
    for name, content in outcome.written.items():
        documents = {".json": [content], ".jsonl": content.splitlines()}.get(_ending(name), [])
        if not all(_is_json(each) for each in documents):
            return f"a file is written that is not JSON: {_ending(name)}"
        if not content:
            return f"an empty file is written: {_ending(name)}"
    return None


def _ending(name: str) -> str:
    return Path(name).suffix or "no ending"


def _fault_of_a_verdict(outcome: Outcome, found: Mapping[str, Any]) -> str | None:
    """Whether the exit code of ``check`` is the one that its answers ask for."""
    reports = [found, *found.get("bases", {}).values()]
    answers = [answer for report in reports for answer in report.get("properties", ())]
    violated = any(
        each["as_expected"] is False if "expected" in each else each.get("holds") is False
        for each in answers
    )
    unknown = any("unknown" in each for each in answers)
    requested = 1 if violated else 3 if unknown else 0
    partial = not all(each.get("model", {}).get("complete", True) for each in reports)
    if outcome.exit_code != requested and not (outcome.exit_code == 3 and partial):
        return f"check ends with {outcome.exit_code} where its answers say {requested}"
    for each in answers:
        if sum(key in each for key in ("holds", "value", "unknown")) == 0:
            return "an answer of check is neither a verdict nor unknown"
    return None


def document(outcome: Outcome) -> dict[str, Any] | None:
    """The JSON object that a call printed; an empty one where it printed nothing, None where it
    printed something else."""
    if not outcome.output.strip():
        return {}
    try:
        found = json.loads(outcome.output, parse_constant=_refuse_constant)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content, parse_constant=_refuse_constant)
    except ValueError:
        return False
    return True


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
