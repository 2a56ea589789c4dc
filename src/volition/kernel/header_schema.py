"""Schemas for untrusted JSON data, such as the header of a saved state space.

A schema lists the permitted types. Data is checked against it before any value is used.
"""

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
    """Schema of the JSON value ``null``."""


@dataclass(frozen=True, slots=True)
class Text:
    """Schema of any JSON string."""


@dataclass(frozen=True, slots=True)
class Natural:
    """Schema of JSON integers that are not negative. ``true`` and ``false`` do not match."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """Schema of JSON lists whose items all match one schema."""

    item: Shape


@dataclass(frozen=True, slots=True)
class DictOf:
    """Schema of JSON objects with arbitrary keys, whose values all match one schema."""

    value: Shape


@dataclass(frozen=True, slots=True)
class Record:
    """Schema of JSON objects that have at least the given keys, each with a value that matches the
    schema of its key."""

    fields: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class Either:
    """Schema of JSON data that matches at least one of several schemas."""

    options: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class AnyData:
    """Schema of any JSON data. Use it only for fields that are shown to people and never evaluated."""


Shape = Null | Text | Natural | ListOf | DictOf | Record | Either | AnyData


def fits(value: Any, shape: Shape) -> bool:
    """Return whether parsed JSON data matches a schema."""
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
