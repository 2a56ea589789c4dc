"""Programs that use what programs for Jason use, each with the answers that Jason's semantics gives it.

The folders are called by what they are about; their properties carry the expected results.  All runs are taken to be fair: an agent, the
world, or a timer that can move from some time on does so.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import volition

PROGRAMS = Path(__file__).parent / "acceptance"
EXAMPLES = Path(__file__).parents[3] / "examples" / "jason"
MOST_STATES = 60_000


def program(folder: Path) -> Path:
    """The project in a folder, or its only agent."""
    (beside,) = folder.glob("*.volition")
    project = beside.with_suffix(".mas2j")
    return project if project.exists() else beside.with_suffix(".asl")


def holds(folder: Path, formula: str, **settings: str) -> bool:
    """Whether a formula holds of a program."""
    (answer,) = volition.check(program(folder), [formula], settings=settings, fair="weak", max_states=MOST_STATES)
    assert answer.verdict.holds is not None
    return answer.verdict.holds


@pytest.mark.parametrize("folder", sorted(each.name for each in PROGRAMS.iterdir() if each.is_dir()))
def test_a_program_answers_as_it_says(folder: str) -> None:
    report = volition.check(program(PROGRAMS / folder), fair="weak", max_states=MOST_STATES)
    assert report.answers
    assert [each.question.text for each in report if not each.as_expected] == []


@pytest.mark.parametrize("folder", sorted(each.name for each in EXAMPLES.iterdir()))
def test_an_example_answers_as_it_says(folder: str) -> None:
    report = volition.check(program(EXAMPLES / folder), max_states=MOST_STATES)
    assert report.answers
    assert [each.question.text for each in report if not each.as_expected] == []
