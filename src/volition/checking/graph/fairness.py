"""Fair runs: those on which no component waits for ever for its turn.

A component is *enabled* in a state if it has a choice there; components of one name count as one.
**Weak** fairness: a component that is enabled from some time on without a break moves infinitely
often.  **Strong** fairness: one that is enabled infinitely often moves infinitely often. (Lehmann,
Pnueli and Stavi, 1981.)  Every finite run can be continued to a fair one, so fairness never adds or
removes reachable states.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from volition.diagnostics import Diagnostic, InputError
from volition.kernel import StateSpace

__all__ = ["Fairness", "FairnessAcceptance", "fairness_acceptance"]

Fairness = Literal["weak", "strong"]
MAX_MARKS = 64


@dataclass(frozen=True, slots=True, eq=False)
class FairnessAcceptance:
    """Acceptance marks that the choices of a space earn: see
    :class:`volition.logic.automata.automaton.Automaton`."""

    of_choice: npt.NDArray[np.uint64]
    inf_marks: int = 0
    streett_pairs: tuple[tuple[int, int], ...] = ()


def fairness_acceptance(
    space: StateSpace, fairness: Fairness | None, first_mark: int
) -> FairnessAcceptance:
    """The marks that say which runs are fair, numbered from ``first_mark``.

    Weak fairness takes one mark per component, seen where the component moves or cannot move;
    strong fairness two, seen where it is enabled and where it moves.
    """
    if fairness is None:
        return FairnessAcceptance(np.empty(0, dtype=np.uint64))
    names = (
        list(dict.fromkeys(each.name for each in space.system.components))
        if space.system.mode == "interleaved"
        else []
    )
    components = len(names)
    if first_mark + components * (1 if fairness == "weak" else 2) > MAX_MARKS:
        raise InputError(
            [
                Diagnostic(
                    "CHK002",
                    f"{fairness} fairness over {components} components is not supported: too many "
                    "components",
                )
            ]
        )
    # The mark of each component, and none for what is nobody's move.
    bits = np.array(
        [*(1 << names.index(each.name) for each in space.system.components if names), 0],
        dtype=np.uint64,
    )
    moves = space.per_choice(bits[np.minimum(space.signature_components, len(bits) - 1)])
    # The choices of a state stand together, and every explored state has one.
    enabled = np.bitwise_or.reduceat(moves, space.first_choice[: space.num_expanded])
    enabled_then = enabled[space.choice_states]
    everyone = (1 << components) - 1
    if fairness == "weak":
        marks = (moves | ~enabled_then) & np.uint64(everyone)
        return FairnessAcceptance(marks << np.uint64(first_mark), inf_marks=everyone << first_mark)
    marks = (enabled_then << np.uint64(first_mark)) | (moves << np.uint64(first_mark + components))
    pairs = tuple(
        (1 << first_mark + each, 1 << first_mark + components + each) for each in range(components)
    )
    return FairnessAcceptance(marks, streett_pairs=pairs)
