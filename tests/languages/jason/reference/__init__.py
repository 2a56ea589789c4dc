"""A naive interpreter of Jason, as literal as possible: the oracle for the implementation.

Written from the description of the language alone; of the implementation it uses the syntax trees,
their reader and the world.  Each step is run anew from a plain tuple, and the states are explored
breadth first.
"""

from __future__ import annotations

from tests.languages.jason.reference.system import Graph, System, TooManyStates
from tests.languages.jason.reference.terms import Unspecified

__all__ = ["Graph", "System", "TooManyStates", "Unspecified"]
