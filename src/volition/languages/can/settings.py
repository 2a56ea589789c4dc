"""Settings that come from outside the file: values for parameters, the initial belief base, and options of the semantics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from volition.diagnostics import Diagnostics, Source, did_you_mean
from volition.languages.can.reader import read_manner
from volition.languages.can.syntax import SELECTIONS, UPDATES, Agent, Policy, Selection, Update
from volition.logic.numbers import exact_number

__all__ = ["NESTING", "OPTIONS", "Settings", "read_settings"]

_T = TypeVar("_T")

NESTING = 100
"""Plans inside of each other: programs without recursion have a few."""

_DEEPEST_NESTING = 100_000

OPTIONS = ("initial", "update", "nesting", *SELECTIONS)
"""The settings that every program has; a program's parameters come on top."""


@dataclass(frozen=True)
class Settings:
    """How a program is to be run: what the file says, unless a setting says otherwise."""

    initial: int
    update: Update
    policies: Mapping[Selection, Policy]
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    nesting: int = NESTING


def read_settings(given: Mapping[str, str], agent: Agent, diagnostics: Diagnostics) -> Settings:
    """The settings for a program; what is unknown or has no meaning goes to ``diagnostics``."""
    declared = {parameter.name: parameter for parameter in agent.parameters}
    for name, parameter in declared.items():
        if name in OPTIONS:
            diagnostics.error("CAN033", f"a parameter cannot be called '{name}': this is the name of a setting", parameter.span)
    initial = agent.bases[0].number
    update: Update = agent.update
    policies: dict[Selection, Policy] = {policy.selection: policy for policy in agent.policies}
    parameters: dict[str, Fraction] = {}
    nesting = NESTING
    for name, text in given.items():
        if name == "initial":
            initial = _pick(name, text, {str(base.number): base.number for base in agent.bases}, diagnostics) or initial
        elif name == "update":
            update = _pick(name, text, {each: each for each in UPDATES}, diagnostics) or update
        elif name == "nesting":
            nesting = _nesting(text, diagnostics)
        elif name in declared:
            parameters[name] = _number(name, text, diagnostics)
        elif name in SELECTIONS:
            selection = next(each for each in SELECTIONS if each == name)
            policy = read_manner(selection, Source(f"setting {name}", text), declared, diagnostics)
            policies |= {} if policy is None else {selection: policy}
        else:
            known = [*declared, *OPTIONS]
            hint = did_you_mean(name, known) or f"expected one of {', '.join(known)}"
            diagnostics.error("CAN050", f"unknown setting '{name}'", hint=hint)
    return Settings(initial, update, policies, parameters, nesting)


def _pick(name: str, text: str, known: Mapping[str, _T], diagnostics: Diagnostics) -> _T | None:
    if text not in known:
        hint = did_you_mean(text, known) or f"expected {' or '.join(known)}"
        diagnostics.error("CAN051", f"the setting '{name}' cannot be '{text}'", hint=hint)
    return known.get(text)


def _nesting(text: str, diagnostics: Diagnostics) -> int:
    if not re.fullmatch("[0-9]{1,6}", text) or not 1 <= int(text) <= _DEEPEST_NESTING:
        hint = f"give it a whole number from 1 to {_DEEPEST_NESTING}; the default is {NESTING}"
        diagnostics.error("CAN051", f"the setting 'nesting' cannot be '{text}'", hint=hint)
        return NESTING
    return int(text)


def _number(name: str, text: str, diagnostics: Diagnostics) -> Fraction:
    number = exact_number(text)
    if number is None:
        diagnostics.error("CAN051", f"the parameter '{name}' cannot be '{text}'", hint="give it a number, such as 0.25 or 1/4")
    return number or Fraction(0)
