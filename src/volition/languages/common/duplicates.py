"""What is written twice, and what is written in two ways: hardly ever meant, in whatever
language."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

from volition.diagnostics import Diagnostic, Diagnostics, Span

__all__ = ["DiagnosticDeduplicator", "duplicates", "warn_similar_names"]

T = TypeVar("T")


def duplicates(items: Sequence[tuple[Hashable, T]]) -> Iterator[tuple[T, T]]:
    """Each item whose key was there before, with the first one of that key."""
    first: dict[Hashable, T] = {}
    for key, item in items:
        if key in first:
            yield item, first[key]
        first.setdefault(key, item)


def warn_similar_names(
    what: str, names: Sequence[tuple[str, Span | None]], diagnostics: Diagnostics
) -> None:
    """Warn of names of one kind that differ by no more than case, underscores and hyphens, where
    the second is first used."""
    spelt: dict[str, list[str]] = {}
    for name, span in names:
        known = spelt.setdefault(re.sub(r"[_-]", "", name).lower(), [])
        if known and name not in known:
            hint = (
                "give them the same name, or names that differ by more than case, underscores "
                "and hyphens"
            )
            diagnostics.warning(
                "LNG009",
                f"the {what} '{name}' is not the same as the {what} '{known[0]}'",
                span,
                hint=hint,
            )
        known.append(name)


class DiagnosticDeduplicator:
    """Diagnostics about agents, of which several may run one program.

    A mistake in it is told once, and so is a warning, though it may be worded for one of the
    agents.
    """

    def __init__(self, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._told = set(map(_key, diagnostics))

    def add(self, found: Diagnostics) -> None:
        """Adds what was found about one more agent."""
        self._diagnostics.extend([each for each in found if _key(each) not in self._told])
        self._told |= set(map(_key, found))


def _key(diagnostic: Diagnostic) -> tuple[str, Span | None, str]:
    """What diagnostics of several agents have in common that say the same."""
    return (
        diagnostic.code,
        diagnostic.span,
        diagnostic.message if diagnostic.severity == "error" else "",
    )
