"""The public face: every module says what it offers, and what it offers is documented."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path

import pytest

import volition
from volition.cli.program import COMMANDS

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src" / "volition").rglob("*.py"))


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT / "src"))


def declared(tree: ast.Module) -> set[str]:
    """The names in ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets):
            return set(ast.literal_eval(node.value))
    return set()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_public_names_are_documented(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert ast.get_docstring(tree), "the module has no docstring"
    definitions = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    # Nodes of a syntax tree that their name explains need no sentence: a class without methods may go without.
    speaking = {
        name
        for name, node in definitions.items()
        if isinstance(node, ast.FunctionDef) or any(isinstance(n, ast.FunctionDef) for n in node.body)
    }
    silent = {name for name in declared(tree) & speaking if not ast.get_docstring(definitions[name])}
    assert not silent


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_declare_what_they_offer(path: Path) -> None:
    tree = ast.parse(path.read_text())
    public = {node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")}
    if public:
        assert declared(tree), "the module has public names but no __all__"


@pytest.mark.parametrize("name", volition.__all__)
def test_the_face_of_the_package(name: str) -> None:
    """Each public name can be imported, has a docstring, and has its place in the documentation of the Python interface."""
    assert getattr(volition, name).__doc__
    assert f"`{name}`" in (ROOT / "docs" / "python.md").read_text()


def test_no_call_has_the_name_of_a_module() -> None:
    """Importing a module sets it on the package, in the place of the call; which of the two is there would depend on the order."""
    modules = {path.stem if path.suffix else path.name for path in (ROOT / "src" / "volition").iterdir()}
    assert not modules & set(volition.__all__)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_call(command: str) -> None:
    """But for those that are about the command line itself, or another surface; options of a call have the names of the command line."""
    if command in ABOUT_THE_COMMAND_LINE:
        return
    call = inspect.signature(getattr(volition, command)).parameters
    options = {option.removeprefix("--").replace("-", "_") for option in _options(command)}
    missing = options - set(call) - ELSEWHERE.get(command, set()) - OF_THE_SCREEN
    assert not missing
    keyword = [name for name, each in call.items() if name in options and each.kind is not inspect.Parameter.KEYWORD_ONLY]
    assert set(keyword) <= {"vary", "to"}, "options are given by name"


def _options(command: str) -> set[str]:
    module = importlib.import_module(f"volition.cli.{command}")
    return {option for each in module.command.params for option in each.opts if option.startswith("--")}


ABOUT_THE_COMMAND_LINE = {"trust", "completion", "studio"}
OF_THE_SCREEN = {"json", "no_color", "force", "stats", "trust", "set", "property", "output", "float", "plot", "picture", "help", "quiet"}
"""What is printed and written where; ``trust`` and ``set`` are arguments of ``load``."""
ELSEWHERE = {
    "check": {"all_bases", "generated", "strategy", "trace", "write_trace"},  # bases, with_generated_beliefs, ...
    "strategy": {"as", "simulate", "at_random", "seed"},  # strategy_as, simulate_strategy
    "sweep": {"closed_form", "csv", "style"},  # closed_form, to_csv, save_picture
    "conform": {"write_trace"},
    "learn": {"no_robust", "write", "processes", "max_states", "max_memory", "timeout", "jobs"},  # value_ranges, settings_text
    "pareto": {"strategy"},
    "mission": {"strategy"},
    "explore": {"coverage", "save", "for", "further"},  # coverage, save_space, formulas; a space is explored further by itself
    "run": {"steps"},  # cycles
    "view": {"open", "live", "port"},  # of the browser
    "slice": {"explain", "graph"},  # explanation, drawn
}


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = volition.nothing  # type: ignore[attr-defined]
