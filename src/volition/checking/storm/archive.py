"""An explored space as an archive for other tools: its process, and sets of its states by name."""

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
"""The set of states that were found but not explored; they loop in the archive, and mean
nothing."""


def umb_archive(model: Model, space: StateSpace, sets: Mapping[str, Formula]) -> bytes:
    """The bytes of a UMB file; ``sets`` are formulas about one state, by the name of the label that
    they become."""
    mdp = Mdp.from_space(space).at_nominal_values()
    labels = {name: satisfying_states(model, space, formula) for name, formula in sets.items()}
    if not space.complete:
        labels[UNEXPLORED] = mdp.frontier
    content = io.BytesIO()
    write_umb(content, mdp, labels=labels)
    return content.getvalue()
