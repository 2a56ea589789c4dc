"""Reports of internal errors: a message for the user, and a file with the details for the
developers."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

import click

from volition.cli.exit_and_files import print_to_stderr
from volition.diagnostics import Diagnostic, escape_control_characters, render

__all__ = ["report_crash"]

_REPORTED_PACKAGES = (
    "numpy",
    "scipy",
    "stormpy",
    "sympy",
    "lark",
    "click",
    "rich",
    "matplotlib",
    "distributed",
)


def report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Write a crash report to a file and print a message that names the file; with ``--json`` print
    the message also as JSON. ``arguments`` are those of the command line.

    If no file can be written, the report is printed.
    """
    report = _report(error, arguments)
    file = _write_report(report)
    what = f"internal error, no answer: {_summary(error)}"
    hint = (
        f"please send us the file {file}, which contains the command and where it failed"
        if file
        else "please send us the output above"
    )
    diagnostic = Diagnostic("CLI070", what, hint=hint)
    if file is None:
        print_to_stderr(escape_control_characters(report))
    print_to_stderr(render(diagnostic))
    if "--json" in arguments:
        from volition.cli.screen import json_text

        click.echo(json_text({"diagnostics": [diagnostic.as_json()]}, ascii_only=True))


def _summary(error: BaseException) -> str:
    return "".join(traceback.format_exception_only(error)).strip().split("\n")[-1]


def _report(error: BaseException, arguments: Sequence[str]) -> str:
    lines = [
        f"volition {_version('volition')}, {time.strftime('%Y-%m-%d %H:%M:%S %z')}",
        f"Python {sys.version.split()[0]} on {platform.platform()}",
        ", ".join(f"{name} {_version(name)}" for name in _REPORTED_PACKAGES),
        f"command: {shlex.join(['volition', *arguments])}",
        "",
        "".join(traceback.format_exception(error)),
    ]
    return "\n".join(lines)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def _write_report(report: str) -> Path | None:
    """Write the report to a file that only its owner can read, and return its path; None if no
    folder is writable. The current folder is never used."""
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            handle, name = tempfile.mkstemp(
                prefix=time.strftime("crash-%Y%m%d-%H%M%S-"), suffix=".txt", dir=folder
            )
        except OSError:
            continue
        try:
            with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(report)
        except OSError:
            os.unlink(name)
            continue
        return Path(name)
    return None


def _folders() -> Iterator[Path]:
    state = os.environ.get("XDG_STATE_HOME", "")
    home = os.path.expanduser("~")
    if os.path.isabs(state):
        yield Path(state) / "volition"
    elif os.path.isabs(home):
        yield Path(home) / ".local" / "state" / "volition"
    try:
        temporary = tempfile.gettempdir()
        if temporary == os.getcwd():  # what gettempdir returns if no other folder is writable
            return
    except OSError:
        return
    yield Path(temporary)
