"""Portraits taken apart into minds and the world, and intentions as stacks."""

from __future__ import annotations

from pathlib import Path

import pytest

import volition
from volition.reporting.state_sections import intention_stacks, split_by_owner

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_sections_with_an_agents_name_are_its_mind_and_the_others_the_world() -> None:
    view = {"a beliefs": {"p": ""}, "ab beliefs": {"q": ""}, "percepts": {"r": ""}}
    parts = split_by_owner(view, ["a", "ab"])
    assert parts.agents == {"a": {"beliefs": {"p": ""}}, "ab": {"beliefs": {"q": ""}}}
    assert parts.world == {"percepts": {"r": ""}}


def test_without_names_all_is_one_mind() -> None:
    parts = split_by_owner({"beliefs": {"p": ""}, "intentions": {}}, ["rover"])
    assert parts.agents == {"rover": {"beliefs": {"p": ""}, "intentions": {}}}
    assert not parts.world


@pytest.mark.parametrize(
    "program", ["agentspeak/contract_net", "gwendolen/lucky_dip", "can/breakfast.can"]
)
def test_every_intention_is_a_stack_and_none_is_lost(program: str) -> None:
    """Where the portrait has intentions, there are stacks, and their frames are no fewer."""
    loaded = volition.load(EXAMPLES / program)
    model = loaded.model()
    space = volition.explore(loaded, max_states=400)
    deep = 0
    for state in range(0, space.num_states, 7):
        view = space.values(state)
        for agent, found in intention_stacks(model, view).items():
            shown = split_by_owner(model.describe(view), model.agents).agents[agent]["intentions"]
            frames = [frame for stack in found for frame in stack]
            assert bool(frames) == bool(shown)
            assert len(frames) >= len(shown) or any("times" in each for each in shown.values())
            deep = max(deep, *(len(stack) for stack in found), 0)
    assert deep >= (1 if program.startswith("can") else 2)
