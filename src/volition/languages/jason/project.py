"""Parser for Jason project files (``.mas2j``): the agents, their files, and their initial beliefs
and goals.

Settings about machines and windows (``infrastructure``, ``at``, ``classpath``, ``verbose``,
``mindinspector``) have no effect on the semantics and are ignored. Java classes that may change how
agents reason are recorded, so that the user has to confirm that they can be ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from volition.diagnostics import Diagnostics, InputError, Source, Span, did_you_mean
from volition.languages.common.settings import EnumSetting, read_value
from volition.languages.jason.parsing.statements import read_literals
from volition.languages.jason.parsing.tokens import (
    NAME,
    NUMBER,
    STRING,
    VARIABLE,
    Token,
    Tokens,
    syntax_error,
)
from volition.languages.jason.settings import Settings
from volition.languages.jason.syntax import BeliefRule, InitialBelief, InitialGoal
from volition.languages.jason.terms import TRUE, Literal
from volition.languages.jason.traversal import variables_in

__all__ = ["AgentEntry", "JavaClass", "Project", "read_project"]

_CLASSES = ("agentArchClass", "agentClass", "beliefBaseClass")
_OPTIONS: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "events": ("events", {"discard": "discard", "requeue": "requeue"}),
    "intBels": ("int_bels", {"sameFocus": "sameFocus", "newFocus": "newFocus"}),
    "tro": ("tro", {"true": True, "false": False}),
}
"""Options of an agent in a project file that change how the agent reasons. Each name of an option
is mapped to the name of the corresponding setting, and to a map from the values of the option to
those of the setting."""

_MAX_AGENTS = 1000
RESERVED = ("self", "percept", "df", "world", "environment")
"""Names that an agent cannot have, because they denote sources of beliefs or components of the
system."""

_ONLY: Mapping[str, str] = {"nrcbp": "1", "synchronised": "false"}
"""Options of an agent that are supported only with their default value: a map from the name of the
option to this value."""


@dataclass(frozen=True, slots=True)
class JavaClass:
    """Java class that a project file names, and its role there, such as ``agentArchClass``."""

    role: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """Agent that a project file declares. A declaration with ``#n`` gives n entries."""

    name: str
    file: str
    span: Span
    settings: Settings = field(default_factory=Settings)
    beliefs: tuple[InitialBelief | BeliefRule, ...] = ()
    goals: tuple[InitialGoal, ...] = ()


@dataclass
class Project:
    """Parsed project file (``.mas2j``)."""

    source: Source
    agents: list[AgentEntry] = field(default_factory=list)
    environment: JavaClass | None = None
    classes: list[JavaClass] = field(default_factory=list)
    source_path: list[str] = field(default_factory=list)
    name: str = ""


def read_project(source: Source, diagnostics: Diagnostics) -> Project:
    """Parse a project file (``.mas2j``). Errors go to ``diagnostics``."""
    project = Project(source)
    reader = _ProjectReader(source, diagnostics, project)
    try:
        reader.read()
    except InputError as error:
        diagnostics.extend(error.diagnostics)
    if not project.agents and not diagnostics.errors:
        diagnostics.error(
            "JSN014",
            "the project has no agents",
            source.span(0, 1),
            hint="write agents: name; inside MAS name { .. }",
        )
    return project


