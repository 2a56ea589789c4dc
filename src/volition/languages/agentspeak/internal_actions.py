"""Internal actions, which start with a full stop, such as ``.send`` (Bordini et al., Sect. 3).

:data:`INTERNAL_ACTIONS` lists all of them with their arguments; :func:`internal_action` creates
their syntax nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from volition.diagnostics import Diagnostics, Span, did_you_mean
from volition.languages.agentspeak.syntax import (
    FORCES,
    Broadcast,
    Compare,
    Compute,
    Condition,
    Formula,
    Print,
    RandomItem,
    RandomNumber,
    Relation,
    Send,
)
from volition.languages.world.terms import Structure, Term, show

__all__ = ["INTERNAL_ACTIONS", "InternalActionSpec", "internal_action"]


@dataclass(frozen=True, slots=True)
class InternalActionSpec:
    """Signature and meaning of an internal action, for messages and documentation."""

    name: str
    arguments: tuple[str, ...]
    meaning: str
    in_context: bool = False

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.arguments)})"


_RELATIONS: dict[str, Relation] = {
    ".gte": ">=",
    ".gt": ">",
    ".lte": "<=",
    ".lt": "<",
    ".eq": "=",
    ".neq": "!=",
}
_FUNCTIONS: dict[str, Literal["+", "-", "*"]] = {".plus": "+", ".minus": "-", ".times": "*"}

INTERNAL_ACTIONS: tuple[InternalActionSpec, ...] = (
    *(
        InternalActionSpec(name, ("X", "Y"), f"X {relation} Y", in_context=True)
        for name, relation in _RELATIONS.items()
    ),
    *(
        InternalActionSpec(name, ("X", "Y", "Z"), f"Z is X {function} Y", in_context=True)
        for name, function in _FUNCTIONS.items()
    ),
    InternalActionSpec(
        ".random",
        ("First", "Last", "X"),
        "X is a number from First to Last, chosen nondeterministically",
    ),
    InternalActionSpec(
        ".random", ("List", "X"), "X is an item of the list, chosen nondeterministically"
    ),
    InternalActionSpec(
        ".send", ("Agent", "Force", "Content"), "sends a message; Force is tell, untell or achieve"
    ),
    InternalActionSpec(".broadcast", ("Force", "Content"), "sends a message to every other agent"),
    InternalActionSpec(".print", ("...",), "prints its arguments: they appear in traces"),
)


def internal_action(
    name: str, arguments: Sequence[Term], span: Span, diagnostics: Diagnostics, *, in_context: bool
) -> Formula | Condition | None:
    """Return the syntax node of an internal action. Report an error and return None if its name or
    arguments are wrong."""
    known = [each for each in INTERNAL_ACTIONS if each.name == name]
    if not known:
        names = sorted({each.name for each in INTERNAL_ACTIONS})
        hint = did_you_mean(name, names) or f"expected one of {', '.join(names)}"
        diagnostics.error("ASP010", f"unknown internal action '{name}'", span, hint=hint)
        return None
    if in_context and not known[0].in_context:
        hint = "contexts allow only beliefs, comparisons and arithmetic; move it to the body"
        message = f"the internal action '{name}' is not allowed in a context"
        diagnostics.error("ASP011", message, span, hint=hint)
        return None
    if name == ".print":
        return Print(tuple(arguments), span=span)
    if all(len(each.arguments) != len(arguments) for each in known):
        hint = f"write {' or '.join(str(each) for each in known)}"
        expected = " or ".join(sorted(str(len(each.arguments)) for each in known))
        diagnostics.error(
            "ASP012",
            f"'{name}' expects {expected} arguments, got {len(arguments)}",
            span,
            hint=hint,
        )
        return None
    return _node(name, tuple(arguments), span, diagnostics)


def _node(
    name: str, arguments: tuple[Term, ...], span: Span, diagnostics: Diagnostics
) -> Formula | Condition | None:
    if name in _RELATIONS:
        left, right = arguments
        return Compare(_RELATIONS[name], left, right, span=span)
    if name in _FUNCTIONS:
        left, right, result = arguments
        return Compute(_FUNCTIONS[name], left, right, result, span=span)
    if name == ".random":
        if len(arguments) == 2:
            return RandomItem(*arguments, span=span)
        return RandomNumber(*arguments, span=span)
    *receiver, force, content = arguments
    if not isinstance(force, Structure) or force.functor not in FORCES or force.arguments:
        hint = did_you_mean(show(force), FORCES) or f"expected one of {', '.join(FORCES)}"
        diagnostics.error("ASP013", f"'{show(force)}' is not a kind of message", span, hint=hint)
        return None
    if not isinstance(content, Structure):
        diagnostics.error("ASP014", f"'{show(content)}' cannot be sent: it is not an atom", span)
        return None
    performative = next(each for each in FORCES if each == force.functor)
    return (
        Send(receiver[0], performative, content, span=span)
        if receiver
        else Broadcast(performative, content, span=span)
    )
