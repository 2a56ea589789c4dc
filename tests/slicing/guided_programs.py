"""Random programs of every language, with atoms that may be asked of them, for comparisons of guided answers with plain ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

import volition
from tests.languages.agentspeak.random_systems import BOUNDS, SELECTIONS, SYSTEMS, WORLDS
from tests.languages.agentspeak.systems import write_project
from tests.languages.can.random_programs import program_text
from tests.languages.can.random_programs import programs as can_programs
from tests.languages.dribble.plain import text_of_program
from tests.languages.dribble.random_programs import programs as dribble_programs
from tests.languages.gwendolen.generator import SYSTEMS as GWENDOLEN_SYSTEMS
from tests.languages.gwendolen.generator import write
from tests.languages.lisa.projects import project
from tests.languages.lisa.random_projects import projects
from tests.slicing.generator import ATOMS, random_program
from volition.languages.model import Program

SHAPES = [
    "A [ G {0} ]", "A [ G !({0}) ]", "A [ G ({0} -> {1}) ]", "A [ F {0} ]", "A [ G ({0} -> F {1}) ]", "A [ {0} W {1} ]", "A [ !{0} U {1} ]",
    "A [ G F {0} ]", "A [ F G !{0} ]", "A [ X {0} ]", "A [ G ({0} -> X !{1}) ]", "A [ F<=4 {0} ]", "A [ G !{0} ] & A [ G (X {1} -> {0}) ]",
    "A [ F A [ G {0} ] ]", "A [ G (A [ F {0} ] | A [ G !{1} ]) ]", "!(E [ F ({0} & {1}) ])", "E [ F {0} ]", "A [ G !{0} ] | A [ F {1} ]",
]  # fmt: skip
"""Mostly such formulas as an over-approximation may prove."""

Draw = Callable[[st.SearchStrategy[Any]], Any]
Drawn = tuple[Program, Sequence[str]]
"""A program, and atoms of which it may not know all."""


def _can(draw: Draw, folder: Path) -> Drawn:
    program = draw(can_programs())
    (folder / "random.can").write_text(program_text(program))
    atoms = ["a", "b", "c", "x >= 3", "empty", "failure", "Does(act1)", *(f"Int({event})" for event in program.events)]
    return volition.load(folder / "random.can"), atoms


def _agentspeak(draw: Draw, folder: Path) -> Drawn:
    system = draw(SYSTEMS)
    root = write_project(folder, system.agents, draw(WORLDS), f"{system.options}\n{draw(SELECTIONS)}\n{BOUNDS}")
    atoms = [
        "Bel(a, q)",
        "Bel(a, p(1))",
        "Bel(b, q)",
        "Bel(b, p(2))",
        "Int(b, h)",
        "Des(a, g(1))",
        "Does(b, put(1))",
        "Does(a, press)",
        "light",
    ]
    return volition.load(root), atoms


def _dribble(draw: Draw, folder: Path) -> Drawn:
    (folder / "random.dribble").write_text(text_of_program(draw(dribble_programs())))
    atoms = ["B(p)", "B(~p)", "B(q)", "B(r)", "B(p | ~q)", "stalled", "Plan(empty)", "Goals{}", "Does(a1)", "Does(a2)", "withheld"]
    return volition.load(folder / "random.dribble"), atoms


def _lisa(draw: Draw, folder: Path) -> Drawn:  # noqa: ARG001, a project is read from a folder of its own
    atoms = [
        'Bel("Note one")',
        'Bel("Note-one")',
        'Bel("Percept one")',
        'Bel("Percept two")',
        'Bel("Done")',
        'Bel("Good")',
        "Int(plan_1)",
        "Int(plan_2)",
    ]
    return project(*draw(projects())), atoms


def _gwendolen(draw: Draw, folder: Path) -> Drawn:
    if draw(st.booleans()):
        return random_program(Random(draw(st.integers(0, 2**32)))).load(folder), ATOMS
    system = draw(GWENDOLEN_SYSTEMS)
    what = [("Bel", "p"), ("Bel", "q"), ("Bel", "s"), ("Bel", "n(1)"), ("Bel", "d"), ("Does", "push"), ("Des", "h"), ("Int", "g")]
    atoms = [f"{modality}({each.name}, {atom})" for each in system.programs for modality, atom in what]
    return volition.load(write(system, folder)), atoms


LANGUAGES = {"CAN": _can, "AgentSpeak(F)": _agentspeak, "Dribble": _dribble, "LISA": _lisa, "Gwendolen": _gwendolen}


def random_formulas(random: Random, atoms: Sequence[str], number: int) -> list[str]:
    """Formulas about some of the atoms."""
    return [random.choice(SHAPES).format(random.choice(atoms), random.choice(atoms)) for _ in range(number)]
