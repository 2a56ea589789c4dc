"""Console output of a run: one row for each cycle or step in which something happens, in the words
of the program's source text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from volition.languages.lisa.model import LisaModel
from volition.languages.protocols import Model
from volition.reporting.annotated_runs import TraceRow

__all__ = ["ConsoleLog"]

_EVENTS = ("surprise", "refused", "lost", "back", "message", "interlock", "generated", "voyage")


class ConsoleLog:
    """Listener of a run log that passes each event to ``report`` as a :class:`TraceRow`: the number
    of the cycle or step, the agent, and a text."""

    def __init__(self, model: Model, report: Callable[[TraceRow], None]) -> None:
        self._model = model
        self._report = report
        self._held = (
            {slot for slot, value in model.system.slots.items() if value == 1}
            if isinstance(model, LisaModel)
            else set()
        )
        """The slots whose value is 1. In a LISA program these are the beliefs that are held. The
        slot of a feedback has a value above 1 while the agent waits for the feedback."""

    def __call__(self, kind: str, fields: Mapping[str, Any]) -> None:
        match kind:
            case "cycle":
                if pieces := list(self._changes(fields)):
                    self._report(
                        TraceRow(str(fields["cycle"]), self._agent_of(fields), "; ".join(pieces))
                    )
            case "step":
                chance = (
                    f" (probability {fields['probability']})" if "probability" in fields else ""
                )
                self._report(
                    TraceRow(str(fields["step"]), fields["agent"], f"{fields['text']}{chance}")
                )
            case "choice" if isinstance(self._model, LisaModel) or any(
                option["q"] for option in fields["options"]
            ):
                # Programs of other languages than LISA have a choice in almost every step. Of
                # these, only choices whose options have computed values are shown.
                self._report(
                    TraceRow(str(fields["cycle"]), self._agent_of(fields), _choice(fields))
                )
            case _ if kind in _EVENTS:
                text = fields.get("text") or fields.get("name") or ""
                self._report(
                    TraceRow(str(fields["cycle"]), self._agent_of(fields), f"{kind}: {text}")
                )
            case _:
                pass

    def _agent_of(self, fields: Mapping[str, Any]) -> str:
        """Return the agent that a log line is about, or an empty text if the program has only one
        agent."""
        return str(fields.get("agent", "")) if len(self._model.agents) > 1 else ""

    def _changes(self, fields: Mapping[str, Any]) -> Iterator[str]:
        """Yield a text for each change in a cycle of a LISA agent: beliefs that are added or
        removed, and plans that start, advance or end. There is also a text for each plan that
        shares an action call which another plan has already made."""
        assert isinstance(self._model, LisaModel)
        agent = next(each for each in self._model.understood if each.name == fields["agent"])
        for slot, value in (*fields["beliefs"].items(), *fields["plans"].items()):
            name = slot.removeprefix(agent.prefix)
            if name in agent.beliefs and (value == 1) != (slot in self._held):
                self._held ^= {slot}
                why = ", ".join(
                    f"{each} {number}"
                    for each, number in fields.get("why", {}).get(slot, {}).items()
                )
                yield (
                    f"{'+' if value == 1 else '-'} "
                    f"{agent.beliefs[name]}{f' ({why})' if why else ''}"
                )
        for plan in agent.plans:
            if (index := fields["plans"].get(agent.prefix + plan.name)) is not None:
                what = (
                    f"starts: {plan.steps[0].text}"
                    if index == 1
                    else plan.steps[index - 1].text
                    if index
                    else "ends"
                )
                yield (
                    f"plan {plan.number} {what}"
                    if index in (0, 1)
                    else f"plan {plan.number}: {what}"
                )
        for call in fields["calls"]:
            if call.get("joins"):
                yield f"{call['plan']} joins call {call['id']}"


def _choice(fields: Mapping[str, Any]) -> str:
    def option_text(option: Mapping[str, Any]) -> str:
        values = ", ".join(
            f"{name} {'inf' if value is None else f'{value:.4g}'}"
            for name, value in option["q"].items()
        )
        return f"{option['plan']} ({values})" if values else str(option["plan"])

    others = [option_text(each) for each in fields["options"]]
    return f"choose {fields['chosen']} of {', '.join(others)} ({fields['by']})"
