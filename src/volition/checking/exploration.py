"""A model and what was explored of it: for all questions about the same states."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from volition.checking.graph.propositions import resolve_leaves
from volition.checking.mdp.mdp import Mdp
from volition.checking.recipe import model_again, remember
from volition.checking.storm.loaded_mdp import LoadedMdp
from volition.diagnostics import Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace, explore
from volition.languages.model import Model, Program
from volition.logic import atoms, expand_agents
from volition.logic.syntax import Atom, Formula

__all__ = ["Exploration", "explore_for"]


@dataclass(frozen=True, eq=False)
class Exploration:
    """A model and what was explored of it; ``observed`` are the atoms that made it remember more than the program does."""

    model: Model
    space: StateSpace
    observed: tuple[Atom, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _explored_elsewhere, (self.space, self.observed)

    @cached_property
    def loaded(self) -> LoadedMdp:
        """Its process for questions about numbers, made when the first one is asked."""
        return LoadedMdp(self.space, Mdp.of(self.space))

    @cached_property
    def loaded_graph(self) -> LoadedMdp:
        """The same with chance turned into choice, for questions about runs."""
        return LoadedMdp(self.space, Mdp.of(self.space).without_chance())


def _explored_elsewhere(space: StateSpace, observed: tuple[Atom, ...]) -> Exploration:
    return Exploration(model_again(space), space, observed)


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
    space = remember(explore(model.system, limits=limits, progress=progress), program, observed)
    return Exploration(model, space, observed), expanded
