"""The questions that the public CAN tool asks of every program, and the same of each external
event.

That tool asks for a state in which an intention is finished (or has failed) and after which no
intention is left.  They are asked through atoms that a program's own names cannot hide.
"""

from __future__ import annotations

from volition.languages.can.syntax import AgentProgram

__all__ = ["generic_properties"]

_QUESTIONS = {
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
    """Each question by its name for people; an event whose name is not enough is called by its
    number."""
    properties = dict(_QUESTIONS)
    names = [event.name for event in agent.events]
    for event in agent.events if per_event else ():
        alone = names.count(event.name) == 1
        words = {
            "name": event.name if alone else f"{event.name} ({event.number})",
            "event": event.name if alone else str(event.number),
        }
        properties |= {
            name.format(**words): formula.format(**words) for name, formula in _PER_EVENT.items()
        }
    return properties
