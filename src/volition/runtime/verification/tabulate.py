"""Computation of a table of query values: explores the model of a program from a given state and
evaluates the queries in its states."""

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
    """Request for a table with the values of queries in the states that are reachable from
    ``start`` (None: the initial state). It can be sent to another process.

    With ``all_states``, the table has all reachable states. A query with a step bound then has one
    value per state, for the full bound.

    Without ``all_states``, the table has only the direct successors of states with several choices,
    which is what plan selection needs. A query with a step bound then has one value for each number
    of remaining steps.
    """

    program: Program
    queries: tuple[Query, ...]
    declared: VerificationSection
    start: Mapping[str, Hashable] | None = None
    all_states: bool = False


def build_table(order: TableRequest) -> ValueTable:
    """Compute the requested table of query values. Raise :class:`InputError` if the model has too
    many states."""
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
    """Return the explored model of a program: all states that are reachable from ``start`` (None:
    the initial state). Raise :class:`InputError` if there are more than ``max_states``."""
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
            "for run-time verification"
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
    """Return the indices of the direct successors of states with several choices."""
    several = np.diff(space.first_choice)[space.choice_states] > 1
    return np.unique(space.targets[several[space.transition_choices]]).astype(np.int64)
