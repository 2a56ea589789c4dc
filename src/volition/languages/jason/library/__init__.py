"""Internal actions of Jason's standard library: one function each, whose docstring describes the
action.

This module collects the actions without side effects. Such an action takes its arguments as
written, the bindings and the query context, and returns its solutions. No solution means failure;
:class:`volition.languages.jason.queries.ActionError` means invalid arguments.
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
"""Map from an action's name, with its dot, to its implementation. Queries backtrack over several
solutions; a body uses the first."""

NONDETERMINISTIC_ACTIONS: Mapping[str, Action] = CHOICES
"""Internal actions that choose one of their solutions nondeterministically (``.random(List,X)``).
"""
