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
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            return set(ast.literal_eval(node.value))
    return set()


def undocumented(path: Path) -> list[str]:
    """Return what a module offers without a docstring: the module itself, or public names.

    A class without methods is a plain node of a syntax tree; its name is enough.
    """
    tree = ast.parse(path.read_text())
    definitions = {
        node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    behaving = {
        name
        for name, node in definitions.items()
        if isinstance(node, ast.FunctionDef)
        or any(isinstance(each, ast.FunctionDef) for each in node.body)
    }
    missing = [] if ast.get_docstring(tree) else [name_of(path)]
    return missing + [
        f"{name_of(path)}: {name}"
        for name in declared(tree) & behaving
        if not ast.get_docstring(definitions[name])
    ]


def test_public_names_are_documented() -> None:
    assert not [each for path in MODULES for each in undocumented(path)]


def test_modules_declare_what_they_offer() -> None:
    silent = []
    for path in MODULES:
        tree = ast.parse(path.read_text())
        public = [
            node
            for node in tree.body
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")
        ]
        if public and not declared(tree):
            silent.append(name_of(path))
    assert not silent


def test_the_face_of_the_package() -> None:
    """Each public name can be imported, has a docstring, and is on the page of the Python
    interface."""
    page = (ROOT / "docs" / "reference" / "python.md").read_text()
    assert not [name for name in volition.__all__ if not getattr(volition, name).__doc__]
    assert not [name for name in volition.__all__ if f"`{name}`" not in page]


def test_no_call_has_the_name_of_a_module() -> None:
    """Importing a module sets it on the package, in the place of the call; which of the two is
    there would depend on the order."""
    modules = {
        path.stem if path.suffix else path.name for path in (ROOT / "src" / "volition").iterdir()
    }
    assert not modules & set(volition.__all__)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_its_call(command: str) -> None:
    """But for those that are about the command line itself, or another surface; options of a call
    have the names of the command line."""
    if command in ABOUT_THE_COMMAND_LINE:
        return
    call = inspect.signature(getattr(volition, command)).parameters
    options = {option.removeprefix("--").replace("-", "_") for option in _options(command)}
    missing = options - set(call) - ELSEWHERE.get(command, set()) - OF_THE_SCREEN
    assert not missing
    keyword = [
        name
        for name, each in call.items()
        if name in options and each.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    assert set(keyword) <= {"vary", "to"}, "options are given by name"


def _options(command: str) -> set[str]:
    module = importlib.import_module(f"volition.cli.{command}")
    return {
        option for each in module.command.params for option in each.opts if option.startswith("--")
    }


ABOUT_THE_COMMAND_LINE = {"trust", "completion", "studio", "explain-code"}
OF_THE_SCREEN = {
    "json",
    "no_color",
    "force",
    "stats",
    "trust",
    "set",
    "property",
    "output",
    "float",
    "plot",
    "picture",
    "help",
    "quiet",
}
"""What is printed and written where; ``trust`` and ``set`` are arguments of ``load``."""
ELSEWHERE = {
    "check": {
        "all_belief_bases",
        "derived_beliefs",
        "strategy",
        "trace",
        "write_trace",
    },  # initial_belief_bases, with_derived_beliefs, ...
    "strategy": {"as", "simulate", "uniform", "seed"},  # render_strategy, simulate_strategy
    "sweep": {"closed_form", "csv", "style"},  # closed_form, to_csv, save_plot
    "conform": {"write_trace"},
    "learn": {
        "no_robust",
        "write",
        "processes",
        "max_states",
        "max_memory",
        "timeout",
        "jobs",
    },  # value_ranges, settings_text
    "pareto": {"strategy"},
    "mission": {"strategy"},
    "explore": {
        "coverage",
        "save",
        "observe",
        "resume",
    },  # coverage, save_space, formulas; a space is explored further by itself
    "run": {"steps"},  # cycles
    "view": {"open", "live", "port"},  # of the browser
    "slice": {"explain", "graph"},  # explanation, drawn
}


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = volition.nothing  # type: ignore[attr-defined]
