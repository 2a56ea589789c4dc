"""From a program and its queries to a table of values: explore the model, from its initial state or
from any other, and solve."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from volition.checking.explored_model import Exploration
from volition.diagnostics import Diagnostic, InputError, plural
from volition.kernel import Limits, StateSpace, explore
from volition.kernel.arrays import Floats, Indices
from volition.languages.protocols import Program
from volition.runtime.verification.section import Query, VerificationSection
from volition.runtime.verification.table import ValueTable, table_of
from volition.runtime.verification.vectors import mdp_for, vector

__all__ = ["TableRequest", "build_table", "explored_from"]


@dataclass(frozen=True, slots=True)
class TableRequest:
    """Values that are wanted: of which queries, of which program, and from which state on (None:
    its initial one).

    It can be sent to another process.  ``from_now_on`` asks for the values that queries have in all
    states, as if the run began there; otherwise for those of the states that some choice leads to,
    by the steps that are left of a bound: what plan selection looks up.
    """

    program: Program
    queries: tuple[Query, ...]
    declared: VerificationSection
    start: Mapping[str, Hashable] | None = None
    all_states: bool = False


def build_table(order: TableRequest) -> ValueTable:
    """The table that an order asks for; raises :class:`InputError` where the model is too large."""
    explored = explored_from(order.program, order.start, order.declared.states)
    states = (
        np.arange(explored.space.num_states)
        if order.all_states
        else _decision_successors(explored.space)
    )
    loaded = mdp_for(explored, order.declared.continuation_policy)
    formulas = {query.name: query for query in order.queries}

    def values(name: str) -> Floats:
        return vector(
            explored,
            loaded,
            formulas[name],
            order.declared.continuation_policy,
            states,
            by_steps_left=not order.all_states,
        )

    return table_of(explored.space, states, values, list(formulas))


def explored_from(
    program: Program, start: Mapping[str, Hashable] | None, max_states: int
) -> Exploration:
    """The model of a program with everything that can be reached from a state."""
    model = program.model()
    system = (
        model.system
        if start is None
        else replace(model.system, slots={slot: start[slot] for slot in model.system.slots})
    )
    space = explore(system, limits=Limits(states=max_states))
    if space.stopped is not None:
        message = (
            f"the model has more than {max_states:,} {plural(max_states, 'state')}, too many "
            "to look them up in a run"
        )
        raise InputError(
            [
                Diagnostic(
                    "RUN210",
                    message,
                    hint="write 'states = ...' below [verification] to allow more",
                )
            ]
        )
    return Exploration(model, space)


def _decision_successors(space: StateSpace) -> Indices:
    """The states that are one step behind a state with several choices."""
    several = np.diff(space.first_choice)[space.choice_states] > 1
    return np.unique(space.targets[several[space.transition_choices]]).astype(np.int64)
