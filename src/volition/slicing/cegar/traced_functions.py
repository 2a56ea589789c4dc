"""Data that all abstractions of a model share: the decision trees of its functions, and its access
profiles."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any

from volition.kernel import Choice, SlotView
from volition.kernel.tracing import InternTable
from volition.languages.protocols import Model, Program
from volition.logic.syntax import Atom, AtomicFormula
from volition.slicing.cegar.access_profile import AccessProfile, profile
from volition.slicing.cegar.decision_tree import DecisionTree

__all__ = ["Branch", "FunctionsOfModels", "TracedFunctions", "Writes"]

Writes = tuple[tuple[str, int], ...]
"""Slots that a step writes, each with the number of the value written to it."""

Branch = tuple[bool, Writes]
"""Outcome of a choice of a component: whether it triggers reactions, and its writes. Probabilities
are omitted, because they do not influence which runs exist."""


class TracedFunctions:
    """Decision trees of the functions of a model: its components, its reactions and the atoms of
    formulas."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.values = {
            slot: InternTable[Hashable](value) for slot, value in model.system.slots.items()
        }
        self.components = [
            DecisionTree(each.step, self.values, self._branches) for each in model.system.components
        ]
        self.reactions = [
            DecisionTree(each.react, self.values, self._writes) for each in model.system.reactions
        ]
        self._looks: dict[int, AccessProfile] = {}
        self._leaves: dict[AtomicFormula, Callable[[SlotView], Any]] = {}
        self._trees: dict[Callable[[SlotView], Any], DecisionTree] = {}

    def look(self, states: int) -> AccessProfile:
        """Return the access profile of the first ``states`` states of the model: which slots its
        components and reactions read and write there. Each profile is computed once and cached."""
        if states not in self._looks:
            self._looks[states] = profile(self.model.system, states)
        return self._looks[states]

    def leaf(self, leaf: AtomicFormula) -> Callable[[SlotView], Any]:
        """Return the function that evaluates an atomic formula in a state. For equal formulas it is
        the same Python object, so that its decision tree is shared."""
        if leaf not in self._leaves:
            self._leaves[leaf] = self.model.resolve(leaf)
        return self._leaves[leaf]

    def tree(self, function: Callable[[SlotView], Any]) -> DecisionTree:
        """Return the decision tree of a function of states. It is created on first use."""
        if function not in self._trees:
            self._trees[function] = DecisionTree(function, self.values)
        return self._trees[function]

    def numbers(self, state: Mapping[str, Hashable]) -> dict[str, int]:
        """Return a state as numbers: for each slot the number of its value."""
        return {slot: self.values[slot].id(value) for slot, value in state.items()}

    def _branches(self, choices: Sequence[Choice]) -> tuple[Branch, ...]:
        return tuple(
            dict.fromkeys(
                (choice.triggers_reactions, self._writes(writes))
                for choice in choices
                for weight, writes in choice.outcomes
                if weight != 0
            )
        )

    def _writes(self, writes: Mapping[str, Hashable]) -> Writes:
        return tuple((slot, self.values[slot].id(value)) for slot, value in writes.items())


class FunctionsOfModels:
    """Cache of the traced functions of a program's models: the plain model, and the models with
    additional slots for atoms such as ``Does``, whose truth cannot be read from a plain state."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.plain = TracedFunctions(program.model())
        self._remembering: dict[frozenset[Atom], TracedFunctions] = {}

    def for_atoms(self, observed: Collection[Atom]) -> TracedFunctions:
        """Return the traced functions of the model that observes these atoms. All properties with
        the same observed atoms share them. Raise :class:`InputError` if the program cannot observe
        an atom."""
        model = self._program.model(observed)
        if model.system.slots == self.plain.model.system.slots:
            return self.plain
        return self._remembering.setdefault(frozenset(observed), TracedFunctions(model))
