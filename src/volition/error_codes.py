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
"""Name of the file in which a package declares its codes."""


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """Meaning of one error code. ``example`` is an input or a command that produces it."""

    code: str
    title: str
    cause: str
    example: str
    remedy: str


@cache
def declared_codes() -> Mapping[str, ErrorCode]:
    """Return every declared code, sorted; the first declaration wins where packages clash."""
    found: dict[str, ErrorCode] = {}
    for file in sorted(Path(__file__).parent.rglob(DECLARATIONS)):
        for each in declared_in(file):
            found.setdefault(each.code, each)
    return dict(sorted(found.items()))


def declared_in(file: Path) -> Iterator[ErrorCode]:
    """Yield the codes that one file declares."""
    for code, entry in tomllib.loads(file.read_text(encoding="utf-8")).items():
        texts = {name: text.strip("\n") for name, text in entry.items()}
        yield ErrorCode(code, **texts)


def explanation_of(code: str) -> ErrorCode | None:
    """Return the meaning of a code, in any case of letters; None if it is not declared."""
    return declared_codes().get(code.upper())
