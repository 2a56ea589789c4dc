"""Reading and writing of the files in which state spaces are saved: a JSON header and memory-mapped
arrays.

``docs/reference/saved_spaces.md`` describes the format byte by byte. Checksums cover the whole
file, so that damage is detected before any content is used. Nothing in the file is ever executed.
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
from volition.kernel.header_schema import ListSchema, NaturalSchema, RecordSchema, TextSchema, fits

__all__ = ["ArrayFile", "corrupt_file_error", "encode", "open_array_file"]

VERSION = 2
"""Version of the file format of saved state spaces. Files of other versions are rejected."""

MAX_HEADER_BYTES = 2**30
"""Maximum size of the JSON header of a saved state space. Parsing it takes several times its size
in memory."""

Arrays = Mapping[str, npt.NDArray[Any]]

_MAGIC = b"volition space\r\n"  # text-mode transfers corrupt \r\n, which is then detected
# Magic bytes, version, padding, length of the header, checksum of the header.
_PREAMBLE = struct.Struct("<16sIIQ32s")
_ALIGNMENT = 64
_TYPES = {each: np.dtype(each) for each in ("<u1", "<u2", "<u4", "<u8")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_SECTION = RecordSchema(
    {
        "name": TextSchema(),
        "type": TextSchema(),
        "count": NaturalSchema(),
        "offset": NaturalSchema(),
        "sha256": TextSchema(),
    }
)
_FILLER = b"\0" * _ALIGNMENT


@dataclass(frozen=True, slots=True)
class ArrayFile:
    """Opened file of a saved state space: its JSON header, and read-only memory-mapped arrays."""

    path: Path
    header: Mapping[str, Any]
    arrays: Arrays


def corrupt_file_error(path: Path, what: str) -> InputError:
    """Return the error to raise for a damaged file of a saved state space; ``what`` describes the
    damage."""
    hint = "copy the file again from its source, or explore the program and save its states again"
    return InputError([Diagnostic("SPC003", f"'{path}' is damaged: {what}", hint=hint)])


# --- writing --------------------------------------------------------------------------------------


def encode(header: Mapping[str, Any], arrays: Arrays) -> Iterator[bytes | memoryview]:
    """Yield the bytes of a file with this header and these arrays in pieces, without copying the
    arrays.

    Raise :class:`InputError` if the header is larger than :data:`MAX_HEADER_BYTES`.
    """
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
            f"the header of the file would take {len(text)} bytes; the maximum is "
            f"{MAX_HEADER_BYTES}"
        )
        raise InputError(
            [Diagnostic("SPC004", message, hint="explore and save a smaller part of the program")]
        )
    yield _PREAMBLE.pack(_MAGIC, VERSION, 0, len(text), hashlib.sha256(text).digest())
    yield text
    for array in plain.values():
        yield array.data
        yield _FILLER[: _aligned(array.nbytes) - array.nbytes]


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT


def _checksums(arrays: Arrays) -> list[str]:
    """Return the SHA-256 checksum of each array. They are computed in parallel, because an array
    can have gigabytes."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda array: hashlib.sha256(array.data).hexdigest(), arrays.values()))


# --- reading --------------------------------------------------------------------------------------


def open_array_file(path: Path) -> ArrayFile:
    """Open the file of a saved state space and verify the checksums of its header and arrays.

    Raise :class:`InputError` if the file has another format or another format version, or is
    damaged.
    """
    try:
        with path.open("rb") as file:
            preamble = file.read(_PREAMBLE.size)
            if not preamble.startswith(_MAGIC):
                _raise_for_other_format(path, preamble)
            if len(preamble) < _PREAMBLE.size:
                raise corrupt_file_error(path, "it is truncated")
            _, version, _, length, checksum = _PREAMBLE.unpack(preamble)
            if version != VERSION:
                message = (
                    f"'{path}' has format version {version}; this version of volition reads "
                    f"version {VERSION}"
                )
                hint = (
                    "open it with a newer version of volition"
                    if version > VERSION
                    else "explore the program again and save the space"
                )
                raise InputError([Diagnostic("SPC002", message, hint=hint)])
            content = np.frombuffer(
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), dtype=np.uint8
            )
    except OSError as error:
        raise InputError(
            [Diagnostic("SPC001", f"cannot read '{path}': {error.strerror or error}")]
        ) from None
    start = _PREAMBLE.size + length
    if start > len(content):
        raise corrupt_file_error(path, "it is truncated")
    if start % _ALIGNMENT or length > MAX_HEADER_BYTES:
        raise corrupt_file_error(path, f"its header has {length} bytes")
    text = content[_PREAMBLE.size : start]
    if hashlib.sha256(text.data).digest() != checksum:
        raise corrupt_file_error(path, "the checksum of its header is wrong")
    return _opened(path, _header(path, text.data), content[start:])


def _header(path: Path, text: memoryview) -> Mapping[str, Any]:
    """Return the parsed JSON header of a file. Raise :class:`InputError` if the text is not JSON,
    contains NaN or infinity, or does not list the sections of the file."""
    try:
        header = json.loads(
            str(text, "ascii"), parse_constant=_raise_for_constant, parse_float=_finite
        )
    except (ValueError, RecursionError):
        raise corrupt_file_error(path, "its header is not JSON with finite numbers") from None
    if not isinstance(header, dict) or not fits(header.get("sections"), ListSchema(_SECTION)):
        raise corrupt_file_error(path, "its header does not list its sections")
    return header


def _raise_for_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _raise_for_other_format(path: Path, begin: bytes) -> NoReturn:
    what = "is empty" if not begin else "is not a saved state space"
    hint = "save_space writes one"
    raise InputError([Diagnostic("SPC001", f"'{path}' {what}", hint=hint)])


def _opened(path: Path, header: Mapping[str, Any], content: npt.NDArray[np.uint8]) -> ArrayFile:
    """Return the opened file with an array for each section that its header lists.

    Raise :class:`InputError` unless the sections have unique names and correct checksums, follow
    each other without gaps, and fill the file exactly.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    end = 0
    for section in header["sections"]:
        name, dtype = section["name"], _TYPES.get(section["type"])
        if dtype is None:
            raise corrupt_file_error(path, f"its section '{name}' has an unknown type")
        if name in arrays or section["offset"] != end:
            raise corrupt_file_error(path, f"its section '{name}' is out of order")
        size = section["count"] * dtype.itemsize
        if end + _aligned(size) > len(content):
            raise corrupt_file_error(path, "it is truncated")
        arrays[name] = content[end : end + size].view(dtype)
        end += _aligned(size)
    if end != len(content):
        raise corrupt_file_error(path, "there is data after its last section")
    for section, checksum in zip(header["sections"], _checksums(arrays), strict=True):
        if section["sha256"] != checksum:
            raise corrupt_file_error(
                path, f"the checksum of its section '{section['name']}' is wrong"
            )
    return ArrayFile(path, header, arrays)
