"""LISA: agents programmed in sEnglish, in a probabilistic environment, as defined in Izzo's
thesis."""

from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.program import LisaProgram, load
from volition.languages.lisa.resolved import ResolvedAgent

__all__ = ["LisaModel", "LisaProgram", "ResolvedAgent", "load"]
