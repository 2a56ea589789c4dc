"""Messages quote a formula as its author wrote it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from volition.diagnostics import InputError
from volition.logic.parsing.parser import parse
from volition.logic.printing import as_typed
from volition.logic.syntax import Proposition

PACKAGE = Path(__file__).parents[2] / "src" / "volition"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("[](a  ->  <>b)", "[](a -> <>b)"),
        ("A [ G a ]", "A [ G a ]"),
        ("G (a // first\n & b)", "G (a & b)"),
        ("Pmax=?[<>a]", "Pmax=?[<>a]"),
    ],
)
def test_a_formula_is_quoted_as_typed(text: str, typed: str) -> None:
    assert as_typed(parse(text)) == typed


def test_a_formula_without_text_is_printed() -> None:
    assert as_typed(Proposition("done")) == "done"


def test_a_message_quotes_the_formula_as_typed() -> None:
    import volition

    with pytest.raises(InputError, match=re.escape("'A[] (E<>SS1)' cannot be simulated")):
        volition.simulate(
            str(PACKAGE.parents[1] / "examples" / "can" / "rover.can"), "A[] (E<>SS1)"
        )


def test_no_message_of_the_package_quotes_a_reprinted_formula() -> None:
    """Messages of languages quote terms with a function of the same name, and are not about
    formulas."""
    files = [
        each
        for each in PACKAGE.rglob("*.py")
        if "languages" not in each.parts and "logic" not in each.parts
    ]
    quoting = [
        f"{file.name}: {line.strip()}"
        for file in files
        for line in file.read_text().splitlines()
        if re.search(r"'\{show\(", line)
    ]
    assert quoting == []
