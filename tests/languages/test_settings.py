"""Settings of every language: one that a file sets twice is the same error with the same words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import volition
from tests.languages.agentspeak.systems import write_project
from tests.languages.can import small as can
from volition.languages.agentspeak.settings import BOUNDS as AGENTSPEAK_BOUNDS
from volition.languages.jason.settings import BOUNDS as JASON_BOUNDS


def can_file(rest: str) -> Callable[[Path], Path]:
    return lambda folder: written(folder / "test.can", can.agent("+b", rest=rest))


def dribble_file(len_max: str) -> Callable[[Path], Path]:
    return lambda folder: written(
        folder / "test.dribble", f"{len_max}\nactions:\n  a : true => p\ngoal rules:\n  ~p -> a"
    )


def agentspeak_folder(options: str = "", world: str | None = None) -> Callable[[Path], Path]:
    return lambda folder: write_project(folder, {"a": "", "b": ""}, world, options)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "second", "program"),
    [
        ("p", "p = 0.6", can_file("// Parameters\np = 0.5,\np = 0.6")),
        (
            "plans",
            "plans : round-robin.",
            can_file("// Policies\nplans : fixed.\nplans : round-robin."),
        ),
        (
            "update",
            "update : finished.",
            can_file("// Policies\nupdate : any.\nupdate : finished."),
        ),
        ("len_max", "6", dribble_file("len_max: 5\nlen_max: 6")),
        ("len_max", "6", dribble_file("len_max:\n  5\n  6")),
        ("idle", "idle = block", agentspeak_folder("idle = block\nidle = block")),
        ("a.M_Ev", "a.M_Ev = 4", agentspeak_folder("a.M_Ev = 3\na.M_Ev = 4")),
        (
            "n",
            "parameter n = 2",
            agentspeak_folder("parameter n = 1\nparameter n = 2", "parameter n = 0"),
        ),
        (
            "a accepts tell",
            "a",
            agentspeak_folder("a accepts tell from b\na accepts tell from nobody"),
        ),
        ("n", "parameter n = 2", agentspeak_folder(world="parameter n = 1\nparameter n = 2")),
    ],
)
def test_twice_in_a_file(
    name: str, second: str, program: Callable[[Path], Path], tmp_path: Path
) -> None:
    with pytest.raises(volition.InputError) as error:
        volition.load(program(tmp_path))
    (found,) = [each for each in error.value.diagnostics if each.code == "LNG010"]
    assert found.message == f"'{name}' is set twice"
    assert found.span is not None
    assert found.span.text == second
    assert found.hint == f"first in line {found.span.line - 1}: remove one of them"


HUGE = "1" + "0" * 60
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("program", "setting"),
    [
        *(("agentspeak/auction", each) for each in AGENTSPEAK_BOUNDS),
        *(("jason/household", each) for each in JASON_BOUNDS),
        *(("gwendolen/auction/two_bidders.gwendolen", each) for each in ("turns", "longest_queue")),
        ("can/breakfast.can", "nesting"),
    ],
)
def test_a_huge_number_is_refused(program: str, setting: str) -> None:
    with pytest.raises(volition.InputError) as error:
        volition.load(EXAMPLES / program, {setting: HUGE})
    (found,) = error.value.diagnostics
    assert f"'{HUGE}'" in found.message
    assert found.hint is not None
    assert "give it a whole number from 1 to " in found.hint


def test_a_huge_length_is_refused(tmp_path: Path) -> None:
    with pytest.raises(volition.InputError, match="DRB001"):
        volition.load(dribble_file(f"len_max: {HUGE}")(tmp_path))
