"""A world written in Python has the same interface as one in a file, and the same meaning."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from volition.checking.qualitative import check_qualitative
from volition.diagnostics import InputError
from volition.export.promela import to_promela
from volition.kernel import explore
from volition.languages.agentspeak import load
from volition.logic.parser import parse

EXAMPLE = Path(__file__).parents[3] / "examples" / "agentspeak" / "auction"
HOUSE = '''
from fractions import Fraction

from volition.languages.world import Move, World
from volition.languages.world.terms import Structure, constant, predicate


class House(World):
    """The auction house of Sect. 5."""

    slots = {"world.announced": 0, "world.open": False, "world.bids": (), "percepts": ()}

    def percepts(self, state, agent):
        return state["percepts"]

    def perform(self, state, agent, action):
        if predicate(action) != "place_bid/2" or not state["world.open"]:
            return []
        bids = tuple(sorted((*state["world.bids"], (agent, action.arguments[1]))))
        return [Move("place_bid", f"does {action}", ((Fraction(1), {"world.bids": bids}),))]

    def steps(self, state):
        announced = state["world.announced"]
        if not state["world.open"] and announced < self.parameters["auctions"]:
            percepts = self._replaced(state, Structure("auction", (announced + 1,)))
            writes = {"world.announced": announced + 1, "world.open": True, "percepts": percepts}
            return [Move("announce", "announce", ((Fraction(1), writes),))]
        if state["world.open"] and len(state["world.bids"]) == len(self.agents):
            winner = max(state["world.bids"], key=lambda bid: bid[1])[0]
            percepts = self._replaced(state, Structure("winner", (constant(winner),)))
            writes = {"world.open": False, "world.bids": (), "percepts": percepts}
            return [Move("publish", f"publish {winner}", ((Fraction(1), writes),))]
        return []

    @staticmethod
    def _replaced(state, new):
        return (*(each for each in state["percepts"] if each.functor != new.functor), new)
'''


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
    assert check_qualitative(model, space, parse("A [ G !winner(ag2) ]")).holds
    assert check_qualitative(model, space, parse("announced <= 3 & E [ F announced = 3 ]")).holds


def test_python_worlds_are_not_translated(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="written in Python"):
        to_promela(load(auction_with(tmp_path, HOUSE, "world = house.py:House"), {}))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (HOUSE, "world = house.py:Hose", "no world class 'Hose'"),
        (HOUSE, "world = house.py", "no world class"),
        (HOUSE + "\nHouse(", "world = house.py:House", "SyntaxError"),
        (HOUSE.replace("def perform", "def performs"), "world = house.py:House", "abstract"),
    ],
)
def test_mistakes_in_a_world_in_python(tmp_path: Path, text: str, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(auction_with(tmp_path, text, line), {})
