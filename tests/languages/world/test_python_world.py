"""A world written in Python has the same interface as one in a file, and the same meaning."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.checking.properties import on_graph
from volition.diagnostics import InputError
from volition.exporters.promela import to_promela
from volition.kernel import explore
from volition.languages import agentspeak
from volition.languages.agentspeak import AgentSpeakProgram
from volition.languages.common.trust import FULL_TRUST, with_trust
from volition.logic.parsing.parser import parse

EXAMPLE = Path(__file__).parents[3] / "examples" / "agentspeak" / "auction"
HOUSE = '''
from fractions import Fraction

from volition.languages.world import WorldTransition, World, failed_outcome
from volition.languages.world.terms import Structure, constant, negation, predicate


class House(World):
    """The auction house of Sect. 5."""

    slots = {"world.announced": 0, "world.open": False, "world.bids": (), "percepts": ()}

    def percepts(self, state, agent):
        return state["percepts"]

    def execute(self, state, agent, action):
        if predicate(action) != "place_bid/2" or not state["world.open"]:
            return []
        bids = tuple(sorted((*state["world.bids"], (agent, action.arguments[1]))))
        return [WorldTransition("place_bid", f"does {action}", ((Fraction(1), {"world.bids": bids}),))]

    def spontaneous_transitions(self, state):
        announced = state["world.announced"]
        if not state["world.open"] and announced < self.parameters["auctions"]:
            percepts = self._replaced(state, Structure("auction", (announced + 1,)))
            writes = {"world.announced": announced + 1, "world.open": True, "percepts": percepts}
            return [WorldTransition("announce", "announce", ((Fraction(1), writes),))]
        if state["world.open"] and len(state["world.bids"]) == len(self.agents):
            winner = max(state["world.bids"], key=lambda bid: bid[1])[0]
            percepts = self._replaced(state, Structure("winner", (constant(winner),)))
            writes = {"world.open": False, "world.bids": (), "percepts": percepts}
            return [WorldTransition("publish", f"publish {winner}", ((Fraction(1), writes),))]
        return []

    @staticmethod
    def _replaced(state, new):
        return (*(each for each in state["percepts"] if each.functor != new.functor), new)
'''  # noqa: E501


def load(path: Path, settings: Mapping[str, str]) -> AgentSpeakProgram:
    """The program at ``path``, whose code may run."""
    with with_trust(FULL_TRUST):
        return agentspeak.load(path, settings)


def auction_with(folder: Path, world: str, line: str) -> Path:
    """The auction of the examples with another world."""
    for agent in EXAMPLE.glob("*.asl"):
        shutil.copy(agent, folder)
    (folder / "house.py").write_text(world)
    agents = "\n".join(f"agent {name} = {name}.asl" for name in ("ag1", "ag2", "ag3"))
    (folder / "auction.mas").write_text(f"{agents}\n{line}\nparameter auctions = 3\n")
    return folder


def test_the_auction_house_in_python_gives_the_same_states(tmp_path: Path) -> None:
    model = load(auction_with(tmp_path, HOUSE, "world = house.py:House"), {"idle": "cycle"}).model()
    space = explore(model.system)
    assert space.num_states == 89_728
    assert on_graph(model, space, parse("A [ G !winner(ag2) ]")).holds
    assert on_graph(model, space, parse("announced <= 3 & E [ F announced = 3 ]")).holds


def test_the_world_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[3] / "docs" / "reference" / "world.md").read_text()
    (tmp_path / "house.py").write_text(page.split("```python")[1].split("```")[0])
    (tmp_path / "a.asl").write_text("+dirty(_) <- clean.")
    (tmp_path / "test.mas").write_text("agent a = a.asl\nworld = house.py:House\n")
    model = load(tmp_path, {}).model()
    assert on_graph(model, explore(model.system), parse("A [ F dirt = 0 ]")).holds


def test_python_worlds_are_not_translated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="written in Python"):
        to_promela(load(auction_with(tmp_path, HOUSE, "world = house.py:House"), {}))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HOUSE, "world = house.py:Hose", "no world class 'Hose'"),
        (HOUSE, "world = house.py", "no world class"),
        (HOUSE + "\nHouse(", "world = house.py:House", "SyntaxError"),
        (HOUSE.replace("def execute", "def executes"), "world = house.py:House", "abstract"),
        (
            HOUSE.replace('"percepts": ()', '"percepts": []'),
            "world = house.py:House",
            "House.slots fails: TypeError: unhashable",
        ),
        (
            HOUSE.replace('"world.bids": ()', '"ag1.mail": ()'),
            "world = house.py:House",
            "the world cannot have a slot 'ag1.mail'",
        ),
    ],
)
def test_mistakes_in_a_world_in_python(tmp_path: Path, text: str, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load(auction_with(tmp_path, text, line), {})
    assert len(caught.value.diagnostics) == 1


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        (
            'return state["percepts"]',
            "return percepts",
            "House.percepts fails: NameError",
            "return percepts",
        ),
        (
            'return state["percepts"]',
            'return ["light"]',
            "House.percepts returns 'light'",
            "def percepts(self, state, agent):",
        ),
        (
            "        return []\n\n    @static",
            "        return 3 / 0\n\n    @static",
            "House.spontaneous_transitions fails: ZeroDivisionError",
            "return 3 / 0",
        ),
        (
            '"world.bids": bids',
            '"world.bid": bids',
            "House.execute writes the undeclared slot 'world.bid'",
            "def execute(self, state, agent, action):",
        ),
        (
            'return [WorldTransition("announce"',
            'return ["announce", WorldTransition("announce"',
            "House.spontaneous_transitions returns 'announce'",
            "def spontaneous_transitions(self, state):",
        ),
        (
            '"percepts": percepts}',
            '"percepts": list(percepts)}',
            "House.spontaneous_transitions fails: TypeError: unhashable",
            "def spontaneous_transitions(self, state):",
        ),
        (
            '{"world.bids": bids}',
            'failed_outcome({"world.bids": bids})',
            "House.execute lets an action fail",
            "def execute(self, state, agent, action):",
        ),
        (
            'return state["percepts"]',
            'return [negation(constant("light"))]',
            "no strong negation",
            "def percepts(self, state, agent):",
        ),
    ],
)
def test_mistakes_that_show_when_the_world_moves(
    tmp_path: Path, old: str, new: str, message: str, line: str
) -> None:
    """They are told with their place in the file, as all mistakes in the input are; so is what
    AgentSpeak(F) knows nothing of."""
    assert old in HOUSE
    model = load(
        auction_with(tmp_path, HOUSE.replace(old, new), "world = house.py:House"), {}
    ).model()
    with pytest.raises(InputError, match=message) as caught:
        explore(model.system)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.text == line


SWITCH = """
from fractions import Fraction

from volition.languages.world import WorldTransition, World
from volition.languages.world.terms import constant


class Switch(World):
    slots = {"world.on": False, "world.blown": False}

    def percepts(self, state, agent):
        return [constant("dark")] if state["world.blown"] else []

    def execute(self, state, agent, action):
        return [WorldTransition("press", "press", ((Fraction(1), {"world.on": True}),))]

    def free_percept_changes(self, state):
        return [WorldTransition("blow", "the fuse blows", ((Fraction(1), {"world.blown": True}),))] if state["world.on"] else []
"""  # noqa: E501


def test_what_changes_freely_may_begin_to_do_so_later(tmp_path: Path) -> None:
    (tmp_path / "switch.py").write_text(SWITCH)
    (tmp_path / "a.asl").write_text("!go. +!go <- press.")
    (tmp_path / "test.mas").write_text("agent a = a.asl\nworld = switch.py:Switch\n")
    model = load(tmp_path, {}).model()
    assert on_graph(model, explore(model.system), parse("E [ F Bel(a, dark) ]")).holds
