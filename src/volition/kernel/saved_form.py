"""Invariants of a saved state space: the fields of its header, and the type, length and range of
each of its arrays.

A checksum proves that a file is unchanged, not that its content is valid. Therefore no array is
used before every check in this module has passed. The native code checks again what memory safety
requires (``native/algorithms/validation.hpp``). It also checks the invariants that relate elements
to each other: offsets ascend, and states are distinct and numbered in the order of discovery.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from volition.kernel.header_schema import (
    DictSchema,
    ListSchema,
    NaturalSchema,
    NullSchema,
    RecordSchema,
    Shape,
    TextSchema,
    UnionSchema,
    fits,
)
from volition.kernel.space import StopReason

__all__ = ["BLOCK", "Sizes", "faults_of_arrays", "faults_of_header"]

BLOCK = 64
"""Number of offsets that share a base value in the compressed offset arrays of
``native/algorithms/offsets.hpp``."""

_NO_COMPONENT = 2**32 - 1
_VALUE_BITS, _WORD_BITS = 32, 64
_TOLERANCE = 1e-6
"""Permitted deviation of the sum of a choice's probabilities from 1, because some probabilities are
floating-point numbers."""

_HEADER: Mapping[str, Shape] = {
    "slots": ListSchema(TextSchema()),
    "values": ListSchema(NaturalSchema()),
    "states": NaturalSchema(),
    "expanded": NaturalSchema(),
    "choices": NaturalSchema(),
    "transitions": NaturalSchema(),
    "words_per_state": NaturalSchema(),
    "stopped": UnionSchema(
        (NullSchema(), RecordSchema({"reason": TextSchema(), "text": TextSchema()}))
    ),
    "stop_state": UnionSchema((NullSchema(), NaturalSchema())),
    "labels": ListSchema(TextSchema()),
    "weights": ListSchema(TextSchema()),
    "rewards": ListSchema(DictSchema(TextSchema())),
}


def faults_of_header(header: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults of the header of a saved state space, as texts for users. If a field is
    missing or has a wrong type, yield only faults of this kind."""
    wrong = [
        name
        for name, shape in _HEADER.items()
        if name not in header or not fits(header[name], shape)
    ]
    if wrong:
        yield from (f"'{name}' in its header is missing or has a wrong type" for name in wrong)
        return
    states, expanded, stopped, stop_state = (
        header[each] for each in ("states", "expanded", "stopped", "stop_state")
    )
    slots = len(header["slots"])
    if not states >= 1 or not expanded <= states:
        yield f"it claims {expanded} explored states out of {states}"
    if not 1 <= header["words_per_state"] <= max(1, slots + slots // 8):
        yield f"a state with {slots} slots does not have {header['words_per_state']} words"
    if stop_state is not None and stop_state >= states:
        yield f"'stop_state' is state {stop_state}, but it has only {states} states"
    if stopped is not None and stopped["reason"] not in get_args(StopReason):
        yield "'stopped' has an unknown reason"
    if (stop_state is None) != (stopped is None or stopped["reason"] != "stop_condition"):
        yield "'stop_state' and 'stopped' contradict each other"
    if stop_state is None and (stopped is None) != (states == expanded):
        yield "'stopped' contradicts the number of explored states"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of states, choices, labels and all other elements of a saved state space. The lengths
    and ranges of all arrays follow from them."""

    slots: int
    components: int
    words: int
    states: int
    expanded: int
    choices: int
    transitions: int
    signatures: int
    outcomes: int
    labels: int
    weights: int
    rewards: int
    objects: int


@dataclass(frozen=True, slots=True)
class _Form:
    """Expected form of an array in a saved state space: permitted element types, number of
    elements, and upper bound of the elements, which is itself excluded. If the number or the bound
    is None, it is not checked."""

    types: tuple[str, ...]
    count: int | None
    below: int | None = None


_NARROW = ("<u1", "<u2", "<u4")


def _forms(sizes: Sizes) -> Mapping[str, _Form]:
    blocks = sizes.expanded // BLOCK + 1
    word, number = ("<u8",), ("<u4",)
    return {
        "slot_first_bits": _Form(number, sizes.slots, sizes.words * _WORD_BITS),
        "slot_bits": _Form(number, sizes.slots, _VALUE_BITS + 1),
        "states": _Form(word, sizes.states * sizes.words),
        "first_choice_blocks": _Form(word, blocks, sizes.choices + 1),
        "first_choice": _Form(_NARROW, sizes.expanded + 1, sizes.choices + 1),
        "first_transition_blocks": _Form(word, blocks, sizes.transitions + 1),
        "first_transition": _Form(_NARROW, sizes.expanded + 1, sizes.transitions + 1),
        "choice_signatures": _Form(_NARROW, sizes.choices, sizes.signatures),
        "targets": _Form(number, sizes.transitions, sizes.states),
        "signature_labels": _Form(number, sizes.signatures, sizes.labels),
        "signature_rewards": _Form(number, sizes.signatures, sizes.rewards),
        "signature_components": _Form(number, sizes.signatures),
        "signature_transitions": _Form(number, sizes.signatures, sizes.outcomes + 1),
        "signature_weights": _Form(number, sizes.outcomes, sizes.weights),
        "replay_log": _Form(number, None),
        "keys": _Form(word, sizes.objects),
    }


def faults_of_arrays(
    arrays: Mapping[str, npt.NDArray[Any]], sizes: Sizes, probabilities: npt.NDArray[np.float64]
) -> Iterator[str]:
    """Yield the faults of the arrays of a saved state space, as texts for users.

    ``sizes`` determines the expected length and range of each array. ``probabilities`` is the list
    of distinct probabilities, to which the transitions refer by index.
    """
    forms = _forms(sizes)
    yield from (f"its section '{name}' is missing" for name in forms if name not in arrays)
    yield from (f"its section '{name}' is unknown" for name in arrays if name not in forms)
    faults = {name: _fault(arrays[name], form) for name, form in forms.items() if name in arrays}
    yield from (
        f"its section '{name}' {fault}" for name, fault in faults.items() if fault is not None
    )
    if any(faults.values()) or forms.keys() != arrays.keys():
        return
    components, transitions = arrays["signature_components"], arrays["signature_transitions"]
    if np.any((components >= sizes.components) & (components != _NO_COMPONENT)):
        yield "its section 'signature_components' names a component that does not exist"
    if np.any(transitions == 0) or int(transitions.sum(dtype=np.uint64)) != sizes.outcomes:
        yield "its sections 'signature_transitions' and 'signature_weights' contradict each other"
    elif sizes.signatures:
        begins = np.concatenate([[0], np.cumsum(transitions[:-1], dtype=np.int64)])
        totals = np.add.reduceat(probabilities[arrays["signature_weights"]], begins)
        if not np.all(np.abs(totals - 1) < _TOLERANCE):
            yield "the probabilities of one of its choices do not sum to 1"


def _fault(array: npt.NDArray[Any], form: _Form) -> str | None:
    if array.dtype.newbyteorder("<").str.replace("|", "<") not in form.types:
        return f"has the type {array.dtype}"
    if form.count is not None and len(array) != form.count:
        return f"has {len(array)} numbers instead of {form.count}"
    if form.below is not None and len(array) and int(array.max()) >= form.below:
        return f"has the number {int(array.max())}, which is too large"
    return None
