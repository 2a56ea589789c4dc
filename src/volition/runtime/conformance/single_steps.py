"""Records of systems that move one component at a time: lines of kind ``step``, each with its component, choice and outcome."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component
from volition.languages.model import Model, Occurrence
from volition.origin import Origin
from volition.runtime.conformance.findings import Departure, Level
from volition.runtime.conformance.walking import Moved, Walked, chance_in_words, changed, changed_data, choice_in_words, told_change
from volition.runtime.record import Line, Record
from volition.runtime.stepping import State
from volition.runtime.stepping import after as state_after
from volition.telling.runs import Change, changes_between, origins_of

__all__ = ["walk_steps"]


def walk_steps(record: Record, model: Model, *, same_program: bool) -> Iterator[Walked]:
    """The steps of a record.

    With ``same_program`` choices and outcomes are those of the recorded places.  Without, they are found by what they do: in a program that
    was changed they may stand elsewhere.
    """
    state: State = dict(model.system.slots)
    for number, line in enumerate(record.of_kind("step"), start=1):
        walked = _Step(model, number, line, state, same_program).walk()
        yield walked
        if walked.after is None:
            return
        state = walked.after


@dataclass(frozen=True, slots=True)
class _Step:
    model: Model
    number: int
    line: Line
    state: State
    same_program: bool

    def walk(self) -> Walked:
        if self.line["step"] != self.number:
            return self._lost("logic", f"a step is missing: this one is recorded as number {self.line['step']}", ())
        movers = {each.name: each for each in self.model.system.components}
        if self.line["stays"]:
            return self._standing_still(movers)
        mover = movers.get(self.line["mover"])
        if mover is None:
            return self._lost("logic", f"the program has no '{self.line['mover']}' that could move", sorted(movers))
        choices = mover.step(self.state)
        words = [choice_in_words(each) for each in choices]
        fitting = [each for each in self._candidates(choices, self.line["choice"]) if self._is_told(each)]
        if not fitting:
            return self._lost("logic", f"'{mover.name}' is recorded to do: {self.line['text']}", words, _place(choices))
        for choice in fitting:
            for outcome in self._candidates(range(len(choice.outcomes)), self.line["outcome"]):
                chance, effect = choice.outcomes[outcome]
                after = self._after(choice, effect)
                if chance and self._is_reached(after):
                    occurrence = Occurrence(changed(self.state, after), choice, self._chance(choice, after))
                    return self._followed(Moved(mover, choices, occurrence, outcome), after)
        return self._without_outcome(fitting[0])

    def _after(self, choice: Choice, effect: Mapping[str, Hashable]) -> State:
        return state_after(self.model.system, self.state, effect, reacts=choice.reacts)

    def _candidates(self, offered: Sequence[Any], place: int) -> Sequence[Any]:
        return offered[place : place + 1] if self.same_program and place >= 0 else () if self.same_program else offered

    def _standing_still(self, movers: Mapping[str, Component]) -> Walked:
        able = [choice_in_words(choice) for each in movers.values() for choice in each.step(self.state)]
        if able or self.line["slots"]:
            return self._lost("logic", "nothing is recorded to move", able)
        return Walked(self.number, self.line["cycle"], "", self.line, self.state, self.state, ())

    def _is_told(self, choice: Choice) -> bool:
        """Whether a choice does what is recorded: the same agent by the same rules in the same words."""
        origins = origins_of(choice.label)
        recorded = [self.line.fields, *self.line.fields.get("together", ())]
        if len(origins) != len(recorded):
            return False
        return all(_told(told) in _tellings(origin) for origin, told in zip(origins, recorded, strict=True))

    def _is_reached(self, after: State) -> bool:
        changes = changed_data(self.state, after)
        if json.dumps(changes, sort_keys=True) != json.dumps(self.line["slots"], sort_keys=True):
            return False
        seen = {Change(each["section"], each["item"], each["before"], each["after"]) for each in self.line["changes"]}
        return seen == set(changes_between(self.model.portray(self.state), self.model.portray(after)))

    def _chance(self, choice: Choice, after: State) -> Any:
        """The probability of the transition: outcomes may lead to the same state."""
        return sum(chance for chance, effect in choice.outcomes if self._after(choice, effect) == after)

    def _followed(self, move: Moved, after: State) -> Walked:
        return Walked(self.number, self.line["cycle"], "", self.line, self.state, after, (move,))

    def _without_outcome(self, choice: Choice) -> Walked:
        """The choice is there and what became of it is not: the world surprises where there are several outcomes, else the agent does."""
        outcomes = [(chance, self._after(choice, effect)) for chance, effect in choice.outcomes]
        allowed = [f"{told_change(self.model, self.state, after)} ({chance_in_words(chance)})" for chance, after in outcomes]
        recorded = ", ".join(_changed(each) for each in self.line["changes"]) or "nothing changes"
        slots = ", ".join(self.line["slots"]) or "none"
        what = f"after '{self.line['text']}' it is recorded: {recorded} (slots written: {slots}; outcome {self.line['outcome']})"
        return self._lost("support" if len(outcomes) > 1 else "logic", what, allowed, _place([choice]))

    def _lost(self, level: Level, recorded: str, allowed: Sequence[str], place: Span | None = None) -> Walked:
        departure = Departure(level, self.number, self.line["cycle"], "", recorded, tuple(allowed), self.line.span, place)
        return Walked(self.number, self.line["cycle"], "", self.line, self.state, None, (), (departure,))


def _place(choices: Sequence[Choice]) -> Span | None:
    return next((origin.span for choice in choices for origin in origins_of(choice.label) if origin.span is not None), None)


def _changed(change: Mapping[str, Any]) -> str:
    return str(Change(change["section"], change["item"], change["before"], change["after"]))


def _told(step: Mapping[str, Any]) -> tuple[str, str, tuple[str, ...]]:
    return step["agent"], step["text"], tuple(step["rules"])


def _tellings(origin: Origin) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.agent, each.text, each.rules) for each in (origin, *origin.possibilities)]
