"""CAN, the Conceptual Agent Notation, with probabilities: the language of Archibald et al.,
*Quantitative Verification and Strategy Synthesis for BDI Agents*.

| module | its job |
|---|---|
| ``sections``, ``grammar``, ``condition_reader``, ``reader``, ``properties`` | text to tree |
| ``conditions``, ``syntax``, ``printing`` | the tree, and back to text |
| ``vocabulary``, ``checks``, ``analysis``, ``settings``, ``policies`` | what names mean, errors, warnings, options |
| ``library``, ``semantics``, ``agent``, ``scheduling``, ``rewards`` | the rules of Figs. 1, 2 and 7, policies, rewards |
| ``questions``, ``model``, ``tables``, ``program`` | what the rest of Volition sees |
"""  # noqa: E501

from volition.languages.can.model import CanModel
from volition.languages.can.program import CanProgram, load, parse

__all__ = ["CanModel", "CanProgram", "load", "parse"]
