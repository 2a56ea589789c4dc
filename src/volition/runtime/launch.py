"""Start of a run: combines the run file of a program with the user's options, creates the world,
the selector, the record and the runner, and runs the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import IO, assert_never, get_args

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.resolved import ResolvedAgent
from volition.languages.protocols import (
    Executable,
    HasSlotDescriptions,
    Model,
    ParametricProgram,
    Program,
)
from volition.reporting.annotated_runs import TraceRow
from volition.reporting.json_values import to_json_value
from volition.runtime.bridge import Bridge
from volition.runtime.bridge.zenoh import ADDRESS, ZenohBridge
from volition.runtime.connected_runner import ConnectedRunner
from volition.runtime.console_log import ConsoleLog
from volition.runtime.executive import Runner, RunResult, run
from volition.runtime.external_actions_runner import ExternalActionRunner
from volition.runtime.interleaved_runner import InterleavedRunner
from volition.runtime.lisa.cycle import LisaCycle
from volition.runtime.record import Header, Recorder, digest
from volition.runtime.run_file import RunFile, RunFileEntry, SelectorKind, WorldKind, run_file_of
from volition.runtime.run_log import LogListener, RunLog
from volition.runtime.selectors import Selector, selector_named
from volition.runtime.skills.configuration import (
    bridged_outside,
    bridged_world,
    failure_feedbacks,
    python_world,
    single_agent,
)
from volition.runtime.stop_conditions import StopCondition, parse_stop_condition
from volition.runtime.telemetry import TelemetryPublisher
from volition.runtime.verification.derived_beliefs import GeneratedBeliefs
from volition.runtime.verification.parameter_updates import ParameterUpdates
from volition.runtime.verification.section import VerificationSection
from volition.runtime.verification.setup import verification_of
from volition.runtime.worlds.interface import RuntimeWorld
from volition.runtime.worlds.simulated import SimulatedWorld
from volition.subprocesses import refusing_exits

__all__ = ["DEFAULT_CYCLES", "RunOptions", "WorldFactory", "run_program"]

DEFAULT_CYCLES = 1_000
"""The cycle limit if neither the run file nor the user sets one. Many agents never end by
themselves."""

WorldFactory = Callable[[ResolvedAgent, RunFile, int], RuntimeWorld]
"""Function that creates a world from an agent, its run file and a seed.

