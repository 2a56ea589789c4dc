"""Queries whose values a run tells in every cycle: those of ``check`` in the initial state, and of
the states that follow."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import volition
from tests.runtime.verification.crossing import number
from volition.runtime.bridge import InProcessBridge
from volition.runtime.telemetry import TelemetryPublisher

LISA = Path(__file__).parents[3] / "examples" / "lisa"
CAN = LISA.parent / "can"
SAFE = "Pmin=? [ F (PS1 | PS2) ]"


def told(program: Path, **options: Any) -> list[dict[str, Any]]:
    stream = io.StringIO()
    volition.run(program, record=stream, **options)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def values(lines: list[dict[str, Any]], name: str) -> list[float]:
    return [line["values"][name] for line in lines if line.get("kind") == "values"]


def shown(folder: Path, query: str) -> Path:
    copy = folder / "smart_manufacturing.can"
    copy.write_text((CAN / copy.name).read_text())
    copy.with_suffix(".run").write_text(f"[verification]\nshow both = {query}\n")
    return copy


def test_every_cycle_has_its_values() -> None:
    lines = told(LISA / "crossing", seed=3)
    home = values(lines, "comes home")
    assert len(home) == sum(line.get("kind") == "cycle" for line in lines)
    (best,) = volition.check(
        LISA / "crossing", "Pmax=? [ F (home = 1 & lost = 0 & battery_low = 0) ]"
    )
    assert home[0] == pytest.approx(number(best), abs=0.01), (
        "the first cycle has not drawn much yet"
    )
    assert home[-1] == 1, "it is home"


@pytest.mark.parametrize("seed", range(4))
def test_in_the_end_a_value_says_what_came_of_it(tmp_path: Path, seed: int) -> None:
    """Nothing can be better than the best at the beginning, and nothing is open at the end."""
    program = shown(tmp_path, "Pmax=? [ F (PS1 & PS2) ]")
    lines = told(program, seed=seed)
    both = values(lines, "both")
    (best,) = volition.check(program, "Pmax=? [ F (PS1 & PS2) ]")
    assert both[0] <= number(best) + 1e-9
    assert both[-1] == float(
        volition.run(program, seed=seed, until="PS1 & PS2").reason == "PS1 & PS2"
    )


def test_a_query_that_says_nothing_and_one_that_is_shown_twice(tmp_path: Path) -> None:
    for query, message in (
        ("P=? [ F PS1 ]", "does not ask for a minimum or maximum"),
        (f"{SAFE}\nshow both = {SAFE}", "two 'show' lines have the same name"),
    ):
        with pytest.raises(volition.InputError, match=message):
            volition.run(shown(tmp_path, query))


def test_who_looks_on_hears_minds_choices_and_values() -> None:
    """The topics of a run, told by the lines of its record."""
    program = volition.load(LISA / "crossing")
    bridge = InProcessBridge()
    received: dict[str, list[Any]] = {}
    bridge.subscribe("**", lambda topic, data: received.setdefault(topic, []).append(data))
    look = TelemetryPublisher(program.model(), bridge, shows=True)
    lines = []

    def watch(kind: str, fields: Any) -> None:
        lines.append((kind, dict(fields)))
        look(kind, fields)

    volition.run(program, seed=3, watch=watch)
    kinds = [kind for kind, _ in lines]
    assert len(received["state/agent"]) == kinds.count("cycle")
    assert len(received["choice"]) == kinds.count("choice") > 0
    assert [each["chosen"] for each in received["choice"]] == [
        fields["chosen"] for kind, fields in lines if kind == "choice"
    ]
    awaited = [each for each in received["state/agent"] if each["awaited"]]
    assert {each for state in awaited for each in state["awaited"]} <= {
        "Cross open water",
        "Sail sheltered route",
    }
    assert "Home" in received["state/agent"][-1]["beliefs"]
    queried = [
        {name: fields[name] for name in ("cycle", "state", "values")}
        for kind, fields in lines
        if kind == "values"
    ]
    assert [
        {name: each[name] for name in ("cycle", "state", "values")}
        for each in received["state/agent"]
    ] == queried, "of the same state"
    numbers = [each["seq"] for topic in received.values() for each in topic]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
