"""What all abstractions of a model share: its functions as decision trees, and a first look at
it."""

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
"""Slots and the numbers of the values that are written to them."""

Branch = tuple[bool, Writes]
"""One outcome of one choice: whether reactions follow, and what is written.  Which probability it
has does not matter to runs."""


class TracedFunctions:
    """The steps of components, the reactions, and what leaves of formulas read off states."""

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
        """A look at so many states, which is taken once."""
        if states not in self._looks:
            self._looks[states] = profile(self.model.system, states)
        return self._looks[states]

    def leaf(self, leaf: AtomicFormula) -> Callable[[SlotView], Any]:
        """The function behind a leaf of a formula, always the same one."""
        if leaf not in self._leaves:
            self._leaves[leaf] = self.model.resolve(leaf)
        return self._leaves[leaf]

    def tree(self, function: Callable[[SlotView], Any]) -> DecisionTree:
        """The tree of a function that is read off states."""
        if function not in self._trees:
            self._trees[function] = DecisionTree(function, self.values)
        return self._trees[function]

    def numbers(self, state: Mapping[str, Hashable]) -> dict[str, int]:
        """A state with numbers in the place of values."""
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
    """The functions of a program's models: those of the plain one, and those of models that
    remember more for the sake of atoms."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.plain = TracedFunctions(program.model())
        self._remembering: dict[frozenset[Atom], TracedFunctions] = {}

    def for_atoms(self, observed: Collection[Atom]) -> TracedFunctions:
        """Of the model that observes these atoms, the same for all questions that need it; raises
        :class:`InputError` as that does."""
        model = self._program.model(observed)
        if model.system.slots == self.plain.model.system.slots:
            return self.plain
        return self._remembering.setdefault(frozenset(observed), TracedFunctions(model))
