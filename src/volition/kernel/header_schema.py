"""Schemas for untrusted JSON data, such as the header of a saved state space.

A schema lists the permitted types. Data is checked against it before any value is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, assert_never

__all__ = [
    "AnySchema",
    "DictSchema",
    "ListSchema",
    "NaturalSchema",
    "NullSchema",
    "RecordSchema",
    "Shape",
    "TextSchema",
    "UnionSchema",
    "fits",
]


@dataclass(frozen=True, slots=True)
class NullSchema:
    """Schema of the JSON value ``null``."""


@dataclass(frozen=True, slots=True)
class TextSchema:
    """Schema of any JSON string."""


@dataclass(frozen=True, slots=True)
class NaturalSchema:
    """Schema of JSON integers that are not negative. ``true`` and ``false`` do not match."""


@dataclass(frozen=True, slots=True)
class ListSchema:
    """Schema of JSON lists whose items all match one schema."""

    item: Shape


@dataclass(frozen=True, slots=True)
class DictSchema:
    """Schema of JSON objects with arbitrary keys, whose values all match one schema."""

    value: Shape


@dataclass(frozen=True, slots=True)
class RecordSchema:
    """Schema of JSON objects that have at least the given keys, each with a value that matches the
    schema of its key."""

    fields: Mapping[str, Shape]


@dataclass(frozen=True, slots=True)
class UnionSchema:
    """Schema of JSON data that matches at least one of several schemas."""

    options: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class AnySchema:
    """Schema of any JSON data. Use it only for fields that are shown but never evaluated."""


Shape = (
    NullSchema
    | TextSchema
    | NaturalSchema
    | ListSchema
    | DictSchema
    | RecordSchema
    | UnionSchema
    | AnySchema
)


def fits(value: Any, shape: Shape) -> bool:
    """Return whether parsed JSON data matches a schema."""
    match shape:
        case NullSchema():
            return value is None
        case TextSchema():
            return isinstance(value, str)
        case NaturalSchema():
            return type(value) is int and value >= 0
        case ListSchema(item):
            return isinstance(value, list) and all(fits(each, item) for each in value)
        case DictSchema(inner):
            return isinstance(value, dict) and all(fits(each, inner) for each in value.values())
        case RecordSchema(fields):
            return isinstance(value, dict) and all(
                name in value and fits(value[name], inner) for name, inner in fields.items()
            )
        case UnionSchema(options):
            return any(fits(value, option) for option in options)
        case AnySchema():
            return True
        case _:
            assert_never(shape)
