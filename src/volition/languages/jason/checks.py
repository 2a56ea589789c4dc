"""What can be wrong with the agents of a system before anything runs, and what looks wrong."""

from __future__ import annotations

from collections.abc import Mapping

from volition.diagnostics import Diagnostics
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import AgentProgram
from volition.languages.world.interface import World

__all__ = ["check_agents"]


def check_agents(agents: Mapping[str, AgentProgram], settings: Mapping[str, Settings], world: World, diagnostics: Diagnostics) -> None:
    """Adds every mistake and warning to the diagnostics; agents without errors can be explored."""
