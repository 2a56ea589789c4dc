"""Systems of one's own as programs: formulas about them speak of labels, which are functions, and
of slots by their names."""

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
"""What a name means in a state: a truth value, or a number for comparisons."""


@dataclass(frozen=True, repr=False)
class SystemModel:
    """A system with names for what holds in its states."""

    system: System
    labels: Mapping[str, Label]

    @property
    def agents(self) -> Sequence[str]:
        return [component.name for component in self.system.components]

    def resolve(self, atom: AtomicFormula) -> Label:
        """A label, or else the slot of that name."""
        if isinstance(atom, Atom):
            message = f"a system of your own has no '{as_typed(atom)}'"
            raise InputError(
                [
                    Diagnostic(
                        "API002",
                        message,
                        atom.span,
                        "give what you mean a name with labels={...}, and write the name",
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
            or f"known are {', '.join(known)}; name others with labels={{...}}"
        )
        raise InputError(
            [Diagnostic("API003", f"there is no label and no slot '{name}'", atom.span, hint)]
        )

    def describe(self, state: SlotView) -> StateView:
        """The slots and their values."""
        return {"slots": {slot: _text(state[slot]) for slot in self.system.slots}}


@dataclass(frozen=True, repr=False)
class SystemProgram(HtmlProgram):
    """A system of one's own in the place of a program; it has no text, no properties and no
    settings."""

    system: System
    labels: Mapping[str, Label] = field(default_factory=dict)
    language: str = "Python"
    sources: Sequence[Source] = ()
    warnings: Sequence[Diagnostic] = ()
    properties: Sequence[UnparsedProperty] = ()

    def __repr__(self) -> str:
        return (
            f"<a system of {len(self.system.slots)} slots and {len(self.system.components)} "
            "components>"
        )

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a system of your own is made of functions and cannot be pickled; make it again where "
            "it is needed"
        )

    def tables(self) -> list[Table]:
        """Slots with their first values, components, labels."""
        names = [[name] for name in self.labels]
        return [
            Table(
                "Slots",
                ["slot", "at first"],
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
    """What a name means, or what is wrong with it: an error inside of the function, or an answer of
    another kind than the formula needs."""

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
                else "give a label that says what should hold of it"
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
    """An error inside of somebody's function, with its place: where several formulas fail, they are
    told as one error."""
    if isinstance(error, KernelError):
        return str(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} (line {frame.lineno} of '{Path(frame.filename).name}')"


def _text(value: object) -> str:
    data = to_json_value(value)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
