"""The vessel of Izzo's thesis at sea: the agents that are verified drive it, and what was recorded
is held against their models.

How long and how far missions lead are figures of an independent prototype with another planner near
obstacles and other random numbers, the tolerances those of the specification; ``tests/vessel`` has
the vessel alone.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import dist
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from tests.runtime.simulated import as_record
from volition import conform, learn, run
from volition.languages.common.settings import read_settings_file
from volition.runtime.learning import LearningResult
from volition.runtime.record import Record

EXAMPLES = Path(__file__).parents[2] / "examples" / "lisa"
PRINTED, REPAIRED = EXAMPLES / "vessel_mdp", EXAMPLES / "vessel_repaired"

AT_ONCE = (
    'Pmax=? [ !Bel("I am not going back") U (Bel("Mission complete") | Bel("Mission aborted")) ]'
)
"""What is optimal for this is plan 5: gaps are explored at once.  Plan 4, the first of the two,
leaves them for later."""


@dataclass(frozen=True)
class Voyage:
    """A mission that was run, as its record tells it."""

    text: str

    def of(self, kind: str) -> Iterator[dict[str, Any]]:
        return (
            line for line in map(json.loads, self.text.splitlines()) if line.get("kind") == kind
        )

    @property
    def record(self) -> Record:
        return as_record(self.text)

    @property
    def end(self) -> dict[str, Any]:
        (line,) = self.of("end")
        return line

    @property
    def summary(self) -> dict[str, Any]:
        (line,) = self.of("voyage")
        return line

    @property
    def path(self) -> float:
        """By the places of every second."""
        return sum(dist(*each) for each in pairwise(pose["eta"][:2] for pose in self.of("pose")))

    @property
    def questions(self) -> int:
        return sum(
            call["action"] == "wait_for_instructions"
            for line in self.of("cycle")
            for call in line["calls"]
        )

    def came(self, feedback: str) -> list[int]:
        """The cycles in which a feedback came."""
        return [
            line["cycle"]
            for line in self.of("cycle")
            for each in line["inbox"]["feedbacks"]
            if each["feedback"] == feedback
        ]

    def is_safe_and_whole(self) -> bool:
        complete = self.end["reason"] == "Mission complete"
        return bool(
            complete and self.summary["seen"] >= 0.999 and self.summary["least_distance"] >= 1.5
        )


@cache
def sailed(program: Path, mission: str, **options: Any) -> Voyage:
    stream = io.StringIO()
    run(program, mission=REPAIRED / mission, record=stream, **options)
    return Voyage(stream.getvalue())


# --- missions -------------------------------------------------------------------------------------


def test_the_repaired_agent_surveys_the_area_in_still_water() -> None:
    voyage = sailed(REPAIRED, "still.toml", objective=AT_ONCE)
    assert voyage.is_safe_and_whole()
    assert (voyage.end["cycle"], voyage.summary["path"]) == pytest.approx((1678, 2326), rel=0.05)
    assert voyage.path == pytest.approx(voyage.summary["path"], rel=0.01)
    assert voyage.questions == 0
    assert {(line["chosen"], line["by"]) for line in voyage.of("choice")} == {
        ("plan_5", "verified")
    }


def test_the_repaired_agent_waits_for_the_operator_and_goes_on() -> None:
    voyage = sailed(REPAIRED, "storm.toml", objective=AT_ONCE)
    assert voyage.is_safe_and_whole()
    assert (voyage.end["cycle"], voyage.summary["path"]) == pytest.approx((1940, 2415), rel=0.05)
    assert voyage.questions == len(voyage.came("continue")) == 1


def test_the_printed_agent_loses_the_answer_and_stays_anchored() -> None:
    """That no *Continue* to a first question comes while it is waited for is Pmax = 0 in its model
    (``test_izzo.py``)."""
    voyage = sailed(PRINTED, "storm.toml", selector="first", cycles=1000)
    (answered,) = voyage.came("continue")
    notes = {
        line["cycle"]: line["beliefs"].get("waiting_for_instructions")
        for line in voyage.of("cycle")
    }
    assert voyage.questions == 1
    assert min(cycle for cycle, note in notes.items() if note == 1) > answered
    assert voyage.end["reason"] == "cycles"
    assert voyage.summary["seen"] == pytest.approx(0.295, abs=0.01)
    later = [pose for pose in voyage.of("pose") if pose["t"] > answered]
    assert {pose["mode"] for pose in later} == {"park"}
    assert all(dist(pose["eta"][:2], later[-1]["anchor"]) < 2 for pose in later)
    assert not [
        call for line in voyage.of("cycle") if line["cycle"] > answered for call in line["calls"]
    ], "nothing is asked for any more"


@pytest.mark.soak
def test_missions_with_dropouts() -> None:
    at_once = [
        sailed(REPAIRED, "dropouts.toml", objective=AT_ONCE, seed=seed) for seed in range(1, 11)
    ]
    later = [
        sailed(REPAIRED, "dropouts.toml", selector="first", seed=seed) for seed in range(1, 11)
    ]
    assert all(each.is_safe_and_whole() for each in (*at_once, *later))
    assert mean(each.end["cycle"] for each in at_once) == pytest.approx(1879, rel=0.1)
    assert mean(each.summary["path"] for each in at_once) == pytest.approx(2596, rel=0.1)
    assert mean(each.end["cycle"] for each in later) == pytest.approx(1584, rel=0.1)
    assert mean(each.summary["path"] for each in later) == pytest.approx(2202, rel=0.1)


# --- records and models ---------------------------------------------------------------------------


@cache
def fitted() -> LearningResult:
    return learn(
        sailed(REPAIRED, "still.toml", objective=AT_ONCE).record, REPAIRED, timing="every-cycle"
    )


def test_a_run_at_sea_leaves_the_printed_numbers_at_half_step_7() -> None:
    """*Drive mode* comes after 2 cycles, where the file says exactly 5: the world broke a promise,
    the agent did nothing wrong."""
    (found,) = conform(sailed(REPAIRED, "still.toml", objective=AT_ONCE).record, REPAIRED)
    assert found.logic is None
    assert found.followed == found.recorded
    first = found.unmodelled[0]
    assert (first.level, first.step, first.cycle) == ("support", 7, 3)
    assert "Drive mode" in first.recorded
    assert found.conforms is False


def test_a_run_at_sea_is_one_of_the_fitted_model(tmp_path: Path) -> None:
    (tmp_path / "sea.settings").write_text(fitted().settings_text())
    voyage = sailed(REPAIRED, "still.toml", objective=AT_ONCE)
    (found,) = conform(
        voyage.record,
        REPAIRED,
        settings=read_settings_file(tmp_path / "sea.settings"),
        explore=True,
    )
    assert found.conforms
    assert found.recorded == 2 * voyage.end["cycle"]
    assert found.visits is not None
    assert found.visits.outside is None


def other_plan(line: dict[str, Any]) -> None:
    line["plans"]["plan_2"] += 1


def other_note(line: dict[str, Any]) -> None:
    line["beliefs"]["block_explored"] = 1


def unseen_waypoint(line: dict[str, Any]) -> None:
    del line["inbox"]["percepts"]["i_am_at_global_waypoint"]


@pytest.mark.parametrize(
    ("falsify", "half"), [(other_plan, 2), (other_note, 1), (unseen_waypoint, 1)]
)
def test_a_falsified_record_is_refused_where_it_was_falsified(
    falsify: Callable[[dict[str, Any]], None], half: int
) -> None:
    """In the cycle in which the first waypoint is reached, so that plan 2 starts."""
    lines = [
        json.loads(line)
        for line in sailed(REPAIRED, "still.toml", objective=AT_ONCE).text.splitlines()
    ]
    reached = next(
        line
        for line in lines
        if line.get("kind") == "cycle" and line["inbox"]["percepts"].get("i_am_at_global_waypoint")
    )
    falsify(reached)
    (found,) = conform(
        as_record("".join(f"{json.dumps(line)}\n" for line in lines)),
        REPAIRED,
        settings=fitted().settings,
    )
    assert found.logic is not None
    assert not found.unmodelled
    assert found.logic.step == 2 * reached["cycle"] + half
    assert found.followed == found.logic.step - 1


@pytest.mark.soak
def test_all_runs_at_sea_are_runs_of_the_model_fitted_to_them() -> None:
    voyages = [
        sailed(REPAIRED, "dropouts.toml", objective=AT_ONCE, seed=seed) for seed in range(1, 6)
    ]
    voyages += [
        sailed(REPAIRED, "dropouts.toml", selector="first", seed=seed) for seed in range(1, 6)
    ]
    voyages += [
        sailed(REPAIRED, mission, objective=AT_ONCE) for mission in ("mission.toml", "still.toml")
    ]
    records = [each.record for each in voyages]
    learned = learn(records, REPAIRED, timing="every-cycle")
    window = {
        name: number
        for name, number in learned.settings.items()
        if name.startswith(("generate", "activate_drive"))
    }
    assert window == {
        "generate_set_of_waypoints.mu": "1",
        "generate_set_of_waypoints.sigma": "0",
        "activate_drive_mode.mu": "2",
        "activate_drive_mode.sigma": "1",
    }
    for found in conform(records, REPAIRED, settings=learned.settings, explore=True):
        assert found.conforms, found.deviations[:1]
