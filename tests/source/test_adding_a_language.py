"""The tutorial about languages is true: its language is built from its blocks, loads its program,
and gives the answers that it shows.

A block belongs to the file that is named in the line above it; blocks of the same file follow each
other.
"""

from __future__ import annotations

import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source.test_documents import ENVIRONMENT, Step, expect_as_shown, transcript
from tests.warm_program import Ran
from volition import InputError, Program, check, load
from volition.languages import Language, registered_languages
from volition.reporting.annotated_runs import annotate_run

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "adding_a_language.md"
BLOCK = re.compile(
    r"^`(?P<file>[\w./]+)`(?:, continued)?\n\n```(?:py)?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the page, as a reader has them who followed it."""
    folder = tmp_path_factory.mktemp("tutorial")
    files: dict[str, list[str]] = {}
    for block in BLOCK.finditer(PAGE.read_text()):
        files.setdefault(block["file"], []).append(block["text"])
    for name, texts in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("\n\n".join(texts))
    return folder


@pytest.fixture
def program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The example of the page, once its language is imported; afterwards nobody knows the language
    any more."""
    monkeypatch.setattr("volition.languages._registered", [])
    monkeypatch.syspath_prepend(folder)
    for name in ("thumb", "thumb.reading"):
        monkeypatch.setitem(sys.modules, name, None)
        del sys.modules[name]
    importlib.import_module("thumb")
    assert registered_languages()[-1] == Language("Thumb", "thumb", ".thumb")
    return load(folder / "courier.thumb")


def test_the_language_is_small(folder: Path) -> None:
    lines = [
        line
        for module in (folder / "thumb").glob("*.py")
        for line in module.read_text().splitlines()
        if line.strip()
    ]
    assert 50 < len(lines) < 160


def test_stated_results(program: Program) -> None:
    report = check(program)
    assert [answer.as_expected for answer in report.answers] == [True] * 4


@pytest.mark.parametrize(
    ("formula", "answer"),
    [
        ("A [ F G !Bel(letter) ]", False),
        ("A [ G (Bel(delivered) -> G !Bel(letter)) ]", True),
        ("A [ G E [ F Bel(delivered) ] ]", False),
        ("E [ G Bel(courier, letter) ]", True),
        ("Pmax=? [ F !Bel(bicycle) & Bel(delivered) ]", 0.1 * 0.75),
        ("P>=0.97 [ F Bel(delivered) ]", False),
    ],
)
def test_questions_of_every_logic(program: Program, formula: str, answer: bool | float) -> None:
    (verdict,) = (each.verdict for each in check(program, [formula]).answers)
    assert (
        verdict.holds is answer
        if isinstance(answer, bool)
        else float(verdict.value or 0) == pytest.approx(answer)
    )


def test_runs_are_told_by_rule_and_line(program: Program) -> None:
    (answer,) = check(program, ["E [ F (Bel(delivered) & !Bel(bicycle)) ]"]).answers
    assert answer.verdict.run is not None
    steps = annotate_run(answer.verdict.run, answer.exploration.model).steps
    assert [(step.rules, step.text) for step in steps] == [
        (("apply(ride)",), "ride"),
        (("apply(walk)",), "walk"),
    ]
    assert [position.rpartition("/")[2] for step in steps for position in step.places] == [
        "courier.thumb:4",
        "courier.thumb:5",
    ]
    assert steps[1].state_view == {"beliefs": {"delivered": ""}}


def test_all_mistakes_at_once(folder: Path, program: Program) -> None:
    assert not program.warnings
    with pytest.raises(InputError) as wrong:
        load(folder / "broken.thumb", {"speed": "9"})
    found = [(each.code, each.span.line if each.span else None) for each in wrong.value.diagnostics]
    assert found == [("THM004", 1), ("THM002", 2), ("THM001", 3)]


def test_a_condition_that_nothing_brings_about(tmp_path: Path, program: Program) -> None:
    text = program.sources[0].text.replace("if letter, not bicycle", "if letter, not bicycl")
    (tmp_path / "courier.thumb").write_text(text)
    with pytest.raises(InputError) as wrong:
        load(tmp_path / "courier.thumb")
    assert [(each.code, each.hint) for each in wrong.value.diagnostics] == [
        ("THM003", "did you mean 'bicycle'?")
    ]


@pytest.mark.parametrize(
    "step",
    [step for step in transcript(PAGE, "python -m thumb") if isinstance(step, Step)],
    ids=lambda step: step.command,
)
def test_commands_do_what_the_page_shows(folder: Path, step: Step) -> None:
    command = [sys.executable, *shlex.split(step.command)[1:]]
    ended = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    expect_as_shown(step, Ran(ended.returncode, ended.stdout, ended.stderr))
