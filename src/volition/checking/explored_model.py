"""A model and what was explored of it: for all questions about the same states.

A space remembers where it comes from, enough to explore it again in another process, where its
functions cannot go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from volition.checking.graph.propositions import resolve_atoms
from volition.checking.mdp.mdp import Mdp
from volition.checking.quantitative.context import LoadedMdp
from volition.diagnostics import Diagnostic, Diagnostics, InputError
from volition.kernel import Limits, Progress, StateSpace, System, explore
from volition.languages.protocols import Model, ParametricProgram, Program
from volition.logic import expand_agents, modal_atoms
from volition.logic.printing import as_typed
from volition.logic.syntax import Atom, Formula

__all__ = [
    "Exploration",
    "ModelFactory",
    "Recipe",
    "attach_recipe",
    "collect_observed_atoms",
    "exploration_of",
    "explore_for",
    "rebuild_model",
    "require_observed",
]  # fmt: skip


@runtime_checkable
class ModelFactory(Protocol):
    """How the system of a space is made again, by a call, and the model whose words tell it."""

    def __call__(self) -> System: ...

    def model(self) -> Model: ...


@dataclass(frozen=True, slots=True)
class Recipe:
    """A program, the atoms that made its model remember more than the program does, and the
    parameters that were left open.

    ``doubts`` are what looks doubtful about a space that was made long ago.
    """

    program: Program
    observed: tuple[Atom, ...] = ()
    open_parameters: frozenset[str] = frozenset()
    warnings: tuple[Diagnostic, ...] = ()

    def model(self) -> Model:
        if not self.open_parameters:
            return self.program.model(self.observed)
        assert isinstance(self.program, ParametricProgram), "only such a program has parameters"
        return self.program.model(self.observed, symbolic=self.open_parameters)

    def __call__(self) -> System:
        return self.model().system


def attach_recipe(
    space: StateSpace,
    program: Program,
    observed: tuple[Atom, ...] = (),
    *,
    open_parameters: frozenset[str] = frozenset(),
) -> StateSpace:
    """The same space, which now knows where it comes from, so that it can be pickled."""
    space.system_factory = Recipe(program, observed, open_parameters)
    return space


def rebuild_model(space: StateSpace) -> Model:
    """The model behind a space that knows where it comes from: models hold functions and are made
    again, not pickled."""
    if not isinstance(space.system_factory, ModelFactory):
        raise TypeError("the program behind this state space is not known")
    return space.system_factory.model()


@dataclass(frozen=True, eq=False)
class Exploration:
    """A model and what was explored of it; ``observed`` are the atoms that made it remember more
    than the program does."""

    model: Model
    space: StateSpace
    observed: tuple[Atom, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _explored_elsewhere, (self.space, self.observed)

    @cached_property
    def mdp_model(self) -> LoadedMdp:
        """Its process for questions about numbers, made when the first one is asked."""
        return LoadedMdp(self.space, Mdp.from_space(self.space))

    @cached_property
    def nondeterministic_model(self) -> LoadedMdp:
        """The same with chance turned into choice, for questions about runs."""
        return LoadedMdp(self.space, Mdp.from_space(self.space).with_outcomes_as_choices())


def _explored_elsewhere(space: StateSpace, observed: tuple[Atom, ...]) -> Exploration:
    return Exploration(rebuild_model(space), space, observed)


def exploration_of(space: StateSpace) -> Exploration:
    """A space that knows its program in the place of an exploration of it."""
    recipe = space.system_factory
    if not isinstance(recipe, Recipe):
        raise TypeError(
            "the program behind this state space is not known: explore the program, not its system"
        )
    return Exploration(recipe.model(), space, recipe.observed)


def require_observed(exploration: Exploration, program: Program, formula: Formula) -> None:
    """Raise :class:`InputError` where a program does not know a part of a formula, or the states of
    a space do not remember it.

    The formula has no quantifiers over agents.  A model that does not remember an atom cannot
    resolve it.
    """
    resolve_atoms(program.model(modal_atoms(formula)), formula)
    plain = program.model().system.slots.keys()
    errors = Diagnostics()
    for atom in modal_atoms(formula):
        if atom not in exploration.observed and program.model((atom,)).system.slots.keys() != plain:
            message = f"the states that were saved do not remember what '{as_typed(atom)}' asks for"
            errors.error(
                "SPC007",
                message,
                atom.span,
                hint="explore the program for this formula, or ask the program, not its states",
            )
    errors.raise_errors()


def collect_observed_atoms(formulas: Iterable[Formula], agents: Sequence[str]) -> tuple[Atom, ...]:
    """The atoms of formulas, each once, for a model whose states answer all of them."""
    return tuple(
        dict.fromkeys(
            atom for formula in formulas for atom in modal_atoms(expand_agents(formula, agents))
        )
    )


def explore_for(
    program: Program,
    formulas: Iterable[Formula],
    *,
    space: StateSpace | None = None,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> tuple[Exploration, list[Formula]]:
    """The program explored with everything that the formulas look at, and the formulas without
    quantifiers over agents.

    A ``space`` of the program that is there already is not explored again. Raises one
    :class:`InputError` with everything that the program, or the space, does not know, before
    anything is explored.
    """
    agents = program.model().agents
    expanded = [expand_agents(formula, agents) for formula in formulas]
    observed = collect_observed_atoms(expanded, agents)
    before = None if space is None else exploration_of(space)
    model = program.model(observed) if before is None else before.model
    errors = Diagnostics()
    for formula in expanded:
        try:
            if before is not None:
                require_observed(before, program, formula)
            resolve_atoms(model, formula)
        except InputError as error:
            errors.extend(error.diagnostics)
    errors.raise_errors()
    if before is not None:
        return before, expanded
    space = attach_recipe(
        explore(model.system, limits=limits, progress=progress), program, observed
    )
    return Exploration(model, space, observed), expanded
