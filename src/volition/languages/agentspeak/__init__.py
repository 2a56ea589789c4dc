"""AgentSpeak(F): multi-agent systems whose agents exchange messages and act in an environment
(Bordini et al.).

A project is a folder with a ``.mas`` file that lists the agents, their ``.asl`` programs and a
world; see ``docs/reference/agentspeak.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from volition.diagnostics import Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.agentspeak.checks import check_agents, check_constants, check_priorities
from volition.languages.agentspeak.grammar import read_agent
from volition.languages.agentspeak.program import AgentSpeakProgram
from volition.languages.agentspeak.project import OPTIONS, Project, read_project
from volition.languages.agentspeak.syntax import AgentProgram
from volition.languages.common.misnamed_files import warn_misnamed_files
from volition.languages.common.trust import read_source, require_inside_project
from volition.languages.world import EmptyWorld, PlaceholderWorld, World
from volition.languages.world.loading import load_world_file
from volition.logic.parsing.property_file import reject_results

__all__ = ["AgentSpeakProgram", "load"]

SUFFIX = ".mas"


def load(path: Path, settings: Mapping[str, str]) -> AgentSpeakProgram:
    """Read and check the project in a folder, or the project of a ``.mas`` file.

    ``settings`` override options of the project (``idle``, ``SelectEvent``, ``M_Ev``,
    ``ag1.SelectEvent``) and parameters of its world. Raises :class:`InputError` with all errors in
    all files.
    """
    if path.is_dir():
        (path,) = sorted(path.glob(f"*{SUFFIX}"))[:1]
    return _Loader(path, settings).program()


class _Loader:
    """Reader of all files of one project."""

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._path = path
        self._diagnostics = Diagnostics()
        self._project: Project = read_project(read_source(path), settings, self._diagnostics)
        self._sources: list[Source] = [self._project.source]

    def program(self) -> AgentSpeakProgram:
        agents = self._agents()
        names = tuple(agents)
        settings = {name: self._project.settings(name) for name in names}
        world = self._world(names)
        for source in self._sources[1:]:
            reject_results(source, self._diagnostics)
        warn_misnamed_files(
            self._path.parent.iterdir(), (SUFFIX, ".asl", ".world"), self._diagnostics
        )
        check_agents(agents, settings, world, self._diagnostics)
        check_constants(agents, self._sources, self._diagnostics)
        for owner, priorities, span in self._project.priorities():
            concerned = {name: each for name, each in agents.items() if owner in (None, name)}
            check_priorities(concerned, priorities, span, self._diagnostics)
        self._diagnostics.raise_errors()
        return AgentSpeakProgram(
            self._path.stem,
            tuple(self._sources),
            agents,
            settings,
            world,
            self._project.properties,
            self._diagnostics.warnings,
        )

    def _file(self, name: str, span: Span) -> Path | None:
        path = self._path.parent / name
        try:
            require_inside_project(path, span)
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
            return None
        if path.is_file():
            return path
        self._diagnostics.error("ASP027", f"no such file: '{path}'", span)
        return None

    def _agents(self) -> dict[str, AgentProgram]:
        """Return the program of each agent, by the agent's name.

        A file that several agents use is read once. The initial beliefs that the project gives to
        an agent are added to its copy of the program. An agent whose file is missing gets an empty
        program, so that references to this agent are not reported as errors too.
        """
        programs: dict[str, AgentProgram] = {}
        agents: dict[str, AgentProgram] = {}
        for entry in self._project.agents:
            if entry.file not in programs:
                path = self._file(entry.file, entry.span)
                programs[entry.file] = (
                    AgentProgram(entry.span.source, (), (), ())
                    if path is None
                    else self._read_agent(path)
                )
            program = programs[entry.file]
            own = tuple((atom, entry.span) for atom in entry.beliefs)
            agents[entry.name] = replace(program, beliefs=program.beliefs + own)
        return agents

    def _read_agent(self, path: Path) -> AgentProgram:
        source = read_source(path)
        self._sources.append(source)
        return read_agent(source, self._diagnostics)

    def _world(self, agents: Sequence[str]) -> World:
        parameters = self._project.parameters
        if self._project.world is None:
            for name, (_, span) in parameters.items():
                hint = did_you_mean(name, OPTIONS) or f"expected one of {', '.join(OPTIONS)}"
                self._diagnostics.error(
                    "ASP028",
                    f"unknown parameter '{name}': the project has no world",
                    span,
                    hint=hint,
                )
            return EmptyWorld(agents, {})
        file, class_name, span = self._project.world
        path = self._file(file, span)
        if path is None:
            return PlaceholderWorld(agents, {})
        world, sources = load_world_file(
            "ASP029",
            path,
            class_name,
            agents,
            parameters,
            self._diagnostics,
            span,
            options=OPTIONS,
            beside=self._sources,
            plain_for="AgentSpeak(F)",
        )
        self._sources += sources
        return world
