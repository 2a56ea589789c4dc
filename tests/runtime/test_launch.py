"""What runs is what is verified: every simulated run is a path of the explored state space, and
draws are as likely as the model says."""

from __future__ import annotations

import io
import json
import math
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.languages.lisa.projects import action, project, reasoning
from tests.languages.lisa.random_projects import projects
from volition import InputError, Program, StateSpace, load, run
from volition.kernel import Limits, explore
from volition.reporting.json_values import to_json_value

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = [
    "can/rover.can",
    "can/courier.can",
    "can/breakfast.can",
    "can/messenger.can",
    "can/vacuum.can",
    "dribble/vacuum.dribble",
    "dribble/pumping_station.dribble",
    "lisa/pipeline_drone",
    "lisa/vessel_mdp",
    "agentspeak/mutual_exclusion",
    "agentspeak/factory",
    "gwendolen/cruise_control",
    "gwendolen/satellite",
    "gwendolen/lucky_dip",
    "gwendolen/rescue",
]


def record_of(program: Program, **options: Any) -> str:
    stream = io.StringIO()
    run(program, record=stream, **options)
    return stream.getvalue()


def states_in(text: str) -> Iterator[dict[str, Any]]:
    """The states of a record, one after the other, as data."""
    header, *lines = map(json.loads, text.splitlines())
    state = dict(header["initial"])
    yield state
    for line in lines:
        for part in {"cycle": ("beliefs", "plans"), "step": ("slots",)}.get(line["kind"], ()):
            state = {**state, **line[part]}
            yield state


def follow(space: StateSpace, states: Iterator[dict[str, Any]]) -> int:
    """How many steps of a run are steps of the space; fails at the first that is not.

    Different states may look the same as data: then the run may be in any of them.
    """
    data: dict[int, str] = {}

    def shown(state: int) -> str:
        if state not in data:
            data[state] = json.dumps(
                {slot: to_json_value(value) for slot, value in space.values(state).items()},
                sort_keys=True,
            )
        return data[state]

    here, steps = {0}, 0
    first = next(states)
    assert shown(0) == json.dumps(first, sort_keys=True)
    for state in states:
        requested = json.dumps(state, sort_keys=True)
        following = {
            int(target)
            for each in here
            for choice in space.choices_of(each)
            for target in space.targets_of(choice)
        }
        here = {target for target in following if shown(target) == requested}
        assert here, f"step {steps + 1} is none of the space"
        steps += 1
    return steps


@pytest.mark.parametrize("name", SMALL)
def test_runs_of_examples_are_paths_of_their_spaces(name: str) -> None:
    program = load(EXAMPLES / name)
    space = explore(program.model().system, limits=Limits(states=400_000))
    if not space.complete:
        pytest.skip("too large to look up every state here")
    for seed in range(3):
        assert follow(space, states_in(record_of(program, seed=seed, cycles=60))) > 0


@settings(max_examples=12)
@given(projects(), st.integers(0, 1000))
def test_runs_of_random_projects_are_paths_of_their_spaces(
    texts: tuple[str, dict[str, str]], seed: int
) -> None:
    program = project(*texts)
    space = explore(program.model().system, limits=Limits(states=20_000))
    if space.complete:
        assert follow(space, states_in(record_of(program, seed=seed, cycles=30))) == 60


def test_draws_are_as_likely_as_the_program_says() -> None:
    """A feedback after 1, 2 or 3 cycles with chances 1/3, 2/3 · 2/3, 1/3 · 2/3 (Eq. 3.7), and of
    two kinds, 1/4 and 3/4 (Eq. 3.8)."""
    main = reasoning(
        beliefs="Wanted.",
        percepts="Seen. {[],[0.3,1,0],[0.6,1,0]}",
        plans="If ^[Wanted] while true then\n[Act.].",
    )
    program = project(
        main, {"act": action("act", "Good[0.25,2,1], Bad[0.75,2,1]", sentence="Act.")}
    )
    waits, kinds, flips, called = Counter[int](), Counter[str](), Counter[tuple[bool, bool]](), 0
    seen = False
    for line in map(json.loads, record_of(program, seed=11, cycles=9_000).splitlines()[1:-1]):
        for feedback in line["inbox"]["feedbacks"]:
            waits[line["cycle"] - called] += 1
            kinds[feedback["feedback"]] += 1
        if line["calls"]:
            called = line["cycle"]
        changed = "seen" in line["inbox"]["percepts"]
        flips[seen, changed] += 1
        seen ^= changed
    total = sum(waits.values())
    for wait, chance in {1: Fraction(1, 3), 2: Fraction(4, 9), 3: Fraction(2, 9)}.items():
        assert within(waits[wait], total, chance)
    assert within(kinds["good"], total, Fraction(1, 4))
    assert within(flips[False, True], flips[False, True] + flips[False, False], Fraction(3, 10))
    assert within(flips[True, True], flips[True, True] + flips[True, False], Fraction(6, 10))
    assert set(waits) == {1, 2, 3}


def within(hits: int, trials: int, chance: Fraction) -> bool:
    """Within five standard deviations."""
    return bool(abs(hits - trials * chance) < 5 * math.sqrt(trials * chance * (1 - chance)))


@pytest.mark.parametrize(
    "name", ["lisa/pipeline_drone", "can/rover.can", "gwendolen/rescue", "agentspeak/factory"]
)
def test_the_same_seed_gives_the_same_record(name: str) -> None:
    first, again, other = (
        record_of(load(EXAMPLES / name), seed=seed, cycles=80) for seed in (5, 5, 6)
    )
    assert first == again
    assert first.splitlines()[1:] != other.splitlines()[1:]


