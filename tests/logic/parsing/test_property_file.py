"""Property files: names, expected results, comments, and where a property ends."""

from __future__ import annotations

import pytest

from volition.diagnostics import InputError, Source
from volition.logic import parse, read_properties

TEXT = """// what must never happen
// RESULT: true
"no collision": A [ G !Bel(car, crashed) ]   // said plainly

// RESULT: 0.6561
Pmax=? [ F Bel(success1)
   // both of them
         & Bel(success2) ];  E [ F Plan(mL; cR) ]; "a // b" & c
careful: x = 3;
"""


def test_properties_with_names_and_results() -> None:
    found = read_properties(Source("agent.props", TEXT))
    assert [(each.name, each.expected, each.span.line) for each in found] == [
        ("no collision", "true", 3),
        (None, "0.6561", 6),
        (None, None, 8),
        (None, None, 8),
        ("careful", None, 9),
    ]
    assert [each.text for each in found if each.name] == ["A [ G !Bel(car, crashed) ]", "x = 3"]
    assert all(each.span.text == each.text for each in found)
    assert parse(
        source=found[1].span.source, start=found[1].span.start, end=found[1].span.end
    ) == parse("Pmax=? [ F (Bel(success1) & Bel(success2)) ]")


def test_a_result_behind_a_property_is_its_own() -> None:
    text = "a // RESULT: true\nb; // RESULT: false\nc; d & ( // RESULT: 0.5\n e)\n"
    found = read_properties(Source("agent.props", text))
    assert [(each.text[0], each.expected) for each in found] == [
        ("a", "true"),
        ("b", "false"),
        ("c", None),
        ("d", "0.5"),
    ]


@pytest.mark.parametrize(
    "text", ["// RESULT: true\n// RESULT: true\na\n", "// RESULT: true\na // RESULT: false\n"]
)
def test_two_results_of_a_property_are_a_mistake(text: str) -> None:
    with pytest.raises(InputError, match="LOG016"):
        read_properties(Source("agent.props", text))


@pytest.mark.parametrize("text", ["G: clean", "a; A : b", "Pmax: b"])
def test_an_operator_is_no_title(text: str) -> None:
    with pytest.raises(InputError, match="LOG019"):
        read_properties(Source("agent.props", text))
    (found,) = read_properties(Source("agent.props", '"G": clean'))
    assert found.name == "G"


def test_a_result_without_a_property_is_a_mistake() -> None:
    with pytest.raises(InputError) as raised:
        read_properties(Source("agent.props", "a;\n// RESULT: true\n"))
    (diagnostic,) = raised.value.diagnostics
    assert diagnostic.code == "LOG011"
    assert diagnostic.span is not None
    assert diagnostic.span.line == 2
