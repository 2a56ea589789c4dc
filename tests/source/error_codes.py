"""Error codes, read from the source: ``python -m tests.source.error_codes`` writes their page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from volition.error_codes import DECLARATIONS, declared_codes, declared_in

__all__ = ["PAGE", "TITLES", "declarations", "given_codes", "page"]

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "errors.md"
CODE = re.compile(r"[A-Z]{3}\d{3}")

TITLES = {
    "LNG": "Programs and their files",
    "CAN": "CAN",
    "LIS": "LISA",
    "ASP": "AgentSpeak(F)",
    "GWN": "Gwendolen and EASS",
    "JSN": "Jason",
    "WLD": "Worlds",
    "DRB": "Dribble",
    "VES": "Missions of the vessel",
    "LOG": "Formulas and property files",
    "CHK": "Checking",
    "RUN": "Running",
    "REC": "Records of runs",
    "CNF": "Conformance",
    "LRN": "Learning",
    "VIE": "Looking at runs",
    "STU": "The studio",
    "SPC": "Saved state spaces",
    "SLC": "Slicing",
    "EXP": "Export",
    "API": "From Python",
    "CLI": "The command line",
}

INTRODUCTION = """\
# Error messages

This page explains every error and warning of Volition: its cause, an example, and what to do about
it. `volition explain-code CAN027` prints the entry of one code.

Volition reports all errors in the input at once. Each message has a stable code, the position with
a caret under it, and, where possible, a hint. Messages go to standard error, and the exit code is
2. With `--json` the same diagnostics are printed as data. Scripts may rely on the codes; the texts
of messages may be improved. A warning does not stop a command.
"""


@dataclass(frozen=True, order=True)
class Given:
    """A call in the source that reports a diagnostic."""

    code: str
    kind: str
    message: str


@cache
def given_codes() -> tuple[Given, ...]:
    """Return every code that the source reports, with its messages. Files without a code are not
    parsed."""
    sources = (path.read_text() for path in (ROOT / "src" / "volition").rglob("*.py"))
    return tuple(
        sorted(
            {
                given
                for source in sources
                if CODE.search(source)
                for given in _given_in(ast.parse(source))
            }
        )
    )


def page() -> str:
    """Return the text of ``docs/reference/errors.md``."""
    kinds: dict[str, set[str]] = {}
    for given in given_codes():
        kinds.setdefault(given.code, set()).add(given.kind)
    lines = [INTRODUCTION]
    for prefix, title in TITLES.items():
        lines += [f"## {title}", ""]
        for code, entry in declared_codes().items():
            if code.startswith(prefix):
                kind = " or ".join(sorted(kinds.get(code, ())))
                lines += [
                    f"### {code}: {entry.title}",
                    "",
                    f"*{kind.capitalize()}.* {entry.cause}",
                    "",
                    "```text",
                    entry.example,
                    "```",
                    "",
                    entry.remedy,
                    "",
                ]
    return "\n".join(lines)


def declarations() -> dict[str, list[Path]]:
    """Return the files that declare each code."""
    found: dict[str, list[Path]] = {}
    for file in sorted((ROOT / "src" / "volition").rglob(DECLARATIONS)):
        for each in declared_in(file):
            found.setdefault(each.code, []).append(file.relative_to(ROOT))
    return found


def _given_in(tree: ast.Module) -> Iterator[Given]:
    for function in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))]:
        for call in _own(function):
            if isinstance(call, ast.Call):
                yield from _given_by(call, function)


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function without those of the functions inside it."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef):
            yield node
            yield from _own(node)


def _given_by(call: ast.Call, function: ast.AST) -> Iterator[Given]:
    texts = [
        argument.value if isinstance(argument, ast.Constant) else None for argument in call.args
    ]
    # A class that reports often has a method of its own for it, ``self._warning``.
    named = [
        keyword.value.value
        for keyword in call.keywords
        if keyword.arg == "severity" and isinstance(keyword.value, ast.Constant)
    ]
    is_warning = (
        isinstance(call.func, ast.Attribute) and call.func.attr.lstrip("_") == "warning"
    ) or "warning" in (*texts, *named)
    for index, text in enumerate(texts):
        if isinstance(text, str) and CODE.fullmatch(text):
            message = _template(call.args[index + 1], function) if index + 1 < len(texts) else "…"
            yield Given(text, "warning" if is_warning else "error", message)
    for keyword in call.keywords:
        # Parsers get the code of their syntax errors in this way.
        if (
            isinstance(keyword.value, ast.Constant)
            and isinstance(keyword.value.value, str)
            and CODE.fullmatch(keyword.value.value)
        ):
            yield Given(keyword.value.value, "error", "unexpected …")


def _template(node: ast.AST, function: ast.AST) -> str:
    """A message with … where the source base fills something in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                part.value
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
                else "…"
                for part in parts
            )
        case ast.BinOp(left=left, right=right):
            return _template(left, function) + _template(right, function)
        case ast.IfExp(body=body):
            return _template(body, function)
        case ast.Name(id=name, lineno=line):
            return _assigned(name, line, function)
        case _:
            return "…"


def _assigned(name: str, line: int, function: ast.AST) -> str:
    """The message that a name stands for: what was assigned to it last before the line."""
    assignments = [
        node.value
        for node in _own(function)
        if isinstance(node, ast.Assign)
        and node.lineno <= line
        and any(isinstance(each, ast.Name) and each.id == name for each in node.targets)
    ]
    return _template(assignments[-1], function) if assignments else "…"


if __name__ == "__main__":
    PAGE.write_text(page())
