"""Cartesian over-approximation of a system: some slots (state variables) are visible, and the
others are hidden in groups that are tracked independently of each other.

An abstract state has a value for each visible slot and, for each group of hidden slots, the set of
joint values that the group may have in that state. Relations between groups are lost: n agents with
k private states each have n · k values instead of kⁿ states (Cartesian abstraction; Flanagan and
Qadeer, "Thread-modular model checking", 2003, for one group per thread). A component, reaction or
atom that reads hidden slots is evaluated for every combination of their possible values.

Concrete states with the same visible values belong to one abstract state. The value sets of the
abstract states grow until a fixed point is reached.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from volition.kernel import (
    AnyPredicate,
    Choice,
    Component,
    NoPredicate,
    Predicate,
    SlotView,
    System,
)
from volition.languages.protocols import StateView
from volition.logic.syntax import AtomicFormula
from volition.slicing.cegar.decision_tree import DecisionTree, RaisedError, TracedResult
from volition.slicing.cegar.traced_functions import TracedFunctions, Writes

__all__ = [
    "AbstractModel",
    "AbstractRun",
    "AbstractTransition",
    "Abstraction",
    "AbstractionInapplicable",
    "AbstractionTooLarge",
    "RefinementNeeded",
]

NODE = "abstract state"
"""Name of the only slot of the system that represents an explored abstraction. Its value is the
number of an abstract state."""

_JointValue = tuple[int, ...]
GroupValues = Mapping[int, Sequence[_JointValue]]
"""Mapping from the number of a group of hidden slots to the joint values that the group may have. A
joint value is a tuple with one value for each slot of the group. The mapping has only the groups
that a step has read or written so far."""


class RefinementNeeded(Exception):
    """Raised if the abstraction is too coarse to decide the property. ``slots`` are the hidden
    slots that must become visible."""

    def __init__(self, slots: Iterable[str]) -> None:
        super().__init__()
        self.slots = frozenset(slots)


class AbstractionTooLarge(Exception):
    """Raised if an abstraction exceeds its limit on states, value combinations or time."""


class AbstractionInapplicable(Exception):
    """Raised if no refinement of the abstraction can give a verdict. The message of the exception
    gives the reason."""


@dataclass(slots=True)
class _State:
    """Abstract state: the values of the visible slots (``visible``), and for each group of hidden
    slots the joint values that it may have (``hidden_values``).

    ``predecessor`` is the number of the abstract state from which this one was first found.
    ``expanded_counts`` says for how many joint values of each group the successors have been
    computed; None before the first computation. Joint values are counted in the order in which they
    were added.
    """

    visible: tuple[int, ...]
    hidden_values: list[dict[_JointValue, None]]
    predecessor: int | None
    expanded_counts: list[int] | None = None
    maybe_disabled: set[int] = field(default_factory=set)
    """Indices of the components that may have no choice in this abstract state."""
    successors: dict[int, set[int]] = field(default_factory=dict)
    """Mapping from the number of each successor state to a set of groups of hidden slots: those
    whose possible values in this state were added to the successor unchanged."""


_Reads = Sequence[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class AbstractTransition:
    """Transition of an abstraction: the values of the visible slots after it (``shown``), and the
    joint values after it of those groups of hidden slots that it read or wrote (``known``).

    ``reads`` has one item for each component that takes part: the combinations of slot values for
    which the component takes this transition.
    """

    shown: tuple[int, ...]
    known: GroupValues
    reads: Sequence[_Reads]


@dataclass(frozen=True, slots=True)
class AbstractRun:
    """Run of an abstraction, as numbers of abstract states. If ``loop`` is set, the last state is
    followed by the one at that index."""

    states: tuple[int, ...]
    loop: int | None = None


@dataclass(frozen=True, slots=True)
class _ComponentContribution:
    """Effect of one component on hidden slots in a step of a synchronous system, in which all
    components move at once.

    ``hidden`` maps the number of each group of hidden slots that the component may write to the
    joint values (one value per slot) that the group may have after the step. ``reads`` are the
    combinations of slot values for which the component makes this contribution.
    """

    hidden: Mapping[int, Iterable[_JointValue]]
    reads: _Reads


class Abstraction:
    """Over-approximation of a system in which some slots are hidden. ``groups`` are the hidden
    slots in groups. Each group is tracked independently of the others.

    Without groups, the abstraction is the system itself. ``maximum`` limits the number of abstract
    states, and ``effort`` limits the number of value combinations evaluated. ``deadline`` is a time
    of :func:`time.monotonic`.
    """

    def __init__(
        self,
        functions: TracedFunctions,
        groups: Sequence[Sequence[str]],
        *,
        maximum: int,
        effort: int,
        deadline: float = math.inf,
    ) -> None:
        self.functions = functions
        self.concrete_system: System = functions.model.system
        self.groups = tuple(tuple(group) for group in groups)
        self._position = {
            slot: (number, index)
            for number, group in enumerate(self.groups)
            for index, slot in enumerate(group)
        }
        self.visible_slots = tuple(
            slot for slot in self.concrete_system.slots if slot not in self._position
        )
        self._most = maximum
        self.work_left = effort
        """Number of value combinations that may still be evaluated."""
        self._deadline = deadline
        self.states: list[_State] = []
        self._index: dict[tuple[int, ...], int] = {}
        self._waiting: deque[int] = deque()
        self._is_waiting: set[int] = set()
        start = functions.numbers(self.concrete_system.slots)
        self._merge_state(
            None,
            self.abstract_state_of(start),
            {number: [self._joint(group, start)] for number, group in enumerate(self.groups)},
        )

    @property
    def hidden(self) -> tuple[str, ...]:
        return tuple(self._position)

    # --- abstract states --------------------------------------------------------------------------

    def abstract_state_of(self, state: Mapping[str, int]) -> tuple[int, ...]:
        """Return the visible values of a concrete state, in the order of ``visible_slots``. They
        identify its abstract state."""
        return tuple(state[slot] for slot in self.visible_slots)

    @staticmethod
    def _joint(group: Sequence[str], state: Mapping[str, int]) -> _JointValue:
        return tuple(state[slot] for slot in group)

    def explore(self, stop_when: Predicate | None = None) -> int | None:
        """Explore all abstract states until their sets of hidden values stop growing. Return the
        number of the first state in which ``stop_when`` holds, or None if there is none."""
        while self._waiting:
            number = self._waiting.popleft()
            self._is_waiting.discard(number)
            if stop_when is not None and stop_when({NODE: number}):
                return number
            self.expand(number)
        return None

    def expand(self, number: int) -> Iterable[int]:
        """Compute and return the numbers of the successors of an abstract state. A repeated call
        evaluates only the hidden values that were added since the previous call."""
        state = self.states[number]
        sizes = [len(joints) for joints in state.hidden_values]
        if state.expanded_counts is None:
            self._record_successors(number, self.moves(number, {}))
        else:
            for group, (before, now) in enumerate(zip(state.expanded_counts, sizes, strict=True)):
                if before < now:
                    self._record_successors(
                        number,
                        self.moves(
                            number, {group: tuple(islice(state.hidden_values[group], before, now))}
                        ),
                    )
        state.expanded_counts = sizes
        return state.successors

    def _record_successors(self, number: int, moves: Iterable[AbstractTransition]) -> None:
        """Add the targets of ``moves`` to the successors of the abstract state with this number.

        A transition does not change a group of hidden slots that it neither reads nor writes. The
        target therefore gets all values that the group may have in this state. This is done once
        for each pair of state and target. If the group gets further values in this state later,
        :meth:`expand` computes new transitions, and these add the further values to the target.
        """
        state = self.states[number]
        for move in moves:
            target = self._merge_state(number, move.shown, move.known)
            passed = state.successors.setdefault(target, set())
            passing = {
                group
                for group in range(len(self.groups))
                if group not in move.known and group not in passed
            }
            if passing:
                passed |= passing
                if target != number:
                    self._merge_state(
                        number, move.shown, {group: state.hidden_values[group] for group in passing}
                    )

    def _merge_state(
        self,
        source: int | None,
        shown: tuple[int, ...],
        behind: Mapping[int, Iterable[_JointValue]],
    ) -> int:
        number = self._index.get(shown)
        if number is None:
            number = self._index[shown] = len(self.states)
            if number >= self._most:
                raise AbstractionTooLarge
            self.states.append(_State(shown, [{} for _ in self.groups], source))
            grown = True
        else:
            grown = False
        state = self.states[number]
        for group, joints in behind.items():
            there = state.hidden_values[group]
            before = len(there)
            there.update(dict.fromkeys(joints))
            grown = grown or len(there) > before
        if grown and number not in self._is_waiting:
            self._is_waiting.add(number)
            self._waiting.append(number)
        return number

    def path_to(self, number: int) -> AbstractRun:
        """Return a run from the initial abstract state to the state with this number, without a
        loop."""
        states = [number]
        while (source := self.states[states[-1]].predecessor) is not None:
            states.append(source)
        return AbstractRun(tuple(reversed(states)))

    def group_size(self, group: int) -> int:
        """Return the number of distinct joint values that a group of hidden slots has in all
        abstract states together."""
        return len({joint for state in self.states for joint in state.hidden_values[group]})

    # --- transitions of abstract states -----------------------------------------------------------

    def moves(self, number: int, known: GroupValues) -> Iterator[AbstractTransition]:
        """Yield all transitions from an abstract state. If it is possible that no component can
        move, a self-loop is one of them.

        ``known`` restricts groups of hidden slots to the joint values given for them.
        """
        if self.concrete_system.mode == "synchronous":
            yield from self._joint_moves(self.states[number], known)
        else:
            yield from self._single_moves(self.states[number], known)

    def _single_moves(self, state: _State, known: GroupValues) -> Iterator[AbstractTransition]:
        shown = dict(zip(self.visible_slots, state.visible, strict=True))
        unable: dict[int, list[Mapping[str, int]]] = {}
        for index, tree in enumerate(self.functions.components):
            for found in self._answers(tree, shown, state, known):
                if not found.answer:
                    state.maybe_disabled.add(index)
                    unable.setdefault(index, []).append(found.read)
                for reacts, writes in found.answer:
                    yield from self._after(
                        shown, state, found.known, reacts, writes, [[found.read]]
                    )
        if len(state.maybe_disabled) == len(self.functions.components):
            yield AbstractTransition(state.visible, {}, list(unable.values()))

    def _joint_moves(self, state: _State, known: GroupValues) -> Iterator[AbstractTransition]:
        """Yield the transitions of a synchronous system from an abstract state: each component is
        evaluated alone, and the visible results of all components are then combined.

        The combination ignores which hidden values each component read. So the work grows with the
        sum of the numbers of values of the components, not with their product.
        """
        shown = dict(zip(self.visible_slots, state.visible, strict=True))
        parts = [self._part(tree, shown, state, known) for tree in self.functions.components]
        written = [
            group
            for part in parts
            for group in {group for each in part.values() for group in each.hidden}
        ]
        twice = {group for group in written if written.count(group) > 1}
        if twice:
            raise RefinementNeeded(slot for group in twice for slot in self.groups[group])
        for together in product(*(part.items() for part in parts)):
            then = dict(known)
            for _, part in together:
                then |= {group: tuple(joints) for group, joints in part.hidden.items()}
            writes = [write for (_, shown_writes), _ in together for write in shown_writes]
            reacts = any(reacting for (reacting, _), _ in together)
            yield from self._after(
                shown, state, then, reacts, writes, [part.reads for _, part in together]
            )

    def _part(
        self, tree: DecisionTree, shown: Mapping[str, int], state: _State, known: GroupValues
    ) -> dict[tuple[bool, Writes], _ComponentContribution]:
        """Return what one component may contribute to a step in which all components move at once.
        The key of a contribution is its visible effect: whether reactions are triggered, and the
        writes to visible slots. Not moving is one of the contributions if the component may have no
        choice."""
        branches: dict[tuple[bool, Writes], list[tuple[GroupValues, frozenset[int]]]] = {}
        reads: dict[tuple[bool, Writes], list[Mapping[str, int]]] = {}
        for found in self._answers(tree, shown, state, known):
            for reacts, writes in found.answer or [(False, ())]:
                looks = reacts, tuple(write for write in writes if write[0] in shown)
                written = frozenset(
                    self._position[slot][0] for slot, _ in writes if slot not in shown
                )
                branches.setdefault(looks, []).append(
                    (self._written(shown, state, found.known, writes)[1], written)
                )
                reads.setdefault(looks, []).append(found.read)
        parts = {}
        for looks, alike in branches.items():
            # Several outcomes of the component may have the same visible effect. If one of them
            # writes a group of hidden slots and another leaves the group unchanged, the group may
            # have the written values or its values before the step.
            groups = {group for _, written in alike for group in written}
            hidden = {
                group: dict.fromkeys(
                    j for then, _ in alike for j in then.get(group, state.hidden_values[group])
                )
                for group in groups
            }
            parts[looks] = _ComponentContribution(hidden, reads[looks])
        return parts

    def _after(
        self,
        shown: Mapping[str, int],
        state: _State,
        known: GroupValues,
        reacts: bool,
        writes: Iterable[tuple[str, int]],
        reads: Sequence[_Reads],
    ) -> Iterator[AbstractTransition]:
        """Yield the abstract transitions in which ``writes`` (pairs of a slot and its new value)
        change the abstract state ``state``.

        ``reacts`` says whether the reactions of the concrete system, such as clock ticks, follow
        the writes. There is one transition for each combination of results that the reactions may
        have.

        - ``shown`` has the values of the visible slots in ``state``.
        - ``known`` has the values that hidden slots may have according to this step so far.
        - ``reads`` has the slot values that the components read in this step. It becomes part of
          each transition.
        """
        contexts = [self._written(shown, state, known, writes)]
        if reacts:
            for tree in self.functions.reactions:
                contexts = [
                    self._written(now, state, found.known, found.answer)
                    for now, then in contexts
                    for found in self._answers(tree, now, state, then)
                ]
        for now, then in contexts:
            yield AbstractTransition(self.abstract_state_of(now), then, reads)

    def _written(
        self,
        shown: Mapping[str, int],
        state: _State,
        known: GroupValues,
        writes: Iterable[tuple[str, int]],
    ) -> tuple[Mapping[str, int], GroupValues]:
        now = dict(shown)
        changed: dict[int, dict[int, int]] = {}
        for slot, value in writes:
            if slot in now:
                now[slot] = value
            else:
                number, index = self._position[slot]
                changed.setdefault(number, {})[index] = value
        then = dict(known)
        for number, new in changed.items():
            old = known.get(number, state.hidden_values[number])
            then[number] = tuple(
                dict.fromkeys(
                    tuple(new.get(position, value) for position, value in enumerate(joint))
                    for joint in old
                )
            )
        return now, then

    def _answers(
        self, tree: DecisionTree, shown: Mapping[str, int], state: _State, known: GroupValues
    ) -> Iterator[TracedResult[GroupValues]]:
        """Yield the results of a traced function for all possible values of the slots that it reads
        in an abstract state.

        Raise :class:`RefinementNeeded` if the function raises an exception for some hidden values,
        because the concrete system may never have this combination of values.
        """

        def candidates(slot: str, known: GroupValues) -> Iterable[tuple[int, GroupValues]]:
            if slot in shown:
                return ((shown[slot], known),)
            number, index = self._position[slot]
            joints = known.get(number, state.hidden_values[number])
            by_value: dict[int, list[_JointValue]] = {}
            for joint in joints:
                by_value.setdefault(joint[index], []).append(joint)
            return [(value, {**known, number: having}) for value, having in by_value.items()]

        for found in tree.answers(candidates, known):
            self.work_left -= 1
            if self.work_left < 0 or (
                self.work_left % 1024 == 0 and time.monotonic() > self._deadline
            ):
                raise AbstractionTooLarge
            if isinstance(found.answer, RaisedError):
                assumed = [slot for slot in found.read if slot not in shown]
                raise (
                    RefinementNeeded(assumed)
                    if assumed
                    else AbstractionInapplicable(f"a step fails: {found.answer.error}")
                )
            yield found

    # --- evaluation of functions in abstract states -----------------------------------------------

    def value(self, function: Callable[[SlotView], Any], number: int) -> Any:
        """Return the value of a function of states in an abstract state. Raise
        :class:`RefinementNeeded` if the value depends on hidden slots."""
        state = self.states[number]
        shown = dict(zip(self.visible_slots, state.visible, strict=True))
        first: TracedResult[GroupValues] | None = None
        for found in self._answers(self.functions.tree(function), shown, state, {}):
            if first is None:
                first = found
            elif type(first.answer) is not type(found.answer) or first.answer != found.answer:
                raise RefinementNeeded(
                    slot for slot in {**first.read, **found.read} if slot not in shown
                )
        assert first is not None
        return first.answer


@dataclass(frozen=True)
class AbstractModel:
    """Adapter that lets the checkers treat an explored abstraction as a model. Its states are the
    numbers of abstract states, and its atoms are those of the complete program."""

    abstraction: Abstraction

    @property
    def agents(self) -> Sequence[str]:
        return self.abstraction.functions.model.agents

    @property
    def system(self) -> System:
        """System whose states and transitions are those of the abstraction explored so far."""
        states = self.abstraction.states

        def step(view: SlotView) -> Sequence[Choice]:
            return [Choice(None, [(1, {NODE: target})]) for target in states[view[NODE]].successors]

        return System({NODE: 0}, [Component("the abstraction", step)])

    def resolve(self, leaf: AtomicFormula) -> Callable[[SlotView], Any]:
        return self._resolved(self.abstraction.functions.leaf(leaf))

    def _resolved(self, function: Callable[[SlotView], Any]) -> Callable[[SlotView], Any]:
        if isinstance(function, AnyPredicate | NoPredicate):
            return type(function)([self._resolved(part) for part in function.parts])
        return lambda view: self.abstraction.value(function, view[NODE])

    def describe(self, state: SlotView) -> StateView:
        return {"abstraction": {NODE: str(state[NODE])}}
