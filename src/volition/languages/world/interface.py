"""Interface of a world to the agents in it, for worlds declared in a file and worlds written in
Python.

A world keeps its state in slots of the kernel's :class:`~volition.kernel.system.System` and
describes its behaviour as :class:`WorldTransition` values. Each agent language decides how agents
and world interleave: AgentSpeak(F) queues actions, which the world reads in a step of its own;
other languages execute an action at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

from volition.diagnostics import Diagnostic, Diagnostics, InputError, Span, did_you_mean
from volition.kernel.system import Outcome, SlotView
from volition.languages.common.slots import world_item, world_slot
from volition.languages.protocols import StateView
from volition.languages.world.terms import Bindings, Structure, Term, show, unify

__all__ = [
    "CANNOT_FAIL",
    "OUTPUT_VARIABLE_PREFIX",
    "EmptyWorld",
    "PlaceholderWorld",
    "World",
    "WorldTransition",
    "answer_slot",
    "failed_outcome",
    "is_open_variable",
    "split_answers",
    "split_failure",
]


@dataclass(frozen=True, slots=True)
class WorldTransition:
    """Transition of the world: a rule with values for its variables and with its nondeterministic
    choices resolved.

    ``outcomes`` are pairs of a probability and slot writes, as in the kernel. ``text`` describes
    the transition for users. An outcome of an action may also record that the action failed
    (:func:`failed_outcome`), and values of variables that the agent left unbound in the action
    (:func:`answer_slot`).
    """

    name: str
    text: str
    outcomes: tuple[Outcome, ...]
    span: Span | None = None


_ANSWER = "answer: "
OUTPUT_VARIABLE_PREFIX = "?"
"""Prefix of the names of variables that an agent left unbound in its action. The world may give
values to these variables."""


def answer_slot(variable: str) -> str:
    """Return the key for the value that the world gives to a variable of an action. Outcomes of the
    action store the value among their slot writes, under this key.

    The key has the form of a slot name, but the state has no such slot. :func:`split_answers` takes
    these keys out again.
    """
    return _ANSWER + variable


def is_open_variable(name: str) -> bool:
    """Return whether a name is that of a variable which the agent left unbound in its action. Such
    names do not occur in files."""
    return name.startswith(OUTPUT_VARIABLE_PREFIX)


def split_answers(writes: Mapping[str, Hashable]) -> tuple[Mapping[str, Hashable], dict[str, Any]]:
    """Split the writes of an action's outcome into two mappings: the slot writes, and the answers
    of the world, by variable. An answer is the value of a variable that the agent left unbound in
    its action (:func:`answer_slot`)."""
    answers = {
        slot.removeprefix(_ANSWER): value
        for slot, value in writes.items()
        if slot.startswith(_ANSWER)
    }
    return (
        ({slot: value for slot, value in writes.items() if not slot.startswith(_ANSWER)}, answers)
        if answers
        else (writes, {})
    )


_FAILURE = "the action fails"
CANNOT_FAIL = "say when the action is possible instead: action a when c do ..."


def failed_outcome(writes: Mapping[str, Hashable] | None = None) -> dict[str, Hashable]:
    """Return the writes of an outcome in which the action fails. ``writes`` are slot writes that
    happen although the action fails. The result also contains a key that marks the failure
    (:func:`split_failure`)."""
    return {**(writes or {}), _FAILURE: True}


def split_failure(writes: Mapping[str, Hashable]) -> tuple[Mapping[str, Hashable], bool]:
    """Return the slot writes of an action's outcome, and whether the action failed.

    ``writes`` may contain the key by which :func:`failed_outcome` marks a failure. This key is not
    a slot, so it is left out of the slot writes.
    """
    return (
        ({slot: value for slot, value in writes.items() if slot != _FAILURE}, True)
        if _FAILURE in writes
        else (writes, False)
    )


class World(ABC):
    """Base class of all worlds, that is, environments of agents. A Python world defines at least
    ``slots``, ``percepts`` and ``execute``.

    All methods are pure functions and read the state only through their argument ``state``. Slot
    names must not start with ``<agent>.``.
    """

    def __init__(self, agents: Sequence[str], parameters: Mapping[str, Term]) -> None:
        self.agents = agents
        self.parameters = parameters

    def with_parameters(self, values: Mapping[str, Term]) -> World:
        """Return the world with other values for some parameters.

        Raise :class:`InputError` if a value is not allowed.
        """
        return type(self)(self.agents, {**self.parameters, **values})

    def with_symbolic(self, names: Collection[str]) -> World:
        """Return the world with some parameters left symbolic in its probabilities.

        Raise :class:`ParameterValueNeeded` if a parameter is used for anything except
        probabilities. The use of parameters in a Python world is unknown, so none can be symbolic
        there.
        """
        from volition.kernel.weights import (
            ParameterValueNeeded,
        )  # imported late: SymPy is slow to import

        raise ParameterValueNeeded(frozenset(names))

    @property
    @abstractmethod
    def slots(self) -> Mapping[str, Hashable]:
        """Return the world's slots with their initial values."""

    @abstractmethod
    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:
        """Return what an agent perceives, in the order in which the percepts became true."""

    @abstractmethod
    def execute(self, state: SlotView, agent: str, action: Structure) -> Sequence[WorldTransition]:
        """Return the possible transitions for an agent's action in a state. If there are none, the
        action has to wait."""

    def spontaneous_transitions(self, state: SlotView) -> Sequence[WorldTransition]:  # noqa: ARG002
        """Return the transitions that the world can take in a state without an action of an
        agent."""
        return ()

    @property
    def has_spontaneous_transitions(self) -> bool:
        """Return whether the world has spontaneous transitions in some state."""
        return type(self).spontaneous_transitions is not World.spontaneous_transitions

    def free_percept_changes(self, state: SlotView) -> Sequence[WorldTransition]:  # noqa: ARG002
        """Return the possible changes of free percepts: percepts that may appear and disappear at
        any time.

        These changes are not among the spontaneous transitions, so that a fairness assumption can
        be about one of the two kinds only.
        """
        return ()

    def free_percept_choices(self, state: SlotView) -> Sequence[WorldTransition]:
        """Return the transitions that choose all free percepts at once: one transition for each set
        of free percepts that may be present next.

        By default these are one transition without a change and one transition for each single
        change. If a transition removes all free percepts, it must come first.
        """
        return (
            [
                WorldTransition("draw", "nothing changes", ((Fraction(1), {}),)),
                *self.free_percept_changes(state),
            ]
            if self.has_free_percepts
            else ()
        )

    @property
    def has_free_percepts(self) -> bool:
        """Return whether the world has free percepts, which appear and disappear at any time."""
        return type(self).free_percept_changes is not World.free_percept_changes

    def perceives_free_percepts(self, agent: str) -> bool:  # noqa: ARG002
        """Return whether an agent may perceive free percepts, which appear and disappear at any
        time."""
        return self.has_free_percepts

    @property
    def actions(self) -> Sequence[Structure] | None:
        """Return the actions that the world defines, each as a term with variables as arguments.
        Return None if the world does not declare its actions."""
        return None

    @property
    def predicates(self) -> Sequence[Structure] | None:
        """Return the percepts that the world defines, each as a term with variables as arguments.
        Return None if the world does not declare its percepts."""
        return None

    @property
    def labels(self) -> Sequence[str]:
        """Return the names of Boolean propositions that the world defines for formulas."""
        return ()

    @property
    def numeric_variables(self) -> Sequence[str]:
        """Return the names that formulas may compare with numbers."""
        return [
            world_item(slot)
            for slot, value in self.slots.items()
            if isinstance(value, int | float | Fraction)
        ]

    def restricted_for(self, language: str, diagnostics: Diagnostics) -> World:  # noqa: ARG002
        """Return the world for agents written in ``language``, which has neither failing actions
        nor strong negation.

        If the world uses one of these two features, report an error that names the language.
        """
        return self

    def summary(self) -> Sequence[tuple[str, str]]:
        """Return the parts of the world for display: pairs of a kind, such as ``action``, and the
        text of the part."""
        return ()

    def proposition(self, name: Structure, span: Span | None) -> Callable[[SlotView], bool]:  # noqa: ARG002
        """Return the function that evaluates an atom about the environment in a state (Bordini et
        al., Sect. 4.2).

        By default an atom is true if some agent perceives it. Raise :class:`InputError` for an
        unknown atom.
        """
        return lambda state: any(
            unify(name, each, {}) is not None
            for agent in self.agents
            for each in self.percepts(state, agent)
        )

    def number(self, name: str, span: Span | None) -> Callable[[SlotView], Any]:
        """Return the function that gives the value of a name in a state. Formulas compare this name
        with numbers.

        Raise :class:`InputError` for an unknown name.
        """
        slot = world_slot(name)
        if slot not in self.slots:
            raise InputError([Diagnostic("WLD050", f"unknown variable '{name}'", span)])
        return lambda state: state[slot]

    def describe(self, state: SlotView) -> StateView:
        """Return the readable description of the world's part of a state."""
        return {"world": {world_item(slot): format_value(state[slot]) for slot in self.slots}}


