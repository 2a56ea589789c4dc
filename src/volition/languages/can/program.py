"""A CAN program that was read and checked, and :func:`load`, which does both."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import cast

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Source
from volition.display import HtmlProgram
from volition.languages.can.checks import check, parameter_values
from volition.languages.can.conditions import Constant, Parameters
from volition.languages.can.decision_writing import with_decisions
from volition.languages.can.dependencies import dependencies_of
from volition.languages.can.generic_properties import generic_properties
from volition.languages.can.lint import lint
from volition.languages.can.model import CanModel
from volition.languages.can.plan_library import ResolvedPolicy
from volition.languages.can.policies import resolve_policy
from volition.languages.can.printing import agent_text
from volition.languages.can.properties import as_formula
from volition.languages.can.reader import read
from volition.languages.can.settings import Settings, read_settings
from volition.languages.can.syntax import POLICY_TARGETS, AgentProgram, BeliefBase, PolicyTarget
from volition.languages.can.tables import tables
from volition.languages.can.vocabulary import Vocabulary
from volition.languages.common.dependencies import Dependencies
from volition.languages.common.trust import read_source
from volition.languages.protocols import DecisionRule, Program, Table, UnparsedProperty
from volition.logic.syntax import Atom, Formula
from volition.logic.traversal import modal_atoms

__all__ = ["CanProgram", "load", "parse"]


def load(path: Path, settings: Mapping[str, str]) -> CanProgram:
    """Read the program in a file; raises :class:`InputError` with everything that is wrong with it
    or with the settings.

    Settings are values of the program's parameters (``pe=0.2``), the number of the initial belief
    base (``initial=2``), when blocked intentions may be dropped (``update=any``, ``finished`` or
    ``stuck``), how many plans may be inside of each other (``nesting=500``), and policies as they
    stand in a file (``events=fixed``, ``plans=probabilities 2 = 0.3, 3 = 0.7``,
    ``intentions=round-robin``).
    """
    return parse(read_source(path), path.stem, settings)


def parse(source: Source, name: str, settings: Mapping[str, str]) -> CanProgram:
    """Read the program in a source; ``name`` is what the agent is called."""
    diagnostics = Diagnostics()
    agent = read(source, name, diagnostics)
    if diagnostics.errors:
        # With the warnings: a header that is misspelt explains the errors below it.
        raise InputError(sorted(diagnostics, key=lambda each: each.span.start if each.span else -1))
    chosen = read_settings(settings, agent, diagnostics)
    return _resolve(agent, source, chosen, diagnostics)


def _resolve(
    agent: AgentProgram, source: Source, chosen: Settings, diagnostics: Diagnostics
) -> CanProgram:
    """The program with these settings; raises what is wrong with it."""
    parameters = parameter_values(agent, chosen.parameters, diagnostics)
    policies = _resolve_policies(agent, chosen, parameters, diagnostics)
    vocabulary = Vocabulary(agent)
    check(agent, vocabulary, parameters, diagnostics)
    diagnostics.raise_errors()
    lint(agent, vocabulary, parameters, diagnostics)
    return CanProgram(agent, source, chosen, parameters, policies, diagnostics.warnings)


def _resolve_policies(
    agent: AgentProgram, chosen: Settings, parameters: Parameters, diagnostics: Diagnostics
) -> dict[PolicyTarget, ResolvedPolicy]:
    return {
        each: resolve_policy(each, chosen.policies.get(each), agent, parameters, diagnostics)
        for each in POLICY_TARGETS
    }


@dataclass(frozen=True, repr=False)
class CanProgram(HtmlProgram):
    """A program without errors, with the settings that apply to it."""

    agent: AgentProgram
    source: Source
    settings: Settings
    parameters: Parameters
    policies: Mapping[PolicyTarget, ResolvedPolicy]
    warnings: Sequence[Diagnostic]

    @property
    def language(self) -> str:
        return "CAN"

    @property
    def sources(self) -> Sequence[Source]:
        return [self.source]

    @property
    def properties(self) -> Sequence[UnparsedProperty]:
        return self.agent.properties

    def translate_sentence(
        self, stated: UnparsedProperty, diagnostics: Diagnostics
    ) -> UnparsedProperty | None:
        """A sentence of the public CAN tool as a formula; anything else as it is."""
        return as_formula(stated, diagnostics)

    @property
    def initial_state_setting(self) -> str:
        return "initial"

    def for_each_initial_state(self) -> Mapping[str, Program]:
        """The program from each of its initial belief bases, by their numbers."""
        numbers = [base.number for base in self.agent.bases]
        return {
            str(number): _resolve(
                self.agent, self.source, replace(self.settings, initial=number), Diagnostics()
            )
            for number in numbers
        }

    def generic_properties(self, *, per_event: bool) -> Mapping[str, str]:
        """The questions of the public CAN tool: see
        :mod:`volition.languages.can.generic_properties`."""
        return generic_properties(self.agent, per_event=per_event)

    @property
    def base(self) -> BeliefBase:
        """The initial belief base that was chosen."""
        return next(base for base in self.agent.bases if base.number == self.settings.initial)

    def tables(self) -> Sequence[Table]:
        """What was read, for people."""
        return tables(
            self.agent, self.base, self.parameters, self.settings.policies, self.settings.update
        )

    def with_parameters(self, values: Mapping[str, Fraction]) -> CanProgram:
        """The same program with other values for some parameters; raises :class:`InputError` where
        they make no sense."""
        chosen = replace(self.settings, parameters={**self.settings.parameters, **values})
        return _resolve(self.agent, self.source, chosen, Diagnostics())

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """What the program consists of, for the sake of some formulas: see
        :mod:`volition.languages.can.dependencies`."""
        model = self.model([atom for formula in formulas for atom in modal_atoms(formula)])
        return dependencies_of(
            self.agent, self.source, dict(self.policies), self.settings.update, model, formulas
        )

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> CanProgram:
        """The same program read from another text, with the same settings."""
        source = dict(texts).get(self.source, self.source)
        diagnostics = Diagnostics()
        agent = read(source, self.agent.name, diagnostics)
        diagnostics.raise_errors()
        return _resolve(agent, source, self.settings, diagnostics)

    def with_strategy(
        self, rulings: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
    ) -> CanProgram:
        """The program with decisions written into it: see
        :func:`volition.languages.can.decision_writing.realisation`."""
        agent = with_decisions(self._with_explicit_settings(), rulings, stated)
        return parse(
            Source(f"{agent.name}.can", agent_text(agent)),
            agent.name,
            {"nesting": str(self.settings.nesting)},
        )

    def _with_explicit_settings(self) -> AgentProgram:
        """The program as it would be written so that it means without settings what it means with
        them."""
        written = {
            each.name: replace(each, expression=Constant(self.parameters[each.name]))
            for each in self.agent.parameters
        }
        overridden = self.settings.parameters
        return replace(
            self.agent,
            parameters=tuple(
                written[each.name] if each.name in overridden else each
                for each in self.agent.parameters
            ),
            bases=(replace(self.base, number=1),),
            policies=tuple(self.settings.policies.values()),
            update=self.settings.update,
        )

    def model(self, observed: Collection[Atom] = (), *, symbolic: Collection[str] = ()) -> CanModel:
        """The meaning of the program; states remember actions only where ``observed`` asks for them
        with ``Does``.

        The parameters in ``symbolic`` are left open in the probabilities of outcomes.  Where the
        value of one decides more than that, this or the exploration raises
        :class:`ParameterNeeded`.
        """
        if not symbolic:
            nesting = self.settings.nesting
            return CanModel(
                self.agent,
                self.base,
                self.parameters,
                self.policies,
                self.settings.update,
                observed,
                nesting=nesting,
            )
        from volition.kernel.weights import (
            FixedParameters,
            ParameterSpace,
        )  # imports SymPy, which takes its time

        open_ones = ParameterSpace({name: self.parameters[name] for name in symbolic})
        # A parametric weight computes like the number that it stands for.
        given = cast("Parameters", {**self.settings.parameters, **open_ones})
        chances = parameter_values(self.agent, given, Diagnostics())
        known = FixedParameters(chances)
        policies = _resolve_policies(self.agent, self.settings, known, Diagnostics())
        return CanModel(
            self.agent,
            self.base,
            known,
            policies,
            self.settings.update,
            observed,
            chances=chances,
            nesting=self.settings.nesting,
        )
