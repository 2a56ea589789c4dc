"""The internal actions of Jason's standard library, by their names: one function for each, which
says in its docstring what it does.

Those that only compute are here; an action gets its arguments as written, the bindings, and what
the agent knows, and gives its solutions; none is failure, and
:class:`volition.languages.jason.queries.ActionError` an error.
"""

from __future__ import annotations

from collections.abc import Mapping

from volition.languages.jason.library.agents import TELLING
from volition.languages.jason.library.aggregates import COLLECTING
from volition.languages.jason.library.arguments import Action
from volition.languages.jason.library.lists import LISTS
from volition.languages.jason.library.nondeterministic import CHOOSING
from volition.languages.jason.library.strings import STRINGS
from volition.languages.jason.library.type_tests import KINDS

__all__ = ["NONDETERMINISTIC_ACTIONS", "PURE_ACTIONS", "Action"]

PURE_ACTIONS: Mapping[str, Action] = {**LISTS, **STRINGS, **COLLECTING, **KINDS, **TELLING}
"""Name with its dot ▶ what it computes; several solutions are backtracked over in queries, the
first is taken in a body."""

NONDETERMINISTIC_ACTIONS: Mapping[str, Action] = CHOOSING
"""Internal actions among whose solutions nobody decides (``.random(List,X)``): each is a choice of
the step."""