def test_who_decides() -> None:
    program = load(EXAMPLES / "lisa" / "pipeline_drone")
    lines = [
        json.loads(line)
        for line in record_of(program, seed=2, cycles=400, selector="first").splitlines()
    ]
    choices = [line for line in lines if line.get("kind") == "choice"]
    assert choices
    assert all(
        line["chosen"] == line["options"][0]["plan"] and line["by"] == "first" for line in choices
    )
    by_chance = [
        json.loads(line)
        for seed in range(20)
        for line in record_of(program, seed=seed, cycles=60).splitlines()
    ]
    assert {line["chosen"] for line in by_chance if line.get("kind") == "choice"} == {
        "plan_4",
        "plan_5",
    }


@pytest.mark.parametrize(
    ("name", "end", "reason"),
    [
        ("lisa/vessel_mdp", "mission complete", "Mission complete"),
        (
            "lisa/vessel_mdp",
            'Bel("Exploring block") & !Bel("Start mission")',
            'Bel("Exploring block") & !Bel("Start mission")',
        ),
        ("can/rover.can", "Bel(done_1)", "Bel(done_1)"),
        ("can/rover.can", None, "no further step is possible"),
        ("dribble/vacuum.dribble", None, "no further step is possible"),
    ],
)
def test_what_ends_a_run(name: str, end: str | None, reason: str) -> None:
    ran = run(EXAMPLES / name, seed=4, until=end, cycles=5_000)
    assert ran.reason == reason
    assert ran.cycles < 5_000


@pytest.mark.parametrize(
    ("end", "hint"),
    [
        ("Mision complete", "did you mean 'Mission complete'?"),
        ("Home", "the agent's beliefs are"),
        ("Mission complete!", None),
    ],
)
def test_an_ending_that_is_never_believed(end: str, hint: str | None) -> None:
    with pytest.raises(InputError) as caught:
        run(EXAMPLES / "lisa" / "vessel_mdp", until=end)
    (found,) = caught.value.diagnostics
    assert hint is None or (found.code, (found.hint or "").startswith(hint)) == ("RUN011", True)


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("can/rover.can", "F Bel(done_1)"),
        ("can/rover.can", 'Bel(done_1) & "deadlock"'),
        ("can/breakfast.can", "Bel(served) | Does(pour)"),
        ("dribble/vacuum.dribble", "Does(mR)"),
        ("gwendolen/cruise_control", "Does(car, perf(brake))"),
        ("jason/room", "Does(keeper, unlock(gate))"),
        ("lisa/mine_hunt", '"deadlock"'),
    ],
)
def test_an_ending_is_about_one_state(name: str, end: str) -> None:
    with pytest.raises(InputError) as refused:
        run(EXAMPLES / name, until=end, cycles=30)
    assert [each.code for each in refused.value.diagnostics] == ["RUN010"]


def test_an_objective_that_is_infinite_everywhere_is_told_as_such() -> None:
    texts: list[str] = []
    program = EXAMPLES / "can" / "rover.can"
    run(
        program,
        objective='R{"distance"}min=? [ F false ]',
        cycles=2,
        report=lambda row: texts.append(row.text),
    )
    assert any("(objective inf)" in each for each in texts)


def test_a_run_that_is_refused_leaves_the_record_of_another_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    run(EXAMPLES / "can" / "courier.can", record=path)
    before = path.read_bytes()
    with pytest.raises(InputError):
        run(EXAMPLES / "can" / "courier.can", record=path, overwrite=True, selector="verified")
    assert path.read_bytes() == before


def test_an_hour_of_simulated_time_needs_no_more_memory_than_a_minute() -> None:
    main = reasoning(
        percepts="Seen. {[],[0.3,4,2],[0.6,2,0]}",
        plans="If ^[Seen] while true then\n[Act.]\n+^[Noted].",
    )
    program = project(
        main, {"act": action("act", "Good[0.25,2,1], Bad[0.75,2,1]", sentence="Act.")}
    )
    run(program, cycles=60)
    peaks = []
    for cycles in (60, 3_600):
        tracemalloc.start()
        run(program, cycles=cycles)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 100_000


def test_real_time_makes_the_same_run() -> None:
    program = load(EXAMPLES / "lisa" / "pipeline_drone")
    assert record_of(program, cycles=5, real_time=True, cycle=0.01) == record_of(
        program, cycles=5, cycle=0.01
    )


def test_several_agents_run_as_one_system(tmp_path: Path) -> None:
    annotated = "If ^[Ready] while ^[Sunny] then\n-^[Ready]\n[Send ^[Go ahead] to follower.]."
    leader = reasoning(
        beliefs="Ready.", percepts="Sunny. {[],[0.5,1,0],[0.5,1,0]}", plans=annotated
    )
    follower = reasoning(
        percepts="Monitor the following messages:\nGo ahead.",
        plans="If ^[Go ahead] while true then\n+^[Following].",
    )
    (tmp_path / "leader.sej").write_text(leader)
    (tmp_path / "follower.sej").write_text(follower)
    program = load(tmp_path)
    space = explore(program.model().system)
    assert follow(space, states_in_together(record_of(program, seed=3, cycles=40))) == 80
    assert run(program, until="Following", cycles=200).reason == "Following"


def states_in_together(text: str) -> Iterator[dict[str, Any]]:
    """The same for several agents, whose lines of one cycle are one step."""
    header, *lines = map(json.loads, text.splitlines())
    state = dict(header["initial"])
    yield state
    cycles: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        if line["kind"] == "cycle":
            cycles.setdefault(line["cycle"], []).append(line)
    for together in cycles.values():
        for part, turn in (("beliefs", 1), ("plans", 0)):
            state = {
                **state,
                "x": turn,
                **{slot: value for line in together for slot, value in line[part].items()},
            }
            yield state
