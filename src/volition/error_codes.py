"""Error codes with their explanations: what a code means, its cause, an example and the remedy.

Each package declares the codes of its diagnostics in a file ``error_codes.toml``. The files are
read when an explanation is requested; reporting a diagnostic does not need them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

__all__ = ["DECLARATIONS", "ErrorCode", "declared_codes", "declared_in", "explanation_of"]

DECLARATIONS = "error_codes.toml"
"""Name of the file in which a package declares its error codes."""


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """Explanation of one error code. ``example`` is an input or a command that produces the error."""

    code: str
    title: str
    cause: str
    example: str
    remedy: str


@cache
def declared_codes() -> Mapping[str, ErrorCode]:
    """Return the explanations of all error codes, sorted by code.

    If several packages declare a code, the declaration in the first file, in alphabetical order of
    paths, is used.
    """
    found: dict[str, ErrorCode] = {}
    for file in sorted(Path(__file__).parent.rglob(DECLARATIONS)):
        for each in declared_in(file):
            found.setdefault(each.code, each)
    return dict(sorted(found.items()))


def declared_in(file: Path) -> Iterator[ErrorCode]:
    """Yield the explanation of each error code that an ``error_codes.toml`` file declares."""
    for code, entry in tomllib.loads(file.read_text(encoding="utf-8")).items():
        texts = {name: text.strip("\n") for name, text in entry.items()}
        yield ErrorCode(code, **texts)


def explanation_of(code: str) -> ErrorCode | None:
    """Return the explanation of an error code, written in upper or lower case; None if no package
    declares the code."""
    return declared_codes().get(code.upper())
