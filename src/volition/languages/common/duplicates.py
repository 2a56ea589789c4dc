"""Lint checks shared by all languages: duplicate items, names that are spelt almost alike, and
deduplication of diagnostics."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

from volition.diagnostics import Diagnostic, Diagnostics, Span

__all__ = ["DiagnosticDeduplicator", "duplicates", "warn_similar_names"]

T = TypeVar("T")


def duplicates(items: Sequence[tuple[Hashable, T]]) -> Iterator[tuple[T, T]]:
    """Yield a pair for every item whose key occurred before: the repeated item, and the first item
    with that key.

    ``items`` are pairs of a key and an item.
    """
    first: dict[Hashable, T] = {}
    for key, item in items:
        if key in first:
            yield item, first[key]
        first.setdefault(key, item)


def warn_similar_names(
    what: str, names: Sequence[tuple[str, Span | None]], diagnostics: Diagnostics
) -> None:
    """Warn about names that differ only in case, underscores and hyphens.

    The warning points at the first use of the second spelling. ``what`` is the kind of name in the
    message, such as ``belief``.
    """
    spellings: dict[str, list[str]] = {}
    for name, span in names:
        known = spellings.setdefault(re.sub(r"[_-]", "", name).lower(), [])
        if known and name not in known:
            hint = "if they mean the same, use one name; if not, use names that differ more clearly"
            diagnostics.warning(
                "LNG009",
                f"'{name}' and '{known[0]}' are two different {what}s, although the names differ "
                "only in case, underscores or hyphens",
                span,
                hint=hint,
            )
        known.append(name)


class DiagnosticDeduplicator:
    """Collector of diagnostics about agents that share a program. It drops duplicates.

    Errors are duplicates if their codes, spans and messages are equal. Warnings are duplicates if
    their codes and spans are equal, because their messages may name different agents.
    """

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._reported = set(map(_key, diagnostics))

    def add(self, found: Diagnostics) -> None:
        """Add the diagnostics about one agent, except those already reported for an earlier
        agent."""
        self._diagnostics.extend([each for each in found if _key(each) not in self._reported])
        self._reported |= set(map(_key, found))


def _key(diagnostic: Diagnostic) -> tuple[str, Span | None, str]:
    """Return a key that is equal for duplicate diagnostics. It consists of the code, the span and,
    for an error, the message."""
    return (
        diagnostic.code,
        diagnostic.span,
        diagnostic.message if diagnostic.severity == "error" else "",
    )