class PlaceholderWorld(World):
    """World without behaviour, used in place of a world that could not be read, to avoid follow-up
    errors."""

    @property
    def slots(self) -> Mapping[str, Hashable]:
        return {}

    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:  # noqa: ARG002
        return ()

    def execute(self, state: SlotView, agent: str, action: Structure) -> Sequence[WorldTransition]:  # noqa: ARG002
        return ()


class EmptyWorld(PlaceholderWorld):
    """World without percepts and actions, for agents that only exchange messages."""

    def perceives_free_percepts(self, agent: str) -> bool:  # noqa: ARG002
        """Return whether an agent may perceive percepts that appear and disappear at any time: only
        if the world has any."""
        return self.has_free_percepts

    @property
    def actions(self) -> Sequence[Structure]:
        return ()

    @property
    def predicates(self) -> Sequence[Structure]:
        return ()


def format_value(value: Any) -> str:
    """Return a slot's value as text that does not depend on the order of sets or on memory
    addresses."""
    return ", ".join(map(_format_part, value)) if isinstance(value, tuple) else _format_part(value)


def _format_part(value: Any) -> str:
    kind = type(value)
    has_own_text = "__str__" in _defined(kind)
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(_format_part, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_format_part, value))})"
    if is_dataclass(value) and not has_own_text:
        parts = ", ".join(
            f"{each.name}={_format_part(getattr(value, each.name))}"
            for each in fields(value)
            if each.compare
        )
        return f"{kind.__name__}({parts})"
    return show(value) if has_own_text or "__repr__" in _defined(kind) else kind.__name__


