"""Saving and opening of state spaces.

The large parts of a space (packed states, transition matrix) are arrays of integers. They are
written unchanged and memory-mapped when the file is opened. The integers are ids of Python objects:
slot values, labels, probabilities and rewards. These objects are not written. Instead the file
contains the tracer's replay log, which records the call that created each object. To open the file
you need the program: replaying the log creates the same objects in the same order. The file also
has a stable hash of each object, which shows whether the objects are really the same.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import _native
from volition.kernel._native import Combination
from volition.kernel.array_file import ArrayFile, corrupt_file_error, encode, open_array_file
from volition.kernel.exploration import MAX_STATES, Limits, explore
from volition.kernel.saved_form import BLOCK, Sizes, faults_of_arrays, faults_of_header
from volition.kernel.space import ExplorationStop, StateSpace
from volition.kernel.stable_hash import full_stable_hash
from volition.kernel.system import System
from volition.kernel.tracing import Tracer

__all__ = ["SavedSpace", "encode_space", "open_saved_space"]

_COMPARED = Limits(states=1000, seconds=2.0, jobs=1)
"""Limits for exploring a system a second time, to compare its first states with a saved space if
the program may have changed."""

_MAX_FAULTS = 3
"""Maximum number of faults reported for one saved state space. Later faults often follow from the
first ones."""

_SPARE = 4
"""Largest permitted ratio between the length of an object's text and the length stored in the
file's header. The two lengths may differ, because the text of a set depends on the process."""


def encode_space(space: StateSpace, about: Mapping[str, Any]) -> Iterator[bytes | memoryview]:
    """Yield the bytes of the file for a state space, in pieces. ``about`` is a mapping of
    additional header fields.

    Raise :class:`InputError` if the space cannot be saved.
    """
    if space.reduction is not None:
        message = (
            "a reduced state space preserves only the properties that it was reduced for, and "
            "cannot be saved"
        )
        raise InputError(
            [
                Diagnostic(
                    "SPC004", message, hint="explore the program without reduction, and save that"
                )
            ]
        )
    native, tracer = space._native, space._tracer
    with tracer.lock:
        if tracer.log_incomplete:
            message = (
                "the exploration was interrupted in the middle of a step of the program, and "
                "cannot be saved"
            )
            raise InputError([Diagnostic("SPC004", message, hint="explore it again")])
        arrays = _arrays(space)
        arrays["replay_log"] = np.array(tracer.replay_log, dtype=np.uint32)
        arrays["keys"] = _keys(tracer)
        header = {
            **about,
            "slots": list(space.system.slots),
            "states": space.num_states,
            "expanded": space.num_expanded,
            "choices": space.num_choices,
            "transitions": space.num_transitions,
            "stopped": None
            if space.stopped is None
            else {"reason": space.stopped.reason, "text": space.stopped.text},
            "stop_state": space.stop_state,
            "words_per_state": native.state_words,
            "values": [len(values.objects) for values in tracer.values],
            "labels": [_label_text(each) for each in tracer.labels.objects],
            "weights": [str(each) for each in tracer.weights.objects],
            "rewards": [
                {name: str(amount) for name, amount in sorted(each)}
                for each in tracer.rewards.objects
            ],
        }
    return encode(header, arrays)


def _label_text(label: object) -> str:
    return "" if label is None else str(label)


