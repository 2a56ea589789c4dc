"""Division of the survey area into blocks. Each block is a strip that the sensor sees from a track
along its middle (Izzo, Sect. 6.1 and 6.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, ceil, degrees, dist, hypot

from shapely import LineString, Polygon, box
from shapely.affinity import rotate
from shapely.geometry.base import BaseGeometry

from volition.vessel.control import Point

__all__ = ["SurveyBlock", "blocks_of"]


@dataclass(frozen=True)
class SurveyBlock:
    """A strip of the survey area and the track along it. Only the end of the track is a global
    waypoint, because the agent considers a block explored when it reaches a global waypoint."""

    number: int
    track: tuple[Point, Point]
    strip: Polygon


def blocks_of(
    area: Sequence[Point], reach: float, *, overlap: float, inset: float, start: Point
) -> tuple[SurveyBlock, ...]:
    """Return the survey blocks of an area. Their tracks are parallel to the longest extent of the
    area and have alternating directions; the first track begins at the end nearest to ``start``.

    ``reach`` is the distance that the sensor sees to each side, ``overlap`` the fraction by which
    neighbouring strips overlap, and ``inset`` the distance between the end of a track and the edge
    of the area.
    """
    polygon = Polygon(area)
    angle = _longest_extent(polygon)
    turned = rotate(polygon, -angle, origin=(0, 0))
    left, low, right, high = turned.bounds
    count = ceil((high - low) / (2 * reach * (1 - overlap)) - 1e-9)
    width = (high - low) / count
    found = []
    for number in range(count):
        middle = low + (number + 0.5) * width
        for strip in _polygons(
            turned.intersection(box(left, middle - width / 2, right, middle + width / 2))
        ):
            first, last = rotate(
                LineString(_ends(strip, middle, inset)), angle, origin=(0, 0)
            ).coords
            found.append(((first, last), rotate(strip, angle, origin=(0, 0))))
    nearest = min(
        (end for track, _ in (found[0], found[-1]) for end in track),
        key=lambda end: round(dist(end, start), 6),
    )
    if nearest not in found[0][0]:
        found.reverse()
    backwards = nearest == found[0][0][1]
    return tuple(
        SurveyBlock(
            number, (track[1], track[0]) if (number % 2 == 1) != backwards else track, strip
        )
        for number, (track, strip) in enumerate(found)
    )


def _longest_extent(polygon: Polygon) -> float:
    """Return the direction of the longer side of a polygon's smallest bounding rectangle, in
    degrees."""
    corners = list(polygon.minimum_rotated_rectangle.exterior.coords)
    sides = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(corners)]
    north, east = max(sides, key=lambda side: round(hypot(*side), 6))
    return degrees(atan2(east, north)) % 180


def _ends(strip: Polygon, middle: float, inset: float) -> tuple[Point, Point]:
    """Return the ends of the track along a strip, ``inset`` from its edges. If the centre line at
    ``middle`` misses the strip, the track goes through an interior point of the strip instead."""
    _, low, _, high = strip.bounds
    across = LineString([(strip.bounds[0] - 1, middle), (strip.bounds[2] + 1, middle)])
    if not low < middle < high or strip.intersection(across).is_empty:
        middle = strip.representative_point().y
        across = LineString([(strip.bounds[0] - 1, middle), (strip.bounds[2] + 1, middle)])
    first, _, last, _ = strip.intersection(across).bounds
    inset = min(inset, (last - first) / 2)
    return (first + inset, middle), (last - inset, middle)


def _polygons(shape: BaseGeometry) -> Iterator[Polygon]:
    for part in getattr(shape, "geoms", [shape]):
        if isinstance(part, Polygon) and part.area > 0:
            yield part
