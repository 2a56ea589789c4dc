"""What a program says that formulas can speak of, formulas can speak of."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from volition.languages import find_programs

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = [
    each for each in find_programs(EXAMPLES) if "six" not in each.name and "five" not in each.name
]


@pytest.mark.parametrize(
    "path", PROGRAMS, ids=[str(each.relative_to(EXAMPLES)) for each in PROGRAMS]
)
def test_each_word_can_be_asked(path: Path) -> None:
    program = volition.load(path, trust=True)
    words = volition.vocabulary(program)
    queried = [
        f"E [ F {each} ]"
        for kind in ("beliefs", "goals", "actions", "labels")
        for each in words[kind]
    ]
    queried += [f"E [ F {each} >= 0 ]" for each in words["numeric_variables"]]
    assert queried
    assert [
        each.message
        for each in volition.lint_formulas(program, queried)
        if each.severity == "error"
    ] == []


def test_what_is_wrong_with_a_formula_is_told_without_answering_it() -> None:
    program = volition.load(EXAMPLES / "can" / "rover.can")
    assert volition.lint_formulas(program, "Pmax=? [ F (SS1 & SS2) ]") == ()
    (unknown,) = volition.lint_formulas(program, "Pmax=? [ F SS11 ]")
    assert unknown.span is not None
    assert unknown.span.text == "SS11"
    assert volition.lint_formulas(program, "Pmax=? [ F (")
