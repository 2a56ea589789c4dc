"""The seam between languages and kernel: what a language must say so that its programs can be
explored.

A :class:`System` has named **slots**, which together make up a state, and **components**, which
step.  A component is a plain function from a read-only view of the state to the choices that it has
there::

    def step(state: View) -> Sequence[Choice]:
        if state["door"] == "open":
            return [Choice("close", [(1, {"door": "closed"})])]
        return [Choice("open", [(Fraction(9, 10), {"door": "open"}), (Fraction(1, 10), {})])]

The kernel *traces* each function: it records which slots were read, in which order, and what they
held.  The next state that holds the same in those slots gets the same choices without entering
Python again.  Two rules follow:

- a function reads the state only through its view, and is pure: same reads, same answer;
- a function should read little: choose slots that are small (one per belief predicate, per
  intention, per queue).

Everything that is read off a state is such a traced function too: the reactions below, atomic
propositions (:meth:`StateSpace.holds`) and rewards (:meth:`StateSpace.measure`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import Any, Literal, Protocol

__all__ = [
    "STUTTER",
    "AnyPredicate",
    "Choice",
    "Component",
    "ModelError",
    "NoPredicate",
    "Predicate",
    "Reaction",
    "RewardValue",
    "SlotView",
    "System",
    "Weight",
    "identical_value",
]


class SlotView(Protocol):
    """A state as a traced function sees it: ``view[slot]`` is the value of a slot.  A plain dict is
    a view as well."""

    def __getitem__(self, slot: str, /) -> Any: ...


class Weight(Hashable, Protocol):
    """A probability.  ``Fraction`` keeps it exact, ``float`` does not; a parametric expression fits
    as well."""

    def __add__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __float__(self) -> float: ...


Outcome = tuple[Weight, Mapping[str, Hashable]]
Predicate = Callable[[SlotView], bool]
RewardValue = float | Fraction
"""A reward.  ``Fraction`` keeps sums of them exact."""


@dataclass(frozen=True, slots=True)
class AnyPredicate:
    """A predicate that holds where one of several does.

    :meth:`StateSpace.holds` traces each part by itself: n small decision trees instead of one for
        all their combinations.
    """

    parts: Sequence[Predicate]

    def __call__(self, view: SlotView) -> bool:
        return any(part(view) for part in self.parts)


@dataclass(frozen=True, slots=True)
class NoPredicate:
    """A predicate that holds where none of several does; its parts are traced like those of
    :class:`AnyOf`."""

    parts: Sequence[Predicate]

    def __call__(self, view: SlotView) -> bool:
        return not any(part(view) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that a component can do: a distribution over what it writes.

    ``outcomes`` are pairs of a probability and the slots it changes; their probabilities sum to 1.
    ``rewards`` are earned when the choice is taken.  ``reacts`` says whether the system's reactions
    run after it.  In a synchronous system a ``label`` of None is left out of the joint label, and
    one that is said ``aside`` is left out where another component has a label: a joint choice has a
    name even if nothing happens in it that is worth telling.
    """

    label: Hashable
    outcomes: Sequence[Outcome]
    rewards: Mapping[str, RewardValue] = field(default_factory=dict)
    triggers_reactions: bool = True
    label_if_alone: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """A part of the system that steps, with a name for messages and fairness."""

    name: str
    step: Callable[[SlotView], Sequence[Choice]]


@dataclass(frozen=True, slots=True)
class Reaction:
    """What follows a step without being one: runs on each successor before it is stored and says
    what else changes.

    Reactions run in their order, each sees what the step and the reactions before it wrote.  One
    reaction per clock costs n small decision trees; one reaction for n clocks costs a tree of all
    their combinations.
    """

    name: str
    react: Callable[[SlotView], Mapping[str, Hashable]]


class ModelError(Exception):
    """Raised by a component in a state that the system must not reach, such as one in which a bound
    is exceeded.

    :func:`~volition.kernel.explore` finds a shortest run to such a state, tells it to the
        exception, and lets the exception go on.
    """

    def attach_path(self, labels: Sequence[Hashable]) -> None:
        """Takes the labels of the choices that lead from the initial state to the breach."""


class _Stutter:
    """The label of the self-loop of a terminal state, where a system has no other name for it."""

    def __repr__(self) -> str:
        return "STUTTER"


STUTTER = _Stutter()


@dataclass(frozen=True)
class System:
    """What the kernel explores.

    ``slots`` gives each slot's initial value.  Components of an ``interleaved`` system move one at
    a time.  Components of a ``synchronous`` system move together: a choice of the system is one
    choice of each component (a component that has none stands still), its distribution the product
    of theirs; two components must not write the same slot at once. A state in which nothing can
    move gets a self-loop from the kernel, which is labelled ``stutter``.  Unless a system says
    otherwise that is :data:`STUTTER`, and the state is *terminal*; where it is something else,
    standing still is a step like any other.
    """

    slots: Mapping[str, Hashable]
    components: Sequence[Component]
    mode: Literal["interleaved", "synchronous"] = "interleaved"
    reactions: Sequence[Reaction] = ()
    state_rewards: Mapping[str, Callable[[SlotView], RewardValue]] = field(default_factory=dict)
    stutter: Hashable = STUTTER


# --- when two values are one value of a state -----------------------------------------------------

# Python says that ``True``, ``1``, ``1.0`` and ``Fraction(1)`` are equal, and so are ``(1,)`` and
# ``(True,)``.  A program can tell them apart, so states that hold them are different states.

_SCALAR_TYPES = frozenset({str, bytes, int, bool, type(None)})
"""Types whose values are the same where they are equal."""

_COMPARED_FIELDS: dict[type[Any], tuple[str, ...]] = {}
"""Of each class that was met, the fields to look at."""


def identical_value(a: object, b: object) -> bool:
    """Whether two equal values are also of equal types, through tuples, frozen sets and frozen
    dataclasses, and zeros of one sign.

    Of a dataclass the fields count that its own ``==`` looks at.  Any other class decides by its
    ``==`` which of its objects are the same.
    """
    if a is b or (type(a) is type(b) and type(a) in _SCALAR_TYPES):
        return True
    waiting = [(a, b)]  # not recursive: values can be nested deeply
    while waiting:
        a, b = waiting.pop()
        if a is b:
            continue
        kind = type(a)
        if kind is not type(b):
            return False
        if kind in _SCALAR_TYPES:
            continue
        if isinstance(a, tuple) and isinstance(b, tuple):
            waiting += zip(a, b, strict=True)
        elif isinstance(a, float) and isinstance(b, float):
            if math.copysign(1.0, a) != math.copysign(1.0, b):
                return False
        elif isinstance(a, complex) and isinstance(b, complex):
            waiting += [(a.real, b.real), (a.imag, b.imag)]
        elif isinstance(a, frozenset) and isinstance(b, frozenset):
            theirs = {each: each for each in b}
            waiting += [(each, theirs[each]) for each in a]
        else:
            waiting += [(getattr(a, name), getattr(b, name)) for name in _compared_fields(a)]
    return True


def _compared_fields(value: object) -> tuple[str, ...]:
    """The names of the fields that the ``==`` of a dataclass looks at; none for any other class."""
    kind = type(value)
    if kind not in _COMPARED_FIELDS:
        compares = is_dataclass(kind) and kind.__dataclass_params__.eq  # type: ignore[attr-defined]
        _COMPARED_FIELDS[kind] = (
            tuple(field.name for field in fields(kind) if field.compare) if compares else ()  # type: ignore[arg-type]
        )
    return _COMPARED_FIELDS[kind]
