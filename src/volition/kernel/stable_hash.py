"""Hashes of values that are the same in every process."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from hashlib import blake2b

from volition.diagnostics import Source

__all__ = ["full_stable_hash", "stable_hash"]


def stable_hash(value: object) -> int:
    """Return a 64-bit hash that is the same in every process, unlike the result of ``hash``.

    Different values may collide. All values of a class that is neither built in nor a dataclass
    have the same hash, and so have values of one class that are nested too deeply.
    """
    return full_stable_hash(value) or int.from_bytes(_digested(value, b""), "big")


def full_stable_hash(value: object) -> int | None:
    """Return the stable hash of a value, or None if the value is nested too deeply to be hashed
    completely."""
    try:
        return int.from_bytes(_digest(value), "big")
    except RecursionError:
        return None


def _digest(value: object) -> bytes:
    match value:
        case None | bool() | int() | float() | Fraction() | str():
            content = repr(value).encode("utf-8", "surrogatepass")
        case Enum():
            content = value.name.encode()
        case tuple():
            content = b"".join(map(_digest, value))
        case frozenset():
            content = b"".join(sorted(map(_digest, value)))
        case Source():
            content = b""  # the location of a program file does not count
        case _ if is_dataclass(value):
            content = b"".join(
                _digest(getattr(value, each.name)) for each in fields(value) if each.compare
            )
        case _:
            content = b""
    return _digested(value, content)


def _digested(value: object, content: bytes) -> bytes:
    return blake2b(type(value).__qualname__.encode() + b"\0" + content, digest_size=8).digest()
