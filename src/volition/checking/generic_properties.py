"""Generic properties: those that a language defines for all its programs, such as "the program
always ends in success"."""

from __future__ import annotations

from volition.diagnostics import Diagnostic, InputError, Source
from volition.languages.protocols import HasGenericProperties, Program, UnparsedProperty

__all__ = ["generic_properties"]


def generic_properties(program: Program, *, per_event: bool = False) -> list[UnparsedProperty]:
    """Return the properties that the language of a program defines for all its programs. With
    ``per_event``, also return those that it defines for each event.

    Raise :class:`InputError` if the language defines none.
    """
    if not isinstance(program, HasGenericProperties):
        raise InputError(
            [
                Diagnostic(
                    "CHK094",
                    f"{program.language} programs have no generic properties",
                    hint="only CAN programs have them",
                )
            ]
        )
    properties = program.generic_properties(per_event=per_event)
    return [
        UnparsedProperty(
            text, Source(f"<generic property: {name}>", text).span(0, len(text)), name=name
        )
        for name, text in properties.items()
    ]
