"""Whose code may run, on the command line: an option, a variable, folders that the user chose once
and for all, or a question."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from volition.atomic_files import write_atomically
from volition.diagnostics import Diagnostic, InputError, escape_control_characters
from volition.languages.common.trust import FULL_TRUST, TrustPolicy

__all__ = ["VARIABLE", "is_allowed", "listed", "load_trusted", "save_trusted", "trust_policy"]

VARIABLE = "VOLITION_TRUST"
MAX_BYTES = 2**20
"""Of the list of trusted folders."""
_HINT = (
    "if you trust its author, use --trust for this once, or 'volition trust DIR' from now on, "
    f"or set {VARIABLE} to its folder"
)


def trust_policy(*, always: bool, may_ask: bool) -> TrustPolicy:
    """What the user has allowed: everything with ``always``; a question is asked only where
    somebody can answer."""
    return (
        FULL_TRUST
        if always
        else TrustPolicy(
            lambda folder: is_allowed(folder) or (may_ask and _ask_user(folder)), _HINT
        )
    )


def is_allowed(folder: Path) -> bool:
    """Whether the user has said before that code in a folder, by its real path, may run."""
    return any(
        folder.is_relative_to(each) for each in (*_trusted_from_environment(), *load_trusted())
    )


def _trusted_from_environment() -> list[Path]:
    """The folders in the variable, separated as those of PATH; ``1`` stands for all."""
    value = os.environ.get(VARIABLE, "")
    return (
        [Path("/")]
        if value == "1"
        else [Path(os.path.realpath(each)) for each in value.split(os.pathsep) if each]
    )


def _ask_user(folder: Path) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    click.echo(
        escape_control_characters(
            f"The program contains code in '{folder}', which would run with all your permissions."
        ),
        err=True,
    )
    prop = "Let it run? [y]es, this once, [a]lways from this folder, [n]o"
    answer = click.prompt(
        prop, type=click.Choice(["y", "a", "n"]), default="n", show_choices=False, err=True
    )
    if answer == "a":
        save_trusted([*listed(), folder])
    return bool(answer != "n")


# --- what is remembered ---------------------------------------------------------------------------


def load_trusted() -> list[Path]:
    """Return the trusted folders; a list that is damaged or that other users can change trusts no
    folder."""
    try:
        return listed()
    except InputError:
        return []


def listed() -> list[Path]:
    """Return the trusted folders; raises :class:`InputError` where the list is damaged or other
    users can change it."""
    file = _file()
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            raise _unusable(
                file,
                "it is not a list that Volition wrote",
                "remove it, and trust the folders again",
            )
        if status.st_uid not in (os.geteuid(), 0) or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            raise _unusable(
                file,
                "other users can change it",
                f"look at the folders in it, then: chown $USER '{file}'; chmod 600 '{file}'",
            )
        folders = json.loads(file.read_text(encoding="utf-8"))["folders"]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unusable(
            file,
            error.strerror or str(error),
            "make it readable, or remove it and trust the folders again",
        ) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        folders = None
    if not isinstance(folders, list) or not all(
        isinstance(each, str) and _is_absolute(each) for each in folders
    ):
        raise _unusable(
            file, "it is damaged", "repair it, or remove it and trust the folders again"
        )
    return [Path(each) for each in folders]


def save_trusted(folders: Iterable[Path]) -> None:
    """Trust these folders, by their real paths, and no others; the file is written whole or not at
    all, and only its owner can change it.

    The paths are not resolved again: a folder that was replaced by a link since then does not make
    trusted what the link leads to.
    """
    file = _file()
    text = json.dumps({"folders": sorted({str(each) for each in folders})}, indent=2) + "\n"
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically({file: text.encode()})
        file.chmod(0o600)
    except OSError as error:
        raise InputError(
            [Diagnostic("CLI004", f"cannot write '{file}': {error.strerror or error}")]
        ) from None


def _is_absolute(folder: str) -> bool:
    """Whether a text is the real path of a folder as :func:`remember` writes it."""
    try:
        os.fsencode(folder)
    except UnicodeEncodeError:
        return False
    return "\0" not in folder and os.path.isabs(folder) and os.path.normpath(folder) == folder


def _unusable(file: Path, why: str, hint: str) -> InputError:
    return InputError(
        [
            Diagnostic(
                "CLI016", f"the list of trusted folders '{file}' is not used: {why}", hint=hint
            )
        ]
    )


def _file() -> Path:
    configuration = os.environ.get("XDG_CONFIG_HOME", "")
    return (
        (Path(configuration) if os.path.isabs(configuration) else Path.home() / ".config")
        / "volition"
        / "trusted.json"
    )
