"""User-defined systems as programs that can be checked. Atoms of formulas are labels, which are
Python functions of a state, and the names of slots."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from volition.diagnostics import Diagnostic, InputError, Source, did_you_mean
from volition.display import HtmlProgram
from volition.kernel import KernelError, SlotView, System
from volition.languages.protocols import StateView, Table, UnparsedProperty
from volition.logic.printing import as_typed
from volition.logic.syntax import Atom, AtomicFormula, Identifier, Proposition
from volition.reporting.json_values import to_json_value

__all__ = ["Label", "SystemModel", "SystemProgram"]

Label = Callable[[SlotView], Any]
"""Function that gives a name in a formula its value in a state: a truth value, or a number for
comparisons."""


@dataclass(frozen=True, repr=False)
class SystemModel:
    """User-defined system together with the labels that formulas can use."""

    system: System
    labels: Mapping[str, Label]

    @property
    def agents(self) -> Sequence[str]:
        return [component.name for component in self.system.components]

    def resolve(self, atom: AtomicFormula) -> Label:
        """Return the function that evaluates an atom in a state: the label with the name of the
        atom, or else the value of the slot with that name."""
        if isinstance(atom, Atom):
            message = f"the atom '{as_typed(atom)}' is not available for a user-defined system"
            raise InputError(
                [
                    Diagnostic(
                        "API002",
                        message,
                        atom.span,
                        "define a label with labels={...}, and use its name in the formula",
                    )
                ]
            )
        name = atom.name
        if name in self.labels:
            return _checked_label(atom, "label", self.labels[name])
        if name in self.system.slots:
            return _checked_label(atom, "slot", lambda view: view[name])
        known = [*self.labels, *self.system.slots]
        hint = (
            did_you_mean(name, known)
            or f"known names are {', '.join(known)}; define others with labels={{...}}"
        )
        raise InputError([Diagnostic("API003", f"unknown label or slot '{name}'", atom.span, hint)])

    def describe(self, state: SlotView) -> StateView:
        """Return a state view with one section: the slots with their values as text."""
        return {"slots": {slot: _text(state[slot]) for slot in self.system.slots}}


@dataclass(frozen=True, repr=False)
class SystemProgram(HtmlProgram):
    """User-defined system, wrapped as a program; it has no source text, no properties and no
    settings."""

    system: System
    labels: Mapping[str, Label] = field(default_factory=dict)
    language: str = "Python"
    sources: Sequence[Source] = ()
    warnings: Sequence[Diagnostic] = ()
    properties: Sequence[UnparsedProperty] = ()

    def __repr__(self) -> str:
        return f"<System: {len(self.system.slots)} slots, {len(self.system.components)} components>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a user-defined system consists of functions and cannot be pickled; create it again "
            "where it is needed"
        )

    def tables(self) -> list[Table]:
        """Return tables of the slots with their initial values, the components, and the labels."""
        names = [[name] for name in self.labels]
        return [
            Table(
                "Slots",
                ["slot", "initial value"],
                [[slot, _text(value)] for slot, value in self.system.slots.items()],
            ),
            Table(
                "Components",
                ["component"],
                [[component.name] for component in self.system.components],
            ),
            Table("Labels", ["label"], names),
        ]

    def model(self, observed: Collection[Atom] = ()) -> SystemModel:  # noqa: ARG002
        return SystemModel(self.system, self.labels)


def _checked_label(atom: Proposition | Identifier, kind: str, meaning: Label) -> Label:
    """Return the function of a label or slot with error handling: it raises :class:`InputError` if
    the function fails or returns a value of the wrong type for the formula."""

    def checked(view: SlotView) -> Any:
        try:
            value = meaning(view)
        except Exception as error:
            raise InputError(
                [
                    Diagnostic(
                        "API008",
                        f"the {kind} '{atom.name}' fails: {_user_error_text(error)}",
                        atom.span,
                    )
                ]
            ) from error
        if isinstance(atom, Proposition) and not isinstance(value, bool | np.bool_):
            hint = (
                f"compare it, as in {atom.name} > 0"
                if isinstance(value, Real)
                else "define a label that returns a truth value"
            )
            raise InputError(
                [
                    Diagnostic(
                        "API009",
                        f"the {kind} '{atom.name}' is {value!r}, not true or false",
                        atom.span,
                        hint,
                    )
                ]
            )
        if isinstance(atom, Identifier) and not isinstance(value, Real | np.bool_):
            raise InputError(
                [
                    Diagnostic(
                        "API009", f"the {kind} '{atom.name}' is {value!r}, not a number", atom.span
                    )
                ]
            )
        return value

    checked.__name__ = atom.name
    return checked


def _user_error_text(error: Exception) -> str:
    """Return the text of an exception in a user's function, with the line where it occurred. The
    text does not depend on the formula, so that an exception in several formulas is reported once.
    """
    if isinstance(error, KernelError):
        return str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} (line {frame.lineno} of '{Path(frame.filename).name}')"


def _text(value: object) -> str:
    data = to_json_value(value)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
