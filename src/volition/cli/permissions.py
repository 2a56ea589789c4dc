"""Permission for programs to run their own code: by an option, an environment variable, the list of
trusted folders, or a prompt."""

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
"""Maximum size in bytes of the file that lists the trusted folders."""
_HINT = (
    "if you trust its author, use --trust for this command, 'volition trust DIR' for all commands, "
    f"or set {VARIABLE} to its folder"
)


def trust_policy(*, always: bool, may_ask: bool) -> TrustPolicy:
    """Return the policy that decides whether programs may run their own code. With ``always`` all
    may; otherwise those in trusted folders and, with ``may_ask``, in folders that the user allows
    at a prompt."""
    return (
        FULL_TRUST
        if always
        else TrustPolicy(
            lambda folder: is_allowed(folder) or (may_ask and _ask_user(folder)), _HINT
        )
    )


def is_allowed(folder: Path) -> bool:
    """Return whether a folder, given by its real path, is trusted by the environment variable or by
    the list of trusted folders."""
    return any(
        folder.is_relative_to(each) for each in (*_trusted_from_environment(), *load_trusted())
    )


def _trusted_from_environment() -> list[Path]:
    """Return the folders in the environment variable ``VOLITION_TRUST``, separated like those in
    PATH; ``1`` means all folders."""
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
    question = "Allow it to run? [y]es, this time; [a]lways from this folder; [n]o"
    answer = click.prompt(
        question, type=click.Choice(["y", "a", "n"]), default="n", show_choices=False, err=True
    )
    if answer == "a":
        save_trusted([*listed(), folder])
    return bool(answer != "n")


# --- the list of trusted folders ------------------------------------------------------------------


def load_trusted() -> list[Path]:
    """Return the folders in the list of trusted folders; none if the list is damaged or other users
    can change it."""
    try:
        return listed()
    except InputError:
        return []


def listed() -> list[Path]:
    """Return the folders in the list of trusted folders.

    Raise :class:`InputError` if the list is damaged or other users can change it.
    """
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
                f"check the folders in it, then: chown $USER '{file}'; chmod 600 '{file}'",
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
    """Replace the list of trusted folders, given by their real paths.

    The file is written completely or not at all, and only its owner can change it. The paths are
    not resolved again, so that a folder that was replaced by a link does not make the target of the
    link trusted.
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
    """Return whether a text is a normalised absolute path, as :func:`save_trusted` writes it."""
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
