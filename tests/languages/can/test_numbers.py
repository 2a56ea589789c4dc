"""Numbers in CAN programs are exact, of any usual size, and those that nobody means are refused
with their place, at once."""

from __future__ import annotations

from fractions import Fraction

import pytest

from volition.diagnostics import InputError, Source
from volition.languages.can.printing import agent_text
from volition.languages.can.program import parse

PROGRAM = (
    "// Parameters\np = {number}\n// Initial belief bases\nx = p\n// External events\ngo\n// "
    "Plan library\ngo : x > p <- .\n"
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-300", Fraction(1, 10**300)),
        ("1E-2", Fraction(1, 100)),
        ("2.5e3", Fraction(2500)),
        ("2e+3", Fraction(2000)),
        ("1e0", Fraction(1)),
        ("1e308", Fraction(10**308)),
        ("0.1", Fraction(1, 10)),
        ("1e-3 - 1e-4", Fraction(9, 10_000)),
        ("9" * 400, Fraction(10**400 - 1)),
        ("0." + "0" * 398 + "1", Fraction(1, 10**399)),
    ],
)
def test_numbers_are_exact(text: str, value: Fraction) -> None:
    program = parse(Source("p.can", PROGRAM.format(number=text)), "p", {})
    assert program.parameters["p"] == value
    assert (
        parse(Source("q.can", agent_text(program.agent)), "p", {}).parameters == program.parameters
    )
    assert (
        parse(Source("p.can", PROGRAM.format(number="1")), "p", {"p": text.split()[0]}).parameters[
            "p"
        ]
        > 0
    )


@pytest.mark.parametrize(
    "text", ["1e400", "1e-400", "1e999999999", "1e" + "9" * 5000, "9" * 5000, "0." + "1" * 5000]
)
@pytest.mark.parametrize("position", ["p = {}", "x = {}", "x > {}"])
def test_what_nobody_means_is_refused_at_its_place(text: str, position: str) -> None:
    old = position.format("p" if position != "p = {}" else "1")
    with pytest.raises(InputError) as error:
        parse(
            Source("p.can", PROGRAM.format(number="1").replace(old, position.format(text))), "p", {}
        )
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "CAN016"
    assert diagnostic.span is not None
    assert diagnostic.span.text == text
    with pytest.raises(InputError, match="CAN051"):
        parse(Source("p.can", PROGRAM.format(number="1")), "p", {"p": text})


@pytest.mark.parametrize("text", ["9" * 5000, "1e999999999"])
@pytest.mark.parametrize(
    "line",
    [
        "// Policies\nplans : fixed {}.",
        "// Decisions\nturn : {}.",
        '// Decisions\nstep : go by "select plan {} for go".',
        '// Labels\nl : left(go, "go:({})").',
        "// Rewards\nr : select({}) = 1.",
        "// Initial belief bases\n{}. x = 1",
    ],
)
def test_such_numbers_of_things_are_unknown(line: str, text: str) -> None:
    with pytest.raises(InputError) as error:
        parse(Source("p.can", PROGRAM.format(number="1") + line.format(text) + "\n"), "p", {})
    assert all(each.span is not None for each in error.value.diagnostics)


@pytest.mark.parametrize("name", ["3d", "2nd_floor", "1e", "1ex", "e5"])
def test_names_may_begin_with_digits(name: str) -> None:
    """As in the public tool."""
    program = parse(
        Source("p.can", PROGRAM.format(number="1") + f"// Labels\nl : {name}.\n"), "p", {}
    )
    assert [each.message for each in program.warnings if each.code == "CAN040"] == [
        f"the belief '{name}' never holds: it is neither initial nor added later"
    ]
