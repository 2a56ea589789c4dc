"""Interface between languages and kernel: the description of a system that the kernel can explore.

A :class:`System` has named **slots**, which together make up a state, and **components**, which
make steps. A component is a plain function from a read-only view of the state to its choices::

    def step(state: SlotView) -> Sequence[Choice]:
        if state["door"] == "open":
            return [Choice("close", [(1, {"door": "closed"})])]
        return [Choice("open", [(Fraction(9, 10), {"door": "open"}), (Fraction(1, 10), {})])]

The kernel *traces* each function: it records which slots were read, in which order, and their
values. In every later state with the same values in those slots, the function has the same choices,
and the kernel does not call Python again. Two rules follow:

- A function reads the state only through its view and is pure: the same reads give the same result.
- A function should read little. Choose small slots (one per belief predicate, intention or queue).

All other functions of a state are traced too: the reactions below, atomic propositions
(:meth:`StateSpace.holds`) and rewards (:meth:`StateSpace.evaluate`).
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
    """Read-only view of a state, as passed to traced functions: ``view[slot]`` is the value of a
    slot. A plain dict can also serve as a view."""

    def __getitem__(self, slot: str, /) -> Any: ...


class Weight(Hashable, Protocol):
    """Probability of an outcome. A ``Fraction`` is exact, a ``float`` is not. A rational function
    of parameters (:class:`~volition.kernel.weights.ParametricWeight`) is possible too."""

    def __add__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __float__(self) -> float: ...


Outcome = tuple[Weight, Mapping[str, Hashable]]
Predicate = Callable[[SlotView], bool]
RewardValue = float | Fraction
"""Amount of a reward. Sums of ``Fraction`` values stay exact."""


@dataclass(frozen=True, slots=True)
class AnyPredicate:
    """Disjunction of predicates.

    :meth:`StateSpace.holds` traces each of the n predicates separately. They then have n small
    decision trees instead of one tree for all combinations of the values that they read.
    """

    parts: Sequence[Predicate]

    def __call__(self, view: SlotView) -> bool:
        return any(part(view) for part in self.parts)


@dataclass(frozen=True, slots=True)
class NoPredicate:
    """Negated disjunction of predicates, which holds if none of them does. The predicates are
    traced separately, as in :class:`AnyPredicate`."""

    parts: Sequence[Predicate]

    def __call__(self, view: SlotView) -> bool:
        return not any(part(view) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Choice:
    """Choice of a component: a label and a probability distribution over the slots it writes.

    ``outcomes`` are pairs of a probability and the slots to change; the probabilities sum to 1.
    ``rewards`` are earned when the choice is taken. ``triggers_reactions`` says whether the
    system's reactions run afterwards.

    In a synchronous system, the label of a joint choice is the tuple of the labels of its parts.
    Labels that are None are omitted. A label with ``label_if_alone`` is used only if no other
    component has a label.
    """

    label: Hashable
    outcomes: Sequence[Outcome]
    rewards: Mapping[str, RewardValue] = field(default_factory=dict)
    triggers_reactions: bool = True
    label_if_alone: bool = False


@dataclass(frozen=True, slots=True)
class Component:
    """Part of a system that makes steps, such as an agent. Its name is used in messages and for
    fairness."""

    name: str
    step: Callable[[SlotView], Sequence[Choice]]


@dataclass(frozen=True, slots=True)
class Reaction:
    """Deterministic update applied to every successor state before it is stored, for example a
    clock tick.

    Reactions run in order. Each sees the writes of the step and of earlier reactions. For n clocks,
    use n reactions: they need n small decision trees. A single reaction would need one tree for all
    combinations of the clocks' values.
    """

    name: str
    react: Callable[[SlotView], Mapping[str, Hashable]]


class ModelError(Exception):
    """Exception that a component raises in a state that the system must not reach, for example if a
    value exceeds its bound.

    :func:`~volition.kernel.explore` finds a shortest run to a state in which a component raises the
    exception, attaches the run to it, and re-raises it.
    """

    def attach_path(self, labels: Sequence[Hashable]) -> None:
        """Receive the labels of the choices that lead from the initial state to the state with the
        error. Subclasses may use them in their message; this class ignores them."""


class _Stutter:
    """Type of :data:`STUTTER`, the default label of the self-loop of a terminal state."""

    def __repr__(self) -> str:
        return "STUTTER"


STUTTER = _Stutter()


@dataclass(frozen=True)
class System:
    """Transition system for the kernel to explore.

    ``slots`` gives the initial value of each slot. In an ``interleaved`` system the components move
    one at a time. In a ``synchronous`` system they move together: a choice of the system consists
    of one choice of each component, and its distribution is the product of theirs. A component
    without choices does not move. Two components must not write the same slot in one step.

    If no component can move in a state, the kernel adds a self-loop with the label ``stutter``.
    With the default label :data:`STUTTER` such a state is *terminal*. With any other label the
    self-loop is an ordinary step.
    """

    slots: Mapping[str, Hashable]
    components: Sequence[Component]
    mode: Literal["interleaved", "synchronous"] = "interleaved"
    reactions: Sequence[Reaction] = ()
    state_rewards: Mapping[str, Callable[[SlotView], RewardValue]] = field(default_factory=dict)
    stutter: Hashable = STUTTER


# --- identity of slot values ----------------------------------------------------------------------

# In Python ``True``, ``1``, ``1.0`` and ``Fraction(1)`` are equal, and so are ``(1,)`` and
# ``(True,)``. A program can distinguish them, so states that differ in this way are different
# states.

_SCALAR_TYPES = frozenset({str, bytes, int, bool, type(None)})
"""Types whose equal values are always identical in the sense of :func:`identical_value`."""

_COMPARED_FIELDS: dict[type[Any], tuple[str, ...]] = {}
"""Cache of the results of :func:`_compared_fields`, by class."""


def identical_value(a: object, b: object) -> bool:
    """Return whether two equal values also have equal types, recursively in tuples, frozen sets and
    dataclasses. Zeros must also have the same sign.

    For a dataclass, only the fields that its ``==`` compares count. Equal objects of any other
    class are identical.
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
    """Return the names of the fields that the ``==`` of a dataclass compares; an empty tuple for an
    object of any other class."""
    kind = type(value)
    if kind not in _COMPARED_FIELDS:
        compares = is_dataclass(kind) and kind.__dataclass_params__.eq  # type: ignore[attr-defined]
        _COMPARED_FIELDS[kind] = (
            tuple(field.name for field in fields(kind) if field.compare) if compares else ()  # type: ignore[arg-type]
        )
    return _COMPARED_FIELDS[kind]
