"""Comments: ``//`` up to the end of the line, in every file of a project and in every place."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.languages.lisa.projects import EXAMPLES, action, codes, mistakes, project, reasoning
from volition.diagnostics import InputError

FOLDER = EXAMPLES / "pipeline_drone"
FILES = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("*"))
    if path.suffix in (".sej", ".sep", ".ont")
}
REMARK = "// [x]. {[],[1,1,0],[1,1,0]}, ^[X] :: Y[1,1,0] > @ If ^[X] then"


def read(files: dict[str, str]) -> object:
    """What a project means, apart from places, or what is wrong with it."""
    actions = {
        name.removesuffix(".sep"): text for name, text in files.items() if name.endswith(".sep")
    }
    try:
        program = project(files["drone.sej"], actions, ontology=files["drone.ont"])
    except InputError as error:
        return [(each.code, each.message) for each in error.diagnostics]
    tables = [
        (table.title, [list(row) for row in table.rows])
        for table in program.tables()
        if table.title != "Rules"
    ]
    return tables, [(each.code, each.message) for each in program.warnings]


def lines() -> Iterator[tuple[str, int]]:
    for name, text in FILES.items():
        yield from (
            (name, number)
            for number, line in enumerate(text.split("\n"))
            if line.strip() and "//" not in line
        )


def test_a_remark_behind_every_line_changes_nothing() -> None:
    remarked = {
        name: re.sub(r"$", f" {REMARK}", text, flags=re.MULTILINE) for name, text in FILES.items()
    }
    assert read(remarked) == read(FILES)


@pytest.mark.parametrize(("name", "number"), list(lines()))
def test_a_line_behind_slashes_is_not_there(name: str, number: int) -> None:
    written = FILES[name].split("\n")
    hidden, absent = (
        {**FILES, name: "\n".join([*written[:number], line, *written[number + 1 :]])}
        for line in (f"//{written[number]}", "")
    )
    assert read(hidden) == read(absent)


def test_comments_between_the_parts_of_a_value() -> None:
    sentences = "Act. // Jump.\n  // Run.\n  Move."
    feedback = "Done[0.5,1,0], // Lost[0.1,1,0],\n // Gone[1,1,0]\n  Missed[0.5,1,0] // ."
    text = reasoning(
        beliefs="Go.",
        plans="If ^[Go] while // ^[Never] and\n true then // here\n[Act.] // and so\n // "
        "on\n-^[Go].",
    )
    agent = project(text, {"act": action("act // ing", feedback, sentence=sentences)}).agent
    assert [each.text for each in agent.actions[0].feedbacks] == ["Done", "Missed"]
    assert [step.text for step in agent.plans[0].steps] == ["[Act.]", "-^[Go]"]
    called = text.replace("[Act.]", "[Jump.]")
    assert codes(mistakes(called, {"act": action("act", "Done[1,1,0]", sentence=sentences)})) == [
        "LIS041"
    ]


def test_dots_in_numbers_end_no_sentence() -> None:
    text = reasoning(beliefs="Go.", plans="If ^[Go] while true then\n[Go down 1.5 m.].")
    (found,) = project(
        text, {"down": action("down", "Done[1,1,0]", sentence="Go down 1.5 m. Dive 1.5 m.")}
    ).agent.actions
    assert found.name == "go_down_1__dot_5_m"
