"""Imports point only left along the road; the table of ``docs/explanation/architecture.md`` says
what that means."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "volition"
FACES = {PACKAGE / "__init__.py", PACKAGE / "__main__.py"}
MODULES = sorted(set(PACKAGE.rglob("*.py")) - FACES)
SEAM = {
    "System",
    "Component",
    "Choice",
    "Reaction",
    "SlotView",
    "Predicate",
    "Weight",
    "RewardValue",
}


@cache
def documented_layers() -> dict[str, set[str]]:
    """Layer ▶ what it may import, read from the documentation, so that the documentation cannot be
    wrong."""
    rows = re.findall(
        r"^\| `([\w.]+)` \|[^|]*\|([^|]*)\|$",
        (ROOT / "docs" / "explanation" / "architecture.md").read_text(),
        re.MULTILINE,
    )
    return {layer: set(re.findall(r"`([\w.]+)`", allowed)) for layer, allowed in rows}


def dotted(path: Path) -> str:
    """``volition.kernel.system`` for its file."""
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every dotted name of the package that a module imports, with the line; names stand for
    themselves, not for their module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "volition":
            yield from ((f"{node.module}.{name.name}", node.lineno) for name in node.names)
        elif isinstance(node, ast.Import):
            yield from (
                (name.name, node.lineno)
                for name in node.names
                if name.name.split(".")[0] == "volition"
            )


def layer_of(module: str) -> str:
    """The innermost documented layer that a dotted name, without the package, begins with."""
    fitting = [
        layer for layer in documented_layers() if module == layer or module.startswith(f"{layer}.")
    ]
    return max(fitting, key=len, default="")


def is_allowed(name: str, allowed: set[str]) -> bool:
    """Whether one of the allowed layers, modules or seam names covers an imported name."""
    inner = name.removeprefix("volition.")
    if "kernel.system" in allowed and inner in {f"kernel.{each}" for each in SEAM}:
        return True
    return any(inner == each or inner.startswith(f"{each}.") for each in allowed)


def test_every_layer_is_documented() -> None:
    assert [path for path in MODULES if not layer_of(dotted(path).removeprefix("volition."))] == []


def test_every_documented_layer_is_there() -> None:
    modules = {dotted(path).removeprefix("volition.") for path in MODULES} | {
        "volition"
    }  # the face, for who stands outside
    named = set(documented_layers()).union(*documented_layers().values())
    assert {each for each in named if each not in modules} == set()


def test_no_two_folders_import_each_other() -> None:
    """The table allows no cycle of folders, except where a row lets a folder and one inside of it
    share their work."""
    layers = documented_layers()
    both_ways = {
        frozenset((one, other))
        for one, allowed in layers.items()
        for other in allowed & set(layers)
        if one != other
        and one in layers[other]
        and not one.startswith(f"{other}.")
        and not other.startswith(f"{one}.")
    }
    assert both_ways == set()


def test_imports_point_left() -> None:
    wrong = []
    for path in MODULES:
        layer = layer_of(dotted(path).removeprefix("volition."))
        allowed = documented_layers()[layer]
        for name, line in imports(path):
            if layer_of(name.removeprefix("volition.")) != layer and not is_allowed(name, allowed):
                wrong.append(f"{dotted(path)}, line {line}: {name}")
    assert not wrong


def test_languages_do_not_import_each_other() -> None:
    wrong = []
    for path in MODULES:
        if path.is_relative_to(PACKAGE / "languages"):
            shared = {"common", "protocols", "numbers", "world", *dotted(path).split(".")[2:3]}
            names = (name.split(".") for name, _ in imports(path))
            others = {parts[2] for parts in names if parts[1] == "languages" and len(parts) > 3}
            wrong += [f"{dotted(path)}: {other}" for other in others - shared]
    assert not wrong


def test_a_wrong_import_is_found() -> None:
    """The rule itself can fail: a language must not explore, a checker must not know a language."""
    layers = documented_layers()
    assert is_allowed("volition.kernel.System", layers["languages"])
    assert not is_allowed("volition.kernel.explore", layers["languages"])
    assert is_allowed("volition.languages.protocols.Model", layers["checking"])
    assert not is_allowed("volition.languages.can.load", layers["checking"])
    assert not is_allowed("volition.logic.syntax", layers["kernel"])
