"""Conformance check of a recorded run on three levels: logic, support and likelihood.

- *Logic*: the agent's beliefs, decisions and actions are what the functions of its model compute
  from the inputs of the world. A difference is an error of the program that executed the run, or of
  the record.
- *Support*: every move of the world had a positive probability, so that each step is a transition
  of the explored space. A difference means that the model is wrong about the world.
- *Likelihood*: how probable the moves of the world were.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import Limits, explore
from volition.languages.protocols import Executable, Model, ParametricProgram, Program
from volition.reporting.json_values import to_json_value
from volition.runtime.conformance.coverage import look_up
from volition.runtime.conformance.names import NewNames
from volition.runtime.conformance.replay_cycles import replay_cycles
from volition.runtime.conformance.replay_step import ConformanceStep
from volition.runtime.conformance.replay_steps import replay_steps
from volition.runtime.conformance.result import Conformance, Deviation
from volition.runtime.record import Line, Record, digest
from volition.runtime.successor import State

__all__ = ["conform", "count_steps", "expect_same_language", "expect_steps", "walk"]


def conform(record: Record, program: Program, *, limits: Limits | None = None) -> Conformance:
    """Follow a recorded run through the model of a program, and return whether it is a run of that
    model. With ``limits``, the state space is explored as well and every step is looked up in it.

    Raise :class:`InputError` if the record has no steps, or does not fit the program. A record does
    not fit if it is of another language, or if only one of the two has reasoning cycles.
    """
    expect_same_language(record, program)
    expect_steps(record)
    model = program.model()
    remarks = tuple(_remarks(record, program))
    steps = list(walk(record, program, model))
    deviations = [each for step in steps for each in step.deviations]
    chances = [
        move.occurrence.probability
        for step in steps
        if step.after is not None
        for move in step.moves
    ]
    draws = [
        math.log(float(chance)) for chance in chances if chance is not None and float(chance) < 1
    ]
    return Conformance(
        record=record.source.name,
        recorded=count_steps(record),
        followed=sum(step.after is not None for step in steps),
        logic=next((each for each in deviations if each.level == "logic"), None),
        unmodelled=tuple(each for each in deviations if each.level == "support"),
        log_likelihood=math.fsum(draws),
        draws=len(draws),
        remarks=(*record.warnings, *remarks),
        visits=None if limits is None else look_up(explore(model.system, limits=limits), steps),
    )


def expect_same_language(record: Record, program: Program) -> None:
    """Raise :class:`InputError` if a record was made by a program in another language than
    ``program``."""
    if record.header.language != program.language:
        what = (
            f"the record '{record.source.name}' does not fit the program: it was made by a "
            f"program in {record.header.language}, but this program is in {program.language}"
        )
        raise InputError([Diagnostic("CNF001", what, hint="give the program that ran")])


def walk(record: Record, program: Program, model: Model) -> Iterator[ConformanceStep]:
    """Follow a record through the model, and yield each recorded step with the transition that the
    model takes for it. The first step that the model cannot take is the last one yielded.

    If the record begins in another state than the model, the result is a single failed step. If the
    number of recorded lines differs from the totals in the record's end line, a failed step follows
    the last step. Raise :class:`InputError` if the record does not fit the language of the program.
    """
    expect_same_language(record, program)
    same_numbers = not _changed_parameters(record, program)
    state: State = dict(model.system.slots)
    if (mismatch := _initial_state_mismatch(record, model, same_numbers=same_numbers)) is not None:
        yield mismatch
        return
    for step in _steps(record, program, model, same_numbers=same_numbers):
        yield step
        if step.after is None:
            return
        state = step.after
    if (incomplete := _total_mismatch(record, state)) is not None:
        yield incomplete


def _steps(
    record: Record, program: Program, model: Model, *, same_numbers: bool
) -> Iterator[ConformanceStep]:
    if any(record.of_kind("cycle")):
        if not isinstance(model, Executable):
            what = (
                f"the record '{record.source.name}' does not fit the program: it contains "
                f"reasoning cycles, but programs in {program.language} do not record cycles"
            )
            raise InputError([Diagnostic("CNF001", what, hint="give the program that ran")])
        yield from replay_cycles(record, model, same_numbers=same_numbers)
    else:
        same_program = same_numbers and record.header.program_sha256 == digest(program)
        yield from replay_steps(record, model, same_program=same_program)


def count_steps(record: Record) -> int:
    """Return the number of steps in a record. A reasoning cycle counts as two steps, because in the
    model the beliefs change first and the plans move in a second transition."""
    cycles = {line["cycle"] for line in record.of_kind("cycle")}
    return 2 * len(cycles) + sum(1 for _ in record.of_kind("step"))


def expect_steps(record: Record) -> None:
    """Raise :class:`InputError` if a record has neither steps nor an end line."""
    if not record.ended and not count_steps(record):
        what = f"the record '{record.source.name}' contains no steps of a run"
        raise InputError(
            [Diagnostic("CNF004", what, hint="a step is a line of kind 'cycle' or 'step'")]
        )


def _total_mismatch(record: Record, state: State) -> ConformanceStep | None:
    """Return a failed step if the number of lines in a record differs from the totals in its end
    line, else None."""
    for end in record.of_kind("end"):
        for kind in ("cycle", "step"):
            counted, found = (
                end.fields.get("totals", {}).get(kind, 0),
                sum(1 for _ in record.of_kind(kind)),
            )
            if "totals" in end.fields and counted != found:
                what = (
                    f"the run ended with {counted} lines of kind '{kind}', but {found} are recorded"
                )
                return _failed_step(count_steps(record), end["cycle"], what, end, state)
    return None


def _initial_state_mismatch(
    record: Record, model: Model, *, same_numbers: bool
) -> ConformanceStep | None:
    """Return a failed step if the record begins in another state than the model, else None."""
    if not same_numbers:
        return None  # with other parameters, other counters may exist
    own = {slot: to_json_value(value) for slot, value in model.system.slots.items()}
    names = NewNames.between(record.header.agents, model.agents)
    recorded = {names.known(slot, own): value for slot, value in record.header.initial.items()}
    for slot in dict.fromkeys([*own, *recorded]):
        if own.get(slot) != recorded.get(slot):
            what = (
                f"the run begins with '{slot}' = {recorded.get(slot, 'nothing')}, the model "
                f"with {own.get(slot, 'nothing')}"
            )
            first = Line(
                "header", record.header.as_data(), record.source.span(0, len(record.source.line(1)))
            )
            return _failed_step(0, 0, what, first, dict(model.system.slots))
    return None


def _failed_step(number: int, cycle: int, what: str, line: Line, state: State) -> ConformanceStep:
    return ConformanceStep(
        number,
        cycle,
        "",
        line,
        state,
        None,
        (),
        (Deviation("logic", number, cycle, "", what, (), line.span),),
    )


def _remarks(record: Record, program: Program) -> Iterator[Diagnostic]:
    """Yield a warning if the program has changed since a run was recorded. Yield another warning if
    parameters now have other values than during the run."""
    if record.header.program_sha256 != digest(program):
        what = f"the program has changed since '{record.source.name}' was recorded"
        yield Diagnostic(
            "CNF002",
            what,
            severity="warning",
            hint="the result is about the current program",
        )
    if others := _changed_parameters(record, program):
        listed = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        what = f"'{record.source.name}' was recorded with other parameter values: {listed}"
        yield Diagnostic(
            "CNF003", what, severity="warning", hint="counters of the environment are not compared"
        )


def _changed_parameters(record: Record, program: Program) -> list[str]:
    """Return a text with the old and the new value of each parameter that had another value when
    the run was recorded."""
    own = program.parameters if isinstance(program, ParametricProgram) else {}
    recorded = {name: _number(value) for name, value in record.header.parameters.items()}
    differing = [name for name in own if name in recorded and recorded[name] != own[name]]
    return [f"{name} was {recorded[name]}, is {own[name]}" for name in differing]


def _number(value: object) -> Fraction | str:
    """Return a recorded parameter value as a fraction. If it is not a number, return its text,
    which differs from every parameter value."""
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        return str(value)[:40]
