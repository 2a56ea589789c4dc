"""One model for several formulas, explored: for analyses that ask many questions about the same states."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from volition.checking.check import Exploration
from volition.checking.graph.propositions import resolve_leaves
from volition.diagnostics import Diagnostics, InputError
from volition.kernel import Limits, Progress, explore
from volition.languages.model import Program
from volition.logic import atoms, expand_agents
from volition.logic.syntax import Formula

__all__ = ["explore_for"]


def explore_for(
    program: Program, formulas: Iterable[Formula], *, limits: Limits | None = None, progress: Callable[[Progress], None] | None = None
) -> tuple[Exploration, list[Formula]]:
    """The program explored with everything that the formulas look at, and the formulas without quantifiers over agents.

    Raises one :class:`InputError` with everything that the program does not know, before anything is explored.
    """
    agents = program.model().agents
    expanded = [expand_agents(formula, agents) for formula in formulas]
    observed = tuple(dict.fromkeys(atom for formula in expanded for atom in atoms(formula)))
    model = program.model(observed)
    mistakes = Diagnostics()
    for formula in expanded:
        try:
            resolve_leaves(model, formula)
        except InputError as error:
            mistakes.extend(error.diagnostics)
    mistakes.raise_errors()
    return Exploration(model, explore(model.system, limits=limits, progress=progress), observed), expanded
