"""Explored state space: a transition matrix for native algorithms, numpy arrays on request, and
access to the states, labels and rewards as Python values."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from volition.display import HtmlDisplay
from volition.kernel import _native
from volition.kernel.arrays import take_blockwise
from volition.kernel.reduction import ChainStep, Reduction
from volition.kernel.system import (
    STUTTER,
    AnyPredicate,
    NoPredicate,
    Predicate,
    RewardValue,
    SlotView,
    System,
)
from volition.kernel.tracing import InternTable, Tracer

__all__ = ["ExplorationStop", "StateSpace", "Stats"]

StopReason = Literal["states", "memory", "seconds", "depth", "interrupted", "stop_condition"]


@dataclass(frozen=True, slots=True)
class ExplorationStop:
    """Reason why an exploration ended before it was complete. ``text`` explains the reason to
    users."""

    reason: StopReason
    text: str


@dataclass(frozen=True, slots=True)
class Stats:
    """Size of a state space and cost of its exploration in time and memory. ``state_bytes`` counts
    the packed states and their hash table."""

    states: int
    choices: int
    transitions: int
    python_calls: int
    seconds: Mapping[str, float]
    state_bits: int
    state_bytes: int
    total_bytes: int

    @property
    def bytes_per_state(self) -> float:
        return self.state_bytes / max(1, self.states)


class StateSpace(HtmlDisplay):
    """Explored states, their choices, and the transitions of each choice.

    State 0 is the initial state. The choices of state ``s`` are ``choices_of(s)``. The transitions
    of choice ``c`` are ``transitions_of(c)``, sorted by target, with distinct targets. If a limit
    was reached, the states from ``num_expanded`` on were found but not expanded; they have no
    choices.

    The same data is available as arrays of offsets (CSR): ``first_choice[s]:first_choice[s + 1]``
    and ``first_transition[c]:first_transition[c + 1]``. These arrays, and those with one element
    per choice or transition, are built on first use and then kept. ``targets`` and
    ``choice_signatures`` are views of the explorer's memory. Native algorithms read
    ``transition_matrix`` and need no arrays.

    A space does not change. :func:`~volition.kernel.explore_further` returns a new, larger space in
    which the same states, choices and transitions keep their numbers. The two spaces share only the
    lists behind the ids (``labels``, ``weights``, the values of slots), which may grow.

    A space holds functions, so it cannot be pickled directly. If ``system_factory`` is set, the
    factory is pickled instead, and the unpickled space is explored again on first use. It then
    contains at least the same states, with the same numbers for states and choices.
    """

    system_factory: Callable[[], System] | None = None

    def __init__(
        self,
        system: System,
        native: _native.Explorer,
        tracer: Tracer,
        stopped: ExplorationStop | None,
        seconds: Mapping[str, float],
        reduction: Reduction | None = None,
    ) -> None:
        self.system = system
        self.reduction = reduction
        """Options of the partial-order reduction that the space was explored with, which determine
        the properties it preserves; None if the space is not reduced."""
        self.num_evaluated: int = native.num_states_evaluated
        """Number of states visited during an exploration with reduction, including states that
        chain compression skipped."""
        self.stopped = stopped
        self.stop_state: int | None = native.stop_state
        """Number of the state in which the condition ``stop_when`` held and the exploration
        stopped, or None. No state closer to the initial state satisfies the condition."""
        self.num_expanded: int = native.num_expanded
        self.depth: int = native.depth
        """Number of steps up to which the space is complete: it contains every run of this length.
        """
        self.transition_matrix: _native.TransitionMatrix = native.transition_matrix()
        self._bits_and_bytes = (native.state_bits, native.state_bytes, native.total_bytes)
        self._native = native
        self._tracer = tracer
        self._seconds = seconds

    def __len__(self) -> int:
        return self.num_states

    def __bool__(self) -> bool:
        return True  # "if space" means that there is a space, not that it has states

    def __repr__(self) -> str:
        counts = (
            f"{self.num_states:,} states, {self.num_choices:,} choices, "
            f"{self.num_transitions:,} transitions"
        )
        return f"<StateSpace: {counts}{'' if self.complete else ', not complete'}>"

    # --- pickling ---------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        if self.system_factory is None:
            raise TypeError(
                "a state space holds functions and cannot be pickled; pickle the program, and "
                "explore it again"
            )
        reached = None if self.complete else (self.num_states, self.num_expanded)
        return StateSpace._unpickled, (self.system_factory, reached, self.stopped, self.stop_state)

    @staticmethod
    def _unpickled(
        system_factory: Callable[[], System],
        reached: tuple[int, int] | None,
        stopped: ExplorationStop | None,
        stop_state: int | None,
    ) -> StateSpace:
        space = StateSpace.__new__(StateSpace)
        space.__dict__.update(
            system_factory=system_factory, stopped=stopped, stop_state=stop_state, _reached=reached
        )
        return space

    def __getattr__(self, name: str) -> Any:
        """Explore an unpickled space again and return the attribute. Python calls this method for
        an attribute that is missing because the space was not explored since it was unpickled."""
        if "_reached" not in self.__dict__ or name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        # Imported here because that module imports this one.
        from volition.kernel.exploration import Limits, explore, explore_further

        assert self.system_factory is not None
        reached = self.__dict__.pop("_reached")
        # An exploration stops when the number of states exceeds the limit, so a limit of one state
        # less yields at least as many states as before.
        repeated = explore(
            self.system_factory(), limits=Limits(states=None if reached is None else reached[0] - 1)
        )
        # The original exploration may have expanded more states after it had found its last state.
        if reached is not None and repeated.num_expanded < reached[1]:
            repeated = explore_further(repeated, limits=Limits(states=reached[0]))
        # Keep the original reason for stopping, not that of this second exploration.
        self.__dict__.update(
            {
                each: value
                for each, value in repeated.__dict__.items()
                if each not in ("stopped", "stop_state")
            }
        )
        return getattr(self, name)

    # --- size and cost ----------------------------------------------------------------------------

    @property
    def complete(self) -> bool:
        return self.stopped is None

    @property
    def num_states(self) -> int:
        return self.transition_matrix.num_states

    @property
    def num_choices(self) -> int:
        return self.transition_matrix.num_choices

    @property
    def num_transitions(self) -> int:
        return self.transition_matrix.num_transitions

    @property
    def stats(self) -> Stats:
        """Size and cost of the exploration. ``python_calls`` also counts calls after the
        exploration that evaluated predicates and rewards."""
        state_bits, state_bytes, total_bytes = self._bits_and_bytes
        return Stats(
            states=self.num_states,
            choices=self.num_choices,
            transitions=self.num_transitions,
            python_calls=self._tracer.calls,
            seconds=self._seconds,
            state_bits=state_bits,
            state_bytes=state_bytes,
            total_bytes=total_bytes,
        )

    # --- the graph --------------------------------------------------------------------------------

    def choices_of(self, state: int) -> range:
        """Return the numbers of a state's choices."""
        return range(*self.transition_matrix.choices_of(int(state)))

    def transitions_of(self, choice: int) -> range:
        """Return the numbers of a choice's transitions."""
        return range(*self.transition_matrix.transitions_of(int(choice)))

    def targets_of(self, choice: int) -> npt.NDArray[np.uint32]:
        """Return the numbers of the states that a choice can lead to."""
        return self.targets[slice(*self.transition_matrix.transitions_of(int(choice)))]

    def weights_of(self, choice: int) -> Sequence[Any]:
        """Return the probabilities of a choice's transitions, in the order of ``targets_of``."""
        return [
            self.weights[each]
            for each in self._native.signature_weights(int(self.choice_signatures[choice]))
        ]

    @cached_property
    def first_choice(self) -> npt.NDArray[np.int64]:
        return self.transition_matrix.first_choices()

    @cached_property
    def first_transition(self) -> npt.NDArray[np.int64]:
        return self.transition_matrix.first_transitions()

    @cached_property
    def targets(self) -> npt.NDArray[np.uint32]:
        """Number of the target state of each transition."""
        with self._tracer.lock:
            return self._native.targets[: self.num_transitions]

    @cached_property
    def choice_signatures(self) -> npt.NDArray[Any]:
        """Signature number of each choice. Choices with the same signature have the same label,
        reward, component and probabilities."""
        with self._tracer.lock:
            return self._native.choice_signatures[: self.num_choices]

    @cached_property
    def weight_ids(self) -> npt.NDArray[np.uint32]:
        """Index into ``weights`` for each transition. There are few distinct probabilities and many
        transitions, so each probability is stored once."""
        return self.transition_matrix.weights()

    @cached_property
    def label_ids(self) -> npt.NDArray[np.uint32]:
        """Index into ``labels`` for each choice."""
        return self.per_choice(self.signature_labels)

    @cached_property
    def component_ids(self) -> npt.NDArray[np.uint32]:
        """Index of the component that makes each choice, for an interleaved system. A choice
        without a component has the largest integer of the array's type."""
        return self.per_choice(self.signature_components)

    @cached_property
    def signature_labels(self) -> npt.NDArray[np.uint32]:
        """Index into ``labels`` for each choice signature (see :attr:`choice_signatures`)."""
        return self._native.signature_labels

    @cached_property
    def signature_components(self) -> npt.NDArray[np.uint32]:
        """Index of the component for each choice signature (see :attr:`choice_signatures`)."""
        return self._native.signature_components

    def per_choice(self, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return an array with one element for each choice, given an array with one element for
        each choice signature (see :attr:`choice_signatures`)."""
        result = take_blockwise(table, self.choice_signatures)
        result.flags.writeable = False
        return result

    def used_labels(self) -> Sequence[Hashable]:
        """Return the labels that occur on the choices of this space."""
        used = np.unique(self.signature_labels[np.unique(self.choice_signatures)])
        return [self.labels[each] for each in used.tolist()]

    @property
    def weights(self) -> Sequence[Any]:
        return self._tracer.weights.objects

    @cached_property
    def probabilities(self) -> npt.NDArray[np.float64]:
        return take_blockwise(np.array([float(weight) for weight in self.weights]), self.weight_ids)

    @property
    def labels(self) -> Sequence[Hashable]:
        return self._tracer.labels.objects

    def label(self, choice: int) -> Hashable:
        return self.labels[int(self.signature_labels[self.choice_signatures[choice]])]

    @cached_property
    def terminal(self) -> npt.NDArray[np.bool_]:
        """Mask of the terminal states: those whose only choice is the stutter step that the kernel
        added. No state is terminal if the system defines a stutter label."""
        result = np.zeros(self.num_states, dtype=np.bool_)
        if self.system.stutter is not STUTTER:
            return result
        stutters = self.signature_labels == self.labels.index(STUTTER)
        result[: self.num_expanded] = take_blockwise(
            stutters, self.transition_matrix.first_signatures()
        )
        return result

    @cached_property
    def choice_states(self) -> npt.NDArray[np.int64]:
        """Number of the state that each choice belongs to."""
        return np.repeat(np.arange(self.num_states), np.diff(self.first_choice))

    @cached_property
    def transition_choices(self) -> npt.NDArray[np.int64]:
        """Number of the choice that each transition belongs to."""
        return np.repeat(np.arange(self.num_choices), np.diff(self.first_transition))

    # --- rewards ----------------------------------------------------------------------------------

    @property
    def reward_names(self) -> Sequence[str]:
        earned = {name for rewards in self._tracer.rewards.objects for name, _ in rewards}
        return sorted(earned | set(self.system.state_rewards))

    def choice_rewards(self, name: str) -> npt.NDArray[np.float64]:
        ids, amounts = self.choice_reward_ids(name)
        return take_blockwise(np.array([float(each) for each in amounts]), ids)

    def state_rewards(self, name: str) -> npt.NDArray[np.float64]:
        ids, amounts = self.state_reward_ids(name)
        return take_blockwise(np.array([float(each) for each in amounts]), ids)

    def choice_reward_ids(self, name: str) -> tuple[npt.NDArray[np.uint32], Sequence[Any]]:
        """Return the amounts of a named reward for all choices: an array with an index for each
        choice, and the list of amounts that the indices refer to.

        Amounts that the system gives as fractions are exact.
        """
        return self.per_choice(self._native.signature_rewards), [
            dict(rewards).get(name, 0) for rewards in self._tracer.rewards.objects
        ]

    def state_reward_ids(self, name: str) -> tuple[npt.NDArray[np.uint32], Sequence[Any]]:
        """Return the amounts of a named reward for all states: an array with an index for each
        state, and the list of amounts that the indices refer to."""
        if name in self.system.state_rewards:
            return self._evaluate(self.system.state_rewards[name])
        return np.zeros(self.num_states, dtype=np.uint32), [0]

    # --- functions of states ----------------------------------------------------------------------

    def holds(self, predicate: Predicate) -> npt.NDArray[np.bool_]:
        """Return the mask of the states in which a predicate holds. The predicate is traced: Python
        runs once per distinct combination of values that the predicate reads, not once per state.
        """
        if isinstance(predicate, NoPredicate):
            return ~self.holds(AnyPredicate(predicate.parts))
        if isinstance(predicate, AnyPredicate):
            found_somewhere = np.zeros(self.num_states, dtype=np.bool_)
            for part in predicate.parts:
                found_somewhere |= self.holds(part)
            return found_somewhere
        answers, found = self._evaluate(predicate)
        return take_blockwise(np.array([bool(each) for each in found], dtype=np.bool_), answers)

    def evaluate(self, function: Callable[[SlotView], RewardValue]) -> npt.NDArray[np.float64]:
        """Return the value of a numeric function in each state. The function is traced as in
        :meth:`holds`."""
        answers, found = self._evaluate(function)
        return take_blockwise(np.array([float(each) for each in found], dtype=np.float64), answers)

    def _evaluate(
        self, function: Callable[[SlotView], Any]
    ) -> tuple[npt.NDArray[np.uint32], Sequence[Any]]:
        found: InternTable[Hashable] = InternTable[Hashable]()
        with self._tracer.lock, self._tracer.attributing_errors():
            tree = self._tracer.add_function(
                getattr(function, "__name__", "function"), function, found
            )
            answers = self._native.evaluate(
                self._tracer.trace, self._tracer.combine, tree, self.num_states
            )
        return answers, found.objects

    def value(self, state: int, slot: str) -> Any:
        index = self._tracer.slot_index(slot)
        with self._tracer.lock:
            return self._tracer.values[index].objects[self._native.value(state, index)]

    def values(self, state: int) -> dict[str, Any]:
        """Return the value of each slot in a state, by slot name. The result can serve as a view
        for traced functions."""
        return {slot: self.value(state, slot) for slot in self.system.slots}

    def column(self, slot: str) -> tuple[npt.NDArray[np.uint32], Sequence[Any]]:
        """Return the values of a slot in all states: an array with an index for each state, and the
        list of slot values that the indices refer to."""
        index = self._tracer.slot_index(slot)
        with self._tracer.lock:
            return self._native.column(index, self.num_states), self._tracer.values[index].objects

    def chain_steps(self, state: int, component: int, choice: int, outcome: int) -> list[ChainStep]:
        """Return the chain of states that chain compression skipped, from the state after an
        outcome of a component's choice to the stored state at the end of the chain."""
        tracer, slots = self._tracer, list(self.system.slots)
        with tracer.attributing_errors():
            found = self._native.expand_chain(
                tracer.trace, tracer.combine, state, component, choice, outcome
            )
        last = len(found) - 1
        return [
            ChainStep(
                {
                    slot: tracer.values[index].objects[values[index]]
                    for index, slot in enumerate(slots)
                },
                None if position == last else moving_component,
            )
            for position, (moving_component, values) in enumerate(found)
        ]

    # --- runs -------------------------------------------------------------------------------------

    @cached_property
    def parent_choices(self) -> npt.NDArray[np.int64]:
        """Number of the choice through which each state was found first; -1 for the initial state.
        The search is breadth first, so these choices form shortest paths."""
        return self.transition_matrix.parent_choices()

    def path_to(self, state: int) -> tuple[list[int], list[int]]:
        """Return a shortest path from the initial state to the given state: the numbers of its
        states, and of the choices between them."""
        states, choices = [state], []
        while (choice := int(self.parent_choices[states[-1]])) >= 0:
            choices.append(choice)
            states.append(self.transition_matrix.state_of(choice))
        return states[::-1], choices[::-1]
