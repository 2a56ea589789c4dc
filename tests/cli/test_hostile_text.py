"""Text from programs, files and arguments is text: no markup, and nothing that steers a terminal or
looks like something else."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.cli.conftest import Volition
from volition import render
from volition.analysis.figures import new_figure, save_picture
from volition.cli import main
from volition.diagnostics import Diagnostic, Source, escape_control_characters

HIDDEN = "\x1b]0;owned\x07\x1b[31m\x9b2J\x08\x0c\u202e\u2066\u200b\x7f"
MARKUP = "[bold]x[/] [/red] :smile: [link=file:///etc/passwd]y"
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]")

BEST, CHEAP = "Pmax=? [true U done]", "Rmin=? [F done]"

# Titles, comments, sentences and names of files are free text in every language that has them.
CAN = f"""// {HIDDEN} {MARKUP}
// Parameters
p = 0.5
// Initial belief bases
a
// Events
go
// Plans
go : a <- try.
go : true <- try; try.
// Actions description
try : true <- p: <{{}},{{done}}> + 1 - p: <{{}},{{}}>
// Rewards
cost : try = 1.
// Properties
"{MARKUP}{HIDDEN}": {BEST}
"{HIDDEN} {MARKUP} runs": A [ G !done ]
"""
ARGUMENTS: dict[str, list[str]] = {
    "check": ["--strategy", "--trace", "full", "--stats"],
    "check a formula": ["-p", BEST, "--strategy"],
    "strategy": ["-p", BEST],
    "strategy tree": ["-p", BEST, "--as", "tree"],
    "strategy python": ["-p", BEST, "--as", "python"],
    "strategy can": ["-p", BEST, "--as", "can"],
    "strategy dot": ["-p", BEST, "--as", "dot"],
    "sweep": ["--vary", "p=0.1,0.2", "-p", BEST, "--jobs", "1"],
    "pareto": ["-p", BEST, "-p", CHEAP],
    "mission": ["-p", BEST, "--strategy"],
    "explore": ["--coverage", "--stats"],
    "show": [],
    "test": [],
    "export": ["--to", "dot"],
}


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A program whose file, titles and comments are full of what terminals obey, in a folder of
    such a name."""
    folder = tmp_path / f"{MARKUP.replace('/', '|')}\x1b[31m\u202e"
    folder.mkdir()
    program = folder / "[bold]\x1b]0;owned\x07.can"
    program.write_text(CAN)
    return program


@pytest.mark.parametrize("command", ARGUMENTS)
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_nothing_hidden_reaches_the_terminal(
    volition: Volition, hostile: Path, command: str, as_json: bool
) -> None:
    if as_json and " " in command and not command.endswith("formula"):
        pytest.skip("said already")
    ended = volition(
        command.split()[0], hostile, *ARGUMENTS[command], *(["--json"] if as_json else [])
    )
    assert ended.exit_code in (0, 1), ended.err
    assert not RAW.findall(ended.out + ended.err)
    if as_json:
        assert json.loads(ended.out)


@pytest.mark.parametrize("command", ["check a formula", "strategy", "sweep", "pareto", "mission"])
def test_formulas_keep_their_brackets(volition: Volition, hostile: Path, command: str) -> None:
    ended = volition(command.split()[0], hostile, *ARGUMENTS[command])
    assert BEST in ended.out


def test_titles_are_shown_as_they_are_written(volition: Volition, hostile: Path) -> None:
    ended = volition("check", hostile)
    heading = next(line for line in ended.out.splitlines() if "Counterexample:" in line)
    assert escape_control_characters(f"{HIDDEN} {MARKUP} runs: violated") in heading
    assert f"{MARKUP}␛]0;owned␇␛[31m�2J␈␌���␡" in ended.out


def test_mistakes_show_the_line_as_it_is(volition: Volition, tmp_path: Path) -> None:
    """With the caret below the right column: a sign takes the place of each hidden character."""
    program = tmp_path / "bad\x1b.can"
    program.write_text("// Events\ngo\n// Plans\ngo : true <- \x1b[31m\u202e+b.\n")
    ended = volition("show", program)
    assert ended.exit_code == 2
    assert not RAW.findall(ended.err)
    shown, caret = re.search(r"^4 \| (.*)\n  \| (.*)$", ended.err, re.MULTILINE).groups()  # type: ignore[union-attr]
    assert shown == "go : true <- ␛[31m�+b."
    assert shown[caret.index("^")] == "␛"


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "\x1b[31m[bold]none[/].can"],
        ["check", "{program}", "-p", "\x1b[31m [/]"],
        ["check", "{program}", "--set", "\x1b[31m=3"],
        ["check", "{program}", "--timeout", "\x1b[31m"],
        ["check", "{program}", "--\x1b[31m"],
        ["\x1b[31m"],
        ["sweep", "{program}", "--vary", "\x1b[31m=1"],
        ["export", "{program}", "--to", "\x1b[31m"],
    ],
)
def test_arguments_are_text_as_well(
    volition: Volition, hostile: Path, arguments: list[str]
) -> None:
    ended = volition(*(hostile if each == "{program}" else each for each in arguments))
    assert ended.exit_code == 2
    assert not RAW.findall(ended.out + ended.err)
    assert "[31m" in ended.err


def test_a_recorded_run_is_text_as_well(volition: Volition, hostile: Path, tmp_path: Path) -> None:
    trace = tmp_path / "run.json"
    assert volition("check", hostile, "-p", "A [ G !done ]", "--write-trace", trace).exit_code == 1
    assert not RAW.findall(trace.read_text())
    assert volition("replay", trace, hostile).exit_code == 0
    trace.write_text(trace.read_text().replace('"text": "', '"text": "\\u001b[31m[bold]'))
    ended = volition("replay", trace, hostile)
    assert not RAW.findall(ended.out + ended.err)


def test_colours_are_ours_alone(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal with colours there are sequences, those of the screen; NO_COLOR and --no-color
    leave none of the colours."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = CliRunner().invoke(main, ["check", str(hostile)], color=True).output
    assert "\x1b[1;31m" in coloured
    assert "\x1b]0;owned" not in coloured
    assert "\x9b" not in coloured
    plain = CliRunner().invoke(main, ["check", str(hostile), "--no-color"], color=True).output
    assert not re.search(r"\x1b\[[0-9;]*3[0-7]", plain)


def test_pictures_show_texts_as_they_are(tmp_path: Path) -> None:
    """No formulas of TeX, and nothing in the file that its format does not allow."""
    figure = new_figure()
    figure.add_subplot().set_title("costs $5_{\x1b[31m and $\\nosuch")
    save_picture(figure, tmp_path / "x.svg")
    assert "\x1b" not in (tmp_path / "x.svg").read_text()


def test_what_is_visible() -> None:
    assert escape_control_characters("a\tb\nc é → 日本 👩‍👧") == "a\tb\nc é → 日本 👩‍👧"
    assert escape_control_characters("\x00\x1b\r\x7f\x85\u202e\ud800") == "␀␛␍␡���"


def test_a_rendered_diagnostic_can_be_seen() -> None:
    source = Source("\x1b.can", "go \x1b[2J")
    text = render(Diagnostic("X", "no \x9b", source.span(3, 4), hint="write \u202e"))
    assert not RAW.findall(text)
