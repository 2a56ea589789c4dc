"""Property files of the public tool: its precedences, its atoms, its names, and formulas that are
not closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from volition import InputError, load
from volition.cli import main
from volition.diagnostics import Diagnostics
from volition.languages.common.properties import read_property_file
from volition.languages.protocols import Program
from volition.logic import formula_text, parse

PROGRAM = (
    "GWENDOLEN\n:name: a\n:Initial Beliefs:\np\n:Initial Goals:\ngo [perform]\n:Plans:\n+!go "
    "[perform] : {B p} <- +q;\n"
)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    (tmp_path / "a.gwen").write_text(PROGRAM)
    return load(tmp_path / "a.gwen")


def formulas(folder: Path, program: Program, text: str, name: str = "") -> dict[str | None, str]:
    (folder / "asked.psl").write_text(text)
    return {
        each.name: each.text for each in read_property_file(folder / f"asked.psl{name}", program)
    }


def formula(folder: Path, program: Program, text: str) -> str:
    (only,) = formulas(folder, program, f"1: {text}\n").values()
    return only


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[] B(a, p)", "G p"),
        ("[]<>B(a, p)", "G F p"),
        ("A E B(a, p)", "G F p"),
        ("<>~B(a, p)", "F !p"),
        ("[]B(a, p) & B(a, q)", "(G p) & q"),
        ("B(a, p) || B(a, q) & B(a, r)", "(p | q) & r"),
        ("B(a, p) & B(a, q) || B(a, r)", "p & (q | r)"),
        ("B(a, p) -> B(a, q) -> B(a, r)", "(p -> q) -> r"),
        ("B(a, p) & B(a, q) -> B(a, r)", "(p & q) -> r"),
        ("B(a, p) U B(a, q) U B(a, r)", "(p U q) U r"),
        ("B(a, p) U B(a, q) R B(a, r)", "p U (q R r)"),
        ("B(a, p) R B(a, q) -> B(a, r)", "p R (q -> r)"),
        ("B(a, p) -> T R F", "(p -> true) R false"),
        ("~(<>B(a, p))", "!(F p)"),
    ],
)
def test_precedences(tmp_path: Path, program: Program, text: str, expected: str) -> None:
    for name in "pqr":
        expected = (
            expected.replace(name, f"Bel(a, {name})")
            if name != "r"
            else expected.replace(" r", " Bel(a, r)")
        )
    expected = expected.replace("tBel(a, r)ue", "true")
    assert parse(formula(tmp_path, program, text)) == parse(f"A [ {expected} ]")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("B(a, at(_,  X))", "Bel(a, at(_, X))"),
        ("G (a, go)", "Des(a, go)"),
        ("I(a, go)", "Int(a, go)"),
        ("ItD(a, send(b, 1, m(_)))", "ItD(a, send(b, 1, m(_)))"),
        ("D(a, perf(x))", "Last(a, perf(x))"),
        ("P(seen(3))", "Percept(seen(3))"),
        ('B(a, said("x)"))', 'Bel(a, said("x)"))'),
        ("B(a, [x, y | T])", "Bel(a, [x, y | T])"),
    ],
)
def test_atoms(tmp_path: Path, program: Program, text: str, expected: str) -> None:
    found = formula(tmp_path, program, text)
    assert found == f"A [ {expected} ]"
    assert formula_text(parse(found)) == found


FILE = """// see also: a remark
# another: one
ex1: [] (B(a, p) ->
   <>B(a, q))   // which is so

