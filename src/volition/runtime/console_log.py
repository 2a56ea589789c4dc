"""A run told while it goes on: one line for each cycle or step in which something happens, in the
words of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from volition.languages.lisa.model import LisaModel
from volition.languages.protocols import Model
from volition.reporting.annotated_runs import TraceRow

__all__ = ["ConsoleLog"]

_EVENTS = ("surprise", "refused", "lost", "back", "message", "interlock", "generated", "voyage")


class ConsoleLog:
    """A watcher of a run that tells it, row by row, to somebody."""

    def __init__(self, model: Model, report: Callable[[TraceRow], None]) -> None:
        self._model = model
        self._tell = report
        self._held = (
            {slot for slot, value in model.system.slots.items() if value == 1}
            if isinstance(model, LisaModel)
            else set()
        )
        """The slots of beliefs that are held; a slot that counts down to a feedback is a belief
        that is not."""

    def __call__(self, kind: str, fields: Mapping[str, Any]) -> None:
        match kind:
            case "cycle":
                if pieces := list(self._happened(fields)):
                    self._tell(
                        TraceRow(str(fields["cycle"]), self._whose(fields), "; ".join(pieces))
                    )
            case "step":
                chance = (
                    f" (probability {fields['probability']})" if "probability" in fields else ""
                )
                self._tell(
                    TraceRow(str(fields["step"]), fields["agent"], f"{fields['text']}{chance}")
                )
            case "choice" if isinstance(self._model, LisaModel) or any(
                option["q"] for option in fields["options"]
            ):
                # The other languages have a choice in nearly every step: told is what was weighed.
                self._tell(TraceRow(str(fields["cycle"]), self._whose(fields), _choice(fields)))
            case _ if kind in _EVENTS:
                text = fields.get("text") or fields.get("name") or ""
                self._tell(TraceRow(str(fields["cycle"]), self._whose(fields), f"{kind}: {text}"))

    def _whose(self, fields: Mapping[str, Any]) -> str:
        """The agent that a line is about, where there are several."""
        return str(fields.get("agent", "")) if len(self._model.agents) > 1 else ""

    def _happened(self, fields: Mapping[str, Any]) -> Iterator[str]:
        """What a cycle changed: beliefs, plans, calls that were shared, actions that were
        stopped."""
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
    def worth(option: Mapping[str, Any]) -> str:
        values = ", ".join(
            f"{name} {'inf' if value is None else f'{value:.4g}'}"
            for name, value in option["q"].items()
        )
        return f"{option['plan']} ({values})" if values else str(option["plan"])

    others = [worth(each) for each in fields["options"]]
    return f"choose {fields['chosen']} of {', '.join(others)} ({fields['by']})"
