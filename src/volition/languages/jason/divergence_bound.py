"""Largest number that occurs in a system before it runs. A number that becomes much larger during a
run has probably been incremented without bound."""

from __future__ import annotations

import re
from collections.abc import Mapping

from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import AgentProgram
from volition.languages.jason.traversal import map_tree
from volition.languages.world.interface import World
from volition.languages.world.semantics import DeclaredWorld

__all__ = ["largest_initial_number"]

_NUMBER = re.compile(r"\b\d+")


def largest_initial_number(
    programs: Mapping[str, AgentProgram], settings: Mapping[str, Settings], world: World
) -> int:
    """Return the largest absolute value of the numbers in all programs, in the declared internal
    actions and in the world. One value serves all agents, because agents send each other numbers.
    """
    said = [
        (each.beliefs, each.project_beliefs, each.goals, each.project_goals, each.plans)
        for each in programs.values()
    ]
    declared = [action.rules for each in settings.values() for action in each.internal.values()]
    numbers = _numbers_in((*said, *declared, tuple(world.parameters.values())))
    if isinstance(world, DeclaredWorld):
        numbers += map(int, _NUMBER.findall(world.tree.source.text))
    return int(max(map(abs, numbers), default=0))


def _numbers_in(node: object) -> list[int | float]:
    found: list[int | float] = []

    def look(part: object) -> object:
        if isinstance(part, int | float) and not isinstance(part, bool):
            found.append(part)
        return part

    map_tree(node, look)
    return found
