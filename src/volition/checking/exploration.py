"""A model and what was explored of it: for all questions about the same states.

A space remembers where it comes from, enough to explore it again in another process, where its functions cannot go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from volition.checking.graph.propositions import resolve_leaves
from volition.checking.mdp.mdp import Mdp
from volition.checking.numbers.computation import LoadedMdp
from volition.diagnostics import Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace, System, explore
from volition.languages.model import Model, ParametricProgram, Program
from volition.logic import atoms, expand_agents
from volition.logic.syntax import Atom, Formula

__all__ = ["Exploration", "MadeFromProgram", "Recipe", "explore_for", "model_again", "remember"]


@runtime_checkable
class MadeFromProgram(Protocol):
    """How the system of a space is made again, by a call, and the model whose words tell it."""

    def __call__(self) -> System: ...

    def model(self) -> Model: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program, the atoms that made its model remember more than the program does, and the parameters that were left open."""

    program: Program
    observed: tuple[Atom, ...] = ()
    open_parameters: frozenset[str] = frozenset()

    def model(self) -> Model:
        if not self.open_parameters:
            return self.program.model(self.observed)
        assert isinstance(self.program, ParametricProgram), "only such a program has parameters"
        return self.program.model(self.observed, symbolic=self.open_parameters)

    def __call__(self) -> System:
        return self.model().system


def remember(
    space: StateSpace, program: Program, observed: tuple[Atom, ...] = (), *, open_parameters: frozenset[str] = frozenset()
) -> StateSpace:
    """The same space, which now knows where it comes from, so that it can be pickled."""
    space.recipe = Recipe(program, observed, open_parameters)
    return space


def model_again(space: StateSpace) -> Model:
    """The model behind a space that knows where it comes from: models hold functions and are made again, not pickled."""
    if not isinstance(space.recipe, MadeFromProgram):
        raise TypeError("the program behind this state space is not known")
    return space.recipe.model()


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
