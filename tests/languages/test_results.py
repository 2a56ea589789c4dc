"""Expected results, in every kind of file that states properties: what looks like a result is one,
or is a mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volition import InputError, load
from volition.diagnostics import Diagnostics
from volition.languages.common.properties import read_property_file, read_property_texts
from volition.languages.protocols import UnparsedProperty

CAN = (
    "// Initial belief bases\n\n// External events\ngo\n// Plan library\ngo : true <- +b.\n// "
    "Properties\n"
)
DRIBBLE = "len_max: 3\nbeliefs: b\nproperties:\n"
PROJECT = "agent a = a.asl\nproperties\n"
REASONING = "INITIAL BELIEFS AND GOALS\nB.\n\nEXECUTABLE PLANS\nIf ^[B] then\n-^[B].\n"

Reader = Callable[[Path, str], tuple[list[UnparsedProperty], Diagnostics]]


def in_program(name: str, before: str, beside: dict[str, str]) -> Reader:
    """Reads properties that stand in the file of that name, below what makes it a program."""

    def read(folder: Path, text: str) -> tuple[list[UnparsedProperty], Diagnostics]:
        for file, content in {**beside, name: before + text}.items():
            (folder / file).write_text(content, encoding="utf-8")
        program = load(folder / (next(iter(beside)) if name.endswith(".props") else name))
        found = Diagnostics()
        found.extend(each for each in program.warnings if each.code.startswith("LOG"))
        return list(program.properties), found

    return read


def in_file(folder: Path, text: str) -> tuple[list[UnparsedProperty], Diagnostics]:
    (folder / "small.can").write_text(CAN, encoding="utf-8")
    (folder / "asked.props").write_text(text, encoding="utf-8")
    found = Diagnostics()
    return read_property_file(folder / "asked.props", load(folder / "small.can"), found), found


def on_command_line(folder: Path, text: str) -> tuple[list[UnparsedProperty], Diagnostics]:
    (folder / "small.can").write_text(CAN, encoding="utf-8")
    found = Diagnostics()
    return read_property_texts([text], load(folder / "small.can"), found), found


KINDS: dict[str, Reader] = {
    "CAN": in_program("small.can", CAN, {}),
    "Dribble": in_program("small.dribble", DRIBBLE, {}),
    "AgentSpeak": in_program("small.mas", PROJECT, {"a.asl": "b(1).\n"}),
    "LISA": in_program("small.props", "", {"small.sej": REASONING}),
    "a property file": in_file,
    "the command line": on_command_line,
}
everywhere = pytest.mark.parametrize("kind", KINDS)


def results(kind: str, folder: Path, text: str) -> list[tuple[str, str | None]]:
    return [(each.text, each.expected) for each in KINDS[kind](folder, text)[0]]


def mistakes(kind: str, folder: Path, text: str) -> list[tuple[str, str]]:
    """The codes of what is wrong, with the text that each one points at."""
    with pytest.raises(InputError) as caught:
        KINDS[kind](folder, text)
    assert all(each.hint and each.span for each in caught.value.diagnostics)
    return [
        (each.code, each.span.text)
        for each in caught.value.diagnostics
        if each.span and each.severity == "error"
    ]


@everywhere
@pytest.mark.parametrize(
    "text",
    [
        "// RESULT: true\nA [ F b ]",
        "// Result: true\nA [ F b ]\n",
        "//result:true\nA [ F b ]\n",
        "A [ F b ] // RESULT: true",
        "A [ F b ]// RESULT: true\n",
        "A [ F b ]; // RESULT: true\n",
        "A [ F b ];// RESULT : true\n",
        "// why it is so\n// RESULT: true\n// because\nA [ F b ] // indeed\n",
        "\n\n// The results of the paper differ.\n// RESULT: true\n\nA [ F b ]\n",
    ],
)
def test_a_result_is_read(kind: str, text: str, tmp_path: Path) -> None:
    assert results(kind, tmp_path, text) == [("A [ F b ]", "true")]


@everywhere
@pytest.mark.parametrize(
    "comment",
    [
        "// RESULT 0.5", "// RESULTS: 0.5", "// RESULT = 0.5", "// RESULT", "// RESULT -> true", "// Result is true", "// result 1/2",  # noqa: E501
        "// RESULT (p=0.1): 0.5", "// Results: see the table", "/// RESULT: true", "// - RESULT: true", "// RESUTL: true",  # noqa: E501
        "// the RESULT: true", "// expected result: 0.5", "// RESULT; true", "// RESULT. true", "// RESLT: false",  # noqa: E501
        "// RESULT ~0.5 (rounded)", "// RESULT should be inf", "// Expected: true", "// EXPECTED = 0.5", "// answer: ~0.5.",  # noqa: E501
    ],
)  # fmt: skip
def test_what_looks_like_a_result_and_is_none_is_a_mistake(
    kind: str, comment: str, tmp_path: Path
) -> None:
    assert mistakes(kind, tmp_path, f"{comment}\nA [ F b ]\n") == [("LOG017", comment)]
    assert mistakes(kind, tmp_path, f"A [ F b ]{comment}") == [("LOG017", comment)]


@everywhere
@pytest.mark.parametrize("title", ["RESULT:", "Result :", '"RESULT":', "RESULTS:"])
def test_a_result_that_is_no_comment_is_a_mistake(kind: str, title: str, tmp_path: Path) -> None:
    assert ("LOG017", title) in mistakes(kind, tmp_path, f"{title} true\nA [ F b ]\n")


@everywhere
@pytest.mark.parametrize("title", ["G", "Pmax", "not", "forall", "multi", "true", '""', '" "'])
def test_what_is_no_title_is_a_mistake(kind: str, title: str, tmp_path: Path) -> None:
    assert mistakes(kind, tmp_path, f"{title}: A [ F b ]\n") == [
        ("LOG021" if '"' in title else "LOG019", f"{title}:")
    ]


@everywhere
def test_a_property_that_is_there_twice_is_warned_of(kind: str, tmp_path: Path) -> None:
    properties, warnings = KINDS[kind](
        tmp_path, '"one": A [ F b ]\n"two": A [ F   b ]\n"three": A [ G b ]\n'
    )
    assert [each.name for each in properties] == ["one", "two", "three"]
    assert [(each.code, each.span.text) for each in warnings.warnings if each.span] == [
        ("LOG024", "A [ F   b ]")
    ]


@everywhere
@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("// RESULT: true\n// RESULT: false\nA [ F b ]\n", "// RESULT: false"),
        ("// RESULT: true\nA [ F b ] // RESULT: true\n", "// RESULT: true"),
        ("// RESULT: true\nA [ F b ]// RESULT: 0.5\n", "// RESULT: 0.5"),
        (
            "A [ F b ] // RESULT: true\nA [ F b ]; // RESULT: 1\nA [ F // RESULT: 1\n b ] // "
            "RESULT: 2\n",
            "// RESULT: 2",
        ),
    ],
)
def test_two_results_of_a_property_are_a_mistake(
    kind: str, text: str, position: str, tmp_path: Path
) -> None:
    assert mistakes(kind, tmp_path, text) == [("LOG016", position)]


@everywhere
def test_results_below_their_properties_are_a_mistake(kind: str, tmp_path: Path) -> None:
    """Each one would count for the next property, and the last for none."""
    text = "A [ F b ]\n// RESULT: true\n\nA [ G b ]\n// RESULT: false\n"
    assert mistakes(kind, tmp_path, text) == [
        ("LOG018", "// RESULT: true"),
        ("LOG011", "// RESULT: false"),
    ]
    close = "A [ F b ]\n// RESULT: true\nA [ G b ]\n// RESULT: false\n"
    assert mistakes(kind, tmp_path, close) == [("LOG011", "// RESULT: false")]
    properties, warnings = KINDS[kind](tmp_path, "A [ F b ]\n// RESULT: true\nA [ G b ]\n")
    assert [each.expected for each in properties] == [None, "true"]
    assert [each.code for each in warnings.warnings] == ["LOG018"]
    properties, warnings = KINDS[kind](tmp_path, "A [ F b ]\n\n// RESULT: true\nA [ G b ]\n")
    assert [each.expected for each in properties] == [None, "true"]
    assert not warnings.warnings


@everywhere
@pytest.mark.parametrize(
    "value",
    [
        "1e400",
        "-1e400",
        "1" * 5000,
        "0." + "3" * 5000,
        "1/" + "7" * 5000,
        "1e999999999",
        "~1e-999999999",
        "",
        "yes",
        "true?",
        "٣",
    ],
)
def test_results_that_are_no_numbers(kind: str, value: str, tmp_path: Path) -> None:
    assert mistakes(kind, tmp_path, f"// RESULT: {value}\nA [ F b ]\n") == [
        ("CHK020", f"// RESULT: {value}".rstrip() if value else "// RESULT: ")
    ]


@everywhere
def test_titles(kind: str, tmp_path: Path) -> None:
    properties, warnings = KINDS[kind](tmp_path, '"sure": A [ F b ]\n"sure": A [ G b ]\n')
    assert [each.name for each in properties] == ["sure", "sure"]
    assert [(each.code, each.span and each.span.line) for each in warnings.warnings] == [
        ("LOG020", properties[1].span.line)
    ]
    assert mistakes(kind, tmp_path, "G: b\n") == [("LOG019", "G:")]
    assert mistakes(kind, tmp_path, '"sure":\nA [ F b ]\n') == [("LOG021", '"sure":')]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "small.can",
            CAN.replace("// Properties", "// RESULT: true\n// Properties") + "A [ F b ]\n",
        ),
        (
            "small.dribble",
            DRIBBLE.replace("properties", "// RESULT: true\nproperties") + "  A [ F b ]\n",
        ),
        ("small.mas", PROJECT.replace("properties", "// RESULT: true\nproperties") + "A [ F b ]\n"),
        ("a.asl", "b(1). // RESULT: true\n"),
        ("small.sej", REASONING + "// RESULT: true\n"),
    ],
)
def test_a_result_outside_the_properties_is_a_mistake(name: str, text: str, tmp_path: Path) -> None:
    beside = {"small.mas": "agent a = a.asl\n"} if name == "a.asl" else {"a.asl": "b(1).\n"}
    for file, content in {**beside, name: text}.items():
        (tmp_path / file).write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(tmp_path / next(iter(beside)) if name == "a.asl" else tmp_path / name)
    assert [(each.code, each.span and each.span.text) for each in caught.value.diagnostics] == [
        ("LOG011", "// RESULT: true")
    ]


near_results = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["//", "// ", "//  ", "///", "// * "]),
    st.sampled_from(
        ["RESULT", "Result", "result", "RESULTS", "Results", "RSEULT", "RESULTT", "RESUL", "REsult"]
    ),
    st.sampled_from(["", " "]),
    st.sampled_from([":", "=", "==", ":=", " ", "->", " is ", "::", " : "]),
    st.sampled_from(["true", " false", "0.5", " 1/3", " ~0.25", " inf"]),
)


@settings(max_examples=200, deadline=None)
@given(comment=near_results, behind=st.booleans(), gap=st.sampled_from(["", " ", "\t"]))
def test_every_spelling_is_a_result_or_a_mistake(comment: str, behind: bool, gap: str) -> None:
    """In all kinds of file the same, and never nothing."""
    text = f"A [ F b ]{gap}{comment}\n" if behind else f"{gap}{comment}\nA [ F b ]\n"
    outcomes = set()
    with TemporaryDirectory() as folder:
        for kind in ("a property file", "CAN"):
            try:
                outcomes.add(tuple(each.expected for each in KINDS[kind](Path(folder), text)[0]))
            except InputError as error:
                outcomes.add(tuple(each.code for each in error.diagnostics))
    (outcome,) = outcomes
    assert outcome != (None,)
    assert outcome[0] in ("LOG017", "CHK020") or outcome[0] == comment.rpartition(":")[2].strip()
