"""A model and what was explored of it: for all questions about the same states.

A space remembers where it comes from, enough to explore it again in another process, where its functions cannot go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from volition.checking.graph.propositions import resolve_leaves
from volition.checking.mdp.mdp import Mdp
from volition.checking.numbers.computation import LoadedMdp
from volition.diagnostics import Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace, System, explore
from volition.languages.model import Model, Program
from volition.logic import atoms, expand_agents
from volition.logic.syntax import Atom, Formula

__all__ = ["Exploration", "Recipe", "explore_for", "model_again", "remember"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program, and the atoms that made its model remember more than the program does; called, it gives the system."""

    program: Program
    observed: tuple[Atom, ...] = ()

    def __call__(self) -> System:
        return self.program.model(self.observed).system


def remember(space: StateSpace, program: Program, observed: tuple[Atom, ...] = ()) -> StateSpace:
    """The same space, which now knows where it comes from, so that it can be pickled."""
    space.recipe = Recipe(program, observed)
    return space


def model_again(space: StateSpace) -> Model:
    """The model behind a space that knows where it comes from: models hold functions and are made again, not pickled."""
    if not isinstance(space.recipe, Recipe):
        raise TypeError("the program behind this state space is not known")
    return space.recipe.program.model(space.recipe.observed)


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
