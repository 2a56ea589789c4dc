"""Questions that make sense for every program of a language, such as whether it always ends in
success: the language has them."""

from __future__ import annotations

from volition.diagnostics import Diagnostic, InputError, Source
from volition.languages.protocols import HasGenericProperties, Program, UnparsedProperty

__all__ = ["generic_properties"]


def generic_properties(program: Program, *, per_event: bool = False) -> list[UnparsedProperty]:
    """The generic properties, with ``per_event`` also those of each event; raises
    :class:`InputError` where the language has none."""
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
