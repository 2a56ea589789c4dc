"""CAN, the Conceptual Agent Notation, with probabilities: the language of Archibald et al.,
*Quantitative Verification and Strategy Synthesis for BDI Agents*.

| modules | content |
|---|---|
| ``sections``, ``grammar``, ``condition_reader``, ``reader``, ``properties`` | from text to syntax tree |
| ``conditions``, ``syntax``, ``printing`` | the syntax tree, and back to text |
| ``vocabulary``, ``checks``, ``lint``, ``step_names``, ``settings``, ``policies`` | names, errors, warnings, options |
| ``plan_library``, ``contexts``, ``branch_slots``, ``rules``, ``semantics``, ``agent`` | the rules of Figs. 1, 2 and 7 |
| ``scheduling``, ``decisions``, ``rewards`` | policies, decisions of the program, rewards |
| ``atoms``, ``model``, ``tables``, ``program``, ``generic_properties`` | the interface to the rest of Volition |
| ``dependencies``, ``decision_writing`` | input of slicing, strategies as programs |
"""  # noqa: E501

from volition.languages.can.model import CanModel
from volition.languages.can.program import CanProgram, load, parse

__all__ = ["CanModel", "CanProgram", "load", "parse"]