def _arrays(space: StateSpace) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays of the space's explorer by name, cut to the size they had when the space
    was created. The exploration may have continued since."""
    arrays = _native.export_arrays(space._native)
    states, expanded = space.num_states, space.num_expanded
    lengths = {
        "states": states * space._native.state_words,
        "first_choice_blocks": expanded // BLOCK + 1,
        "first_choice": expanded + 1,
        "first_transition_blocks": expanded // BLOCK + 1,
        "first_transition": expanded + 1,
        "choice_signatures": space.num_choices,
        "targets": space.num_transitions,
    }
    return {name: array[: lengths.get(name, len(array))] for name, array in arrays.items()}


def _keys(tracer: Tracer) -> npt.NDArray[np.uint64]:
    """Return a stable hash of each object that the tracer has given an id; 0 for an object that is
    nested too deeply to be hashed."""
    objects: Iterable[object] = (
        each
        for things in (*tracer.values, tracer.labels, tracer.weights, tracer.rewards)
        for each in things.objects
    )
    return np.fromiter((full_stable_hash(each) or 0 for each in objects), dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class SavedSpace:
    """Opened file of a saved state space. The space can be used after :meth:`attach_system`."""

    container: ArrayFile

    @property
    def path(self) -> Path:
        return self.container.path

    @property
    def header(self) -> Mapping[str, Any]:
        return self.container.header

    def attach_system(self, system: System, *, surely: bool = False) -> StateSpace:
        """Return the saved state space, given the system that it was explored from. Its arrays stay
        in the file.

        Set ``surely`` if the system is known to be the saved one. Otherwise its first states are
        explored a second time and compared with the file. Raise :class:`InputError` if the system
        behaves differently from the saved one, or if the file is inconsistent.
        """
        start = time.perf_counter()
        self._raise_if_faulty(faults_of_header(self.header))
        if list(system.slots) != self.header["slots"]:
            raise self._program_changed_error("its slots differ")
        sizes = len(system.slots), len(system.components), len(system.reactions)
        native = _native.Explorer(
            *sizes, synchronous=system.mode == "synchronous", max_states=MAX_STATES
        )
        tracer = Tracer(system, native)
        self._replay(tracer)
        probabilities = np.array([float(weight) for weight in tracer.weights.objects])
        self._raise_if_faulty(
            faults_of_arrays(self.container.arrays, self._sizes(system, tracer), probabilities)
        )
        if not self._import_arrays(native, tracer, system):
            raise corrupt_file_error(self.path, "its sections do not fit together")
        space = StateSpace(
            system,
            native,
            tracer,
            self._stopped(),
            {"exploration": 0.0, "opening": time.perf_counter() - start},
        )
        if not surely and not _has_prefix(space, explore(system, limits=_COMPARED)):
            raise self._program_changed_error("its first steps differ")
        return space

    def _raise_if_faulty(self, faults: Iterator[str]) -> None:
        """Raise :class:`InputError` with the first few of these faults; do nothing if there are
        none."""
        found = list(islice(faults, _MAX_FAULTS))
        if found:
            raise corrupt_file_error(self.path, "; ".join(found))

    def _replay(self, tracer: Tracer) -> None:
        replay_log, saved = (
            self.container.arrays.get(name, np.zeros(0, dtype=np.uint64))
            for name in ("replay_log", "keys")
        )
        try:
            tracer.replay(replay_log.tolist(), self._expects)
        except InputError:
            raise
        except Exception:  # a replay log of another program may cause any error
            raise self._program_changed_error("one of its steps has changed") from None
        if self.header["values"] != [len(values.objects) for values in tracer.values]:
            raise self._program_changed_error("one of its steps has changed")
        now = _keys(tracer)
        if len(saved) != len(now) or np.any((saved != now) & (saved != 0) & (now != 0)):
            raise self._program_changed_error("one of its steps has changed")

    def _expects(self, how: Combination, number: int, combined: object) -> bool:
        """Return whether an object that the replay of a log has combined from two others may be
        used. It may if its text is at most :data:`_SPARE` times as long as the file's header says.
        Only labels and probabilities are compared, not rewards.

        The replay calls this for each new object before it is combined with others. A manipulated
        replay log therefore cannot create objects much larger than the file.
        """
        texts: Sequence[Any] = self.header[
            {Combination.LABELS: "labels", Combination.REWARDS: "rewards"}.get(how, "weights")
        ]
        if number >= len(texts):
            return False
        return how is Combination.REWARDS or len(str(combined)) <= _SPARE * (len(texts[number]) + 1)

    def _sizes(self, system: System, tracer: Tracer) -> Sizes:
        header, arrays, nothing = self.header, self.container.arrays, np.zeros(0)
        return Sizes(
            slots=len(system.slots),
            components=len(system.components),
            words=header["words_per_state"],
            states=header["states"],
            expanded=header["expanded"],
            choices=header["choices"],
            transitions=header["transitions"],
            signatures=len(arrays.get("signature_labels", nothing)),
            outcomes=len(arrays.get("signature_weights", nothing)),
            labels=len(tracer.labels.objects),
            weights=len(tracer.weights.objects),
            rewards=len(tracer.rewards.objects),
            objects=sum(
                len(each.objects)
                for each in (*tracer.values, tracer.labels, tracer.weights, tracer.rewards)
            ),
        )

    def _stopped(self) -> ExplorationStop | None:
        found = self.header["stopped"]
        return None if found is None else ExplorationStop(found["reason"], found["text"])

    def _import_arrays(self, native: _native.Explorer, tracer: Tracer, system: System) -> bool:
        return _native.import_arrays(
            native,
            dict(self.container.arrays),
            words=self.header["words_per_state"],
            states=self.header["states"],
            expanded=self.header["expanded"],
            labels=len(tracer.labels.objects),
            weights=len(tracer.weights.objects),
            rewards=len(tracer.rewards.objects),
            components=len(system.components),
            values=[len(values.objects) for values in tracer.values],
            stop_state=self.header["stop_state"],
        )

    def _program_changed_error(self, what: str) -> InputError:
        message = (
            f"'{self.path}' cannot be used: the program has changed since its states were "
            f"saved: {what}"
        )
        hint = "explore the program and save its states again"
        return InputError([Diagnostic("SPC005", message, hint=hint)])


def _has_prefix(space: StateSpace, part: StateSpace) -> bool:
    """Return whether the first states of a saved space are those of its system. ``part`` is a
    partial exploration of the system. Values and choices are compared in all states that both
    spaces have expanded."""
    explored = range(min(part.num_expanded, space.num_expanded))
    return all(
        space.values(state) == part.values(state) and _steps(space, state) == _steps(part, state)
        for state in explored
    )


def _steps(space: StateSpace, state: int) -> list[tuple[Any, ...]]:
    return [
        (space.label(choice), space.targets_of(choice).tolist(), space.weights_of(choice))
        for choice in space.choices_of(state)
    ]


def open_saved_space(path: Path) -> SavedSpace:
    """Open the file of a saved state space. Raise :class:`InputError` if it has another format or
    is damaged."""
    return SavedSpace(open_array_file(path))
