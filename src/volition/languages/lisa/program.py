"""A LISA program that was read: a project folder whose agent has no errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import cast

from volition.diagnostics import Diagnostic, Diagnostics, Source
from volition.display import ShownProgram
from volition.languages.kit.dependencies import Dependencies
from volition.languages.kit.trust import read_source
from volition.languages.lisa.agent import Agent
from volition.languages.lisa.checks import understand
from volition.languages.lisa.dependencies import dependencies_of
from volition.languages.lisa.leftovers import check_leftovers
from volition.languages.lisa.model import LisaModel
from volition.languages.lisa.parameters import Numbers, check_numbers, deciding, numbers_of, read_numbers, with_numbers
from volition.languages.lisa.project import Project, read_project
from volition.languages.lisa.reasoning_file import read_reasoning_file
from volition.languages.lisa.tables import tables
from volition.languages.model import Table
from volition.logic.reading.property_file import StatedProperty, read_properties, refuse_results
from volition.logic.syntax import Atom, Formula
from volition.logic.tree import atoms

__all__ = ["LisaProgram", "load"]


@dataclass(frozen=True, repr=False)
class LisaProgram(ShownProgram):
    """A program without errors, as :class:`volition.languages.model.ParametricProgram` describes it.

    ``project`` is what the files say, ``given`` the numbers that were set from outside, and ``agent`` what both mean.
    """

    agent: Agent
    project: Project
    given: Numbers
    sources: Sequence[Source]
    warnings: Sequence[Diagnostic]
    properties: Sequence[StatedProperty]
    language: str = "LISA"

    @cached_property
    def parameters(self) -> Numbers:
        """The numbers of percepts and feedbacks: see :mod:`.parameters`."""
        return numbers_of(with_numbers(self.project, self.given))

    def with_parameters(self, values: Mapping[str, Fraction]) -> LisaProgram:
        """The same program with other numbers; raises :class:`InputError` where they make no sense."""
        given = {**self.given, **values}
        return replace(self, agent=_understand(self.project, given, Diagnostics()), given=given)

    def model(self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()) -> LisaModel:
        """The program's meaning; plans with an action that ``observed`` asks about with ``Does`` are watched.

        The parameters in ``symbolic`` are left open in probabilities.  Where one of them decides more, this raises
        :class:`ParameterNeeded`.
        """
        if not symbolic:
            return LisaModel(self.agent, observed)
        from volition.kernel.weights import ParameterNeeded, ParameterSpace  # imports SymPy, which takes its time

        open_ones = ParameterSpace({name: self.parameters[name] for name in symbolic})
        # A parametric weight computes like the number that it stands for.
        given = cast(Numbers, {**self.given, **open_ones})
        if needed := deciding(self.project, given, symbolic):
            raise ParameterNeeded(needed)
        return LisaModel(understand(with_numbers(self.project, given), Diagnostics()), observed)

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """What the program consists of, for the sake of some formulas: see :mod:`volition.languages.lisa.dependencies`."""
        stating = self.sources[len(self.project.sources) :]
        variables = list(self.model([atom for formula in formulas for atom in atoms(formula)]).system.slots)
        return dependencies_of(self.agent, self.project, stating, variables, formulas)

    def with_texts(self, texts: Iterable[tuple[Source, Source]]) -> LisaProgram:
        """The same program, with the same numbers, read from other texts."""
        changed = {id(old): new for old, new in texts}
        sources = tuple(changed.get(id(each), each) for each in self.sources)
        diagnostics = Diagnostics()
        own = sources[: len(self.project.sources)]
        project = replace(self.project, reasoning=read_reasoning_file(own[0], diagnostics), sources=own)
        known = numbers_of(project)
        given = {name: value for name, value in self.given.items() if name in known}
        agent = _understand(project, given, diagnostics)
        return replace(self, agent=agent, project=project, given=given, sources=sources, properties=())

    def tables(self) -> Sequence[Table]:
        return tables(self.agent, self.project, self.parameters)


def load(path: Path, settings: Mapping[str, str]) -> LisaProgram:
    """Read the project folder at ``path``, or that of the reasoning file at ``path``.

    Properties are taken from the files ``*.props`` beside the reasoning file.  ``settings`` replace numbers of the project (see
    :mod:`.parameters`).  Raises :class:`InputError` with everything that is wrong in the project.
    """
    diagnostics = Diagnostics()
    project = read_project(path, diagnostics)
    sources, properties = _properties(path if path.is_dir() else path.parent, diagnostics)
    for source in project.sources:
        refuse_results(source, diagnostics)
    # What could not be read has no numbers, and nobody should hear that they are unknown.
    given = {} if diagnostics.errors else read_numbers(settings, project, diagnostics)
    agent = _understand(project, given, diagnostics)
    check_leftovers(project, properties, diagnostics)
    return LisaProgram(agent, project, given, (*project.sources, *sources), diagnostics.warnings, properties)


def _understand(project: Project, given: Numbers, diagnostics: Diagnostics) -> Agent:
    """The agent of a project with some of its numbers replaced; raises everything that is wrong."""
    check_numbers(project, given, diagnostics)
    agent = understand(project if diagnostics.errors else with_numbers(project, given), diagnostics)
    _without_consequences(diagnostics).raise_errors()
    return agent


_UNREADABLE = ("LIS001", "LIS002")
_UNDEFINED = ("LIS040", "LIS041", "LIS048")


def _without_consequences(diagnostics: Diagnostics) -> Diagnostics:
    """The errors, except that a sentence is nowhere defined if it stands in a line that could not be read."""
    unreadable = [each.span.source.line(each.span.line) for each in diagnostics.errors if each.code in _UNREADABLE and each.span]
    kept = Diagnostics()
    for error in diagnostics.errors:
        text = error.span.text if error.span else ""
        if error.code not in _UNDEFINED or not any(text in line for line in unreadable):
            kept.extend([error])
    return kept


def _properties(folder: Path, diagnostics: Diagnostics) -> tuple[list[Source], list[StatedProperty]]:
    sources = [read_source(each) for each in sorted(folder.glob("*.props"))]
    properties = [stated for source in sources for stated in read_properties(source, diagnostics=diagnostics)]
    return sources, properties
