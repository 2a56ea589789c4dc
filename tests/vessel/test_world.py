"""An agent that drives the vessel."""

from __future__ import annotations

import io
import json
from math import dist
from pathlib import Path
from typing import Any

import pytest

from tests.languages.lisa.projects import action, reasoning
from volition import InputError, run

EXAMPLES = Path(__file__).parents[2] / "examples" / "lisa"


def lines(program: Path, **options: Any) -> list[dict[str, Any]]:
    stream = io.StringIO()
    run(program, world="vessel", record=stream, **options)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_the_printed_agent_leaves_its_own_model_when_the_drive_mode_comes() -> None:
    """The program says that it takes exactly 5 cycles; it takes 2, so that half-step 7, in cycle 3,
    has probability 0."""
    found = lines(EXAMPLES / "vessel_mdp", cycles=6)
    surprises = [line for line in found if line.get("kind") == "surprise"]
    assert [(line["cycle"], line["observed"]) for line in surprises] == [(3, "drive_mode")]
    came = [
        line["cycle"]
        for line in found
        if line.get("kind") == "cycle" and line["inbox"]["feedbacks"]
    ]
    assert came == [1, 3]


def test_what_the_vessel_tells() -> None:
    found = lines(EXAMPLES / "vessel_repaired", cycles=20)
    kinds = [line.get("kind") for line in found]
    assert (
        kinds.count("world"),
        kinds.count("pose"),
        kinds.count("coverage"),
        kinds.count("route"),
    ) == (1, 20, 2, 1)
    last = [line for line in found if line.get("kind") == "pose"][-1]
    assert (last["mode"], last["t"], len(last["eta"])) == ("drive", 20.0, 6)
    assert last["eta"][0] > -130  # it has left its place
    assert found == lines(EXAMPLES / "vessel_repaired", cycles=20)


def test_the_whole_voyage_is_told_in_the_end(tmp_path: Path) -> None:
    (tmp_path / "open_sea.toml").write_text("[survey]\nobstacles = []\n\n[sea]\nstate = 2\n")
    found = lines(EXAMPLES / "vessel_repaired", cycles=35, mission=tmp_path / "open_sea.toml")
    voyage, end = found[-2:]
    assert (voyage["kind"], voyage["t"], end["kind"]) == ("voyage", 35.0, "end")
    poses = [line["eta"][:2] for line in found if line.get("kind") == "pose"]
    assert (
        dist(poses[0], poses[-1])
        <= voyage["path"]
        == pytest.approx(dist(poses[0], poses[-1]), rel=0.1)
    )
    assert voyage["least_distance"] is None, "there is nothing that it could be near to"
    texts = [line for line in found if line.get("kind") == "coverage"]
    assert [line["t"] for line in texts] == [10.0, 20.0, 30.0, 35.0]
    assert texts[-1]["share"] == voyage["seen"] > 0
    (world,) = (line for line in found if line.get("kind") == "world")
    assert (world["mission"]["sea"]["state"], world["mission"]["voyage"]["speed"]) == (2, 1.5), (
        "what was sailed can be sailed again"
    )


def test_a_mission_that_ends_by_a_note_that_the_agent_never_has(tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_text('[end]\nnotes = ["Mision complete"]\n')
    with pytest.raises(InputError, match="never believes 'Mision complete'") as refused:
        run(EXAMPLES / "vessel_repaired", mission=tmp_path / "m.toml")
    assert [(each.code, each.hint) for each in refused.value.diagnostics] == [
        ("VES011", "did you mean 'Mission complete'?")
    ]


def test_an_agent_that_asks_for_more_than_the_vessel_can_do(tmp_path: Path) -> None:
    (tmp_path / "diver.sej").write_text(
        reasoning(beliefs="Wanted.", plans="If ^[Wanted] while true then\n[Dive.].")
    )
    (tmp_path / "dive.sep").write_text(action("dive", "Deep[1,1,0]", sentence="Dive."))
    with pytest.raises(InputError) as refused:
        run(tmp_path, world="vessel")
    assert [each.code for each in refused.value.diagnostics] == ["VES010"]