10b: (B(a, q)
Goal: <>B(a, q))
"""


def test_names_remarks_and_lines_that_go_on(tmp_path: Path, program: Program) -> None:
    assert formulas(tmp_path, program, FILE, ":ex1") == {
        "ex1": "A [ G (Bel(a, p) -> F Bel(a, q)) ]"
    }


def test_what_is_not_closed_is_told_by_its_name(tmp_path: Path, program: Program) -> None:
    with pytest.raises(InputError) as caught:
        formulas(tmp_path, program, FILE)
    found = [
        (each.code, each.message, each.span.line if each.span else 0)
        for each in caught.value.diagnostics
    ]
    assert found == [
        ("GWN051", "property '10b': this '(' has no matching ')'", 6),
        ("GWN051", "property 'Goal': this ')' has no matching '('", 7),
    ]
    with pytest.raises(InputError, match="10b"):
        formulas(tmp_path, program, FILE, ":10b")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1: B(a, p) &\n", "GWN050"),
        ("1: B(a)\n", "GWN050"),
        ("1:\n2: B(a, p)\n", "GWN055"),
        ("B(a, p)\n", "GWN052"),
        ("# nothing\n", "LNG006"),
    ],
)
def test_mistakes(tmp_path: Path, program: Program, text: str, code: str) -> None:
    with pytest.raises(InputError) as caught:
        formulas(tmp_path, program, text)
    assert [each.code for each in caught.value.diagnostics] == [code]


def test_an_unknown_name_is_guessed(tmp_path: Path, program: Program) -> None:
    with pytest.raises(InputError) as caught:
        formulas(tmp_path, program, FILE, ":ex2")
    assert [(each.code, each.hint) for each in caught.value.diagnostics] == [
        ("LNG012", "did you mean 'ex1'?")
    ]


def test_a_name_in_a_property_file_of_ours(tmp_path: Path, program: Program) -> None:
    (tmp_path / "asked.props").write_text('"one": A [ F Bel(a, q) ]\n"two": A [ G Bel(a, q) ]\n')
    assert [each.text for each in read_property_file(tmp_path / "asked.props:two", program)] == [
        "A [ G Bel(a, q) ]"
    ]


def test_on_the_command_line(tmp_path: Path, program: Program) -> None:
    (tmp_path / "asked.psl").write_text("first: <>B(a, q)\nsecond: []B(a, q)\n")
    queried = ["check", program.sources[0].name, "--props"]
    both = CliRunner().invoke(main, [*queried, str(tmp_path / "asked.psl")])
    assert both.exit_code == 1
    assert "first" in both.output
    one = CliRunner().invoke(main, [*queried, f"{tmp_path / 'asked.psl'}:first"])
    assert one.exit_code == 0
    assert "second" not in one.output


def test_an_atom_about_something_unknown_is_false_with_a_warning(
    tmp_path: Path, program: Program
) -> None:
    (tmp_path / "asked.psl").write_text(
        "1: []~B(a, qq)\n2: <>(B(a, q) & ~D(a, fly)) || G(a, goo)\n"
    )
    warnings = Diagnostics()
    properties = read_property_file(tmp_path / "asked.psl", program, warnings)
    assert properties[1].text == "A [ (F (Bel(a, q) & !Last(a, fly))) | Des(a, goo) ]"
    assert [each.meaning for each in properties] == [
        "A [ G !false ]",
        "A [ (F (Bel(a, q) & !false)) | false ]",
    ]
    texts = [(each.code, each.message.split(":")[1].split(",")[0], each.hint) for each in warnings]
    assert texts == [
        ("GWN054", " unknown belief qq/0", "did you mean 'q'?"),
        ("GWN054", " unknown action fly/0", None),
        ("GWN054", " unknown goal goo/0", "did you mean 'go'?"),
    ]
    ended = CliRunner().invoke(
        main, ["check", str(tmp_path / "a.gwen"), "--props", str(tmp_path / "asked.psl")]
    )
    assert (ended.exit_code, ended.stdout.count("holds")) == (0, 2)


def test_white_space_is_read_in_linear_time(tmp_path: Path, program: Program) -> None:
    """A regular expression once needed cubic time here: the process would not end."""
    blanks = " " * 200_000
    assert formulas(
        tmp_path, program, f"#{blanks}\n{blanks}1{blanks}:{blanks}B(a, p){blanks}\n{blanks}\n"
    ) == {"1": "A [ Bel(a, p) ]"}
