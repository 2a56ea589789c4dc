"""Which language a file or folder is in, and what is said when it is in none."""

from __future__ import annotations

import inspect
import shutil
import sys
from pathlib import Path

import pytest

from volition import InputError, load
from volition.languages import (
    LANGUAGES,
    Language,
    find_programs,
    language_of,
    register_language,
    registered_languages,
)


def refusal(path: Path) -> tuple[str, str, str | None]:
    """Code, message and hint of the one diagnostic for a path that is no program."""
    with pytest.raises(InputError) as caught:
        load(path)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code, diagnostic.message, diagnostic.hint


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.package)
def test_a_file_by_its_suffix(language: Language, tmp_path: Path) -> None:
    program = tmp_path / f"agent{language.suffix}"
    program.touch()
    assert language_of(program) is language


@pytest.mark.parametrize(
    "language",
    [each for each in LANGUAGES if each.is_folder],
    ids=lambda language: language.package,
)
def test_a_project_folder_by_its_head(language: Language, tmp_path: Path) -> None:
    (tmp_path / f"agent{language.suffix}").touch()
    (tmp_path / "notes.txt").touch()
    assert language_of(tmp_path) is language


def test_a_misspelt_name_is_guessed(tmp_path: Path) -> None:
    (tmp_path / "rover.can").touch()
    code, message, hint = refusal(tmp_path / "rovr.can")
    assert (code, hint) == ("LNG001", "did you mean 'rover.can'?")
    assert "rovr.can" in message


def test_an_unknown_suffix_names_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "agent.txt").touch()
    code, _, hint = refusal(tmp_path / "agent.txt")
    assert code == "LNG002"
    assert hint is not None
    assert all(language.name in hint and language.suffix in hint for language in LANGUAGES)


def test_a_folder_of_programs_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "rover.can").touch()
    code, _, hint = refusal(tmp_path)
    assert code == "LNG003"
    assert hint is not None
    assert str(tmp_path / "rover.can") in hint


def test_a_folder_with_two_projects_is_ambiguous(tmp_path: Path) -> None:
    (tmp_path / "a.sej").touch()
    (tmp_path / "b.mas").touch()
    code, message, _ = refusal(tmp_path)
    assert code == "LNG003"
    assert "'a.sej', 'b.mas'" in message


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    (tmp_path / "agent.can").write_bytes(b"\xff\xfe\x00broken")
    code, message, _ = refusal(tmp_path / "agent.can")
    assert code == "LNG005"
    assert "byte 0" in message


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """Some editors write one at the beginning of every file."""
    program = tmp_path / "rover.can"
    program.write_bytes(
        b"\xef\xbb\xbf" + (Path(__file__).parents[2] / "examples/can/rover.can").read_bytes()
    )
    assert load(program).language == "CAN"


@pytest.mark.parametrize("file", ["auction.mas", "ag2.asl", "auction.world"])
def test_a_file_of_a_project_that_is_not_text_is_named(file: str, tmp_path: Path) -> None:
    project = tmp_path / "auction"
    shutil.copytree(Path(__file__).parents[2] / "examples/agentspeak/auction", project)
    (project / file).write_bytes(b"\xff\xfe\x00broken")
    code, message, _ = refusal(project)
    assert (code, str(project / file) in message) == ("LNG005", True)


@pytest.mark.parametrize(
    "language",
    [each for each in LANGUAGES if each.suffix != ".asl"],
    ids=lambda language: language.package,
)
def test_an_empty_program_is_refused(language: Language, tmp_path: Path) -> None:
    program = tmp_path / f"agent{language.suffix}"
    program.touch()
    code, _, hint = refusal(program)
    assert not code.startswith("LNG")
    assert hint is not None


def test_all_programs_of_a_folder(tmp_path: Path) -> None:
    """A project folder is one program; other files are none; the order is that of the names."""
    for name in (
        "b.can",
        "a.dribble",
        "notes.txt",
        "vessel/vessel.sej",
        "vessel/Drive.sep",
        "more/deep/c.can",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = [str(path.relative_to(tmp_path)) for path in find_programs(tmp_path)]
    assert found == ["a.dribble", "b.can", "more/deep/c.can", "vessel"]
    assert find_programs(tmp_path / "b.can") == [tmp_path / "b.can"]


def test_folders_deeper_than_functions_may_call_each_other(tmp_path: Path) -> None:
    """Links to files are programs, too, wherever they lead."""
    (tmp_path / "z.can").write_text("")
    deep = tmp_path.joinpath(*["a"] * 300)
    deep.mkdir(parents=True)
    link = deep / "x.can"
    link.symlink_to(tmp_path / "z.can")
    allowed = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 200)
    try:
        found = find_programs(tmp_path)
    finally:
        sys.setrecursionlimit(allowed)
    assert found == [link, tmp_path / "z.can"]


def test_a_language_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("volition.languages._registered", [])
    (tmp_path / "told_by_outsiders.py").write_text(
        "def load(path, settings): return path.read_text()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    program = tmp_path / "program.outside"
    program.write_text("hello")
    with pytest.raises(InputError, match="LNG002"):
        load(program)
    outside = Language("Outside", "told_by_outsiders", ".outside")
    register_language(outside)
    register_language(outside)
    assert registered_languages() == (*LANGUAGES, outside)
    assert load(program) == "hello"  # type: ignore[comparison-overlap]
    with pytest.raises(ValueError, match=r"programs that end in \.can are CAN already"):
        register_language(Language("Another", "another", ".can"))
