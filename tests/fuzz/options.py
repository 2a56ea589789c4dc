"""Valid values for every option of every command, to combine at random."""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable, Mapping
from functools import cache

import click

from tests.fuzz.formulas import formula, objective, state_formula
from tests.fuzz.projects import Project

__all__ = ["FLAGS", "LEFT_OUT", "VALUES", "command_options", "drawn_options"]

Draw = Callable[[random.Random, Project], str]


def _one_of(*values: str) -> Draw:
    return lambda chance, _: chance.choice(values)


def _setting(chance: random.Random, project: Project) -> str:
    if not project.parameters:
        return "nothing=1"
    return f"{chance.choice(sorted(project.parameters))}={chance.choice(('0', '1', '2', '0.5', '1/3', '3'))}"  # noqa: E501


def _varied(chance: random.Random, project: Project) -> str:
    name = chance.choice(sorted(project.parameters)) if project.parameters else "nothing"
    return f"{name}={chance.choice(('0:1:0.5', '1,2', '0.25', '0.1:0.2:0.1', '3:1:-1', '1/3,2/3'))}"


VALUES: Mapping[str, Draw] = {
    "--set": _setting,
    "--vary": _varied,
    "--property": formula,
    "--assume": lambda chance, project: f"G F ({state_formula(chance, project, 1)})",
    "--observe": formula,
    "--objective": objective,
    "--until": lambda chance, project: state_formula(chance, project, 1),
    "--trace": _one_of("summary", "changes", "full", "actions", "none"),
    "--write-trace": _one_of("out/trace.json"),
    "--fair": _one_of("weak", "strong"),
    "--engine": _one_of("auto", "native", "storm", "cross", "spin"),
    "--reduce": _one_of("auto", "off", "static", "lookahead"),
    "--slice": _one_of("sound", "guided"),
    "--depth": _one_of("0", "1", "7", "40"),
    "--max-states": _one_of("1", "40", "300", "2k"),
    "--max-memory": _one_of("200M", "1G"),
    "--timeout": _one_of("10", "5s", "0.2m"),
    "--jobs": _one_of("1", "2"),
    "--as": _one_of("table", "tree", "json", "python", "can", "dot"),
    "--plot": _one_of("out/plot.svg"),
    "--graph": _one_of("out/graph.svg", "out/graph.dot"),
    "--csv": _one_of("out/table.csv"),
    "--style": _one_of("heatmap", "lines"),
    "--simulate": _one_of("1", "20"),
    "--seed": _one_of("0", "1", "7", "4294967296"),
    "--confidence": _one_of("0.5", "0.9", "0.99"),
    "--error": _one_of("0.3", "0.1"),
    "--runs": _one_of("1", "20"),
    "--max-steps": _one_of("1", "30", "200"),
    "--scheduler": _one_of("search", "uniform"),
    "--num-schedulers": _one_of("1", "4"),
    "--cost": lambda chance, project: (
        chance.choice(project.rewards).strip('"') if project.rewards else "cost"
    ),
    "--budget": _one_of("0", "3", "5/2", "12"),
    "--cycles": _one_of("1", "5", "30"),
    "--selector": _one_of("first", "random", "verified"),
    "--world": _one_of("simulated", "python", "vessel"),
    "--record": _one_of("out/record.jsonl"),
    "--save": _one_of("out/space.vsp"),
    "--method": _one_of("bordini", "winikoff", "sound"),
    "--output": _one_of("out/output", "-"),
    "--to": _one_of("prism", "promela", "dot", "umb", "hoa"),
    "--timing": _one_of("program", "every-cycle", "fit"),
    "--write": _one_of("out/learned.settings"),
}
"""Options that take a value, with a function that draws a valid one."""

FLAGS = frozenset(
    {
        "--trust",
        "--generic",
        "--per-event",
        "--all-belief-bases",
        "--strategy",
        "--force",
        "--exact",
        "--float",
        "--derived-beliefs",
        "--stats",
        "--no-color",
        "--uniform",
        "--closed-form",
        "--real-time",
        "--quiet",
        "--coverage",
        "--resume",
        "--explain",
        "--explore",
        "--no-robust",
        "--list",
        "--forget",
    }
)

LEFT_OUT = frozenset(
    {
        "--help",
        "--json",
        "--settings",
        "--props",
        "--mission",
        "--open",
        "--live",
        "--port",
        "--no-open",
        "--cluster",
    }
)
"""Options that open a browser, listen or connect; ``--json``, which every call has; and those that
name a file, which have specimens."""


SUITED: Mapping[str, tuple[str, ...]] = {
    "--generic": ("CAN",),
    "--per-event": ("CAN",),
    "--all-belief-bases": ("CAN",),
    "--derived-beliefs": ("LISA",),
    "--timing": ("LISA",),
    "--world": ("LISA",),
}
"""Options that are refused in programs of other languages."""


@cache
def command_options(command: str) -> tuple[str, ...]:
    """The options of a command, each by its long name."""
    found = importlib.import_module(f"volition.cli.{command.replace('-', '_')}").command
    assert isinstance(found, click.Command)
    names: list[str] = []
    for each in found.params:
        if isinstance(each, click.Option):
            long = [name for name in each.opts if name.startswith("--")]
            names += [*long[:1], *each.secondary_opts]
    return tuple(names)


def drawn_options(
    chance: random.Random, command: str, project: Project, maximum: int = 3
) -> tuple[str, ...]:
    """Some options of a command with valid values, in a random order; none of them twice."""
    possible = [
        each
        for each in command_options(command)
        if each not in LEFT_OUT and (_suits(each, project) or chance.random() < 0.1)
    ]
    chosen = chance.sample(possible, min(len(possible), chance.randint(0, maximum)))
    arguments: list[str] = []
    for each in chosen:
        arguments += [each] if each in FLAGS else [each, VALUES[each](chance, project)]
    return tuple(arguments)


def _suits(option: str, project: Project) -> bool:
    return project.language in SUITED.get(option, (project.language,)) and (
        option != "--set" or bool(project.parameters)
    )
