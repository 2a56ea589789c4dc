"""Skills: what an agent can do and perceive, as processes with typed ports (Izzo, Sect. 3.2)."""

from volition.runtime.inbox import Call
from volition.runtime.skills.ports import Input, Output, PortError
from volition.runtime.skills.skill import Skill

__all__ = ["Call", "Input", "Output", "PortError", "Skill"]
