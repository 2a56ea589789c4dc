"""LISA: agents in sEnglish with a probabilistic environment (Izzo's thesis)."""

from volition.languages.lisa.agent import ResolvedAgent
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.program import LisaProgram, load

__all__ = ["LisaModel", "LisaProgram", "ResolvedAgent", "load"]
