"""Validation of data read from JSON against a simple schema.

A schema is a tuple of types, a list with the schema of each element, or a mapping from keys to
schemas, where the key ``None`` stands for any key.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

__all__ = ["schema_error"]

_TYPE_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def schema_error(
    data: Any, shape: Any, where: str, *, optional: Collection[str] = ()
) -> str | None:
    """Return an error message if the data does not match the schema ``shape``, otherwise None.
    ``where`` is the name of the data in the message. Keys in ``optional`` may be missing; extra
    keys are allowed."""
    if isinstance(shape, tuple):
        return (
            None
            if _has_type(data, shape)
            else f"'{where}' is not {' or '.join(_TYPE_NAMES[kind] for kind in shape)}"
        )
    if isinstance(shape, list):
        if not isinstance(data, list):
            return f"'{where}' is not a list"
        parts = [(each, shape[0], f"{where} {number}") for number, each in enumerate(data, start=1)]
    else:
        if not isinstance(data, Mapping):
            return f"'{where}' is not an object"
        missing = [
            key for key in shape if key is not None and key not in data and key not in optional
        ]
        if missing:
            return f"'{where}' has no key '{missing[0]}'"
        keys = data if None in shape else [key for key in shape if key in data]
        parts = [
            (data[key], shape[None] if None in shape else shape[key], f"{where}.{key}")
            for key in keys
        ]
    return next(
        (found for part in parts if (found := schema_error(*part, optional=optional))), None
    )


def _has_type(data: Any, kinds: tuple[type, ...]) -> bool:
    """Return whether the data has one of the types ``kinds``. Unlike in Python, a truth value does
    not count as a number; an integer counts as a float."""
    if object in kinds:
        return True
    return (
        isinstance(data, bool) and bool in kinds
        if isinstance(data, bool)
        else isinstance(data, (*kinds, int) if float in kinds else kinds)
    )
