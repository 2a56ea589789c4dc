"""Which programs can be translated into the input of which tool: the table behind ``volition export``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from volition.diagnostics import Diagnostic, InputError
from volition.languages.model import Program
from volition.logic.syntax import Formula

__all__ = ["Target", "Translation", "translate"]

Target = Literal["prism", "promela"]


@dataclass(frozen=True, slots=True)
class Translation:
    """A program for another tool, and the formulas about it where they are a file of their own."""

    model: str
    properties: str | None = None


def translate(program: Program, target: Target, formulas: Mapping[str, Formula]) -> Translation:
    """The program in the language of another tool, with named formulas about it; raises :class:`InputError`."""
    translators = _TRANSLATORS[target]
    if program.language not in translators:
        hint = f"programs in {' or '.join(translators)} are; 'dot' draws the states of any program"
        raise InputError([Diagnostic("EXP010", f"programs in {program.language} are not translated to {target}", hint=hint)])
    return translators[program.language](program, formulas)


# A program of a language is known to be one by its name; the modules are imported when they are used.


def _lisa_to_prism(program: Any, formulas: Mapping[str, Formula]) -> Translation:
    from volition.export.lisa_prism import lisa_to_prism

    if formulas:
        hint = "the names of the translation are those of the formulas: ask PRISM or Storm for 'mission_complete = 1' and the like"
        raise InputError([Diagnostic("EXP011", "formulas about LISA programs are not translated", hint=hint)])
    return Translation(lisa_to_prism(program.agent))


def _dribble_to_prism(program: Any, formulas: Mapping[str, Formula]) -> Translation:
    from volition.export.dribble_prism import dribble_to_prism

    files = dribble_to_prism(program.agent, list(formulas.values()))
    return Translation(files.model, "".join(f"{text}\n" for text in files.properties))


def _agentspeak_to_promela(program: Any, formulas: Mapping[str, Formula]) -> Translation:
    from volition.export.promela import to_promela

    return Translation(to_promela(program, formulas))


_TRANSLATORS: dict[Target, dict[str, Callable[[Any, Mapping[str, Formula]], Translation]]] = {
    "prism": {"LISA": _lisa_to_prism, "Dribble": _dribble_to_prism},
    "promela": {"AgentSpeak(F)": _agentspeak_to_promela},
}
