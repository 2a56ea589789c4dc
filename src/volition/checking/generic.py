"""Properties that make sense for every program that can be empty, fail and succeed: those of the public tool of Archibald et al.

``no_failure & X empty`` says that the last intention is removed because it is finished, ``failure & X empty`` that it is dropped
because it failed.  A language has these properties if its programs know the three propositions.
"""

from __future__ import annotations

from volition.checking.propositions import resolve_leaves
from volition.diagnostics import Diagnostic, InputError, Source
from volition.languages.model import Program, StatedProperty
from volition.logic import parse

__all__ = ["GENERIC", "generic_properties"]

GENERIC = {
    "always ends in success": "A [ F (no_failure & X empty) ]",
    "can end in success": "E [ F (no_failure & X empty) ]",
    "always ends in failure": "A [ F (failure & X empty) ]",
    "can end in failure": "E [ F (failure & X empty) ]",
}
"""Each property by its name for people."""


def generic_properties(program: Program) -> list[StatedProperty]:
    """The generic properties; raises :class:`InputError` where the program does not know what they speak of."""
    model = program.model()
    try:
        for text in GENERIC.values():
            resolve_leaves(model, parse(text))
    except InputError:
        hint = "they speak of 'empty', 'failure' and 'no_failure', which programs in CAN know"
        raise InputError([Diagnostic("CHK094", f"programs in {program.language} have no generic properties", hint=hint)]) from None
    return [
        StatedProperty(text, Source(f"<generic property: {name}>", text).span(0, len(text)), name=name) for name, text in GENERIC.items()
    ]
