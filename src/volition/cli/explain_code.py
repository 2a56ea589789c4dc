"""``volition explain-code``: explain error codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click

from volition.cli.options import ProgramCommand, display_options
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostic, InputError, did_you_mean
from volition.error_codes import ErrorCode, declared_codes, explanation_of

__all__ = ["command"]


@click.command("explain-code", cls=ProgramCommand)
@click.argument("codes", metavar="CODE...", nargs=-1, required=True)
@display_options
def command(codes: Sequence[str], screen: Screen) -> None:
    """Explain error codes: what each one means, its cause, an example and the remedy.

    \b
    Examples:
      volition explain-code CAN027
      volition explain-code LNG001 LNG002 --json
    """
    found = [explanation_of(code) for code in codes]
    unknown = [code for code, each in zip(codes, found, strict=True) if each is None]
    if unknown:
        raise InputError([_unknown(code) for code in unknown])
    explained = [each for each in found if each is not None]
    for number, each in enumerate(explained):
        screen.print(*([""] if number else []), *_lines(each))
    screen.document(lambda: {"codes": [asdict(each) for each in explained]})


def _lines(entry: ErrorCode) -> list[str]:
    example = [f"    {line}" for line in entry.example.splitlines()]
    return [
        f"{entry.code}: {entry.title}",
        "",
        f"Cause: {entry.cause}",
        "",
        "Example:",
        *example,
        "",
        f"Remedy: {entry.remedy}",
    ]


def _unknown(code: str) -> Diagnostic:
    hint = did_you_mean(code.upper(), declared_codes())
    return Diagnostic(
        "CLI020",
        f"'{code}' is not an error code",
        hint=hint or "codes have three letters and three digits, such as CAN027",
    )
