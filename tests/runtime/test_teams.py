"""Several LISA agents in a connected world: each hears what is for it, and what they do together is
a run of their model."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.bridge.test_bridges import free_address
from tests.runtime.simulated import as_record
from volition import InputError, conform, run
from volition.runtime.bridge import InProcessBridge, ScopedBridge

ROOT = Path(__file__).parents[2]
MINE_HUNT = ROOT / "examples" / "lisa" / "mine_hunt"


def sailed(program: Path, **options: Any) -> str:
    stream = io.StringIO()
    run(program, record=stream, trust=True, until="Survey complete", cycles=100, **options)
    return stream.getvalue()


def lines(text: str, *kinds: str) -> list[dict[str, Any]]:
    return [line for line in map(json.loads, text.splitlines()) if line.get("kind") in kinds]


def copied(folder: Path, run_file: str) -> Path:
    """The two agents with another run file."""
    copy = folder / "mine_hunt"
    for source in (*sorted(MINE_HUNT.rglob("*.se?")), MINE_HUNT / "skills.py"):
        target = copy / source.relative_to(MINE_HUNT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text())
    (copy / "mine_hunt.run").write_text(textwrap.dedent(run_file))
    return copy


def test_two_agents_with_skills_of_their_own() -> None:
    """The first contact is a rock, the second a mine; the drone, which looks closely here, says
    so."""
    text = sailed(MINE_HUNT, world="python", objective='Pmax=? [ F Bel(drone, "Rock seen") ]')
    assert lines(text, "end")[0]["reason"] == "Survey complete"
    called = {
        (line["agent"], call["action"]) for line in lines(text, "cycle") for call in line["calls"]
    }
    assert called == {("vessel", "start_the_sonar"), ("vessel", "hold_position")} | {
        ("drone", each) for each in ("take_off", "look_closely", "land_on_the_deck")
    }
    messages = [
        name
        for line in lines(text, "cycle")
        for name, value in line["beliefs"].items()
        if value == 1 and "contact_" in name
    ]
    assert [each for each in messages if each.startswith("vessel_contact_is")] == [
        "vessel_contact_is_a_rock",
        "vessel_contact_is_a_mine",
    ]
    assert not lines(text, "surprise", "refused", "lost")
    (found,) = conform(as_record(text), MINE_HUNT)
    assert found.conforms


def test_whose_skill_is_lost(tmp_path: Path) -> None:
    run_file = """
        world = python
        skill Start the sonar = skills.py:Sonar
        skill Hold position = broken.py:Broken
        skill drone: Take off = skills.py:TakeOff
        skill drone: Look from above = skills.py:LookFromAbove
        skill drone: Look closely = skills.py:LookClosely
        skill drone: Land on the deck = skills.py:Land
        lost vessel: Hold position = Battery low
        """
    program = copied(tmp_path, run_file)
    (program / "broken.py").write_text(
        "from volition.runtime.skills import Skill\nclass Broken(Skill):\n    def start(self, "
        "call):\n        raise OSError('aground')\n"
    )
    with pytest.raises(InputError, match="unknown percept 'Battery low'"):
        sailed(program)  # it is the drone's
    (program / "mine_hunt.run").write_text(
        textwrap.dedent(run_file).replace("lost vessel: Hold position", "lost Hold position")
    )
    text = sailed(program)
    (lost,) = lines(text, "lost")
    assert lost["name"] == "vessel/hold_position"
    assert "OSError: aground" in lost["text"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("skill = skills.py:Sonar", "does not name the agent of the skill"),
        ("skill drone: Hold position = skills.py:Sonar", "unknown action 'Hold position'"),
        ("skill Hold positon = skills.py:Sonar", "unknown action 'Hold positon'"),
        ("skill Take off = skills.py:Nothing", "has no skill 'Nothing'"),
        ("failure vessel: Take off = In the air", "unknown action 'Take off'"),
        ("failure Take off = Landed", "'Landed' is not a feedback of 'Take off'"),
    ],
)
def test_lines_that_are_about_nobody(line: str, message: str, tmp_path: Path) -> None:
    program = copied(tmp_path, f"world = python\nskill Start the sonar = skills.py:Sonar\n{line}\n")
    with pytest.raises(InputError, match=message):
        sailed(program)


def test_an_agent_hears_nothing_of_another() -> None:
    whole = InProcessBridge()
    one, other = ScopedBridge(whole, "one"), ScopedBridge(whole, "other")
    received: list[tuple[str, Any]] = []
    one.subscribe("percept/*", lambda topic, data: received.append((topic, data["value"])))
    one.watch_presence(lambda *progress: received.append(progress))
    other.publish("percept/dark", {"value": 1})
    other.announce_presence("eye")
    one.publish("percept/dark", {"value": 2})
    one.announce_presence("eye")
    whole.announce_presence("eye")
    assert received == [("percept/dark", 2), ("eye", True)]


DRONE = """
    import runpy, sys, time
    from volition import InputError
    from volition.runtime.bridge.zenoh import ZenohBridge
    from volition.runtime.skills.server import serve
    skills = runpy.run_path({skills!r})
    skills["SeaFloor"].found = "mine"
    actions = {{"Take off": "TakeOff", "Look from above": "LookFromAbove", "Look closely": "LookClosely", "Land on the deck": "Land"}}
    vessel = {{"Start the sonar": skills["Sonar"](), "Hold position": skills["HoldPosition"]()}}
    for _ in range(100):
        try:
            bridge = ZenohBridge("hunt", connect={address!r})
            break
        except InputError:
            time.sleep(0.1)
    if sys.argv[1] == "drone":
        serve(bridge, "drone", agent="drone", actions={{text: skills[name]() for text, name in actions.items()}})
    else:
        serve(bridge, "vessel", agent="vessel", actions=vessel, repeated=["Start the sonar"])
"""  # noqa: E501


def test_each_agent_has_a_process_of_its_own(tmp_path: Path) -> None:
    pytest.importorskip("zenoh")
    address = free_address()
    program = copied(
        tmp_path,
        f"world = bridge\nbridge = {address}\nrun = hunt\npartner = drone\npartner = vessel\n",
    )
    script = textwrap.dedent(DRONE.format(skills=str(MINE_HUNT / "skills.py"), address=address))
    others = [
        subprocess.Popen([sys.executable, "-c", script, name], stderr=subprocess.DEVNULL)
        for name in ("drone", "vessel")
    ]
    try:
        text = sailed(program)
        assert [each.wait(20) for each in others] == [0, 0]
    finally:
        for each in others:
            each.kill()
            each.wait()
    assert lines(text, "end")[0]["reason"] == "Survey complete"
    assert not lines(text, "surprise", "refused", "lost")
    (found,) = conform(as_record(text), program)
    assert found.conforms
