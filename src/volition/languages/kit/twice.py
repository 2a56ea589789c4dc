"""What is written twice, and what is written in two ways: hardly ever meant, in whatever language."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeVar

from volition.diagnostics import Diagnostics, Span

__all__ = ["again", "check_spellings"]

T = TypeVar("T")


def again(items: Sequence[tuple[Hashable, T]]) -> Iterator[tuple[T, T]]:
    """Each item whose key was there before, with the first one of that key."""
    first: dict[Hashable, T] = {}
    for key, item in items:
        if key in first:
            yield item, first[key]
        first.setdefault(key, item)


def check_spellings(what: str, names: Sequence[tuple[str, Span | None]], diagnostics: Diagnostics) -> None:
    """Warn of names of one kind that differ by no more than case, underscores and hyphens, where the second is first used."""
    spelt: dict[str, list[str]] = {}
    for name, span in names:
        known = spelt.setdefault(re.sub(r"[_-]", "", name).lower(), [])
        if known and name not in known:
            hint = "give them the same name, or names that differ by more than case, underscores and hyphens"
            diagnostics.warning("LNG009", f"the {what} '{name}' is not the same as the {what} '{known[0]}'", span, hint=hint)
        known.append(name)
