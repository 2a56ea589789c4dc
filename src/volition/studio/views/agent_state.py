"""A state as it is shown: the mind of an agent, with its intentions as stacks, and the world beside
it; what is different is marked."""

from __future__ import annotations

from collections.abc import Mapping

from nicegui import ui

from volition.studio.view_data import AgentData, StateData

__all__ = ["mind_panel", "world_panel"]

_MARKS = {"new": "+", "changed": "~", "gone": "−"}


def mind_panel(state: StateData, mind: AgentData, *, several: bool) -> None:
    """Beliefs, goals, mail and so on of one agent; ``several`` says that sections carry its
    name."""
    prefix = f"{mind.agent} " if several else ""
    nothing = True
    for section, items in mind.sections.items():
        marks = _marks_of(state, f"{prefix}{section}")
        if section == "intentions":
            nothing &= not _intentions(mind, marks)
        elif items or "gone" in marks.values():
            nothing = False
            _section(section, items, marks)
    if nothing:
        ui.label("nothing in mind").classes("quiet")


def world_panel(state: StateData) -> None:
    """What is around the agents."""
    if not any(state.world.values()):
        ui.label(
            "nothing to see" if state.world else "this program has no world of its own"
        ).classes("quiet")
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


def _intentions(mind: AgentData, marks: Mapping[str, str]) -> bool:
    """The stacks, what is done now on top; whether there was anything to show."""
    if not mind.stacks and "gone" not in marks.values():
        return False
    ui.label("intentions").classes("section")
    for stack in mind.stacks:
        with ui.element("div").classes("stack").props('role="list"'):
            for index, frame in enumerate(stack):
                ui.label(frame).classes(f"frame{' top' if index == 0 else ''}").props(
                    'role="listitem"'
                )
    for item, mark in marks.items():
        if mark == "gone":
            _item(item, "", mark)
    return True
