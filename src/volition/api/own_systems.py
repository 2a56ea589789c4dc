"""Systems of one's own as programs: formulas about them speak of labels, which are functions, and of slots by their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from volition.diagnostics import Diagnostic, InputError, Source, did_you_mean
from volition.display import ShownProgram
from volition.kernel import System, View
from volition.languages.model import Portrait, StatedProperty, Table
from volition.logic.printing import show
from volition.logic.syntax import Atom, Leaf
from volition.telling.slot_values import as_data

__all__ = ["Label", "SystemModel", "SystemProgram"]

Label = Callable[[View], Any]
"""What a name means in a state: a truth value, or a number for comparisons."""


@dataclass(frozen=True, repr=False)
class SystemModel:
    """A system with names for what holds in its states."""

    system: System
    labels: Mapping[str, Label]

    @property
    def agents(self) -> Sequence[str]:
        return [component.name for component in self.system.components]

    def resolve(self, leaf: Leaf) -> Label:
        """A label, or else the slot of that name."""
        if isinstance(leaf, Atom):
            message = f"a system of your own has no '{show(leaf)}'"
            raise InputError([Diagnostic("API002", message, leaf.span, "give what you mean a name with labels={...}, and write the name")])
        name = leaf.name
        if name in self.labels:
            return self.labels[name]
        if name in self.system.slots:
            return lambda view: view[name]
        known = [*self.labels, *self.system.slots]
        hint = did_you_mean(name, known) or f"known are {', '.join(known)}; name others with labels={{...}}"
        raise InputError([Diagnostic("API003", f"there is no label and no slot '{name}'", leaf.span, hint)])

    def portray(self, state: View) -> Portrait:
        """The slots and their values."""
        return {"slots": {slot: _text(state[slot]) for slot in self.system.slots}}


@dataclass(frozen=True, repr=False)
class SystemProgram(ShownProgram):
    """A system of one's own in the place of a program; it has no text, no properties and no settings."""

    system: System
    labels: Mapping[str, Label] = field(default_factory=dict)
    language: str = "System"
    sources: Sequence[Source] = ()
    warnings: Sequence[Diagnostic] = ()
    properties: Sequence[StatedProperty] = ()

    def __repr__(self) -> str:
        return f"<a system of {len(self.system.slots)} slots and {len(self.system.components)} components>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a system of your own is made of functions and cannot be pickled; make it again where it is needed")

    def tables(self) -> list[Table]:
        """Slots with their first values, components, labels."""
        names = [[name] for name in self.labels]
        return [
            Table("Slots", ["slot", "at first"], [[slot, _text(value)] for slot, value in self.system.slots.items()]),
            Table("Components", ["component"], [[component.name] for component in self.system.components]),
            Table("Labels", ["label"], names),
        ]

    def model(self, observed: Collection[Atom] = ()) -> SystemModel:  # noqa: ARG002, labels see the state alone
        return SystemModel(self.system, self.labels)


def _text(value: object) -> str:
    data = as_data(value)
    return data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
