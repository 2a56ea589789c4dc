"""A LISA program that was read: a project folder whose agents have no errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import cast

from volition.diagnostics import Diagnostic, Diagnostics, Source
from volition.display import HtmlProgram
from volition.languages.common.dependencies import Dependencies
from volition.languages.common.settings import EnumSetting, read_value
from volition.languages.common.trust import read_source
from volition.languages.lisa.dependencies import dependencies_of
from volition.languages.lisa.lint import lint_project
from volition.languages.lisa.messages import deliver
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.parameters import (
    Numbers,
    check_numbers,
    numeric_parameters,
    read_numbers,
    structural_parameters,
    with_numeric_parameters,
)
from volition.languages.lisa.project import AgentFiles, Project, read_folder
from volition.languages.lisa.reasoning_file import read_reasoning_file
from volition.languages.lisa.resolution import check_name_clashes, resolve_agent
from volition.languages.lisa.resolved import PerceptRule, ResolvedAgent
from volition.languages.lisa.tables import tables
from volition.languages.protocols import Table
from volition.logic.parsing.property_file import UnparsedProperty, read_properties, reject_results
from volition.logic.syntax import Atom, Formula
from volition.logic.traversal import modal_atoms

__all__ = ["LisaProgram", "load"]


@dataclass(frozen=True, repr=False)
class LisaProgram(HtmlProgram):
    """A program without errors, as :class:`volition.languages.protocols.ParametricProgram`
    describes it.

    ``folder`` is what the files say, ``given`` the numbers that were set from outside, and
    ``agents`` what both mean.  With ``suspend`` an agent that has to choose a plan may also wait.
    The percepts that are ``determined`` are made by somebody who looks at the state.
    """

    agents: tuple[ResolvedAgent, ...]
    folder: Project
    given: Numbers
    sources: Sequence[Source]
    warnings: Sequence[Diagnostic]
    properties: Sequence[UnparsedProperty]
    suspend: bool = False
    determined: Mapping[str, PerceptRule] = field(default_factory=dict)
    language: str = "LISA"

    @property
    def agent(self) -> ResolvedAgent:
        """The agent of a program that has one."""
        (agent,) = self.agents
        return agent

    @cached_property
    def parameters(self) -> Numbers:
        """The numbers of percepts and feedbacks: see :mod:`.parameters`."""
        return numeric_parameters(with_numeric_parameters(self.folder.projects, self.given))

    def with_parameters(self, values: Mapping[str, Fraction]) -> LisaProgram:
        """The same program with other numbers; raises :class:`InputError` where they make no
        sense."""
        given = {**self.given, **values}
        return replace(
            self,
            agents=self._changed(_understand(self.folder.projects, given, Diagnostics())),
            given=given,
        )

    def with_determined(self, determined: Mapping[str, PerceptRule]) -> LisaProgram:
        """The same program with some percepts, by their names, that are made by somebody who looks
        at the state."""
        changed = replace(self, determined=determined)
        return replace(
            changed,
            agents=changed._changed(_understand(self.folder.projects, self.given, Diagnostics())),
        )

    def _changed(self, agents: Sequence[ResolvedAgent]) -> tuple[ResolvedAgent, ...]:
        """The agents that the files describe, changed as this program is."""
        return tuple(
            _determining(_suspending(agent) if self.suspend else agent, self.determined)
            for agent in agents
        )

    def model(
        self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()
    ) -> LisaModel:
        """The program's meaning; plans with an action that ``observed`` asks about with ``Does``
        are watched.

        The parameters in ``symbolic`` are left open in probabilities.  Where one of them decides
        more, this raises
        :class:`ParameterNeeded`.
        """
        if not symbolic:
            return LisaModel(self.agents, observed)
        from volition.kernel.weights import (
            ParameterSpace,
            ParameterValueNeeded,
        )  # imports SymPy, which takes its time

        open_ones = ParameterSpace({name: self.parameters[name] for name in symbolic})
        # A parametric weight computes like the number that it stands for.
        given = cast(Numbers, {**self.given, **open_ones})
        if needed := structural_parameters(self.folder.projects, given, symbolic):
            raise ParameterValueNeeded(needed)
        return LisaModel(
            self._changed(
                [
                    resolve_agent(each, Diagnostics())
                    for each in with_numeric_parameters(self.folder.projects, given)
                ]
            ),
            observed,
        )

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """What the program consists of, for the sake of some formulas: see
        :mod:`volition.languages.lisa.dependencies`."""
        stating = self.sources[len(self.folder.sources) :]
        variables = self.model(
            [atom for formula in formulas for atom in modal_atoms(formula)]
        ).variables
        return dependencies_of(self.agents, self.folder.projects, stating, variables, formulas)

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> LisaProgram:
        """The same program, with the same numbers, read from other texts."""
        changed = {id(old): new for old, new in texts}
        sources = tuple(changed.get(id(each), each) for each in self.sources)
        diagnostics = Diagnostics()
        written = [
            replace(each, reasoning=read_reasoning_file(source, diagnostics), source=source)
            for each, source in zip(self.folder.projects, sources, strict=False)
        ]
        projects = deliver(written, self.folder.names, diagnostics)
        known = numeric_parameters(projects)
        given = {name: value for name, value in self.given.items() if name in known}
        agents = self._changed(_understand(projects, given, diagnostics))
        folder = replace(
            self.folder, projects=projects, sources=sources[: len(self.folder.sources)]
        )
        return replace(
            self, agents=agents, folder=folder, given=given, sources=sources, properties=()
        )

    def tables(self) -> Sequence[Table]:
        return tables(self.agents, self.folder.projects, self.parameters)


def load(path: Path, settings: Mapping[str, str]) -> LisaProgram:
    """Read the project folder at ``path``, or the agent whose reasoning file is at ``path``.

    Properties are taken from the files ``*.props`` beside the reasoning file.  ``settings`` replace
    numbers of the project (see
    :mod:`.parameters`).  Raises :class:`InputError` with everything that is wrong in the project.
    """
    diagnostics = Diagnostics()
    folder = read_folder(path, diagnostics)
    folder = replace(folder, projects=deliver(folder.projects, folder.names, diagnostics))
    sources, properties = _properties(path if path.is_dir() else path.parent, diagnostics)
    for source in folder.sources:
        reject_results(source, diagnostics)
    # What could not be read has no numbers, and nobody should hear that they are unknown.
    suspend = _reads_suspend(settings, diagnostics)
    others = {name: text for name, text in settings.items() if name != SUSPEND}
    given = {} if diagnostics.errors else read_numbers(others, folder.projects, diagnostics)
    agents = _understand(folder.projects, given, diagnostics)
    for project in folder.projects:
        lint_project(project, properties, diagnostics)
    # Of an action that several agents have, each says the same.
    warnings = tuple(dict.fromkeys(diagnostics.warnings))
    read = LisaProgram(
        agents, folder, given, (*folder.sources, *sources), warnings, properties, suspend
    )
    return replace(read, agents=read._changed(agents))


SUSPEND = "suspend"
"""The setting that gives an agent that has to choose a plan the choice to wait."""


def _reads_suspend(settings: Mapping[str, str], diagnostics: Diagnostics) -> bool:
    words = EnumSetting({"true": True, "false": False})
    text = settings.get(SUSPEND, "false")
    return (
        read_value(
            "LIS063", f"the setting '{SUSPEND}' cannot be '{text}'", text, words, diagnostics
        )
        or False
    )


def _suspending(agent: ResolvedAgent) -> ResolvedAgent:
    return replace(
        agent, groups=tuple(replace(group, suspends=group.overlaps) for group in agent.groups)
    )


def _determining(agent: ResolvedAgent, determined: Mapping[str, PerceptRule]) -> ResolvedAgent:
    """The agent with some percepts that wait for nothing, and so need no counter."""
    percepts = [
        replace(each, counter=None, rule=determined[agent.prefix + each.name])
        if agent.prefix + each.name in determined
        else each
        for each in agent.percepts
    ]
    return replace(agent, percepts=tuple(percepts))


def _understand(
    projects: Sequence[AgentFiles], given: Numbers, diagnostics: Diagnostics
) -> tuple[ResolvedAgent, ...]:
    """The agents of a program with some of its numbers replaced; raises everything that is
    wrong."""
    check_numbers(projects, given, diagnostics)
    agents = tuple(
        resolve_agent(each, diagnostics)
        for each in (projects if diagnostics.errors else with_numeric_parameters(projects, given))
    )
    check_name_clashes(agents, diagnostics)
    _without_consequences(diagnostics).raise_errors()
    return agents


_UNREADABLE = ("LIS001", "LIS002")
_UNDEFINED = ("LIS040", "LIS041", "LIS048")


def _without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The errors, except that a sentence is nowhere defined if it stands in a line that could not
    be read."""
    unreadable = [
        each.span.source.line(each.span.line)
        for each in diagnostics.errors
        if each.code in _UNREADABLE and each.span
    ]
    kept = Diagnostics()
    for error in diagnostics.errors:
        text = error.span.text if error.span else ""
        if error.code not in _UNDEFINED or not any(text in line for line in unreadable):
            kept.extend([error])
    return kept


def _properties(
    folder: Path, diagnostics: Diagnostics
) -> tuple[list[Source], list[UnparsedProperty]]:
    sources = [read_source(each) for each in sorted(folder.glob("*.props"))]
    properties = [
        stated for source in sources for stated in read_properties(source, diagnostics=diagnostics)
    ]
    return sources, properties
