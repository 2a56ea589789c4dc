"""A file of a JSON header and raw arrays, which are used where they lie:
``docs/reference/saved_spaces.md`` describes it byte by byte.

Everything in the file is covered by checksums, so damage is noticed before anything is believed;
nothing in it is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import struct
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from volition.diagnostics import Diagnostic, InputError
from volition.kernel.header_schema import ListOf, Natural, Record, Text, fits

__all__ = ["ArrayFile", "corrupt_file_error", "encode", "open_array_file"]

VERSION = 1
"""Of the format; a program that knows an older one only must not guess."""

MAX_HEADER_BYTES = 2**30
"""Of a header: reading one takes several times its size in memory."""

Arrays = Mapping[str, npt.NDArray[Any]]

_MAGIC = b"volition space\r\n"  # a transfer as text would change it
_PREAMBLE = struct.Struct(
    "<16sIIQ32s"
)  # magic, version, nothing, length of the header, checksum of the header
_ALIGNMENT = 64
_TYPES = {each: np.dtype(each) for each in ("<u1", "<u2", "<u4", "<u8")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_SECTION = Record(
    {"name": Text(), "type": Text(), "count": Natural(), "offset": Natural(), "sha256": Text()}
)
_FILLER = b"\0" * _ALIGNMENT


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """A file that was opened: its header, and its arrays, mapped into memory and read-only."""

    path: Path
    header: Mapping[str, Any]
    arrays: Arrays


def corrupt_file_error(path: Path, what: str) -> InputError:
    """What to raise for a file that is not as it was written."""
    hint = "get it again from where it came from, or explore the program and save its states again"
    return InputError([Diagnostic("SPC003", f"'{path}' is damaged: {what}", hint=hint)])


# --- writing --------------------------------------------------------------------------------------


def encode(header: Mapping[str, Any], arrays: Arrays) -> Iterator[bytes | memoryview]:
    """The content of a file, piece by piece, without a copy of the arrays."""
    plain = {
        name: np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        for name, array in arrays.items()
    }
    sections, end = [], 0
    for (name, array), checksum in zip(plain.items(), _checksums(plain), strict=True):
        sections.append(
            {
                "name": name,
                "type": _NAMES[array.dtype],
                "count": len(array),
                "offset": end,
                "sha256": checksum,
            }
        )
        end += _aligned(array.nbytes)
    text = json.dumps({**header, "sections": sections}, indent=1).encode("ascii")
    text += b" " * (_aligned(_PREAMBLE.size + len(text)) - _PREAMBLE.size - len(text))
    if len(text) > MAX_HEADER_BYTES:
        message = (
            f"the values of the slots in words take {len(text)} bytes, and a file has room "
            f"for {MAX_HEADER_BYTES}"
        )
        raise InputError(
            [Diagnostic("SPC004", message, hint="explore a part of the program, and save that")]
        )
    yield _PREAMBLE.pack(_MAGIC, VERSION, 0, len(text), hashlib.sha256(text).digest())
    yield text
    for array in plain.values():
        yield array.data
        yield _FILLER[: _aligned(array.nbytes) - array.nbytes]


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _checksums(arrays: Arrays) -> list[str]:
    """One for each array; several are computed at the same time, which matters where they have
    gigabytes."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda array: hashlib.sha256(array.data).hexdigest(), arrays.values()))


# --- reading --------------------------------------------------------------------------------------


def open_array_file(path: Path) -> ArrayFile:
    """The header and the arrays of a file; raises :class:`InputError` for one that is no such file,
    newer than this program, or damaged."""
    try:
        with path.open("rb") as file:
            preamble = file.read(_PREAMBLE.size)
            if not preamble.startswith(_MAGIC):
                _refuse_foreign(path, preamble)
            if len(preamble) < _PREAMBLE.size:
                raise corrupt_file_error(path, "it ends in the middle")
            _, version, _, length, checksum = _PREAMBLE.unpack(preamble)
            if version > VERSION:
                message = (
                    f"'{path}' has version {version} of its format, and version {VERSION} is "
                    "the latest that is known here"
                )
                raise InputError(
                    [Diagnostic("SPC002", message, hint="open it with a newer version of volition")]
                )
            content = np.frombuffer(
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8
            )
    except OSError as error:
        raise InputError(
            [Diagnostic("SPC001", f"cannot read '{path}': {error.strerror or error}")]
        ) from None
    start = _PREAMBLE.size + length
    if start > len(content):
        raise corrupt_file_error(path, "it ends in the middle")
    if start % _ALIGNMENT or length > MAX_HEADER_BYTES:
        raise corrupt_file_error(path, f"its header has {length} bytes")
    text = content[_PREAMBLE.size : start]
    if hashlib.sha256(text.data).digest() != checksum:
        raise corrupt_file_error(path, "the checksum of its header is wrong")
    return _opened(path, _header(path, text.data), content[start:])


def _header(path: Path, text: memoryview) -> Mapping[str, Any]:
    """The header, in which all numbers are finite."""
    try:
        header = json.loads(
            str(text, "ascii"), parse_constant=_refuse_constant, parse_float=_finite
        )
    except (ValueError, RecursionError):
        raise corrupt_file_error(path, "its header is not JSON with finite numbers") from None
    if not isinstance(header, dict) or not fits(header.get("sections"), ListOf(_SECTION)):
        raise corrupt_file_error(path, "its header does not describe its parts")
    return header


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _refuse_foreign(path: Path, begin: bytes) -> NoReturn:
    what = "is empty" if not begin else "is not a saved state space"
    hint = "save_space writes one"
    raise InputError([Diagnostic("SPC001", f"'{path}' {what}", hint=hint)])


def _opened(path: Path, header: Mapping[str, Any], content: npt.NDArray[np.uint8]) -> ArrayFile:
    """The parts of a file: one behind the other, each named once, and nothing behind the last."""
    arrays: dict[str, npt.NDArray[Any]] = {}
    end = 0
    for section in header["sections"]:
        name, dtype = section["name"], _TYPES.get(section["type"])
        if dtype is None:
            raise corrupt_file_error(path, f"its part '{name}' has a type that is not known here")
        if name in arrays or section["offset"] != end:
            raise corrupt_file_error(path, f"its part '{name}' is not behind the others")
        size = section["count"] * dtype.itemsize
        if end + _aligned(size) > len(content):
            raise corrupt_file_error(path, "it ends in the middle")
        arrays[name] = content[end : end + size].view(dtype)
        end += _aligned(size)
    if end != len(content):
        raise corrupt_file_error(path, "it goes on behind its last part")
    for section, checksum in zip(header["sections"], _checksums(arrays), strict=True):
        if section["sha256"] != checksum:
            raise corrupt_file_error(path, f"the checksum of its part '{section['name']}' is wrong")
    return ArrayFile(path, header, arrays)
