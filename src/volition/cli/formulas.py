"""Formulas on the command line: read in one place, so that every command says how it understood them."""

from __future__ import annotations

from collections.abc import Sequence

from volition.checking.questions import doubts_about, read_questions
from volition.cli.screen import Screen
from volition.diagnostics import Diagnostics
from volition.languages.kit.property_files import properties_of
from volition.languages.model import Program, StatedProperty

__all__ = ["asked_about", "asked_once"]


def asked_about(program: Program, texts: Sequence[str], screen: Screen) -> Sequence[StatedProperty]:
    """The properties in some texts, or else those of the program; what is doubtful in them is shown.

    Raises :class:`volition.diagnostics.InputError` with everything that is wrong with them.
    """
    doubts = Diagnostics()
    asked = properties_of(texts, program, doubts) or program.properties
    questions = read_questions(asked, doubts)
    doubts.extend(doubts_about(program, [each.formula for each in questions]))
    screen.diagnostics(doubts.warnings)
    return asked


def asked_once(program: Program, text: str, screen: Screen) -> StatedProperty | str:
    """The property in a text that should have one; the text itself if it has not, for its reader to complain about."""
    asked = asked_about(program, [text], screen)
    return asked[0] if len(asked) == 1 else text
