"""The vessel as an agent meets it: calls, feedbacks, modes, the interlock."""

from __future__ import annotations

from dataclasses import replace

import pytest

from volition.vessel.mission import AgentVocabulary, Mission, Navigation, SeaConditions
from volition.vessel.operator import OperatorModel
from volition.vessel.vessel import Vessel

MISSION = Mission()
NAMES = MISSION.names


def cycles_until(vessel: Vessel, feedback: str, limit: int = 60) -> int:
    """How many cycles a feedback takes; others must not come before it."""
    for cycle in range(1, limit):
        vessel.advance(1.0)
        if reports := vessel.feedbacks():
            assert [name for _, name in reports] == [feedback]
            return cycle
    raise AssertionError(f"no {feedback}")


def under_way(mission: Mission = MISSION) -> Vessel:
    vessel = Vessel(mission, seed=1)
    vessel.call("1", NAMES.generate_waypoints)
    assert cycles_until(vessel, NAMES.waypoints_generated) == 1
    vessel.call("2", NAMES.drive)
    assert cycles_until(vessel, NAMES.driving) <= 2
    vessel.advance(20.0)
    return vessel


def test_a_voyage_begins() -> None:
    vessel = under_way()
    assert vessel.pose().mode == "drive"
    assert vessel.pose().nu[0] == pytest.approx(1.5, rel=0.05)
    assert vessel.route()[0].points[0] == MISSION.voyage.start
    assert len([leg for leg in vessel.route() if leg.is_global]) == 6


def test_feedbacks_name_their_call() -> None:
    vessel = Vessel(MISSION)
    vessel.call("a17", "activate_park_mode.")  # as a program may write it
    vessel.advance(1.0)
    assert vessel.feedbacks() == [("a17", "Park mode")]
    assert vessel.feedbacks() == []


def test_park_drops_the_anchor_and_reports_when_it_holds() -> None:
    vessel = under_way()
    place = vessel.pose().eta[:2]
    vessel.call("3", NAMES.park)
    assert 3 <= cycles_until(vessel, NAMES.parked) <= 6
    pose = vessel.pose()
    assert (pose.mode, pose.anchor) == ("park", place)
    vessel.advance(60.0)
    assert vessel.pose().eta[:2] == pytest.approx(place, abs=0.01)


def test_park_is_reached_in_a_storm() -> None:
    """The speed over ground is smoothed: waves move an anchored vessel for ever."""
    vessel = under_way(replace(MISSION, sea=SeaConditions(heights=((0, 2.0),))))
    vessel.call("3", NAMES.park)
    assert cycles_until(vessel, NAMES.parked) <= 7


def test_what_is_superseded_reports() -> None:
    """Else its plan would wait for ever."""
    vessel = under_way()
    vessel.call("3", NAMES.park)
    vessel.call("4", NAMES.drive)
    assert vessel.feedbacks() == [("3", NAMES.parked)]
    vessel.call("5", NAMES.park)
    assert vessel.feedbacks() == [("4", NAMES.driving)]
    assert vessel.pose().mode == "park", "the last call counts"


def test_two_calls_of_one_action_share_its_feedback() -> None:
    vessel = under_way()
    vessel.call("3", NAMES.park)
    vessel.call("4", NAMES.park)
    vessel.advance(10.0)
    assert vessel.feedbacks() == [("3", NAMES.parked), ("4", NAMES.parked)]


def test_stopping_an_action_sends_what_is_due() -> None:
    vessel = under_way()
    vessel.call("3", NAMES.park)
    vessel.stop(NAMES.park)
    assert vessel.feedbacks() == [("3", NAMES.parked)]
    vessel.stop(NAMES.park)
    assert vessel.feedbacks() == []


def asked(script: tuple[float, str]) -> Vessel:
    mission = replace(MISSION, operator=OperatorModel(script=(script,)))  # type: ignore[arg-type]
    vessel = under_way(mission)
    vessel.call("3", NAMES.park)
    cycles_until(vessel, NAMES.parked)
    vessel.call("4", NAMES.wait_for_instructions)
    vessel.call("5", NAMES.drive)
    return vessel