class _ProjectReader(Tokens):
    def __init__(self, source: Source, diagnostics: Diagnostics, project: Project) -> None:
        super().__init__(source, diagnostics)
        self._project = project

    def read(self) -> None:
        if self.next.text != "MAS":
            self.fail(hint="a project begins with MAS name {")
        self.take()
        self._project.name = self.expect(NAME, VARIABLE).text
        self.expect("{")
        sections: Mapping[str, Callable[[], None]] = {
            "infrastructure": self._ignored_class,
            "environment": self._environment,
            "executionControl": self._control,
            "agents": self._agents,
            "directives": self._directives,
            "classpath": self._classpath,
            "aslSourcePath": lambda: self._project.source_path.extend(self._paths()),
        }
        texts: set[str] = set()
        while self.next.kind != "}":
            section = sections.get(self.next.text)
            if section is None:
                self.fail(
                    hint=f"expected one of {', '.join(f'{each}:' for each in sections)} or '}}'"
                )
                return
            heading = self.take()
            if heading.text in texts:
                self.diagnostics.error(
                    "JSN008",
                    f"duplicate section '{heading.text}:'",
                    self.span(heading),
                    hint="merge both sections",
                )
            texts.add(heading.text)
            self.expect(":")
            section()
        self.take()
        if not self.at_end:
            self.fail()

    # --- sections of a project file ---------------------------------------------------------------

    def _class(self, role: str) -> JavaClass:
        first = self.expect(NAME, VARIABLE)
        name = first.text
        while self.next.kind == NAME and self.next.text.startswith("."):
            name += self.take().text
        if self.next.kind == "(":
            self.skip_bracket()
        return JavaClass(role, name, self.span(first))

    def _at(self) -> None:
        """Skip ``at "host"`` after an agent or environment. It has no effect on the semantics."""
        if self.next.text == "at":
            self.take()
            self.expect(STRING)

    def _ignored_class(self) -> None:
        self._class("infrastructure")

    def _environment(self) -> None:
        self._project.environment = self._class("environment")
        self._at()

    def _control(self) -> None:
        self._project.classes.append(self._class("executionControl"))
        self._at()

    def _directives(self) -> None:
        while self.next.kind == NAME and self.ahead().kind == "=":
            name = self.take()
            self.take()
            found = self._class("directive")
            self.diagnostics.error(
                "JSN003",
                f"the directive '{name.text}' cannot be verified, because it is written in Java",
                found.span,
                hint="write the plans that it generates",
            )
            self.expect(";")

    def _classpath(self) -> None:
        self._paths()

    def _paths(self) -> list[str]:
        paths = []
        while path := self.taken(STRING):
            paths.append(path.text[1:-1])
            self.expect(";")
        return paths

    # --- declarations of agents -------------------------------------------------------------------

    def _agents(self) -> None:
        """Parse the agents of the section ``agents:``. After an error in one agent, parsing
        continues with the next agent."""
        while self.next.kind == NAME and self.ahead().kind != ":":
            try:
                self._agent()
            except InputError as error:
                self.diagnostics.extend(error.diagnostics)
                self.skip_to(";", "}")
                self.taken(";")

    def _agent(self) -> None:
        first = self.take()
        file = self._file(first.text)
        entry = AgentEntry(first.text, file, self.token_span(first))
        if self.taken("["):
            entry = self._option(entry)
            while self.taken(","):
                entry = self._option(entry)
            self.close("]", ",")
        number = 1
        while self.next.kind != ";":
            if self.next.text in _CLASSES:
                self._project.classes.append(self._class(self.take().text))
            elif self.taken("#"):
                number = self._number(self.expect(NUMBER))
            elif self.next.text == "at":
                self._at()
            else:
                self.fail(hint=f"expected ';', #number, [options] or one of {', '.join(_CLASSES)}")
        self.take()
        names = (
            [entry.name]
            if number == 1
            else [f"{entry.name}{each}" for each in range(1, number + 1)]
        )
        for name in names:
            self._add(replace(entry, name=name))

    def _add(self, entry: AgentEntry) -> None:
        known = next((each for each in self._project.agents if each.name == entry.name), None)
        if known is not None:
            hint = f"the first is at line {known.span.line}"
            self.diagnostics.error(
                "JSN011", f"duplicate agent '{entry.name}'", entry.span, hint=hint
            )
        elif entry.name in RESERVED:
            hint = "this name is reserved: choose another"
            self.diagnostics.error(
                "JSN012", f"an agent cannot be called '{entry.name}'", entry.span, hint=hint
            )
        else:
            self._project.agents.append(entry)

    def _number(self, token: Token) -> int:
        if not token.text.isdecimal() or not 1 <= int(token.text[:6]) <= _MAX_AGENTS:
            message = f"'#{token.text}' is not a valid number of agents"
            self.diagnostics.error(
                "JSN013",
                message,
                self.token_span(token),
                hint=f"write a whole number from 1 to {_MAX_AGENTS}",
            )
            return 1
        return int(token.text)

    def _file(self, name: str) -> str:
        """Return the program file of the agent ``name``: the file written next, or the agent's name
        with ``.asl`` if none is written."""
        start = self.next.start
        end = start
        while (
            self.next.kind not in ("[", "#", ";", "}")
            and self.next.text not in (*_CLASSES, "at")
            and not self.at_end
        ):
            end = self.take().end
        written = self.source.text[start:end].strip('"')
        if not re.fullmatch(r"[\w./\\$-]*", written):
            raise syntax_error(
                f"'{written}' is not a file name",
                self.source.span(start, end),
                "expected ';', a file, or [options]",
            )
        return (
            f"{name}.asl"
            if not written
            else written
            if written.endswith(".asl")
            else f"{written}.asl"
        )

    def _option(self, entry: AgentEntry) -> AgentEntry:
        name = self.take()
        self.expect("=")
        value = self.take()
        span = self.span(name)
        text = value.text[1:-1] if value.kind == STRING else value.text
        if name.text in ("beliefs", "goals"):
            return self._with_literals(entry, name.text, value)
        if name.text in _OPTIONS:
            setting, values = _OPTIONS[name.text]
            message = f"the option '{name.text}' cannot be '{text}'"
            read = read_value("JSN013", message, text, EnumSetting(values), self.diagnostics, span)
            return (
                entry
                if read is None
                else replace(entry, settings=replace(entry.settings, **cast(Any, {setting: read})))
            )
        if name.text in _ONLY and text != _ONLY[name.text]:
            message = (
                f"the option {name.text} = {text} cannot be verified, because only the value "
                f"{_ONLY[name.text]} is supported"
            )
            hint = f"leave it out, or write {name.text} = {_ONLY[name.text]}"
            self.diagnostics.error("JSN003", message, span, hint=hint)
        elif name.text not in _ONLY and (
            meant := did_you_mean(name.text, ("beliefs", "goals", *_OPTIONS, *_ONLY))
        ):
            self.diagnostics.warning(
                "JSN010",
                f"'{name.text}' is not an option of Jason",
                self.token_span(name),
                hint=meant,
            )
        return entry

    def _with_literals(self, entry: AgentEntry, option: str, value: Token) -> AgentEntry:
        """Return the agent with the literals of the option ``beliefs = "p(1), q"`` or ``goals =
        "g"``. Unless the quoted text contains escapes, it is parsed in place, so that errors have
        exact positions."""
        source, start, end = self.source, value.start, value.end
        if value.kind == STRING:
            start, end = start + 1, end - 1
        if "\\" in value.text:
            text = value.text[1:-1].replace('\\"', '"')
            source, start, end = Source(f"{source.name}: {option}", text), 0, len(text)
        literals = read_literals(source, self.diagnostics, start, end)
        if option == "goals":
            return replace(
                entry,
                goals=entry.goals
                + tuple(InitialGoal(literal, span=span) for literal, span in literals),
            )
        return replace(
            entry,
            beliefs=entry.beliefs + tuple(_belief(literal, span) for literal, span in literals),
        )


def _belief(literal: Literal, span: Span) -> InitialBelief | BeliefRule:
    has_variable = next(variables_in(literal), None) is not None
    return (
        BeliefRule(literal, TRUE, span=span) if has_variable else InitialBelief(literal, span=span)
    )
