"""Property files beside a program: formulas for every language, sentences where the language has
them."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition import InputError, load
from volition.languages.common.properties import read_property_file

EXAMPLES = Path(__file__).parents[2] / "examples"
SENTENCES = """
// RESULT: 0.98
What is the maximum probability that eventually the belief served holds.
// RESULT: true
"both": In some executions, eventually the beliefs (served, toasted) hold.
Pmin=? [ F toasted ]
"""


def test_sentences_are_formulas_for_can(tmp_path: Path) -> None:
    file = tmp_path / "asked.props"
    file.write_text(SENTENCES)
    stated = read_property_file(file, load(EXAMPLES / "can/breakfast.can"))
    assert [(each.name, each.text, each.expected) for each in stated] == [
        (None, "Pmax=? [ F Bel(served) ]", "0.98"),
        ("both", "E [ F Bel(served & toasted) ]", "true"),
        (None, "Pmin=? [ F toasted ]", None),
    ]
    assert stated[0].span.line == 3


def test_every_unknown_sentence_is_reported_in_its_place(tmp_path: Path) -> None:
    file = tmp_path / "asked.props"
    file.write_text(
        "In no execution, eventually the belief served holds.\nPmin=? [ F toasted ]\nWhat is the "
        "probability of rain?\n"
    )
    with pytest.raises(InputError) as caught:
        read_property_file(file, load(EXAMPLES / "can/breakfast.can"))
    assert [(each.code, each.span.line) for each in caught.value.diagnostics if each.span] == [
        ("CAN006", 1),
        ("CAN006", 3),
    ]


def test_other_languages_have_no_sentences(tmp_path: Path) -> None:
    file = tmp_path / "asked.props"
    file.write_text("A [ F stalled ]\n")
    (stated,) = read_property_file(file, load(EXAMPLES / "dribble/vacuum.dribble"))
    assert stated.text == "A [ F stalled ]"


def test_a_file_without_a_property_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "asked.props"
    file.write_text("// nothing asked yet\n")
    with pytest.raises(InputError, match="LNG006"):
        read_property_file(file, load(EXAMPLES / "dribble/vacuum.dribble"))
