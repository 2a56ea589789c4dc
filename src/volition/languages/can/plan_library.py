"""What the rules of CAN look up: plans, actions, the values of parameters, and how one of several
is selected."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from volition.kernel import SlotView
from volition.languages.can.conditions import (
    Comparison,
    Condition,
    Conjunction,
    Constant,
    NumericBelief,
    Parameters,
    Valuation,
    holds,
    value,
)
from volition.languages.can.syntax import (
    Action,
    AddBelief,
    Assign,
    BackgroundChange,
    Change,
    Outcome,
    Plan,
    PolicyKind,
    RemoveBelief,
)

__all__ = ["PlanLibrary", "ResolvedPolicy", "change_writes", "effect_writes"]


@dataclass(frozen=True)
class ResolvedPolicy:
    """How one of several numbered things is selected.

    ``order`` has every number once; ``weights`` gives each its probability, to be scaled to those
    that are possible.
    """

    manner: PolicyKind = "nondeterministic"
    order: tuple[int, ...] = ()
    weights: Mapping[int, Fraction] = field(default_factory=dict)

    @property
    def is_nondeterministic(self) -> bool:
        """Whether the selection is left to whoever analyses the program."""
        return self.manner == "nondeterministic"

    def sequence(self, numbers: tuple[int, ...], last: int = 0) -> Iterator[int]:
        """The numbers in the order in which they are considered; ``last`` is the one selected
        before, for round-robin."""
        if self.is_nondeterministic:
            return iter(numbers)
        among = [number for number in self.order if number in numbers]
        if self.manner == "round-robin" and last in self.order:
            turn = self.order.index(last)
            among.sort(key=lambda number: self.order.index(number) <= turn)
        return iter(among)

    def probabilities(self, numbers: tuple[int, ...]) -> list[tuple[Fraction, int]]:
        """The probability of each of the given numbers, given that it is one of them."""
        total = sum((self.weights[number] for number in numbers), Fraction(0))
        return [(self.weights[number] / total, number) for number in numbers]


@dataclass(frozen=True)
class PlanLibrary:
    """The plan library Π and everything else that stays the same while the agent runs.

    ``parameters`` are the numbers that conditions and beliefs use; ``chances`` are the same
    parameters for the probabilities of outcomes, where some may be left open.  ``plan_policy``
    selects among applicable plans.  ``settled`` says that what is open inside an intention is
    settled: the left side of ``||`` goes first, and a goal of which both conditions hold succeeds.
    """

    plans: Mapping[int, Plan]
    actions: Mapping[str, Action]
    parameters: Parameters
    chances: Parameters
    plan_policy: ResolvedPolicy = field(default_factory=ResolvedPolicy)
    resolve_intention_choices: bool = False

    def relevant(self, event: str) -> tuple[int, ...]:
        """Δ: the numbers of the plans that handle an event."""
        return self._by_event.get(event, ())

    @cached_property
    def _by_event(self) -> Mapping[str, tuple[int, ...]]:
        numbers: dict[str, list[int]] = {}
        for number, plan in self.plans.items():
            numbers.setdefault(plan.event, []).append(number)
        return {event: tuple(found) for event, found in numbers.items()}

    @cached_property
    def leading_equality(self) -> Mapping[int, str]:
        """The plans whose contexts begin with ``x = n``, each with its x."""
        return {
            number: name
            for name, asking in self._asking_for.items()
            for numbers in asking.values()
            for number in numbers
        }

    def asking_for(self, name: str, value: Fraction) -> Set[int]:
        """The plans whose contexts begin with ``x = n``, for one x and one n."""
        return self._asking_for[name].get(value, frozenset())

    @cached_property
    def _asking_for(self) -> Mapping[str, Mapping[Fraction, Set[int]]]:
        found: dict[str, dict[Fraction, set[int]]] = {}
        for number, plan in self.plans.items():
            first = plan.context
            while isinstance(first, Conjunction):
                first = first.left
            match first:
                case Comparison("=", NumericBelief(name), Constant(value)):
                    found.setdefault(name, {}).setdefault(value, set()).add(number)
        return found

    def entails(self, state: SlotView, condition: Condition) -> bool:
        """``B ⊨ φ``"""
        return holds(condition, Valuation(state, self.parameters))


def change_writes(changes: tuple[Change, ...], at: Valuation) -> dict[str, Hashable]:
    """What some changes write, one after the other; every number is computed from the beliefs
    before all of them."""
    writes: dict[str, Hashable] = {}
    for change in changes:
        match change:
            case AddBelief(name):
                writes[name] = True
            case RemoveBelief(name):
                writes[name] = False
            case Assign(name, expression):
                writes[name] = value(expression, at)
    return writes


def effect_writes(effect: Outcome | BackgroundChange, at: Valuation) -> dict[str, Hashable]:
    """What an outcome of an action, or a background change, writes.  Deleted first, then added:
    what is in both holds."""
    if isinstance(effect, Outcome):
        return change_writes((*effect.deleted, *effect.added), at)
    return change_writes(effect.changes, at) if holds(effect.condition, at) else {}
