"""Random programs of each language: the same answers with partial-order reduction as without it,
and runs that the program has.

Those of :mod:`tests.languages.reduced_programs` reduce by half and more, and are asked about many
things at once; those of the languages' own comparisons go through ``check`` as a user's do, and
their runs are told and walked again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random, randrange
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.languages.agentspeak.random_systems import BOUNDS, SYSTEMS, WORLD, RandomSystem
from tests.languages.agentspeak.systems import write_project
from tests.languages.can.random_programs import program_text, programs
from tests.languages.can.reference import Program as PlainCan
from tests.languages.dribble.comparing import program_of
from tests.languages.dribble.random_programs import programs as dribble_programs
from tests.languages.dribble.reference import PlainProgram, text_of_program
from tests.languages.gwendolen.generator import SYSTEMS as GWENDOLEN_SYSTEMS
from tests.languages.gwendolen.generator import RandomSystem as GwendolenSystem
from tests.languages.gwendolen.generator import write
from tests.languages.lisa.projects import project
from tests.languages.lisa.random_projects import projects
from tests.languages.reduced_programs import SUBJECTS, compared
from tests.slicing.random_jason import jason_system
from tests.slicing.random_program import RandomProgram
from volition import load
from volition.api.checks import replay, trace
from volition.checking.check import check
from volition.diagnostics import InputError, Source
from volition.kernel import Limits
from volition.languages.can import parse
from volition.languages.protocols import Program

QUESTIONS = (
    "A [ G ({0} -> F {1}) ]",
    "E [ F ({0} & !{1}) ]",
    "A [ F {0} ]",
    "E [ G !{1} ]",
    "A [ !{0} U {1} ]",
    'E [ F ({0} & "deadlock") ]',
    'A [ F "deadlock" ]',
    "A [ G E [ F {0} ] ]",
    "E [ F A [ G !{1} ] ]",
)
"""Of two atoms; none counts steps."""

FEW, MANY = 40, 20_000

TWO_QUESTIONS = st.lists(st.sampled_from(QUESTIONS), min_size=1, max_size=2, unique=True)


def expect_the_same_answers(
    program: Program, properties: list[str], *atoms: str, states: int = 5000
) -> None:
    queried = [each.format(*atoms) for each in properties]
    few = Limits(states=states)
    try:
        whole = check(program, queried, limits=few, reduce="off")
        for how in ("static", "lookahead"):
            reduced = check(program, queried, limits=few, reduce=how)
            for one, other in zip(whole, reduced, strict=True):
                if one.verdict.unknown is None:
                    assert one.verdict.holds == other.verdict.holds, (how, one.prop.text)
                    run = trace(other)
                    assert run is None or replay(run, program).possible, (how, one.prop.text)
    except InputError:  # a bound of the program is exceeded
        return


def compare_agentspeak(system: RandomSystem, properties: list[str]) -> None:
    with TemporaryDirectory() as folder:
        program = load(
            write_project(Path(folder), system.agents, WORLD, f"{system.options}\n{BOUNDS}"), {}
        )
        expect_the_same_answers(program, properties, "Bel(a, p(1))", "Bel(b, q)")


def compare_can(plain: PlainCan, properties: list[str]) -> None:
    timeless = replace(plain, background=[])  # background change leaves nothing to reduce
    expect_the_same_answers(
        parse(Source("test.can", program_text(timeless)), "test", {}), properties, "a", "b"
    )


def compare_dribble(plain: PlainProgram, properties: list[str]) -> None:
    expect_the_same_answers(
        program_of(text_of_program(plain)), properties, "Does(act)", "Does(bring)"
    )


def compare_gwendolen(system: GwendolenSystem, properties: list[str]) -> None:
    with TemporaryDirectory() as folder:
        expect_the_same_answers(
            load(write(system, Path(folder)), {}), properties, "Does(a, push)", "Does(a, turn)"
        )


def compare_jason(system: RandomProgram, properties: list[str]) -> None:
    with TemporaryDirectory() as folder:
        expect_the_same_answers(
            system.load(Path(folder)), properties, "Bel(a, p(1))", "Does(a, press)", states=400
        )


COMPARISONS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any, list[str]], None]]] = {
    "AgentSpeak": (SYSTEMS, compare_agentspeak),
    "CAN": (programs(), compare_can),
    "Dribble": (dribble_programs(), compare_dribble),
    "Gwendolen": (GWENDOLEN_SYSTEMS, compare_gwendolen),
    "Jason": (st.integers(0, 2**32).map(lambda seed: jason_system(Random(seed))), compare_jason),
}


def compare(language: str, times: int) -> None:
    drawn, comparison = COMPARISONS[language]

    @settings(max_examples=times, deadline=None, suppress_health_check=list(HealthCheck))
    @given(drawn, TWO_QUESTIONS)
    def run(program: Any, properties: list[str]) -> None:
        comparison(program, properties)

    run()


@pytest.mark.parametrize("language", COMPARISONS)
def test_a_few_programs(language: str) -> None:
    compare(language, 8)


def size_of_reduced(subject: str, programs: int, first: int) -> float:
    *_, last = islice(compared(subject, first), programs)
    return last.size


@pytest.mark.parametrize("subject", SUBJECTS)
def test_loose_programs_are_half_as_large(subject: str) -> None:
    assert size_of_reduced(subject, FEW, 0) < 0.5


@pytest.mark.soak
@pytest.mark.parametrize("subject", SUBJECTS)
def test_many_loose_programs(subject: str) -> None:
    assert size_of_reduced(subject, MANY, randrange(10**9)) < 0.5


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(projects(), TWO_QUESTIONS)
def test_lisa_moves_together(written: tuple[str, dict[str, str]], properties: list[str]) -> None:
    queried = [each.format("Does(+Note one)", '"deadlock"') for each in properties]
    for answer in check(project(*written), queried, limits=Limits(states=2000), reduce="static"):
        assert answer.no_reduction_reason == "its components move synchronously"
