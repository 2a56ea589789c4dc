"""Reader of mission files in TOML, which reports every error with its position."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.common.trust import read_source
from volition.vessel.mission import Mission, mission_errors

__all__ = ["load_mission", "read_mission"]

_LINE = re.compile(
    r"^[ \t]*(?:\[[ \t]*(?P<table>[\w-]+)[ \t]*\]|(?P<key>[\w-]+)[ \t]*=)", re.MULTILINE
)
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


def load_mission(path: Path | str) -> Mission:
    """Read a mission from a file. Raise one :class:`InputError` with all errors of the file."""
    return read_mission(read_source(Path(path)))


def read_mission(source: Source) -> Mission:
    """Parse the text of a mission file. Raise one :class:`InputError` with all its errors."""
    try:
        tables = tomllib.loads(source.text)
    except ValueError as error:  # also for a number with too many digits
        raise InputError([_syntax_error(source, str(error))]) from None
    except RecursionError:
        raise InputError([_syntax_error(source, "brackets are nested too deeply")]) from None
    diagnostics = Diagnostics()
    places = _places(source)
    kinds = get_type_hints(Mission)
    parts = {}
    for name, table in tables.items():
        if name not in kinds:
            diagnostics.error(
                "VES002",
                f"unknown table '{name}' in a mission",
                places.get((name,)),
                hint=did_you_mean(name, kinds),
            )
        elif not isinstance(table, dict):
            diagnostics.error(
                "VES003",
                f"'{name}' must be a table: a line [{name}] and its keys below",
                places.get(("", name)),
            )
        else:
            parts[name] = _part(kinds[name], name, table, places, diagnostics)
    mission = Mission(**parts)
    for table, key, message in mission_errors(mission):
        diagnostics.error(
            "VES004", f"'{key}' {message}", places.get((table, key), places.get((table,)))
        )
    diagnostics.raise_errors()
    return mission


def _part(
    kind: type,
    name: str,
    table: Mapping[str, Any],
    places: Mapping[tuple[str, ...], Span],
    diagnostics: Diagnostics,
) -> Any:
    """Return one TOML table of a mission file as an object of the dataclass ``kind``. Invalid
    values are reported and replaced by their defaults, so that the other values can be checked."""
    hints = get_type_hints(kind)
    known = {each.name: hints[each.name] for each in fields(kind)}
    values = {}
    for key, value in table.items():
        place = places.get((name, key), places.get((name,)))
        if key not in known:
            diagnostics.error(
                "VES002",
                f"unknown key '{key}' in the table [{name}]",
                place,
                hint=did_you_mean(key, known),
            )
            continue
        try:
            values[key] = _converted(value, known[key])
        except TypeError as error:
            diagnostics.error("VES003", f"'{key}' must be {error}", place)
    return kind(**values)


def _converted(value: Any, kind: Any) -> Any:
    """Return a TOML value, converted to the Python type ``kind``. Raise :class:`TypeError` with a
    description of the expected type."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        if value not in arguments:
            raise TypeError(" or ".join(f'"{each}"' for each in arguments))
        return value
    if origin is UnionType:
        return _converted(value, next(each for each in arguments if each is not NoneType))
    if origin is tuple:
        many = arguments[-1] is Ellipsis
        if not isinstance(value, list) or not (many or len(value) == len(arguments)):
            raise TypeError("a list" if many else f"a list of {len(arguments)} values")
        kinds = [arguments[0]] * len(value) if many else arguments
        return tuple(_converted(each, item) for each, item in zip(value, kinds, strict=True))
    if (
        kind is float
        and isinstance(value, int | float)
        and not isinstance(value, bool)
        and isfinite(value)
    ):
        return float(value)
    if kind is not float and isinstance(value, kind) and not isinstance(value, bool):
        return value
    raise TypeError({float: "a number", int: "a whole number", str: "a text"}[kind])


def _places(source: Source) -> dict[tuple[str, ...], Span]:
    """Return where each TOML table and each key first occurs in a mission file, as a span. The
    dictionary key of a table is ``("sea",)``, that of a key in the table is ``("sea", "period")``.
    """
    places: dict[tuple[str, ...], Span] = {}
    table = ""
    for match in _LINE.finditer(source.text):
        name = "table" if match["table"] is not None else "key"
        if name == "table":
            table = match["table"]
        path = (table,) if name == "table" else (table, match["key"])
        places.setdefault(path, source.span(*match.span(name)))
    return places


def _syntax_error(source: Source, message: str) -> Diagnostic:
    place = _PLACE.search(message)
    end = max(0, len(source.text.rstrip()) - 1)
    start = end
    if place is not None and place[1] is not None:
        lines = source.text.splitlines(keepends=True)
        start = min(end, sum(map(len, lines[: int(place[1]) - 1])) + int(place[2]) - 1)
    return Diagnostic(
        "VES001",
        f"this is not valid TOML: {_PLACE.sub('', message)}",
        source.span(start, start + 1),
    )
