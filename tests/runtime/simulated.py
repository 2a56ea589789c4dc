"""Records of runs that are drawn here, from the functions of a model alone: independent of the
executive and of what reads them."""

from __future__ import annotations

import io
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from volition.diagnostics import Source
from volition.kernel.system import Choice
from volition.languages import load
from volition.languages.protocols import Executable, Model, ParametricProgram, Program
from volition.reporting.annotated_runs import AnnotatedStep, changes_between, origins_of
from volition.reporting.json_values import to_json_value
from volition.reporting.trace_format import step_to_json
from volition.runtime.record import Header, Record, Recorder, digest, parse_record

__all__ = ["as_record", "cycles_text", "loaded", "record_text", "steps_text"]

EXAMPLES = Path(__file__).parents[2] / "examples"

State = dict[str, Any]


def record_text(program: Program, *, steps: int, seed: int = 1) -> str:
    """A record of so many steps of a program, whatever its language."""
    return (
        cycles_text(program, cycles=steps // 2, seed=seed)
        if program.language == "LISA"
        else steps_text(program, steps=steps, seed=seed)
    )


def as_record(text: str, name: str = "run.jsonl") -> Record:
    return parse_record(Source(name, text))


def _header(program: Program, model: Model, seed: int) -> Header:
    numbers = program.parameters if isinstance(program, ParametricProgram) else {}
    return Header(
        language=program.language,
        program="program",
        program_sha256=digest(program),
        agents=tuple(model.agents),
        initial={slot: to_json_value(value) for slot, value in model.system.slots.items()},
        parameters={name: str(value) for name, value in numbers.items()},
        seed=seed,
    )


def _draw(choice: Choice, chance: Random) -> int:
    weights = [float(weight) for weight, _ in choice.outcomes]
    return chance.choices(range(len(weights)), weights)[0]


def steps_text(program: Program, *, steps: int, seed: int = 1) -> str:
    """A run of a system that moves one component at a time."""
    chance, model = Random(seed), program.model()
    stream = io.StringIO()
    recorder = Recorder(stream)
    recorder.begin(_header(program, model, seed))
    state: State = dict(model.system.slots)
    for number in range(1, steps + 1):
        offered = [
            (each.name, choice) for each in model.system.components for choice in each.step(state)
        ]
        if not offered:
            break
        taken = chance.randrange(len(offered))
        component, choice = offered[taken]
        index = sum(
            name == component for name, _ in offered[:taken]
        )  # among the choices of all components of this name
        outcome = _draw(choice, chance)
        after = {**state, **choice.outcomes[outcome][1]}
        for reaction in model.system.reactions if choice.triggers_reactions else ():
            after |= reaction.react(after)
        changes = tuple(changes_between(model.describe(state), model.describe(after)))
        weight = str(choice.outcomes[outcome][0])
        reported = AnnotatedStep(
            number, origins_of(choice.label), changes, model.describe(after), weight
        )
        data = step_to_json(
            reported,
            {k: to_json_value(v) for k, v in state.items()},
            {k: to_json_value(v) for k, v in after.items()},
        )
        recorder.write(
            "step",
            cycle=number - 1,
            t=float(number - 1),
            component=component,
            choice=index,
            outcome=outcome,
            **data,
        )
        state = after
    recorder.write("end", cycle=steps, t=float(steps), reason="cycles")
    return stream.getvalue()


def cycles_text(program: Program, *, cycles: int, seed: int = 1) -> str:
    """A run of a LISA agent against the draws of its own model."""
    chance, model = Random(seed), program.model()
    assert isinstance(model, Executable)
    stream = io.StringIO()
    recorder = Recorder(stream)
    recorder.begin(_header(program, model, seed))
    state: State = dict(model.system.slots)
    agent = model.agents[0]
    for cycle in range(cycles):
        believing, drawn = _half_step(model, state, chance, recorder, cycle)
        percepts = {
            name: bool(value)
            for name, value in drawn.items()
            if name in _names(program, "percepts") and state[name] != value
        }
        feedbacks = [
            {"id": None, "action": action.name, "feedback": each.name}
            for action in program.agent.actions  # type: ignore[attr-defined]
            for each in action.feedbacks
            if believing[each.name] == 1 and drawn.get(each.name) == 1
        ]
        acting, _ = _half_step(model, believing, chance, recorder, cycle)
        recorder.write(
            "cycle",
            agent=agent,
            cycle=cycle,
            t=float(cycle),
            inbox={"percepts": percepts, "feedbacks": feedbacks, "messages": []},
            beliefs=_changed(state, believing),
            plans=_changed(believing, acting),
        )
        state = acting
    recorder.write("end", cycle=cycles, t=float(cycles), reason="cycles")
    return stream.getvalue()


def _names(program: Program, kind: str) -> set[str]:
    return {each.name for each in getattr(program.agent, kind)}  # type: ignore[attr-defined]


def _half_step(
    model: Executable, state: State, chance: Random, recorder: Recorder, cycle: int
) -> tuple[State, Mapping[str, Hashable]]:
    effect: dict[str, Hashable] = {}
    drawn: dict[str, Hashable] = {}
    for component in model.system.components:
        choices: Sequence[Choice] = component.step(state)
        if not choices:
            continue
        choice = chance.choice(choices)
        if len(choices) > 1:
            plans = [each.label.plan for each in choices]  # type: ignore[attr-defined]
            options = [{"plan": plan} for plan in plans]
            chosen = choice.label.plan  # type: ignore[attr-defined]
            recorder.write(
                "choice",
                cycle=cycle,
                agent=model.agents[0],
                group=component.name,
                options=options,
                chosen=chosen,
                by="random",
            )
        written = choice.outcomes[_draw(choice, chance)][1]
        effect |= written
        if model.is_environment(component):
            drawn |= written
    return {**state, **effect}, drawn


def _changed(before: State, after: State) -> dict[str, Any]:
    return {slot: to_json_value(value) for slot, value in after.items() if before[slot] != value}


def loaded(name: str, **settings: Any) -> Program:
    """An example by its path below the examples' folder."""
    return load(EXAMPLES / name, {key.replace("__", "."): value for key, value in settings.items()})
