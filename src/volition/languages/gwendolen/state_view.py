"""Description of an agent's state as text: its beliefs, goals, intentions and messages."""

from __future__ import annotations

from volition.kernel.system import SlotView
from volition.languages.gwendolen.environment import AgentEnvironment
from volition.languages.gwendolen.state import AgentSlots, Intention
from volition.languages.protocols import StateView
from volition.languages.world.terms import show

__all__ = ["agent_details", "agent_view", "intention_stacks"]


def agent_view(agent: str, environment: AgentEnvironment, state: SlotView) -> StateView:
    """Return the tables that show an agent's state: beliefs with their sources, goals, intentions
    and inbox."""
    mind = AgentSlots(agent, state, environment.predicates)
    intentions = [each for each in (mind.current, *mind.others) if each is not None and each.rows]
    return {
        f"{agent} beliefs": {
            show(each.atom): "percept" if each.perceived else "" for each in mind.all_beliefs()
        },
        f"{agent} goals": {str(each): "" for each in mind.goals},
        f"{agent} intentions": _counted([_head(each) for each in intentions]),
        f"{agent} mail": _counted([str(each) for each in mind.inbox]),
    }


def _head(intention: Intention) -> str:
    """Return a summary of an intention: the event with which it began, and its next deed."""
    top = intention.top
    remarks = ("" if not intention.suspended else ", suspended") + (
        "" if not intention.locked else ", locked"
    )
    # Events of the kinds "start" (initial goals) and "percept" do not occur in the program's text,
    # so the summary does not show them.
    events = [row.event for row in intention.rows if row.event.kind not in ("start", "percept")]
    if not events or events == [top.event] * len(events):
        return f"{f'{top.event}: ' if events else ''}{top.deed}{remarks}"
    return f"{events[0]}: {top.deed} for {top.event}{remarks}"


def _counted(items: list[str]) -> dict[str, str]:
    return {item: "" if items.count(item) == 1 else f"{items.count(item)} times" for item in items}


def intention_stacks(agent: str, environment: AgentEnvironment, state: SlotView) -> list[list[str]]:
    """Return the intentions of an agent, the current one first. Each is a list of texts, one per
    event and deed, from the top of the stack down."""
    mind = AgentSlots(agent, state, environment.predicates)
    intentions = [each for each in (mind.current, *mind.others) if each is not None and each.rows]
    return [[f"{row.event}: {row.deed}" for row in reversed(each.rows)] for each in intentions]


def agent_details(agent: str, environment: AgentEnvironment, state: SlotView) -> dict[str, str]:
    """Return the parts of an agent's state that :func:`agent_view` omits, as text by name: the next
    stage, the order and rows of intentions, the order of the inbox, and sent messages."""
    mind = AgentSlots(agent, state, environment.predicates)
    others = "; ".join(_full_text(each) for each in mind.others)
    details = {
        f"{agent}'s next stage": f"{mind.stage}{', asleep' if mind.asleep else ''}{'' if mind.informed else ', has unread percepts'}",  # noqa: E501
        f"{agent}'s current intention": "none"
        if mind.current is None
        else _full_text(mind.current),
        f"{agent}'s other intentions": others,
        f"order of {agent}'s inbox": "; ".join(map(str, mind.inbox)),
        f"messages sent by {agent}": "; ".join(map(str, mind.outbox)),
    }
    if environment.agents[agent].cycle == "eass":
        details[f"beliefs shared by {agent}"] = ", ".join(map(show, mind.shared))
    return details


def _full_text(intention: Intention) -> str:
    rows = " | ".join(
        f"{row.event} {row.event.depth}: {row.deed}" for row in reversed(intention.rows)
    )
    waits = "" if intention.waits_for is None else f" suspended for {show(intention.waits_for)}"
    return f"[{rows}] by {intention.source}{' locked' if intention.locked else ''}{waits}"
