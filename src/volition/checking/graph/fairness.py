"""Fairness: on a fair run, no component is ignored forever.

A component is *enabled* in a state if it has a choice there. Components of the same name count as
one. **Weak** fairness: a component that is enabled continuously from some point on moves infinitely
often. **Strong** fairness: a component that is enabled infinitely often moves infinitely often.
(Lehmann, Pnueli and Stavi, 1981.) Every finite run has a fair continuation, so fairness never adds
or removes reachable states.
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
    """Acceptance condition that selects the fair runs of a state space: acceptance marks for each
    choice, and the condition on them as in :class:`volition.logic.automata.automaton.Automaton`."""

    of_choice: npt.NDArray[np.uint64]
    inf_marks: int = 0
    streett_pairs: tuple[tuple[int, int], ...] = ()


def fairness_acceptance(
    space: StateSpace, fairness: Fairness | None, first_mark: int
) -> FairnessAcceptance:
    """Return the acceptance condition of the fair runs of a state space, with marks numbered from
    ``first_mark``.

    Weak fairness uses one mark per component, on choices where the component moves or is not
    enabled. Strong fairness uses two marks per component: one on choices where it is enabled, and
    one on choices where it moves.
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
    # The mark of each component; the last entry is for the self-loop of a deadlock state, in which
    # no component moves.
    bits = np.array(
        [*(1 << names.index(each.name) for each in space.system.components if names), 0],
        dtype=np.uint64,
    )
    moves = space.per_choice(bits[np.minimum(space.signature_components, len(bits) - 1)])
    # Combine the marks of the choices of each state. ``reduceat`` can do this because the choices
    # of a state are consecutive, and every explored state has at least one.
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
