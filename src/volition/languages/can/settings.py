"""Settings of a CAN program that are given outside its file: parameter values, the initial belief
base, and options of the semantics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from volition.diagnostics import Diagnostics, Source
from volition.languages.can.reader import read_policy
from volition.languages.can.syntax import (
    DROP_POLICIES,
    POLICY_TARGETS,
    AgentProgram,
    DropPolicy,
    Policy,
    PolicyTarget,
)
from volition.languages.common.settings import (
    EnumSetting,
    IntegerSetting,
    RationalSetting,
    SettingType,
    read_value,
    report_unknown,
)

__all__ = ["DEFAULT_MAX_NESTING", "OPTIONS", "Settings", "read_settings"]

_T = TypeVar("_T")

DEFAULT_MAX_NESTING = 100
"""Default limit on the number of nested plans in an intention. Programs without recursion need only
a few."""

_NESTINGS = IntegerSetting(1, 100_000, f"; the default is {DEFAULT_MAX_NESTING}")

OPTIONS = ("initial", "update", "nesting", *POLICY_TARGETS)
"""Names of the settings that every program has, in addition to its parameters."""


@dataclass(frozen=True)
class Settings:
    """Resolved settings of a program: the values in its file, overridden by those given by the
    user."""

    initial: int
    update: DropPolicy
    policies: Mapping[PolicyTarget, Policy]
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    nesting: int = DEFAULT_MAX_NESTING


def read_settings(
    given: Mapping[str, str], agent: AgentProgram, diagnostics: Diagnostics
) -> Settings:
    """Return the settings of a program: those in its file, overridden by ``given``. Unknown names
    and invalid values are reported to ``diagnostics``."""
    declared = {parameter.name: parameter for parameter in agent.parameters}
    for name, parameter in declared.items():
        if name in OPTIONS:
            diagnostics.error(
                "CAN033",
                f"a parameter cannot be called '{name}': this is the name of a setting",
                parameter.span,
            )
    initial = agent.bases[0].number
    update: DropPolicy = agent.update
    policies: dict[PolicyTarget, Policy] = {policy.selection: policy for policy in agent.policies}
    parameters: dict[str, Fraction] = {}
    nesting = DEFAULT_MAX_NESTING
    for name, text in given.items():
        if name == "initial":
            initial = (
                _value(
                    name,
                    text,
                    EnumSetting({str(base.number): base.number for base in agent.bases}),
                    diagnostics,
                )
                or initial
            )
        elif name == "update":
            update = (
                _value(name, text, EnumSetting({each: each for each in DROP_POLICIES}), diagnostics)
                or update
            )
        elif name == "nesting":
            nesting = _value(name, text, _NESTINGS, diagnostics) or DEFAULT_MAX_NESTING
        elif name in declared:
            parameters[name] = _value(name, text, RationalSetting(), diagnostics) or Fraction(0)
        elif name in POLICY_TARGETS:
            selection = next(each for each in POLICY_TARGETS if each == name)
            policy = read_policy(selection, Source(f"setting {name}", text), declared, diagnostics)
            policies |= {} if policy is None else {selection: policy}
        else:
            report_unknown(
                "CAN050", f"unknown setting '{name}'", name, [*declared, *OPTIONS], diagnostics
            )
    return Settings(initial, update, policies, parameters, nesting)


def _value(name: str, text: str, kind: SettingType[_T], diagnostics: Diagnostics) -> _T | None:
    return read_value("CAN051", f"the setting '{name}' cannot be '{text}'", text, kind, diagnostics)
