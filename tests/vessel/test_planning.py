"""Blocks, paths, coverage and routes."""

from __future__ import annotations

from math import cos, dist, pi, sin
from random import Random

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra
from shapely import LineString, Point, Polygon
from shapely.ops import unary_union

from volition.vessel.coverage import Dropouts, SeaBedCoverage
from volition.vessel.mission import Survey
from volition.vessel.planner import Planner
from volition.vessel.route import Leg, MotionPlanner, plan_route
from volition.vessel.survey_tracks import SurveyBlock, blocks_of

SURVEY = Survey()
CLEARANCE = 10.0


def blocks(survey: Survey = SURVEY) -> tuple[SurveyBlock, ...]:
    return blocks_of(
        survey.area,
        survey.reach,
        overlap=survey.overlap,
        inset=survey.inset * survey.reach,
        start=(-130.0, 0.0),
    )


def test_six_tracks_twenty_metres_apart() -> None:
    found = blocks()
    assert SURVEY.reach == pytest.approx(11.92, abs=0.005)
    assert [block.track[0][1] for block in found] == pytest.approx([-50, -30, -10, 10, 30, 50])
    first, second = found[0].track, found[1].track
    inside = 100 - 0.3 * SURVEY.reach
    assert (first[0][0], first[1][0], second[0][0]) == pytest.approx((-inside, inside, inside)), (
        "directions alternate"
    )
    assert max(found[5].track)[0] == pytest.approx(80 - 0.3 * SURVEY.reach), (
        "clipped by the corner that is cut off"
    )
    assert sum(block.strip.area for block in found) == pytest.approx(Polygon(SURVEY.area).area)


@given(st.floats(0, pi), st.floats(30, 200), st.floats(30, 200))
@settings(max_examples=30, deadline=None)
def test_tracks_lie_along_any_rectangle(angle: float, length: float, width: float) -> None:
    corners = [
        (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))
        for x, y in ((0, 0), (length, 0), (length, width), (0, width))
    ]
    found = blocks_of(corners, 10.0, overlap=0.2, inset=3.0, start=corners[0])
    assert sum(block.strip.area for block in found) == pytest.approx(length * width, rel=1e-6)
    area = Polygon(corners)
    for block in found:
        assert LineString(block.track).buffer(10.0).contains(block.strip), (
            "every place of a strip is seen from its track"
        )
        assert area.buffer(1e-6).contains(LineString(block.track))


def test_a_strip_that_its_middle_line_misses_has_a_track() -> None:
    comb = [(0, 0), (100, 0), (100, 40), (60, 40), (60, 12), (40, 12), (40, 40), (0, 40)]
    found = blocks_of(comb, 10.0, overlap=0.0, inset=2.0, start=(0, 0))
    assert sum(block.strip.area for block in found) == pytest.approx(Polygon(comb).area)
    assert all(
        Polygon(comb).buffer(1e-6).contains(Point(end)) for block in found for end in block.track
    )


# --- paths ----------------------------------------------------------------------------------------


def test_a_path_that_is_free_is_straight() -> None:
    planner = Planner(SURVEY.obstacles, CLEARANCE)
    assert planner.path((-100, -50), (100, -50)) == [(-100, -50), (100, -50)]
    assert Planner([], CLEARANCE).path((0, 0), (1, 1)) == [(0, 0), (1, 1)]


def test_a_path_goes_round_by_the_shorter_side() -> None:
    planner = Planner([[(-5, -5), (5, -5), (5, 5), (-5, 5)]], 10.0)
    assert planner.path((-40, 3), (40, 3)) == [(-40, 3), (-15, 15), (15, 15), (40, 3)]


def test_who_is_too_near_leaves_first() -> None:
    """Lesson (a): else there is no path."""
    planner = Planner([[(-5, -5), (5, -5), (5, 5), (-5, 5)]], 10.0)
    path = planner.path((-8, 0), (40, 0))
    assert path is not None
    assert path[:2] == [(-8, 0), (-15, 0)]
    moved = planner.path((-40, 0), (12, 1))
    assert moved is not None
    assert moved[-1] == (15, 1), "lesson (d): the path says where its goal was moved to"


def test_no_way_is_not_straight_on() -> None:
    ring = [
        (-30, -30),
        (30, -30),
        (30, 30),
        (-30, 30),
        (-30, 29),
        (29, 29),
        (29, -29),
        (-29, -29),
        (-29, 28.5),
        (-30, 28.5),
    ]
    planner = Planner([ring], 3.0)
    assert planner.path((0, 0), (100, 0)) is None


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_paths_keep_clear_and_are_shortest(seed: int) -> None:
    """Against a grid with edges of a metre: whatever way it finds through points that lie well
    clear is no shorter."""
    random = Random(seed)
    obstacles = []
    for _ in range(random.randint(1, 4)):
        north, east, radius = random.uniform(-20, 20), random.uniform(-20, 20), random.uniform(1, 5)
        obstacles.append(
            [(north + radius * cos(k * pi / 3), east + radius * sin(k * pi / 3)) for k in range(6)]
        )
    planner = Planner(obstacles, 2.0)
    path = planner.path((-35.0, 0.0), (35.0, 0.0))
    assert path is not None
    assert (
        LineString(path).distance(unary_union([Polygon(each) for each in obstacles])) >= 2.0 - 0.01
    )
    assert (
        dist((-35.0, 0.0), (35.0, 0.0)) - 1e-9
        <= LineString(path).length
        <= way_over_grid(planner) + 0.01
    )


