"""LISA: agents programmed in sEnglish, a controlled form of English, in a probabilistic
environment. The language is defined in Izzo's thesis."""

from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.program import LisaProgram, load
from volition.languages.lisa.resolved import ResolvedAgent

__all__ = ["LisaModel", "LisaProgram", "ResolvedAgent", "load"]
