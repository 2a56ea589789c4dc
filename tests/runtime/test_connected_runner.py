"""Agents in a world that is connected: actions are asked for outside, and what is perceived is
found among what the model allows."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.runtime.simulated import as_record
from volition import Program, conform, load
from volition.kernel import explore
from volition.languages.protocols import Executable
from volition.reporting.json_values import to_json_value
from volition.runtime.bridge import InProcessBridge
from volition.runtime.connected_runner import ConnectedRunner
from volition.runtime.executive import Runner, RunResult, run
from volition.runtime.external_actions_runner import ExternalActionRunner
from volition.runtime.record import Header, Recorder, digest
from volition.runtime.run_log import RunLog
from volition.runtime.selectors import FirstSelector
from volition.runtime.stop_conditions import parse_stop_condition
from volition.runtime.worlds.external import ExternalWorld

EXAMPLES = Path(__file__).parents[2] / "examples"

Lines = list[dict[str, Any]]


def play(
    name: str,
    answer: Callable[[InProcessBridge, Mapping[str, Any]], None],
    *,
    cycles: int,
    end: str | None = None,
    start: Sequence[Any] = (),
) -> tuple[RunResult, Lines, str]:
    """Run a program against somebody who answers its calls; ``start`` is published before."""
    program: Program = load(EXAMPLES / name)
    model = program.model()
    bridge, stream = InProcessBridge(), io.StringIO()
    bridge.subscribe("call/*", lambda _, call: answer(bridge, call))
    for topic, data in start:
        bridge.publish(topic, data)
    journal = RunLog(Recorder(stream))
    ends = [] if end is None else [parse_stop_condition(program, model, end)]
    kind = ConnectedRunner if isinstance(model, Executable) else ExternalActionRunner
    runner: Runner = kind(
        model,  # type: ignore[arg-type]
        ExternalWorld(bridge),
        FirstSelector(),
        journal,
        chance=Random(1),
        ends=ends,
    )
    initial = {slot: to_json_value(value) for slot, value in model.system.slots.items()}
    journal.begin(
        Header(
            program.language, name, digest(program), tuple(model.agents), initial, world="bridge"
        )
    )
    ran = run(runner, journal, cycles=cycles, cycle_seconds=1.0, real_time=False)
    return ran, [json.loads(line) for line in stream.getvalue().splitlines()[1:]], stream.getvalue()


def factory(spoils: int) -> Callable[[InProcessBridge, Mapping[str, Any]], None]:
    """A press outside that spoils its first parts."""
    stamped = 0

    def answer(bridge: InProcessBridge, call: Mapping[str, Any]) -> None:
        nonlocal stamped
        action, _, part = call["action"].rstrip(")").partition("(")
        percepts = [f"loaded({part})"]
        if action == "stamp":
            stamped += 1
            percepts = [f"result({part},{'faulty' if stamped <= spoils else 'good'})"]
        bridge.publish("percepts/press", {"percepts": percepts})
        bridge.publish(f"feedback/{action}", {"id": call["id"]})

    return answer


def test_outcomes_are_those_that_were_observed() -> None:
    for spoils in (0, 2):
        ran, lines, _ = play(
            "agentspeak/factory", factory(spoils), cycles=600, end="Bel(feeder, finished)"
        )
        assert ran.reason == "Bel(feeder, finished)"
        executed = [
            line["text"] for line in lines if line["kind"] == "step" and line["action"] is not None
        ]
        assert sum("stamp" in each for each in executed) == 2 + spoils
        assert not [line for line in lines if line["kind"] in ("surprise", "refused")]
        chances = [
            line["probability"]
            for line in lines
            if line["kind"] == "step" and "probability" in line
        ]
        assert sorted(chances) == sorted(["1/10"] * spoils + ["9/10"] * 2)


def test_a_run_in_a_connected_world_is_one_of_the_model() -> None:
    _, lines, _ = play("agentspeak/factory", factory(1), cycles=600, end="Bel(feeder, finished)")
    space = explore(load(EXAMPLES / "agentspeak/factory").model().system)
    known = {
        json.dumps(
            {slot: to_json_value(value) for slot, value in space.values(state).items()},
            sort_keys=True,
        )
        for state in range(len(space))
    }
    state = {slot: to_json_value(value) for slot, value in space.values(0).items()}
    for line in lines:
        if line["kind"] == "step":
            state |= line["slots"]
            assert json.dumps(state, sort_keys=True) in known


def test_nothing_is_executed_before_it_was_done() -> None:
    ran, lines, _ = play("agentspeak/factory", lambda *_: None, cycles=200)
    assert ran.reason == "cycles"
    assert not [
        line
        for line in lines
        if line["kind"] == "step"
        and line["action"] is not None
        and line["component"] == "environment"
    ]


def test_what_the_world_cannot_bring_about_is_a_surprise() -> None:
    def haunted(bridge: InProcessBridge, call: Mapping[str, Any]) -> None:
        bridge.publish("percepts/press", {"percepts": ["ghost"]})
        bridge.publish(f"feedback/{call['action'].partition('(')[0]}", {"id": call["id"]})

    _, lines, _ = play("agentspeak/factory", haunted, cycles=60)
    surprises = [line for line in lines if line["kind"] == "surprise"]
    assert surprises
    assert surprises[0]["observed"] == {"press": ["ghost"]}


def test_nonsense_from_outside_is_refused() -> None:
    start = [
        ("percepts/press", {"percepts": "all"}),
        ("feedback/load", {"id": 17}),
        ("feedback/load", {"id": "x"}),
    ]
    _, lines, _ = play("agentspeak/factory", lambda *_: None, cycles=20, start=start)
    assert (
        len([line for line in lines if line["kind"] == "refused"]) == 2
    )  # the last message of each topic


def test_percepts_that_change_freely_are_observed() -> None:
    """The car brakes where it is told that the driver does, and not where it is not."""
    for percepts, believed in ((["safe", "driver_brakes"], True), (["safe"], False)):
        start = [("percepts/car", {"percepts": percepts})]

        def done(bridge: InProcessBridge, call: Mapping[str, Any]) -> None:
            bridge.publish(f"feedback/{call['action'].partition('(')[0]}", {"id": call["id"]})

        _, lines, _ = play("gwendolen/cruise_control", done, cycles=40, start=start)
        texts = " ".join(line["text"] for line in lines if line["kind"] == "step")
        assert "perceives +safe" in texts
        assert ("perceives +driver_brakes" in texts) is believed
        assert "driver_accelerates" not in texts
        assert not [line for line in lines if line["kind"] == "surprise"]


# --- languages without a world: actions that somebody does outside --------------------------------

GAMBLER = """
// Initial belief bases
tired
// External events
toss
// Plan library
toss : true <- flip; rest.
// Actions description
flip : true <- 0.9: <{},{heads}> + 0.1: <{},{tails}>
rest : true <- <{tired},{}>
"""


@pytest.mark.parametrize(("seen", "chance"), [(["tails", "tired"], "1/10"), (["heads"], "9/10")])
def test_the_outcome_of_an_action_is_the_one_that_is_seen(
    tmp_path: Path, seen: list[str], chance: str
) -> None:
    """As far as outcomes differ: that the gambler is tired is no matter of the coin."""
    (tmp_path / "gambler.can").write_text(GAMBLER)
    ran, lines, text = play(str(tmp_path / "gambler.can"), showing(seen), cycles=40)
    assert ran.reason == "no further step is possible"
    assert [line["action"] for line in lines if line["kind"] == "step" and line["action"]] == [
        "flip",
        "rest",
    ]
    assert [line["probability"] for line in lines if "probability" in line] == [chance]
    assert not [line for line in lines if line["kind"] == "surprise"]
    (found,) = conform(as_record(text), tmp_path / "gambler.can")
    assert found.conforms


def test_a_coin_on_its_edge_is_a_surprise(tmp_path: Path) -> None:
    (tmp_path / "gambler.can").write_text(GAMBLER)
    _, lines, _ = play(str(tmp_path / "gambler.can"), showing(["tired"]), cycles=40)
    (surprise,) = (line for line in lines if line["kind"] == "surprise")
    assert "no outcome of 'gambler: act flip'" in surprise["text"]
    assert surprise["observed"] == ["tired"]


@pytest.mark.parametrize("name", ["can/courier.can", "dribble/vacuum.dribble"])
def test_an_agent_waits_for_what_it_asked_for(name: str) -> None:
    ran, lines, _ = play(name, lambda *_: None, cycles=60)
    assert ran.reason == "cycles"
    assert not [line for line in lines if line["kind"] == "step" and line["action"] is not None]


def showing(seen: list[str]) -> Callable[[InProcessBridge, Mapping[str, Any]], None]:
    def answer(bridge: InProcessBridge, call: Mapping[str, Any]) -> None:
        bridge.publish(f"percepts/{call['agent']}", {"percepts": seen})
        bridge.publish(f"feedback/{call['action']}", {"id": call["id"]})

    return answer