def way_over_grid(planner: Planner) -> float:
    side = 71
    north, east = np.meshgrid(np.arange(side) - 35.0, np.arange(side) - 35.0, indexing="ij")
    free = ~shapely.contains_xy(planner.inflated.buffer(0.75), north, east)
    number = np.arange(side * side).reshape(side, side)
    ends = []
    for rows, columns in ((0, 1), (1, 0), (1, 1), (1, -1)):
        here = (slice(0, side - rows), slice(max(0, -columns), side - max(0, columns)))
        there = (slice(rows, side), slice(max(0, columns), side - max(0, -columns)))
        both = free[here] & free[there]
        ends.append(
            (
                number[here][both],
                number[there][both],
                np.full(both.sum(), dist((0, 0), (rows, columns))),
            )
        )
    starts, targets, lengths = (np.concatenate(each) for each in zip(*ends, strict=True))
    graph = coo_matrix((lengths, (starts, targets)), shape=(side * side, side * side))
    return float(dijkstra(graph, directed=False, indices=number[0, 35])[number[70, 35]])


# --- coverage and routes --------------------------------------------------------------------------


def covered() -> SeaBedCoverage:
    return SeaBedCoverage(SURVEY.area, SURVEY.obstacles, blocks(), SURVEY.reach)


def test_cells_are_the_area_without_its_obstacles() -> None:
    coverage = covered()
    requested = Polygon(SURVEY.area).area - sum(Polygon(each).area for each in SURVEY.obstacles)
    assert coverage.cells.sum() == pytest.approx(requested, rel=0.002)
    assert coverage.fraction == 0.0
    assert coverage.unseen(range(6)).sum() == coverage.cells.sum()


def test_a_ping_marks_a_disc() -> None:
    coverage = covered()
    coverage.mark(-60.0, -20.0)
    assert coverage.seen.sum() == pytest.approx(pi * SURVEY.reach**2, rel=0.02)
    runs = coverage.changes()
    assert sum(behind - first for _, first, behind in runs) == coverage.seen.sum()
    row, first, behind = runs[len(runs) // 2]
    assert coverage.seen[row, first:behind].all()
    assert coverage.changes() == []
    coverage.mark(1000.0, 1000.0)
    coverage.mark(-1000.0, -1000.0)
    assert coverage.changes() == []


def test_gaps_are_the_middle_lines_of_what_was_not_seen() -> None:
    coverage = covered()
    coverage.seen[:] = True
    coverage.seen[20:60, 22:26] = False
    coverage.seen[100:103, 50:70] = False
    found = coverage.gaps({0, 1, 2, 3})
    assert found == [((-79.5, -36.0), (-40.5, -36.0)), ((1.5, -9.5), (1.5, 9.5))]
    assert coverage.gaps(set()) == []
    assert coverage.gaps({5}) == []


def test_gaps_come_first_and_only_the_last_is_a_global_waypoint() -> None:
    coverage, planner = covered(), Planner(SURVEY.obstacles, CLEARANCE)
    coverage.seen[:] = True
    coverage.seen[20:60, 2:6] = False
    coverage.seen[120:160, 2:6] = False
    route = plan_route((90.0, -50.0), blocks(), {0}, coverage, planner)
    near, far = (
        Leg(((59.5, -56.0), (20.5, -56.0))),
        Leg(((-40.5, -56.0), (-79.5, -56.0)), is_global=True),
    )
    assert route.legs.index(near) < route.legs.index(far) == 3, "with a way to each of them"
    assert [leg.block for leg in route.legs if leg.block is not None] == [1, 2, 3, 4, 5]
    assert all(leg.is_global for leg in route.legs if leg.block is not None)


def test_where_nothing_is_left_the_route_is_the_place() -> None:
    """Lesson (c): without a waypoint the agent would wait for ever."""
    coverage = covered()
    coverage.seen[:] = True
    route = plan_route(
        (7.0, 8.0), blocks(), range(6), coverage, Planner(SURVEY.obstacles, CLEARANCE)
    )
    assert route.legs == (Leg(((7.0, 8.0),), None, True),)


def test_what_cannot_be_reached_is_told_and_perceived() -> None:
    wall = [(-30, -80), (-28, -80), (-28, 80), (-30, 80)]
    ring = [
        wall,
        [(-30, 80), (200, 80), (200, 82), (-30, 82)],
        [(-30, -82), (200, -82), (200, -80), (-30, -80)],
        [(200, -82), (202, -82), (202, 82), (200, 82)],
    ]
    route = plan_route((-130.0, 0.0), blocks()[:1], (), covered(), Planner(ring, 5.0))
    assert route.unreachable == (blocks()[0].track[1],)
    assert route.legs[-1] == Leg(((-130.0, 0.0),), 0, True)


def test_the_motion_planner_goes_on_by_itself() -> None:
    motion = MotionPlanner(acceptance=4.0)
    legs = [Leg(((0.0, 0.0), (50.0, 0.0))), Leg(((50.0, 0.0), (50.0, 30.0)), 0, True)]
    motion.follow(legs, (0.0, 0.0))
    assert motion.track is not None
    assert motion.track.end == (50.0, 0.0)
    assert motion.advance((20.0, 1.0)) == []
    assert motion.advance((46.5, 1.0)) == [legs[0]]
    assert motion.track.end == (50.0, 30.0)
    assert motion.advance((60.0, 31.0)) == [legs[1]], "abeam is passed, also from afar"
    assert motion.legs_left == 0
    assert motion.track is None


def test_dropouts_are_a_poisson_process() -> None:
    dropouts = Dropouts(200.0, 20.0, Random(4))
    down = np.array([dropouts.is_down(float(time)) for time in range(200_000)])
    assert down.mean() == pytest.approx(1 - np.exp(-20 / 200), rel=0.1)  # of an M/G/∞ queue
    never = Dropouts(0.0, 20.0, Random(4))
    assert not any(never.is_down(float(time)) for time in range(1000))
