"""Bad input gets messages, never a traceback."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.languages.lisa.projects import EXAMPLES, action, project, reasoning
from volition.diagnostics import Diagnostics, InputError, Source, render
from volition.languages.lisa import load
from volition.languages.lisa.ontology import read_ontology

FOLDER = EXAMPLES / "pipeline_drone"
MAIN = (FOLDER / "drone.sej").read_text(encoding="utf-8")
ONTOLOGY = (FOLDER / "drone.ont").read_text(encoding="utf-8")
ACTIONS = {
    path.stem: path.read_text(encoding="utf-8")
    for path in sorted((FOLDER / "actions").glob("*.sep"))
}

pieces = st.sampled_from(
    [
        "[",
        "]",
        "{",
        "}",
        "^",
        "~",
        "+",
        ".",
        ",",
        "(",
        ")",
        "::",
        "//",
        "\n",
        "If ",
        "then",
        "while",
        ">",
        "@",
        "0.5",
        "",
        "é",
        '"',
    ]
)


def damaged(draw: st.DrawFn, text: str) -> str:
    """The text with a few spans replaced by something else."""
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        text = text[:start] + draw(pieces) + text[end:]
    return text


@st.composite
def damaged_projects(draw: st.DrawFn) -> tuple[str, dict[str, str], str]:
    return (
        damaged(draw, MAIN),
        {name: damaged(draw, text) for name, text in ACTIONS.items()},
        damaged(draw, ONTOLOGY),
    )


@settings(max_examples=150, deadline=None)
@given(damaged_projects())
def test_damaged_projects(files: tuple[str, dict[str, str], str]) -> None:
    main, actions, ontology = files
    try:
        program = project(main, actions, ontology=ontology)
    except InputError as error:
        for diagnostic in error.diagnostics:
            assert diagnostic.code.startswith("LIS")
            assert render(diagnostic)
    else:
        assert program.model().system.slots
        assert program.tables()


@pytest.mark.parametrize(
    "number",
    ["1e400", "1e350", "1e999999999", "1e-999999999", "9" * 5000, "0." + "1" * 5000, "2000000"],
)
@pytest.mark.parametrize(
    "position",
    ["P. {{[],[0.2,{},2],[1,1,0]}}", "P. {{[],[{},1,0],[1,1,0]}}", "P. {{[],[0.2,1,0],[1,1,{}]}}"],
)
def test_huge_numbers_of_percepts(number: str, position: str) -> None:
    with pytest.raises(InputError, match="LIS004"):
        project(reasoning(percepts=position.format(number)))


@pytest.mark.parametrize("number", ["1e400", "1e350", "1e999999999", "9" * 5000])
def test_other_huge_numbers(number: str) -> None:
    for feedback in (f"D[{number},1,0]", f"D[1,{number},0]", f"D[1,1,{number}]"):
        with pytest.raises(InputError, match="LIS004"):
            project(
                reasoning(beliefs="Go.", plans="If ^[Go] then\n[act.]."),
                {"act": action("act", feedback)},
            )
    with pytest.raises(InputError, match="LIS004"):
        project(reasoning(beliefs="Go.", plans=f"If ^[Go] then\n-^[Go] {{fuel={number}}}."))
    with pytest.raises(InputError):
        load(FOLDER, {"take_off.mu": number})


@pytest.mark.parametrize("depth", [50, 1_000])
def test_conditions_inside_of_each_other(depth: int) -> None:
    for opening, closing in (("(", ")"), ("not ", ""), ("(^[A] or ^[A] and ", ")"), ("~(", ")")):
        text = reasoning(
            beliefs="A.", plans=f"If ^[A] while {opening * depth}^[A]{closing * depth} then\n-^[A]."
        )
        brackets_alone = opening == "("
        if depth == 50 or brackets_alone:
            assert project(text).tables()
        else:
            with pytest.raises(InputError, match="LIS009"):
                project(text)


def test_reading_is_linear() -> None:
    """Long names and many plans take their time once, not squared."""

    def seconds(plans: int, letters: int) -> float:
        text = "\n".join(
            f"If ^[{'a' * letters} {number}] then\n-^[{'a' * letters} {number}]."
            for number in range(plans)
        )
        beliefs = "\n".join(f"{'a' * letters} {number}." for number in range(plans))
        start = time.process_time()
        assert len(project(reasoning(beliefs=beliefs, plans=text)).agent.plans) == plans
        return time.process_time() - start

    seconds(10, 10)
    assert seconds(800, 20) < 20 * seconds(100, 20) + 0.5
    assert seconds(10, 16_000) < 20 * seconds(10, 2_000) + 0.5


def test_many_plans_that_exclude_each_other() -> None:
    """That no two of 300 plans can be triggered together is found out in a second, not for every
    two of them."""
    contexts = (
        " and ".join(f"{'' if number >> bit & 1 else '~'}^[B {bit}]" for bit in range(9))
        for number in range(300)
    )
    plans = "\n".join(f"If ^[Go] while {context} then\n-^[Go]." for context in contexts)
    start = time.process_time()
    program = project(
        reasoning(beliefs="Go.\n" + "\n".join(f"B {bit}." for bit in range(9)), plans=plans)
    )
    assert program.agent.kind == "dtmc"
    assert len(program.agent.groups) == 1
    assert time.process_time() - start < 5


def test_an_ontology_with_many_spaces_is_read() -> None:
    """The time grows with the length of a line: with a power of it, this test would not end."""
    many, diagnostics = " " * 100_000, Diagnostics()
    read_ontology(
        Source("a.ont", f">thing\n@a{many}:{many}thing{many}\n@b{many}:c{many}@\n>d{many}@\n"),
        diagnostics,
    )
    assert [each.code for each in diagnostics.errors] == ["LIS030", "LIS030"]
