"""Replay of recorded runs of interleaved systems. Each step is a line of kind ``step`` with the
component that moved, its choice and its outcome.

The functions of the model compute the line that the executive would write
(:mod:`volition.runtime.step_lines`), and the recorded line must be equal in every field.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from volition.diagnostics import Span
from volition.kernel.system import Choice
from volition.languages.protocols import Model, ObservedTransition
from volition.origin import Origin
from volition.reporting.annotated_runs import origins_of
from volition.reporting.replay import recorded_changes
from volition.reporting.trace_format import origin_data
from volition.runtime.conformance.names import NewNames
from volition.runtime.conformance.replay_step import (
    ConformanceChoice,
    ConformanceStep,
    changed,
    describe_change,
    describe_choice,
    format_probability,
    wrong_selector,
    wrong_time,
)
from volition.runtime.conformance.result import Deviation, Level
from volition.runtime.parties import option_name, party_of
from volition.runtime.record import Header, Line, Record
from volition.runtime.step_lines import MadeStep, make_step
from volition.runtime.successor import EnabledChoice, State, enabled_choices
from volition.runtime.successor import successor as state_after

__all__ = ["replay_steps"]


def replay_steps(record: Record, model: Model, *, same_program: bool) -> Iterator[ConformanceStep]:
    """Yield the steps of a recorded run, up to and including the first that the model does not
    have.

    With ``same_program``, every field of a line is compared. Otherwise steps are matched by their
    effects, because in a changed program the indices of choices, the numbers of source lines and
    the probabilities of outcomes may differ.
    """
    state: State = dict(model.system.slots)
    names = NewNames.between(record.header.agents, model.agents)
    decisions: list[Line] = []
    number, before = 0, -1
    for line in record.of_kind("step", "choice"):
        if line.kind == "choice":
            decisions.append(line)
            continue
        number += 1
        walked = _RecordedStep(
            model, record.header, names, number, line, decisions, before, state, same_program
        ).walk()
        yield walked
        if walked.after is None:
            return
        state, before, decisions = walked.after, line["cycle"], []


@dataclass(frozen=True, slots=True)
class _RecordedStep:
    """One recorded step, to be compared with the model's steps from ``state``. ``cycle_before`` is
    the cycle of the previous step, and ``decisions`` are the decisions recorded since then."""

    model: Model
    header: Header
    names: NewNames
    number: int
    line: Line
    decisions: Sequence[Line]
    cycle_before: int
    state: State
    same_program: bool

    def walk(self) -> ConformanceStep:
        if wrong := self._misplaced():
            return self._failed("logic", wrong, ())
        able = enabled_choices(self.model.system, self.state)
        if self.line["stutter"]:
            return self._standing_still(able)
        own = [
            move
            for move in able
            if move.component.name in self.names.possible(self.line["component"])
        ]
        if not own:
            words = [describe_choice(move.choice) for move in able]
            return self._failed(
                "logic",
                f"'{self.line['component']}' is recorded to move, but it cannot move in this state",
                words,
            )
        words = [describe_choice(move.choice) for move in own]
        reported = [
            move
            for move in own
            if self._is_at(move.number, "choice") and self._may_be_recorded(move.choice)
        ]
        if not reported:
            what = (
                f"recorded for '{self.line['component']}': {_step_text(self.line.fields)} "
                f"(choice {self.line['choice']})"
            )
            return self._failed("logic", what, words, _first_span([move.choice for move in own]))
        view = self.model.describe(self.state)
        for move in reported:
            for outcome, (chance, _) in enumerate(move.choice.outcomes):
                if not chance or not self._is_at(outcome, "outcome"):
                    continue
                made = make_step(self.model, self.state, view, move, outcome, self.number)
                if self._is_reached(made):
                    return self._matched_step(able, own, move, outcome, made)
        return self._without_outcome(reported[0].choice)

    # --- number and time of the step --------------------------------------------------------------

    def _misplaced(self) -> str | None:
        """Return a message if the step has a wrong number, cycle or time in its record, or None."""
        step, cycle = self.line["step"], self.line["cycle"]
        if step != self.number:
            return f"a step is missing: this one is recorded as number {step}"
        # Simulated worlds move in every cycle. In a connected world, cycles can pass without a
        # step.
        if cycle <= self.cycle_before or (
            self.header.world == "simulated" and cycle != self.number - 1
        ):
            return (
                f"the step is recorded in cycle {cycle}, but the previous one in cycle "
                f"{self.cycle_before}"
            )
        return wrong_time(self.line, self.header)

    def _is_at(self, index: int, field: str) -> bool:
        return not self.same_program or self.line[field] == index

    # --- effects of the step ----------------------------------------------------------------------

    def _recorded(self) -> Sequence[Mapping[str, Any]]:
        """Return the recorded origin fields of each component that moved in this step."""
        return (self.line.fields, *self.line.fields.get("joint", ()))

    def _may_be_recorded(self, choice: Choice) -> bool:
        """Return whether the recorded origins agree with a choice: each is the origin of the choice
        itself, or of one of the possible steps that the choice stands for."""
        origins, recorded = origins_of(choice.label), self._recorded()
        if len(origins) != len(recorded):
            return False
        return all(
            any(self._is_recorded(each, step) for each in (origin, *origin.possible_steps))
            for origin, step in zip(origins, recorded, strict=True)
        )

    def _is_recorded(self, origin: Origin, recorded: Mapping[str, Any]) -> bool:
        """Return whether the recorded fields of a step agree with an origin in the program.

        Fields that the record leaves out are not compared. In a changed program, only agent, text,
        rules and action are compared.
        """
        compared = origin_data(origin)
        if not self.same_program:
            compared = {field: compared[field] for field in ("agent", "text", "rules", "action")}
        elif compared["file"] is not None and isinstance(recorded.get("file"), str):
            compared["file"], recorded = (
                PurePath(compared["file"]).name,
                {**recorded, "file": PurePath(recorded["file"]).name},
            )
        agents = self.names.possible(recorded["agent"])
        return compared.pop("agent") in agents and all(
            recorded.get(field, value) == value for field, value in compared.items()
        )

    def _is_reached(self, made: MadeStep) -> bool:
        """Return whether the changes that an outcome makes are the recorded changes."""
        written, recorded = made.fields["slots"], self.line["slots"]
        if not self.same_program:  # compare only common slots
            recorded = {
                self.names.known(slot, self.state): value for slot, value in recorded.items()
            }
            recorded = {slot: value for slot, value in recorded.items() if slot in self.state}
            there = {self.names.known(slot, self.state) for slot in self.header.initial}
            written = {slot: value for slot, value in written.items() if slot in there}
        if json.dumps(written, sort_keys=True) != json.dumps(recorded, sort_keys=True):
            return False
        return Counter(recorded_changes(made.fields)) == Counter(recorded_changes(self.line.fields))

    def _matched_step(
        self,
        able: Sequence[EnabledChoice],
        own: Sequence[EnabledChoice],
        move: EnabledChoice,
        outcome: int,
        made: MadeStep,
    ) -> ConformanceStep:
        """Return the step of the model for a choice and an outcome whose changes match the record.
        Return a failed step if the recorded origin, probability or decision does not match."""
        choice, span = move.choice, _first_span([move.choice])
        if wrong := self._wrong_origin(choice, made) or self._wrong_probability(choice, outcome):
            return self._failed("logic", wrong, [describe_choice(choice)], span)
        for line in self.decisions:
            if wrong := self._wrong_decision(line, able, move):
                return self._failed(
                    "logic", wrong, [option_name(each) for each in own], span, line.span
                )
        occurrence = ObservedTransition(
            changed(self.state, made.after), choice, self._chance(choice, made.after)
        )
        moved = ConformanceChoice(
            move.component, [each.choice for each in own], occurrence, outcome
        )
        return ConformanceStep(
            self.number, self.line["cycle"], "", self.line, self.state, made.after, (moved,)
        )

    def _wrong_origin(self, choice: Choice, made: MadeStep) -> str | None:
        """Return a message if the recorded origin is wrong, else None. It is right if it is the
        origin of the choice that was taken, or of the step ``made`` that produced the recorded
        changes."""
        for whole, picked, recorded in zip(
            origins_of(choice.label), made.origins, self._recorded(), strict=True
        ):
            if not any(self._is_recorded(origin, recorded) for origin in (whole, picked)):
                return (
                    f"the record has: {_step_text(recorded)}; but the changes are those of: "
                    f"{_step_text(origin_data(picked))}"
                )
        return None

    def _wrong_probability(self, choice: Choice, outcome: int) -> str | None:
        """Return a message if the recorded probability of an outcome is wrong, else None. A record
        may leave out the probability of a single outcome."""
        if not self.same_program:
            return None
        recorded, (chance, _) = self.line.fields.get("probability"), choice.outcomes[outcome]
        if recorded is None:
            return (
                None
                if len(choice.outcomes) == 1
                else f"no probability is recorded, but it is {format_probability(chance)}"
            )
        if isinstance(recorded, str) and (recorded == str(chance) or _fraction(recorded) == chance):
            return None
        return (
            f"the probability is recorded as {str(recorded)[:40]}, but it is "
            f"{format_probability(chance)}"
        )

    def _chance(self, choice: Choice, after: State) -> Any:
        """Return the probability that a choice leads to the state ``after``, summed over all
        outcomes that lead there."""
        return sum(chance for chance, following in self._outcomes(choice) if following == after)

    def _outcomes(self, choice: Choice) -> list[tuple[Any, State]]:
        system = self.model.system
        return [
            (chance, state_after(system, self.state, effect, reacts=choice.triggers_reactions))
            for chance, effect in choice.outcomes
        ]

    def _wrong_decision(
        self, line: Line, able: Sequence[EnabledChoice], taken: EnabledChoice
    ) -> str | None:
        """Return a message if a recorded decision disagrees with the choice that was taken, else
        None."""
        cycle = self.line["cycle"]
        if self.header.world != "simulated" and self.cycle_before < line["cycle"] < cycle:
            return None  # the request of an action that the agent still waits for
        if line["cycle"] != cycle or len(self.decisions) > 1:
            return (
                f"the step in cycle {cycle} needs one decision in the same cycle, but the record "
                f"has {len(self.decisions)}, one of them in cycle {line['cycle']}"
            )
        if wrong := wrong_selector(line, self.header):
            return wrong
        party, chosen = party_of(self.model, taken), option_name(taken)
        if line["chosen"] != chosen:
            return f"the decision is recorded as '{line['chosen']}', but the step is '{chosen}'"
        for field in ("group", "agent"):
            if party not in self.names.possible(line.fields.get(field, party)):
                return f"the decision is recorded for '{line[field]}', but '{party}' moved"
        offered = [option_name(each) for each in able if party_of(self.model, each) == party]
        listed = [option.get("plan") for option in line["options"]]
        # In a connected world, an agent that waits for the completion of an action does not offer
        # the action again. The recorded options may then be fewer than those of the model.
        is_possible = (
            offered == listed
            if self.header.world == "simulated"
            else not Counter(listed) - Counter(offered)
        )
        if self.same_program and not is_possible:
            return (
                f"the options are recorded as {', '.join(map(str, listed))}, but there were "
                f"{', '.join(offered)}"
            )
        return None

    # --- results for deviations -------------------------------------------------------------------

    def _standing_still(self, able: Sequence[EnabledChoice]) -> ConformanceStep:
        if able or self.line["slots"] or self.line["changes"]:
            return self._failed(
                "logic",
                "the step is recorded as one in which no component moves",
                [describe_choice(move.choice) for move in able],
            )
        return ConformanceStep(
            self.number, self.line["cycle"], "", self.line, self.state, self.state, ()
        )

    def _without_outcome(self, choice: Choice) -> ConformanceStep:
        """Return the failed step for a choice that does not have the recorded outcome. The
        deviation is one of support if the choice has several outcomes, else one of logic."""
        outcomes = self._outcomes(choice)
        allowed = [
            f"{describe_change(self.model, self.state, after)} ({format_probability(chance)})"
            for chance, after in outcomes
        ]
        recorded = ", ".join(map(str, recorded_changes(self.line.fields))) or "nothing changes"
        slots = ", ".join(self.line["slots"]) or "none"
        what = (
            f"after '{self.line['text']}' the record has: {recorded} (slots written: {slots}; "
            f"outcome {self.line['outcome']})"
        )
        return self._failed(
            "support" if len(outcomes) > 1 else "logic", what, allowed, _first_span([choice])
        )

    def _failed(
        self,
        level: Level,
        recorded: str,
        allowed: Sequence[str],
        span: Span | None = None,
        line: Span | None = None,
    ) -> ConformanceStep:
        where = line or self.line.span
        deviation = Deviation(
            level, self.number, self.line["cycle"], "", recorded, tuple(allowed), where, span
        )
        return ConformanceStep(
            self.number, self.line["cycle"], "", self.line, self.state, None, (), (deviation,)
        )


def _first_span(choices: Sequence[Choice]) -> Span | None:
    return next(
        (
            origin.span
            for choice in choices
            for origin in origins_of(choice.label)
            if origin.span is not None
        ),
        None,
    )


def _step_text(step: Mapping[str, Any]) -> str:
    """Return the fields that identify a recorded step as text: agent, text, rules, action, plan and
    line."""
    parts = [str(step["text"]), " ".join(step["rules"])]
    parts += [
        f"{field} {step[field]}"
        for field in ("action", "plan", "line")
        if step.get(field) is not None
    ]
    return f"{step['agent']}: {', '.join(filter(None, parts))}"


def _fraction(text: str) -> Fraction | None:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