def test_the_vessel_stays_parked_until_the_operator_consents() -> None:
    vessel = asked((20.0, "continue"))
    assert vessel.feedbacks() == [("5", NAMES.driving)], "acknowledged"
    assert [event.kind for event in vessel.events()] == ["interlock"]
    vessel.advance(19.0)
    assert vessel.pose().mode == "park"
    vessel.advance(1.0)
    assert vessel.feedbacks() == [("4", NAMES.consent)]
    assert vessel.pose().mode == "drive"


def test_nobody_drives_after_an_abort() -> None:
    vessel = asked((5.0, "abort"))
    vessel.feedbacks()
    vessel.advance(30.0)
    assert vessel.feedbacks() == [("4", NAMES.refusal)]
    assert vessel.pose().mode == "park"


def test_to_park_takes_a_held_back_drive_with_it() -> None:
    vessel = asked((5.0, "continue"))
    vessel.call("6", NAMES.park)
    vessel.advance(30.0)
    assert vessel.pose().mode == "park"


def test_there_is_nowhere_to_drive_to() -> None:
    vessel = Vessel(MISSION)
    vessel.call("1", NAMES.drive)
    assert cycles_until(vessel, NAMES.driving) == 1


@pytest.mark.parametrize(("action", "objects"), [("Sink.", None), (NAMES.park, {"W1": 3})])
def test_what_the_vessel_cannot_do(action: str, objects: dict[str, int] | None) -> None:
    with pytest.raises(ValueError, match=r"no action|no objects"):
        Vessel(MISSION).call("1", action, objects)


def test_the_waypoint_is_a_latch_that_a_new_route_releases() -> None:
    vessel = under_way()
    while not vessel.percepts()[NAMES.at_waypoint]:
        vessel.advance(1.0)
    vessel.call("3", NAMES.park)
    vessel.advance(10.0)
    assert vessel.percepts()[NAMES.at_waypoint], "parked within the release radius"
    assert vessel.why()[NAMES.at_waypoint]["distance"] <= MISSION.voyage.release
    vessel.call("4", NAMES.generate_waypoints)
    vessel.advance(1.0)
    assert not vessel.percepts()[NAMES.at_waypoint]


def test_the_distance_behind_a_waypoint_is_that_to_the_waypoint() -> None:
    """It is within the acceptance radius, and the way of a cycle, where the percept begins, and
    beyond the release radius where it ends."""
    vessel, held = under_way(), [False]
    reported: dict[bool, list[float]] = {True: [], False: []}
    while len(reported[False]) < 2:
        vessel.advance(1.0)
        held.append(vessel.percepts()[NAMES.at_waypoint])
        if held[-1] != held[-2]:
            reported[held[-1]].append(vessel.why()[NAMES.at_waypoint]["distance"])
    voyage = MISSION.voyage
    assert all(distance <= voyage.acceptance + voyage.speed for distance in reported[True])
    assert all(distance > voyage.release for distance in reported[False])


def test_percepts_go_by_the_names_of_the_program() -> None:
    names = AgentVocabulary(at_waypoint="We are there", approaching="Nearly there", areas_left="")
    vessel = Vessel(replace(MISSION, names=names))
    vessel.advance(1.0)
    assert set(vessel.percepts()) == {
        "Sea state is too high",
        "We are there",
        "Last waypoint reached",
        "Nearly there",
    }
    assert set(vessel.why()) == set(vessel.percepts())


def test_what_is_recorded() -> None:
    vessel = under_way(
        replace(MISSION, voyage=Navigation(start=(-90.0, -50.0)), sea=SeaConditions(state=2))
    )
    assert vessel.sea()["hs"] == pytest.approx(0.30)
    vessel.advance(60.0)
    assert vessel.sea()["hs_estimated"] == pytest.approx(0.30, rel=0.5)
    cells = sum(behind - first for _, first, behind in vessel.coverage_changes())
    assert cells == vessel.coverage.seen.sum() > 400
    pose = vessel.pose()
    assert (len(pose.eta), len(pose.nu)) == (6, 6)
    assert pose.velocity[0] == pytest.approx(1.5, abs=0.5)
    assert len(pose.velocity) == 3


def test_the_same_seed_is_the_same_voyage() -> None:
    mission = replace(MISSION, sea=SeaConditions(state=3))
    assert under_way(mission).pose() == under_way(mission).pose()
    assert (
        under_way(mission).pose() != under_way(replace(mission, sea=SeaConditions(state=4))).pose()
    )
