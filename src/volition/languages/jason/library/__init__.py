"""Internal actions of Jason's standard library: one function for each action, whose docstring
describes the action.

This module collects the actions without side effects. Such a function takes the arguments of the
call as written, the bindings of variables and the query context, and returns the solutions as
extended bindings. No solution means failure; :class:`volition.languages.jason.queries.ActionError`
means invalid arguments.
"""

from __future__ import annotations

from collections.abc import Mapping

from volition.languages.jason.library.agents import AGENT_ACTIONS
from volition.languages.jason.library.aggregates import AGGREGATES
from volition.languages.jason.library.arguments import Action
from volition.languages.jason.library.lists import LISTS
from volition.languages.jason.library.nondeterministic import CHOICES
from volition.languages.jason.library.strings import STRINGS
from volition.languages.jason.library.type_tests import TYPE_TESTS

__all__ = ["NONDETERMINISTIC_ACTIONS", "PURE_ACTIONS", "Action"]

PURE_ACTIONS: Mapping[str, Action] = {
    **LISTS,
    **STRINGS,
    **AGGREGATES,
    **TYPE_TESTS,
    **AGENT_ACTIONS,
}
"""Map from the name of an internal action without side effects, with its dot, to its
implementation. Queries backtrack over all solutions; a plan body uses the first."""

NONDETERMINISTIC_ACTIONS: Mapping[str, Action] = CHOICES
"""Map from the name of an internal action that chooses one of its solutions nondeterministically,
such as ``.random(List, X)``, to its implementation."""
