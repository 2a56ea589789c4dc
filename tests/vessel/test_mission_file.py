"""Mission files: what they say, and every mistake in them at once, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from volition.diagnostics import InputError, Source
from volition.vessel.mission import Mission
from volition.vessel.mission_file import load_mission, read_mission


def mistakes(text: str) -> list[tuple[str, int | None, str]]:
    with pytest.raises(InputError) as raised:
        read_mission(Source("mission.toml", text))
    return [
        (each.code, each.span.line if each.span else None, each.message)
        for each in raised.value.diagnostics
    ]


def test_nothing_said_is_the_mission_of_the_page() -> None:
    assert read_mission(Source("mission.toml", "")) == Mission()


def test_what_a_file_says(tmp_path: Path) -> None:
    path = tmp_path / "mission.toml"
    path.write_text(
        """
[survey]
area = [[0, 0], [50, 0], [50.5, 40]]
obstacles = []
[sea]
heights = [[0, 0.3], [200, 2.0]]
[operator]
script = [[250, "continue"]]
[names]
approaching = "Target ahead"
[hull]
added_mass = "otter"
[end]
notes = ["Done"]
cycles = 10
"""
    )
    mission = load_mission(path)
    assert mission.survey.area == ((0.0, 0.0), (50.0, 0.0), (50.5, 40.0))
    assert mission.sea.profile == ((0.0, 0.3), (200.0, 2.0))
    assert mission.operator.script == ((250.0, "continue"),)
    assert (mission.names.approaching, mission.names.park) == ("Target ahead", "Activate park mode")
    assert mission.hull.added_mass == "otter"
    assert (mission.end.notes, mission.end.cycles) == (("Done",), 10)


def test_a_sea_state_has_height_and_period() -> None:
    sea = read_mission(Source("mission.toml", "[sea]\nstate = 3")).sea
    assert (sea.profile, sea.peak_period) == (((0.0, 0.88),), 5.0)


def test_every_mistake_is_told_with_its_place() -> None:
    text = """\
[survey]
depht = 10.0
overlap = 1.5
area = [[0, 0], [10, 10], [10, 0], [0, 10]]
[voyage]
start = [1, 2, 3]
speed = "fast"
[see]
state = 1
[operator]
script = [[3, "perhaps"]]
[end]
cycles = 2.5
"""
    found = mistakes(text)
    assert [(code, line) for code, line, _ in found] == [
        ("VES002", 2),
        ("VES004", 3),
        ("VES004", 4),
        ("VES003", 6),
        ("VES003", 7),
        ("VES002", 8),
        ("VES003", 11),
        ("VES003", 13),
    ]
    assert "Self-intersection" in found[2][2]


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("[hull]\ndrag_sway = -1.0", 2, "energy"),
        ("[hull]\n\ninertia_xz = 20.0", 3, "positive definite"),
        ("[hull]\nyaw_drag = 0.05", 2, "at least 0.077"),
        ("[hull]\ndrag_sway = 0.0", 1, "must be 0 without"),
        ("[hull]\nmass = 400.0", 1, "sinks"),
        ("[sea]\nstate = 9", 2, "from 0 to 6"),
        ("[sea]\nheights = [[10, 1], [5, 2]]", 2, "increasing times"),
        ("[operator]\ndelay = [7, 3]", 2, "smaller one first"),
        ("[voyage]\nrelease = 1.0", 2, "acceptance"),
        ("[voyage]\nstart = [-40, 30]", 2, "inside an obstacle"),
        ("[survey]\narea = [[0, 0], [100, 0], [100, 1000000]]", 2, "square metres"),
        ("[percepts]\nsea_calm = 2.0", 2, "sea_high"),
        ("[anchor]\nstrength = 0", 2, "more than 0"),
    ],
)
def test_what_cannot_be(text: str, line: int, part: str) -> None:
    [(code, place, message)] = mistakes(text)
    assert (code, place) == ("VES004", line)
    assert part in message


def test_what_is_not_toml() -> None:
    [(code, line, _)] = mistakes("[sea]\nstate 3\n")
    assert (code, line) == ("VES001", 2)
    for text in ("[sea", f"[sea]\nstate = {'9' * 5000}\n", f"[sea]\nheights = {'[' * 5000}\n"):
        [(code, _, _)] = mistakes(text)
        assert code == "VES001"
    [(code, line, _)] = mistakes("sea = 3\n")
    assert (code, line) == ("VES003", 1)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(InputError, match="LNG001"):
        load_mission("nowhere.toml")
