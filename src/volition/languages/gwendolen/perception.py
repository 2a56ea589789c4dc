"""Stages E and F of the reasoning cycle: perceiving, and receiving messages.

In Gwendolen a perceived change becomes an intention to change the belief, and the belief changes
when that intention is executed. In EASS the belief changes immediately, and only the event becomes
an intention.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from volition.diagnostics import Span
from volition.languages.gwendolen.agent_state import AgentState, resumed
from volition.languages.gwendolen.environment import AgentEnvironment
from volition.languages.gwendolen.intentions import event_intention
from volition.languages.gwendolen.state import Belief, Event, Intention, IntentionRow
from volition.languages.gwendolen.syntax import AddBelief, Cycle, RemoveBelief
from volition.languages.world.terms import Structure, show

__all__ = ["PERCEIVE", "messages"]


def perceive_in_gwendolen(mind: AgentState, environment: AgentEnvironment, span: Span) -> None:
    """Run stage E of Gwendolen (Perceive): add an intention for each changed percept, unless an
    equal intention is already waiting."""
    if mind.informed:
        return
    for removed in _no_longer_perceived(mind, environment):
        _intend_once(
            mind,
            Intention(
                (IntentionRow(Event("-", "percept"), RemoveBelief(removed, span=span)),), "percept"
            ),
        )
    for added in _newly_perceived(mind, environment):
        _intend_once(
            mind,
            Intention(
                (IntentionRow(Event("+", "percept"), AddBelief(added, span=span)),), "percept"
            ),
        )
    mind.informed = True


def _intend_once(mind: AgentState, intention: Intention) -> None:
    if intention not in mind.others:
        mind.add_intention(intention)
        mind.record("E:perceive", f"perceives {intention.top.deed}")


def perceive_in_eass(mind: AgentState, environment: AgentEnvironment, _: Span) -> None:
    """Run stage E of EASS (Direct Perception): change the beliefs immediately, post an event for
    each change, and resume the intentions that wait for it."""
    if mind.informed:
        return
    removed, added = _no_longer_perceived(mind, environment), _newly_perceived(mind, environment)
    for atom in removed:
        mind.remove_belief(atom)
        _notice(mind, Event("-", "belief", atom))
    for atom in added:
        mind.add_belief(atom, perceived=True)
        _notice(mind, Event("+", "belief", atom))
    for atom in (*removed, *added):
        mind.resume_waiting(atom)
        if mind.current is not None:
            mind.current = resumed(mind.current, atom)
    mind.informed = True


def _notice(mind: AgentState, event: Event) -> None:
    # In EASS only the removal of a percept has the source "percept". The addition of a percept
    # counts as an event of the agent itself (point 32 of docs/reference/gwendolen.md).
    mind.add_intention(event_intention(event, "percept" if event.sign == "-" else "self"))
    mind.record("E:perceive", f"perceives {event}")


PERCEIVE: dict[Cycle, Callable[[AgentState, AgentEnvironment, Span], None]] = {
    "gwendolen": perceive_in_gwendolen,
    "eass": perceive_in_eass,
}


def _no_longer_perceived(mind: AgentState, environment: AgentEnvironment) -> list[Structure]:
    now = environment.percepts(mind, mind.name)
    return [each.atom for each in _perceived(mind, environment) if each.atom not in now]


def _newly_perceived(mind: AgentState, environment: AgentEnvironment) -> list[Structure]:
    believed = {each.atom for each in _perceived(mind, environment)}
    return [each for each in environment.percepts(mind, mind.name) if each not in believed]


def _perceived(mind: AgentState, environment: AgentEnvironment) -> list[Belief]:
    """Return the agent's beliefs that come from a percept, sorted by printed form."""
    return sorted(
        (each for each in _may_be_perceived(mind, environment) if each.perceived),
        key=lambda each: show(each.atom),
    )


def _may_be_perceived(mind: AgentState, environment: AgentEnvironment) -> Iterator[Belief]:
    if environment.perceivable is None:
        yield from mind.all_beliefs()
    else:
        for kind in sorted(environment.perceivable):
            yield from mind.beliefs(kind)


def messages(mind: AgentState) -> None:
    """Run stage F of the reasoning cycle: turn each message in the agent's inbox into an event, and
    empty the inbox."""
    if not mind.inbox:
        return
    for message in mind.inbox:
        mind.add_intention(
            event_intention(
                Event("+", "received", message.content, performative=message.performative)
            )
        )
        mind.record("F:messages", f"receives :{message.performative} {show(message.content)}")
    mind.inbox = ()
