"""CAN programs, and :func:`load`, which reads and checks one."""

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
    """Return the program in a ``.can`` file. Raises :class:`InputError` with all errors in the
    program and the settings.

    Settings are:
    - values of the program's parameters (``pe=0.2``);
    - the number of the initial belief base (``initial=2``);
    - when blocked intentions may be dropped (``update=any``, ``finished`` or ``stuck``);
    - the maximum number of nested plans (``nesting=500``);
    - policies, written as in a file (``events=fixed``, ``plans=probabilities 2 = 0.3, 3 = 0.7``,
      ``intentions=round-robin``).
    """
    return parse(read_source(path), path.stem, settings)


def parse(source: Source, name: str, settings: Mapping[str, str]) -> CanProgram:
    """Return the program in a source text. ``name`` is the name of the agent. Raises
    :class:`InputError` with all errors in the program and the settings."""
    diagnostics = Diagnostics()
    agent = read(source, name, diagnostics)
    if diagnostics.errors:
        # Report the warnings too, in the order of the text: the warning about a misspelt section
        # header explains the errors below it.
        raise InputError(sorted(diagnostics, key=lambda each: each.span.start if each.span else -1))
    chosen = read_settings(settings, agent, diagnostics)
    return _resolve(agent, source, chosen, diagnostics)


def _resolve(
    agent: AgentProgram, source: Source, chosen: Settings, diagnostics: Diagnostics
) -> CanProgram:
    """Check a parsed program with the settings ``chosen`` and return it. Raises :class:`InputError`
    if it has errors."""
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
    """CAN program that has passed all checks, with its settings."""

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
        """Translate a property of the public CAN tool, an English sentence such as "In some
        executions, eventually the belief b holds.", and return it as a property with a formula. A
        property that is not such a sentence is returned unchanged.

        Report an error and return None for an unknown sentence.
        """
        return as_formula(stated, diagnostics)

    @property
    def initial_state_setting(self) -> str:
        return "initial"

    def for_each_initial_state(self) -> Mapping[str, Program]:
        """Return one program per initial belief base, by the number of the base."""
        numbers = [base.number for base in self.agent.bases]
        return {
            str(number): _resolve(
                self.agent, self.source, replace(self.settings, initial=number), Diagnostics()
            )
            for number in numbers
        }

    def generic_properties(self, *, per_event: bool) -> Mapping[str, str]:
        """Return the properties that the public CAN tool checks for every program: see
        :mod:`volition.languages.can.generic_properties`."""
        return generic_properties(self.agent, per_event=per_event)

    @property
    def base(self) -> BeliefBase:
        """Initial belief base that the setting ``initial`` selects."""
        return next(base for base in self.agent.bases if base.number == self.settings.initial)

    def tables(self) -> Sequence[Table]:
        """Return the tables that show the parsed program, such as its plans and actions."""
        return tables(
            self.agent, self.base, self.parameters, self.settings.policies, self.settings.update
        )

    def with_parameters(self, values: Mapping[str, Fraction]) -> CanProgram:
        """Return this program with new values for the parameters in ``values``. Raises
        :class:`InputError` if the program has errors with these values."""
        chosen = replace(self.settings, parameters={**self.settings.parameters, **values})
        return _resolve(self.agent, self.source, chosen, Diagnostics())

    def dependencies(self, formulas: Sequence[Formula]) -> Dependencies:
        """Return the dependencies between the parts of the program, for slicing with respect to
        ``formulas``: see :mod:`volition.languages.can.dependencies`."""
        model = self.model([atom for formula in formulas for atom in modal_atoms(formula)])
        return dependencies_of(
            self.agent, self.source, dict(self.policies), self.settings.update, model, formulas
        )

    def with_sources(self, texts: Iterable[tuple[Source, Source]]) -> CanProgram:
        """Return the program read from the replacement of its source, with the same settings.

        ``texts`` are pairs of an old source and its replacement. If the program's source is not
        among the old ones, the program is read from it again.
        """
        source = dict(texts).get(self.source, self.source)
        diagnostics = Diagnostics()
        agent = read(source, self.agent.name, diagnostics)
        diagnostics.raise_errors()
        return _resolve(agent, source, self.settings, diagnostics)

    def with_strategy(
        self, rules: Sequence[DecisionRule], stated: Sequence[tuple[str, str]]
    ) -> CanProgram:
        """Return the program with the strategy ``rules`` written into it as decisions, and with the
        properties ``stated``: see :func:`volition.languages.can.decision_writing.with_decisions`.
        """
        agent = with_decisions(self._with_explicit_settings(), rules, stated)
        return parse(
            Source(f"{agent.name}.can", agent_text(agent)),
            agent.name,
            {"nesting": str(self.settings.nesting)},
        )

    def _with_explicit_settings(self) -> AgentProgram:
        """Return the syntax tree of the program with its settings written into it: parameter
        values, initial belief base, policies and ``update``. The tree has the same meaning when it
        is loaded without settings."""
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
        """Return the model of the program. States record an action only if ``observed`` contains a
        ``Does`` atom for it.

        The parameters in ``symbolic`` are left symbolic in the probabilities of outcomes. If the
        value of such a parameter affects anything else, this call or the exploration raises
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
        )  # imports SymPy, which is slow

        open_ones = ParameterSpace({name: self.parameters[name] for name in symbolic})
        # A symbolic parameter supports the same arithmetic as a number, so it can take the place of
        # one.
        given = cast("Parameters", {**self.settings.parameters, **open_ones})
        probability_parameters = parameter_values(self.agent, given, Diagnostics())
        known = FixedParameters(probability_parameters)
        policies = _resolve_policies(self.agent, self.settings, known, Diagnostics())
        return CanModel(
            self.agent,
            self.base,
            known,
            policies,
            self.settings.update,
            observed,
            probability_parameters=probability_parameters,
            nesting=self.settings.nesting,
        )
