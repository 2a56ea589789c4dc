"""The lines of kind ``step`` in the record of a run. The executive writes them, and conformance
checking computes them again to compare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from volition.languages.protocols import Model, StateView
from volition.origin import Origin
from volition.reporting.annotated_runs import (
    AnnotatedStep,
    changes_between,
    origins_of,
    sampled_origin,
)
from volition.reporting.trace_format import step_to_json, written_slots
from volition.runtime.successor import EnabledChoice, State, successor

__all__ = ["MadeStep", "make_step"]


@dataclass(frozen=True, slots=True)
class MadeStep:
    """One step of a run: the next state, its state view, the origins of the step in the program,
    and the fields of its line in the record."""

    after: State
    view: StateView
    origins: tuple[Origin, ...]
    fields: dict[str, Any]


def make_step(
    model: Model, state: State, view: StateView, move: EnabledChoice, outcome: int, number: int
) -> MadeStep:
    """Return step ``number`` of a run: the outcome with index ``outcome`` of a move from ``state``.
    ``view`` is the state view of ``state``."""
    chance, effect = move.choice.outcomes[outcome]
    following = successor(model.system, state, effect, reacts=move.choice.triggers_reactions)
    then = model.describe(following)
    step = AnnotatedStep(
        number=number,
        origins=tuple(
            sampled_origin(each, _values(state), _values(following))
            for each in origins_of(move.choice.label)
        ),
        changes=tuple(changes_between(view, then)),
        state_view=then,
        probability=None if len(move.choice.outcomes) == 1 else str(chance),
    )
    fields = {
        **step_to_json(step, *written_slots(state, following)),
        "component": move.component.name,
        "choice": move.number,
        "outcome": outcome,
    }
    return MadeStep(following, then, step.origins, fields)


def _values(state: State) -> Callable[[str], Any]:
    return state.__getitem__
