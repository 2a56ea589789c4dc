"""The library speaks of no options; the command line says which option does what the library advises."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.cli.conftest import Volition
from volition.cli.hints import WITH_OPTIONS

ROOT = Path(__file__).parents[2]
LIBRARY = [
    path
    for folder in ("api", "checking", "telling", "analysis", "kernel", "logic")
    for path in (ROOT / "src/volition" / folder).rglob("*.py")
]


def hints(path: Path) -> list[str]:
    """The constant texts that a module gives as hints: those in calls of ``Diagnostic``, and those called ``hint``."""
    found: list[ast.expr] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Diagnostic":
            found += [*node.args[3:], *(each.value for each in node.keywords if each.arg == "hint")]
        elif isinstance(node, ast.Assign) and [getattr(each, "id", None) for each in node.targets] == ["hint"]:
            found.append(node.value)
    return [part.value for each in found for part in ast.walk(each) if isinstance(part, ast.Constant) and isinstance(part.value, str)]


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_the_library_speaks_of_no_options(path: Path) -> None:
    assert [hint for hint in hints(path) if "--" in hint] == []


def test_every_hint_of_the_table_is_given_somewhere() -> None:
    given = {hint for path in LIBRARY for hint in hints(path)}
    assert {hint for _, hint in WITH_OPTIONS} <= given


def test_the_command_line_names_the_option(volition: Volition) -> None:
    program = ROOT / "examples" / "can" / "smart_manufacturing.can"
    refused = volition("check", program, "-p", "Pmax=? [ F PS1 ]", "--engine", "native")
    assert "--engine storm computes probabilities" in refused.err
    (told,) = volition("check", program, "-p", "Pmax=? [ F PS1 ]", "--engine", "native", "--json").document["diagnostics"]
    assert "--engine storm" in told["hint"]
