"""The explored state space: rows for algorithms, numpy arrays for who asks for them, and everything
that a person needs to read it."""

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

StopReason = Literal["states", "memory", "seconds", "depth", "interrupted", "hit"]


@dataclass(frozen=True, slots=True)
class ExplorationStop:
    """Why an exploration ended before everything was explored; ``text`` says it to a person."""

    reason: StopReason
    text: str


@dataclass(frozen=True, slots=True)
class Stats:
    """What an exploration cost.  ``state_bytes`` counts the packed states and the table that finds
    them again."""

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
    """States ▶ choices ▶ transitions.

    State 0 is the initial one.  The choices of state ``s`` are ``choices_of(s)``, the transitions
    of choice ``c`` are ``transitions_of(c)``, sorted by target, no target twice.  States from
    ``num_expanded`` on were found but not explored, because a limit was hit; they have no choices.

    The same as arrays of offsets (CSR): ``first_choice[s]:first_choice[s + 1]`` and
    ``first_transition[c]:first_transition[c + 1]``. These, and the arrays that have a number for
    each choice or transition, are made when they are asked for, and then kept; ``targets`` and
    ``choice_kinds`` are the explorer's own memory.  ``rows`` is what native algorithms read,
    without any array.

    A space is what was found when its exploration stopped, and stays so:
    :func:`~volition.kernel.explore_further` makes a new, larger space with the same numbers for the
    same states, choices and transitions.  Only the lists behind the ids (``labels``, ``weights``,
    the values of slots) are shared by the two, and may get longer.

    A space holds functions and cannot be pickled as it is.  Where ``recipe`` says how its system is
    made, that is pickled instead, and the space is explored again when somebody looks at it: at
    least as far, with the same numbers for states and choices.
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
        """What the space was reduced for: it tells only that of the system; None if it has all of
        its states."""
        self.num_evaluated: int = native.num_visited
        """Of a reduced space, how many states were looked at, those included that were leapt
        over."""
        self.stopped = stopped
        self.stop_state: int | None = native.hit
        """The state nearest to the initial one in which ``stop_when`` held, if the exploration
        stopped there."""
        self.num_expanded: int = native.num_expanded
        self.depth: int = native.depth
        """All runs of so many steps are in the space."""
        self.transition_matrix: _native.StateRows = native.rows()
        self._bits_and_bytes = (native.state_bits, native.state_bytes, native.total_bytes)
        self._native = native
        self._tracer = tracer
        self._seconds = seconds

    def __len__(self) -> int:
        return self.num_states

    def __bool__(self) -> bool:
        return True  # a space has its initial state, and nobody means its length by "if space"

    def __repr__(self) -> str:
        counts = (
            f"{self.num_states:,} states, {self.num_choices:,} choices, "
            f"{self.num_transitions:,} transitions"
        )
        return f"<StateSpace: {counts}{'' if self.complete else ', not complete'}>"

    # --- somewhere else ---------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        if self.system_factory is None:
            raise TypeError(
                "a state space holds functions and cannot be pickled; pickle what it was made of, "
                "and explore that again"
            )
        reached = None if self.complete else (self.num_states, self.num_expanded)
        return StateSpace._unpickled, (self.system_factory, reached, self.stopped, self.stop_state)

    @staticmethod
    def _unpickled(
        recipe: Callable[[], System],
        reached: tuple[int, int] | None,
        stopped: ExplorationStop | None,
        hit: int | None,
    ) -> StateSpace:
        space = StateSpace.__new__(StateSpace)
        space.__dict__.update(
            system_factory=recipe, stopped=stopped, stop_state=hit, _reached=reached
        )
        return space

    def __getattr__(self, name: str) -> Any:
        """Explores a space that came from a pickle, when the first thing is missed that only an
        exploration knows."""
        if "_reached" not in self.__dict__ or name.startswith("__"):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        from volition.kernel.exploration import (
            Limits,
            explore,
            explore_further,
        )  # which make spaces, and so import this module

        assert self.system_factory is not None
        reached = self.__dict__.pop("_reached")
        # A limit ends an exploration once there are more states than it says.
        again = explore(
            self.system_factory(), limits=Limits(states=None if reached is None else reached[0] - 1)
        )
        if (
            reached is not None and again.num_expanded < reached[1]
        ):  # the last states that were explored had no new ones behind them
            again = explore_further(again, limits=Limits(states=reached[0]))
        # Why it stopped the first time is told, not that it stopped here again.
        self.__dict__.update(
            {
                each: value
                for each, value in again.__dict__.items()
                if each not in ("stopped", "stop_state")
            }
        )
        return getattr(self, name)

    # --- how much ---------------------------------------------------------------------------------

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
        """What the exploration cost; ``python_calls`` counts those for what was read off states
        since as well."""
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
        """The numbers of a state's choices."""
        return range(*self.transition_matrix.choices_of(int(state)))

    def transitions_of(self, choice: int) -> range:
        """The numbers of a choice's transitions."""
        return range(*self.transition_matrix.transitions_of(int(choice)))

    def targets_of(self, choice: int) -> npt.NDArray[np.uint32]:
        """The states that a choice leads to."""
        return self.targets[slice(*self.transition_matrix.transitions_of(int(choice)))]

    def weights_of(self, choice: int) -> Sequence[Any]:
        """The probabilities of a choice's transitions."""
        return [
            self.weights[each]
            for each in self._native.kind_weights(int(self.choice_signatures[choice]))
        ]

    @cached_property
    def first_choice(self) -> npt.NDArray[np.int64]:
        return self.transition_matrix.first_choices()

    @cached_property
    def first_transition(self) -> npt.NDArray[np.int64]:
        return self.transition_matrix.first_transitions()

    @cached_property
    def targets(self) -> npt.NDArray[np.uint32]:
        """For each transition the state that it leads to."""
        with self._tracer.lock:
            return self._native.targets[: self.num_transitions]

    @cached_property
    def choice_signatures(self) -> npt.NDArray[Any]:
        """For each choice the number of its kind: choices of one kind have the same label, reward,
        component and probabilities."""
        with self._tracer.lock:
            return self._native.choice_kinds[: self.num_choices]

    @cached_property
    def weight_ids(self) -> npt.NDArray[np.uint32]:
        """For each transition the index of its probability in ``weights``: few probabilities, many
        transitions."""
        return self.transition_matrix.weights()

    @cached_property
    def label_ids(self) -> npt.NDArray[np.uint32]:
        """For each choice the index of its label in ``labels``."""
        return self.per_choice(self.signature_labels)

    @cached_property
    def component_ids(self) -> npt.NDArray[np.uint32]:
        """Which component of an interleaved system makes each choice; the largest value where it is
        none of them."""
        return self.per_choice(self.signature_components)

    @cached_property
    def signature_labels(self) -> npt.NDArray[np.uint32]:
        """For each kind of choices the index of their label in ``labels``."""
        return self._native.kind_labels

    @cached_property
    def signature_components(self) -> npt.NDArray[np.uint32]:
        """For each kind of choices which component makes them."""
        return self._native.kind_components

    def per_choice(self, table: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What a table says of each kind, for each choice."""
        result = take_blockwise(table, self.choice_signatures)
        result.flags.writeable = False
        return result

    def used_labels(self) -> Sequence[Hashable]:
        """The labels of the choices that there are."""
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
        """States in which nothing can move but the stutter step that the kernel added; none where
        the system has a name for that step."""
        result = np.zeros(self.num_states, dtype=np.bool_)
        if self.system.stutter is not STUTTER:
            return result
        stutters = self.signature_labels == self.labels.index(STUTTER)
        result[: self.num_expanded] = take_blockwise(stutters, self.transition_matrix.first_kinds())
        return result

    @cached_property
    def choice_states(self) -> npt.NDArray[np.int64]:
        """The state of each choice."""
        return np.repeat(np.arange(self.num_states), np.diff(self.first_choice))

    @cached_property
    def transition_choices(self) -> npt.NDArray[np.int64]:
        """The choice of each transition."""
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
        """For each choice the index of what it earns in a list of amounts, which are as exact as
        they were written."""
        return self.per_choice(self._native.kind_rewards), [
            dict(rewards).get(name, 0) for rewards in self._tracer.rewards.objects
        ]

    def state_reward_ids(self, name: str) -> tuple[npt.NDArray[np.uint32], Sequence[Any]]:
        """The same for states."""
        if name in self.system.state_rewards:
            return self._evaluate(self.system.state_rewards[name])
        return np.zeros(self.num_states, dtype=np.uint32), [0]

    # --- what is read off states ------------------------------------------------------------------

    def holds(self, predicate: Predicate) -> npt.NDArray[np.bool_]:
        """Where a predicate holds.  It is traced: Python runs once per distinct reading, not once
        per state."""
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
        """A number for each state, traced as well."""
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
        """The whole state; a view for every traced function."""
        return {slot: self.value(state, slot) for slot in self.system.slots}

    def column(self, slot: str) -> tuple[npt.NDArray[np.uint32], Sequence[Any]]:
        """For each state the index of the slot's value in the list of the slot's values."""
        index = self._tracer.slot_index(slot)
        with self._tracer.lock:
            return self._native.column(index, self.num_states), self._tracer.values[index].objects

    def chain_steps(self, state: int, component: int, choice: int, outcome: int) -> list[ChainStep]:
        """Of a reduced space: the states from the one after an outcome of a component's choice to
        the stored one that it leads to."""
        tracer, slots = self._tracer, list(self.system.slots)
        with tracer.attributing_errors():
            found = self._native.steps_within(
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
        """The choice through which each state was found first, -1 for the initial state: breadth
        first, so nearest."""
        return self.transition_matrix.discoverers()

    def path_to(self, state: int) -> tuple[list[int], list[int]]:
        """A shortest path from the initial state: its states, and the choices between them."""
        states, choices = [state], []
        while (choice := int(self.parent_choices[states[-1]])) >= 0:
            choices.append(choice)
            states.append(self.transition_matrix.state_of(choice))
        return states[::-1], choices[::-1]
