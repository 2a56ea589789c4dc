"""Data that the CAN rules use and that does not change during execution: plans, actions, parameter
values and resolved policies."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import assert_never

from volition.kernel import SlotView
from volition.languages.can.conditions import (
    BeliefAtom,
    BooleanLiteral,
    Comparison,
    Condition,
    Conjunction,
    Constant,
    Disjunction,
    EventPhase,
    Negation,
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
    """Policy that selects one of several events, plans or intentions, each given by its number.

    ``order`` contains every number once, in the order of the policy. ``weights`` are the
    probabilities of a probabilistic policy. In a state, they are normalised over the numbers that
    are possible there.
    """

    kind: PolicyKind = "nondeterministic"
    order: tuple[int, ...] = ()
    weights: Mapping[int, Fraction] = field(default_factory=dict)

    @property
    def is_nondeterministic(self) -> bool:
        """Whether the policy leaves the selection as a nondeterministic choice of the MDP."""
        return self.kind == "nondeterministic"

    def sequence(self, numbers: tuple[int, ...], last: int = 0) -> Iterator[int]:
        """Return the numbers of the possible events, plans or intentions in the order in which this
        policy tries them. ``numbers`` are the same numbers in any order. ``last`` is the number
        that was selected last time. A round-robin policy continues with the number after it."""
        if self.is_nondeterministic:
            return iter(numbers)
        among = [number for number in self.order if number in numbers]
        if self.kind == "round-robin" and last in self.order:
            turn = self.order.index(last)
            among.sort(key=lambda number: self.order.index(number) <= turn)
        return iter(among)

    def probabilities(self, numbers: tuple[int, ...]) -> list[tuple[Fraction, int]]:
        """Return each of ``numbers`` with its probability, given that one of them is selected."""
        total = sum((self.weights[number] for number in numbers), Fraction(0))
        return [(self.weights[number] / total, number) for number in numbers]


@dataclass(frozen=True)
class PlanLibrary:
    """Plan library Π and all other data that is constant while the agent runs.

    - ``parameters`` are the parameter values for conditions and beliefs.
    - ``probability_parameters`` are the parameter values for probabilities of outcomes, possibly
      symbolic.
    - ``plan_policy`` selects among applicable plans.
    - With ``resolve_intention_choices``, an intention has no choices of its own: the left branch
      of a ``||`` steps first, and a goal succeeds if its success and failure conditions both hold.
    """

    plans: Mapping[int, Plan]
    actions: Mapping[str, Action]
    parameters: Parameters
    probability_parameters: Parameters
    plan_policy: ResolvedPolicy = field(default_factory=ResolvedPolicy)
    resolve_intention_choices: bool = False

    def relevant(self, event: str) -> tuple[int, ...]:
        """Return Δ, the numbers of the plans for an event."""
        return self._by_event.get(event, ())

    @cached_property
    def _by_event(self) -> Mapping[str, tuple[int, ...]]:
        numbers: dict[str, list[int]] = {}
        for number, plan in self.plans.items():
            numbers.setdefault(plan.event, []).append(number)
        return {event: tuple(found) for event, found in numbers.items()}

    @cached_property
    def leading_equality(self) -> Mapping[int, str]:
        """Mapping from the number of each plan whose context condition begins with ``x = n`` to the
        name of the numeric belief x."""
        return {
            number: name
            for name, by_value in self._guards.items()
            for numbers in by_value.values()
            for number in numbers
        }

    def plans_guarded_by(self, name: str, value: Fraction) -> Set[int]:
        """Return the numbers of the plans whose context conditions begin with ``name = value``."""
        return self._guards[name].get(value, frozenset())

    @cached_property
    def _guards(self) -> Mapping[str, Mapping[Fraction, Set[int]]]:
        found: dict[str, dict[Fraction, set[int]]] = {}
        for number, plan in self.plans.items():
            first = plan.context
            while isinstance(first, Conjunction):
                first = first.left
            match first:
                case Comparison("=", NumericBelief(name), Constant(value)):
                    found.setdefault(name, {}).setdefault(value, set()).add(number)
                case (
                    BooleanLiteral()
                    | BeliefAtom()
                    | Comparison()
                    | EventPhase()
                    | Negation()
                    | Disjunction()
                ):
                    pass
                case _:
                    assert_never(first)
        return found

    def entails(self, state: SlotView, condition: Condition) -> bool:
        """Return whether a condition is believed in a state: ``B ⊨ φ``."""
        return holds(condition, Valuation(state, self.parameters))


def change_writes(changes: tuple[Change, ...], at: Valuation) -> dict[str, Hashable]:
    """Return the slot writes of several belief changes, applied in order. Every assigned number is
    computed from the beliefs before all changes."""
    writes: dict[str, Hashable] = {}
    for change in changes:
        match change:
            case AddBelief(name):
                writes[name] = True
            case RemoveBelief(name):
                writes[name] = False
            case Assign(name, expression):
                writes[name] = value(expression, at)
            case _:
                assert_never(change)
    return writes


def effect_writes(effect: Outcome | BackgroundChange, at: Valuation) -> dict[str, Hashable]:
    """Return the slot writes of an outcome of an action, or of a background change.

    An outcome deletes beliefs first and then adds beliefs, so a belief in both sets holds
    afterwards. A background change whose condition is false writes nothing.
    """
    if isinstance(effect, Outcome):
        return change_writes((*effect.deleted, *effect.added), at)
    return change_writes(effect.changes, at) if holds(effect.condition, at) else {}