The returned world may have two optional attributes: ``ends``, the beliefs that end the run, and
``cycles``, a cycle limit. Each applies only if the run file does not set it.
"""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """Options of a run that the user gives. None means that the run file or a default decides."""

    seed: int = 1
    cycles: int | None = None
    select: str | None = None
    objective: str | None = None
    world: str | None = None
    mission: Path | None = None
    end: str | None = None
    record: Path | IO[str] | None = None
    overwrite: bool = False
    real_time: bool = False
    cycle: float | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    changes: ParameterUpdates = field(default_factory=ParameterUpdates)


def run_program(
    program: Program,
    options: RunOptions,
    *,
    watch: LogListener | None,
    report: Callable[[TraceRow], None] | None,
    warnings: Diagnostics,
    worlds: Mapping[str, WorldFactory],
) -> RunResult:
    """Run a program with its run file and the options of the user, and return the result.

    ``watch`` receives the lines of the run log, ``report`` the rows of the console output.
    ``worlds`` has the factories of worlds that are defined outside this package, by name. Warnings
    go to ``warnings``. Raise :class:`InputError` if the run file or the options have errors.
    """
    errors = Diagnostics()
    file = run_file_of(program, errors)
    errors.raise_errors()
    warnings.extend(errors.warnings)
    file = _with_options(file, options)
    with ExitStack() as closing:
        closing.enter_context(refusing_exits())
        verification = verification_of(program, file, warnings, real_time=options.real_time)
        closing.callback(verification.close)
        program = verification.program
        model = program.model()
        select = _select(file, options, verification.declared)
        bridge = _bridge(model, file)
        if bridge is not None:
            closing.callback(bridge.close)
        world = (
            _world(model, file, options, worlds, bridge, warnings)
            if isinstance(model, LisaModel)
            else None
        )
        stated = file.stop_conditions or [
            RunFileEntry("", text, None) for text in getattr(world, "ends", ())
        ]
        ends = [parse_stop_condition(program, model, each.value, each.span) for each in stated]
        cycles = file.cycles or getattr(world, "cycles", DEFAULT_CYCLES)
        recorder = (
            None
            if options.record is None
            else Recorder(options.record, overwrite=options.overwrite)
        )
        if recorder is not None:
            closing.callback(recorder.close)
        broadcast = (
            TelemetryPublisher(model, bridge, shows=bool(verification.declared.monitored))
            if bridge
            else None
        )
        watchers = [watch, ConsoleLog(model, report) if report else None, broadcast]
        journal = RunLog(recorder, [each for each in watchers if each is not None])
        selector = (
            verification.selector(model, journal, options.changes, warnings)
            if select == "verified"
            else selector_named(select, options.seed)
        )
        runner = _runner(
            model, file, world, options, selector, journal, ends, verification.beliefs, bridge
        )
        journal.begin(_header(program, model, file, options, select))
        return run(
            verification.showing(runner, journal),
            journal,
            cycles=cycles,
            cycle_seconds=file.cycle,
            real_time=options.real_time,
        )


def _select(file: RunFile, options: RunOptions, declared: VerificationSection) -> SelectorKind:
    """Return the kind of selector for a run: that of ``file``, else ``verified`` if the run file
    has an objective or a safety query, else ``random``. The options of the user have already been
    copied into ``file``.

    Raise :class:`InputError` if the run file contradicts itself: it has an objective or a safety
    query, but also a line ``select`` with a selector other than ``verified``. If the user gives the
    selector as an option, this is not an error.
    """
    if declared.chooses and options.select is None and file.selector not in (None, "verified"):
        queries = (
            line
            for line in file.sections.get("verification", ())
            if line.text.startswith(("objective", "safety"))
        )
        hint = f"leave out this line or 'select = {file.selector}', or write 'select = verified'"
        what = f"this query chooses plans, which contradicts 'select = {file.selector}'"
        raise InputError([Diagnostic("RUN217", what, next(queries, None), hint)])
    return file.selector or ("verified" if declared.chooses else "random")


def _bridge(model: Model, file: RunFile) -> Bridge | None:
    """Return the message bridge to other processes, or None if the run needs none. The world
    'bridge' needs one, and so does any world if the run file has an address to listen on."""
    if file.world != "bridge" and file.bridge is None:
        return None
    return ZenohBridge(file.run or model.agents[0], listen=file.bridge or ADDRESS)


def _with_options(file: RunFile, options: RunOptions) -> RunFile:
    for option, value, known in (
        ("select", options.select, get_args(SelectorKind)),
        ("world", options.world, get_args(WorldKind)),
    ):
        if value is not None and value not in known:
            hint = did_you_mean(value, known) or f"expected one of {', '.join(known)}"
            message = f"invalid value '{value}' for the option '{option}'"
            raise InputError([Diagnostic("RUN003", message, hint=hint)])
    if options.mission is not None and options.world not in (None, "vessel"):
        message = f"a mission needs the world 'vessel', not '{options.world}'"
        raise InputError([Diagnostic("RUN009", message, hint="omit the mission or the world")])
    world = "vessel" if options.mission is not None else options.world
    ends = None if options.end is None else (RunFileEntry("", options.end, None),)
    if options.objective is not None:
        if options.select not in (None, "verified"):
            hint = "omit one of the two: only the selector 'verified' uses an objective"
            raise InputError(
                [
                    Diagnostic(
                        "RUN217",
                        f"an objective cannot be combined with the selector '{options.select}'",
                        hint=hint,
                    )
                ]
            )
        file = replace(
            file, sections=_with_objective(options.objective, file.sections), selector="verified"
        )
    given = {
        "stop_conditions": ends,
        "selector": options.select,
        "world": world,
        "mission": options.mission,
        "cycles": options.cycles,
        "cycle": options.cycle,
    }
    return replace(file, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]


def _with_objective(
    objective: str, sections: Mapping[str, Sequence[Span]]
) -> Mapping[str, Sequence[Span]]:
    """Return the sections of a run file with the objective replaced. The optimal strategy of the
    new objective chooses the plans."""
    source = Source("<objective>", f"objective = {objective}")
    others = [
        line for line in sections.get("verification", ()) if not line.text.startswith("objective")
    ]
    return {**sections, "verification": (*others, source.span(0, len(source.text)))}


def _runner(
    model: Model,
    file: RunFile,
    world: RuntimeWorld | None,
    options: RunOptions,
    selector: Selector,
    journal: RunLog,
    ends: list[StopCondition],
    beliefs: GeneratedBeliefs | None,
    bridge: Bridge | None,
) -> Runner:
    if isinstance(model, LisaModel) and world is not None:
        noticed = (
            None if beliefs is None else partial(beliefs.log_changes, journal, model.agents[0])
        )
        failures = failure_feedbacks(model.understood, file)
        return LisaCycle(
            model, world, selector, journal, failures=failures, ends=ends, noticed=noticed
        )
    chance = Random(f"world {options.seed}")
    if file.world == "bridge" and bridge is not None:
        outside = bridged_outside(file, bridge, real_time=options.real_time)
        if isinstance(model, Executable):
            return ConnectedRunner(model, outside, selector, journal, chance=chance, ends=ends)
        return ExternalActionRunner(model, outside, selector, journal, chance=chance, ends=ends)
    if file.world != "simulated":
        hint = (
            "omit 'world' to simulate the program's own world, or write 'world = bridge' to "
            "connect it"
        )
        raise InputError(
            [
                Diagnostic(
                    "RUN005",
                    f"a program of this language cannot run in the world '{file.world}'",
                    hint=hint,
                )
            ]
        )
    return InterleavedRunner(model, selector, journal, chance=chance, ends=ends)


def _world(
    model: LisaModel,
    file: RunFile,
    options: RunOptions,
    makers: Mapping[str, WorldFactory],
    bridge: Bridge | None,
    warnings: Diagnostics,
) -> RuntimeWorld:
    match file.world:
        case "simulated":
            return SimulatedWorld(model.system, Random(f"world {options.seed}"))
        case "python":
            return python_world(model.understood, file, warnings)
        case "bridge":
            assert bridge is not None
            return bridged_world(model.understood, file, bridge, real_time=options.real_time)
        case "vessel":
            pass
        case _:
            assert_never(file.world)
    make = makers.get(file.world)
    if make is None:
        raise InputError(
            [
                Diagnostic(
                    "RUN005",
                    f"the world '{file.world}' is not available: the caller of this run does not "
                    "provide it",
                    hint="omit 'world', or choose another world",
                )
            ]
        )
    return make(single_agent(model.understood, file.world), file, options.seed)


def _header(
    program: Program, model: Model, file: RunFile, options: RunOptions, select: str
) -> Header:
    parameters = program.parameters if isinstance(program, ParametricProgram) else {}
    return Header(
        language=program.language,
        program=program.sources[0].name if program.sources else "",
        program_sha256=digest(program),
        agents=tuple(model.agents),
        initial={slot: to_json_value(value) for slot, value in model.system.slots.items()},
        parameters={name: to_json_value(value) for name, value in parameters.items()},
        settings=options.settings,
        seed=options.seed,
        world=file.world,
        cycle_seconds=file.cycle,
        select=select,
        initial_view=model.describe(model.system.slots),
        slot_descriptions=model.slot_descriptions()
        if isinstance(model, HasSlotDescriptions)
        else {},
    )
