"""Valid calls of the commands on a project, with options at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from tests.fuzz.formulas import formula, goal, objective, query, state_formula, truth
from tests.fuzz.options import VALUES, command_options, drawn_options
from tests.fuzz.projects import Project
from tests.fuzz.trials import Content, Trial

__all__ = ["READERS", "call", "suited_command", "trial_of", "with_options"]

LIMITS: Mapping[str, str] = {
    "--max-states": "400",
    "--timeout": "10",
    "--jobs": "1",
    "--runs": "20",
    "--num-schedulers": "2",
}
"""What keeps a call short, where its command has such an option."""

READERS = (
    "show",
    "check",
    "check",
    "check",
    "explore",
    "export",
    "export",
    "slice",
    "simulate",
    "strategy",
    "run",
    "run",
    "sweep",
    "pareto",
    "mission",
    "test",
)
"""The commands that read a program, more often those with more behind them."""


def call(chance: random.Random, command: str, project: Project) -> tuple[str, ...]:
    """A valid call of a command on the program of a project."""
    given: list[str] = []
    match command:
        case "slice":
            given = ["--property", truth(chance, project)]
        case "check" | "explore" | "show" | "test":
            asks = "--property" in command_options(command) and chance.random() < 0.7
            given = ["--property", formula(chance, project)] if asks else []
        case "strategy":
            given = ["--property", chance.choice((goal, objective))(chance, project)]
        case "mission":
            given = ["--property", goal(chance, project)]
        case "pareto":
            given = [
                "--property",
                goal(chance, project),
                "--property",
                chance.choice((goal, objective))(chance, project),
            ]
        case "simulate":
            given = ["--property", query(chance, project)]
        case "sweep":
            given = [
                "--vary",
                VALUES["--vary"](chance, project),
                "--property",
                query(chance, project),
            ]
        case "export":
            given = _export(chance, project)
        case "run":
            given = ["--cycles", "25"]
        case _:
            raise AssertionError(f"{command} does not read programs")
    name = "." if command == "test" else project.name
    trust = (
        ["--trust"] if project.runs_its_own_code and "--trust" in command_options(command) else []
    )
    return (command, name, "--json", *with_options(chance, command, [*given, *trust], project))


def _export(chance: random.Random, project: Project) -> list[str]:
    possible = [
        "dot",
        "umb",
        "hoa",
        *(["prism"] if project.language in ("LISA", "Dribble") else []),
    ]
    target = chance.choice(
        [*possible, *(["promela"] if project.language == "AgentSpeak(F)" else [])]
    )
    match target:
        case "hoa":
            return ["--to", target, "--property", truth(chance, project)]
        case "umb":
            return [
                "--to",
                target,
                "--property",
                state_formula(chance, project, 2),
                "--output",
                "out/space.umb",
            ]
        case "dot":
            return ["--to", target]
        case _:
            return [
                "--to",
                target,
                *(["--property", formula(chance, project)] if chance.random() < 0.5 else []),
            ]


def suited_command(chance: random.Random, project: Project) -> str:
    """A command that reads a program; only one with parameters can be swept."""
    return chance.choice([each for each in READERS if each != "sweep" or project.parameters])


def with_options(
    chance: random.Random, command: str, given: Sequence[str], project: Project
) -> tuple[str, ...]:
    """The arguments that are given, and other options that are drawn, with limits among them; none
    of them twice."""
    arguments = [*given]
    drawn = drawn_options(chance, command, project)
    position = 0
    while position < len(drawn):
        wide = 2 if drawn[position] in VALUES else 1
        if drawn[position] == "--set" or drawn[position] not in arguments:
            arguments += drawn[position : position + wide]
        position += wide
    if "--real-time" in arguments and "--cycles" in arguments:
        arguments[arguments.index("--cycles") + 1] = "2"
    for option, value in LIMITS.items():
        if option in command_options(command) and option not in arguments:
            arguments += [option, value]
    return tuple(arguments)


def trial_of(files: Mapping[str, Content], arguments: Sequence[str]) -> Trial:
    """A call with a folder to write into."""
    return Trial({**files, "out/empty.txt": ""}, tuple(arguments))
