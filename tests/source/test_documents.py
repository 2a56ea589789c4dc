"""The documents are true: what they name exists, their links lead somewhere, their commands run and
print what they show.

A block of ``console`` is run: its lines that begin with ``$ volition`` are the commands, the lines
below are output that must appear, in this order.  Numbers of seconds may differ, ``...`` stands for
lines that are left out.  A command whose exit code is not 0 is followed by ``# exit code 1`` on its
line.  A block of ``file NAME`` is written to that file first.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

import pytest

import volition
from tests.source import command_help, error_codes
from tests.warm_program import Ran, run_warm
from volition.checking import engines
from volition.cli.program import COMMANDS
from volition.error_codes import declared_codes

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@dataclass(frozen=True)
class Step:
    """One command of a document with the output that is shown below it."""

    command: str
    exit_code: int
    shown: tuple[str, ...]


@dataclass(frozen=True)
class WrittenFile:
    """A file that the reader of a document writes."""

    name: str
    text: str


def transcript(document: Path, program: str = "volition") -> list[Step | WrittenFile]:
    """Return what the reader of a document does: files to write and commands to run, in order."""
    blocks = re.findall(
        r"^```(?:console|file ([\w./-]+))\n(.*?)^```$",
        document.read_text(),
        re.MULTILINE | re.DOTALL,
    )
    actions: list[Step | WrittenFile] = []
    for name, block in blocks:
        actions += [WrittenFile(name, block)] if name else read_steps(block, program)
    return actions


def read_steps(block: str, program: str) -> Iterator[Step]:
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        first, *shown = part.rstrip().split("\n")
        command, _, remark = first.partition("  # exit code ")
        if command.startswith(program):
            yield Step(command.strip(), int(remark or 0), tuple(shown))


def comparable(line: str) -> str:
    """A line without what differs from run to run: seconds, and the width of columns."""
    return " ".join(re.sub(r"\b\d+(\.\d+)? ?(ms|s)\b", "TIME", line).split())


ENVIRONMENT = os.environ | {"COLUMNS": "120", "NO_COLOR": "1"}


def expect_as_shown(step: Step, ran: Ran) -> None:
    """A command ended and printed as the document says."""
    assert ran.exit_code == step.exit_code, f"{step.command}\n{ran.stdout}{ran.stderr}"
    printed = iter([comparable(line) for line in (ran.stdout + ran.stderr).split("\n")])
    for line in step.shown:
        if line.strip() not in ("", "..."):
            assert comparable(line) in printed, (
                f"{step.command} does not print, or not here: {line}\n{ran.stdout}{ran.stderr}"
            )


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder with the examples in it, where a command may leave files."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    return tmp_path


@pytest.mark.parametrize(
    "document", [each for each in DOCUMENTS if transcript(each)], ids=lambda path: path.name
)
def test_commands_do_what_the_document_shows(document: Path, workplace: Path) -> None:
    for action in transcript(document):
        match action:
            case WrittenFile(name, text):
                path = workplace / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            case Step():
                _, *arguments = shlex.split(action.command)
                expect_as_shown(action, run_warm(arguments, workplace, ENVIRONMENT))
            case _:
                assert_never(action)


@pytest.mark.parametrize(
    "document",
    [each for each in DOCUMENTS if "```python" in each.read_text()],
    ids=lambda path: path.name,
)
def test_python_in_the_document_runs(
    document: Path,
    workplace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All blocks in one namespace; where a block of ``text`` follows, that is what was printed."""
    monkeypatch.chdir(workplace)
    monkeypatch.setattr(
        engines, "ENGINES", dict(engines.ENGINES)
    )  # what a document registers stays in it
    names: dict[str, object] = {}
    blocks = re.findall(
        r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?",
        document.read_text(),
        re.MULTILINE | re.DOTALL,
    )
    for block, shown in blocks:
        exec(compile(block, str(document), "exec"), names)
        printed = iter(comparable(line) for line in capsys.readouterr().out.split("\n"))
        for line in shown.splitlines():
            assert line.strip() in ("", "...") or comparable(line) in printed, (
                f"not printed, or not here: {line}"
            )


FOR_AUTHORS = {"bridge.md", "running.md", "adding_a_language.md", "vessel.md", "world.md"}
"""Of languages, of worlds and of skills: they import what authors of these build with, and the
vessel is a package of its own."""


def test_python_in_the_documents_uses_public_names_only() -> None:
    private = []
    for document in DOCUMENTS:
        for block in (
            ()
            if document.name in FOR_AUTHORS
            else re.findall(
                r"^```python\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL
            )
        ):
            private += [
                f"{document.name}: {name}" for name in imported_by(block) if not is_public(name)
            ]
    assert not private


def imported_by(block: str) -> Iterator[str]:
    """Yield the dotted names that a block of Python imports."""
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)


def is_public(name: str) -> bool:
    """Return whether a dotted name is another package's, or one of ours that users may rely on."""
    return not name.startswith("volition.") or name.removeprefix("volition.") in volition.__all__


def test_links_lead_somewhere() -> None:
    broken = []
    for document in DOCUMENTS:
        links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text())
        broken += [
            f"{document.name}: {link}"
            for link in links
            if "://" not in link and not (document.parent / link).exists()
        ]
    assert not broken


def test_named_examples_exist() -> None:
    missing = []
    for document in DOCUMENTS:
        named = set(re.findall(r"\bexamples/[\w/]+(?:\.\w+)?", document.read_text()))
        missing += [f"{document.name}: {name}" for name in named if not (ROOT / name).exists()]
    assert not missing


def test_readme_tree_exists() -> None:
    """Every entry of the layout in the README is there, and every folder of the package is in
    it."""
    tree = re.search(
        r"^## Layout\n.*?```\n(.*?)```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert tree is not None
    parents: dict[int, Path] = {0: ROOT}
    listed: set[Path] = set()
    for line in tree[1].splitlines():
        indent, name = len(line) - len(line.lstrip()), line.split()[0]
        parents[indent + 2] = parents[indent] / name
        assert parents[indent + 2] not in listed, f"{line.strip()}: listed twice"
        listed.add(parents[indent + 2])
    assert not [path for path in listed if not path.exists()]
    folders = {path.parent for path in (ROOT / "src" / "volition").glob("*/*.py")}
    assert folders <= listed


def test_every_error_code_is_declared_once() -> None:
    """One code, one meaning: the package that reports a code declares it, and only there."""
    declared = error_codes.declarations()
    given = {each.code for each in error_codes.given_codes()}
    assert {code[:3] for code in given} == set(error_codes.TITLES)
    assert not [code for code, files in declared.items() if len(files) > 1]
    assert sorted(declared) == sorted(given)


def test_every_error_code_is_explained() -> None:
    for entry in declared_codes().values():
        assert 0 < len(entry.title) <= 70, entry
        assert not entry.title.endswith("."), entry
        assert entry.cause.endswith("."), entry
        assert entry.remedy.endswith("."), entry
        assert 0 < len(entry.example.splitlines()) <= 12, entry
    assert error_codes.PAGE.read_text() == error_codes.page(), "make docs writes the page again"


def test_every_command_is_documented_with_its_help() -> None:
    text = command_help.PAGE.read_text()
    assert command_help.refreshed(text) == text, "make docs writes the help texts again"
    assert set(command_help.BLOCK.findall(text)) == set(COMMANDS)


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    pages = {
        path.relative_to(ROOT / "docs") for path in DOCUMENTS if path.is_relative_to(ROOT / "docs")
    }
    assert not [str(page) for page in pages if page.name != "index.md" and f"({page})" not in index]
