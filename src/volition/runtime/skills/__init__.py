"""Skills: the actions and senses of an agent, as processes with typed ports (Izzo, Sect. 3.2)."""

from volition.runtime.messages import ActionRequest
from volition.runtime.skills.ports import Input, Output, PortError
from volition.runtime.skills.skill import Skill

__all__ = ["ActionRequest", "Input", "Output", "PortError", "Skill"]
