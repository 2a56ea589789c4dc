"""Conversion of slot values to JSON data. The result does not depend on the iteration order of
Python sets."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

__all__ = ["to_json_value"]


def to_json_value(value: object) -> Any:
    """Return a slot value as JSON data. ``docs/reference/trace_format.md`` lists the conversions.

    A value with a notation in the language of the program becomes text in that notation, which is
    shorter and familiar to users.
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if type(value).__str__ is not object.__str__:
        return str(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {
            "class": type(value).__name__,
            **{name: to_json_value(each) for name, each in zip(value._fields, value, strict=True)},
        }
    if isinstance(value, tuple | list):
        return [to_json_value(each) for each in value]
    if isinstance(value, Set):
        return _ordered(to_json_value(each) for each in value)
    if isinstance(value, Mapping):
        return _ordered([to_json_value(key), to_json_value(each)] for key, each in value.items())
    if is_dataclass(value):
        compared = {
            field.name: to_json_value(getattr(value, field.name))
            for field in fields(value)
            if field.compare
        }
        return {"class": type(value).__name__, **compared}
    return type(value).__name__


def _ordered(items: Any) -> list[Any]:
    return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))
