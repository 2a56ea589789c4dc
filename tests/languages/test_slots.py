"""Names of slots that know whose they are and what they hold."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

from volition import load
from volition.languages.common.slots import KINDS, Slot, slots_of_agent, slots_of_kind
from volition.languages.protocols import Program
from volition.logic import parse
from volition.logic.syntax import Atom

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = [
    "can/rover.can",
    "dribble/vacuum.dribble",
    "lisa/vessel_mdp",
    "agentspeak/auction",
    "agentspeak/factory",
]


def slots_of(program: Program, *observed: str) -> list[str]:
    atoms = [atom for atom in map(parse, observed) if isinstance(atom, Atom)]
    return list(program.model(atoms).system.slots)


def test_a_slot_is_its_name_and_knows_more() -> None:
    slot = Slot("ag1.mail", "queue", agent="ag1", item="mail")
    assert slot == "ag1.mail"
    assert "ag1.mail" in {slot}
    assert f"{slot}" == "ag1.mail"
    assert (slot.agent, slot.kind, slot.item) == ("ag1", "queue", "mail")
    assert Slot("plan", "plan").item == "plan"


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda slot: pickle.loads(pickle.dumps(slot))]
)
def test_a_copy_knows_as_much(again: object) -> None:
    slot = again(Slot("goal p", "goal", agent="robot", item="p"))  # type: ignore[operator]
    assert (slot, slot.agent, slot.kind, slot.item) == ("goal p", "robot", "goal", "p")


@pytest.mark.parametrize("path", PROGRAMS)
def test_every_slot_of_every_language_says_what_it_holds(path: str) -> None:
    model = load(EXAMPLES / path, trust=True).model()
    slots = list(model.system.slots)
    assert all(isinstance(slot, Slot) for slot in slots)
    whose = [slots_of_agent(slots, agent) for agent in (*model.agents, None)]
    assert sorted(slot for some in whose for slot in some) == sorted(slots)
    assert sorted(slot for kind in KINDS for slot in slots_of_kind(slots, kind)) == sorted(slots)
    for agent in model.agents:
        assert slots_of_kind(slots_of_agent(slots, agent), "belief", "plan", "intention")


def test_slots_of_can() -> None:
    program = load(
        EXAMPLES / "can/rover.can", {"intentions": "round-robin", "plans": "round-robin"}
    )
    slots = slots_of(program, "Does(perform_experiment_site1)")
    assert [(slot, slot.item) for slot in slots_of_kind(slots, "intention")] == [
        ("intention 1", "1"),
        ("intention 2", "2"),
    ]
    assert slots_of_kind(slots, "memory") == ["last action"]
    assert "turn of intentions" in slots_of_kind(slots, "turn")
    assert "at_base" in slots_of_kind(slots, "belief")


def test_slots_of_dribble() -> None:
    slots = slots_of(load(EXAMPLES / "dribble/vacuum.dribble"), "Does(cR)")
    assert [slot.item for slot in slots_of_kind(slots, "belief")] == ["b", "c1", "c2", "r1", "r2"]
    assert [slot.item for slot in slots_of_kind(slots, "goal")] == ["c1", "c2"]
    assert [slot.item for slot in slots_of_kind(slots, "memory")] == ["cR"]
    assert slots_of_kind(slots, "plan") == ["plan"]
    assert slots_of_agent(slots, "vacuum") == slots


def test_slots_of_lisa() -> None:
    slots = slots_of(load(EXAMPLES / "lisa/vessel_mdp"))
    assert slots_of_kind(slots, "cycle") == ["x"]
    assert "plan_1" in slots_of_kind(slots, "intention")
    assert "mission_complete" in slots_of_kind(slots, "belief")
    counters = slots_of_kind(slots, "counter")
    assert counters == slots_of_agent(slots, None)
    assert {slot.item for slot in counters} <= set(slots_of_kind(slots, "belief"))


def test_slots_of_agents_and_their_world() -> None:
    slots = slots_of(load(EXAMPLES / "agentspeak/auction"))
    assert [slot.item for slot in slots_of_agent(slots, "ag2")] == [
        "part",
        "beliefs",
        "mail",
        "events",
        "ready",
        "means",
    ]
    assert slots_of_kind(slots, "belief") == ["ag1.beliefs", "ag2.beliefs", "ag3.beliefs"]
    assert slots_of_kind(slots, "percept") == ["percepts"]
    assert "actions" in slots_of_agent(slots, None)
    world = slots_of_kind(slots, "world")
    assert world
    assert all(slot == f"world.{slot.item}" for slot in world)


def test_slots_of_a_world_in_python(tmp_path: Path) -> None:
    """Its author writes plain texts."""
    (tmp_path / "p.mas").write_text("agent a = a.asl\nworld = lamp.py:Lamp\n")
    (tmp_path / "a.asl").write_text("b.\n")
    lines = [
        "from volition.languages.world import World",
        "class Lamp(World):",
        "    slots = {'world.on': False, 'mood': 1}",
    ]
    methods = [
        "    def percepts(self, state, agent): return ()",
        "    def execute(self, state, agent, action): return ()",
    ]
    (tmp_path / "lamp.py").write_text("\n".join([*lines, *methods]))
    slots = slots_of(load(tmp_path, trust=True))
    assert [(slot, slot.item, slot.agent) for slot in slots_of_kind(slots, "world")] == [
        ("world.on", "on", None),
        ("mood", "mood", None),
    ]
