"""Falsified records: every value in a line of a record, changed one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

__all__ = ["falsified"]

Path = tuple[str | int, ...]

UNCHECKED = {"kind", "messages", "why", "q"}
"""What no model can say: what partners wrote, what sensors measured, what a selector computed."""

COMPLETE = {"slots", "beliefs", "plans", "percepts", "objects"}
"""Objects that are wrong when an item is missing."""


def falsified(line: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield copies of a line, each with another value in one place, or with an item less or more in
    a list or object."""
    for path in _places(line, ()):
        for value in _others(_at(line, path), path[-1]):
            other = deepcopy(line)
            _at(other, path[:-1])[path[-1]] = value
            yield path, other


def _places(value: Any, path: Path) -> Iterator[Path]:
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, each in items:
        if key not in UNCHECKED:
            yield (*path, key)
            yield from _places(each, (*path, key))


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def _others(value: Any, key: str | int) -> Iterator[Any]:
    match value:
        case bool():
            yield not value
        case int() | float():
            yield value + 1
        case str():
            yield value + "x"
        case None:
            yield "x"
        case list() if value:
            yield value[:-1]
            yield [*value, value[-1]]
        case dict() if value and key in COMPLETE:
            yield dict(list(value.items())[:-1])
