"""The library speaks of no options; the command line says which option does what the library
advises."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.cli.conftest import Volition
from volition import Diagnostic, InputError, check
from volition.cli.hints import WITH_OPTIONS, with_options

ROOT = Path(__file__).parents[2]
SURFACES = {"cli"}
TALKS_TO_STORM = {"checking/storm/worker.py"}  # in the options of Storm
SOURCE = ROOT / "src" / "volition"
LIBRARY = [
    path
    for path in sorted(SOURCE.rglob("*.py"))
    if path.relative_to(SOURCE).parts[0] not in SURFACES
    and path.relative_to(SOURCE).as_posix() not in TALKS_TO_STORM
]
OPTION = re.compile(r"(?<![\w-])(--[a-z]|-p\b)")


@cache
def texts(path: Path) -> list[str]:
    """The constant texts of a module, without its docstrings."""
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in docstrings
    ]


def test_the_library_speaks_of_no_options() -> None:
    assert [
        f"{path.name}: {text}" for path in LIBRARY for text in texts(path) if OPTION.search(text)
    ] == []


def test_every_hint_of_the_table_is_given_somewhere() -> None:
    given = {text for path in LIBRARY for text in texts(path)}
    assert {hint for _, hint in WITH_OPTIONS} <= given


def test_the_command_line_names_the_option(volition: Volition) -> None:
    program = ROOT / "examples" / "can" / "smart_manufacturing.can"
    refused = volition("check", program, "-p", "Pmax=? [ F PS1 ]", "--engine", "native")
    assert "--engine storm computes probabilities" in refused.err
    (reported,) = volition(
        "check", program, "-p", "Pmax=? [ F PS1 ]", "--engine", "native", "--json"
    ).document["diagnostics"]
    assert "--engine storm" in reported["hint"]


def test_a_setting_that_is_advised_is_an_option(tmp_path: Path, volition: Volition) -> None:
    plans = (
        "".join(f"e{number} : true <- e{number + 1}.\n" for number in range(150))
        + "e150 : true <- +done.\n"
    )
    program = tmp_path / "deep.can"
    program.write_text(f"// External events\ne0\n// Plan library\n{plans}")
    assert (
        "allow it with --set nesting=1000" in volition("check", program, "-p", "A [ F done ]").err
    )
    with pytest.raises(InputError, match="allow it with the setting nesting=1000"):
        check(program, "A [ F done ]")
    assert check(program, "A [ F done ]", settings={"nesting": 1000})[0].verdict.holds


def test_where_steps_are_told_is_an_option() -> None:
    given = Diagnostic("CAN036", "unknown step: 'x'", hint="use the names that steps have in runs")
    assert (with_options(given).hint or "").endswith("see 'volition check --trace full'")
