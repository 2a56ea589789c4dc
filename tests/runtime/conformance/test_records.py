"""Every recorded run of every language is a run of its model, for conform, learn and replay alike,
and no falsified one is."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.languages.agentspeak.random_systems import BOUNDS, SYSTEMS, WORLD, RandomSystem
from tests.languages.agentspeak.systems import write_project
from tests.languages.can.random_programs import program_text, programs
from tests.languages.can.reference import Program as PlainCan
from tests.languages.dribble.random_programs import programs as dribble_programs
from tests.languages.dribble.reference import PlainProgram, text_of_program
from tests.languages.gwendolen.generator import SYSTEMS as GWENDOLEN_SYSTEMS
from tests.languages.gwendolen.generator import RandomSystem as GwendolenSystem
from tests.languages.gwendolen.generator import write
from tests.languages.jason.random_programs import random_system
from tests.languages.lisa.projects import project
from tests.languages.lisa.random_projects import projects
from tests.runtime.conformance.falsified import falsified
from tests.runtime.simulated import EXAMPLES, as_record
from volition import conform, learn, load, replay, run
from volition.diagnostics import InputError
from volition.languages.protocols import Program
from volition.runtime.conformance import Conformance

SOME = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))

STATED = [
    "can/breakfast.can",
    "dribble/vacuum.dribble",
    "agentspeak/contract_net",
    "gwendolen/lucky_dip",
    "jason/household",
    "lisa/crossing",
    "lisa/ferry",
    "lisa/mine_hunt",
]


def recorded(program: Program, *, seed: int, cycles: int = 20) -> list[str]:
    stream = io.StringIO()
    run(program, record=stream, cycles=cycles, seed=seed)
    return stream.getvalue().splitlines()


def judged(lines: Sequence[str], program: Program) -> Conformance:
    """The answer of conform, which learn and replay give as well."""
    text = "\n".join(lines) + "\n"
    record = as_record(text)
    (found,) = conform(record, program)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "run.jsonl"
        file.write_text(text)
        replayed = replay(file, program)
    assert replayed.possible == found.conforms
    try:
        remarks = [each.code for each in learn(record, program).remarks]
    except InputError as error:
        remarks = [each.code for each in error.diagnostics]
        assert "LRN001" in remarks
    assert ("LRN002" in remarks) == (
        found.logic is not None or (bool(found.unmodelled) and found.followed < found.recorded)
    )
    return found


def expect_only_the_recorded_run(program: Program, data: st.DataObject) -> None:
    try:
        lines = recorded(program, seed=data.draw(st.integers(0, 1000)))
    except InputError:  # a bound of the program is exceeded
        return
    found = judged(lines, program)
    assert found.conforms, found.deviations
    indices = [
        index
        for index, line in enumerate(lines)
        if json.loads(line).get("kind") in ("step", "cycle", "choice")
    ]
    if not indices:
        return
    position = data.draw(st.sampled_from(indices))
    line = json.loads(lines[position])
    where, other = data.draw(st.sampled_from(list(falsified(line))))
    try:
        found = judged([*lines[:position], json.dumps(other), *lines[position + 1 :]], program)
    except InputError as error:  # not of the shape of a record
        refused = {each.code for each in error.diagnostics}
    else:
        refused = set()
    if refused:
        assert refused == {"REC004"}
        return
    assert found.conforms is False, (where, line)
    assert found.deviations[0].step in _steps(lines, position), (where, line, found.deviations)


def _steps(lines: Sequence[str], index: int) -> range:
    """The numbers of the steps that a line of a record is about."""
    kinds = [json.loads(line).get("kind") for line in lines[: index + 1]]
    if "cycle" in (json.loads(line).get("kind") for line in lines):
        cycle = json.loads(lines[index])["cycle"]
        return range(2 * cycle + 1, 2 * cycle + 3)
    number = kinds.count("step") + (kinds[-1] == "choice")
    return range(number, number + 1)


@pytest.mark.parametrize("name", STATED)
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_examples(name: str, data: st.DataObject) -> None:
    expect_only_the_recorded_run(load(EXAMPLES / name), data)


@SOME
@given(programs(), st.data())
def test_can(plain: PlainCan, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "test.can"
        file.write_text(program_text(plain))
        expect_only_the_recorded_run(load(file), data)


@SOME
@given(dribble_programs(), st.data())
def test_dribble(plain: PlainProgram, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "test.dribble"
        file.write_text(text_of_program(plain))
        expect_only_the_recorded_run(load(file), data)


@SOME
@given(SYSTEMS, st.data())
def test_agentspeak(system: RandomSystem, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        expect_only_the_recorded_run(
            load(write_project(Path(folder), system.agents, WORLD, f"{system.options}\n{BOUNDS}")),
            data,
        )


@SOME
@given(st.integers(0, 10_000), st.data())
def test_jason(seed: int, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        expect_only_the_recorded_run(load(random_system(seed).write(Path(folder), "parts")), data)


@SOME
@given(GWENDOLEN_SYSTEMS, st.data())
def test_gwendolen(system: GwendolenSystem, data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        expect_only_the_recorded_run(load(write(system, Path(folder))), data)


@SOME
@given(projects(), st.data())
def test_lisa(texts: tuple[str, dict[str, str]], data: st.DataObject) -> None:
    expect_only_the_recorded_run(project(*texts), data)
