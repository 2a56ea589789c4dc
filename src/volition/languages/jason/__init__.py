"""Jason: the dialect of AgentSpeak that the Jason interpreter runs.

A project is a ``.mas2j`` file with its ``.asl`` programs, in Jason's own syntax. An optional
options file ``NAME.volition`` beside it models the Java code of the project: see
:mod:`volition.languages.jason.volition_file` and ``docs/reference/jason.md``. A single ``.asl``
file is a project with one agent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from volition.diagnostics import Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.common.misnamed_files import warn_misnamed_files
from volition.languages.common.trust import read_source, require_inside_project
from volition.languages.jason.checks import check_agents
from volition.languages.jason.lint import check_style
from volition.languages.jason.parsing.statements import read_agent
from volition.languages.jason.program import JasonProgram
from volition.languages.jason.project import AgentEntry, Project, read_project
from volition.languages.jason.stubs import with_stubs
from volition.languages.jason.syntax import AgentProgram
from volition.languages.jason.volition_file import OPTIONS, read_options
from volition.languages.world import EmptyWorld, PlaceholderWorld, World
from volition.languages.world.loading import load_world_file
from volition.logic.parsing.property_file import reject_results

__all__ = ["JasonProgram", "load"]

SUFFIX, PROGRAM, BESIDE = ".mas2j", ".asl", ".volition"


def load(path: Path, settings: Mapping[str, str]) -> JasonProgram:
    """Load a project from a folder, a ``.mas2j`` file, or a single ``.asl`` file.

    ``settings`` override the options of the project (``time``, ``M_Ev``, ``bob.M_Int``), the file
    of its world (the model of its environment), and the parameters of that world. Raises
    :class:`InputError` with the errors of all files.
    """
    if path.is_dir():
        (path,) = sorted(path.glob(f"*{SUFFIX}"))[:1]
    return _Loader(path, settings).program()


class _Loader:
    """Loader of one Jason project: reads the project file, the agent programs, the options file and
    the world, and collects their errors."""

    def __init__(self, path: Path, settings: Mapping[str, str]) -> None:
        self._path = path
        self._diagnostics = Diagnostics()
        self._texts: dict[Path, Source] = {}
        self._positions: dict[Source, Path] = {}
        first = self._text(path)
        if path.suffix == PROGRAM:
            self._project = Project(first, [AgentEntry(path.stem, path.name, first.span(0, 0))])
        else:
            self._project = read_project(first, self._diagnostics)
        beside = path.with_suffix(BESIDE)
        self._options = read_options(
            self._text(beside) if beside.is_file() else None, settings, self._diagnostics
        )

    def program(self) -> JasonProgram:
        agents = self._agents()
        written = dict(agents)
        self._warn_if_empty(agents)
        names = tuple(agents)
        settings = {
            each.name: self._options.settings(each.name, each.settings)
            for each in self._project.agents
        }
        for name in names:
            agents[name], settings[name] = with_stubs(agents[name], settings[name])
        self._options.check_owners(names, self._diagnostics)
        self._confirm_classes()
        world = self._world(names)
        for source in self._texts.values():
            if source is not self._options.source:
                reject_results(source, self._diagnostics, only_stated=True)
        warn_misnamed_files(
            self._path.parent.iterdir(), (SUFFIX, PROGRAM, BESIDE, ".world"), self._diagnostics
        )
        check_agents(agents, settings, world, self._diagnostics)
        check_style(
            written,
            [source for path, source in self._texts.items() if path.suffix != PROGRAM],
            self._diagnostics,
        )
        self._diagnostics.raise_errors()
        return JasonProgram(
            self._path.stem,
            tuple(self._texts.values()),
            agents,
            settings,
            world,
            self._options.properties,
            self._diagnostics.warnings,
            self._heading(),
        )

    def _heading(self) -> list[tuple[str, str]]:
        """Return the lines that identify the project in reports, as pairs of a label and a value:
        the name of the multi-agent system (``MAS``) and the class of its Java environment
        (``environment``).

        A line is left out if the project does not state its value. The list is empty for a single
        ``.asl`` file.
        """
        environment = self._project.environment
        return [("MAS", self._project.name)] * bool(self._project.name) + (
            [("environment", environment.name)] if environment else []
        )

    # --- finding and reading files ----------------------------------------------------------------

    def _text(self, path: Path) -> Source:
        """Return the text of a file as a source. Each file is read only once, even if several
        agents use it."""
        if path not in self._texts:
            self._texts[path] = read_source(path, on_latin=self._is_latin)
            self._positions[self._texts[path]] = path
        return self._texts[path]

    def _is_latin(self, source: Source) -> None:
        message = f"'{source.name}' is not UTF-8 text, and is read as Latin-1"
        self._diagnostics.warning(
            "JSN059",
            message,
            source.span(0, 1),
            hint="save the file as UTF-8 text, if its letters look wrong",
        )

    def _find(self, name: str, span: Span, beside: Path) -> Path | None:
        """Return the path of a file that the project names, or report an error and return None.

        The folder ``beside`` is searched first, then the folders of ``aslSourcePath`` in the
        project file.
        """
        folders = [beside, *(self._path.parent / each for each in self._project.source_path)]
        path = next((folder / name for folder in folders if (folder / name).is_file()), None)
        if path is None:
            hint = "files inside Jason's archives are not read" if name.startswith("$") else None
            self._diagnostics.error("JSN015", f"no such file: '{beside / name}'", span, hint=hint)
            return None
        try:
            require_inside_project(path, span)
        except InputError as error:
            self._diagnostics.extend(error.diagnostics)
            return None
        return path

    def _included(self, name: str, span: Span) -> Source | None:
        including = self._positions.get(span.source, self._path)
        path = self._find(name, span, including.parent)
        return None if path is None else self._text(path)

    # --- programs of the agents -------------------------------------------------------------------

    def _agents(self) -> dict[str, AgentProgram]:
        """Return a map from each agent's name to its program, with the initial beliefs and goals
        from the project file.

        Agents with the same file share one syntax tree. An agent whose file is missing gets an
        empty program, so that references to the agent cause no further errors.
        """
        programs: dict[str, AgentProgram] = {}
        agents: dict[str, AgentProgram] = {}
        for entry in self._project.agents:
            if entry.file not in programs:
                path = self._find(entry.file, entry.span, self._path.parent)
                empty = AgentProgram(entry.span.source, (), (), ())
                programs[entry.file] = (
                    empty
                    if path is None
                    else read_agent(self._text(path), self._diagnostics, self._included)
                )
            agents[entry.name] = replace(
                programs[entry.file], project_beliefs=entry.beliefs, project_goals=entry.goals
            )
        return agents

    def _warn_if_empty(self, agents: Mapping[str, AgentProgram]) -> None:
        """Warn if a single ``.asl`` file has no beliefs, goals or plans, because its agent does
        nothing."""
        for program in agents.values() if self._path.suffix == PROGRAM else ():
            if not (program.beliefs or program.goals or program.plans or self._diagnostics.errors):
                span = program.source.span(0, 1)
                self._diagnostics.warning(
                    "JSN058",
                    "the program is empty",
                    span,
                    hint="write a goal and a plan: !start. +!start <- ..",
                )

    def _confirm_classes(self) -> None:
        """Report an error for each Java class that may change how agents reason, unless the options
        file has a line ``ignore class`` for it. Warn about ignored classes that the project does
        not name."""
        ignored = self._options.ignored
        environment = [] if self._project.environment is None else [self._project.environment]
        for each in self._project.classes:
            if each.name not in ignored:
                message = (
                    f"the {each.role} {each.name} cannot be verified, because it is written in "
                    "Java and may change how agents reason"
                )
                hint = (
                    f"if it only observes, write 'ignore class {each.name}' in "
                    f"{self._path.with_suffix(BESIDE).name}"
                )
                self._diagnostics.error("JSN016", message, each.span, hint=hint)
        known = {each.name for each in (*self._project.classes, *environment)}
        for name, span in ignored.items():
            if name not in known:
                self._diagnostics.warning(
                    "JSN025",
                    f"the project has no Java class '{name}'",
                    span,
                    hint=did_you_mean(name, known),
                )

    # --- the world --------------------------------------------------------------------------------

    def _world(self, agents: Sequence[str]) -> World:
        parameters = self._options.parameters
        if self._options.world is None:
            self._report_java_environment()
            for name, (_, span) in parameters.items():
                hint = did_you_mean(name, OPTIONS) or f"expected one of {', '.join(OPTIONS)}"
                self._diagnostics.error(
                    "JSN022",
                    f"unknown parameter '{name}': the project has no world",
                    span,
                    hint=hint,
                )
            return EmptyWorld(agents, {})
        file, class_name, span = self._options.world
        if self._project.environment is None and self._path.suffix == SUFFIX:
            hint = f"if there is one, write environment: .. in {self._path.name}"
            self._diagnostics.warning(
                "JSN019",
                "the project declares no environment, so every action fails in Jason",
                span,
                hint=hint,
            )
        path = self._find(file, span or self._project.source.span(0, 0), self._path.parent)
        if path is None:
            return PlaceholderWorld(agents, {})
        world, sources = load_world_file(
            "JSN026",
            path,
            class_name,
            agents,
            parameters,
            self._diagnostics,
            span,
            options=OPTIONS,
            beside=self._texts.values(),
        )
        for source in sources:
            self._texts[path] = source
        return world

    def _report_java_environment(self) -> None:
        environment = self._project.environment
        if environment is not None and environment.name not in self._options.ignored:
            beside = self._path.with_suffix(BESIDE).name
            hint = (
                "describe it in a file, and write 'world = "
                f"{environment.name.rpartition('.')[2].lower()}.world' in {beside}"
            )
            self._diagnostics.error(
                "JSN017",
                f"the environment {environment.name} is written in Java, which Volition cannot run",
                environment.span,
                hint=hint,
            )
