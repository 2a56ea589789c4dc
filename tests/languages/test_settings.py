"""Settings of every language: one that a file sets twice is the same error with the same words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import volition
from tests.languages.agentspeak.systems import write_project
from tests.languages.can import small as can


def can_file(rest: str) -> Callable[[Path], Path]:
    return lambda folder: written(folder / "test.can", can.agent("+b", rest=rest))


def dribble_file(len_max: str) -> Callable[[Path], Path]:
    return lambda folder: written(folder / "test.dribble", f"{len_max}\nactions:\n  a : true => p\ngoal rules:\n  ~p -> a")


def agentspeak_folder(options: str = "", world: str | None = None) -> Callable[[Path], Path]:
    return lambda folder: write_project(folder, {"a": "", "b": ""}, world, options)


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "second", "program"),
    [
        ("p", "p = 0.6", can_file("// Parameters\np = 0.5,\np = 0.6")),
        ("plans", "plans : round-robin.", can_file("// Policies\nplans : fixed.\nplans : round-robin.")),
        ("update", "update : finished.", can_file("// Policies\nupdate : any.\nupdate : finished.")),
        ("len_max", "6", dribble_file("len_max: 5\nlen_max: 6")),
        ("len_max", "6", dribble_file("len_max:\n  5\n  6")),
        ("idle", "idle = block", agentspeak_folder("idle = block\nidle = block")),
        ("a.M_Ev", "a.M_Ev = 4", agentspeak_folder("a.M_Ev = 3\na.M_Ev = 4")),
        ("n", "parameter n = 2", agentspeak_folder("parameter n = 1\nparameter n = 2", "parameter n = 0")),
        ("a accepts tell", "a", agentspeak_folder("a accepts tell from b\na accepts tell from nobody")),
        ("n", "parameter n = 2", agentspeak_folder(world="parameter n = 1\nparameter n = 2")),
    ],
)
def test_twice_in_a_file(name: str, second: str, program: Callable[[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(volition.InputError) as error:
        volition.load(program(tmp_path))
    (found,) = [each for each in error.value.diagnostics if each.code == "LNG010"]
    assert found.message == f"'{name}' is set twice"
    assert found.span is not None
    assert found.span.text == second
    assert found.hint == f"first in line {found.span.line - 1}: remove one of them"
