"""Properties that the public CAN tool checks for every program, and similar properties for each
external event.

The tool looks for a state in which an intention is finished (or, for failure, blocked) and after
which the agent has no intentions left. The formulas use atoms such as ``Finished(*)``. A built-in
label such as ``failure`` would not be safe, because a belief of the program may have its name.
"""

from __future__ import annotations

from volition.languages.can.syntax import AgentProgram

__all__ = ["generic_properties"]

_PER_PROGRAM = {
    "always ends in success": "A [ F (Finished(*) & X !Int(*)) ]",
    "can end in success": "E [ F (Finished(*) & X !Int(*)) ]",
    "always ends in failure": "A [ F (Blocked(*) & X !Int(*)) ]",
    "can end in failure": "E [ F (Blocked(*) & X !Int(*)) ]",
}
_PER_EVENT = {
    "event {name} always succeeds": "A [ F Finished({event}) ]",
    "event {name} can succeed": "E [ F Finished({event}) ]",
    "event {name} always fails": "A [ F (Blocked({event}) & X !Int({event})) ]",
    "event {name} can fail": "E [ F (Blocked({event}) & X !Int({event})) ]",
}


def generic_properties(agent: AgentProgram, *, per_event: bool) -> dict[str, str]:
    """Return the generic properties as formulas, by display name. With ``per_event``, they include
    those for each external event.

    An event whose name is not unique is referred to by its number.
    """
    properties = dict(_PER_PROGRAM)
    names = [event.name for event in agent.events]
    for event in agent.events if per_event else ():
        is_unique = names.count(event.name) == 1
        references = {
            "name": event.name if is_unique else f"{event.name} ({event.number})",
            "event": event.name if is_unique else str(event.number),
        }
        properties |= {
            name.format(**references): formula.format(**references)
            for name, formula in _PER_EVENT.items()
        }
    return properties
