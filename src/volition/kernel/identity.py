"""When two values are one value of a state.

Python says that ``True``, ``1``, ``1.0`` and ``Fraction(1)`` are equal, and so are ``(1,)`` and ``(True,)``.  A program can tell
them apart, so states that hold them are different states.
"""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["same"]

_PLAIN = frozenset({str, bytes, int, bool, type(None)})
"""Types whose values are the same where they are equal."""

_FIELDS: dict[type[Any], tuple[str, ...]] = {}
"""Of each class that was met, the fields to look at."""


def same(a: object, b: object) -> bool:
    """Whether two equal values are also of equal types, through tuples, frozen sets and frozen dataclasses, and zeros of one sign.

    Of a dataclass the fields count that its own ``==`` looks at.  Any other class decides by its ``==`` which of its objects are the same.
    """
    if a is b or (type(a) is type(b) and type(a) in _PLAIN):
        return True
    waiting = [(a, b)]  # not recursive: values can be nested deeply
    while waiting:
        a, b = waiting.pop()
        if a is b:
            continue
        kind = type(a)
        if kind is not type(b):
            return False
        if kind in _PLAIN:
            continue
        if isinstance(a, float) and isinstance(b, float):
            if math.copysign(1.0, a) != math.copysign(1.0, b):
                return False
        elif isinstance(a, complex) and isinstance(b, complex):
            waiting += [(a.real, b.real), (a.imag, b.imag)]
        elif isinstance(a, tuple) and isinstance(b, tuple):
            waiting += zip(a, b, strict=True)
        elif isinstance(a, frozenset) and isinstance(b, frozenset):
            theirs = {each: each for each in b}
            waiting += [(each, theirs[each]) for each in a]
        else:
            waiting += [(getattr(a, name), getattr(b, name)) for name in _compared_fields(a)]
    return True


def _compared_fields(value: object) -> tuple[str, ...]:
    """The names of the fields that the ``==`` of a dataclass looks at; none for any other class."""
    kind = type(value)
    if kind not in _FIELDS:
        compares = is_dataclass(kind) and kind.__dataclass_params__.eq  # type: ignore[attr-defined]
        _FIELDS[kind] = tuple(field.name for field in fields(kind) if field.compare) if compares else ()  # type: ignore[arg-type]
    return _FIELDS[kind]
