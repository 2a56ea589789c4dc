"""Formulas on the command line: read in one place, so that every command says how it understood them before it works on them."""

from __future__ import annotations

from collections.abc import Sequence

from volition.api import asked
from volition.api.asked import Asked
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostics
from volition.languages.model import Program

__all__ = ["asked_about", "asked_once"]


def asked_about(program: Program, texts: Sequence[str], screen: Screen) -> Sequence[Asked]:
    """The properties in some texts, or else those of the program; what is doubtful in them is shown."""
    doubts = Diagnostics()
    found = asked.asked_about(program, texts, doubts)
    screen.diagnostics(doubts.warnings)
    return found


def asked_once(program: Program, text: str, screen: Screen) -> Asked:
    """The property in a text; what is doubtful in it is shown."""
    doubts = Diagnostics()
    found = asked.the_one_asked(program, text, doubts)
    screen.diagnostics(doubts.warnings)
    return found
