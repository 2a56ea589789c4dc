"""Description of a multi-agent system: which agents, world, options and properties it has.

It is read from a Volition project file (``.gwendolen``), a configuration file of MCAPL, the public
implementation (``.ail``), or a program file alone (``.gwen``, ``.eass``). Settings from the command
line override the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from volition.diagnostics import Diagnostics, Source, Span, did_you_mean
from volition.languages.common.properties import stated_properties
from volition.languages.common.sections import content_lines
from volition.languages.gwendolen.options import Settings
from volition.languages.gwendolen.settings import OPTIONS, with_option
from volition.languages.world.terms import Term
from volition.languages.world.world_parameters import given_value
from volition.logic.parsing.property_file import UnparsedProperty

__all__ = ["NO_WORLD", "AgentEntry", "Project", "read_ail", "read_project", "read_settings"]

NO_WORLD = "none"
"""Value of the setting ``world`` that disables the world, even if there is a ``.world`` file."""

_AGENT, _AGENTS, _WORLD, _PARAMETER, _PROPERTIES = (
    "agent",
    "agents",
    "world",
    "parameter",
    "properties",
)
_STATEMENTS = (_AGENT, _AGENTS, _WORLD, _PARAMETER, _PROPERTIES)
_LINE = re.compile(r"(?:(?P<kind>agent|parameter)\s+)?(?P<key>[\w.-]+)\s*=\s*(?P<value>.*)")


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """Line of a project file that names a program file. It adds all agents of that file to the
    system or, if ``name`` is set, one agent under that name."""

    file: str
    name: str | None
    span: Span | None


@dataclass
class Project:
    """Contents of a project file, with the settings from the command line applied."""

    source: Source
    agents: list[AgentEntry] = field(default_factory=list)
    world: tuple[str, Span | None] | None = None
    parameters: dict[str, tuple[Term, Span | None]] = field(default_factory=dict)
    options: Settings = field(default_factory=Settings)
    properties: tuple[UnparsedProperty, ...] = ()
    property_files: list[tuple[str, Span]] = field(default_factory=list)
    environment: tuple[str, Span] | None = None
    """Java class that an ``.ail`` file names as its environment, with its position. None if there
    is none, or if it is the default environment."""


def read_settings(project: Project, settings: Mapping[str, str], diagnostics: Diagnostics) -> None:
    """Apply settings from the command line to a project. A setting is an option, the world, or a
    parameter of the world."""
    for key, text in settings.items():
        if key in OPTIONS:
            project.options = with_option(project.options, key, text, diagnostics)
        elif key == _WORLD:
            project.world = text, None
        else:
            _set_parameter(project, key, text, None, diagnostics)


def _set_parameter(
    project: Project, name: str, text: str, span: Span | None, diagnostics: Diagnostics
) -> None:
    value = given_value(text)
    if value is None:
        hint = "write a number such as 3 or 0.5, a name such as red, or a term such as at(1, 2)"
        diagnostics.error("GWN070", f"the parameter '{name}' cannot be '{text}'", span, hint=hint)
    else:
        project.parameters[name] = value, span


# --- Volition project files (.gwendolen) ----------------------------------------------------------


def read_project(source: Source, diagnostics: Diagnostics) -> Project:
    """Return the project in a ``.gwendolen`` file. The lines after a line ``properties`` are
    properties of the system."""
    project = Project(source)
    queried: list[tuple[int, int]] = []
    entries: dict[tuple[str | None, str], Span] = {}
    for line in content_lines(source, 0, len(source.text)):
        if line.text == _PROPERTIES:
            queried = [(line.end, len(source.text))]
            break
        written = _LINE.fullmatch(line.text)
        if written is None or not written["value"]:
            _unknown_line(line, diagnostics)
            continue
        kind, key, value = written["kind"], written["key"], written["value"].strip()
        if (
            key not in (_AGENTS, _PROPERTIES)
            and (first := entries.setdefault((kind, key), line)) is not line
        ):
            diagnostics.error(
                "GWN071",
                f"the {kind or 'key'} '{key}' is given twice",
                line,
                hint=f"first in line {first.line}: remove one of them",
            )
        _read_line(project, kind, key, value, line, diagnostics)
    project.properties = stated_properties(source, queried, diagnostics)
    if not project.agents and not diagnostics.errors:
        diagnostics.error(
            "GWN072",
            "the project has no agents",
            source.span(0, 1),
            hint="write: agents = file.gwen",
        )
    return project


def _read_line(
    project: Project, kind: str | None, key: str, value: str, line: Span, diagnostics: Diagnostics
) -> None:
    if kind == _AGENT:
        project.agents.append(AgentEntry(value, key, line))
    elif kind == _PARAMETER:
        _set_parameter(project, key, value, line, diagnostics)
    elif key == _AGENTS:
        project.agents += [AgentEntry(each.strip(), None, line) for each in value.split(",")]
    elif key == _WORLD:
        project.world = value, line
    elif key == _PROPERTIES:
        project.property_files.append((value, line))
    elif key in OPTIONS:
        project.options = with_option(project.options, key, value, diagnostics, line)
    else:
        _unknown_line(line, diagnostics)


def _unknown_line(line: Span, diagnostics: Diagnostics) -> None:
    word = re.split(r"[\s=]", line.text)[0]
    known = (*_STATEMENTS, *OPTIONS)
    shapes = (
        "agent name = file.gwen, agents = file.gwen, world = file.world, parameter name = "
        "value, properties = file.psl"
    )
    hint = (
        f"write {shapes}, or an option"
        if word in known
        else did_you_mean(word, known) or f"expected {shapes}, or one of {', '.join(OPTIONS)}"
    )
    diagnostics.error("GWN073", f"unexpected '{line.text[:60]}'", line, hint=hint)


# --- configuration files of MCAPL (.ail) ----------------------------------------------------------

_EVERY_CYCLE, _STORE_SENT = "ajpf.transition_every_reasoning_cycle", "ail.store_sent_messages"
_AIL_AGENT = re.compile(r"mas\.agent\.(?P<number>\d+)\.(?P<what>file|builder|name)")
_AIL_KEYS = (
    "env",
    "mas.file",
    "mas.builder",
    "mas.agent.1.file",
    "mas.agent.1.builder",
    "mas.agent.1.name",
    _EVERY_CYCLE,
    _STORE_SENT,
)
_BUILDERS = re.compile(r"gwendolen|eass", re.IGNORECASE)
_NEUTRAL_ENVIRONMENTS = ("ail.mas.DefaultEnvironment",)
"""Java environments of MCAPL that need no world: they have no percepts, and every action succeeds.
"""


def read_ail(source: Source, diagnostics: Diagnostics) -> Project:
    """Return the system that an ``.ail`` file describes: agents, world and options."""
    project = Project(source)
    agents: dict[int, dict[str, tuple[str, Span]]] = {}
    unknown: list[tuple[str, Span]] = []
    for key, value, line in _ail_lines(source, diagnostics):
        agent_key = _AIL_AGENT.fullmatch(key)
        if agent_key:
            agents.setdefault(int(agent_key["number"]), {})[agent_key["what"]] = value, line
        if key == "mas.file":
            project.agents.append(AgentEntry(value, None, line))
        elif key == "env":
            project.environment = None if value in _NEUTRAL_ENVIRONMENTS else (value, line)
        elif key == "world":
            project.world = value, line
        elif key == _STORE_SENT:
            project.options = replace(
                project.options, store_sent=_is_true(key, value, line, diagnostics)
            )
        elif key == _EVERY_CYCLE:
            _check_every_cycle(value, line, diagnostics)
        elif key.endswith("builder"):
            _check_builder(value, line, diagnostics)
        elif not agent_key and not key.startswith("log."):
            unknown.append((key, line))
    _add_agents(project, agents, diagnostics)
    _warn_unknown_keys(unknown, diagnostics)
    if not project.agents and not diagnostics.errors:
        hint = "write mas.file = file.gwen, or mas.agent.1.file = file.gwen"
        diagnostics.error("GWN072", "the project has no agents", source.span(0, 1), hint=hint)
    return project


def _ail_lines(source: Source, diagnostics: Diagnostics) -> Iterable[tuple[str, str, Span]]:
    """Return each key of an ``.ail`` file with its value and its line. If a key occurs twice, the
    last line is used, as in MCAPL."""
    entries: dict[str, tuple[str, str, Span]] = {}
    for line in content_lines(source, 0, len(source.text)):
        if line.text.startswith(("#", "!")):
            continue
        written = re.fullmatch(r"(?P<key>[^\s=:]+)\s*[=:]\s*(?P<value>.*)", line.text)
        if written is None:
            diagnostics.error(
                "GWN073", f"unexpected '{line.text[:60]}'", line, hint="each line is key = value"
            )
            continue
        key = written["key"]
        if (first := entries.pop(key, None)) is not None:
            hint = f"remove line {first[2].line}, or this one"
            diagnostics.warning(
                "GWN079",
                f"the key '{key}' is given twice: the last value is used",
                line,
                hint=hint,
            )
        entries[key] = key, written["value"].strip(), line
    return entries.values()


def _is_true(key: str, value: str, line: Span, diagnostics: Diagnostics) -> bool:
    """Return a Boolean value of an ``.ail`` file. As in MCAPL, only the text ``true`` is true."""
    if value not in ("true", "false"):
        hint = did_you_mean(value, ("true", "false")) or "write true or false"
        diagnostics.warning(
            "GWN078",
            f"'{key} = {value}' is read as false: only the text 'true' is true",
            line,
            hint=hint,
        )
    return value == "true"


def _check_every_cycle(value: str, line: Span, diagnostics: Diagnostics) -> None:
    if value != "true":
        message = f"'{_EVERY_CYCLE} = {value}' is not supported: each reasoning cycle is a step"
        diagnostics.warning(
            "GWN074",
            message,
            line,
            hint="properties also hold or fail in states between two actions",
        )


def _check_builder(value: str, line: Span, diagnostics: Diagnostics) -> None:
    if not _BUILDERS.search(value):
        message = f"the agent builder '{value}' is not for Gwendolen or EASS"
        diagnostics.error(
            "GWN075",
            message,
            line,
            hint="use gwendolen.GwendolenAgentBuilder or eass.EASSAgentBuilder",
        )


def _add_agents(
    project: Project, agents: Mapping[int, Mapping[str, tuple[str, Span]]], diagnostics: Diagnostics
) -> None:
    for number in sorted(agents):
        entries = agents[number]
        if "file" not in entries:
            _, line = next(iter(entries.values()))
            diagnostics.error(
                "GWN076",
                f"the program file of agent {number} is not given",
                line,
                hint=f"write mas.agent.{number}.file = file.gwen",
            )
            continue
        file, line = entries["file"]
        project.agents.append(
            AgentEntry(file, entries["name"][0] if "name" in entries else None, line)
        )


def _warn_unknown_keys(unknown: list[tuple[str, Span]], diagnostics: Diagnostics) -> None:
    """Warn about unknown keys of an ``.ail`` file. They are probably meant for the Java
    environment, which can define its own keys."""
    if unknown:
        names = ", ".join(key for key, _ in unknown)
        hint = next((hint for key, _ in unknown if (hint := did_you_mean(key, _AIL_KEYS))), None)
        diagnostics.warning(
            "GWN077", f"unknown keys, which have no effect: {names}", unknown[0][1], hint=hint
        )


_MAX_FOLDERS = 100
"""Limit of :func:`ail_file`: how many suffixes of a path in an ``.ail`` file are tried below the
folder of that file."""


def ail_file(folder: Path, name: str) -> Path:
    """Return the file that a path in an ``.ail`` file refers to.

    Paths in these files are relative to the installation of MCAPL, not to the ``.ail`` file. The
    function therefore tries every suffix of the path below the folder of the ``.ail`` file, and the
    whole path below each parent folder.
    """
    parts = [each for each in re.split(r"[/\\]", name) if each not in ("", ".")]
    below = (
        folder.joinpath(*parts[start:])
        for start in range(max(0, len(parts) - _MAX_FOLDERS), len(parts))
    )
    above = (each.joinpath(*parts) for each in folder.resolve().parents)
    return next((each for each in (*below, *above) if each.is_file()), folder / name.lstrip("/"))
