"""Where a state space comes from: enough to explore it again in another process, where its functions cannot go."""

from __future__ import annotations

from dataclasses import dataclass

from volition.kernel import StateSpace, System
from volition.languages.model import Model, Program
from volition.logic.syntax import Atom

__all__ = ["Recipe", "model_again", "remember"]


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
