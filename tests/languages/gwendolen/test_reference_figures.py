"""The reference interpreter itself: the figures that another interpreter has found, which was
compared with the public tool."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from tests.languages.gwendolen.reference import Does, Graph, Reference, SmallWorld
from volition.languages.gwendolen.options import Redraw, Settings
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.syntax import Cycle
from volition.languages.world.terms import Structure, constant

HEAD = """EASS
:name: car
:Initial Beliefs:
:Reasoning Rules:
can_accelerate :- safe, ~driver_accelerates, ~driver_brakes;
:Initial Goals:
at_speed_limit [achieve]
:Plans:
"""
ACCELERATE = "+!at_speed_limit [achieve] : {B can_accelerate} <- perf(accelerate), wait;"
AGAIN = (
    "-at_speed_limit : {~G at_speed_limit [achieve], ~B at_speed_limit} <- +!at_speed_limit "
    "[achieve];"
)
DRIVER = (
    "+driver_accelerates : {B safe, ~B driver_brakes, B driver_accelerates} <- perf(accelerate);"
)
PROGRAMS = {
    "unsliced": [
        ACCELERATE,
        "+!at_speed_limit [achieve] : {~B safe} <- *safe;",
        "+!at_speed_limit [achieve] : {B driver_accelerates} <- *~driver_accelerates;",
        "+!at_speed_limit [achieve] : {B driver_brakes} <- *~driver_brakes;",
        "+at_speed_limit : {B can_accelerate, B at_speed_limit} <- perf(maintain_speed);",
        AGAIN,
        "-safe : {~B driver_brakes, ~B safe} <- perf(brake);",
        DRIVER,
        "+driver_brakes : {B driver_brakes} <- perf(brake);",
    ],
    "old slice": [ACCELERATE, AGAIN, DRIVER],
    "new slice": [
        ACCELERATE.replace(", wait", ""),
        "+!at_speed_limit [achieve] : {~B safe};",
        "+!at_speed_limit [achieve] : {B driver_accelerates};",
        "+!at_speed_limit [achieve] : {B driver_brakes};",
        AGAIN,
        DRIVER,
    ],
}
"""The cruise control of Winikoff et al., Fig. 2, and its slices, Fig. 6."""
PERCEPTS = tuple(map(constant, ("at_speed_limit", "safe", "driver_accelerates", "driver_brakes")))


def explored(file: Path, text: str, world: SmallWorld, options: Settings, *observed: Does) -> Graph:
    file.write_text(text)
    program = volition.load(file, settings={"world": "none"})
    assert isinstance(program, GwendolenProgram)
    return Reference(list(program.agents.values()), world, options, observed).explore()


@pytest.mark.parametrize(
    ("program", "cycle", "redraw", "states", "edges"),
    [
        ("unsliced", "eass", "handled", 3361, 7501),
        ("old slice", "eass", "handled", 2163, 4953),
        ("new slice", "eass", "handled", 1082, 2297),
        ("old slice", "gwendolen", "handled", 4446, 5781),
        ("new slice", "gwendolen", "handled", 1975, 2545),
        ("old slice", "eass", "noticed", 4692, 10632),
        ("new slice", "eass", "noticed", 2202, 4557),
        ("new slice", "gwendolen", "noticed", 2934, 3804),
        ("old slice", "eass", "acted", 2138, 2933),
        ("new slice", "eass", "acted", 298, 388),
    ],
)
def test_cruise_control(
    tmp_path: Path, program: str, cycle: Cycle, redraw: Redraw, states: int, edges: int
) -> None:
    does = Does("car", Structure("perf", (constant("accelerate"),)))
    world = SmallWorld(free={"car": PERCEPTS})
    graph = explored(
        tmp_path / "car.eass",
        HEAD + "\n".join(PROGRAMS[program]),
        world,
        Settings(cycle=cycle, redraw=redraw),
        does,
    )
    assert (len(graph.states), graph.edges) == (states, edges)


def test_a_goal_without_a_plan_ends_in_a_loop_of_two_states(tmp_path: Path) -> None:
    text = (
        "GWENDOLEN\n:name: a\n:Initial Beliefs:\n:Initial Goals:\ng [achieve]\n:Plans:\n+p : "
        "{True};\n"
    )
    graph = explored(tmp_path / "a.gwen", text, SmallWorld(), Settings())
    assert graph.successors == [[1], [2], [3], [4], [3]]
