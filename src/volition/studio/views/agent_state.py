"""Panels that show a state: the agents, with intentions as stacks, and the world. Differences from
the previous state are marked."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui

from volition.studio.view_data import AgentData, StateData

__all__ = ["agent_panel", "world_panel"]

_MARKS = {"new": "+", "changed": "~", "gone": "−"}


def agent_panel(state: StateData, agent: AgentData, *, several: bool) -> None:
    """Show the beliefs, goals, messages and other sections of one agent's state. ``several`` says
    that there are several agents: then the section names in ``state.marks`` begin with the name of
    the agent."""
    prefix = f"{agent.agent} " if several else ""
    is_empty = True
    for section, items in agent.sections.items():
        marks = _marks_of(state, f"{prefix}{section}")
        if section == "intentions":
            is_empty &= not _intentions(agent, marks)
        elif items or "gone" in marks.values():
            is_empty = False
            _section(section, items, marks)
    if is_empty:
        ui.label("no beliefs, goals or intentions").classes("quiet")


def world_panel(state: StateData) -> None:
    """Show the state of the world, with marked differences from the previous state."""
    if not any(state.world.values()):
        ui.label("the world is empty" if state.world else "this program has no world").classes(
            "quiet"
        )
    for section, items in state.world.items():
        marks = _marks_of(state, section)
        if items or "gone" in marks.values():
            _section(section, items, marks)


def _marks_of(state: StateData, section: str) -> dict[str, str]:
    return {item: mark for (where, item), mark in state.marks.items() if where == section}


def _section(title: str, items: Mapping[str, str], marks: Mapping[str, str]) -> None:
    ui.label(title).classes("section")
    for item, value in items.items():
        _item(item, value, marks.get(item, ""))
    for item, mark in marks.items():
        if mark == "gone" and item not in items:
            _item(item, "", mark)


def _item(text: str, value: str, mark: str) -> None:
    with ui.element("div").classes(f"item {mark}"):
        ui.label(_MARKS.get(mark, "")).classes("mark")
        ui.label(text).classes("item-text")
        if value:
            ui.label(value).classes("value")


def _intentions(agent: AgentData, marks: Mapping[str, str]) -> bool:
    """Show the intentions of an agent as stacks, with the current step on top; return False if
    there is nothing to show."""
    if not agent.stacks and "gone" not in marks.values():
        return False
    ui.label("intentions").classes("section")
    for stack in agent.stacks:
        with ui.element("div").classes("stack").props('role="list"'):
            for index, frame in enumerate(stack):
                ui.label(frame).classes(f"frame{' top' if index == 0 else ''}").props(
                    'role="listitem"'
                )
    for item, mark in marks.items():
        if mark == "gone":
            _item(item, "", mark)
    return True
