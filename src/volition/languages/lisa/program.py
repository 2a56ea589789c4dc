"""LISA program: the project folder after reading and checking."""

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
    """LISA program without errors, which implements
    :class:`volition.languages.protocols.ParametricProgram`.

    - ``folder`` is the parsed project.
    - ``given`` are the parameter values that were set from outside.
    - ``agents`` are the agents of the project with these parameter values.
    - With ``suspend``, an agent that has to choose a plan may also wait.
    - ``determined`` maps percepts to rules that compute their values from the state. All other
      percepts flip at random.
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
        """Agent of a program with a single agent."""
        (agent,) = self.agents
        return agent

    @cached_property
    def parameters(self) -> Numbers:
        """Parameters of percepts and feedbacks with their values: see :mod:`.parameters`."""
        return numeric_parameters(with_numeric_parameters(self.folder.projects, self.given))

    def with_parameters(self, values: Mapping[str, Fraction]) -> LisaProgram:
        """Return the program with other parameter values; raise :class:`InputError` if they are
        invalid."""
        given = {**self.given, **values}
        return replace(
            self,
            agents=self._with_options(_resolve_agents(self.folder.projects, given, Diagnostics())),
            given=given,
        )

    def with_determined(self, determined: Mapping[str, PerceptRule]) -> LisaProgram:
        """Return the program in which the given rules compute the values of the named percepts from
        the state."""
        changed = replace(self, determined=determined)
        return replace(
            changed,
            agents=changed._with_options(
                _resolve_agents(self.folder.projects, self.given, Diagnostics())
            ),
        )

    def _with_options(self, agents: Sequence[ResolvedAgent]) -> tuple[ResolvedAgent, ...]:
        """Return agents with the program's options ``suspend`` and ``determined`` applied to
        them."""
        return tuple(
            _with_rules(_with_suspension(agent) if self.suspend else agent, self.determined)
            for agent in agents
        )

    def model(
        self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()
    ) -> LisaModel:
        """Return the model of the program.

        If a ``Does`` atom in ``observed`` names an action, states also store the previous index of
        each plan with this action (the step that the plan was at). The parameters in ``symbolic``
        stay symbolic in probabilities. If one of them determines more than probabilities, this
        raises :class:`ParameterValueNeeded`.
        """
        if not symbolic:
            return LisaModel(self.agents, observed)
        from volition.kernel.weights import (
            ParameterSpace,
            ParameterValueNeeded,
        )  # imports SymPy, which is slow

        symbolic_values = ParameterSpace({name: self.parameters[name] for name in symbolic})
        # A symbolic parameter supports the same arithmetic as a number, so it can take the place of
        # one.
        given = cast(Numbers, {**self.given, **symbolic_values})
        if needed := structural_parameters(self.folder.projects, given, symbolic):
            raise ParameterValueNeeded(needed)
        return LisaModel(
            self._with_options(
                [
                    resolve_agent(each, Diagnostics())
                    for each in with_numeric_parameters(self.folder.projects, given)
                ]
            ),
            observed,
        )

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return what each part of the program reads and writes, for slicing with respect to
        ``formulas``: see :mod:`volition.languages.lisa.dependencies`."""
        property_sources = self.sources[len(self.folder.sources) :]
        variables = self.model(
            [atom for formula in formulas for atom in modal_atoms(formula)]
        ).variables
        return dependencies_of(
            self.agents, self.folder.projects, property_sources, variables, formulas
        )

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> LisaProgram:
        """Return the program with the same parameter values, read from changed texts. ``texts`` are
        pairs of an old source and its replacement."""
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
        agents = self._with_options(_resolve_agents(projects, given, diagnostics))
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

    Properties come from the files ``*.props`` in the same folder. ``settings`` replace parameter
    values of the project (see :mod:`.parameters`). Raise :class:`InputError` with all errors of the
    project.
    """
    diagnostics = Diagnostics()
    folder = read_folder(path, diagnostics)
    folder = replace(folder, projects=deliver(folder.projects, folder.names, diagnostics))
    sources, properties = _properties(path if path.is_dir() else path.parent, diagnostics)
    for source in folder.sources:
        reject_results(source, diagnostics)
    suspend = _read_suspend(settings, diagnostics)
    others = {name: text for name, text in settings.items() if name != SUSPEND}
    # The parameters in a file with errors are not known. To avoid wrong errors about unknown
    # parameters, the settings are not read then.
    given = {} if diagnostics.errors else read_numbers(others, folder.projects, diagnostics)
    agents = _resolve_agents(folder.projects, given, diagnostics)
    for project in folder.projects:
        lint_project(project, properties, diagnostics)
    # Agents that share an action give the same warning about it; keep it once.
    warnings = tuple(dict.fromkeys(diagnostics.warnings))
    read = LisaProgram(
        agents, folder, given, (*folder.sources, *sources), warnings, properties, suspend
    )
    return replace(read, agents=read._with_options(agents))


SUSPEND = "suspend"
"""Name of the setting that lets an agent wait when it has to choose a plan."""


def _read_suspend(settings: Mapping[str, str], diagnostics: Diagnostics) -> bool:
    words = EnumSetting({"true": True, "false": False})
    text = settings.get(SUSPEND, "false")
    return (
        read_value(
            "LIS063", f"the setting '{SUSPEND}' cannot be '{text}'", text, words, diagnostics
        )
        or False
    )


def _with_suspension(agent: ResolvedAgent) -> ResolvedAgent:
    return replace(
        agent, groups=tuple(replace(group, suspends=group.overlaps) for group in agent.groups)
    )


def _with_rules(agent: ResolvedAgent, determined: Mapping[str, PerceptRule]) -> ResolvedAgent:
    """Return the agent with percepts that are computed by the rules in ``determined``. Such a
    percept has no counter, because it does not flip at random. A percept without a rule is not
    changed."""
    percepts = [
        replace(each, counter=None, rule=determined[agent.prefix + each.name])
        if agent.prefix + each.name in determined
        else each
        for each in agent.percepts
    ]
    return replace(agent, percepts=tuple(percepts))


def _resolve_agents(
    projects: Sequence[AgentFiles], given: Numbers, diagnostics: Diagnostics
) -> tuple[ResolvedAgent, ...]:
    """Return the agents of a program, with the parameter values in ``given``. Raise
    :class:`InputError` with all errors found."""
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
    """Return the diagnostics without errors that follow from others: a sentence is not reported as
    undefined if it occurs in a line that could not be parsed."""
    unreadable = [
        each.span.source.line(each.span.line)
        for each in diagnostics.errors
        if each.code in _UNREADABLE and each.span
    ]
    remaining = Diagnostics()
    for error in diagnostics.errors:
        text = error.span.text if error.span else ""
        if error.code not in _UNDEFINED or not any(text in line for line in unreadable):
            remaining.extend([error])
    return remaining


def _properties(
    folder: Path, diagnostics: Diagnostics
) -> tuple[list[Source], list[UnparsedProperty]]:
    sources = [read_source(each) for each in sorted(folder.glob("*.props"))]
    properties = [
        stated for source in sources for stated in read_properties(source, diagnostics=diagnostics)
    ]
    return sources, properties
