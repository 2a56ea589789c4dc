"""A portrait and its details tell any two states apart, in words: what a strategy depends on can
always be said."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.languages.agentspeak.random_systems import BOUNDS, SYSTEMS, WORLD, RandomSystem
from tests.languages.agentspeak.systems import write_project
from tests.languages.can.random_programs import program_text, programs
from tests.languages.can.reference import Program as PlainCan
from tests.languages.dribble.comparing import program_of
from tests.languages.dribble.random_programs import programs as dribble_programs
from tests.languages.dribble.reference import PlainProgram, text_of_program
from tests.languages.jason.random_programs import random_system
from tests.languages.lisa.projects import project
from tests.languages.lisa.random_projects import projects
from volition import load
from volition.diagnostics import InputError, Source
from volition.kernel import Limits, explore
from volition.languages.can import parse
from volition.languages.protocols import HasStateDetails, Program
from volition.logic import parse as formula
from volition.logic.syntax import Atom

QUICK = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


def expect_states_told_apart(program: Program, *observed: str) -> None:
    model = program.model([atom for atom in map(formula, observed) if isinstance(atom, Atom)])
    assert isinstance(model, HasStateDetails)
    try:
        space = explore(model.system, limits=Limits(states=300))
    except InputError:  # a bound of the program is exceeded
        return
    found: dict[frozenset[tuple[str, str, str]], int] = {}
    for state in range(space.num_states):
        values = space.values(state)
        view = {**model.describe(values), "details": model.state_details(values)}
        texts = frozenset(
            (section, item, value)
            for section, items in view.items()
            for item, value in items.items()
        )
        assert texts not in found, f"states {found[texts]} and {state} look alike"
        found[texts] = state


@QUICK
@given(programs())
def test_can(plain: PlainCan) -> None:
    text = program_text(plain)
    for policies in ({}, {"intentions": "round-robin", "plans": "round-robin"}):
        expect_states_told_apart(parse(Source("test.can", text), "test", policies), "Does(act1)")


@QUICK
@given(SYSTEMS)
def test_agentspeak(system: RandomSystem) -> None:
    with TemporaryDirectory() as folder:
        expect_states_told_apart(
            load(
                write_project(Path(folder), system.agents, WORLD, f"{system.options}\n{BOUNDS}"), {}
            )
        )


@QUICK
@given(st.integers(0, 10_000))
def test_jason(seed: int) -> None:
    with TemporaryDirectory() as folder:
        expect_states_told_apart(load(random_system(seed).write(Path(folder), "parts"), {}))


@QUICK
@given(projects())
def test_lisa(written: tuple[str, dict[str, str]]) -> None:
    expect_states_told_apart(project(*written), "Does(+Note one)")


@QUICK
@given(dribble_programs())
def test_dribble(plain: PlainProgram) -> None:
    expect_states_told_apart(program_of(text_of_program(plain)), "Does(act)")
