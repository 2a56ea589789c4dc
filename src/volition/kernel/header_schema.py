"""Shapes of JSON data that comes from outside: an allow-list of types, checked before a value is
used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

__all__ = [
    "AnyData",
    "DictOf",
    "Either",
    "ListOf",
    "Natural",
    "Null",
    "Record",
    "Shape",
    "Text",
    "fits",
]


@dataclass(frozen=True, slots=True)
class Null:
    """The value null."""


@dataclass(frozen=True, slots=True)
class Text:
    """A string."""


@dataclass(frozen=True, slots=True)
class Natural:
    """A whole number that is not negative; true and false are not numbers."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list whose items all have one shape."""

    item: Shape


@dataclass(frozen=True, slots=True)
class DictOf:
    """An object with any keys, whose values all have one shape."""

    value: Shape


@dataclass(frozen=True, slots=True)
class Record:
    """An object with at least these keys, each with its shape."""

    fields: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class Either:
    """Data of one of several shapes."""

    options: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class AnyData:
    """Data that is only for people: its value is not used."""


Shape = Null | Text | Natural | ListOf | DictOf | Record | Either | AnyData


def fits(value: Any, shape: Shape) -> bool:
    """Return whether data has a shape."""
    match shape:
        case Null():
            return value is None
        case Text():
            return isinstance(value, str)
        case Natural():
            return type(value) is int and value >= 0
        case ListOf(item):
            return isinstance(value, list) and all(fits(each, item) for each in value)
        case DictOf(inner):
            return isinstance(value, dict) and all(fits(each, inner) for each in value.values())
        case Record(fields):
            return isinstance(value, dict) and all(
                name in value and fits(value[name], inner) for name, inner in fields.items()
            )
        case Either(options):
            return any(fits(value, option) for option in options)
        case AnyData():
            return True
        case _:
            assert_never(shape)