def _defined(kind: type) -> Collection[str]:
    """Return the names that a class or its base classes define, except those of ``object``."""
    return {name for each in kind.__mro__[:-1] for name in vars(each)}


def format_bindings(bindings: Bindings) -> str:
    """Return variable bindings as text, such as ``" (Winner = ag1, Highest = 6)"``, or an empty
    text if there are none to show."""
    known = [
        f"{name} = {show(value)}"
        for name, value in bindings.items()
        if not name.startswith(("_", OUTPUT_VARIABLE_PREFIX))
    ]
    return f" ({', '.join(known)})" if known else ""


def spelling_hint(atom: Structure, known: Iterable[str]) -> str | None:
    """Return a hint for an unknown atom that suggests one of the ``known`` predicates: the same
    name with another arity, or a similar name. Return None if there is none."""
    names = sorted(set(known))
    same_name = [each for each in names if each.partition("/")[0] == atom.functor]
    if same_name:
        return f"did you mean {' or '.join(same_name)}?"
    return did_you_mean(atom.functor, [each.partition("/")[0] for each in names])


def raise_unknown_name(name: Term, hint: str | None, span: Span | None) -> InputError:
    return InputError(
        [Diagnostic("WLD051", f"unknown percept, fact or action '{show(name)}'", span, hint)]
    )
