"""An agent that drives the vessel."""

from __future__ import annotations

import io
import json
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
    """The program says that it takes exactly 5 cycles; it takes 2, so that half-step 7, in cycle 3, has probability 0."""
    found = lines(EXAMPLES / "vessel_mdp", cycles=6)
    surprises = [line for line in found if line.get("kind") == "surprise"]
    assert [(line["cycle"], line["observed"]) for line in surprises] == [(3, "drive_mode")]
    came = [line["cycle"] for line in found if line.get("kind") == "cycle" and line["inbox"]["feedbacks"]]
    assert came == [1, 3]


def test_what_the_vessel_tells() -> None:
    found = lines(EXAMPLES / "vessel_repaired", cycles=20)
    kinds = [line.get("kind") for line in found]
    assert (kinds.count("world"), kinds.count("pose"), kinds.count("coverage"), kinds.count("route")) == (1, 20, 2, 1)
    last = [line for line in found if line.get("kind") == "pose"][-1]
    assert (last["mode"], last["t"], len(last["eta"])) == ("drive", 20.0, 6)
    assert last["eta"][0] > -130  # it has left its place
    assert found == lines(EXAMPLES / "vessel_repaired", cycles=20)


def test_an_agent_that_asks_for_more_than_the_vessel_can_do(tmp_path: Path) -> None:
    (tmp_path / "diver.sej").write_text(reasoning(beliefs="Wanted.", plans="If ^[Wanted] while true then\n[Dive.]."))
    (tmp_path / "dive.sep").write_text(action("dive", "Deep[1,1,0]", sentence="Dive."))
    with pytest.raises(InputError) as refused:
        run(tmp_path, world="vessel")
    assert [each.code for each in refused.value.diagnostics] == ["VES010"]
