"""What every world offers to the agents in it, whether it is declared in a file or written in
Python.

A world keeps its state in slots of the kernel's :class:`~volition.kernel.system.System` and says
what it can do as :class:`Move` values. How agents and world take turns is the business of the
agents' language: AgentSpeak(F) queues actions and lets the world read them in a step of its own,
others execute an action at once.
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
    """One way in which the world can move: a rule with its variables bound and its alternatives
    chosen.

    ``outcomes`` are pairs of a probability and the slots that change, as in the kernel.  ``text``
    tells the move to a person.  An outcome of an action may say that the action failed
    (:func:`failing`), and what its variables get (:func:`answer_slot`).
    """

    name: str
    text: str
    outcomes: tuple[Outcome, ...]
    span: Span | None = None


_ANSWER = "answer: "
OUTPUT_VARIABLE_PREFIX = "?"
"""How the variables of an action begin that the world may give a value to."""


def answer_slot(variable: str) -> str:
    """Where an outcome of an action says what a variable of the action gets, beside the slots that
    it changes."""
    return _ANSWER + variable


def is_open_variable(name: str) -> bool:
    """Whether a variable is one that an agent left open in its action: such names are not written
    in any file."""
    return name.startswith(OUTPUT_VARIABLE_PREFIX)


def split_answers(writes: Mapping[str, Hashable]) -> tuple[Mapping[str, Hashable], dict[str, Any]]:
    """What an outcome changes, and what it answers: the values of the variables of the action."""
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
CANNOT_FAIL = "say when it can be done instead: action a when c do ..."


def failed_outcome(writes: Mapping[str, Hashable] | None = None) -> dict[str, Hashable]:
    """An outcome of an action that fails; ``writes`` are the slots that it changes all the same."""
    return {**(writes or {}), _FAILURE: True}


def split_failure(writes: Mapping[str, Hashable]) -> tuple[Mapping[str, Hashable], bool]:
    """What an outcome changes, and whether the action failed."""
    return (
        ({slot: value for slot, value in writes.items() if slot != _FAILURE}, True)
        if _FAILURE in writes
        else (writes, False)
    )


class World(ABC):
    """The interface.  A world in Python is a subclass of this with at least ``slots``, ``percepts``
    and ``perform``.

    All functions are pure and read the state only through the view.  Names of slots must not start
    with ``<agent>.``.
    """

    def __init__(self, agents: Sequence[str], parameters: Mapping[str, Term]) -> None:
        self.agents = agents
        self.parameters = parameters

    def with_parameters(self, values: Mapping[str, Term]) -> World:
        """The same world with other values for some parameters; raises :class:`InputError` where
        they make no sense."""
        return type(self)(self.agents, {**self.parameters, **values})

    def with_symbolic(self, names: Collection[str]) -> World:
        """The same world with some parameters left open in its probabilities; raises
        :class:`ParameterNeeded` where they decide more.

        What a world written in Python does with its parameters is known to nobody else, so that
        none can be left open.
        """
        from volition.kernel.weights import (
            ParameterValueNeeded,
        )  # imports SymPy, which takes its time

        raise ParameterValueNeeded(frozenset(names))

    @property
    @abstractmethod
    def slots(self) -> Mapping[str, Hashable]:
        """The world's slots and their initial values."""

    @abstractmethod
    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:
        """What an agent perceives, in the order in which it came to be true."""

    @abstractmethod
    def execute(self, state: SlotView, agent: str, action: Structure) -> Sequence[WorldTransition]:
        """The ways in which an agent's action can be executed now; none means that it has to
        wait."""

    def spontaneous_transitions(self, state: SlotView) -> Sequence[WorldTransition]:  # noqa: ARG002
        """What the world can do by itself."""
        return ()

    @property
    def has_spontaneous_transitions(self) -> bool:
        """Whether ``steps`` has something to say in some state."""
        return type(self).spontaneous_transitions is not World.spontaneous_transitions

    def free_percept_changes(self, state: SlotView) -> Sequence[WorldTransition]:  # noqa: ARG002
        """What changes freely, without rule or reason; apart from ``steps``, so that fairness can
        tell them apart."""
        return ()

    def free_percept_choices(self, state: SlotView) -> Sequence[WorldTransition]:
        """All the ways in which what changes freely can be, drawn anew at once: as it is, or
        changed, unless the world knows more.

        Where a world can take all of it away, that is the first.
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
        """Whether ``changes`` has something to say in some state."""
        return type(self).free_percept_changes is not World.free_percept_changes

    def perceives_free_percepts(self, agent: str) -> bool:  # noqa: ARG002
        """Whether an agent may perceive something of what changes freely."""
        return self.has_free_percepts

    @property
    def actions(self) -> Sequence[Structure] | None:
        """The actions that the world understands, with variables for arguments; None if only the
        world knows."""
        return None

    @property
    def predicates(self) -> Sequence[Structure] | None:
        """What can be perceived, with variables for arguments; None if only the world knows."""
        return None

    @property
    def labels(self) -> Sequence[str]:
        """Names of its own for what may be true of it."""
        return ()

    @property
    def numeric_variables(self) -> Sequence[str]:
        """Names that formulas may compare with numbers."""
        return [
            world_item(slot)
            for slot, value in self.slots.items()
            if isinstance(value, int | float | Fraction)
        ]

    def restricted_for(self, language: str, diagnostics: Diagnostics) -> World:  # noqa: ARG002
        """The world for agents of a language in which no action fails and nothing is negated
        strongly: what does is refused by name."""
        return self

    def summary(self) -> Sequence[tuple[str, str]]:
        """What the world consists of, for people: kinds of parts, such as action, and what is said
        of each."""
        return ()

    def proposition(self, name: Structure, span: Span | None) -> Callable[[SlotView], bool]:  # noqa: ARG002
        """The traced function behind an environment atom of a formula (Bordini et al., Sect. 4.2);
        raises :class:`InputError`.

        What is true of the environment is what some agent can perceive, unless the world knows
        better.
        """
        return lambda state: any(
            unify(name, each, {}) is not None
            for agent in self.agents
            for each in self.percepts(state, agent)
        )

    def number(self, name: str, span: Span | None) -> Callable[[SlotView], Any]:
        """The traced function behind a name that is compared with numbers in a formula; raises
        :class:`InputError`."""
        slot = world_slot(name)
        if slot not in self.slots:
            raise InputError([Diagnostic("WLD050", f"unknown variable '{name}'", span)])
        return lambda state: state[slot]

    def describe(self, state: SlotView) -> StateView:
        """The state of the world, for people."""
        return {"world": {world_item(slot): format_value(state[slot]) for slot in self.slots}}


class PlaceholderWorld(World):
    """Nothing happens: stands in for a world that could not be read, so that its absence is no
    reason for further complaints."""

    @property
    def slots(self) -> Mapping[str, Hashable]:
        return {}

    def percepts(self, state: SlotView, agent: str) -> Sequence[Structure]:  # noqa: ARG002
        return ()

    def execute(self, state: SlotView, agent: str, action: Structure) -> Sequence[WorldTransition]:  # noqa: ARG002
        return ()


class EmptyWorld(PlaceholderWorld):
    """Nothing to perceive and nothing to do: for agents that only talk."""

    def perceives_free_percepts(self, agent: str) -> bool:  # noqa: ARG002
        """Whether an agent may perceive something of what changes freely."""
        return self.has_free_percepts

    @property
    def actions(self) -> Sequence[Structure]:
        return ()

    @property
    def predicates(self) -> Sequence[Structure]:
        return ()


def format_value(value: Any) -> str:
    """A slot's value for people: the same words whatever order Python keeps its sets in, and
    wherever it keeps its objects."""
    return ", ".join(map(_tell_part, value)) if isinstance(value, tuple) else _tell_part(value)


def _tell_part(value: Any) -> str:
    kind = type(value)
    has_words = "__str__" in _defined(kind)
    if isinstance(value, Set):
        return f"{{{', '.join(sorted(map(_tell_part, value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_tell_part, value))})"
    if is_dataclass(value) and not has_words:
        parts = ", ".join(
            f"{each.name}={_tell_part(getattr(value, each.name))}"
            for each in fields(value)
            if each.compare
        )
        return f"{kind.__name__}({parts})"
    return show(value) if has_words or "__repr__" in _defined(kind) else kind.__name__


def _defined(kind: type) -> Collection[str]:
    """What a class defines, or a class that it derives from; what every object has does not
    count."""
    return {name for each in kind.__mro__[:-1] for name in vars(each)}


def format_bindings(bindings: Bindings) -> str:
    """``" (Winner = ag1, Highest = 6)"``, or nothing if there are none."""
    known = [
        f"{name} = {show(value)}"
        for name, value in bindings.items()
        if not name.startswith(("_", OUTPUT_VARIABLE_PREFIX))
    ]
    return f" ({', '.join(known)})" if known else ""


def alike(atom: Structure, known: Iterable[str]) -> str | None:
    """A hint for an atom that nobody knows: its name with another number of arguments, or a name
    that is close to it."""
    names = sorted(set(known))
    same_name = [each for each in names if each.partition("/")[0] == atom.functor]
    if same_name:
        return f"did you mean {' or '.join(same_name)}?"
    return did_you_mean(atom.functor, [each.partition("/")[0] for each in names])


def raise_unknown_name(name: Term, hint: str | None, span: Span | None) -> InputError:
    return InputError(
        [Diagnostic("WLD051", f"unknown percept, fact or action '{show(name)}'", span, hint)]
    )
