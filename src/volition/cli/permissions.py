"""Whose code may run, on the command line: an option, a variable, folders that the user chose once and for all, or a question."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from volition.diagnostics import Diagnostic, InputError, visible
from volition.files import write_whole
from volition.languages.kit.trust import FULL_TRUST, Trust

__all__ = ["VARIABLE", "granted", "is_allowed", "remember", "remembered"]

VARIABLE = "VOLITION_TRUST"
_HINT = f"if you trust its author, use --trust for this once, or 'volition trust DIR' from now on, or set {VARIABLE} to its folder"


def granted(*, always: bool, may_ask: bool) -> Trust:
    """What the user has allowed: everything with ``always``; a question is asked only where somebody can answer."""
    return FULL_TRUST if always else Trust(lambda folder: is_allowed(folder) or (may_ask and _asked(folder)), _HINT)


def is_allowed(folder: Path) -> bool:
    """Whether the user has said before that code in a folder, by its real path, may run."""
    return any(folder.is_relative_to(each) for each in (*_of_variable(), *remembered()))


def _of_variable() -> list[Path]:
    """The folders in the variable, separated as those of PATH; ``1`` stands for all."""
    value = os.environ.get(VARIABLE, "")
    return [Path("/")] if value == "1" else [Path(os.path.realpath(each)) for each in value.split(os.pathsep) if each]


def _asked(folder: Path) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    click.echo(visible(f"The program contains code in '{folder}', which would run with all your permissions."), err=True)
    question = "Let it run? [y]es, this once, [a]lways from this folder, [n]o"
    answer = click.prompt(question, type=click.Choice(["y", "a", "n"]), default="n", show_choices=False, err=True)
    if answer == "a":
        remember([*remembered(), folder])
    return bool(answer != "n")


# --- what is remembered ----------------------------------------------------------------------------------------------


def remembered() -> list[Path]:
    """The folders that the user trusts, and all below them; a file that cannot be read trusts nobody."""
    try:
        folders = json.loads(_file().read_text(encoding="utf-8"))["folders"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return []
    return [Path(each) for each in folders if isinstance(each, str) and os.path.isabs(each)] if isinstance(folders, list) else []


def remember(folders: Iterable[Path]) -> None:
    """Trust these folders, and no others; the file is written whole or not at all, in a folder of its owner's."""
    file = _file()
    text = json.dumps({"folders": sorted({os.path.realpath(each) for each in folders})}, indent=2) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole({file: text.encode()})
    except OSError as error:
        raise InputError([Diagnostic("CLI004", f"cannot write '{file}': {error.strerror or error}")]) from None


def _file() -> Path:
    configuration = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(configuration) if os.path.isabs(configuration) else Path.home() / ".config") / "volition" / "trusted.json"
