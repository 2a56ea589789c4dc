"""Writer for UMB archives, the binary exchange format for Markov models that Storm reads.

A UMB file (unified Markov binary) is a tar archive: ``index.json`` lists the content, and each
array is a file of little-endian numbers. Bits are packed from the lowest bit up and padded to 64;
an exact number is a signed numerator followed by an unsigned denominator of the same width. Numpy
arrays are written without conversion.
"""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from volition.checking.mdp.mdp import Mdp
from volition.checking.mdp.rewards import RewardArrays

__all__ = ["write_umb"]

COPIED_AT_ONCE = 2**22


def write_umb(
    to: Path | BinaryIO,
    mdp: Mdp,
    *,
    labels: Mapping[str, npt.NDArray[np.bool_]] | None = None,
    exact: bool = False,
) -> None:
    """Write an MDP with its rewards and labels as a UMB archive. State 0 is the initial state.

    With ``exact``, probabilities and rewards are written as fractions; the probabilities must be
    rational.
    """
    initial = np.zeros(mdp.num_states, dtype=np.bool_)
    initial[0] = True
    probability_type, probabilities = _numbers(mdp.weights, mdp.weight_ids, exact)
    files: dict[str, bytes] = {
        "state-to-choices.bin": _offsets(mdp.first_choice),
        "state-is-initial.bin": _bits(initial),
        "choice-to-branches.bin": _offsets(mdp.first_transition),
        "branch-to-target.bin": _offsets(mdp.targets),
        "branch-to-probability.bin": probabilities,
    }
    propositions: dict[str, Any] = {}
    for name, states in (labels or {}).items():
        files[f"annotations/aps/{name}/states/values.bin"] = _bits(states)
        propositions[name] = {"applies-to": ["states"], "type": {"type": "bool", "size": 1}}
    rewards: dict[str, Any] = {}
    # Folder names must be simple; the alias has the name used in the program.
    for number, (name, arrays) in enumerate(mdp.rewards.items()):
        folder = f"annotations/rewards/reward{number}"
        reward_type, encoded = _amounts(arrays, exact)
        width = reward_type["size"] // 8
        files[f"{folder}/states/values.bin"] = encoded[: mdp.num_states * width]
        files[f"{folder}/choices/values.bin"] = encoded[mdp.num_states * width :]
        rewards[f"reward{number}"] = {
            "alias": name,
            "applies-to": ["states", "choices"],
            "type": reward_type,
        }
    index = {
        "format-version": 1,
        "format-revision": 0,
        "file-data": {"tool": "Volition"},
        "transition-system": {
            "time": "discrete",
            "#players": 0 if mdp.is_markov_chain else 1,
            "#states": mdp.num_states,
            "#choices": mdp.num_choices,
            "#branches": mdp.num_transitions,
            "#initial-states": 1,
            "#observations": 0,
            "#choice-actions": 0,
            "#branch-actions": 0,
            "branch-probability-type": probability_type,
        },
        "annotations": {"aps": propositions, "rewards": rewards},
    }
    options: dict[str, Any] = {
        "name" if isinstance(to, Path) else "fileobj": to,
        "copybufsize": COPIED_AT_ONCE,
    }
    with tarfile.open(mode="w", format=tarfile.USTAR_FORMAT, **options) as archive:
        for name, content in {"index.json": json.dumps(index).encode(), **files}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


def _offsets(array: npt.NDArray[Any]) -> bytes:
    return array.astype("<i8", copy=False).tobytes()  # offsets are not negative


def _bits(states: npt.NDArray[np.bool_]) -> bytes:
    packed = np.packbits(states, bitorder="little").tobytes()
    return packed + bytes(-len(packed) % 8)


def _amounts(rewards: RewardArrays, exact: bool) -> tuple[dict[str, Any], bytes]:
    """Return the UMB type and the bytes of a reward: the amounts of all states, then those of all
    choices. Unless ``exact`` is set, floats are written unchanged."""
    amounts = np.concatenate([rewards.of_states, rewards.of_choices])
    if not exact:
        return {"type": "double", "size": 64}, amounts.astype("<f8").tobytes()
    distinct, ids = np.unique(amounts, return_inverse=True)
    return _numbers([rewards.fraction(each) for each in distinct.tolist()], ids, exact)


def _numbers(
    table: Sequence[Any], ids: npt.NDArray[Any], exact: bool
) -> tuple[dict[str, Any], bytes]:
    """Return the UMB type and the bytes of a list of numbers. ``table`` has the distinct numbers,
    and ``ids`` has, for each position of the list, the index of its number in ``table``."""
    if not exact:
        column = np.array([float(number) for number in table], dtype="<f8")[ids]
        return {"type": "double", "size": 64}, column.tobytes()
    fractions = [Fraction(number) for number in table]
    bits = max(
        (max(abs(each.numerator), each.denominator).bit_length() for each in fractions), default=1
    )
    half = 8 * (bits // 64 + 1)  # leaves at least one bit for the sign
    encoded = b"".join(
        each.numerator.to_bytes(half, "little", signed=True)
        + each.denominator.to_bytes(half, "little")
        for each in fractions
    )
    return {"type": "rational", "size": 16 * half}, np.frombuffer(encoded, dtype=f"V{2 * half}")[
        ids
    ].tobytes()
