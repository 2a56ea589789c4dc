"""The meaning of a program and its files, to tell whether a slip was noticed.

A slip is noticed if the text is refused, if a warning says something new, or if the meaning is
another one: what ``show`` prints, the explored states with their labels, the answers to the
properties; for files of a run, the values that were read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.specimens import Specimen
from tests.fuzz.trials import Outcome, Trial, document, inside, run
from volition.diagnostics import Diagnostics, Span
from volition.languages import load
from volition.runtime.run_file import run_file_of
from volition.vessel.mission_file import load_mission

__all__ = ["understood", "unnoticed"]

_LOOKS = (
    ("explore", "--max-states", "400"),
    ("export", "--to", "dot", "--max-states", "150"),
    ("check", "--max-states", "400"),
)
_SHORT = ("--json", "--timeout", "10", "--jobs", "1")
_LINE = re.compile(r"\b(lines?) \d+\b|:\d+(?::\d+)?\b")


def unnoticed(specimen: Specimen, text: str) -> bool:
    """Whether a changed text is accepted, and nothing that is said of it is different."""
    changed = specimen.changed(text)
    # The cheapest view first: most slips show in it.
    return all(
        view(changed) == _before(specimen, index) for index, view in enumerate(_views(specimen))
    )


@cache
def _before(specimen: Specimen, index: int) -> Any:
    return _views(specimen)[index](specimen.trial)


@cache
def _views(specimen: Specimen) -> Sequence[Callable[[Trial], Any]]:
    """The ways to look at the meaning of a specimen."""
    if specimen.kind in _READ:
        return (_said, partial(_read, specimen))
    if specimen.trial.command != "show":
        return (_said,)
    trust = [each for each in specimen.trial.arguments if each == "--trust"]
    looks = (
        (command, specimen.project.name, *options, *_SHORT, *trust) for command, *options in _LOOKS
    )
    return (_said, *(partial(_answer, each) for each in looks))


def _answer(arguments: Sequence[str], trial: Trial) -> Any:
    return _said(trial.calling(*arguments))


def _said(trial: Trial) -> Any:
    with TemporaryDirectory() as folder:
        return understood(run(trial, Path(folder)))


def understood(outcome: Outcome) -> Any:
    """What a call says, without the lines at which it says it and the time that it took."""
    found = document(outcome)
    warnings = sorted(
        set(re.findall(r"^(?:warning|error)\[\w+\]: .*$", outcome.errors, re.MULTILINE))
    )
    return (
        outcome.exit_code,
        _plain(outcome.output if found is None else found),
        [_without_line(each) for each in warnings],
    )


_PASSING = ("seconds", "python_calls", "line", "column", "file", "trace", "start", "end")


def _plain(value: Any) -> Any:
    match value:
        case {"columns": columns, "rows": rows, "title": title}:
            kept = [
                index
                for index, column in enumerate(columns)
                if column not in ("line", "place", "where")
            ]
            return title, [[_without_line(row[position]) for position in kept] for row in rows]
        case dict():
            return {key: _plain(each) for key, each in value.items() if key not in _PASSING}
        case list():
            return [_plain(each) for each in value]
        case str():
            return _without_line(value)
        case _:
            return value


def _without_line(text: str) -> str:
    """A text that is the same where only lines above it are more or fewer."""
    return _LINE.sub(lambda found: f"{found[1]} ..." if found[1] else ":...", text)


# --- files of a run -------------------------------------------------------------------------------


def _read_run_file(specimen: Specimen) -> Any:
    return _values(run_file_of(load(specimen.project.name, trust=True), Diagnostics()))


def _read_mission(specimen: Specimen) -> Any:
    return load_mission(str(specimen.target))


_READ: dict[str, Callable[[Specimen], Any]] = {"run": _read_run_file, "toml": _read_mission}
"""What is read of a file that describes a run: much of it shows in long runs only."""


def _read(specimen: Specimen, trial: Trial) -> Any:
    with TemporaryDirectory() as folder:
        trial.write(Path(folder))
        with inside(Path(folder)):
            return _READ[specimen.kind](specimen)


def _values(value: Any) -> Any:
    """A dataclass by its values, a place in a text by what stands there."""
    if isinstance(value, Span):
        return value.text
    if is_dataclass(value):
        return [
            (each.name, _values(getattr(value, each.name)))
            for each in fields(value)
            if each.name != "span"
        ]
    if isinstance(value, dict):
        return {key: _values(each) for key, each in value.items()}
    return [_values(each) for each in value] if isinstance(value, tuple | list) else value
