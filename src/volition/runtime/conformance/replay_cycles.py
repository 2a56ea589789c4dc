"""Replay of recorded runs of agents with reasoning cycles, to check whether the runs conform to the
model. A cycle is two transitions of the model, called half-steps: first the beliefs change, then
the plans move (Izzo, Sect. 3.3.2 and Fig. 4.2). The record has one line of kind ``cycle`` for each
agent and cycle.

The recorded inbox of a cycle contains the percepts and feedbacks of the world. In the beliefs
half-step, they determine the outcomes of the model's random draws, and the model's functions
compute everything else. In the plans half-step, the model's functions compute everything except
which of several plans starts; that is taken from the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from volition.diagnostics import Span
from volition.kernel.system import Choice, Component
from volition.languages.common.slots import Slot
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.semantics import AgentModule
from volition.languages.protocols import Executable, ObservedTransition
from volition.reporting.annotated_runs import origins_of
from volition.reporting.json_values import to_json_value
from volition.runtime.conformance.replay_step import (
    ConformanceChoice,
    ConformanceStep,
    describe_change,
    describe_choice,
    format_probability,
    wrong_selector,
    wrong_time,
)
from volition.runtime.conformance.requests import RequestChecker
from volition.runtime.conformance.result import Deviation, Level
from volition.runtime.record import Header, Line, Record
from volition.runtime.successor import State, synchronous_step

__all__ = ["replay_cycles"]

BELIEFS, PLANS = "beliefs", "plans"


def replay_cycles(
    record: Record, model: Executable, *, same_numbers: bool
) -> Iterator[ConformanceStep]:
    """Yield each half-step of a recorded run with the transition that the model takes for it. (A
    reasoning cycle has two half-steps: the beliefs change, then the plans move.) The first
    half-step that the model cannot take is the last one yielded.

    With ``same_numbers``, every slot must have its recorded value. Otherwise the run was made with
    other parameter values, so counters of the environment and countdowns of awaited feedbacks may
    differ.
    """
    state: State = dict(model.system.slots)
    texts = {
        slot: record.header.initial.get(slot, to_json_value(value)) for slot, value in state.items()
    }
    book = RequestChecker(model) if isinstance(model, LisaModel) else None
    kinds = {slot: slot.kind if isinstance(slot, Slot) else None for slot in state}
    number = 0
    for due, here in enumerate(_by_cycle(record)):
        cycle_lines = [line for line in here if line.kind == "cycle"]
        choices = [line for line in here if line.kind == "choice"]
        cycle = cycle_lines[0]["cycle"]
        if missing := _missing(record, cycle_lines, due):
            deviation = Deviation(
                "logic", number + 1, cycle, f"{BELIEFS} half-step", missing, (), cycle_lines[0].span
            )
            yield ConformanceStep(
                number + 1, cycle, BELIEFS, cycle_lines[0], state, None, (), (deviation,)
            )
            return
        for half in (BELIEFS, PLANS):
            number += 1
            texts |= {
                slot: value
                for line in cycle_lines
                for slot, value in line[half].items()
                if slot in texts
            }
            step = _HalfStep(
                model,
                record.header,
                number,
                cycle,
                half,
                cycle_lines,
                choices,
                state,
                texts,
                kinds,
                same_numbers,
                book,
            )
            walked = step.walk()
            yield walked
            if walked.after is None:
                return
            state = walked.after


def _by_cycle(record: Record) -> Iterator[list[Line]]:
    """Yield the lines of each cycle of a record: first the decisions, then one line for each agent.

    Decisions at the end of the record without a line of kind ``cycle`` after them are left out,
    because the run ended before their effect was recorded.
    """
    here: list[Line] = []
    for line in record.of_kind("cycle", "choice"):
        if (
            here
            and here[-1].kind == "cycle"
            and (line.kind == "choice" or line["cycle"] != here[-1]["cycle"])
        ):
            yield here
            here = []
        here.append(line)
    if here and here[-1].kind == "cycle":
        yield here


def _missing(record: Record, cycle_lines: Sequence[Line], due: int) -> str | None:
    """Return a message if the lines of cycle ``due`` are wrong, else None. A record must have every
    cycle, with one line for each agent and the right time."""
    if cycle_lines[0]["cycle"] != due:
        return f"cycle {due} is missing: this one is recorded as cycle {cycle_lines[0]['cycle']}"
    reported, agents = [line["agent"] for line in cycle_lines], record.header.agents
    for name in dict.fromkeys([*agents, *reported]):
        if reported.count(name) != agents.count(name):
            return f"cycle {due} of '{name}' is recorded {reported.count(name)} times"
    return next(filter(None, (wrong_time(line, record.header) for line in cycle_lines)), None)


@dataclass(frozen=True, slots=True)
class _HalfStep:
    """One recorded half-step of a reasoning cycle, to be compared with the model. In the first
    half-step of a cycle the beliefs change, in the second the plans move. ``state`` is the model's
    state before the half-step. ``texts`` is the recorded state after the half-step, as JSON values
    by slot."""

    model: Executable
    header: Header
    number: int
    cycle: int
    half: str
    cycle_lines: Sequence[Line]
    decisions: Sequence[Line]
    state: State
    texts: Mapping[str, Any]
    kinds: Mapping[str, str | None]
    same_numbers: bool
    book: RequestChecker | None

    def walk(self) -> ConformanceStep:
        observation = self._observation() if self.half == BELIEFS else {}
        deviations = [*self._unknown(observation)]
        moves: list[ConformanceChoice] = []

        def transition_of(
            component: Component, choices: Sequence[Choice]
        ) -> ObservedTransition | None:
            occurrence = self._occurrence(component, choices, observation)
            if occurrence is not None:
                moves.append(ConformanceChoice(component, choices, occurrence))
            return occurrence

        after, _ = synchronous_step(self.model.system, self.state, transition_of)
        deviations += self._differences(after, moves)
        if self.half == PLANS:
            deviations += [*self._wrong_decisions(moves), *self._wrong_requests(after)]
        else:
            deviations += self._wrong_feedbacks()
        surprises = [self._surprise(move) for move in moves if move.occurrence.is_unmodelled]
        followed = None if deviations else after
        return ConformanceStep(
            self.number,
            self.cycle,
            self.half,
            self.cycle_lines[0],
            self.state,
            followed,
            tuple(moves),
            (*deviations[:1], *surprises),
        )

    def _observation(self) -> dict[str, bool]:
        """Return what the agents observed in this cycle: the percepts and feedbacks in the recorded
        inboxes of all agents, by slot. A feedback that arrived has the value true."""
        inboxes = [line["inbox"] for line in self.cycle_lines]
        percepts = {name: value for inbox in inboxes for name, value in inbox["percepts"].items()}
        return percepts | {
            each["feedback"]: True for inbox in inboxes for each in inbox["feedbacks"]
        }

    def _occurrence(
        self, component: Component, choices: Sequence[Choice], observation: Mapping[str, bool]
    ) -> ObservedTransition | None:
        """Return the transition that one component took in the recorded run, or None if the
        component could not move.

        For a component of the environment, this is the transition that matches the recorded
        percepts and feedbacks. For an agent, it is the choice that agrees with the record, or the
        first choice if none agrees.
        """
        if self.half == BELIEFS and self.model.is_environment(component):
            return self.model.match_observation(component, self.state, choices, observation)
        if not choices:
            return None
        # A choice without effect agrees with every record, so prefer the agreeing choice with the
        # most writes.
        fitting = (
            [choice for choice in choices if self._is_recorded(choice)] if len(choices) > 1 else ()
        )
        taken = max(fitting or choices[:1], key=lambda choice: len(choice.outcomes[0][1]))
        chance, effect = taken.outcomes[0]
        return ObservedTransition(effect, taken, chance)

    def _is_recorded(self, choice: Choice) -> bool:
        return all(
            to_json_value(value) == self.texts[slot]
            for slot, value in choice.outcomes[0][1].items()
        )

    # --- deviations -------------------------------------------------------------------------------

    def _unknown(self, observation: Mapping[str, bool]) -> Iterator[Deviation]:
        written = (
            (slot for line in self.cycle_lines for slot in line[self.half])
            if self.same_numbers
            else ()
        )
        for name in (*observation, *written):
            if name not in self.state:
                yield self._deviation(
                    "logic", f"'{name}' is recorded, but the program does not have it", ()
                )

    def _differences(self, after: State, moves: Sequence[ConformanceChoice]) -> Iterator[Deviation]:
        """Yield a deviation for each slot whose recorded value differs from its computed value."""
        written = [
            slot for line in self.cycle_lines for slot in line[self.half] if slot in self.texts
        ]
        for slot in dict.fromkeys(
            [*(slot for move in moves for slot in move.occurrence.writes), *written]
        ):
            recorded, computed = (
                self._compared(slot, self.texts[slot]),
                self._compared(slot, to_json_value(after[slot])),
            )
            if recorded != computed:
                move = next((each for each in moves if slot in _written(each)), None)
                allowed = (
                    [describe_choice(each) for each in move.choices if each.label is not None]
                    if move
                    else []
                )
                what = f"'{slot}' is recorded as {recorded}, but the model gives {computed}"
                yield self._deviation(
                    "logic",
                    what,
                    allowed or (),
                    None if move is None else self.model.span_of(move.component),
                )

    def _compared(self, slot: str, value: Any) -> Any:
        kind = self.kinds[slot]
        if kind == "cycle":
            return (
                value if len(self.model.agents) == 1 else None
            )  # with several agents, it belongs to none of them
        if self.same_numbers:
            return value
        return None if kind == "counter" else value == 1 if kind == "belief" else value

    def _wrong_decisions(self, moves: Sequence[ConformanceChoice]) -> Iterator[Deviation]:
        """Yield a deviation for each recorded decision that does not name the plan that moved, or
        whose recorded options are not those of the model."""
        by_name = {move.component.name: move for move in moves}
        for line in self.decisions:
            move = by_name.get(line["group"])
            offered = [] if move is None else [_plan(each) for each in move.choices]
            taken = (
                None
                if move is None or move.occurrence.choice is None
                else _plan(move.occurrence.choice)
            )
            if wrong := self._misplaced(line, move):
                yield self._deviation("logic", wrong, (), None, line.span)
            elif line["chosen"] not in offered or line["chosen"] != taken:
                what = f"the decision of '{line['group']}' is recorded as '{line['chosen']}'"
                what += f", but '{taken}' moved" if taken else ", but it had no choice"
                words = [describe_choice(each) for each in move.choices] if move else []
                yield self._deviation(
                    "logic",
                    what,
                    words,
                    None if move is None else self.model.span_of(move.component),
                    line.span,
                )
            elif (listed := [str(option.get("plan")) for option in line["options"]]) and sorted(
                listed
            ) != sorted(map(str, offered)):
                what = (
                    f"the options of '{line['group']}' are recorded as {', '.join(listed)}, but "
                    f"there were {', '.join(map(str, offered))}"
                )
                yield self._deviation(
                    "logic",
                    what,
                    (),
                    self.model.span_of(by_name[line["group"]].component),
                    line.span,
                )

    def _misplaced(self, line: Line, move: ConformanceChoice | None) -> str | None:
        """Return a message if a decision is recorded with a wrong cycle, a wrong agent or a wrong
        selector (the rule that chooses between plans), else None."""
        if line["cycle"] != self.cycle:
            return f"a decision of cycle {self.cycle} is recorded in cycle {line['cycle']}"
        if (
            move is not None
            and isinstance(move.component, AgentModule)
            and line.fields.get("agent") not in (None, move.component.agent.name)
        ):
            return (
                f"the decision of '{move.component.agent.name}' is recorded for '{line['agent']}'"
            )
        return wrong_selector(line, self.header)

    def _wrong_feedbacks(self) -> Iterator[Deviation]:
        """Yield a deviation for each line of the record whose feedbacks do not belong to open calls
        of actions."""
        for line in self.cycle_lines if self.book is not None else ():
            if self.book is not None and (
                wrong := self.book.wrong_feedbacks(line.fields, self.cycle)
            ):
                yield self._deviation("logic", wrong, (), None, line.span)

    def _wrong_requests(self, after: State) -> Iterator[Deviation]:
        """Yield a deviation for each line of the record whose calls and stops of actions are not
        those that the agent's plans requested."""
        for line in self.cycle_lines if self.book is not None else ():
            if self.book is not None and (
                wrong := self.book.find_difference(self.state, after, line.fields)
            ):
                yield self._deviation("logic", wrong, (), None, line.span)

    def _surprise(self, move: ConformanceChoice) -> Deviation:
        """Return the deviation for a move of the world that has probability 0, with the moves that
        the model allows and their probabilities."""
        effect = move.occurrence.writes
        happened = describe_change(self.model, self.state, {**self.state, **effect})
        outcomes = [outcome for choice in move.choices for outcome in choice.outcomes] or [(1, {})]
        allowed = [
            (
                f"{describe_change(self.model, self.state, {**self.state, **each})} "
                f"({format_probability(chance)})"
            )
            for chance, each in outcomes
        ]
        what = f"recorded for '{move.component.name}': {happened}; this has probability 0"
        return self._deviation("support", what, allowed, self.model.span_of(move.component))

    def _deviation(
        self,
        level: Level,
        recorded: str,
        allowed: Sequence[str],
        span: Span | None = None,
        line: Span | None = None,
    ) -> Deviation:
        where = line or self.cycle_lines[0].span
        return Deviation(
            level,
            self.number,
            self.cycle,
            f"{self.half} half-step",
            recorded,
            tuple(allowed),
            where,
            span,
        )


def _written(move: ConformanceChoice) -> set[str]:
    """Return the slots that a component may write in a step: those of all its choices, and those of
    the transition that it took."""
    return {
        slot for choice in move.choices for _, effect in choice.outcomes for slot in effect
    } | set(move.occurrence.writes)


def _plan(choice: Choice) -> str | None:
    return next((origin.plan for origin in origins_of(choice.label) if origin.plan), None)
