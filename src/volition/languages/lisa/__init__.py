"""LISA: agents in sEnglish with a probabilistic environment (Izzo's thesis)."""

from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.program import LisaProgram, load
from volition.languages.lisa.resolved import ResolvedAgent

__all__ = ["LisaModel", "LisaProgram", "ResolvedAgent", "load"]
