"""The explored model of random agents, alone and in company, is that of a plain interpreter, state
by state."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings

from tests.languages.lisa.naive import Distribution, NaiveSystem, explored_choices
from tests.languages.lisa.projects import project, team
from tests.languages.lisa.random_projects import projects, teams
from volition.kernel import Limits, explore
from volition.languages.lisa import LisaProgram

SOME = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


def expect_the_same(program: LisaProgram) -> None:
    """Of the first states, which have been explored completely, all choices; a state that was only
    seen has none yet."""
    naive = NaiveSystem(program.folder.projects)
    space = explore(program.model().system, limits=Limits(states=400))
    assert space.values(0) == naive.first()
    for state in range(space.num_states if space.complete else 60):
        values = {str(slot): int(value) for slot, value in space.values(state).items()}
        ours, theirs = explored_choices(space, state), naive.choices(values)
        assert sorted(map(_key, ours)) == sorted(map(_key, theirs))


def _key(distribution: Distribution) -> str:
    return str(sorted((sorted(target), chance) for target, chance in distribution.items()))


@SOME
@given(projects())
def test_one_agent(files: tuple[str, dict[str, str]]) -> None:
    expect_the_same(project(*files))


@SOME
@given(teams())
def test_two_agents(files: dict[str, str]) -> None:
    expect_the_same(team(files))
