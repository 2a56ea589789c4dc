"""Second opinions on input that was accepted: the same question another way, and what was written,
read again."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.trials import Outcome, Trial, complaint, document, run

__all__ = ["disagreement"]

OTHER_WAYS = (
    ("--exact",),
    ("--float",),
    ("--reduce", "off"),
    ("--reduce", "lookahead"),
    ("--reduce", "static"),
    ("--jobs", "2"),
    ("--engine", "native"),
    ("--engine", "storm"),
    ("--slice",),
)
"""Options that change how a question is answered, never the answer."""

TOLERANCE = 1e-5
NOT_FOR_ALL = ("--engine", "--slice")
"""Ways that some questions cannot go: a refusal of them is fine."""


def disagreement(chance: random.Random, trial: Trial, outcome: Outcome) -> tuple[str, Trial] | None:
    """What contradicts an accepted call, and the call that shows it."""
    if not outcome.accepted or "space.vsp" in trial.files:
        return None
    match trial.command:
        case "check" if "--json" in trial.arguments:
            return _other_answers(chance, trial, outcome)
        case "run" if trial.arguments[1:2]:
            return _not_a_run(trial)
        case "slice" if outcome.exit_code == 0 and document(outcome):
            return _not_a_program(trial, document(outcome) or {})
        case _:
            return None


def _again(trial: Trial) -> Outcome:
    with TemporaryDirectory() as folder:
        return run(trial, Path(folder))


# --- check ----------------------------------------------------------------------------------------


def _other_answers(
    chance: random.Random, trial: Trial, outcome: Outcome
) -> tuple[str, Trial] | None:
    ways = [each for each in OTHER_WAYS if _is_free(trial.arguments, each)]
    if not ways:
        return None
    way = chance.choice(ways)
    other = trial.calling(*_without(trial.arguments, way[0]), *way)
    again = _again(other)
    fault = complaint(other, again)
    if fault is None:
        fault = _contradiction(document(outcome) or {}, document(again) or {}, again, way)
    return None if fault is None else (fault, other)


def _is_free(arguments: Sequence[str], way: Sequence[str]) -> bool:
    """Whether the option is not used already; slices and reductions of a part of a program are
    different parts."""
    rival = {"--exact": "--float", "--float": "--exact", "--slice": "--depth"}.get(way[0])
    return (way[0] not in arguments or way[0] == "--jobs") and rival not in arguments


def _without(arguments: Sequence[str], option: str) -> tuple[str, ...]:
    index = arguments.index(option) if option in arguments else len(arguments)
    return (*arguments[:index], *arguments[index + 2 :])


def _contradiction(
    first: Mapping[str, Any], second: Mapping[str, Any], again: Outcome, way: Sequence[str]
) -> str | None:
    if not again.accepted:
        return None if way[0] in NOT_FOR_ALL else f"check {way[0]} refuses what check accepts"
    for one, other in zip(first.get("properties", ()), second.get("properties", ()), strict=False):
        if "holds" in one and "holds" in other and one["holds"] != other["holds"]:
            return f"check {' '.join(way)} contradicts check"
        if not _overlap(_interval(one), _interval(other)):
            return f"check {' '.join(way)} gives another value than check"
    return None


def _interval(answer: Mapping[str, Any]) -> tuple[float, float] | None:
    if "value" in answer:
        value = float(answer["value"])
        return float(answer.get("lower", value)), float(answer.get("upper", value))
    if answer.get("lower") is not None and answer.get("upper") is not None:
        return float(answer["lower"]), float(answer["upper"])
    return None


def _overlap(one: tuple[float, float] | None, other: tuple[float, float] | None) -> bool:
    if one is None or other is None:
        return True
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return low <= high or low - high <= TOLERANCE * max(1.0, abs(low))


# --- what is written ------------------------------------------------------------------------------


def _not_a_run(trial: Trial) -> tuple[str, Trial] | None:
    """A run of a simulated world that is recorded must be a run of the model."""
    program = trial.arguments[1]
    chosen = [*_settings(trial.arguments), *(["--trust"] if "--trust" in trial.arguments else [])]
    recording = trial.calling(
        "run",
        program,
        "--json",
        "--quiet",
        "--cycles",
        "15",
        "--world",
        "simulated",
        "--record",
        "out/run.jsonl",
        *chosen,
    )
    made = _again(recording)
    fault = complaint(recording, made)
    if fault is not None:
        return fault, recording
    if not made.accepted or "out/run.jsonl" not in made.written:
        return None
    with_record = recording.with_file("run.jsonl", made.written["out/run.jsonl"])
    for command in ("conform", "replay"):
        query = with_record.calling(command, "run.jsonl", program, "--json", *chosen)
        again = _again(query)
        fault = complaint(query, again)
        if fault is None and again.exit_code != 0:
            fault = f"{command} rejects a recorded run with {again.exit_code}"
        if fault is not None:
            return fault, query
    return None


def _settings(arguments: Sequence[str]) -> list[str]:
    indices = [
        index for index, each in enumerate(arguments[:-1]) if each in ("--set", "--settings")
    ]
    return [each for position in indices for each in arguments[position : position + 2]]


def _not_a_program(trial: Trial, found: Mapping[str, Any]) -> tuple[str, Trial] | None:
    """The slice of a program that is one file must be a program again."""
    program, text = trial.arguments[1], found.get("program")
    if not isinstance(text, str) or [
        each for each in trial.files if not each.endswith((".txt", ".props"))
    ] != [program]:
        return None
    sliced = trial.with_file(program, text).calling(
        "show", program, "--json", *_settings(trial.arguments)
    )
    again = _again(sliced)
    fault = complaint(sliced, again) or (None if again.accepted else "a slice is not a program")
    return None if fault is None else (fault, sliced)
