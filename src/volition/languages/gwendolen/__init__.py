"""Gwendolen and its dialect EASS (Winikoff et al.): agents with beliefs, goals, plans and messages.
EASS adds abstraction engines, which mediate between an agent and its sensors.

A program is a file of agents (``.gwen``, ``.eass``), a Volition project (``.gwendolen``) or a
configuration file of MCAPL, the public implementation (``.ail``). "Point n" in this package refers
to the numbered list in the section "Point by point" of ``docs/reference/gwendolen.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from volition.diagnostics import Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages import read_source
from volition.languages.common.misnamed_files import warn_misnamed_files
from volition.languages.common.trust import require_inside_project
from volition.languages.gwendolen.checks import check_agents
from volition.languages.gwendolen.grammar import read_agents
from volition.languages.gwendolen.lint import check_slips
from volition.languages.gwendolen.program import GwendolenProgram
from volition.languages.gwendolen.project import (
    NO_WORLD,
    AgentEntry,
    Project,
    ail_file,
    read_ail,
    read_project,
    read_settings,
)
from volition.languages.gwendolen.psl import read_psl
from volition.languages.gwendolen.settings import OPTIONS
from volition.languages.gwendolen.syntax import AgentProgram, Cycle
from volition.languages.gwendolen.vocabulary import Vocabulary
from volition.languages.world import EmptyWorld, PlaceholderWorld, World
from volition.languages.world.loading import load_world_file
from volition.logic.parsing.property_file import UnparsedProperty, read_properties

__all__ = ["GwendolenProgram", "load"]

PROJECT, AIL, GWENDOLEN, EASS = ".gwendolen", ".ail", ".gwen", ".eass"


def load(path: Path, settings: Mapping[str, str]) -> GwendolenProgram:
    """Return the program in a program file (``.gwen``, ``.eass``), in a project file
    (``.gwendolen``) or its folder, or in an ``.ail`` file.

    ``settings`` override options (``cycle``, ``scheduler``, ...), name a world (``world``) and set
    its parameters. Raise :class:`InputError` with the errors of all files.
    """
    if path.is_dir():
        (path,) = sorted(path.glob(f"*{PROJECT}"))[:1]
    return _Loader(path, settings).program()


class _Loader:
    """Reader of all files of one multi-agent system: project, agents, world and properties."""

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._path = path
        self._diagnostics = Diagnostics()
        source = read_source(path)
        self._sources: dict[Path, Source] = {path: source}
        self._programs: dict[Path, Sequence[AgentProgram]] = {}
        self._project = self._read(source)
        read_settings(self._project, settings, self._diagnostics)

    def _read(self, source: Source) -> Project:
        match self._path.suffix:
            case ".gwendolen":
                return read_project(source, self._diagnostics)
            case ".ail":
                return read_ail(source, self._diagnostics)
            case _:
                pass
        return Project(source, [AgentEntry(self._path.name, None, None)])

    def program(self) -> GwendolenProgram:
        agents = self._agents()
        if self._project.options.scheduler == "single" and len(agents) > 1:
            hint = "choose action, n_actions or round_robin"
            self._diagnostics.error(
                "GWN086",
                f"the scheduler 'single' is for one agent, but there are {len(agents)}",
                hint=hint,
            )
        world = self._world(tuple(agents))
        properties = (
            *self._project.properties,
            *self._properties_in_files(Vocabulary.of(agents, world)),
        )
        if self._path.suffix == PROJECT:
            warn_misnamed_files(
                self._path.parent.iterdir(),
                (PROJECT, GWENDOLEN, EASS, ".world", ".psl"),
                self._diagnostics,
            )
        if not self._diagnostics.errors:
            check_agents(agents, world, self._diagnostics)
            check_slips(agents, self._sources.values(), self._diagnostics)
        self._diagnostics.raise_errors()
        sources = tuple(self._sources.values())
        return GwendolenProgram(
            self._path.stem,
            sources,
            agents,
            world,
            self._project.options,
            properties,
            self._diagnostics.warnings,
        )

    def _file(self, name: str, span: Span | None) -> Path | None:
        folder = self._path.parent
        path = ail_file(folder, name) if self._path.suffix == AIL else folder / name
        try:
            require_inside_project(path, span)
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
            return None
        if path.is_file():
            return path
        siblings = [each.name for each in folder.iterdir()]
        self._diagnostics.error(
            "GWN080", f"no such file: '{path}'", span, hint=did_you_mean(path.name, siblings)
        )
        return None

    def _source(self, path: Path) -> Source:
        if path not in self._sources:
            self._sources[path] = read_source(path)
        return self._sources[path]

    # --- reading of the agents --------------------------------------------------------------------

    def _agents(self) -> dict[str, AgentProgram]:
        agents: dict[str, AgentProgram] = {}
        for entry in self._project.agents:
            for agent in self._agents_of_entry(entry):
                if agent.name in agents:
                    hint = "give each agent its own name"
                    span = entry.span or agent.span
                    self._diagnostics.error(
                        "GWN081", f"two agents are called '{agent.name}'", span, hint=hint
                    )
                agents.setdefault(agent.name, agent)
        return agents

    def _agents_of_entry(self, entry: AgentEntry) -> Sequence[AgentProgram]:
        """Return the agents that a line of the project file adds to the system.

        A line without an agent name adds all agents of its program file. A line with a name adds
        the agent of that name. If no agent has that name and the file has only one agent, this
        agent is renamed.
        """
        path = self._file(entry.file, entry.span)
        if path is None:
            return ()
        programs = self._agents_in_file(path)
        if entry.name is None or not programs:
            return programs
        named = [each for each in programs if each.name == entry.name]
        if not named and len(programs) > 1:
            names = ", ".join(each.name for each in programs)
            hint = (
                did_you_mean(entry.name, [each.name for each in programs])
                or f"its agents are {names}"
            )
            self._diagnostics.error(
                "GWN082",
                f"the file '{entry.file}' has {len(programs)} agents, but none is called "
                f"'{entry.name}'",
                entry.span,
                hint=hint,
            )
        return named or [_rename_agent(programs[0], entry.name)]

    def _agents_in_file(self, path: Path) -> Sequence[AgentProgram]:
        if path not in self._programs:
            cycle: Cycle = "eass" if path.suffix == EASS else "gwendolen"
            self._programs[path] = read_agents(
                self._source(path), cycle, path.stem, self._diagnostics
            )
        return self._programs[path]

    # --- reading of the world and the properties --------------------------------------------------

    def _world(self, agents: Sequence[str]) -> World:
        beside = self._path.with_suffix(".world")
        entry = self._project.world or ((beside.name, None) if beside.is_file() else None)
        if entry is None and self._project.environment is not None:
            java, span = self._project.environment
            hint = (
                "describe it in a .world file of the same name, or name one by the setting "
                "'world'; 'none' does without a world"
            )
            self._diagnostics.error(
                "GWN083",
                f"the environment '{java}' is a Java class, which Volition cannot run",
                span,
                hint=hint,
            )
            return PlaceholderWorld(agents, {})
        if entry is None or entry[0] == NO_WORLD:
            return self._no_world(agents)
        text, source_span = entry
        file, _, class_name = text.partition(":")
        path = self._file(file, source_span)
        if path is None:
            return PlaceholderWorld(agents, {})
        parameters = self._project.parameters
        world, sources = load_world_file(
            "GWN084",
            path,
            class_name or None,
            agents,
            parameters,
            self._diagnostics,
            source_span,
            options=(*OPTIONS, "world"),
            beside=self._sources.values(),
            plain_for="Gwendolen",
        )
        self._sources.update((path, each) for each in sources)
        return world

    def _no_world(self, agents: Sequence[str]) -> World:
        for name, (_, span) in self._project.parameters.items():
            known = (*OPTIONS, "world")
            hint = did_you_mean(name, known) or f"expected one of {', '.join(known)}"
            self._diagnostics.error(
                "GWN085",
                f"unknown setting '{name}': it is not an option, and there is no world with "
                "parameters",
                span,
                hint=hint,
            )
        return EmptyWorld(agents, {})

    def _properties_in_files(self, vocabulary: Vocabulary) -> Sequence[UnparsedProperty]:
        """Return the properties in the property files that the project names."""
        found: list[UnparsedProperty] = []
        for name, span in self._project.property_files:
            if path := self._file(name, span):
                source = self._source(path)
                found += (
                    read_psl(source, vocabulary, self._diagnostics)
                    if path.suffix == ".psl"
                    else read_properties(source, diagnostics=self._diagnostics)
                )
        return found


def _rename_agent(program: AgentProgram, name: str) -> AgentProgram:
    """Return the program of an agent under another name. If the agent is an abstraction engine, its
    new name also says whose engine it is: ``abstraction_car`` is the engine of ``car``."""
    owner = name.removeprefix("abstraction_") if program.abstracts is not None else None
    return replace(program, name=name, abstracts=owner)
