"""Which values fit which ports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import pytest

from volition.runtime.skills import Input, Output, PortError, Skill
from volition.runtime.skills.ports import fits


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, int),
        (1, float),
        (1.5, float),
        ("a", str),
        (True, bool),
        (None, None),
        ((1, 2.5), tuple[float, ...]),
        ((1, "a"), tuple[int, str]),
        ([1, 2], list[int]),
        ({"a": 1}, dict[str, int]),
        ({"a": [1.0]}, Mapping[str, list[float]]),
        (None, int | None),
        ("park", Literal["park", "drive"]),
        (object(), Any),
        ({1, 2}, set[int]),
    ],
)
def test_values_that_fit(value: object, kind: Any) -> None:
    assert fits(value, kind)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, int),
        (True, float),
        (1, bool),
        (1.5, int),
        ("1", float),
        ((1, "a"), tuple[float, ...]),
        ((1,), tuple[int, str]),
        ([1, "a"], list[int]),
        ({1: 1}, dict[str, int]),
        ({"a": "b"}, Mapping[str, int]),
        ("stop", Literal["park", "drive"]),
        (None, int),
        ([1], tuple[int, ...]),
    ],
)
def test_values_that_do_not(value: object, kind: Any) -> None:
    assert not fits(value, kind)


class Pilot(Skill):
    pose = Input(tuple[float, ...], topic="state/vessel")
    trim = Input(float, default=0.5)
    rudder = Output(float)


def test_a_port_is_read_where_its_topic_was_written() -> None:
    pilot, board = Pilot(), dict[str, Any]()
    pilot.connect(board, board.__setitem__)
    with pytest.raises(PortError, match="'pose' has no value yet"):
        _ = pilot.pose
    assert pilot.trim == 0.5
    board["state/vessel"] = (1.0, 2.0)
    assert pilot.pose == (1.0, 2.0)
    pilot.rudder = 0.1
    assert board["port/rudder"] == pilot.rudder == 0.1
    board["state/vessel"] = "nowhere"
    with pytest.raises(PortError, match="'pose' is"):
        _ = pilot.pose
