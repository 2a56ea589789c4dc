"""Export of an explored space as a UMB archive: its MDP, and named sets of its states."""

from __future__ import annotations

import io
from collections.abc import Mapping

from volition.checking.graph.propositions import satisfying_states
from volition.checking.mdp.mdp import Mdp
from volition.checking.storm.umb import write_umb
from volition.kernel import StateSpace
from volition.languages.protocols import Model
from volition.logic.syntax import Formula

__all__ = ["UNEXPLORED", "umb_archive"]

UNEXPLORED = "unexplored"
"""Label of the states that were found but not explored. In the archive they have a self-loop, and
results for them are meaningless."""


def umb_archive(model: Model, space: StateSpace, sets: Mapping[str, Formula]) -> bytes:
    """Return an explored space as the bytes of a UMB file. ``sets`` maps the name of each label to
    a state formula; the label marks the states that satisfy it."""
    mdp = Mdp.from_space(space).at_nominal_values()
    labels = {name: satisfying_states(model, space, formula) for name, formula in sets.items()}
    if not space.complete:
        labels[UNEXPLORED] = mdp.frontier
    content = io.BytesIO()
    write_umb(content, mdp, labels=labels)
    return content.getvalue()
